"""The minimum that a fit is measured by: bounded trust-region least squares of SciPy, to 1e-12, on our kinematics."""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from pantin.arrays import Array
from pantin.fitting import BodyPlan, State

SETTINGS = "`least_squares`, trf, bounds, ftol = xtol = gtol = 1e-12"


def minimum(plan: BodyPlan, target: Array, start: State, neutral_weight: float) -> tuple[State, float]:
    """State and objective of the minimum for points (K, 3) near a start."""
    seen = ~np.isnan(target[:, 0])
    roots = np.repeat(np.sqrt(plan.joint_weight[seen]), 3) / plan.length
    pull = np.sqrt(neutral_weight * plan.dof_weight) / np.where(plan.dof_is_slide, plan.length, 1.0)
    first = plan.tangent_dim - plan.n_dofs
    state = start

    def at(x: Array) -> State:
        return plan.step(state, np.concatenate([x[:first], x[first:] - state.dofs]))

    def residuals(x: Array) -> Array:
        there = at(x)
        misfit = (plan.keypoints(there)[seen] - target[seen]).ravel() * roots
        return np.concatenate([misfit, pull * (there.dofs - plan.neutral)])

    def jacobian(x: Array) -> Array:
        J = plan.keypoint_jacobian(at(x))[seen].reshape(-1, plan.tangent_dim) * roots[:, None]
        if first:
            J[:, 3:6] = J[:, 3:6] @ _left(x[3:6])
        return np.concatenate([J, np.eye(plan.tangent_dim)[first:] * pull[:, None]])

    lower = np.concatenate([np.full(first, -np.inf), plan.lower])
    upper = np.concatenate([np.full(first, np.inf), plan.upper])
    x = np.concatenate([np.zeros(first), np.clip(start.dofs, plan.lower, plan.upper)])
    found = least_squares(
        residuals, x, jacobian, bounds=(lower, upper), xtol=1e-12, ftol=1e-12, gtol=1e-12, max_nfev=500
    )
    return at(found.x), float(2.0 * found.cost)


def objective(plan: BodyPlan, target: Array, state: State, neutral_weight: float) -> Array:
    """The objective of frames (T, K, 3) at states."""
    misfit = np.nansum((plan.keypoints(state) - target) ** 2, axis=-1) @ plan.joint_weight / plan.length**2
    away = (state.dofs - plan.neutral) / np.where(plan.dof_is_slide, plan.length, 1.0)
    return np.asarray(misfit + neutral_weight * away**2 @ plan.dof_weight)


def _left(v: Array) -> Array:
    """Matrix J with exp(v + d) = exp(J d) exp(v) to first order."""
    angle = float(np.linalg.norm(v))
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    if angle < 1e-5:
        return np.eye(3) + K / 2.0
    return np.asarray(np.eye(3) + (1.0 - np.cos(angle)) / angle**2 * K + (angle - np.sin(angle)) / angle**3 * K @ K)
