"""The same input gives the same bits, however many work on it; segments end where one pass does."""

import numpy as np
import pytest
from hand_made import smooth_states

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit

FRAMES = 1200


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load(samples.body_plan("walker"))


@pytest.fixture(scope="module")
def positions(plan):
    rng = np.random.default_rng(0)
    keypoints = plan.keypoints(smooth_states(plan, FRAMES, 1))
    return keypoints + 0.005 * plan.length * rng.normal(size=keypoints.shape)


@pytest.fixture(scope="module")
def sequential(plan, positions):
    return fit(plan, positions)


def test_the_same_input_gives_the_same_bits(plan, positions, sequential):
    again = FitSolver(plan).solve_sequence(positions)
    assert again.equals(sequential)


def test_a_solver_has_no_memory(plan, positions):
    solver = FitSolver(plan)
    first = solver.solve(positions[100])
    solver.solve_sequence(positions[300:320])
    solver.solve(np.full((31, 3), np.nan))
    assert solver.solve(positions[100]).equals(first)


def test_the_result_does_not_depend_on_who_works(plan, positions):
    results = [fit(plan, positions, segments="auto", workers=workers) for workers in (1, 2)]
    assert results[0].equals(results[1])


def test_segments_end_where_one_pass_does(plan, positions, sequential):
    result = fit(plan, positions, segments="auto")
    assert len(result.joins) > 0
    assert np.abs(result.dofs - sequential.dofs).max() < 0.02
    assert np.abs(result.root_pos - sequential.root_pos).max() < 0.005 * plan.length
    assert result.cost == pytest.approx(sequential.cost, rel=1e-4)


def test_a_sequence_is_its_frames(plan, positions):
    options = FitOptions(position_tolerance=1e-9, angle_tolerance=1e-9, cost_tolerance=0.0)
    solver = FitSolver(plan, options)
    many = solver.solve_sequence(positions[:5])
    for t in range(1, 5):
        one = solver.solve(positions[t], init=many[t - 1].state)
        assert one.dofs == pytest.approx(many.dofs[t], abs=1e-9)
        assert one.cost == pytest.approx(many.cost[t], rel=1e-9)
