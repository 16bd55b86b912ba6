"""Mink: tasks and a quadratic program a step, on top of MuJoCo, looped to convergence."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import mink
import mujoco
import numpy as np

from peers.arms import Array
from peers.base import TaskLoop


class Adapter(TaskLoop):
    package = "mink"
    settings = "frame task 1/1, lm_damping 1e-6, limits, daqp, dt = 1, 30 steps a try, random restarts"

    def prepare(self) -> None:
        robot = ET.fromstring(self.arm.urdf)
        ET.SubElement(ET.SubElement(robot, "mujoco"), "compiler", fusestatic="false", strippath="false")
        model = mujoco.MjModel.from_xml_string(ET.tostring(robot, encoding="unicode"))
        self.configuration = mink.Configuration(model)
        self.task = mink.FrameTask(self.arm.tip, "body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)
        self.limits = [mink.ConfigurationLimit(model, gain=0.95)]

    def target(self, pose: Array) -> object:
        return mink.SE3.from_matrix(pose)

    def velocity(self) -> Array:
        return np.asarray(mink.solve_ik(self.configuration, [self.task], 1.0, "daqp", damping=1e-9, limits=self.limits))
