"""The base of limits, for those of users."""

import copy
import doctest
import importlib
import pickle

import numpy as np
import pytest
from limit_cases import EVERYTHING, pairs, placed

from pantin import _core, limits
from pantin.kinematics import neutral, random_configuration
from pantin.limits import AccelerationLimit, ConfigurationLimit, Limit, VelocityLimit


class Slow(Limit):
    """A limit of a user's own, which does not know that its base has parts."""

    def __init__(self, most):
        self.most = most

    def compute_qp_inequalities(self, configuration, dt):
        nv = configuration.model.nv
        return np.eye(nv), np.full(nv, dt * self.most)


class Half(VelocityLimit):
    """One of the package's with other rows."""

    def compute_qp_inequalities(self, configuration, dt):
        G, h = super().compute_qp_inequalities(configuration, dt)
        return G, 0.5 * h


class Aside:
    """Rows for classes to take in."""

    def compute_qp_inequalities(self, configuration, dt):
        return None


class Mixed(Aside, VelocityLimit):
    """Rows that come from beside."""


class Named(ConfigurationLimit):
    """One of the package's with the same rows."""

    name = "mine"


def test_rows_of_ones_own_are_asked_for_in_python():
    model, _ = pairs("arm")
    assert (Slow(1.0)._kind, Slow(1.0)._native) == ("rows", False)
    assert (Half(model)._kind, Half(model)._native) == ("velocity", False)
    assert Mixed(model)._native is False
    assert (Named(model)._kind, Named(model)._native) == ("configuration", True)
    assert (VelocityLimit(model)._kind, VelocityLimit(model)._native) == ("velocity", True)


def test_a_limit_without_rows_says_so():
    model, _ = pairs("arm")

    class Nothing(Limit):
        pass

    with pytest.raises(NotImplementedError, match="Nothing does not define compute_qp_inequalities"):
        Nothing().compute_qp_inequalities(placed(model, neutral(model)), 0.1)


@pytest.mark.parametrize("duplicate", [lambda limit: pickle.loads(pickle.dumps(limit)), copy.copy, copy.deepcopy])
def test_limits_of_ones_own_are_copied(duplicate):
    model, _ = pairs("arm")
    here = placed(model, neutral(model))
    for limit in (Slow(2.0), Half(model), Named(model, 0.9)):
        other = duplicate(limit)
        assert type(other) is type(limit)
        assert other._kind == limit._kind
        for one, same in zip(*(x.compute_qp_inequalities(here, 0.1) for x in (limit, other)), strict=True):
            np.testing.assert_array_equal(one, same)


def test_the_core_is_given_the_same_parts_until_something_changes():
    """A step is compiled anew when a limit holds other parts."""
    model, _ = pairs("arm")
    for limit in (ConfigurationLimit(model), VelocityLimit(model)):
        parts = [limit._indices, limit._vector, limit._lower]
        limit._refresh()
        assert all(one is same for one, same in zip([limit._indices, limit._vector, limit._lower], parts, strict=True))


def core_rows(limit, here, dt):
    """The rows that the core makes of a limit's bounds."""
    lower, upper = _core.limit_bounds(limit, here, dt)
    picked = np.eye(limit.model.nv)[limit._indices]
    above, below = upper < np.inf, lower > -np.inf
    return np.concatenate([picked[above], -picked[below]]), np.concatenate([upper[above], -lower[below]])


@pytest.mark.parametrize("name", EVERYTHING)
def test_the_core_has_the_same_rows(name):
    model = pairs(name)[0].copy()
    random = np.random.default_rng(1)
    most = random.uniform(1.0, 50.0, model.nv)
    limits = [
        ConfigurationLimit(model, 0.3),
        VelocityLimit(model),
        VelocityLimit(model, most),
        AccelerationLimit(model, most),
        AccelerationLimit(model, most, braking="discrete", config_limit_gain=0.2),
    ]
    # limits that come and go
    model.velocity_limit[0], model.velocity_limit[-1] = 0.0, 3.0
    model.upper_position_limit[-1] = np.inf
    model.lower_position_limit[0] = -np.inf
    for q in (neutral(model), random_configuration(model, random)):
        here = placed(model, q)
        for limit in limits:
            rows = limit.compute_qp_inequalities(here, 0.1)
            G, h = core_rows(limit, here, 0.1)
            if rows is None:
                assert h.size == 0
                continue
            np.testing.assert_array_equal(G, rows[0])
            np.testing.assert_allclose(h, rows[1], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", limits.__all__)
def test_examples_of_limits_run(name):
    failures, tried = doctest.testmod(importlib.import_module(getattr(limits, name).__module__))
    assert failures == 0
    assert tried > 0
