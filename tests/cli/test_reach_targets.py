"""`pantin reach --targets`: files of targets as people write them, tables of answers, and sentences about both."""

import csv
import json
import os
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pantin
import pantin.kinematics as kin
from pantin.cli import main
from pantin.cli._targets import read_target_file
from pantin.errors import InvalidArgument
from pantin.kinematics.batch import frame_placements

FRAME = "panda_hand"
REACH = ["reach", "panda", "--frame", FRAME]
COUNT = 40


@pytest.fixture(scope="module")
def panda():
    return pantin.load("panda")


@pytest.fixture(scope="module")
def poses(panda):
    random = np.random.default_rng(5)
    q = random.uniform(panda.lower_position_limit, panda.upper_position_limit, (COUNT, panda.nq))
    return frame_placements(panda, FRAME, q)


def table(path, names, rows, separator=","):
    lines = [separator.join(names), *(separator.join(map(repr, map(float, row))) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def pose_file(tmp_path, poses):
    rows = [[*pose[:3, 3], *kin.matrix_to_quaternion(pose[:3, :3])] for pose in poses]
    return table(tmp_path / "poses.csv", ["x", "y", "z", "qx", "qy", "qz", "qw"], rows)


def answers(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def configurations(panda, rows):
    return np.array([[float(row[name]) for name in panda.names[1:]] for row in rows])


def test_every_pose_is_reached_in_the_model(panda, poses, pose_file, tmp_path, capsys):
    out = tmp_path / "out.csv"
    assert main([*REACH, "--targets", pose_file, "--out", str(out)]) == 0
    assert f"{COUNT} of {COUNT} targets are reached (100.00 %)" in capsys.readouterr().out
    rows = answers(out)
    assert len(rows) == COUNT
    assert {row["status"] for row in rows} == {"reached"}
    assert {row["success"] for row in rows} == {"true"}
    assert np.abs(frame_placements(panda, FRAME, configurations(panda, rows)) - poses).max() < 3e-6
    assert sorted(os.listdir(tmp_path)) == ["out.csv", "poses.csv"]


def test_table_has_the_bits_of_single_solves_whatever_the_threads(panda, poses, pose_file, tmp_path):
    alone = np.array([pantin.reach(panda, FRAME, pose).q for pose in poses])
    for threads in ("1", "2"):
        out = tmp_path / f"{threads}.csv"
        assert main([*REACH, "--targets", pose_file, "--out", str(out), "--threads", threads]) == 0
        found = configurations(panda, answers(out))
        single = np.array([pantin.reach(panda, FRAME, pose).q for pose in _reread(pose_file, panda)])
        assert np.array_equal(found, single)
        assert np.abs(found - alone).max() < 1e-4  # the file holds quaternions, not the matrices


def _reread(path, model):
    file = read_target_file("--targets", path, model)
    poses = np.tile(np.eye(4), (COUNT, 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = file.parts["rotation"], file.parts["position"]
    return poses


def test_rpy_and_quaternions_are_the_same_rotations(panda, poses, pose_file, tmp_path):
    rows = [[*kin.matrix_to_rpy(pose[:3, :3])] for pose in poses]
    by_angles = read_target_file("t", table(tmp_path / "rpy.csv", ["roll", "pitch", "yaw"], rows), panda)
    by_quaternions = read_target_file("t", pose_file, panda)
    for file in (by_angles, by_quaternions):
        assert np.abs(file.parts["rotation"] - poses[:, :3, :3]).max() < 1e-13  # a few roundings
    assert by_angles.parts["position"] is None


@pytest.mark.parametrize(
    ("names", "mode"),
    [(["x", "y", "z"], "position"), (["roll", "pitch", "yaw"], "orientation"), (["dx", "dy", "dz"], "direction")],
)
def test_mode_is_told_by_the_columns(poses, tmp_path, capsys, names, mode):
    path = table(tmp_path / "targets.csv", names, poses[:, :3, 3])
    assert main([*REACH, "--targets", path, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["mode"] == mode
    assert (facts["worst_position_error"] is None) == (mode != "position")
    assert (facts["worst_rotation_error"] is None) == (mode == "position")


def test_modes_of_the_tool_read_their_columns(panda, poses, tmp_path):
    out = tmp_path / "out.csv"
    rows = np.column_stack([poses[:, :3, 3], 2.0 * poses[:, :3, 2]])
    path = table(tmp_path / "axes.csv", ["x", "y", "z", "dx", "dy", "dz"], rows)
    assert main([*REACH, "--targets", path, "--out", str(out)]) == 0
    found = frame_placements(panda, FRAME, configurations(panda, answers(out)))
    assert np.abs(found[:, :3, 2:] - poses[:, :3, 2:]).max() < 3e-6
    assert np.abs(found[:, :3, :2] - poses[:, :3, :2]).max() > 0.1  # the turn about the axis is free
    assert main([*REACH, "--targets", path, "--mode", "pointing", "--tool-axis=-x", "--out", str(out)]) == 0
    found = frame_placements(panda, FRAME, configurations(panda, answers(out)))
    gaps = poses[:, :3, 3] - found[:, :3, 3]
    assert np.abs(np.cross(gaps, found[:, :3, 0])).max() < 3e-6
    assert np.all(np.sum(gaps * found[:, :3, 0], axis=1) < 0)


def test_mode_leaves_out_columns_that_do_not_count(pose_file, tmp_path, capsys):
    out = tmp_path / "out.csv"
    assert main([*REACH, "--targets", pose_file, "--mode", "position", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mode"] == "position"
    assert "position_error" in answers(out)[0]
    assert "rotation_error" not in answers(out)[0]


def test_seeds_by_joint_names_are_where_solves_start(panda, poses, tmp_path):
    random = np.random.default_rng(2)
    q = random.uniform(panda.lower_position_limit, panda.upper_position_limit, (COUNT, panda.nq))
    names = ["panda_joint4", "x", "y", "z", "panda_joint1"]
    path = table(tmp_path / "seeded.csv", names, np.column_stack([q[:, 3], poses[:, :3, 3], q[:, 0]]))
    file = read_target_file("t", path, panda)
    expected = [
        kin.configuration_from_dict(panda, {"panda_joint4": row[3], "panda_joint1": row[0]}).tolist() for row in q
    ]
    assert file.seeds.tolist() == expected


def test_seeds_of_joints_with_several_numbers(tmp_path):
    model = pantin.Model()
    base = model.add_joint(0, kin.JointModelFreeFlyer(), pantin.SE3.Identity(), "base")
    wheel = model.add_joint(base, kin.JointModelRUBZ(), pantin.SE3.Identity(), "wheel")
    names = ["x", "y", "z", "base.x", "base.qz", "base.qw", "wheel"]
    path = table(tmp_path / "t.csv", names, [[0, 0, 0, 0.5, 0.6, 0.8, 2.0]])
    (seed,) = read_target_file("t", path, model).seeds
    assert np.allclose(seed, [0.5, 0, 0, 0, 0, 0.6, 0.8, np.cos(2.0), np.sin(2.0)], atol=1e-15)
    assert wheel == 2
    path = table(tmp_path / "t.csv", names, [[0, 0, 0, 0.5, 0.6, 1.8, 2.0]])
    with pytest.raises(InvalidArgument, match=r"line 2: the rotation of joint 'base' has length 1.897, not 1"):
        read_target_file("t", path, model)
    path = table(tmp_path / "t.csv", ["x", "y", "z", "base"], [[0, 0, 0, 1]])
    with pytest.raises(InvalidArgument, match=r"joint of several numbers; name them base.x, base.y"):
        read_target_file("t", path, model)


@pytest.mark.parametrize(
    "text",
    [
        "x,y,z\n0.4,0.1,0.5\n",
        "\ufeffx,y,z\r\n0.4,0.1,0.5\r\n",
        "# made by hand\n\nx, y ,z\n# the first\n0.4 , 0.1,.5\n\n",
        "x;y;z\n0.4;0.1;0.5",
        "x\ty\tz\n0.4\t0.1\t0.5\n",
        '"x","y","z"\n"0.4","1e-1","+0.5"\n',
        "z,x,y\r0.5,0.4,0.1\r",
    ],
)
def test_tables_as_people_write_them(panda, tmp_path, text):
    path = tmp_path / "targets.csv"
    path.write_bytes(text.encode())
    assert read_target_file("t", str(path), panda).parts["position"].tolist() == [[0.4, 0.1, 0.5]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty; its first line names the columns"),
        ("# nothing\n", "is empty"),
        ("x,y,z\n", "no rows below them"),
        ("0.4,0.1,0.5\n", "line 1 has numbers where names of columns are expected; begin with a line such as x,y,z"),
        ("x,y,z\n1,2\n", "line 2 has 2 values, expected 3 (x, y, z)"),
        ("x,y,z\n\n# so\n1,2,3,4\n", "line 4 has 4 values, expected 3"),
        ("x,y,z\n1,2,\n", "line 2, column 'z': expected a number, got nothing"),
        ("x,y,z\n1,2,three\n", "line 2, column 'z': expected a number, got 'three'"),
        ("x,y,z\n1,nan,3\n", "line 2, column 'y': expected a finite number, got nan"),
        ("x,y,z\n0,0,0\n1,2,-inf\n", "line 3, column 'z': expected a finite number, got -inf"),
        ("x,y,z\n1,2,1e300\n", "line 2, column 'z': expected a finite number, got 1e+300"),
        ("x,y\n1,2\n", "column 'z' is missing; x, y, z belong together"),
        ("x,y,z,qx,qy,qz\n1,2,3,0,0,0\n", "column 'qw' is missing; qx, qy, qz, qw belong together"),
        ("X,y,z\n1,2,3\n", "no column is called 'X'; did you mean 'x'?"),
        ("x,y,z,panda_jiont1\n1,2,3,0\n", "no column is called 'panda_jiont1'; did you mean 'panda_joint1'?"),
        ("x,y,z,weight\n1,2,3,0\n", "no column is called 'weight'"),
        ("status,x,y,z\nreached,1,2,3\n", "no column is called 'status'"),
        ("x,y,z,\n1,2,3,\n", "column 4 has no name; is there a separator too many?"),
        ("x,y,z,x\n1,2,3,4\n", "there are two columns 'x'"),
        (
            "x,y,z,qx,qy,qz,qw\n1,2,3,0,0,0,1\n1,2,3,0,0,0,2\n",
            "line 3: the quaternion qx, qy, qz, qw has length 2, not 1",
        ),
        ("x,y,z,qx,qy,qz,qw\n1,2,3,0,0,0,0\n", "line 2: the quaternion qx, qy, qz, qw has length 0, not 1; for no"),
        ("qx,qy,qz,qw,roll,pitch,yaw\n0,0,0,1,0,0,0\n", "give either qx, qy, qz, qw or roll, pitch, yaw, not both"),
        ("dx,dy,dz\n1,0,0\n0,0,0\n", "line 3: the direction dx, dy, dz is zero"),
        ("panda_joint1\n0\n", "give columns x, y, z, columns qx, qy, qz, qw or roll, pitch, yaw, or both"),
    ],
)
def test_wrong_table_is_one_sentence_with_its_line(capsys, tmp_path, text, sentence):
    path = tmp_path / "targets.csv"
    path.write_text(text)
    out = tmp_path / "out.csv"
    assert main([*REACH, "--targets", str(path), "--out", str(out)]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err
    assert len(shown.err.splitlines()) == 1
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--targets", "POSES", "-p", "0", "0", "1"], "--position: belongs to a single target"),
        (["--targets", "POSES", "--plot", "arm.png"], "--plot: belongs to a single target"),
        (["--targets", "POSES", "--out", "POSES"], "is the file of the targets; give another name"),
        (["--targets", "POSES", "--out", "out.txt"], "expected a name that ends in .csv or .parquet"),
        (["--targets", "POSES", "--out", "no/out.csv"], "--out: there is no folder"),
        (["--targets", "POSES", "--mode", "positon"], "got 'positon'; did you mean 'position'?"),
        (["--targets", "pose.csv"], "there is no file 'pose.csv'; did you mean 'poses.csv'?"),
        (["--targets", "."], "--targets: cannot read '.': Is a directory"),
        (["--targets", "POSES", "--threads", "0"], "threads"),
        (["--targets", "POSES", "--root", "panda_link"], "no frame 'panda_link'; did you mean 'panda_link"),
        (["-p", "0", "0", "1", "--out", "out.csv"], "--out: belongs to --targets FILE"),
        ([], "nothing is asked for; give --position X Y Z, --quaternion X Y Z W or --rpy R P Y, or both"),
    ],
)
def test_wrong_words_are_one_sentence(capsys, pose_file, tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert main([*REACH, *("poses.csv" if word == "POSES" else word for word in words)]) == 2
    shown = capsys.readouterr()
    assert sentence in shown.err
    assert len(shown.err.splitlines()) == 1
    assert os.listdir(tmp_path) == ["poses.csv"]


def test_seed_and_seeds_do_not_go_together(capsys, tmp_path):
    path = table(tmp_path / "t.csv", ["x", "y", "z", "panda_joint1"], [[0.4, 0.1, 0.5, 0.2]])
    assert main([*REACH, "--targets", path, "--seed", "panda_joint1=0.1"]) == 2
    assert "give seeds, too; leave out one" in capsys.readouterr().err


def test_not_all_reached_exits_1_and_names_the_first(capsys, tmp_path):
    path = table(tmp_path / "t.csv", ["x", "y", "z"], [[0.4, 0.1, 0.5], [0.3, 0.1, 0.5], [4.0, 0, 0], [5.0, 0, 0]])
    assert main([*REACH, "--targets", path]) == 1
    text = capsys.readouterr().out
    assert "2 of 4 targets are reached (50.00 %)" in text
    assert "The first that is not stands in line 4 (out_of_workspace)." in text
    assert main([*REACH, "--targets", path, "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["statuses"] == {"reached": 2, "out_of_workspace": 2}
    assert facts["success_rate"] == 0.5
    assert facts["worst_position_error"] < 1e-6  # of the reached ones, whose tolerance this is


def test_a_share_is_not_rounded_up_to_all():
    from pantin.cli._output import percent

    assert percent(99_999, 100_000) == "99.99 %"
    assert percent(100_000, 100_000) == "100.00 %"


def test_root_is_the_frame_that_targets_are_given_in(panda, tmp_path, capsys):
    words = ["--root", "panda_link1", "-p", "0.4", "0.1", "0.2", "--json"]
    assert main([*REACH, *words]) == 0
    q = np.array(json.loads(capsys.readouterr().out)["q"])
    root, frame = (frame_placements(panda, name, q) for name in ("panda_link1", FRAME))
    assert np.allclose((np.linalg.inv(root) @ frame)[:3, 3], [0.4, 0.1, 0.2], atol=1e-6)


def test_bar_is_drawn_on_a_terminal_and_nowhere_else(pose_file):
    command = [sys.executable, "-m", "pantin", *REACH, "--targets", pose_file]
    quiet = subprocess.run(command, capture_output=True, text=True, check=True)
    assert quiet.stderr == ""
    mine, theirs = pty.openpty()
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    assert f"{COUNT}/{COUNT}".encode() in os.read(mine, 1 << 16)
    os.close(mine)
    assert shown.stdout.decode().splitlines()[0] == quiet.stdout.splitlines()[0]


def test_ctrl_c_is_told_and_leaves_no_file(tmp_path):
    lost = np.tile([0.0, 0.0, -0.4, 1.0, 2.0, 3.0], (200_000, 1))  # within the chain's length and slow to give up
    path = table(tmp_path / "lost.csv", ["x", "y", "z", "roll", "pitch", "yaw"], lost)
    mine, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pantin", *REACH, "--targets", path, "--out", str(tmp_path / "out.csv")],
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while b"reach" not in shown:  # the bar appears when the work begins
        shown += os.read(mine, 1 << 16)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=10)
    shown += os.read(mine, 1 << 16)
    os.close(mine)
    assert process.returncode == 130
    assert out == b""
    assert b"pantin: interrupted after" in shown
    assert b"of 200000 targets; nothing is written" in shown
    assert os.listdir(tmp_path) == ["lost.csv"]


def test_parquet_without_its_package_names_it(capsys, pose_file, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main([*REACH, "--targets", pose_file, "--out", str(tmp_path / "out.parquet")]) == 2
    assert "install it with: pip install pyarrow" in capsys.readouterr().err
    (tmp_path / "in.parquet").write_bytes(b"")
    assert main([*REACH, "--targets", str(tmp_path / "in.parquet")]) == 2
    assert "install it with: pip install pyarrow" in capsys.readouterr().err


def test_parquet_holds_what_csv_holds(panda, poses, pose_file, tmp_path, capsys):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    names = ["x", "y", "z", "qx", "qy", "qz", "qw"]
    rows = read_target_file("t", pose_file, panda).columns.values
    targets, out = tmp_path / "poses.parquet", tmp_path / "out.parquet"
    parquet.write_table(arrow.table(dict(zip(names, rows.T, strict=True))), targets)
    assert main([*REACH, "--targets", str(targets), "--out", str(out)]) == 0
    assert main([*REACH, "--targets", pose_file, "--out", str(tmp_path / "out.csv")]) == 0
    found, expected = parquet.read_table(out), answers(tmp_path / "out.csv")
    assert found.column_names == list(expected[0])
    assert found["success"].to_pylist() == [True] * COUNT
    assert found["panda_joint3"].to_pylist() == [float(row["panda_joint3"]) for row in expected]
    capsys.readouterr()
    for table_, sentence in [
        (arrow.table({"x": [1.0, None], "y": [0.0, 0.0], "z": [0.0, 0.0]}), "row 2, column 'x': expected a finite"),
        (arrow.table({"x": ["a"], "y": [0.0], "z": [0.0]}), "column 'x': expected numbers, got string"),
        (arrow.table({"u": [1.0]}), "no column is called 'u'"),
        (arrow.table({"x": arrow.array([], arrow.float64())}), "no rows below them"),
    ]:
        parquet.write_table(table_, targets)
        assert main([*REACH, "--targets", str(targets)]) == 2
        assert sentence in capsys.readouterr().err
    targets.write_bytes(b"no parquet at all")
    assert main([*REACH, "--targets", str(targets)]) == 2
    assert "cannot be read as a Parquet file" in capsys.readouterr().err


CELLS = st.one_of(
    st.sampled_from(
        ["x", "y", "z", "qx", "qw", "roll", "time", "panda_joint1", "", "0", "1", "nan", "inf", "1e999", '"', "#"]
    ),
    st.floats().map(repr),
    st.text(max_size=5),
)
TABLES = st.lists(st.lists(CELLS, max_size=8), max_size=6).map(lambda rows: "\n".join(map(",".join, rows)))
HEADED = st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=4).map(
    lambda rows: "\n".join(["x,y,z", *map(",".join, rows)])
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(st.binary(max_size=200), TABLES.map(str.encode), HEADED.map(lambda text: text.encode())))
def test_whatever_is_in_a_file_it_is_targets_or_one_error(panda, tmp_path, content):
    path = tmp_path / "targets.csv"
    path.write_bytes(content)
    try:
        file = read_target_file("--targets", str(path), panda)
    except InvalidArgument:
        return
    rows = len(file.columns.lines)
    assert rows > 0
    assert all(part is None or (len(part) == rows and np.isfinite(part).all()) for part in file.parts.values())


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(*[st.floats(-1e100, 1e100)] * 3), min_size=1, max_size=5))
def test_numbers_are_read_to_the_bit(panda, tmp_path, rows):
    path = table(tmp_path / "targets.csv", ["x", "y", "z"], rows)
    assert read_target_file("t", path, panda).parts["position"].tolist() == [list(row) for row in rows]
