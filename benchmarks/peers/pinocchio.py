"""The loop that people write by hand on top of Pinocchio: Levenberg-Marquardt within limits."""

from __future__ import annotations

import time

import numpy as np
import pinocchio as pin

from peers.arms import Array
from peers.base import Stepper


class Adapter(Stepper):
    package = "pin"
    settings = "loop in Python: LM, damping 0.5 e² + 1e-9, clamped to the limits, 50 steps a try, random restarts"

    def prepare(self) -> None:
        self.model = pin.buildModelFromXML(self.arm.urdf)
        self.data = self.model.createData()
        self.frame = self.model.getFrameId(self.arm.tip)

    def target(self, pose: Array) -> object:
        return pin.SE3(pose)

    def descend(self, target: object, seed: Array, deadline: float) -> tuple[Array, bool]:
        model, data, frame, q, unit = self.model, self.data, self.frame, seed, np.eye(len(seed))
        for _ in range(50):
            pin.framesForwardKinematics(model, data, q)
            error = pin.log6(data.oMf[frame].actInv(target)).vector
            if self.near(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])):
                return q, True
            J = pin.computeFrameJacobian(model, data, q, frame, pin.LOCAL)
            step = np.linalg.solve(J.T @ J + (0.5 * (error @ error) + 1e-9) * unit, J.T @ error)
            last, q = q, np.clip(q + step, self.arm.lower, self.arm.upper)
            if np.abs(q - last).max() < 1e-9 or time.process_time() > deadline:
                break
        return q, False
