"""Held joints and mounted robots: frames stay where they were, and Pinocchio's models are the same."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from test_urdf_oracle import ROBOTS, our_model
from urdf_text import LIMIT, chain, frame_poses, joint, link, robot

from pantin.errors import InvalidArgument, InvalidModel, ModelFileWarning, UnknownFrame, UnknownJoint
from pantin.kinematics.algorithms import center_of_mass
from pantin.kinematics.configurations import neutral, random_configuration
from pantin.kinematics.editing import append_model, build_reduced_model
from pantin.kinematics.joints import (
    JointModelFreeFlyer,
    JointModelHX,
    JointModelMimic,
    JointModelPlanar,
    JointModelRX,
    JointModelSpherical,
)
from pantin.kinematics.model import FrameType, Model
from pantin.kinematics.se3 import SE3
from pantin.kinematics.urdf import build_model_from_xml

#: Roundings of a product of some thirty poses, lengths of a metre; twice, as poses are taken apart again.
TOLERANCE = 1e-11

FILES = {
    "panda": "panda_description/urdf/panda.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
    "tiago": "tiago_description/robots/tiago.urdf",
    "baxter": "baxter_description/urdf/baxter.urdf",
}

needs_robots = pytest.mark.skipif(not ROBOTS.is_dir(), reason="example-robot-data is not installed")


def moving_parts(model, locked, q):
    """Configuration of the reduced model that goes with one of the whole."""
    kept = [j for j in model.joints[1:] if j.id not in locked and j.mimic is None]
    return np.concatenate([q[j.idx_q : j.idx_q + j.nq] for j in kept] or [np.zeros(0)])


def every_kind():
    """One joint of each kind in a row, with a side branch."""
    model = Model()
    model.name = "kinds"
    rng = np.random.default_rng(3)
    kinds = [JointModelRX(), JointModelSpherical(), JointModelPlanar(), JointModelHX(0.1), JointModelFreeFlyer()]
    parent = 0
    for i, kind in enumerate(kinds):
        placement = SE3(np.eye(3), rng.normal(size=3))
        parent = model.add_joint(parent, kind, placement, f"j{i}")
        model.add_joint_frame(parent, model.nframes - 1)
    side = model.add_joint(2, JointModelRX(), SE3.Identity(), "side")
    model.add_body_frame("side link", side, SE3(np.eye(3), np.ones(3)))
    follower = JointModelMimic(JointModelHX(0.2), "j0", -2.0, 0.5)
    model.add_frame(model.frames[1])
    last = model.add_joint(side, follower, SE3.Identity(), "follower")
    model.add_joint_frame(last)
    return model


# ------------------------------------------------------------------------------------------------------- held joints


@needs_robots
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
def test_a_reduced_model_equals_pinocchios(name, free):
    pin = pytest.importorskip("pinocchio")
    path = ROBOTS / FILES[name]
    model = our_model(path, free)
    whole = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if free else []))
    rng = np.random.default_rng(1)
    locked = sorted(rng.choice(np.arange(1, model.njoints), model.njoints // 3, replace=False).tolist())
    q = random_configuration(model, 2)
    ours, theirs = build_reduced_model(model, locked, q), pin.buildReducedModel(whole, locked, q)
    assert list(ours.names) == list(theirs.names)
    assert list(ours.parents) == list(theirs.parents)
    for one, other in zip(ours.joint_placements, theirs.jointPlacements, strict=True):
        np.testing.assert_allclose(one.homogeneous, other.homogeneous, atol=TOLERANCE)
    for one, other in zip(ours.inertias, theirs.inertias, strict=True):
        assert one.mass == pytest.approx(other.mass)
        np.testing.assert_allclose(one.lever, other.lever, atol=TOLERANCE)
        np.testing.assert_allclose(one.inertia, other.inertia, atol=TOLERANCE)
    for one, other in zip(ours.frames, theirs.frames, strict=True):
        assert (one.name, one.type.name, one.parent_joint) == (other.name, other.type.name, other.parentJoint)
        np.testing.assert_allclose(one.placement.homogeneous, other.placement.homogeneous, atol=TOLERANCE)
    assert np.array_equal(ours.lower_position_limit, theirs.lowerPositionLimit)
    assert np.array_equal(ours.upper_position_limit, theirs.upperPositionLimit)
    assert np.array_equal(ours.velocity_limit, theirs.velocityLimit)
    assert np.array_equal(ours.effort_limit, theirs.effortLimit)
    assert np.array_equal(ours.damping, theirs.damping)


@pytest.mark.parametrize("locked", [[], [1], [2], [3, 4], [5], ["side"], ["j0", "j1", "j2", "j3", "j4", "side"]])
def test_frames_stay_where_the_held_configuration_puts_them(locked):
    model = every_kind()
    rng = np.random.default_rng(5)
    q = random_configuration(model, rng)
    reduced = build_reduced_model(model, locked, q)
    held = {model.get_joint_id(one) if isinstance(one, str) else one for one in locked}
    for _ in range(5):
        moved = random_configuration(model, rng)
        for number in held:
            one = model.joints[number]
            moved[one.idx_q : one.idx_q + one.nq] = q[one.idx_q : one.idx_q + one.nq]
        whole = [pose for _, pose in sorted(frame_poses(model, moved).items())]
        ours = {name: pose for (name, _), pose in frame_poses(reduced, moving_parts(model, held, moved)).items()}
        assert len(whole) == len(ours)
        for (name, _), pose in frame_poses(model, moved).items():
            np.testing.assert_allclose(ours[name], pose, atol=TOLERANCE, err_msg=name)


def test_frames_of_held_joints_become_fixed_and_all_frames_keep_their_order():
    model = every_kind()
    reduced = build_reduced_model(model, ["j1"], neutral(model))
    assert [frame.name for frame in reduced.frames] == [frame.name for frame in model.frames]
    assert [frame.parent_frame for frame in reduced.frames] == [frame.parent_frame for frame in model.frames]
    changed = [one.name for one, other in zip(reduced.frames, model.frames, strict=True) if one.type != other.type]
    assert changed == ["j1"]
    assert reduced.frames[reduced.get_frame_id("j1")].type == FrameType.FIXED_JOINT


def test_mass_centre_of_mass_and_constants_are_kept():
    text = robot(
        link("a", 1.0), link("b", 2.0), link("c", 3.0),
        joint("j", "revolute", "a", "b", LIMIT + '<dynamics damping="1" friction="2"/>'),
        joint("k", "revolute", "b", "c", LIMIT + '<dynamics damping="3" friction="4"/>'),
    )  # fmt: skip
    model = build_model_from_xml(text)
    model.armature, model.gravity, model.name = [5.0, 6.0], [1.0, 2.0, 3.0], "arm"
    reduced = build_reduced_model(model, "k", [0.0, 0.7])
    assert (reduced.name, reduced.damping, reduced.friction, reduced.armature) == ("arm", [1.0], [2.0], [5.0])
    assert np.array_equal(reduced.gravity, [1.0, 2.0, 3.0])
    whole = center_of_mass(model, model.create_data(), np.array([0.3, 0.7]))
    np.testing.assert_allclose(center_of_mass(reduced, reduced.create_data(), np.array([0.3])), whole, atol=TOLERANCE)
    assert sum(inertia.mass for inertia in reduced.inertias) == pytest.approx(6.0)


def test_the_whole_model_is_left_alone():
    model = every_kind()
    version, poses = model.version, frame_poses(model, neutral(model))
    reduced = build_reduced_model(model, [1, 3], neutral(model))
    reduced.upper_position_limit[:] = 0.0
    reduced.gravity = [0, 0, 0]
    assert model.version == version
    assert (model.upper_position_limit > 0).all()
    assert model.gravity[2] == -9.81
    assert all(np.array_equal(pose, poses[key]) for key, pose in frame_poses(model, neutral(model)).items())


def test_mimic_joints_are_held_with_their_master():
    model = every_kind()
    reduced = build_reduced_model(model, "j0", neutral(model))
    assert not reduced.exist_joint_name("follower")
    assert all(one.mimic is None for one in reduced.joints)


def test_a_mimic_joint_can_be_held_by_itself():
    model = every_kind()
    reduced = build_reduced_model(model, ["follower"], neutral(model))
    assert reduced.nq == model.nq
    assert not reduced.exist_joint_name("follower")


def test_mimics_follow_their_master_under_its_new_number_without_changing_its_limits():
    text = robot(
        *map(link, "abcd"),
        joint("j", "continuous", "a", "b"),
        joint("k", "revolute", "b", "c", LIMIT + '<mimic joint="z" multiplier="2" offset="0.5"/>'),
        joint("z", "revolute", "c", "d", '<limit lower="-inf" upper="inf"/>'),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        model = build_model_from_xml(text, mimic=True)
    reduced = build_reduced_model(model, "j", neutral(model))
    assert reduced.joints[1].mimic == (2, 2.0, 0.5)
    assert np.array_equal(reduced.lower_position_limit, model.lower_position_limit[2:])
    assert np.array_equal(reduced.upper_position_limit, model.upper_position_limit[2:])


def test_a_model_can_be_held_altogether():
    model = every_kind()
    reduced = build_reduced_model(model, range(1, model.njoints), neutral(model))
    assert (reduced.njoints, reduced.nq, reduced.nframes) == (1, 0, model.nframes)


@pytest.mark.parametrize(
    ("locked", "error", "complaint"),
    [
        (["j9"], UnknownJoint, "no joint 'j9'; did you mean"),
        ([99], UnknownJoint, "99"),
        ([-1], UnknownJoint, "-1"),
        ([0], InvalidArgument, "joint 0 is the universe"),
        ("universe", InvalidArgument, "joint 0 is the universe"),
    ],
)
def test_joints_that_are_not_there_cannot_be_held(locked, error, complaint):
    model = every_kind()
    with pytest.raises(error, match=complaint):
        build_reduced_model(model, locked, neutral(model))


@pytest.mark.parametrize("q", [[], [0.0], [np.nan] * 20, None])
def test_a_wrong_configuration_is_refused(q):
    with pytest.raises(InvalidArgument, match="q: "):
        build_reduced_model(every_kind(), [1], q)


def test_joints_may_be_numbers_of_numpy_names_or_several_of_both():
    model = every_kind()
    for locked in (2, np.int64(2), "j1", ["j1"], np.array([2]), {2, "j1"}, (name for name in ["j1"])):
        assert list(build_reduced_model(model, locked, neutral(model)).names) == [
            name for name in model.names if name != "j1"
        ]
    with pytest.raises(UnknownJoint):
        build_reduced_model(model, 2.5, neutral(model))


def test_thousands_of_joints_can_be_held_without_recursion():
    model = build_model_from_xml(chain(3000))
    assert build_reduced_model(model, range(1, 3001, 2), neutral(model)).njoints == 1501


# --------------------------------------------------------------------------------------------------- mounted robots


@needs_robots
@pytest.mark.parametrize("free", [False, True], ids=["fixed", "free"])
def test_an_appended_model_equals_pinocchios(free):
    pin = pytest.importorskip("pinocchio")
    base, arm = (ROBOTS / FILES[name] for name in ("tiago", "panda"))
    model, other = our_model(base, True), our_model(arm, False)
    placement = SE3(random_rotation(4), np.array([0.1, 0.2, 0.3]))
    theirs_base = pin.buildModelFromUrdf(str(base), pin.JointModelFreeFlyer())
    theirs_arm = pin.buildModelFromUrdf(str(arm))
    number = theirs_base.getFrameId("arm_tool_link")
    theirs = pin.appendModel(theirs_base, theirs_arm, number, pin.SE3(placement.homogeneous))
    ours = append_model(model, other, "arm_tool_link", placement)
    assert list(ours.names) == list(theirs.names)
    assert list(ours.parents) == list(theirs.parents)
    for one, other_inertia in zip(ours.inertias, theirs.inertias, strict=True):
        assert one.mass == pytest.approx(other_inertia.mass)
        np.testing.assert_allclose(one.inertia, other_inertia.inertia, atol=TOLERANCE)
    assert ours.nframes == len(theirs.frames)
    for frame in theirs.frames:
        one = ours.frames[ours.get_frame_id(frame.name)]
        assert (one.name, one.type.name, one.parent_joint) == (frame.name, frame.type.name, frame.parentJoint)
        assert ours.frames[one.parent_frame].name == theirs.frames[frame.parentFrame].name
        np.testing.assert_allclose(one.placement.homogeneous, frame.placement.homogeneous, atol=TOLERANCE)
    assert np.array_equal(ours.upper_position_limit, theirs.upperPositionLimit)
    assert np.array_equal(ours.velocity_limit, theirs.velocityLimit)


@pytest.mark.parametrize("frame", ["j2", "side link", 0, "universe"])
def test_a_mounted_robot_moves_with_the_frame_that_carries_it(frame):
    model, other = every_kind(), every_kind()
    placement = SE3(random_rotation(6), np.array([1.0, 2.0, 3.0]))
    both = append_model(model, other, frame, placement, prefix="arm/")
    assert (both.nq, both.nv) == (model.nq + other.nq, model.nv + other.nv)
    rng = np.random.default_rng(8)
    for _ in range(3):
        one, two = random_configuration(model, rng), random_configuration(other, rng)
        q = put_together(both, model, one, other, two)
        poses = {name: pose for (name, _), pose in frame_poses(both, q).items()}
        carrier = poses["universe" if frame == 0 else frame]
        for (name, _), pose in frame_poses(model, one).items():
            np.testing.assert_allclose(poses[name], pose, atol=TOLERANCE)
        for (name, _), pose in frame_poses(other, two).items():
            if name != "universe":
                expected = carrier @ placement.homogeneous @ pose
                np.testing.assert_allclose(poses["arm/" + name], expected, atol=TOLERANCE)


def test_both_models_are_left_alone_and_mimics_follow_their_own_masters():
    model, other = every_kind(), every_kind()
    versions = model.version, other.version
    both = append_model(model, other, "j4", prefix="b_")
    assert (model.version, other.version) == versions
    follower = both.joints[both.get_joint_id("b_follower")]
    assert follower.mimic == (both.get_joint_id("b_j0"), -2.0, 0.5)
    assert both.joints[both.get_joint_id("follower")].mimic.master == both.get_joint_id("j0")
    both.gravity = [0, 0, 0]
    assert model.gravity[2] == -9.81


def test_joints_of_the_mounted_robot_come_after_those_that_hang_where_it_is_mounted():
    model = build_model_from_xml(
        robot(
            *map(link, "abcd"),
            joint("left", "continuous", "a", "b"),
            joint("left2", "continuous", "b", "c"),
            joint("right", "continuous", "a", "d"),
        )
    )
    other = build_model_from_xml(robot(link("e"), link("f"), joint("k", "continuous", "e", "f")))
    both = append_model(model, other, "b")
    assert list(both.names) == ["universe", "left", "left2", "k", "right"]
    assert [f.name for f in both.frames] == [f.name for f in model.frames] + [f.name for f in other.frames[1:]]


def test_a_robot_with_a_free_root_keeps_it_when_it_is_mounted():
    base = build_model_from_xml(robot(link("a"), link("b"), joint("j", "continuous", "a", "b")))
    other = build_model_from_xml(robot(link("c", 2.0)), JointModelFreeFlyer())
    both = append_model(base, other, "b")
    assert list(both.names) == ["universe", "j", "root_joint"]
    assert both.frames[both.get_frame_id("root_joint")].parent_frame == both.get_frame_id("b")


def test_names_that_both_models_have_are_an_error_that_lists_them():
    one = build_model_from_xml(robot(link("a"), link("b"), joint("j", "continuous", "a", "b")))
    two = build_model_from_xml(robot(link("a"), link("c"), joint("k", "continuous", "a", "c")))
    with pytest.raises(InvalidModel, match="both models have 'a'; give a prefix"):
        append_model(one, two, "b")
    with pytest.raises(InvalidModel, match="both models have 'a', 'b', 'j'; give a prefix"):
        append_model(one, one, "b")
    assert append_model(one, two, "b", prefix="x").nframes == one.nframes + two.nframes - 1


def test_a_placement_may_be_a_matrix():
    model = every_kind()
    matrix = np.eye(4)
    matrix[:3, 3] = 1, 2, 3
    both = append_model(model, build_model_from_xml(robot(link("a"))), 0, matrix)
    assert np.array_equal(both.frames[-1].placement.translation, [1, 2, 3])
    with pytest.raises(InvalidArgument, match="placement"):
        append_model(model, build_model_from_xml(robot(link("a"))), 0, np.eye(5))


def test_a_frame_that_is_not_there_carries_nothing():
    model = every_kind()
    with pytest.raises(UnknownFrame, match="no frame 'j7'; did you mean"):
        append_model(model, model, "j7", prefix="x")
    with pytest.raises(UnknownFrame):
        append_model(model, model, model.nframes, prefix="x")


def put_together(both, model, one, other, two):
    """Configuration of a model with another mounted on it, out of theirs."""
    q = neutral(both)
    for part, values, prefix in ((model, one, ""), (other, two, "arm/")):
        for moved in part.joints[1:]:
            place = both.joints[both.get_joint_id(prefix + part.names[moved.id])].idx_q
            q[place : place + moved.nq] = values[moved.idx_q : moved.idx_q + moved.nq]
    return q


def random_rotation(seed):
    """Rotation from a seeded orthonormalisation."""
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))
