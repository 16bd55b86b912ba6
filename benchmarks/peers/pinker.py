"""Pinker: Pink's interface on kinematics of its own."""

from __future__ import annotations

import pinker
import pinker.tasks
from pinker import kinematics
from pinker.limits import ConfigurationLimit

from peers.arms import Array
from peers.base import PinkLoop


class Adapter(PinkLoop):
    library = pinker
    package = "pinker"
    settings = "as pink"

    def prepare(self) -> None:
        model = kinematics.build_model_from_urdf(self.file())
        self.configuration = pinker.Configuration(model, model.create_data(), self.arm.middle)
        self.limits = [ConfigurationLimit(model, config_limit_gain=0.95)]
        self.task = pinker.tasks.FrameTask(self.arm.tip, position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)

    def target(self, pose: Array) -> object:
        return kinematics.SE3(pose[:3, :3], pose[:3, 3])
