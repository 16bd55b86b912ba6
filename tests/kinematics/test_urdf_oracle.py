"""Models of the URDF files of `example-robot-data` equal Pinocchio's, joint by joint and frame by frame."""

from __future__ import annotations

import importlib.util
import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest

from pantin.errors import ModelFileError, ModelFileWarning
from pantin.kinematics.joints import JointModelFreeFlyer
from pantin.kinematics.urdf import build_model_from_urdf

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
FILES = sorted(ROBOTS.rglob("*.urdf"))

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("pinocchio") is None, reason="pin is not installed"),
    pytest.mark.skipif(not FILES, reason="example-robot-data is not installed"),
]

#: Files that Pinocchio cannot read, and why.
UNREADABLE = {"ur_description/urdf/ur3.urdf": "the robot has no links: its xacro was expanded without them"}

#: Joints whose <limit> has no bounds: locked at 0 by Pinocchio, unlimited here.
UNLIMITED = {
    "centauro_description/urdf/centauro.urdf": {"j_wheel_1", "j_wheel_2", "j_wheel_3", "j_wheel_4"},
    "quadruped_description/urdf/quadruped.urdf": {"BL_KFE", "BR_KFE", "FL_KFE", "FR_KFE"},
}

#: Roundings of a product of some ten rotations.
TOLERANCE = 1e-12


def relative(path):
    return path.relative_to(ROBOTS).as_posix()


def pin_model(path, free):
    import pinocchio as pin

    return pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if free else []))


def our_model(path, free, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        return build_model_from_urdf(path, JointModelFreeFlyer() if free else None, **options)


@pytest.fixture(params=[False, True], ids=["fixed", "free"])
def free(request):
    return request.param


READABLE = [path for path in FILES if relative(path) not in UNREADABLE]


@pytest.mark.parametrize("path", READABLE, ids=relative)
def test_joints_frames_inertias_and_limits_equal_pinocchios(path, free):
    theirs, ours = pin_model(path, free), our_model(path, free)
    assert list(ours.names) == list(theirs.names)
    assert list(ours.parents) == list(theirs.parents)
    assert (ours.nq, ours.nv) == (theirs.nq, theirs.nv)
    for joint in range(1, theirs.njoints):
        one, other = ours.joints[joint], theirs.joints[joint]
        assert (one.idx_q, one.idx_v, one.nq, one.nv) == (other.idx_q, other.idx_v, other.nq, other.nv)
        assert_same_placement(ours.joint_placements[joint], theirs.jointPlacements[joint])
    compare_inertias(ours, theirs)
    compare_frames(ours, theirs)
    compare_limits(ours, theirs, UNLIMITED.get(relative(path), set()))


def compare_inertias(ours, theirs):
    for one, other in zip(ours.inertias, theirs.inertias, strict=True):
        np.testing.assert_allclose(one.mass, other.mass, rtol=TOLERANCE)
        np.testing.assert_allclose(one.mass * one.lever, other.mass * other.lever, atol=TOLERANCE)
        np.testing.assert_allclose(one.inertia, other.inertia, atol=TOLERANCE)


def compare_frames(ours, theirs):
    assert [frame.name for frame in ours.frames] == [frame.name for frame in theirs.frames]
    for one, other in zip(ours.frames, theirs.frames, strict=True):
        assert one.type.name == other.type.name
        assert (one.parent_joint, one.parent_frame) == (other.parentJoint, other.parentFrame)
        assert_same_placement(one.placement, other.placement)


def compare_limits(ours, theirs, unlimited):
    lower, upper = theirs.lowerPositionLimit.copy(), theirs.upperPositionLimit.copy()
    for name in unlimited:
        place = theirs.joints[theirs.getJointId(name)].idx_q
        assert lower[place] == upper[place] == 0.0
        lower[place], upper[place] = -np.inf, np.inf
    assert np.array_equal(ours.lower_position_limit, lower)
    assert np.array_equal(ours.upper_position_limit, upper)
    assert np.array_equal(ours.velocity_limit, theirs.velocityLimit)
    assert np.array_equal(ours.effort_limit, theirs.effortLimit)
    assert np.array_equal(ours.damping, theirs.damping)
    assert np.array_equal(ours.friction, theirs.upperDryFrictionLimit)


def assert_same_placement(one, other):
    np.testing.assert_allclose(one.rotation, other.rotation, atol=TOLERANCE)
    np.testing.assert_allclose(one.translation, other.translation, atol=TOLERANCE)


@pytest.mark.parametrize("path", READABLE, ids=relative)
def test_joints_without_limits_are_those_that_are_listed(path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ModelFileWarning)
        build_model_from_urdf(path)
    named = [str(warning.message).partition("without limit: ")[2] for warning in caught]
    found = {name.strip("'") for names in named for name in names.split(", ")}
    assert found == UNLIMITED.get(relative(path), set())


@pytest.mark.parametrize("name", UNREADABLE)
def test_files_that_pinocchio_cannot_read_are_refused(name):
    with pytest.raises(ValueError, match="does not contain a valid URDF model"):
        pin_model(ROBOTS / name, False)
    with pytest.raises(ModelFileError, match="the robot has no <link>"):
        our_model(ROBOTS / name, False)


def test_all_the_files_of_the_collection_are_compared():
    assert len(FILES) == 69
