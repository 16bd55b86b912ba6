"""`pantin reach --path`: files of waypoints are followed, and what stands in the way is told with its line."""

import csv
import json

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin.cli import main
from pantin.kinematics.batch import frame_placements

FRAME = "panda_hand"
COUNT = 120


@pytest.fixture(scope="module")
def panda():
    return pantin.load("panda")


@pytest.fixture(scope="module")
def motion(panda):
    """A smooth joint motion within limits."""
    low, high = panda.lower_position_limit, panda.upper_position_limit
    t = np.linspace(0.0, 1.0, COUNT)[:, None]
    return (low + high) / 2 + 0.3 * (high - low) * np.sin(1.8 * t * np.arange(1, 8) + np.arange(7))


def table(path, columns):
    rows = zip(*(np.asarray(values, dtype=float).tolist() for values in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]))
    return str(path)


@pytest.fixture
def waypoints(panda, motion, tmp_path):
    poses = frame_placements(panda, FRAME, motion)
    rpy = np.array([kin.matrix_to_rpy(pose[:3, :3]) for pose in poses])
    names = ["time", "x", "y", "z", "roll", "pitch", "yaw"]
    return table(
        tmp_path / "path.csv",
        dict(zip(names, [0.1 * np.arange(COUNT), *poses[:, :3, 3].T, *rpy.T], strict=True)),
    )


@pytest.fixture
def line(tmp_path):
    """A straight line that leaves what the arm can reach."""
    x = np.linspace(0.3, 1.2, 50)
    return table(tmp_path / "line.csv", {"x": x, "y": 0 * x + 0.1, "z": 0 * x + 0.5})


def follow(path, *words):
    return ["reach", "panda", "--frame", FRAME, "--targets", path, "--path", *words]


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_a_smooth_path_is_followed_in_the_model(panda, motion, waypoints, tmp_path, capsys):
    seed = ",".join(map(repr, motion[0].tolist()))
    assert main(follow(waypoints, f"--seed={seed}", "--out", str(tmp_path / "motion.csv"))) == 0
    assert capsys.readouterr().out.startswith(f"{FRAME} follows all {COUNT} waypoints, without a jump.\n")
    rows = rows_of(tmp_path / "motion.csv")
    q = np.array([[float(row[name]) for name in panda.names[1:]] for row in rows])
    gaps = frame_placements(panda, FRAME, q) - frame_placements(panda, FRAME, motion)
    assert np.abs(gaps).max() < 3e-6
    assert np.abs(np.diff(q, axis=0)).max() < 0.5  # to another branch it is more
    assert [float(row["time"]) for row in rows] == [0.1 * k for k in range(COUNT)]
    assert {row["status"] for row in rows} == {"reached"}


def test_shortest_times_keep_to_velocity_limits(panda, waypoints, tmp_path, capsys):
    assert main(follow(waypoints, "--retime", "--out", str(tmp_path / "motion.csv"), "--json")) == 0
    rows = rows_of(tmp_path / "motion.csv")
    q = np.array([[float(row[name]) for name in panda.names[1:]] for row in rows])
    times = np.array([float(row["time"]) for row in rows])
    speeds = np.abs(np.diff(q, axis=0)) / np.diff(times)[:, None]
    assert (speeds / panda.velocity_limit).max() == pytest.approx(1.0, abs=1e-9)
    assert json.loads(capsys.readouterr().out)["duration"] == pytest.approx(times[-1] - times[0], rel=1e-12)


def test_where_a_path_ends_is_told_with_its_line(line, tmp_path, capsys):
    out = tmp_path / "motion.csv"
    assert main(follow(line, "--out", str(out))) == 1
    text = capsys.readouterr().out
    rows = rows_of(out)
    reached = [row["success"] for row in rows].count("true")
    assert 0 < reached < len(rows)
    assert text.startswith(f"{FRAME} follows {reached} of 50 waypoints.\n")
    assert f"Line {reached + 2}: no configuration within limits reaches waypoint {reached}" in text
    assert [row["status"] for row in rows[:reached]] == ["reached"] * reached
    assert rows[reached]["status"] in ("not_found", "out_of_workspace", "limits")
    assert {row["status"] for row in rows[reached + 1 :]} == {"left_out"}


