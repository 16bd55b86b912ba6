"""Errors of every residual vanish at their targets, and what the step goes by are their derivatives."""

import numpy as np
import pytest
from problems import anywhere, every_aim, nearby, trees

from pantin import _core
from pantin.kinematics.configurations import integrate, neutral

#: Step of central differences: truncation some 1e-12, rounding 1e-16 / step.
STEP = 1e-5


def at(problem, q, u):
    """Stacked errors where a step of the unknowns leads."""
    return problem._derivatives(problem._displaced(q, u))[0]


def differences(problem, q, f):
    """Central differences of f of the errors along each unknown."""
    units = STEP * np.eye(len(problem._derivatives(q)[1]))
    return np.array([(f(at(problem, q, u)) - f(at(problem, q, -u))) / (2.0 * STEP) for u in units])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", list(trees()))
def test_columns_are_derivatives_where_targets_are_met(name, seed, weighted):
    model = trees()[name]
    goal = anywhere(model, [seed, 0])
    problem = every_aim(model, goal, np.random.default_rng(seed), weighted=weighted)
    error, columns = problem._derivatives(goal)
    assert np.abs(error).max() < 1e-7  # an angle near zero is the root of a rounding
    numeric = differences(problem, goal, lambda e: e)
    assert np.allclose(-columns, numeric, rtol=0.0, atol=1e-6 * np.abs(numeric).max())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", list(trees()))
def test_slopes_are_those_of_the_squared_error_anywhere(name, seed, weighted):
    model = trees()[name]
    goal, q = anywhere(model, [seed, 0]), anywhere(model, [seed, 1])
    problem = every_aim(model, goal, np.random.default_rng(seed), weighted=weighted)
    error, columns = problem._derivatives(q)
    numeric = differences(problem, q, lambda e: 0.5 * e @ e)
    assert np.allclose(-columns @ error, numeric, rtol=0.0, atol=1e-6 * np.abs(numeric).max())


@pytest.mark.parametrize("name", list(trees()))
def test_every_aim_is_reached_at_once_from_nearby(name):
    model = trees()[name]
    for seed in range(6):
        goal = anywhere(model, [seed, 0])
        problem = every_aim(model, goal, np.random.default_rng(seed), weighted=bool(seed % 2))
        result = problem.solve(nearby(model, seed, 0.05, goal))
        assert result.success, (seed, result)
        assert result.check().success
        for told, found in zip(result.errors, result.check().errors, strict=True):
            assert told.position == pytest.approx(found.position, abs=1e-9)
            assert told.rotation == pytest.approx(found.rotation, abs=1e-9)


def test_a_step_of_all_unknowns_stays_on_the_manifold():
    model = trees()["every kind"]
    q = anywhere(model, 5)
    problem = every_aim(model, q, np.random.default_rng(5))
    u = 0.1 * np.random.default_rng(6).normal(size=len(problem._derivatives(q)[1]))
    there = problem._displaced(q, u)
    assert np.allclose(integrate(model, there, np.zeros(model.nv)), there, rtol=0.0, atol=1e-15)


@pytest.fixture
def at_level():
    yield _core.set_level
    _core.set_level("")


@pytest.mark.parametrize("name", list(trees()))
def test_levels_agree(name, at_level):
    model = trees()[name]
    goal = anywhere(model, 0)
    start = nearby(model, 1, 0.05, goal)

    def results():
        problem = every_aim(model, goal, np.random.default_rng(0), weighted=True)
        yield from problem._derivatives(start)
        result = problem.solve(start)
        assert result.success
        assert result.starts == 1
        yield result.q
        problem.add_posture(neutral(model))
        yield problem.solve(start).q

    at_level("generic")
    plain = list(results())
    reached = ["generic"]
    for level in ("v2", "v3", "v4"):
        try:
            at_level(level)
        except ImportError:
            continue  # not built, or not this processor's
        reached.append(level)
        # roundings of the derivatives, which iterations take on; a posture is approached to some 1e-6
        for mine, other, tolerance in zip(results(), plain, (1e-12, 1e-12, 1e-8, 1e-5), strict=True):
            assert np.allclose(mine, other, rtol=0.0, atol=tolerance)
    assert len(reached) > 1
