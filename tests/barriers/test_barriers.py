"""Barriers: Pinker's numbers, derivatives on the manifold, and a barrier of a user's own."""

import copy
import doctest
import importlib
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import models
from models import random_tree
from oracle import to_pinker
from pantin import barriers
from pantin.barriers import Barrier, BodySphericalBarrier, PositionBarrier
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.exceptions import NegativeMinimumDistance, NoPositionLimitProvided
from pantin.kinematics import (
    SE3,
    Frame,
    FrameType,
    JointModelPX,
    JointModelPY,
    JointModelPZ,
    Model,
    integrate,
    neutral,
    random_configuration,
)


def placed(model, q):
    return Configuration(model, model.create_data(), q)


def tree(seed, helical=True):
    """A floating tree of any joints, and two of its tools."""
    random = np.random.default_rng(seed)
    kinds = [kind for kind in models.KINDS if helical or not kind.startswith("H")]
    model = random_tree(["free", *random.choice(kinds, 5)], seed)
    first, second = random.choice([frame.name for frame in model.frames if frame.name.startswith("tool")], 2, False)
    return model, str(first), str(second), random


def of(package, first, second):
    """The same barriers of both packages."""
    return [
        package.PositionBarrier(first, p_min=np.array([-1.0, -2.0, -3.0])),
        package.PositionBarrier(first, [2, 0], p_max=np.array([0.5, 0.1]), gain=np.array([3.0, 4.0])),
        package.PositionBarrier(
            first,
            indices=[1, 2],
            p_min=np.array([-0.1, -0.2]),
            p_max=np.array([0.1, 0.3]),
            gain=np.array([2.0, 7.0]),
            safe_displacement_gain=0.5,
        ),
        package.BodySphericalBarrier((first, second), 0.3),
        package.BodySphericalBarrier((second, first), d_min=0.0, gain=np.array([5.0]), safe_displacement_gain=0.0),
    ]


@given(st.integers(0, 10**6))
def test_numbers_are_pinkers(seed):
    pinker = pytest.importorskip("pinker")
    model, first, second, random = tree(seed, helical=False)
    theirs, q = to_pinker(model), random_configuration(model, random)
    here, there = placed(model, q), pinker.Configuration(theirs, theirs.create_data(), q)
    for one, other in zip(of(barriers, first, second), of(pinker.barriers, first, second), strict=True):
        pairs = [
            (one.compute_barrier(here), other.compute_barrier(there)),
            (one.compute_jacobian(here), np.atleast_2d(other.compute_jacobian(there))),
            *zip(one.compute_qp_objective(here), other.compute_qp_objective(there), strict=True),
            *zip(one.compute_qp_inequalities(here, 0.02), other.compute_qp_inequalities(there, 0.02), strict=True),
            (one.gain, other.gain),
            (one.safe_displacement, other.safe_displacement),
        ]
        for mine, its in pairs:
            np.testing.assert_allclose(mine, its.reshape(mine.shape), rtol=1e-9, atol=1e-9)
        assert (one.dim, one.safe_displacement_gain) == (other.dim, other.safe_displacement_gain)


@given(st.integers(0, 10**6))
def test_jacobians_are_derivatives_on_the_manifold(seed):
    """Central differences with a step of 1e-5, of third order; lengths are of order one to ten."""
    model, first, second, random = tree(seed)
    q, v = random_configuration(model, random), random.normal(size=model.nv)
    for barrier in of(barriers, first, second):
        ahead, back = (barrier.compute_barrier(placed(model, integrate(model, q, step * v))) for step in (1e-5, -1e-5))
        np.testing.assert_allclose(
            barrier.compute_jacobian(placed(model, q)) @ v, (ahead - back) / 2e-5, rtol=1e-6, atol=1e-5
        )


def gantry():
    """A point that three slides carry: its position is its configuration."""
    model = Model()
    for joint in (JointModelPX(), JointModelPY(), JointModelPZ()):
        model.add_joint(model.njoints - 1, joint, SE3.Identity(), f"slide_{model.njoints}")
    model.add_frame(Frame("point", 3, 0, SE3.Identity(), FrameType.OP_FRAME))
    model.add_frame(Frame("post", 0, 0, SE3.Identity(), FrameType.OP_FRAME))
    return model


