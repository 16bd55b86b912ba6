"""Standard deviations of a fit are those of many noisy copies."""

import numpy as np
import pytest
import worked_examples as examples

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, fit
from pantin.fitting.state import State

COPIES = 2000


def copies(plan, truth, noise, **options):
    """Fits of noisy copies of a pose."""
    rng = np.random.default_rng(0)
    keypoints = plan.keypoints(truth)
    spread = noise / np.sqrt(plan.joint_weight)[:, None]  # a weight is an inverse variance
    positions = keypoints + spread * rng.normal(size=(COPIES, *keypoints.shape))
    result = fit(plan, positions, init=truth, options=FitOptions(neutral_weight=1e-9, **options))
    assert np.all(result.success)
    return result


@pytest.mark.parametrize("name", ["hopper", "walker"])
def test_monte_carlo(name):
    if name == "hopper":
        plan = BodyPlan.from_dict(examples.HOPPER)
        truth = State(np.array([0.2, -0.1, 0.5]), np.array([0.9, 0.1, 0.3, -0.3]), np.array([0.3, -0.5, 1.1, 0.08]))
    else:
        plan = BodyPlan.load(samples.body_plan("walker"))
        truth = plan.neutral_state()
    noise = 1e-3 * plan.length  # so little that the fit is linear and no limit is met
    result = copies(plan, truth, noise)
    told = np.sqrt(np.mean(result.dof_std**2, axis=0))
    assert not result.at_limit.any()
    assert result.dofs.std(axis=0, ddof=1) == pytest.approx(told, rel=0.1)
    if name == "hopper":
        spread = np.cov(np.concatenate([result.root_pos, result.dofs], axis=1).T)
        matrix = result[:1].covariance(variance=(noise / plan.length) ** 2)[0]
        kept = [0, 1, 2, 6, 7, 8, 9]
        scale = np.sqrt(np.outer(np.diag(spread), np.diag(spread)))
        assert matrix[np.ix_(kept, kept)] / scale == pytest.approx(spread / scale, abs=0.1)


def test_the_variance_of_residuals_is_that_of_the_noise():
    plan = BodyPlan.from_dict(examples.HOPPER)
    truth = State(np.array([0.2, -0.1, 0.5]), np.array([0.9, 0.1, 0.3, -0.3]), np.array([0.3, -0.5, 1.1, 0.08]))
    noise = 1e-3 * plan.length
    result = copies(plan, truth, noise)
    told = np.mean(result.dof_std**2, axis=0)
    exact = result[:1].covariance(variance=(noise / plan.length) ** 2)[0].diagonal()[6:]
    assert told == pytest.approx(exact, rel=0.05)


def test_observability_is_the_share_that_a_change_of_neutral_does_not_move():
    # o = 1 - lambda (H^-1)_jj is one less the derivative of the fitted value by its own neutral value
    content = examples.HOPPER
    step, options = (
        1e-4,
        FitOptions(
            scale_free=False, position_tolerance=1e-12, angle_tolerance=1e-12, cost_tolerance=0.0, max_iterations=300
        ),
    )
    plan = BodyPlan.from_dict(content)
    truth = State(np.array([0.2, -0.1, 0.5]), np.array([0.9, 0.1, 0.3, -0.3]), plan.neutral + 0.01)
    positions = plan.keypoints(truth)
    result = fit(plan, positions, options=options)
    for index, (joint, dof) in enumerate([(1, 0), (1, 1), (2, 0), (4, 0)]):
        values = []
        for sign in (1.0, -1.0):
            moved = plan.to_dict()
            moved["joints"][joint]["dofs"][dof]["neutral"] += sign * step
            values.append(fit(BodyPlan.from_dict(moved), positions, options=options).dofs[index])
        derivative = (values[0] - values[1]) / (2.0 * step)
        assert 1.0 - derivative == pytest.approx(result.observability[index], abs=2e-3)
