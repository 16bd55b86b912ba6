"""What stands for a rotation or a pose is read as one, or refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, Model, as_se3, exp3, exp6, log6, matrix_to_quaternion
from pantin.kinematics.poses import as_rotation


def test_rotations_are_matrices_or_quaternions():
    R = exp3([0.1, 0.2, 0.3])
    np.testing.assert_array_equal(as_rotation("target", R), R)
    np.testing.assert_allclose(as_rotation("target", matrix_to_quaternion(R)), R, atol=4e-16)
    for wrong in ([1, 2, 3], np.eye(4), None, "R", 2 * np.eye(3)):
        with pytest.raises(InvalidArgument, match=r"^target: "):
            as_rotation("target", wrong)


def test_a_pose_stands_for_itself():
    M = SE3.Random()
    assert as_se3("target", M) is M


def test_matrices_and_pairs_stand_for_poses():
    M = exp6([1, 2, 3, 0.1, 0.2, 0.3])
    for same in (
        M.homogeneous,
        M.homogeneous.tolist(),
        (M.translation, matrix_to_quaternion(M.rotation)),
        [M.translation.tolist(), matrix_to_quaternion(M.rotation).tolist()],
        (M.translation, M.rotation),
    ):
        np.testing.assert_allclose(as_se3("target", same).homogeneous, M.homogeneous, atol=4e-16)


def test_pinocchios_poses_stand_for_poses():
    pin = pytest.importorskip("pinocchio")
    theirs = pin.SE3.Random()
    np.testing.assert_array_equal(as_se3("target", theirs).homogeneous, theirs.homogeneous)
    np.testing.assert_allclose(log6(theirs).vector, pin.log6(theirs).vector, atol=1e-13)
    model = Model()
    model.add_body_frame("body", 0, theirs)
    np.testing.assert_array_equal(model.frames[1].placement.translation, theirs.translation)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "target"),
        ("here", "target"),
        (3.0, "target"),
        (np.eye(3), "target"),
        (np.zeros((4, 4)), "target"),
        (([0, 0, 0], [0, 0, 0, 2]), r"target\[1\]"),
        (([0, 0], [0, 0, 0, 1]), r"target\[0\]"),
        (([0, 0, 0], [0, 0, 1]), r"target\[1\]"),
        (([0, 0, np.nan], [0, 0, 0, 1]), r"target\[0\]"),
        ((1, 2, 3), "target"),
        ({}, "target"),
    ],
)
def test_what_is_no_pose_is_refused_by_name(value, name):
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        as_se3("target", value)
