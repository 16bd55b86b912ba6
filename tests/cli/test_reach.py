"""`pantin reach`: verdicts, exit codes, forms of output, and numbers as people write them."""

import json
import math

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin.cli import main

FRAME = "panda_hand"
POSE = ["reach", "panda", "--frame", FRAME, "--position", "0.4", "0.1", "0.5"]
DOWN = ["--quaternion", "1", "0", "0", "0"]
BELOW = ["reach", "panda", "--frame", FRAME, "--position", "0", "0", "-0.5"]
AWAY = ["reach", "panda", "--frame", FRAME, "--position", "3", "0", "0.5"]


def reached(capsys, *words):
    """Facts that `--json` prints of a command that reaches its target."""
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def placement(facts):
    """Pose of the frame at the joint angles of a result."""
    model = pantin.load("panda")
    data = model.create_data()
    kin.frames_forward_kinematics(model, data, np.array(facts["q"]))
    return data.oMf[model.get_frame_id(FRAME)]


def test_position_is_reached_in_the_model(capsys):
    facts = reached(capsys, *POSE)
    assert np.allclose(placement(facts).translation, [0.4, 0.1, 0.5], atol=1e-5)
    assert facts["rotation_error"] is None


def test_quaternion_and_rpy_ask_for_the_same_pose(capsys):
    by_quaternion = reached(capsys, *POSE, *DOWN)
    by_angles = reached(capsys, *POSE, "--rpy", str(math.pi), "0", "0")
    for facts in (by_quaternion, by_angles):
        assert np.allclose(placement(facts).rotation, np.diag([1.0, -1.0, -1.0]), atol=1e-5)
        assert facts["rotation_error"] < 1e-4


def test_json_names_each_joint_and_agrees_with_q(capsys):
    facts = reached(capsys, *POSE)
    model = pantin.load("panda")
    assert list(facts["joints"]) == model.names[1:]
    named = kin.configuration_from_dict(model, facts["joints"])
    assert np.allclose(named, facts["q"], atol=1e-15)


