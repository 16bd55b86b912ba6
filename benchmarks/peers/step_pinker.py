"""Pinker: Pink's interface on kinematics of its own."""

from __future__ import annotations

import pinker
import pinker.limits
import pinker.tasks
from pinker import kinematics

from peers.step_base import PinkSteps
from peers.step_scene import Array


class Adapter(PinkSteps):
    library = pinker
    package = "pinker"

    def load(self) -> None:
        root = kinematics.JointModelFreeFlyer() if self.scene.floating else None
        self.model = kinematics.build_model_from_urdf(self.file(), root)
        self.data = self.model.create_data()

    def pose(self, matrix: Array) -> object:
        return kinematics.SE3(matrix[:3, :3], matrix[:3, 3])
