"""The loop that people write by hand to fit keypoints on top of Pinocchio: Gauss-Newton with full steps.

Damping 1e-6, at most 10 steps, steps of 1e-3 end it; steps are clamped to the limits after they are made. Lengths are
in units of the model length, so that it minimises the same objective.
"""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from pantin.arrays import Array
from pantin.fitting import BodyPlan

SETTINGS = "loop in Python: Gauss-Newton, damping 1e-6, full steps clamped to the limits, tolerances 1e-3, at most 10"


class Loop:
    """Fits frames of points in space, one after the other."""

    def __init__(self, plan: BodyPlan, neutral_weight: float) -> None:
        self.plan, self.pull = plan, np.zeros(plan.tangent_dim)
        self.free = not plan.fixed_base
        self.root = 6 if self.free else 0
        self.pull[self.root :] = neutral_weight * plan.dof_weight  # lengths are in units of the model length
        self.model, self.frames = _model(plan)
        self.data = self.model.createData()
        self.placements = [self.data.oMf[frame] for frame in self.frames]
        self.moves = _moves(plan)[:, None, :]
        self.unit = np.where(plan.dof_is_slide, plan.length, 1.0)
        self.neutral, self.lower, self.upper = (each / self.unit for each in (plan.neutral, plan.lower, plan.upper))

    def q(self, root_pos: Array, root_quat_wxyz: Array, dofs: Array) -> Array:
        """A configuration, of a state in the plan's unit."""
        root = [root_pos / self.plan.length, np.roll(root_quat_wxyz, -1)] if self.free else []
        return np.concatenate([*root, dofs / self.unit])

    def state(self, q: Array) -> dict[str, Array]:
        """A state in the plan's unit, of a configuration."""
        if not self.free:
            return {"dofs": q * self.unit}
        return {"root_pos": q[:3] * self.plan.length, "root_quat_wxyz": np.roll(q[3:7], 1), "dofs": q[7:] * self.unit}

    def solve(self, target: Array, q: Array) -> Array:
        """The configuration that fits points (K, 3) in units of the model length, from one to start with."""
        seen = ~np.isnan(target[:, 0])
        roots = np.repeat(np.sqrt(self.plan.joint_weight[seen]), 3)[:, None]
        wanted, angles = target[seen], slice(7 if self.free else 0, None)
        for _ in range(10):
            keypoints, J = self._derivatives(q)
            J = J[seen].reshape(-1, J.shape[-1]) * roots
            g = J.T @ ((wanted - keypoints[seen]).reshape(-1) * roots[:, 0])
            g[self.root :] += self.pull[self.root :] * (self.neutral - q[angles])
            H = J.T @ J
            diagonal = H.diagonal() + self.pull
            np.fill_diagonal(H, diagonal + 1e-6 * np.maximum(diagonal, 1.0))
            step = np.linalg.solve(H, g)
            q = pin.integrate(self.model, q, step)
            q[angles] = np.clip(q[angles], self.lower, self.upper)
            if np.abs(step).max() <= 1e-3:
                break
        return q

    def stream(self, targets: Array, q: Array) -> list[Array]:
        """The configurations that fit frames one after the other."""
        found = []
        for target in targets:
            q = self.solve(target, q)
            found.append(q)
        return found

    def _derivatives(self, q: Array) -> tuple[Array, Array]:
        """Keypoints (K, 3) and their Jacobians (K, 3, nv), those of all at once."""
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        keypoints = np.array([placement.translation for placement in self.placements])
        linear, angular = self.data.J[:3], self.data.J[3:]
        x, y, z = (keypoints[:, i, None] for i in range(3))
        J = np.empty((*keypoints.shape, self.model.nv))
        J[:, 0] = linear[0] + angular[1] * z - angular[2] * y
        J[:, 1] = linear[1] + angular[2] * x - angular[0] * z
        J[:, 2] = linear[2] + angular[0] * y - angular[1] * x
        return keypoints, J * self.moves


def _model(plan: BodyPlan) -> tuple[pin.Model, list[int]]:
    """One joint for each degree of freedom, one frame for each keypoint; lengths in units of the model length."""
    model, frames, tips = pin.Model(), [], []
    base = 0 if plan.fixed_base else model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    for k, parent in enumerate(plan.parents):
        joint, place = (base, pin.SE3.Identity()) if parent < 0 else tips[parent]
        place = place * pin.SE3(plan.offset_rot[k].copy(), plan.offset_pos[k] / plan.length)
        frames.append(model.addFrame(pin.Frame(plan.joint_names[k], joint, 0, place, pin.FrameType.OP_FRAME)))
        for j in np.flatnonzero(plan.dof_joint == k):
            kind = pin.JointModelPrismaticUnaligned if plan.dof_is_slide[j] else pin.JointModelRevoluteUnaligned
            joint = model.addJoint(joint, kind(plan.dof_axis[j].copy()), place, plan.dof_names[j])
            place = pin.SE3.Identity()
        tips.append((joint, place))
    return model, frames


def _moves(plan: BodyPlan) -> Array:
    """1 where a coordinate moves a keypoint, else 0, shape (K, nv)."""
    first = plan.tangent_dim - plan.n_dofs
    above = np.zeros((plan.n_joints, plan.tangent_dim))
    above[:, :first] = 1.0
    for k, parent in enumerate(plan.parents):
        if parent >= 0:
            above[k] = above[parent]
            above[k, first + np.flatnonzero(plan.dof_joint == parent)] = 1.0
    return above
