"""PlaCo: tasks and a quadratic program in C++ on top of Pinocchio."""

from __future__ import annotations

from functools import partial

import numpy as np
import placo

from peers.step_base import Controller
from peers.step_scene import Array, Wish


class Adapter(Controller):
    package = "placo"
    settings = "`solve(True)`, then `update_kinematics`; soft tasks, joint limits (no gain), velocity limits"

    def prepare(self) -> None:
        scene = self.scene
        self.robot = placo.RobotWrapper(self.file(), placo.Flags.ignore_collisions)
        self.solver = placo.KinematicsSolver(self.robot)
        self.solver.dt = scene.dt
        self.solver.enable_joint_limits(True)
        self.solver.enable_velocity_limits(True)
        self.solver.mask_fbase(not scene.floating)
        self.order = np.array([self.robot.get_joint_offset(joint) for joint in scene.joints])
        if scene.floating:
            self.order = np.concatenate([np.arange(7), self.order])
        self.start = np.array(self.robot.state.q)
        self.start[self.order] = scene.start
        for wish in scene.wishes:
            self._add(wish)

    def _add(self, wish: Wish) -> None:
        weight = wish.cost**2
        if wish.kind == "posture":
            task = self.solver.add_joints_task()
            angles = self.scene.start[-len(self.scene.joints) :]
            task.set_joints(dict(zip(self.scene.joints, map(float, angles), strict=True)))
            task.configure("posture", "soft", weight)
            return
        if wish.kind == "frame":
            task = self.solver.add_frame_task(wish.frame, wish.targets[0])
            task.configure(wish.frame, "soft", weight, wish.turn_cost**2)
            target = "T_world_frame"
        else:
            task = self.solver.add_com_task(wish.targets[0])
            task.configure("com", "soft", weight)
            target = "target_world"
        self.targets.append((partial(setattr, task, target), list(wish.targets)))

    def reset(self) -> None:
        self.robot.state.q = self.start
        self.robot.update_kinematics()

    def step(self) -> None:
        self.solver.solve(True)
        self.robot.update_kinematics()

    def q(self) -> Array:
        return np.array(self.robot.state.q)[self.order]
