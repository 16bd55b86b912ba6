"""The numbers that were worked out for fits, with other programs, to the digits shown."""

import dataclasses

import numpy as np
import pytest
import worked_examples as examples

from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit

#: No scale of its own, so that E is in squared length units; and no stop before the digits are there.
ABSOLUTE = FitOptions(
    scale_free=False, position_tolerance=1e-9, angle_tolerance=1e-9, cost_tolerance=0.0, max_iterations=200
)
START = {"root_pos": (0.2, -0.1, 0.5), "root_quat_wxyz": (0.9, 0.1, 0.3, -0.3), "dofs": (0.3, -0.5, 1.1, 0.08)}


@pytest.fixture(scope="module")
def hopper():
    return BodyPlan.from_dict(examples.HOPPER)


@pytest.mark.parametrize("init", [None, START], ids=["cold", "warm"])
@pytest.mark.parametrize("case", examples.HOPPER_MINIMA)
def test_minima_of_the_hopper(hopper, case, init):
    positions, lam, cost, root, dofs, shares = examples.HOPPER_MINIMA[case]
    options = dataclasses.replace(ABSOLUTE, neutral_weight=lam)
    result = FitSolver(hopper, options).solve(positions, init=init)
    assert result.success
    assert result.status == "converged"
    assert result.cost == pytest.approx(cost, abs=0.6e-10)
    assert result.cost_data.sum() + result.cost_prior == pytest.approx(cost, abs=0.6e-10)
    assert result.root_pos == pytest.approx(root, abs=0.6e-7)
    assert result.dofs == pytest.approx(dofs, abs=0.6e-7)
    assert result.observability == pytest.approx(shares, abs=0.6e-6, nan_ok=True)
    limited = case == "mast at its limit"
    assert result.at_limit.tolist() == [0, 0, 0, int(limited)]
    if limited:
        assert result.dofs[3] == 0.2  # limits hold exactly
    if case == "all seen":
        assert result.root_quat_wxyz == pytest.approx(examples.HOPPER_QUATERNION, abs=0.6e-7)
    distances = np.linalg.norm(positions - hopper.keypoints(result.state), axis=1)
    assert result.residual == pytest.approx(distances, nan_ok=True, abs=1e-12)


def test_the_elbow_of_the_normal_equations():
    plan = BodyPlan.from_dict(examples.ELBOW)
    options = FitOptions(scale_free=False, neutral_weight=0.01, max_iterations=1, damping=0.0)
    at_start = fit(
        plan,
        examples.ELBOW_POSITIONS,
        examples.ELBOW_WEIGHTS,
        init={"dofs": np.radians([30.0])},
        options=dataclasses.replace(options, lock="elbow"),
    )
    assert at_start.cost == pytest.approx(examples.ELBOW_NUMBERS["E"], abs=0.6e-10)
    assert np.isnan(at_start.residual[0])
    assert at_start.residual[1:] == pytest.approx([0.1, np.hypot(0.066025, 0.1)], abs=1e-6)


def test_a_limit_is_part_of_the_minimisation():
    plan = BodyPlan.from_dict(examples.LIMITED)
    options = dataclasses.replace(ABSOLUTE, neutral_weight=0.0)
    for init in (None, {"dofs": (0.29947, 0.5)}, {"dofs": (-0.4, -0.5)}, {"dofs": (0.6, -0.2)}):
        result = fit(plan, examples.LIMITED_POSITIONS, options=options, init=init)
        assert result.status == "converged"
        assert result.dofs == pytest.approx(examples.LIMITED_MINIMUM["dofs"], abs=0.6e-7)
        assert result.cost == pytest.approx(examples.LIMITED_MINIMUM["E"], abs=0.6e-10)
        assert result.at_limit.tolist() == [0, 1]
        assert result.iterations < 30


def test_convergence_at_a_limit_by_the_default_tolerances():
    plan = BodyPlan.from_dict(examples.LIMITED)
    result = fit(plan, examples.LIMITED_POSITIONS, options=FitOptions(scale_free=False, neutral_weight=0.0))
    assert result.status == "converged"
    assert result.dofs == pytest.approx(examples.LIMITED_MINIMUM["dofs"], abs=1e-4)


@pytest.mark.parametrize("loss", examples.LOSSES)
@pytest.mark.parametrize("which", [0, 1])
def test_values_of_robust_losses(loss, which):
    distance, expected = (0.2, 0.03)[which], examples.LOSSES[loss][which]
    plan = BodyPlan.from_dict(examples.plan(examples.joint("point", None, (0, 0, 0))))
    result = fit(plan, [[0.0, distance, 0.0]], options=FitOptions(loss=loss, scale_free=False))
    assert result.cost == pytest.approx(expected, abs=0.6e-10)
    slopes = {"linear": 1.0, "huber": 0.25, "soft_l1": 17**-0.5, "cauchy": 1 / 17, "geman_mcclure": 1 / 17**2}
    assert bool(result.outlier[0]) == (which == 0 and slopes[loss] < 0.25)


def test_nothing_seen_rests_where_the_prior_puts_it(hopper):
    nothing = np.full((6, 3), np.nan)
    start = {**START, "dofs": (0.3, -0.5, 1.1, 0.08)}
    result = fit(hopper, nothing, init=start)
    assert result.status == "no_observations"
    assert not result.success
    assert result.dofs == pytest.approx(hopper.neutral, abs=1e-12)
    assert result.root_pos == pytest.approx(START["root_pos"], abs=0.0)
    assert result.cost == pytest.approx(0.0, abs=1e-15)
    outside = examples.plan(
        examples.joint("base", None, (0, 0, 0)),
        examples.joint("arm", "base", (1, 0, 0), examples.hinge(examples.Z, 0.7, [-0.5, 0.5])),
        examples.joint("hand", "arm", (1, 0, 0)),
    )
    clipped = fit(BodyPlan.from_dict(outside), np.full((3, 3), np.nan))
    assert clipped.status == "no_observations"
    assert clipped.dofs.tolist() == [0.5]
    assert clipped.cost == pytest.approx(1e-3 * 0.2**2, rel=1e-12)
    kept = fit(hopper, nothing, init=start, options=FitOptions(neutral_weight=0.0))
    assert kept.dofs == pytest.approx(START["dofs"], abs=0.0)