def test_table_has_degrees_beside_radians(capsys):
    facts = reached(capsys, *POSE, *DOWN)
    assert main([*POSE, *DOWN]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    cells = {row[0]: (row[1], row[3]) for row in rows if len(row) > 3}
    for name in [f"panda_joint{i}" for i in range(1, 8)]:
        radians, degrees = map(float, cells[name])
        assert radians == pytest.approx(facts["joints"][name], abs=1e-6)  # six decimals are printed
        assert degrees == pytest.approx(math.degrees(radians), abs=1e-4)


def test_out_of_reach_exits_1_and_says_what_is_left(capsys):
    assert main([*AWAY, "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["success"] is False
    left = np.linalg.norm(placement(facts).translation - [3.0, 0.0, 0.5])
    assert facts["position_error"] == pytest.approx(left, rel=1e-6)
    assert main(AWAY) == 1
    assert "not reached" in capsys.readouterr().out


def test_every_status_has_its_reason():
    from pantin.cli._answer import REASONS
    from pantin.reaching.result import STATUS

    assert set(REASONS) == set(STATUS) - {"reached"}


def test_joints_at_limits_are_named(capsys):
    assert main([*BELOW, "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    model = pantin.load("panda")
    q = np.array(facts["q"])
    bound = (q <= model.lower_position_limit + 1e-9) | (q >= model.upper_position_limit - 1e-9)
    assert facts["at_limit"]
    assert facts["at_limit"] == [model.names[j.id] for j in model.joints[1:] if j.nq and bound[j.idx_q]]
    assert main(BELOW) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.endswith("at its limit")] == facts["at_limit"]


@pytest.mark.parametrize(
    "seed",
    ["--seed=-0.1,0.2,0,-1.5,0,1.5,-1e-1", "--seed -0.1,0.2,0,-1.5,0,1.5,-1e-1", "--seed panda_joint4=-1.5"],
)
def test_negative_numbers_and_exponents_are_numbers(capsys, seed):
    facts = reached(capsys, "reach", "panda", "--frame", FRAME, "--position", "-.3", "-2e-1", "+0.5", *seed.split(" "))
    assert np.allclose(placement(facts).translation, [-0.3, -0.2, 0.5], atol=1e-5)


def test_mode_is_that_of_what_is_given(capsys):
    rpy, direction = ["--rpy", "3.1", "0.1", "0.2"], ["--direction", "0", "0", "-2"]
    place = ["--position", "0.4", "0.1", "0.5"]
    for words, mode in [
        (place, "position"),
        (rpy, "orientation"),
        ([*place, *rpy], "pose"),
        (direction, "direction"),
        ([*place, *direction], "axis"),
        (["--point", "1", "1", "0"], "pointing"),
        (["--position", "0.5", "0", "0.2", "--pivot", "0.4", "0", "0.5"], "rcm"),
        ([*place, *rpy, "--mode", "axis"], "axis"),
    ]:
        assert reached(capsys, "reach", "panda", "--frame", FRAME, *words)["mode"] == mode


@pytest.mark.parametrize("axis", ["x", "-z", "0.6,0,-0.8"])
def test_tool_axis_takes_its_direction(capsys, axis):
    tool = {"x": [1, 0, 0], "-z": [0, 0, -1], "0.6,0,-0.8": [0.6, 0, -0.8]}[axis]
    direction = np.array([0.6, 0.0, -0.8])
    words = ["reach", "panda", "--frame", FRAME, "--tool-axis", axis]
    found = placement(reached(capsys, *words, "--direction", "3", "0", "-4"))
    assert np.allclose(found.rotation @ tool, direction, atol=2e-6)
    found = placement(reached(capsys, *words, "-p", "0.4", "0.1", "0.5", "--direction", "3", "0", "-4"))
    assert np.allclose(found.rotation @ tool, direction, atol=2e-6)
    assert np.allclose(found.translation, [0.4, 0.1, 0.5], atol=2e-6)
    found = placement(reached(capsys, *words, "--point", "1", "1", "0.2"))
    gap = np.array([1, 1, 0.2]) - found.translation
    assert np.allclose(found.rotation @ tool, gap / np.linalg.norm(gap), atol=2e-6)


def test_shaft_passes_through_its_pivot(capsys):
    words = ["reach", "panda", "--frame", FRAME, "-p", "0.5", "0", "0.2", "--pivot", "0.4", "0", "0.5"]
    found = placement(reached(capsys, *words))
    assert np.allclose(found.translation, [0.5, 0, 0.2], atol=2e-6)
    back = np.array([0.4, 0, 0.5]) - found.translation
    assert np.linalg.norm(np.cross(back, found.rotation[:, 2])) < 2e-6
    rolls = [placement(reached(capsys, *words, "--rpy", "3", "0", yaw)).rotation[:, 0] for yaw in ("0", "0.5")]
    assert np.linalg.norm(rolls[0] - rolls[1]) > 0.4  # the turn about the shaft follows the yaw, which is nearly it


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-p", "0", "0", "1", "--mode", "pose"], "--mode: pose needs --quaternion X Y Z W or --rpy R P Y"),
        (["-p", "0", "0", "1", "--mode", "axis"], "axis needs --direction X Y Z or --quaternion X Y Z W or --rpy"),
        (["-p", "0", "0", "1", "--mode", "rcm"], "--mode: rcm needs --pivot X Y Z"),
        (["--rpy", "0", "0", "1", "--mode", "position"], "--mode: position needs --position X Y Z"),
        (["-p", "0", "0", "1", "--mode", "direction"], "--mode: direction needs --direction X Y Z"),
        (["-p", "0", "0", "1", "--rpy", "0", "0", "0", "--mode", "position"], "position leaves the rotation open"),
        (["-p", "0", "0", "1", "--pivot", "0", "0", "0", "--mode", "pose"], "pose needs"),
        (["--rpy", "0", "0", "1", "--pivot", "0", "0", "0"], "--mode: rcm needs --position X Y Z"),
        (["-p", "0", "0", "1", "--pivot", "0", "0", "0", "--mode", "position"], "--pivot: belongs to the mode rcm"),
        (["-p", "0", "0", "1", "--point", "0", "0", "1"], "--position: means the same as --point"),
        (["--rpy", "0", "0", "1", "--direction", "0", "0", "1"], "leave out one, or give --mode"),
        (["--direction", "0", "0", "0"], "--direction: expected a direction, got the zero vector"),
        (["--direction", "0", "0", "nan"], "--direction: expected finite numbers"),
        (["-p", "0", "0", "1", "--tool-axis", "x"], "--tool-axis: belongs to the modes axis, direction, pointing, rcm"),
        (["--point", "0", "0", "1", "--tool-axis", "w"], "--tool-axis: expected x, y, z, one of them with a minus, or"),
        (["--point", "0", "0", "1", "--tool-axis", "0,0,0"], "--tool-axis: expected a direction, got the zero vector"),
        (["--point", "0", "0", "1", "--mode", "pointign"], "got 'pointign'; did you mean 'pointing'?"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(capsys, words, sentence):
    assert main(["reach", "panda", "--frame", FRAME, *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--frame", "panda_hamd"], "no frame 'panda_hamd'; did you mean 'panda_hand'?"),
        (["--position", "nan", "0", "0"], "--position: expected finite numbers, got nan"),
        (["--position", "0", "inf", "0"], "--position: expected finite numbers, got inf"),
        (["--position", "0", "0", "far"], "--position: expected a number, got 'far'"),
        (["--quaternion", "0", "0", "0", "0"], "--quaternion: expected a unit quaternion"),
        (["--quaternion", "nan", "0", "0", "1"], "--quaternion: expected finite numbers"),
        (["--rpy", "0", "0", "0", "--quaternion", "0", "0", "0", "1"], "either --quaternion or --rpy"),
        (["--seed", "0.1,0.2"], "--seed: expected 7 numbers (panda_joint1, "),
        (["--seed", "0,0,0,,0,0,0"], "--seed: expected a number, got ''"),
        (["--seed", "panda_joint9=1"], "no joint 'panda_joint9'"),
        (["--seed", "0,0,0,0,0,0,nan"], "--seed: expected finite numbers"),
        (["--position", "0", "0", "--json"], "--position: expected a number, got '--json'"),
        (["--positon", "1"], "--positon"),
    ],
)
def test_wrong_question_is_one_sentence_and_exit_code_2(capsys, words, sentence):
    assert main([*POSE, *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pantin: ")
    assert sentence in err
    assert len(err.splitlines()) == 1
