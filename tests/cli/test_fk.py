"""`pantin fk`: the pose that the model has, in each of its forms."""

import json

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin.cli import main

FRAME = "panda_hand"
Q = "0.1,-0.4,0.2,-2.1,0.3,1.8,0.8"


def facts(capsys, *words):
    assert main(["fk", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def placement(name, q, frame):
    model = pantin.load(name)
    data = model.create_data()
    kin.frames_forward_kinematics(model, data, q)
    return data.oMf[model.get_frame_id(frame)]


def test_json_is_the_pose_of_the_model(capsys):
    pose = placement("panda", np.array([float(number) for number in Q.split(",")]), FRAME)
    shown = facts(capsys, "panda", "--frame", FRAME, "--q", Q)
    assert shown["frame"] == FRAME
    assert shown["position"] == pose.translation.tolist()
    assert np.array_equal(shown["matrix"], pose.homogeneous)


def test_quaternion_and_rpy_give_the_rotation_back(capsys):
    shown = facts(capsys, "panda", "--frame", FRAME, "--q", Q)
    rotation = np.array(shown["matrix"])[:3, :3]
    assert np.allclose(kin.quaternion_to_matrix(shown["quaternion"]), rotation, atol=1e-14)
    assert np.allclose(kin.rpy_to_matrix(*shown["rpy"]), rotation, atol=1e-14)


def test_configurations_by_name_leave_the_rest_at_neutral(capsys):
    model = pantin.load("panda")
    q = kin.neutral(model)
    q[3] = -2.1
    shown = facts(capsys, "panda", "--frame", FRAME, "--q", "panda_joint4=-2.1")
    assert np.array_equal(shown["matrix"], placement("panda", q, FRAME).homogeneous)


def test_without_q_the_model_is_at_neutral(capsys):
    shown = facts(capsys, "panda", "--frame", FRAME)
    assert np.array_equal(shown["matrix"], placement("panda", kin.neutral(pantin.load("panda")), FRAME).homogeneous)


def test_printed_rows_are_the_numbers_of_the_json(capsys):
    shown = facts(capsys, "panda", "--frame", FRAME, "--q", Q)
    assert main(["fk", "panda", "--frame", FRAME, "--q", Q]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    position = next(line for line in lines if line[:1] == ["position"])
    assert [float(number) for number in position[1:4]] == pytest.approx(shown["position"], abs=1e-6)
    first = next(line for line in lines if line[:1] == ["matrix"])
    assert [float(number) for number in first[1:]] == pytest.approx(shown["matrix"][0], abs=1e-6)


def test_negative_first_number_needs_no_equals_sign(capsys):
    with_sign = facts(capsys, "panda", "--frame", FRAME, "--q=-1e-1,0,0,-1,0,1,0")
    without = facts(capsys, "panda", "--frame", FRAME, "--q", "-1e-1,0,0,-1,0,1,0")
    assert with_sign == without


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["panda"], "Missing option '--frame'"),
        (["panda", "--frame", "nowhere"], "no frame 'nowhere'"),
        (["no_such_file.urdf", "--frame", "x"], "no_such_file.urdf"),
        (["panda", "--frame", FRAME, "--q", "1,2"], "--q: expected 7 numbers"),
        (["panda", "--frame", FRAME, "--q", "panda_joint1=a"], "--q: expected a number, got 'a'"),
        (["panda", "--frame", FRAME, "--q", "panda_joint1=nan"], "nan"),
    ],
)
def test_wrong_question_is_one_sentence_and_exit_code_2(capsys, words, sentence):
    assert main(["fk", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert len(err.splitlines()) == 1
