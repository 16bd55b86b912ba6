"""Which joints a solver may move, how they move its frame, and how far configurations of them are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.batch import difference, frame_jacobians, frame_placements, integrate
from pantin.kinematics.configurations import clamp
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.joints import JT_REVOLUTE
from pantin.reaching.doors import moving_joints
from pantin.reaching.turns import opened, turned_within

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["Moving", "moving_of", "placement"]

#: Configurations less than this apart, rad and m, are one.
_SAME = 1e-4


class Moving:
    """The joints that move a solver's frame against its root and are not locked, with the masters of mimics.

    Attributes:
        joints: The joints.
        entries: True for their numbers in a configuration, shape (nq,).
        velocities: Where they stand in a velocity, shape (k,).
    """

    def __init__(self, solver: ReachSolver) -> None:
        """The joints of the solver's model as it is now."""
        model, ready = solver.model, solver._readiness
        joints = [model.joints[i] for i in sorted(moving_joints(model, solver._frame, solver._root))]
        self.joints = [joint for joint in joints if ready is None or ready[joint.idx_v] > 0.0]
        self.entries = np.zeros(model.nq, dtype=bool)
        for joint in self.joints:
            self.entries[joint.idx_q : joint.idx_q + joint.nq] = True
        self.velocities = np.array([joint.idx_v + k for joint in self.joints for k in range(joint.nv)], dtype=np.intp)
        # For a hinge that none follows a whole turn changes nothing.
        followed = {int(joint.mimic.master) for joint in model.joints if joint.mimic is not None}
        winding = [joint for joint in self.joints if joint.jtype == JT_REVOLUTE and joint.id not in followed]
        self._hinges = np.array([joint.idx_q for joint in winding], dtype=np.intp)
        self._turns = np.isin(self.velocities, [joint.idx_v for joint in winding])
        self._solver = solver

    def twists(self, q: Array) -> Array:
        """How the joints move the frame against the root, along the root's axes.

        Args:
            q: Configurations, shape (..., nq).

        Returns:
            Jacobians, shape (..., 6, k), of the frame's origin in metres, then of its rotation in radians.
        """
        solver, axes = self._solver, ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = frame_jacobians(solver.model, solver._frame, q, axes)[..., self.velocities]
        if solver._root == 0:
            return J
        root, frame = (frame_placements(solver.model, index, q) for index in (solver._root, solver._frame))
        own = frame_jacobians(solver.model, solver._root, q, axes)[..., self.velocities]
        arm = frame[..., :3, 3] - root[..., :3, 3]
        J -= own
        J[..., :3, :] -= np.cross(own[..., 3:, :], arm[..., None], axis=-2)
        parts = J.reshape(*J.shape[:-2], 2, 3, J.shape[-1])
        back: Array = np.swapaxes(root[..., None, :3, :3], -1, -2) @ parts
        return back.reshape(J.shape)

    def within(self, q: Array) -> Array:
        """A configuration with all joints moved into their limits."""
        return clamp(self._solver.model, q)

    def moved(self, q: Array, steps: Array) -> Array:
        """Configurations after steps of these joints, shape (..., k)."""
        full = np.zeros((*steps.shape[:-1], self._solver.model.nv))
        full[..., self.velocities] = steps
        return integrate(self._solver.model, q, full)

    def distances(self, q: Array, other: Array) -> Array:
        """Largest motion of one joint from each configuration to another, rad or m."""
        return np.asarray(self._gaps(q, other).max(axis=-1, initial=0.0))

    def unwound(self, q: Array, seed: Array, *, whole_turns: bool = False) -> Array:
        """Configurations with each hinge in the turn next to the seed's, or in all turns that limits allow."""
        if not len(self._hinges):
            return q
        low, high = self._solver.model.lower_position_limit, self._solver.model.upper_position_limit
        low, high = opened(low[self._hinges], high[self._hinges])
        angles, rows = turned_within(q[:, self._hinges], seed[self._hinges], low, high, whole_turns)
        turned = q[rows]
        turned[:, self._hinges] = angles
        return turned

    def apart(self, q: Array, count: int) -> npt.NDArray[np.intp]:
        """At most `count` rows: the first, then always the farthest from those before (Gonzalez 1985); none twice."""
        if not len(q):
            return np.zeros(0, dtype=np.intp)
        chosen, nearest = [0], self._ways(q, q[0])
        while len(chosen) < count and nearest.max() > _SAME:
            chosen.append(int(nearest.argmax()))
            nearest = np.minimum(nearest, self._ways(q, q[chosen[-1]]))
        return np.array(chosen, dtype=np.intp)

    def apart_from(self, q: Array, other: Array) -> npt.NDArray[np.bool_]:
        """Which rows are more than another configuration, whole turns aside."""
        return self._ways(q, other) > _SAME

    def _ways(self, q: Array, other: Array) -> Array:
        """Length of the way from each row to another configuration, whole turns aside."""
        gaps = self._gaps(q, other)
        gaps[:, self._turns] = np.abs(np.remainder(gaps[:, self._turns] + np.pi, 2.0 * np.pi) - np.pi)
        return np.asarray(np.linalg.norm(gaps, axis=-1))

    def _gaps(self, q: Array, other: Array) -> Array:
        """How far each velocity leads from configurations to another."""
        return np.abs(difference(self._solver.model, other, q)[..., self.velocities])


def moving_of(solver: ReachSolver) -> Moving:
    """The moving joints of a solver's model as it is now; the solver keeps them."""
    kept: tuple[int, Moving] | None = solver._moving
    if kept is None or kept[0] != solver.model.version:
        solver._moving = kept = (solver.model.version, Moving(solver))
    return kept[1]


def placement(solver: ReachSolver, q: Array) -> tuple[Array, Array]:
    """Position (..., 3) and rotation (..., 3, 3) of a solver's frame, seen from its root."""
    root, frame = (frame_placements(solver.model, index, q) for index in (solver._root, solver._frame))
    back = np.swapaxes(root[..., :3, :3], -1, -2)
    return (back @ (frame[..., :3, 3:] - root[..., :3, 3:]))[..., 0], back @ frame[..., :3, :3]
