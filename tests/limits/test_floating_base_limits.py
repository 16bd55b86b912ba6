"""Limits of a floating base: its velocity, its place in a box and its tilt."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limit_cases import pairs, placed

from models import random_tree
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.kinematics import (
    SE3,
    Frame,
    FrameType,
    JointModelFreeFlyer,
    JointModelPlanar,
    JointModelRX,
    Model,
    integrate,
    log6,
    neutral,
    rpy_to_matrix,
)
from pantin.limits import FloatingBaseConfigurationLimit, FloatingBaseVelocityLimit

#: A frame of the base that neither coincides with its joint nor is turned like it.
CAMERA = SE3(rpy_to_matrix(0.3, -0.4, 0.5), np.array([0.2, -0.1, 0.4]))


def floating(base=JointModelFreeFlyer, name="float"):
    """A base with a camera on it and an arm."""
    model = Model()
    joint = model.add_joint(0, base(), SE3(rpy_to_matrix(0.1, 0.2, 0.3), np.array([0.1, 0.2, 0.3])), name)
    model.add_joint_frame(joint)
    model.add_frame(Frame("camera", joint, 0, CAMERA, FrameType.OP_FRAME))
    arm = model.add_joint(joint, JointModelRX(), SE3.Identity(), "arm")
    model.add_frame(Frame("hand", arm, 0, SE3.Identity(), FrameType.OP_FRAME))
    return model


def somewhere(model, seed, size=1.0):
    random = np.random.default_rng(seed)
    return integrate(model, neutral(model), size * random.normal(size=model.nv)), random


def pose(model, q, frame="camera"):
    return placed(model, q).get_transform_frame_to_world(frame)


def tilt(model, q, frame="camera"):
    return np.arccos(np.clip(pose(model, q, frame).rotation[2, 2], -1.0, 1.0))


def shortened(rows, dq):
    """The longest part of a displacement that rows allow."""
    G, h = rows
    ahead = G @ dq
    return dq * min([1.0, *(h[ahead > 0] / ahead[ahead > 0])])


@given(st.integers(0, 10**6))
def test_allowed_velocities_keep_the_frame_below_its_bounds(seed):
    """The frame's twist over a step, from the logarithm of its motion: constant twists are exact."""
    model = floating()
    q, random = somewhere(model, seed)
    bounds = random.uniform(0.1, 2.0, 6)
    limit = FloatingBaseVelocityLimit(model, "camera", bounds[:3], bounds[3:])
    dt = 0.1
    dq = shortened(limit.compute_qp_inequalities(placed(model, q), dt), random.normal(size=model.nv))
    twist = log6(pose(model, q).inverse() * pose(model, integrate(model, q, dq))).vector / dt
    assert (np.abs(twist) <= bounds * (1 + 1e-9)).all()


def test_bounds_of_velocities_are_live():
    model = floating()
    limit = FloatingBaseVelocityLimit(model, None, 1.0, np.inf)
    limit.linear_max[0] = 2.0
    limit.angular_max[2] = 3.0
    _, h = limit.compute_qp_inequalities(placed(model, neutral(model)), 0.5)
    np.testing.assert_array_equal(h, [1.0, 0.5, 0.5, 1.5] * 2)
    limit.twist_max[1] = -1.0
    with pytest.raises(InvalidArgument, match="twist_max: expected no negative number"):
        limit.compute_qp_inequalities(placed(model, neutral(model)), 0.5)


@given(st.integers(0, 10**6), st.floats(0.05, 1.0))
def test_from_inside_allowed_steps_stay_inside_to_second_order(seed, gain):
    """Positions and tilts are curved functions of a displacement; a step of length s exceeds by at most s^2."""
    model = floating()
    q, random = somewhere(model, seed, 0.2)
    room, angle = random.uniform(0.0, 0.1, 6), random.uniform(0.0, 0.1)
    here = pose(model, q).translation
    lower, upper, most = here - room[:3], here + room[3:], tilt(model, q) + angle
    limit = FloatingBaseConfigurationLimit(
        model, "camera", lower=lower, upper=upper, max_tilt=most, config_limit_gain=gain
    )
    dq = shortened(limit.compute_qp_inequalities(placed(model, q), 0.01), 0.1 * random.normal(size=model.nv))
    after = integrate(model, q, dq)
    slack = dq @ dq + 1e-12
    assert (pose(model, after).translation >= lower - slack).all()
    assert (pose(model, after).translation <= upper + slack).all()
    assert tilt(model, after) <= most + slack / max(np.sin(tilt(model, q)), 0.05)


