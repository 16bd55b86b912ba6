"""The recorded fly: real keypoints, a body that does not quite fit them, and poses that are exactly its own."""

import fly
import numpy as np
import pytest
from random_plans import direction
from reference import Objective, minimum, optimality, state_of
from reference_tree import from_rotation_vector

from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit

ABSOLUTE = FitOptions(scale_free=False)


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load(fly.plan_file())


def test_the_objective_of_a_recording(plan):
    positions = fly.native()
    result = fit(plan, positions, options=ABSOLUTE)
    assert np.all(result.success)
    assert result.cost[:60].mean() <= 0.17787  # 0.177849 at the minima, 0.177878 by ten full Gauss-Newton steps
    assert result.cost[:60].mean() >= 0.177848
    assert result.iterations.mean() <= 6.0
    objective = Objective.of(plan, positions, None, ABSOLUTE)
    assert optimality(objective, state_of(result)).max() <= 1.0
    for frame in (0, 59):
        _, least = minimum(objective.frame(frame), tuple(part[frame] for part in state_of(result)))
        assert result.cost[frame] <= least * (1.0 + 1e-6)


def test_segments_and_scattered_frames_reach_the_same(plan):
    positions = np.tile(fly.native(), (4, 1, 1))
    one, other = (fit(plan, positions, options=ABSOLUTE, segments=cut) for cut in (None, "auto"))
    assert other.cost == pytest.approx(one.cost, rel=1e-4)
    scattered = FitSolver(plan, ABSOLUTE).solve_sequence(fly.sparse())
    assert np.all(scattered.success)
    assert np.sqrt(np.nanmean(scattered.residual**2)) == pytest.approx(0.076, abs=0.01)


def test_exact_poses_come_back(plan):
    positions, angles = fly.exact()
    solver = FitSolver(plan, FitOptions(neutral_weight=0.0))
    for target, expected in zip(positions, angles, strict=True):
        result = solver.solve(target)
        assert result.success
        assert np.nanmax(result.residual) < 1e-6 * plan.length
        assert result.dofs == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("degrees", [0, 60, 90, 120, 180])
def test_any_turn_is_found(plan, degrees):
    rng = np.random.default_rng(degrees)
    solver = FitSolver(plan)
    for target in fly.exact()[0]:
        for _ in range(3):
            turn = from_rotation_vector(np.radians(degrees) * direction(rng))
            result = solver.solve(target @ turn.T + rng.normal(size=3))
            assert np.sqrt(np.nanmean(result.residual**2)) < 0.01


def test_what_a_unit_does_to_an_objective_without_a_scale(plan):
    # misfits in mm of exact poses, written in mm, cm and m; with a scale of its own the unit does not matter
    misfits = {}
    for scale_free in (False, True):
        for factor in (1.0, 0.1, 1e-3):
            content = plan.to_dict()
            for joint in content["joints"]:
                joint["offset_pos"] = [factor * x for x in joint["offset_pos"]]
            solver = FitSolver(BodyPlan.from_dict(content), FitOptions(scale_free=scale_free))
            squares = [np.nanmean((solver.solve(factor * target).residual / factor) ** 2) for target in fly.exact()[0]]
            misfits[scale_free, factor] = np.sqrt(np.mean(squares))
    assert misfits[False, 1.0] == pytest.approx(0.002, abs=0.0006)
    assert misfits[False, 0.1] == pytest.approx(0.045, abs=0.006)
    assert misfits[False, 1e-3] == pytest.approx(0.305, abs=0.03)
    assert misfits[True, 0.1] == pytest.approx(misfits[True, 1.0], rel=1e-6)
    assert misfits[True, 1e-3] == pytest.approx(misfits[True, 1.0], rel=1e-6)


def test_a_claw_that_is_reported_elsewhere(plan):
    claw = plan.joint("lf_claw")
    for target in fly.exact()[0]:
        wrong, without = target.copy(), target.copy()
        wrong[claw, 2] += 2.0
        without[claw] = np.nan
        for loss, warm, farthest in (
            ("cauchy", True, 0.02),
            ("geman_mcclure", True, 0.005),
            ("geman_mcclure", False, 0.005),
        ):
            solver = FitSolver(plan, FitOptions(loss=loss))
            expected = solver.solve(without)
            result = solver.solve(wrong, init=expected.state if warm else None)
            away = np.linalg.norm(np.delete(result.keypoints - expected.keypoints, claw, axis=0), axis=1)
            assert away.max() < farthest, (loss, warm)
            assert result.outlier[claw]
