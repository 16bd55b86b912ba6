"""Joint models say what they are, how many numbers they take, and refuse what is none."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from models import KINDS, SINGLE, arm
from pantin.errors import InvalidArgument
from pantin.kinematics import (
    JointModel,
    JointModelFreeFlyer,
    JointModelHelicalUnaligned,
    JointModelHX,
    JointModelMimic,
    JointModelPlanar,
    JointModelPrismaticUnaligned,
    JointModelRevoluteUnaligned,
    JointModelRUBX,
    JointModelRX,
    JointModelSpherical,
    Mimic,
    joint_has_configuration_limit,
    joint_neutral,
    joints,
)

#: Kind, numbers in a configuration, in a velocity, short name.
SIZES = {
    "RX": (1, 1, "JointModelRX"),
    "RY": (1, 1, "JointModelRY"),
    "RZ": (1, 1, "JointModelRZ"),
    "R": (1, 1, "JointModelRevoluteUnaligned"),
    "R-": (1, 1, "JointModelRevoluteUnaligned"),
    "PX": (1, 1, "JointModelPX"),
    "PY": (1, 1, "JointModelPY"),
    "PZ": (1, 1, "JointModelPZ"),
    "P": (1, 1, "JointModelPrismaticUnaligned"),
    "RUBX": (2, 1, "JointModelRUBX"),
    "RUBY": (2, 1, "JointModelRUBY"),
    "RUBZ": (2, 1, "JointModelRUBZ"),
    "RUB": (2, 1, "JointModelRevoluteUnboundedUnaligned"),
    "HX": (1, 1, "JointModelHX"),
    "HY": (1, 1, "JointModelHY"),
    "HZ": (1, 1, "JointModelHZ"),
    "H": (1, 1, "JointModelHelicalUnaligned"),
    "ball": (4, 3, "JointModelSpherical"),
    "planar": (4, 3, "JointModelPlanar"),
    "free": (7, 6, "JointModelFreeFlyer"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_sizes_and_names_are_pinocchios(kind):
    joint = KINDS[kind]()
    assert (joint.nq, joint.nv, joint.shortname()) == SIZES[kind]
    assert (joints.JOINT_NQ[joint.jtype], joints.JOINT_NV[joint.jtype]) == SIZES[kind][:2]
    assert (joint.id, joint.idx_q, joint.idx_v) == (-1, -1, -1)
    assert joint.shortname() in repr(joint)


@pytest.mark.parametrize("kind", KINDS)
def test_neutral_configurations_and_limits_have_the_size_of_the_joint(kind):
    jtype = KINDS[kind]().jtype
    neutral, bounded = joint_neutral(jtype), joint_has_configuration_limit(jtype)
    assert len(neutral) == len(bounded) == SIZES[kind][0]
    unit = neutral[~np.array(bounded)]
    if unit.size:
        assert np.linalg.norm(unit) == 1.0
    neutral[:] = 7.0
    bounded[:] = [None] * len(bounded)
    assert (joint_neutral(jtype) != 7.0).all()
    assert None not in joint_has_configuration_limit(jtype)


@pytest.mark.parametrize("jtype", [8, -1, True, 1.0, "RX", None, [], np.nan])
def test_unknown_kinds_are_refused(jtype):
    for call in (JointModel, joint_neutral, joint_has_configuration_limit):
        with pytest.raises(InvalidArgument, match=r"jtype: expected a JT_ constant in 0\.\.7"):
            call(jtype)
    assert type(JointModel(np.int64(1)).jtype) is int


@pytest.mark.parametrize("make", [JointModelRevoluteUnaligned, JointModelPrismaticUnaligned])
def test_axes_are_scaled_and_default_to_x(make):
    np.testing.assert_array_equal(make().axis, [1, 0, 0])
    np.testing.assert_array_equal(make(0, 0, 1e-300).axis, [0, 0, 1])
    np.testing.assert_allclose(make(1e140, 1e140, 0).axis, [np.sqrt(0.5), np.sqrt(0.5), 0], rtol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(make(0.1, -0.2, 0.3).axis), 1.0, rtol=1e-15)


def test_scaling_twice_changes_nothing():
    random = np.random.default_rng(0)
    for axis in random.normal(size=(1000, 3)):
        joint = JointModelRevoluteUnaligned(*axis)
        np.testing.assert_array_equal(joint.copy().axis, joint.axis)


def test_an_axis_along_a_coordinate_is_an_aligned_joint():
    for axis, letter in ((0, "X"), (1, "Y"), (2, "Z")):
        assert JointModelRevoluteUnaligned(*(3.7 * np.eye(3)[axis])).shortname() == f"JointModelR{letter}"
    assert JointModelRevoluteUnaligned(0, 0, -1).shortname() == "JointModelRevoluteUnaligned"


def test_axes_are_copied_and_read_only():
    axis = np.array([0.0, 0.0, 1.0])
    joint = JointModel(joints.JT_REVOLUTE, axis)
    axis[:] = [1, 0, 0]
    np.testing.assert_array_equal(joint.axis, [0, 0, 1])
    with pytest.raises(ValueError, match="read-only"):
        joint.axis[0] = 1.0


@pytest.mark.parametrize("axis", [[0, 0, 0], [1, 0], [np.nan, 0, 0], [np.inf, 0, 0], "x", np.eye(3), [1j, 0, 0]])
def test_axes_without_a_direction_are_refused(axis):
    with pytest.raises(InvalidArgument, match="axis"):
        JointModel(joints.JT_REVOLUTE, axis)


def test_only_helical_joints_have_a_lead():
    assert JointModelHX(0.25).lead == 0.25
    assert JointModelHelicalUnaligned(0, 1, 1, -0.5).lead == -0.5
    assert JointModelRX().lead == 0.0
    with pytest.raises(InvalidArgument, match="lead"):
        JointModel(joints.JT_REVOLUTE, lead=0.1)
    for lead in (np.nan, np.inf, "a", None, [1, 2]):
        with pytest.raises(InvalidArgument, match="lead"):
            JointModelHX(lead)


@pytest.mark.parametrize("kind", SINGLE)
def test_mimic_joints_take_no_numbers(kind):
    joint = JointModelMimic(KINDS[kind](), "master", -2, 0.5)
    assert (joint.nq, joint.nv) == (0, 0)
    assert joint.mimic == Mimic("master", -2.0, 0.5)
    assert joint.shortname() == "JointModelMimic"
    assert "'master'" in repr(joint)
    np.testing.assert_array_equal(joint.axis, KINDS[kind]().axis)
    assert joint.lead == KINDS[kind]().lead


def test_a_continuous_follower_is_an_angle():
    assert JointModelMimic(JointModelRUBX(), 1).jtype == joints.JT_REVOLUTE
    assert JointModel(joints.JT_REVOLUTE_UNBOUNDED, mimic=Mimic(1)).jtype == joints.JT_REVOLUTE


@pytest.mark.parametrize("make", [JointModelSpherical, JointModelPlanar, JointModelFreeFlyer])
def test_only_joints_of_one_number_follow(make):
    with pytest.raises(InvalidArgument, match="moves by one number"):
        JointModelMimic(make(), "master")
    with pytest.raises(InvalidArgument, match="moves by one number"):
        JointModel(make().jtype, mimic=Mimic(1))


def test_mimic_arguments_are_checked_by_name():
    for arguments, name in (
        ((5, "m"), "joint_model"),
        ((JointModelRX(), "m", np.nan), "multiplier"),
        ((JointModelRX(), "m", 1.0, np.inf), "offset"),
        ((JointModelRX(), "m", "2"), "multiplier"),
    ):
        with pytest.raises(InvalidArgument, match=name):
            JointModelMimic(*arguments)
    with pytest.raises(InvalidArgument, match="mimic"):
        JointModel(joints.JT_REVOLUTE, mimic=("m", 1.0, 0.0))


@pytest.mark.parametrize(
    "duplicate", [JointModel.copy, copy.copy, copy.deepcopy, lambda joint: pickle.loads(pickle.dumps(joint))]
)
def test_copies_are_the_same_joint(duplicate):
    for joint in (
        JointModelHelicalUnaligned(1, 2, 3, 0.5),
        JointModelMimic(JointModelRX(), "a", 2.0),
        JointModelPlanar(),
    ):
        other = duplicate(joint)
        assert other is not joint
        assert (other.jtype, other.lead, other.mimic) == (joint.jtype, joint.lead, joint.mimic)
        np.testing.assert_array_equal(other.axis, joint.axis)


def test_joints_of_a_model_are_read_only():
    # the core has compiled them: a change would be lost
    model = arm()
    joint = model.joints[2]
    for name, value in (("axis", np.array([1.0, 0, 0])), ("jtype", 2), ("idx_q", 5), ("mimic", Mimic(1))):
        with pytest.raises(TypeError, match="belongs to a model"):
            setattr(joint, name, value)
    for other in (copy.deepcopy(joint), pickle.loads(pickle.dumps(joint))):
        assert (other.id, other.idx_q, other.idx_v) == (joint.id, joint.idx_q, joint.idx_v)
    own = joint.copy()
    own.idx_q = 5
    assert own.id == -1
