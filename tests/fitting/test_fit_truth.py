"""Poses that were made up come back."""

import numpy as np
from random_plans import random_plan, random_state

from pantin.fitting import BodyPlan, FitOptions, FitSolver
from pantin.fitting.state import State

PLANS = 40
OPTIONS = FitOptions(
    neutral_weight=0.0, position_tolerance=1e-8, angle_tolerance=1e-8, cost_tolerance=0.0, max_iterations=100
)


def seen_plan(rng, joints=None, **given):
    """A random plan whose joints have no more degrees of freedom than keypoints below that show them."""
    content = random_plan(rng, joints, **given)
    below = {joint["name"]: 0 for joint in content["joints"]}
    for joint in reversed(content["joints"]):
        joint["dofs"] = joint["dofs"][: below[joint["name"]]]
        if joint["parent"]:
            below[joint["parent"]] += 1 + below[joint["name"]]
    return BodyPlan.from_dict(content)


def near(plan, state, rng, reach=0.3):
    """A start within a reach of a state by the length of the step to it, and within limits."""
    away = rng.normal(size=plan.tangent_dim)
    start = plan.step(state, away * reach * rng.random() / max(1.0, np.linalg.norm(away)))
    return start._replace(dofs=np.clip(start.dofs, plan.lower, plan.upper))


def misses(plan, truth, result):
    """What has not come back: largest distance of a keypoint over L, and error of a degree of freedom that is seen."""
    distance = np.linalg.norm(plan.keypoints(result.state) - plan.keypoints(truth), axis=-1).max() / plan.length
    error = np.where(plan.dof_is_slide, result.dofs - truth.dofs, np.angle(np.exp(1j * (result.dofs - truth.dofs))))
    return distance, np.abs(error[result.observability == 1.0]).max(initial=0.0)


def trial(number):
    """A random plan, a random state of it, and the fit of its keypoints from nearby."""
    rng = np.random.default_rng(number)
    plan = seen_plan(rng)
    truth = random_state(plan, rng)
    return plan, truth, FitSolver(plan, OPTIONS).solve(plan.keypoints(truth), init=near(plan, truth, rng))


def test_self_made_truth_comes_back():
    lost, twins = [], []
    for number in range(PLANS):
        plan, truth, result = trial(number)
        distance, error = misses(plan, truth, result)
        if not (result.success and distance < 1e-8):
            lost.append((number, str(result.status), distance))
        elif error > 1e-6:  # another pose that puts every keypoint where it was
            twins.append((number, error))
    assert lost == []
    assert len(twins) <= 0.05 * PLANS, twins


def test_truth_at_limits_comes_back():
    lost = []
    for number in range(20):
        rng = np.random.default_rng(number)
        plan = seen_plan(rng, 15, limits=1.0)
        truth = random_state(plan, rng)
        ends = np.where(rng.random(plan.n_dofs) < 0.5, plan.lower, plan.upper)
        truth = State(*truth[:2], np.where(rng.random(plan.n_dofs) < 0.3, ends, truth.dofs))
        result = FitSolver(plan, OPTIONS).solve(plan.keypoints(truth), init=near(plan, truth, rng))
        distance, _ = misses(plan, truth, result)
        if not (result.success and distance < 1e-6):
            lost.append((number, str(result.status), distance))
        assert np.all((result.dofs >= plan.lower) & (result.dofs <= plan.upper))
    assert lost == []
