"""PlaCo: a quadratic program a step, on top of Pinocchio."""

from __future__ import annotations

import time

import numpy as np
import placo

from peers.arms import Array
from peers.base import Stepper


class Adapter(Stepper):
    package = "placo"
    settings = "soft frame task, `solve(True)` in a loop, limits in the program, 60 steps a try, random restarts"

    def prepare(self) -> None:
        self.robot = placo.RobotWrapper(self.file(), placo.Flags.ignore_collisions)
        self.solver = placo.KinematicsSolver(self.robot)
        self.solver.mask_fbase(True)
        self.solver.enable_joint_limits(True)
        self.solver.enable_velocity_limits(False)
        self.task = self.solver.add_frame_task(self.arm.tip, np.eye(4))
        self.task.configure("tip", "soft", 1.0, 1.0)
        self.solver.add_regularization_task(1e-6)
        offset = self.robot.get_joint_offset(self.arm.joints[0])
        self.part = slice(offset, offset + len(self.arm.joints))

    def descend(self, target: object, seed: Array, deadline: float) -> tuple[Array, bool]:
        robot, part = self.robot, self.part
        state = robot.state.q.copy()
        state[part] = seed
        robot.state.q = state
        robot.update_kinematics()
        self.task.T_world_frame = target
        place, turn = self.task.position(), self.task.orientation()
        last = np.inf
        for k in range(60):
            q = robot.state.q[part].copy()
            self.solver.solve(True)  # notes the errors before its step
            robot.update_kinematics()
            distance, angle = place.error_norm(), turn.error_norm()
            if self.near(distance, angle):
                return q, True
            if k % 10 == 9:
                if distance + angle > 0.9 * last or time.process_time() > deadline:
                    break
                last = distance + angle
        return robot.state.q[part].copy(), False
