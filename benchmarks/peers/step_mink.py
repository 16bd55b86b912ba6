"""Mink: tasks in Python on top of MuJoCo, a quadratic program by qpsolvers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import mink
import mujoco
import numpy as np

from peers.step_base import TaskSteps
from peers.step_scene import Array, Wish


class Adapter(TaskSteps):
    package = "mink"
    settings = "`solve_ik` with daqp, then `integrate_inplace`; limits as pink"

    def prepare(self) -> None:
        scene = self.scene
        robot = ET.fromstring(scene.urdf)
        compiler = {"fusestatic": "false", "boundmass": "0", "autolimits": "true"}  # links stay bodies
        ET.SubElement(ET.SubElement(robot, "mujoco"), "compiler", compiler)
        spec = mujoco.MjSpec.from_string(ET.tostring(robot, encoding="unicode"))
        if scene.floating:
            spec.worldbody.first_body().add_freejoint()
        self.model = spec.compile()
        root = [0, 1, 2, 6, 3, 4, 5] if scene.floating else []  # where its numbers stand among ours
        at = {self.model.joint(name).qposadr[0]: len(root) + k for k, name in enumerate(scene.joints)}
        self.order = np.array(root + [at[k] for k in sorted(at)])
        self.start = scene.start[self.order]
        speeds = dict(zip(scene.joints, scene.speed, strict=True))
        self.limits = [mink.ConfigurationLimit(self.model, gain=0.5), mink.VelocityLimit(self.model, speeds)]
        self.add_tasks()

    def task(self, wish: Wish) -> Any:
        if wish.kind == "frame":
            return mink.FrameTask(wish.frame, "body", position_cost=wish.cost, orientation_cost=wish.turn_cost)
        return mink.ComTask(cost=wish.cost) if wish.kind == "com" else mink.PostureTask(self.model, cost=wish.cost)

    def pose(self, matrix: Array) -> object:
        return mink.SE3.from_matrix(matrix)

    def reset(self) -> None:
        self.configuration = mink.Configuration(self.model, self.start)

    def step(self) -> None:
        v = mink.solve_ik(self.configuration, self.tasks, self.scene.dt, "daqp", limits=self.limits)
        self.configuration.integrate_inplace(v, self.scene.dt)

    def q(self) -> Array:
        q = np.empty(len(self.start))
        q[self.order] = self.configuration.q
        return q
