"""Dynibo: damped least squares in Rust, without limits or restarts of its own."""

from __future__ import annotations

import dynibo
import numpy as np

from peers.arms import Array
from peers.base import Stepper, xyzw


class Adapter(Stepper):
    package = "dynibo"
    settings = "30 iterations, steps of at most 1.0, random restarts in Python where it fails or leaves the limits"

    def prepare(self) -> None:
        self.robot = dynibo.Robot.from_urdf(self.file())
        self.link = self.robot.link_id(self.arm.tip)
        self.options = dynibo.IkOptions(
            max_iterations=30,
            max_step_norm=1.0,
            translation_tolerance=self.position_tolerance,
            rotation_tolerance=self.rotation_tolerance,
        )

    def target(self, pose: Array) -> object:
        place = tuple(float(x) for x in pose[:3, 3])
        return dynibo.Pose(translation=place, rotation_xyzw=tuple(xyzw(pose[:3, :3])))

    def descend(self, target: object, seed: Array, deadline: float) -> tuple[Array, bool]:
        try:
            q = np.asarray(self.robot.inverse_kinematics(seed, self.link, target, self.options))
        except dynibo.SolverError:
            return seed, False
        return q, bool(np.all(q >= self.arm.lower) and np.all(q <= self.arm.upper))
