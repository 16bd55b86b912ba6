"""Cartan: projected LM with an active set, in C++."""

from __future__ import annotations

import cartan
import numpy as np
from cartan import _core

from peers.arms import Array
from peers.base import Solver


class Adapter(Solver):
    package = "cartan-bindings"
    settings = "`solve_ik_speed`, 100 iterations a try, 20,000 in all, 0.9 of the tolerances (it measures a twist)"

    def prepare(self) -> None:
        self.chain = _core.load_urdf(self.file()).chain
        self.config = cartan.IkConfig(
            position_tol=0.9 * self.position_tolerance,
            orientation_tol=0.9 * self.rotation_tolerance,
            max_iterations_per_attempt=100,
            max_total_work_units=20_000,
            max_total_iterations=20_000,
        )

    def target(self, pose: Array) -> object:
        return cartan.SE3.from_matrix(pose)

    def solve(self, target: object, seed: Array) -> Array | None:
        return np.asarray(cartan.solve_ik_speed(self.chain, target, seed, self.config).q)
