"""Velocity limits: each entry counts, numbers are live, and nonsense is refused."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from limit_cases import allowed, pairs, placed

import models
from models import random_tree
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, JointModelRX, difference, integrate, neutral, random_configuration
from pantin.limits import VelocityLimit


def most(limit, dt=0.1):
    """Upper bounds of all entries of a displacement; infinite where there are none."""
    model = limit.model
    upper, lower = np.full((2, model.nv), np.inf)
    rows = limit.compute_qp_inequalities(placed(model, neutral(model)), dt)
    for row, value in zip(*(rows or ((), ())), strict=True):
        (entry,) = np.flatnonzero(row)
        (upper if row[entry] > 0 else lower)[entry] = value
    np.testing.assert_array_equal(upper, lower)
    return upper


@given(st.integers(0, 10**6))
def test_allowed_steps_keep_every_entry_below_its_speed(seed):
    """Below half a turn, where the difference of two configurations is the step between them."""
    random = np.random.default_rng(seed)
    model = random_tree(["free", *random.choice(list(models.KINDS), 4)], seed)
    q = random_configuration(model, random)
    rows = VelocityLimit(model).compute_qp_inequalities(placed(model, q), 0.1)
    v = difference(model, q, integrate(model, q, allowed(rows, random))) / 0.1
    assert (np.abs(v) <= model.velocity_limit * (1 + 1e-9)).all()


def test_each_entry_of_a_free_base_counts_for_itself():
    model, _ = pairs("solo")
    speeds = np.full(model.nv, np.inf)
    speeds[[0, 4, 9]] = 0.5, 1.0, 2.0
    limit = VelocityLimit(model, speeds)
    assert limit.indices.tolist() == [0, 4, 9]
    assert [joint.id for joint in limit.joints] == [1, 5]
    np.testing.assert_array_equal(most(limit), 0.1 * speeds)


def test_zeros_of_the_beginning_are_no_limits_and_later_ones_hold():
    model = random_tree(["RX", "RY", "RZ"], 1)
    model.velocity_limit = [0.0, 2.0, 1e25]
    limit = VelocityLimit(model)
    np.testing.assert_array_equal(most(limit), [np.inf, 0.2, np.inf])
    model.velocity_limit = [1.0, 0.0, 3.0]
    np.testing.assert_allclose(most(limit), [0.1, 0.0, 0.3])


def test_the_models_limits_are_live_and_ones_own_are_copied_and_live():
    model = random_tree(["RX", "RY"], 1)
    of_model, speeds = VelocityLimit(model), np.array([1.0, 2.0])
    own = VelocityLimit(model, speeds)
    model.velocity_limit[0] = 7.0
    speeds[0] = 9.0
    own.velocity_limit[1] = 4.0
    np.testing.assert_allclose(most(of_model), 0.1 * model.velocity_limit)
    np.testing.assert_allclose(most(own), [0.1, 0.4])
    own.velocity_limit = 3
    np.testing.assert_allclose(most(own), [0.3, 0.3])
    own.velocity_limit = None
    model.velocity_limit = [5.0, 6.0]
    np.testing.assert_allclose(most(own), [0.5, 0.6])


def test_joints_that_are_added_are_followed_or_asked_about():
    model = random_tree(["RX", "RY"], 1)
    of_model, own = VelocityLimit(model), VelocityLimit(model, [1.0, 2.0])
    model.add_joint(1, JointModelRX(), SE3.Identity(), "next", max_velocity=[3.0])
    np.testing.assert_allclose(most(of_model), 0.1 * model.velocity_limit)
    with pytest.raises(InvalidArgument, match="it has 2 numbers and the model 3 by now"):
        most(own)
    own.velocity_limit = [1.0, 2.0, 3.0]
    np.testing.assert_allclose(most(own), [0.1, 0.2, 0.3])


@pytest.mark.parametrize("duplicate", [lambda limit: pickle.loads(pickle.dumps(limit)), copy.copy, copy.deepcopy])
def test_copies_are_whole_and_their_own(duplicate):
    model = random_tree(["RX", "RY"], 1)
    of_model, own = VelocityLimit(model), VelocityLimit(model, [1.0, 2.0])
    model.velocity_limit[0] = 0.0
    of_model, own = duplicate(of_model), duplicate(own)
    own.velocity_limit[0] = 8.0
    assert (own._kind, own._indices.tolist()) == ("velocity", [0, 1])
    np.testing.assert_allclose(most(own), [0.8, 0.2])
    of_model.model.velocity_limit[1] = 4.0
    np.testing.assert_allclose(most(of_model), [0.0, 0.4])


@pytest.mark.parametrize(
    ("speeds", "message"),
    [
        ([1.0], "expected 2 numbers, got shape"),
        ([1.0, 2.0, 3.0], "expected 2 numbers"),
        ([1.0, np.nan], "entry 1 is NaN"),
        ([-1.0, 2.0], "no negative number, got -1"),
        (["fast", "slow"], "real numbers"),
        ([[1.0], [2.0, 3.0]], "ragged"),
    ],
)
def test_speeds_that_are_none_are_refused(speeds, message):
    model = random_tree(["RX", "RY"], 1)
    with pytest.raises(InvalidArgument, match=f"velocity_limit: .*{message}"):
        VelocityLimit(model, speeds)
    limit = VelocityLimit(model, [3.0, 4.0])
    with pytest.raises(InvalidArgument, match="velocity_limit"):
        limit.velocity_limit = speeds
    np.testing.assert_array_equal(limit.velocity_limit, [3.0, 4.0])


@pytest.mark.parametrize("speed", [np.nan, -1.0])
def test_speeds_that_were_made_nonsense_are_refused(speed):
    model = random_tree(["RX", "RY"], 1)
    limit = VelocityLimit(model)
    model.velocity_limit[1] = speed
    with pytest.raises(InvalidArgument, match="velocity_limit"):
        most(limit)


numbers = st.floats(width=64) | st.integers(-3, 3) | st.just(1e20) | st.just(1e-10)


@given(arrays(np.float64, st.integers(0, 4), elements=numbers))
def test_whatever_is_given_is_refused_or_limits(speeds):
    model = random_tree(["RX", "RY", "RZ"], 1)
    try:
        limit = VelocityLimit(model, speeds)
    except InvalidArgument:
        assert speeds.size != 3 or np.isnan(speeds).any() or (speeds < 0).any()
        return
    limited = (speeds > 1e-10) & (speeds < 1e20)
    np.testing.assert_allclose(most(limit), np.where(limited, 0.1 * speeds, np.inf))
