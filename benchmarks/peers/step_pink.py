"""Pink: tasks in Python on top of Pinocchio, a quadratic program by qpsolvers."""

from __future__ import annotations

import pink
import pink.limits
import pink.tasks
import pinocchio as pin

from peers.step_base import PinkSteps
from peers.step_scene import Array


class Adapter(PinkSteps):
    library = pink
    package = "pin-pink"

    def load(self) -> None:
        self.model = pin.buildModelFromXML(self.scene.urdf, *([pin.JointModelFreeFlyer()] * self.scene.floating))
        self.data = self.model.createData()

    def pose(self, matrix: Array) -> object:
        return pin.SE3(matrix)