@given(st.integers(0, 10**6), st.floats(0.1, 100.0))
def test_a_point_in_a_box_stays_there(seed, gain):
    """Linear barriers are exact as long as gain * dt is at most one."""
    model, random, dt = gantry(), np.random.default_rng(seed), 0.01
    barrier = PositionBarrier("point", p_min=-1.0, p_max=[1.0, 2.0, 3.0], gain=gain)
    q = np.zeros(3)
    for _ in range(20):
        G, h = barrier.compute_qp_inequalities(placed(model, q), dt)
        dq = random.normal(size=3)
        ahead = G @ dq
        q = q + dq * min([5.0, *(h[ahead > 0] / ahead[ahead > 0])])
        assert barrier.compute_barrier(placed(model, q)).min() >= -1e-12


def test_a_point_that_is_driven_at_a_post_keeps_its_distance():
    """The convex side of a curved barrier: the distance never falls short by more than a step's second order."""
    model, dt = gantry(), 0.01
    barrier = BodySphericalBarrier(("point", "post"), 0.5, gain=10.0)
    q = np.array([1.0, 0.1, 0.0])
    for _ in range(500):
        G, h = barrier.compute_qp_inequalities(placed(model, q), dt)
        dq = np.array([-0.01, 0.0, 0.0])
        excess = max((G @ dq - h)[0], 0.0)
        q = q + dq - excess * G[0] / (G[0] @ G[0])
        assert np.linalg.norm(q) >= 0.5 - 1e-4
    assert q[0] < -1.0  # it slid around


def test_from_outside_a_frame_comes_back():
    model, q = gantry(), np.array([2.0, 0.0, 0.0])
    G, h = PositionBarrier("point", [0], p_max=1.0, gain=3.0).compute_qp_inequalities(placed(model, q), 0.1)
    np.testing.assert_allclose(G @ [1.0, 0.0, 0.0], [10.0])
    np.testing.assert_allclose(h, [-3.0])


def test_nothing_is_kept_from_one_call_to_the_next():
    """Pinker keeps values of configurations that are alike in seven digits."""
    model, near = gantry(), np.array([1.0 - 1e-9, 0.0, 0.0])
    barrier = PositionBarrier("point", [0], p_max=1.0, safe_displacement_gain=1.0)
    barrier.compute_qp_objective(placed(model, np.array([1.0, 0.0, 0.0])))
    _, h = barrier.compute_qp_inequalities(placed(model, near))
    assert h[0] == pytest.approx(1e-9, rel=1e-6)
    model.frames[model.get_frame_id("point")].placement = SE3(np.eye(3), np.array([0.5, 0.0, 0.0]))
    barrier.p_max[0], barrier.gain[0] = 2.0, 4.0
    _, h = barrier.compute_qp_inequalities(placed(model, near))
    assert h[0] == pytest.approx(4.0 * 0.5)


def test_what_does_not_move_pulls_nowhere():
    model = gantry()
    model.add_frame(Frame("wall", 0, 0, SE3.Identity(), FrameType.OP_FRAME))
    barrier = BodySphericalBarrier(("post", "wall"), 0.1)
    here = placed(model, neutral(model))
    for part in (*barrier.compute_qp_objective(here), barrier.compute_jacobian(here)):
        np.testing.assert_array_equal(part, np.zeros_like(part))
    np.testing.assert_allclose(barrier.compute_qp_inequalities(here)[1], [-0.01 / 1.01])


class Low(Barrier):
    """A barrier of a user's own: the first number of a configuration stays below 1."""

    def __init__(self, **arguments):
        super().__init__(1, **arguments)
        self.rows = np.array([-1.0, 0.0, 0.0])

    def compute_barrier(self, configuration):
        return [1.0 - configuration.q[0]]

    def compute_jacobian(self, configuration):
        return self.rows

    def compute_safe_displacement(self, configuration):
        return np.array([-0.1, 0.0, 0.0])


def cubed(x):
    return x**3


def test_a_barrier_of_ones_own_needs_a_value_and_a_jacobian():
    here = placed(gantry(), np.array([0.5, 0.0, 0.0]))
    barrier = Low(gain=2, gain_function=cubed, safe_displacement_gain=4.0)
    G, h = barrier.compute_qp_inequalities(here, 0.1)
    np.testing.assert_allclose(G, [[10.0, 0.0, 0.0]])
    np.testing.assert_allclose(h, [0.25])
    H, c = barrier.compute_qp_objective(here)
    np.testing.assert_allclose(H, 4.0 * np.eye(3))
    np.testing.assert_allclose(c, [0.4, 0.0, 0.0])
    np.testing.assert_array_equal(barrier.safe_displacement, [-0.1, 0.0, 0.0])
    for call in (Barrier(1).compute_barrier, Barrier(1).compute_jacobian):
        with pytest.raises(NotImplementedError, match="Barrier does not define compute_"):
            call(here)


