"""Pinocchio as a witness of a sample arm: poses, Jacobians, and a search of its own."""

from __future__ import annotations

import numpy as np
import pytest

import pantin

pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle here")


class Witness:
    """A sample arm in Pinocchio.

    Attributes:
        model: Its model.
    """

    def __init__(self, name, frame):
        self.model = pin.buildModelFromUrdf(str(pantin.samples.path(name)))
        self._data, self._frame = self.model.createData(), self.model.getFrameId(frame)

    def pose(self, q):
        """Pose of the frame, shape (4, 4)."""
        pin.framesForwardKinematics(self.model, self._data, q)
        return self._data.oMf[self._frame].homogeneous.copy()

    def errors(self, q, target):
        """Distance and angle to a pose."""
        missing = self.pose(q)
        turn = pin.log3(missing[:3, :3].T @ target[:3, :3])
        return np.linalg.norm(missing[:3, 3] - target[:3, 3]), np.linalg.norm(turn)

    def jacobian(self, q):
        """Jacobian of the frame along the world's axes, shape (6, nv)."""
        return pin.computeFrameJacobian(self.model, self._data, q, self._frame, pin.LOCAL_WORLD_ALIGNED)

    def search(self, target, starts):
        """Where damped Newton's steps without limits end that reach a pose, shape (n, nq)."""
        ends = []
        goal = pin.SE3(target)
        for start in starts:
            q = start.copy()
            for _ in range(60):
                pin.framesForwardKinematics(self.model, self._data, q)
                twist = pin.log6(self._data.oMf[self._frame].actInv(goal)).vector
                square = twist @ twist
                if square < 1e-24 or not np.isfinite(square):
                    break
                J = pin.computeFrameJacobian(self.model, self._data, q, self._frame, pin.LOCAL)
                step = J.T @ np.linalg.solve(J @ J.T + 1e-3 * min(square, 1.0) * np.eye(6), twist)
                q += np.clip(step, -0.5, 0.5)
            if square < 1e-20:
                ends.append(q)
        return np.array(ends).reshape(-1, self.model.nq)


def wrapped(angles):
    """Sizes of angles, whole turns aside."""
    return np.abs(np.remainder(angles + np.pi, 2.0 * np.pi) - np.pi)
