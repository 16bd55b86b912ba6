"""Position limits: from inside every allowed step ends inside, whatever the limits look like."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from limit_cases import allowed, outside, pairs, placed

import models
from models import mimic_tree, random_tree
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, JointModelRX, Model, integrate, neutral, random_configuration
from pantin.limits import ConfigurationLimit

#: A few roundings of numbers of order one.
ROUNDING = 1e-14


@given(st.integers(0, 10**6), st.floats(0.01, 1.0))
def test_from_inside_any_allowed_step_ends_inside(seed, gain):
    kinds = np.random.default_rng(seed).choice(list(models.KINDS), 6)
    model = random_tree(kinds, seed)
    random = np.random.default_rng(seed)
    q = random_configuration(model, random)
    limit = ConfigurationLimit(model, gain)
    for _ in range(20):
        rows = limit.compute_qp_inequalities(placed(model, q), 0.01)
        if rows is None:
            return
        q = integrate(model, q, allowed(rows, random))
        # positions of floating and planar joints have no box in their tangent
        numbers = [joint.idx_q for joint in model.joints if joint.nq == 1]
        low, high = model.lower_position_limit[numbers], model.upper_position_limit[numbers]
        assert (q[numbers] >= low - ROUNDING).all()
        assert (q[numbers] <= high + ROUNDING).all()


def one_joint(lower, upper):
    model = Model()
    model.add_joint(0, JointModelRX(), SE3.Identity(), "hinge", min_config=[lower], max_config=[upper])
    return model


def bounds(limit, q):
    """Lower and upper bound of the displacement of one joint; infinite where there is none."""
    rows = limit.compute_qp_inequalities(placed(limit.model, np.array([q])), 0.01)
    lower, upper = -np.inf, np.inf
    for row, most in zip(*(rows or ((), ())), strict=True):
        lower, upper = (lower, most) if row[0] > 0 else (-most, upper)
    return lower, upper


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (-1.0, 2.0, (-0.75, 0.75)),
        (-1.0, np.inf, (-0.75, np.inf)),
        (-np.inf, 2.0, (-np.inf, 0.75)),
        (-1.0, 1e20, (-0.75, np.inf)),
        (-1e300, 2.0, (-np.inf, 0.75)),
        (-np.finfo(float).max, np.finfo(float).max, (-np.inf, np.inf)),
        (-np.inf, np.inf, (-np.inf, np.inf)),
        (0.3, 0.3, (-np.inf, np.inf)),  # as Pinker: files write equal limits for unknown ones
        (1.0, 2.0, (0.25, 0.75)),  # the joint is below, and comes back
        (-1.0, 0.0, (-0.75, -0.25)),
    ],
)
def test_bounds_of_one_joint_at_a_half(lower, upper, expected):
    assert bounds(ConfigurationLimit(one_joint(lower, upper)), 0.5) == pytest.approx(expected, rel=1e-15)


def test_limits_that_become_equal_hold_the_joint():
    model = one_joint(-1.0, 2.0)
    limit = ConfigurationLimit(model)
    model.lower_position_limit[0] = model.upper_position_limit[0] = 0.3
    assert bounds(limit, 0.3) == (0.0, 0.0)
    assert bounds(limit, 0.5) == pytest.approx((-0.1, -0.1))


def test_limits_that_come_and_go_are_followed():
    model = one_joint(-np.inf, np.inf)
    limit = ConfigurationLimit(model)
    assert (limit.indices.size, limit.projection_matrix, limit.joints) == (0, None, [])
    model.upper_position_limit = [1.0]
    assert limit.indices.tolist() == [0]
    assert bounds(limit, 0.5) == (-np.inf, 0.25)
    model.upper_position_limit[0] = np.inf
    assert bounds(limit, 0.5) == (-np.inf, np.inf)


def test_joints_that_are_added_are_followed():
    model = one_joint(-1.0, 2.0)
    limit = ConfigurationLimit(model)
    model.add_joint(1, JointModelRX(), SE3.Identity(), "next", min_config=[-2.0], max_config=[3.0])
    G, h = limit.compute_qp_inequalities(placed(model, np.zeros(2)), 0.01)
    np.testing.assert_array_equal(G, np.concatenate([np.eye(2), -np.eye(2)]))
    np.testing.assert_array_equal(h, [1.0, 1.5, 0.5, 1.0])
    limit._refresh()  # as the core does before it compiles a step
    assert limit.indices.tolist() == limit._indices.tolist() == [0, 1]


def test_masters_keep_their_followers_inside():
    model = mimic_tree()
    random = np.random.default_rng(0)
    q = random_configuration(model, random)
    followers = [(joint, joint.mimic) for joint in model.joints if joint.mimic is not None]
    assert len(followers) > 5
    limit = ConfigurationLimit(model, 1.0)
    assert {joint.id for joint in limit.joints}.isdisjoint(joint.id for joint, _ in followers)
    for _ in range(50):
        q = integrate(model, q, allowed(limit.compute_qp_inequalities(placed(model, q), 0.01), random))
        assert outside(model, q) <= ROUNDING


def test_continuous_joints_are_not_limited():
    model = random_tree(["RUBX", "RX", "RUB"], 3)
    assert ConfigurationLimit(model).indices.tolist() == [1]


def test_the_gain_is_live():
    limit = ConfigurationLimit(one_joint(-1.0, 2.0))
    limit.config_limit_gain = 1
    assert bounds(limit, 0.5) == (-1.5, 1.5)


@pytest.mark.parametrize("gain", [0.0, -0.5, 1.01, np.nan, np.inf, "half", [0.5, 0.5], None])
def test_gains_outside_of_their_range_are_refused(gain):
    model = one_joint(-1.0, 2.0)
    with pytest.raises(InvalidArgument, match="config_limit_gain"):
        ConfigurationLimit(model, gain)
    limit = ConfigurationLimit(model, 0.7)
    with pytest.raises(InvalidArgument, match="config_limit_gain"):
        limit.config_limit_gain = gain
    assert limit.config_limit_gain == 0.7


def test_a_limit_that_was_made_nan_is_refused():
    model = one_joint(-1.0, 2.0)
    limit = ConfigurationLimit(model)
    model.lower_position_limit[0] = np.nan
    with pytest.raises(InvalidArgument, match="lower_position_limit: entry 0 is NaN"):
        bounds(limit, 0.0)


def test_no_joints_have_no_rows():
    model = Model()
    assert ConfigurationLimit(model).compute_qp_inequalities(placed(model, neutral(model)), 0.01) is None


@pytest.mark.parametrize("dt", [-1e-3, np.nan, np.inf, "soon"])
def test_bad_time_steps_are_refused(dt):
    model, _ = pairs("arm")
    with pytest.raises(InvalidArgument, match="dt"):
        ConfigurationLimit(model).compute_qp_inequalities(placed(model, neutral(model)), dt)


def test_what_is_no_model_and_other_models_are_refused():
    with pytest.raises(TypeError, match="model: expected a Model, got a str"):
        ConfigurationLimit("panda")
    other, _ = pairs("arm")
    with pytest.raises(InvalidArgument, match="configuration: it belongs to"):
        ConfigurationLimit(one_joint(0.0, 1.0)).compute_qp_inequalities(placed(other, neutral(other)), 0.01)