@given(st.integers(0, 10**6))
def test_rows_are_the_derivatives_of_position_and_tilt(seed):
    """Central differences on the manifold, of third order in their step of 1e-5."""
    model = floating()
    q, random = somewhere(model, seed)
    limit = FloatingBaseConfigurationLimit(model, "camera", lower=-100.0, upper=100.0, max_tilt=np.pi)
    G, _ = limit.compute_qp_inequalities(placed(model, q), 0.01)
    v = random.normal(size=model.nv)

    def seen(step):
        there = integrate(model, q, step * v)
        return np.append(pose(model, there).translation, tilt(model, there))

    change = (seen(1e-5) - seen(-1e-5)) / 2e-5
    np.testing.assert_allclose(G @ v, np.concatenate([change[:3], -change[:3], change[3:]]), atol=1e-6)


def test_a_base_that_is_driven_outwards_settles_at_its_limits():
    model = floating()
    limit = FloatingBaseConfigurationLimit(
        model, "camera", upper=[0.5, np.inf, 0.9], lower=[-np.inf, -0.2, 0.0], max_tilt=0.6
    )
    q = neutral(model)
    for _ in range(300):
        G, h = limit.compute_qp_inequalities(placed(model, q), 0.01)
        turn = pose(model, q, "float").rotation
        wish = np.concatenate([turn.T @ [0.02, -0.01, 0.01], turn.T @ [0.015, 0.01, 0.0], [0.0]])
        # what is allowed of the wish, by projecting it on each row that forbids it
        for _ in range(20):
            for row, most in zip(G, h, strict=True):
                wish = wish - max(row @ wish - most, 0.0) * row / (row @ row)
        q = integrate(model, q, wish)
    x, y, z = pose(model, q).translation
    assert x == pytest.approx(0.5, abs=1e-2)
    assert y == pytest.approx(-0.2, abs=1e-2)
    assert z == pytest.approx(0.9, abs=1e-2)
    assert tilt(model, q) == pytest.approx(0.6, abs=1e-2)


@pytest.mark.parametrize("turn", [0.0, np.pi])
def test_upright_and_upside_down_have_rows_that_are_finite(turn):
    model = Model()
    model.add_joint_frame(model.add_joint(0, JointModelFreeFlyer(), SE3.Identity(), "float"))
    limit = FloatingBaseConfigurationLimit(model, max_tilt=0.5)
    q = integrate(model, neutral(model), [0.0, 0.0, 0.0, turn, 0.0, 0.0])
    G, h = limit.compute_qp_inequalities(placed(model, q), 0.01)
    assert np.linalg.norm(G) == pytest.approx(1.0)
    assert h == pytest.approx(0.5 * (0.5 - turn))


def test_a_base_outside_comes_back_by_its_gain():
    model = floating()
    limit = FloatingBaseConfigurationLimit(model, upper=[-1.0, np.inf, np.inf], config_limit_gain=0.25)
    q = neutral(model)
    _, h = limit.compute_qp_inequalities(placed(model, q), 0.01)
    assert h == pytest.approx(0.25 * (-1.0 - pose(model, q, "float").translation[0]))
    assert h < 0.0


def test_planar_bases_and_root_joints_of_any_name_are_welcome():
    for model in (floating(JointModelPlanar, "slide"), floating(JointModelFreeFlyer, "root_joint")):
        assert FloatingBaseVelocityLimit(model, None, 1.0, 1.0).base_frame == model.names[1]
        limit = FloatingBaseConfigurationLimit(model, "camera", upper=1.0)
        assert limit.compute_qp_inequalities(placed(model, neutral(model)), 0.01)[0].shape == (3, model.nv)


def test_frames_that_move_are_followed():
    model = floating()
    limit = FloatingBaseVelocityLimit(model, "camera", 1.0, 1.0)
    model.frames[model.get_frame_id("camera")].placement = SE3.Identity()
    G, _ = limit.compute_qp_inequalities(placed(model, neutral(model)), 0.01)
    np.testing.assert_allclose(G[:6, :6], np.eye(6), atol=1e-12)
    model.frames[model.get_frame_id("camera")].parent_joint = 2
    with pytest.raises(InvalidArgument, match="'camera' is on joint 'arm', not on the floating base 'float'"):
        limit.compute_qp_inequalities(placed(model, neutral(model)), 0.01)


