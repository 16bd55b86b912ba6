"""Mink: tasks in Python on top of MuJoCo, a quadratic program by qpsolvers."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import mink
import mujoco
import numpy as np

from peers.step_base import Controller
from peers.step_scene import Array, Wish


class Adapter(Controller):
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
        at = {int(self.model.joint(name).qposadr[0]): len(scene.start) - len(scene.joints) + k
              for k, name in enumerate(scene.joints)}  # fmt: skip
        self.order = np.array(root + [at[k] for k in sorted(at)])
        self.start = scene.start[self.order]
        speeds = dict(zip(scene.joints, scene.speed, strict=True))
        self.limits = [mink.ConfigurationLimit(self.model, gain=0.5), mink.VelocityLimit(self.model, speeds)]
        self.tasks = [self._task(wish) for wish in scene.wishes]

    def _task(self, wish: Wish) -> Any:
        if wish.kind == "posture":
            task = mink.PostureTask(self.model, cost=wish.cost)
            task.set_target(self.start)
            return task
        values: list[Any] = list(wish.targets)
        if wish.kind == "frame":
            task = mink.FrameTask(wish.frame, "body", position_cost=wish.cost, orientation_cost=wish.turn_cost)
            values = [mink.SE3.from_matrix(matrix) for matrix in wish.targets]
        else:
            task = mink.ComTask(cost=wish.cost)
        self.targets.append((task.set_target, values))
        return task

    def reset(self) -> None:
        self.configuration = mink.Configuration(self.model, self.start)

    def step(self) -> None:
        v = mink.solve_ik(self.configuration, self.tasks, self.scene.dt, "daqp", limits=self.limits)
        self.configuration.integrate_inplace(v, self.scene.dt)

    def q(self) -> Array:
        q = np.empty(len(self.start))
        q[self.order] = self.configuration.q
        return q
