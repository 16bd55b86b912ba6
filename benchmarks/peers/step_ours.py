"""Pantin: one call a step."""

from __future__ import annotations

import pantin
from peers import step_solve_ik


class Adapter(step_solve_ik.Adapter):
    settings = "`DifferentialIK.step`; limits as pink"

    def prepare(self) -> None:
        super().prepare()
        self.ik = pantin.DifferentialIK(self.model, self.tasks, self.limits)

    def step(self) -> None:
        self.ik.step(self.configuration, self.scene.dt)