@pytest.mark.parametrize("duplicate", [lambda limit: pickle.loads(pickle.dumps(limit)), copy.copy, copy.deepcopy])
def test_copies_give_the_same_rows(duplicate):
    model = floating()
    q, _ = somewhere(model, 4)
    for limit in (
        FloatingBaseVelocityLimit(model, "camera", [1.0, 2.0, np.inf], 3.0),
        FloatingBaseConfigurationLimit(model, "camera", lower=-1.0, max_tilt=0.5, config_limit_gain=0.3),
    ):
        other = duplicate(limit)
        assert other._kind == "rows"
        assert repr(other) == repr(limit)
        for one, same in zip(*(x.compute_qp_inequalities(placed(model, q), 0.01) for x in (limit, other)), strict=True):
            np.testing.assert_array_equal(one, same)


def test_models_without_a_floating_base_are_refused():
    fixed = random_tree(["RX", "free"], 1, chain=True)
    for make in (
        lambda model: FloatingBaseVelocityLimit(model, None, 1.0, 1.0),
        lambda model: FloatingBaseConfigurationLimit(model, upper=1.0),
    ):
        with pytest.raises(InvalidArgument, match=r"model: it has no floating base: .*root_joint='free_flyer'"):
            make(fixed)
        with pytest.raises(TypeError, match="expected a Model"):
            make(None)


def test_frames_that_are_elsewhere_or_nowhere_are_refused():
    model = floating()
    for make in (
        lambda frame: FloatingBaseVelocityLimit(model, frame, 1.0, 1.0),
        lambda frame: FloatingBaseConfigurationLimit(model, frame, upper=1.0),
    ):
        with pytest.raises(UnknownFrame, match="did you mean 'camera'"):
            make("camra")
        with pytest.raises(InvalidArgument, match="base_frame: 'hand' is on joint 'arm'"):
            make("hand")
    bare = Model()
    bare.add_joint(0, JointModelFreeFlyer(), SE3.Identity(), "float")
    with pytest.raises(InvalidArgument, match="base_frame: joint 'float' carries no frame"):
        FloatingBaseVelocityLimit(bare, None, 1.0, 1.0)


@pytest.mark.parametrize("bad", [-0.1, np.nan, [1.0, 2.0], [1.0, -2.0, 3.0], "fast", None])
def test_speeds_that_are_none_are_refused(bad):
    model = floating()
    with pytest.raises(InvalidArgument, match="max_linear_velocity"):
        FloatingBaseVelocityLimit(model, None, bad, 1.0)
    with pytest.raises(InvalidArgument, match="max_angular_velocity"):
        FloatingBaseVelocityLimit(model, None, 1.0, bad)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({}, "limit: nothing is limited"),
        ({"upper": np.inf}, "limit: nothing is limited"),
        ({"lower": [0.0, 0.0, 2.0], "upper": 1.0}, "lower: .* is above upper"),
        ({"lower": [0.0, 0.0]}, "lower"),
        ({"upper": [0.0, np.nan, 0.0]}, "upper"),
        ({"max_tilt": 0.0}, "max_tilt"),
        ({"max_tilt": 4.0}, "max_tilt"),
        ({"max_tilt": np.nan}, "max_tilt"),
        ({"upper": 1.0, "config_limit_gain": 0.0}, "config_limit_gain"),
        ({"upper": 1.0, "config_limit_gain": 1.5}, "config_limit_gain"),
    ],
)
def test_boxes_and_tilts_that_are_none_are_refused(arguments, name):
    with pytest.raises(InvalidArgument, match=name):
        FloatingBaseConfigurationLimit(floating(), **arguments)


def test_configurations_of_other_models_are_refused():
    model, (other, _) = floating(), pairs("arm")
    for limit in (
        FloatingBaseVelocityLimit(model, None, 1.0, 1.0),
        FloatingBaseConfigurationLimit(model, upper=1.0),
    ):
        with pytest.raises(InvalidArgument, match="configuration: it belongs to"):
            limit.compute_qp_inequalities(placed(other, neutral(other)), 0.01)
