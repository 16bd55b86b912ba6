"""Acceleration limits: joints stop in time, and with discrete braking there is always a next step."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limit_cases import outside, pairs, placed

import models
from models import random_tree
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, JointModelRX, Model, difference, integrate, neutral, random_configuration
from pantin.limits import AccelerationLimit, ConfigurationLimit, VelocityLimit

#: Roundings of displacements of order one.
ROUNDING = 1e-12


def box(limits, configuration, dt):
    """Lower and upper bounds of a displacement that limits on single entries leave together."""
    nv = configuration.model.nv
    lower, upper = np.full(nv, -np.inf), np.full(nv, np.inf)
    for limit in limits:
        for row, most in zip(*(limit.compute_qp_inequalities(configuration, dt) or ((), ())), strict=True):
            (entry,) = np.flatnonzero(row)
            if row[entry] > 0:
                upper[entry] = min(upper[entry], most)
            else:
                lower[entry] = max(lower[entry], -most)
    return lower, upper


def driven(model, limits, acceleration, random, steps, times):
    """Velocities of a robot driven hard to and fro within limits, from rest; yields (q, v, room)."""
    q, v = random_configuration(model, random), np.zeros(model.nv)
    goal = random.choice([-1.0, 1.0], model.nv)
    for step in range(steps):
        if random.random() < 0.02:
            goal = random.choice([-1.0, 1.0], model.nv)
        dt = times(step)
        acceleration.set_last_integration(v, dt)
        lower, upper = box(limits, placed(model, q), dt)
        dq = np.where(goal > 0, upper, lower)
        q, v = integrate(model, q, dq), dq / dt
        yield q, v, (upper - lower).min(), dt


@given(st.integers(0, 10**6), st.sampled_from([0.05, 0.3, 0.5, 0.8, 1.0]), st.floats(0.1, 100.0), st.booleans())
def test_with_discrete_braking_there_is_always_a_next_step_within_all_limits(seed, gain, size, jitter):
    random = np.random.default_rng(seed)
    model = random_tree(["free", *random.choice(list(models.KINDS), 4), "RX"], seed)
    most = size * random.uniform(0.5, 1.5, model.nv)
    acceleration = AccelerationLimit(model, most, braking="discrete", config_limit_gain=gain)
    limits = [ConfigurationLimit(model, gain), VelocityLimit(model), acceleration]
    before = np.zeros(model.nv)
    for q, v, room, dt in driven(
        model, limits, acceleration, random, 60, lambda _: random.uniform(1e-3, 0.05) if jitter else 0.02
    ):
        assert room >= -ROUNDING
        assert (np.abs(v - before) <= most * dt * (1 + 1e-9) + ROUNDING).all()
        assert (np.abs(v) <= model.velocity_limit + ROUNDING).all()
        numbers = [joint.idx_q for joint in model.joints if joint.nq == 1]
        assert (q[numbers] >= model.lower_position_limit[numbers] - ROUNDING).all()
        assert (q[numbers] <= model.upper_position_limit[numbers] + ROUNDING).all()
        before = v


def test_with_pinkers_braking_the_last_steps_ask_for_more_than_there_is():
    """Why the other one is there: held velocities cover more way than braking without pause."""
    model = random_tree(["RX"], 1)
    acceleration = AccelerationLimit(model, [1.0])
    limits = [ConfigurationLimit(model, 1.0), acceleration]
    rooms = [
        room for _, _, room, _ in driven(model, limits, acceleration, np.random.default_rng(0), 400, lambda _: 0.02)
    ]
    assert min(rooms) < -1e-5


@pytest.mark.parametrize("dt", [1e-4, 1e-3, 1e-2, 1e-1])
def test_discrete_braking_is_continuous_braking_but_for_the_time_step(dt):
    model = random_tree(["RX"], 1)
    here = placed(model, np.zeros(1))
    distance, a = model.upper_position_limit[0], 2.0
    _, upper = box([AccelerationLimit(model, [1e9])], here, 1e-3)
    one = AccelerationLimit(model, [a], braking="discrete")
    one.set_last_integration([100.0], dt)
    _, upper = box([one], here, dt)
    v = upper[0] / dt
    assert v * dt + v * v / (2 * a) == pytest.approx(distance, rel=1e-12)
    assert np.sqrt(2 * a * distance) - a * dt <= v <= np.sqrt(2 * a * distance)


def test_outside_joints_must_not_go_farther_out_and_may_come_back():
    model = Model()
    model.add_joint(0, JointModelRX(), SE3.Identity(), "hinge", min_config=[-1.0], max_config=[1.0])
    for braking in ("continuous", "discrete"):
        lower, upper = box(
            [AccelerationLimit(model, [4.0], braking=braking)], placed(model, np.array([1.0 + 1e-9])), 0.1
        )
        assert upper == 0.0
        assert lower == pytest.approx(-0.04)


def test_every_entry_behind_a_free_base_is_limited():
    model, _ = pairs("every kind")
    random = np.random.default_rng(2)
    q = random_configuration(model, random)
    most = random.uniform(1.0, 5.0, model.nv)
    limit = AccelerationLimit(model, most)
    assert limit.indices.tolist() == list(range(model.nv))
    v = 0.1 * random.normal(size=model.nv)
    limit.set_last_integration(v, 0.01)
    lower, upper = box([limit], placed(model, q), 0.01)
    for dq in (lower, upper):
        w = difference(model, q, integrate(model, q, dq)) / 0.01
        assert (np.abs(w - v) <= most * 0.01 * (1 + 1e-9)).all()


def test_limits_that_are_none_are_left_out():
    model = random_tree(["RX", "RUBX", "RZ", "RY"], 1)
    limit = AccelerationLimit(model, [0.0, 3.0, np.inf, 1e20])
    assert limit.indices.tolist() == limit._indices.tolist() == [1]
    assert limit.has_configuration_limit.tolist() == [False]
    assert AccelerationLimit(model, 0.0).compute_qp_inequalities(placed(model, neutral(model)), 0.1) is None


def test_parts_are_live_and_may_be_assigned():
    model = random_tree(["RX", "RY", "RZ"], 1)
    limit = AccelerationLimit(model, [1.0, 2.0, 3.0])
    limit.a_max[1] = 5.0
    limit.Delta_q_prev[2] = 0.25
    np.testing.assert_array_equal(limit.acceleration_limit, [1.0, 5.0, 3.0])
    limit.Delta_q_prev = [0.1, 0.2, 0.3]
    _, upper = box([limit], placed(model, neutral(model)), 0.1)
    assert upper[0] == pytest.approx(0.11)
    limit.acceleration_limit = [0.0, 2.0, 0.0]
    limit.a_max = 7
    np.testing.assert_array_equal(limit.acceleration_limit, [0.0, 7.0, 0.0])
    np.testing.assert_array_equal(limit.Delta_q_prev, [0.2])
    apart = AccelerationLimit(model, [1.0, 0.0, 3.0])
    with pytest.raises(ValueError, match="read-only"):  # no slice of what the core reads
        apart.a_max[0] = 2.0


def test_the_last_velocity_counts_whatever_the_time_of_the_next_step():
    model = random_tree(["RX", "RY"], 1)
    limit = AccelerationLimit(model, 3.0)
    limit.set_last_integration([0.5, -0.25], 0.01)
    np.testing.assert_allclose(limit.Delta_q_prev, [0.005, -0.0025])
    for dt in (0.001, 0.01, 0.04):
        lower, upper = box([limit], placed(model, neutral(model)), dt)
        np.testing.assert_allclose(upper / dt, np.array([0.5, -0.25]) + 3.0 * dt)
        np.testing.assert_allclose(lower / dt, np.array([0.5, -0.25]) - 3.0 * dt)
    limit.Delta_q_prev = [0.001, 0.0]  # of a step like the next
    _, upper = box([limit], placed(model, neutral(model)), 0.02)
    np.testing.assert_allclose(upper, [0.001 + 0.0012, 0.0012])


def test_at_a_time_step_of_zero_nothing_moves():
    model, _ = pairs("every kind")
    for braking in ("continuous", "discrete"):
        lower, upper = box([AccelerationLimit(model, 5.0, braking=braking)], placed(model, neutral(model)), 0.0)
        np.testing.assert_array_equal([lower, upper], np.zeros((2, model.nv)))


@pytest.mark.parametrize("duplicate", [lambda limit: pickle.loads(pickle.dumps(limit)), copy.copy, copy.deepcopy])
def test_copies_are_whole_and_their_own(duplicate):
    model = random_tree(["RX", "RY"], 1)
    limit = AccelerationLimit(model, [1.0, 2.0], braking="discrete", config_limit_gain=0.1)
    limit.set_last_integration([0.5, 0.5], 0.1)
    other = duplicate(limit)
    here = placed(model, neutral(model))
    np.testing.assert_array_equal(box([other], here, 0.1), box([limit], here, 0.1))
    other.a_max[:], other.Delta_q_prev[:] = 9.0, 9.0
    np.testing.assert_array_equal(limit.a_max, [1.0, 2.0])
    np.testing.assert_array_equal(limit.Delta_q_prev, [0.05, 0.05])
    assert (other._kind, other.braking) == ("acceleration", "discrete")


def test_joints_that_are_added_are_asked_about():
    model = random_tree(["RX", "RY"], 1)
    limit = AccelerationLimit(model, [1.0, 2.0])
    limit.set_last_integration([1.0, 2.0], 0.1)
    model.add_joint(1, JointModelRX(), SE3.Identity(), "next")
    with pytest.raises(InvalidArgument, match="it has 2 numbers and the model 3 by now"):
        limit.compute_qp_inequalities(placed(model, neutral(model)), 0.1)
    limit.acceleration_limit = [1.0, 2.0, 3.0]
    np.testing.assert_allclose(limit.Delta_q_prev, [0.1, 0.2, 0.0])


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"acceleration_limit": [1.0]}, "acceleration_limit"),
        ({"acceleration_limit": [1.0, -2.0]}, "acceleration_limit"),
        ({"acceleration_limit": [1.0, np.nan]}, "acceleration_limit"),
        ({"acceleration_limit": None}, "acceleration_limit"),
        ({"acceleration_limit": 1.0, "braking": "hard"}, "braking"),
        ({"acceleration_limit": 1.0, "config_limit_gain": 0.0}, "config_limit_gain"),
    ],
)
def test_what_is_no_limit_is_refused(arguments, name):
    with pytest.raises(InvalidArgument, match=name):
        AccelerationLimit(random_tree(["RX", "RY"], 1), **arguments)


@pytest.mark.parametrize(("v", "dt"), [([1.0], 0.1), ([1.0, np.nan], 0.1), ([1.0, 2.0], -0.1), ([1.0, 2.0], np.inf)])
def test_what_is_no_velocity_is_refused_and_changes_nothing(v, dt):
    limit = AccelerationLimit(random_tree(["RX", "RY"], 1), 1.0)
    with pytest.raises(InvalidArgument):
        limit.set_last_integration(v, dt)
    np.testing.assert_array_equal(limit.Delta_q_prev, [0.0, 0.0])


def test_from_inside_braking_ends_inside():
    model = random_tree(["RX", "PX", "HZ"], 4)
    acceleration = AccelerationLimit(model, 3.0, braking="discrete")
    for q, _, _, _ in driven(model, [acceleration], acceleration, np.random.default_rng(3), 500, lambda _: 0.05):
        assert outside(model, q) <= ROUNDING