def test_facts_and_sentences_tell_the_same(line, capsys):
    assert main(follow(line, "--allow-jumps", "--json")) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["waypoints"] == 50
    assert facts["reached"] + len({event["waypoint"] for event in facts["events"]}) >= 50
    assert all(event["line"] == event["waypoint"] + 2 for event in facts["events"])
    assert main(follow(line, "--allow-jumps")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:11] == [f"Line {event['line']}: {event['why']}." for event in facts["events"][:10]]
    assert lines[11] == f"There are {len(facts['events']) - 10} more; --json lists them all."


TWO_LINKS = """<robot name="two_links"><link name="base"/><link name="upper"/><link name="lower"/><link name="tip"/>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
<limit lower="-1.1" upper="1.2" velocity="1" effort="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><axis xyz="0 0 1"/>
<origin xyz="1 0 0"/><limit lower="-2.5" upper="2.5" velocity="1" effort="1"/></joint>
<joint name="end" type="fixed"><parent link="lower"/><child link="tip"/><origin xyz="1 0 0"/></joint></robot>"""


def test_a_jump_is_told_with_its_line(tmp_path, capsys):
    """On an arc of radius 1 the shoulder is at the tip's angle plus or minus 60 degrees, of which its limits allow
    plus up to 0.153 rad, and minus from -0.053 rad on."""
    (tmp_path / "arm.urdf").write_text(TWO_LINKS)
    angle = np.linspace(-0.9, 0.9, 91)
    path = table(tmp_path / "arc.csv", {"x": np.cos(angle), "y": np.sin(angle), "z": 0 * angle})
    words = ["reach", str(tmp_path / "arm.urdf"), "-f", "tip", "--targets", path, "--path", "--seed=0.1,-2"]
    last = int(np.flatnonzero(angle + np.pi / 3 <= 1.2)[-1])
    assert main(words) == 1
    text = capsys.readouterr().out
    assert text.startswith(f"tip follows {last + 1} of 91 waypoints.\nLine {last + 3}: ")
    assert "joint 'elbow' would jump by 4.19 rad." in text  # from minus to plus 120 degrees
    assert main([*words, "--allow-jumps"]) == 0
    assert capsys.readouterr().out.startswith(f"tip follows all 91 waypoints, with 1 jump.\nLine {last + 3}: ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--path"], "--path: belongs to --targets FILE"),
        (["--targets", "FILE", "--retime"], "--retime: belongs to --path"),
        (["--targets", "FILE", "--allow-jumps"], "--allow-jumps: belongs to --path"),
        (["--targets", "FILE", "--path", "--all"], "--all: belongs to a single target"),
        (["--targets", "FILE", "--path", "--out", "motion.txt"], "expected a name that ends in .csv or .parquet"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(line, capsys, words, sentence):
    target = [] if "--targets" in words else ["-p", "0.4", "0.1", "0.5"]
    words = [line if word == "FILE" else word for word in words]
    assert main(["reach", "panda", "--frame", FRAME, *target, *words]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (
            {"time": [0.0, 1.0, 1.0], "x": [0.4] * 3, "y": [0.1] * 3, "z": [0.5] * 3},
            "line 4: the time 1 s does not",
        ),
        ({"x": [0.4], "y": [0.1], "z": [0.5], "panda_joint1": [0.0]}, "--path: starts from one configuration"),
    ],
)
def test_wrong_waypoints_are_one_sentence(tmp_path, capsys, columns, sentence):
    assert main(follow(table(tmp_path / "path.csv", columns))) == 2
    assert sentence in capsys.readouterr().err
