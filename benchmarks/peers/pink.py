"""Pink: tasks and a quadratic program a step, on top of Pinocchio, looped to convergence."""

from __future__ import annotations

import pink
import pinocchio as pin
from pink.limits import ConfigurationLimit

from peers.arms import Array
from peers.base import PinkLoop


class Adapter(PinkLoop):
    library = pink
    package = "pin-pink"
    settings = "frame task 1/1, lm_damping 1e-6, limits, daqp, dt = 1, 30 steps a try, random restarts"

    def prepare(self) -> None:
        model = pin.buildModelFromXML(self.arm.urdf)
        self.configuration = pink.Configuration(model, model.createData(), self.arm.middle)
        self.limits = [ConfigurationLimit(model, config_limit_gain=0.95)]
        self.task = pink.tasks.FrameTask(self.arm.tip, position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)

    def target(self, pose: Array) -> object:
        return pin.SE3(pose)
