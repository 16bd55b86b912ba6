"""The objective of a fit to several sources at once as one stack of residuals, and its minimum by SciPy.

Predictions are those of the package's public kinematics and cameras, which tests of their own judge; frames of joints
come from the tests' own tree.
"""

from __future__ import annotations

import numpy as np
from reference import LOSSES
from reference_tree import Tree, from_quaternion
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from pantin.fitting.state import State


class Stacked:
    """Residuals of one frame, each scaled so that the sum of their squares is the objective.

    Args:
        plan: The body plan.
        options: `FitOptions`.
        sources: The sources.
        positions: What each observed, as a fit takes it; NaN where missing.
        scales: What each source's misfits are relative to.
        weights: Weights of each, or None.
    """

    def __init__(self, plan, options, sources, positions, scales, weights=None):
        self.plan, self.options, self.sources, self.tree = plan, options, sources, Tree(plan.to_dict())
        self.positions = [np.asarray(each, dtype=float) for each in positions]
        self.scales = scales
        self.weights = [None] * len(sources) if weights is None else weights
        unit = plan.length if options.scale_free else 1.0
        self.pull = options.neutral_weight * plan.dof_weight / np.where(plan.dof_is_slide, unit, 1.0) ** 2

    def misfits(self, source, given, state):
        """Observed less predicted, shape (observations, numbers), and scalers of the weights."""
        plan, heavy = self.plan, self.plan.joint_weight
        keypoints = plan.keypoints(state)
        match source.kind:
            case "points":
                return given - keypoints, heavy
            case "xy":
                return given - keypoints[:, :2], heavy
            case "camera":
                return given - source.project(keypoints), heavy
            case "distance":
                first, second = np.array([[plan.joint(name) for name in pair] for pair in source.pairs]).T
                apart = np.linalg.norm(keypoints[first] - keypoints[second], axis=1)
                return (given - apart)[:, None], np.sqrt(heavy[first] * heavy[second])
        joints = [plan.joint(name) for name in source.joints]
        where = (state.root_pos, from_quaternion(state.root_quat_wxyz), state.dofs)
        frames = self.tree.frames(where)[1][joints]
        left = Rotation.from_quat(given, scalar_first=True) * Rotation.from_matrix(frames).inv()
        return left.as_rotvec(), heavy[joints]

    def residuals(self, state):
        """The stack."""
        parts = [np.sqrt(self.pull) * (state.dofs - self.plan.neutral)]
        for source, given, scale, weights in zip(self.sources, self.positions, self.scales, self.weights, strict=True):
            seen = ~np.isnan(given).reshape(len(given), -1).any(axis=1)
            filled = np.where(np.isnan(given), [1.0, 0.0, 0.0, 0.0] if source.kind == "orientation" else 0.0, given)
            r, heavy = self.misfits(source, filled, state)
            r = np.where(seen[:, None], r, 0.0) / scale
            e2 = np.maximum(np.sum(r * r, axis=1), 1e-300)
            rho = LOSSES[self.options.loss](e2, self.options.loss_scale**2)[0]
            w = np.where(seen, heavy * (1.0 if weights is None else weights) * rho / e2, 0.0)
            parts.append((np.sqrt(w)[:, None] * r).ravel())
        return np.concatenate(parts)

    def cost(self, state):
        """The objective."""
        return float(np.sum(self.residuals(state) ** 2))

    def minimum(self, start):
        """The lowest objective that bounded trust-region least squares reach from a state."""
        plan, root = self.plan, self.plan.tangent_dim - self.plan.n_dofs
        lower = np.concatenate([np.full(root, -np.inf), plan.lower])
        upper = np.concatenate([np.full(root, np.inf), plan.upper])

        def state_at(x, base):
            if not root:
                return State(base.root_pos, base.root_quat_wxyz, x)
            moved = plan.step(base, np.concatenate([x[:6], np.zeros(plan.n_dofs)]))
            return State(moved.root_pos, moved.root_quat_wxyz, x[6:])

        state = State(start.root_pos, start.root_quat_wxyz, np.clip(start.dofs, plan.lower, plan.upper))
        for _ in range(3):  # the rotation is told from the last round's
            first = np.concatenate([np.zeros(root), state.dofs])
            found = least_squares(
                lambda x, base=state: self.residuals(state_at(x, base)), first, bounds=(lower, upper),
                xtol=1e-13, ftol=1e-13, gtol=1e-13, max_nfev=100,
            )  # fmt: skip
            last, state = state, state_at(found.x, state)
            if 2.0 * found.cost > self.cost(last) * (1.0 - 1e-10):
                break
        return self.cost(state)
