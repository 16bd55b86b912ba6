"""RoboPlan: damped least squares on top of Pinocchio, with restarts of its own."""

from __future__ import annotations

import numpy as np
from roboplan.core import CartesianConfiguration, JointConfiguration, Scene, loadUrdfSceneDescription
from roboplan.simple_ik import SimpleIk, SimpleIkOptions

from peers.arms import Array
from peers.base import TIME_CAP, Solver


class Adapter(Solver):
    package = "roboplan-simple-ik"
    settings = "`SimpleIk`, step 1, damping 1e-3, 100 iterations a try, restarts to 50 ms, no collision checks"

    def prepare(self) -> None:
        self.scene = Scene("arm", loadUrdfSceneDescription(self.file()))
        self.scene.addGroup("arm", list(self.arm.joints))
        options = SimpleIkOptions(
            group_name="arm",
            max_iters=100,
            max_time=TIME_CAP,
            max_restarts=1000,
            step_size=1.0,
            damping=1e-3,
            max_linear_error_norm=self.position_tolerance,
            max_angular_error_norm=self.rotation_tolerance,
            check_collisions=False,
            fast_return=True,
        )
        self.solver = SimpleIk(self.scene, options)

    def target(self, pose: Array) -> object:
        return CartesianConfiguration(self.arm.base, self.arm.tip, np.asfortranarray(pose))

    def solve(self, target: object, seed: Array) -> Array | None:
        answer = JointConfiguration()
        reached = self.solver.solveIk(target, JointConfiguration(list(self.arm.joints), seed), answer)
        return np.asarray(answer.positions) if reached else None
