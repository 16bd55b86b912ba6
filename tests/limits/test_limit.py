"""The base of limits, for those of users."""

import copy
import pickle

import numpy as np
import pytest
from limit_cases import pairs, placed

from pantin.kinematics import neutral
from pantin.limits import ConfigurationLimit, Limit, VelocityLimit


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


class Named(ConfigurationLimit):
    """One of the package's with the same rows."""

    name = "mine"


def test_rows_of_ones_own_are_asked_for_in_python():
    model, _ = pairs("arm")
    assert (Slow(1.0)._kind, Slow(1.0)._native) == ("rows", False)
    assert (Half(model)._kind, Half(model)._native) == ("rows", False)
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
