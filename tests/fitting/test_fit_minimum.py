"""Minima beside those of a bounded trust-region least squares that shares nothing with the solver."""

import numpy as np
import pytest
from random_plans import random_plan, random_state
from reference import Objective, camera, reference_minimum, state_of, xy_view
from reference_tree import from_rotation_vector
from test_fit_truth import near

from pantin.fitting import BodyPlan, Camera, FitOptions, FitSolver, XYView

TIGHT = {"position_tolerance": 1e-8, "angle_tolerance": 1e-8, "max_iterations": 300, "gap": "prior"}


def scaled(content, rng):
    """The plan of another body: the same tree with bones from 0.7 to 1.4 times as long."""
    joints = [
        {**joint, "offset_pos": (rng.uniform(0.7, 1.4) * np.array(joint["offset_pos"])).tolist()}
        for joint in content["joints"]
    ]
    return {**content, "joints": joints}


def excess(plan, positions, weights, options, start, result, **kwargs):
    """How far E is above the reference's, relative; negative where it is below."""
    _, least = reference_minimum(plan, positions, weights, options, start, **kwargs)
    objective = Objective.of(plan, positions, weights, options, **kwargs)
    assert result.cost == pytest.approx(objective.cost(state_of(result)), rel=1e-9)
    return float(result.cost) / least - 1.0


@pytest.mark.parametrize("seed", range(12))
def test_noisy_data(seed):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, int(rng.integers(3, 16))))
    truth = random_state(plan, rng)
    keypoints = plan.keypoints(truth)
    positions = keypoints + 0.02 * plan.length * rng.normal(size=keypoints.shape)
    weights = rng.uniform(0.2, 2.0, plan.n_joints)
    start, options = near(plan, truth, rng), FitOptions(**TIGHT)
    result = FitSolver(plan, options).solve(positions, weights, init=start)
    assert result.success
    assert excess(plan, positions, weights, options, start, result) < 1e-6


@pytest.mark.parametrize("seed", range(8))
def test_data_of_another_body(seed):
    rng = np.random.default_rng(seed)
    content = random_plan(rng, int(rng.integers(8, 20)), size=0.3)
    plan, other = BodyPlan.from_dict(content), BodyPlan.from_dict(scaled(content, rng))
    pose = random_state(other, rng)
    dofs = np.clip(other.neutral + rng.uniform(-0.4, 0.4, other.n_dofs), other.lower, other.upper)
    positions = other.keypoints(pose._replace(dofs=dofs))
    start, options = pose._replace(dofs=plan.neutral), FitOptions(gap="prior", max_iterations=300)
    for init in (None, start):
        result = FitSolver(plan, options).solve(positions, init=init)
        assert result.success
        assert excess(plan, positions, None, options, start, result) < 0.01


@pytest.mark.parametrize("loss", ["huber", "soft_l1", "cauchy", "geman_mcclure"])
@pytest.mark.parametrize("seed", range(2))
def test_robust_losses(seed, loss):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 8))
    truth = random_state(plan, rng)
    keypoints = plan.keypoints(truth)
    positions = keypoints + 0.01 * plan.length * rng.normal(size=keypoints.shape)
    positions[5] += 0.5 * plan.length
    start, options = near(plan, truth, rng, reach=0.02), FitOptions(loss=loss, **TIGHT)
    result = FitSolver(plan, options).solve(positions, init=start)
    assert result.success
    assert excess(plan, positions, None, options, start, result) < 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_a_view_from_above(seed):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 8, fixed_base=False))
    truth = random_state(plan, rng)
    positions = plan.keypoints(truth)[:, :2]
    positions = positions + 0.01 * plan.length * rng.normal(size=positions.shape)
    start, options = near(plan, truth, rng, reach=0.1), FitOptions(**TIGHT)
    result = FitSolver(plan, options, XYView()).solve(positions, init=start)
    assert result.status == "unobservable"
    assert excess(plan, positions, None, options, start, result, views=xy_view) < 1e-6
    assert result.root_pos[2] == pytest.approx(start.root_pos[2], rel=1e-15)  # nothing tells, so it stays


@pytest.mark.parametrize("seed", range(3))
def test_two_cameras(seed):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 8, fixed_base=False))
    truth = random_state(plan, rng)
    truth = truth._replace(root_pos=0.2 * truth.root_pos)
    keypoints = plan.keypoints(truth)
    poses = [
        (from_rotation_vector(v), np.array([0.1, -0.2, 10.0]) * plan.length) for v in ((0.1, 0.2, 0.0), (0.1, 1.5, 0.3))
    ]
    looks = [camera(600.0, 590.0, 320.0, 240.0, R, t) for R, t in poses]
    cameras = [Camera(600.0, 590.0, 320.0, 240.0, R, t) for R, t in poses]
    pixels = [look(keypoints)[0] + rng.normal(size=(8, 2)) for look in looks]
    start, options = near(plan, truth, rng, reach=0.1), FitOptions(**TIGHT)
    result = FitSolver(plan, options, cameras).solve(np.array(pixels), init=start)
    assert result.success
    assert result.scales == pytest.approx(
        [plan.length * 595.0 / np.linalg.norm(-R.T @ t - start.root_pos) for R, t in poses]
    )
    given = {"views": looks, "scales": list(result.scales)}
    assert excess(plan, pixels, None, options, start, result, **given) < 1e-6
