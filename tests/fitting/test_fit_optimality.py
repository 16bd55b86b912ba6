"""The conditions of a bounded minimum, on every fit that says it has converged, by code that shares nothing with it."""

import numpy as np
import pytest
from hand_made import smooth_states
from random_plans import random_plan, random_state
from reference import LOSSES, Objective, optimality, state_of

from pantin.fitting import BodyPlan, FitOptions, FitSolver
from pantin.fitting.state import State


def noisy(plan, rng, frames=12):
    """Smooth motion that runs into limits, observed with noise and with a few points unseen."""
    positions = plan.keypoints(smooth_states(plan, frames, int(rng.integers(1000))))
    positions = positions + 0.05 * plan.length * rng.normal(size=positions.shape)
    positions[rng.random(positions.shape[:2]) < 0.05] = np.nan
    return positions


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(6))
def test_converged_frames_are_bounded_minima(seed, loss):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, int(rng.integers(4, 30)), limits=0.9))
    positions, weights = noisy(plan, rng), rng.uniform(0.2, 2.0, (12, plan.n_joints))
    options = FitOptions(loss=loss, gap="prior", max_iterations=300)
    result = FitSolver(plan, options).solve_sequence(positions, weights)
    objective = Objective.of(plan, positions, weights, options)
    state = state_of(result)
    assert result.cost == pytest.approx(objective.cost(state), rel=1e-9)
    assert np.all(result.success), result.status
    assert optimality(objective, state).max() <= 1.0
    assert np.array_equal(result.at_limit == 1, result.dofs >= plan.upper)
    assert np.array_equal(result.at_limit == -1, result.dofs <= plan.lower)


@pytest.mark.parametrize("scale_free", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_cold_fits_of_anything_are_bounded_minima(seed, scale_free):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 20, limits=0.7))
    options = FitOptions(scale_free=scale_free, max_iterations=300)
    solver = FitSolver(plan, options)
    for _ in range(5):
        positions = plan.length * rng.normal(size=(plan.n_joints, 3))  # nothing that the body can do
        result = solver.solve(positions)
        assert result.success
        assert optimality(Objective.of(plan, positions, None, options), state_of(result)) <= 1.0


@pytest.mark.parametrize("seed", range(4))
def test_a_fit_never_ends_above_its_start(seed):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 25, limits=0.7))
    for iterations in (1, 2, 3, 10):
        options = FitOptions(max_iterations=iterations)
        positions = plan.length * rng.normal(size=(plan.n_joints, 3))
        start = random_state(plan, rng)
        result = FitSolver(plan, options).solve(positions, init=start)
        objective = Objective.of(plan, positions, None, options)
        before = Objective.cost(objective, state_of(State(*start)))
        assert result.cost <= before * (1.0 + 1e-12)
        assert result.iterations <= iterations


def test_locked_and_prescribed_freedoms_are_no_unknowns():
    rng = np.random.default_rng(3)
    plan = BodyPlan.from_dict(random_plan(rng, 12, limits=0.5, fixed_base=False))
    positions = noisy(plan, rng)
    names = plan.dof_names[:2]
    middle = [float(np.clip(0.1, plan.lower[j], plan.upper[j])) for j in (0, 1)]
    along = np.linspace(0.0, 1.0, 12) * 0.05 + middle[1]
    options = FitOptions(lock={names[0]: middle[0]}, prescribe={names[1]: along}, gap="prior")
    result = FitSolver(plan, options).solve_sequence(positions)
    assert np.all(result.dofs[:, 0] == middle[0])
    assert np.array_equal(result.dofs[:, 1], along)
    assert optimality(Objective.of(plan, positions, None, options), state_of(result), fixed=(0, 1)).max() <= 1.0
