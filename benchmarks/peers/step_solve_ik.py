"""Pantin, asked as scripts for Pink ask: `solve_ik`, then `integrate_inplace`."""

from __future__ import annotations

import pantin
import pantin.limits
import pantin.tasks
from pantin import kinematics
from peers.step_base import PinkSteps
from peers.step_scene import Array


class Adapter(PinkSteps):
    library = pantin
    package = "pantin"
    settings = "`solve_ik` with its own solver, then `integrate_inplace`; limits as pink"

    def load(self) -> None:
        root = kinematics.JointModelFreeFlyer() if self.scene.floating else None
        self.model = kinematics.build_model_from_xml(self.scene.urdf, root)
        self.data = self.model.create_data()

    def pose(self, matrix: Array) -> object:
        return kinematics.SE3(matrix[:3, :3], matrix[:3, 3])