@pytest.mark.parametrize("rows", [np.zeros((2, 3)), np.zeros(4), np.full(3, np.nan), "none"])
def test_rows_of_ones_own_that_are_none_are_refused(rows):
    barrier = Low()
    barrier.rows = rows
    with pytest.raises(InvalidArgument, match=r"compute_jacobian\(\)"):
        barrier.compute_qp_inequalities(placed(gantry(), np.zeros(3)))


def test_a_gain_function_that_gives_nonsense_is_refused():
    barrier = Low(gain_function=lambda x: np.nan)
    with pytest.raises(InvalidArgument, match=r"gain_function\(\)"):
        barrier.compute_qp_inequalities(placed(gantry(), np.zeros(3)))


@pytest.mark.parametrize("duplicate", [lambda barrier: pickle.loads(pickle.dumps(barrier)), copy.deepcopy])
def test_copies_give_the_same_rows(duplicate):
    model, first, second, random = tree(3)
    here = placed(model, random_configuration(model, random))
    for barrier in [*of(barriers, first, second), PositionBarrier(first, p_max=0.0)]:
        other = duplicate(barrier)
        assert repr(other) == repr(barrier)
        np.testing.assert_array_equal(other.compute_qp_inequalities(here)[1], barrier.compute_qp_inequalities(here)[1])


def test_unknown_frames_are_named():
    here = placed(gantry(), np.zeros(3))
    for barrier in (PositionBarrier("pont", p_max=1.0), BodySphericalBarrier(("pont", "post"), 0.1)):
        for call in (barrier.compute_barrier, barrier.compute_jacobian):
            with pytest.raises(UnknownFrame, match="did you mean 'point'"):
                call(here)


@pytest.mark.parametrize("dt", [0.0, -1.0, np.nan, "now"])
def test_time_steps_that_are_none_are_refused(dt):
    with pytest.raises(InvalidArgument, match="dt"):
        PositionBarrier("point", p_max=1.0).compute_qp_inequalities(placed(gantry(), np.zeros(3)), dt)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"p_min": [0.0, 0.0]}, "p_min: expected 3 numbers"),
        ({"p_min": 1.0, "p_max": 0.0}, "p_min: .* is above p_max"),
        ({"p_max": [0.0, 0.0, np.nan]}, "p_max: expected finite numbers"),
        ({"p_max": np.inf}, "p_max: expected finite numbers"),
        ({"p_max": 1.0, "indices": [0, 3]}, "indices"),
        ({"p_max": 1.0, "indices": [-1]}, "indices"),
        ({"p_max": 1.0, "indices": [1, 1]}, "indices"),
        ({"p_max": 1.0, "indices": []}, "indices"),
        ({"p_max": 1.0, "indices": 2}, "indices"),
        ({"p_max": 1.0, "gain": -1.0}, "gain"),
        ({"p_max": 1.0, "gain": [1.0, 2.0]}, "gain"),
        ({"p_max": 1.0, "gain": np.nan}, "gain"),
        ({"p_max": 1.0, "safe_displacement_gain": -1.0}, "safe_displacement_gain"),
        ({"p_max": 1.0, "frame": 3}, "frame: expected the name of a frame"),
    ],
)
def test_boxes_that_are_none_are_refused(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        PositionBarrier(**{"frame": "point", **arguments})


def test_a_box_without_sides_and_a_negative_distance_have_errors_of_their_own():
    with pytest.raises(NoPositionLimitProvided, match="'point' needs p_min or p_max"):
        PositionBarrier("point")
    with pytest.raises(NegativeMinimumDistance, match=r"d_min: .* got -0.1"):
        BodySphericalBarrier(("point", "post"), -0.1)
    for frames in ("point", ("point",), ("point", "point"), ("point", 3), None):
        with pytest.raises(InvalidArgument, match="frames: expected the names of two different frames"):
            BodySphericalBarrier(frames, 0.1)
    for dim in (0, -1, 1.5, None):
        with pytest.raises(InvalidArgument, match="dim"):
            Barrier(dim)
    with pytest.raises(InvalidArgument, match="gain_function: expected a function, got a float"):
        Barrier(1, gain_function=2.0)
    with pytest.raises(InvalidArgument, match="d_min"):
        BodySphericalBarrier(("point", "post"), np.nan)


@pytest.mark.parametrize("name", barriers.__all__)
def test_examples_of_barriers_run(name):
    if name in ("ObstacleBarrier", "SelfCollisionBarrier"):
        pytest.importorskip("coal", reason="the package coal measures distances")
    failures, tried = doctest.testmod(importlib.import_module(getattr(barriers, name).__module__))
    assert failures == 0
    assert tried > 0
