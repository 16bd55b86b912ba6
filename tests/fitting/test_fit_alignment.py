"""Bodies that are turned by any angle against their neutral pose are found without a start."""

import dataclasses

import numpy as np
import pytest
from random_plans import direction
from reference_tree import from_rotation_vector
from walker import walk

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, FitSolver


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load(samples.body_plan("walker"))


@pytest.fixture(scope="module")
def poses(plan):
    """Eight poses of the walk, with the root at the origin."""
    return plan.keypoints({"dofs": walk().dofs[::37][:8]})


@pytest.mark.parametrize("degrees", [0, 30, 60, 90, 120, 150, 180])
def test_any_turn_is_found(plan, poses, degrees):
    rng = np.random.default_rng(degrees)
    solver = FitSolver(plan)
    for pose in poses:
        for _ in range(3):
            turn = from_rotation_vector(np.radians(degrees) * direction(rng))
            positions = pose @ turn.T + 10.0 * plan.length * rng.normal(size=3)
            result = solver.solve(positions)
            assert result.success
            assert np.sqrt(np.mean(result.residual**2)) < 2e-3 * plan.length  # what the pull to neutral leaves


def test_with_a_start_there_is_no_alignment(plan, poses):
    positions = poses[0] @ from_rotation_vector([0.0, 0.0, np.pi]).T
    few = FitOptions(max_iterations=3)
    cold, warm = FitSolver(plan, few).solve(positions), FitSolver(plan, few).solve(positions, init=plan.neutral_state())
    plain = FitSolver(plan, dataclasses.replace(few, align=False)).solve(positions)
    assert cold.cost < 0.1 * plain.cost
    assert cold.cost < 0.1 * warm.cost


def test_random_starts_are_seeded(plan, poses):
    positions = poses[0] @ from_rotation_vector([0.0, 0.0, np.pi]).T
    one, same = (FitSolver(plan, FitOptions(align=False, starts=3, seed=7)).solve(positions) for _ in range(2))
    assert np.array_equal(one.dofs, same.dofs)
    without = FitSolver(plan, FitOptions(align=False)).solve(positions)
    assert one.cost <= without.cost


@pytest.mark.parametrize("seen", [1, 2])
def test_few_points_place_the_body_without_turning_it(plan, poses, seen):
    shift = np.array([30.0, -20.0, 5.0]) * plan.length
    positions = np.full_like(poses[0], np.nan)
    positions[1 : 1 + seen] = poses[0][1 : 1 + seen] + shift
    result = FitSolver(plan).solve(positions)
    assert result.success
    assert np.nanmax(result.residual) < 0.02 * plan.length


def test_points_on_one_line(plan):
    content = {
        "joints": [
            {"name": "a", "parent": None, "offset_pos": [0, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
            {"name": "b", "parent": "a", "offset_pos": [1, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
            {"name": "c", "parent": "b", "offset_pos": [1, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
        ]
    }
    positions = np.array([(5.0, 0.0, 0.0), (5.0, 1.0, 0.0), (5.0, 2.0, 0.0)])
    result = FitSolver(BodyPlan.from_dict(content)).solve(positions)
    assert result.status == "unobservable"  # the turn about the line
    assert result.cost < 1e-9
    assert len(result.null_space()) == 1
