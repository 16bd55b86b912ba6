"""OptIK: NLopt's SLSQP with analytic gradients, in Rust."""

from __future__ import annotations

import numpy as np
import optik

from peers.arms import Array
from peers.base import TIME_CAP, Solver, require_same


class Adapter(Solver):
    package = "optik-py"
    settings = "mode speed, one thread, tol_f half the squared position tolerance, 50 ms, restarts of its own"

    def prepare(self) -> None:
        self.robot = optik.Robot.from_urdf_file(self.file(), self.arm.base, self.arm.tip)
        self.robot.set_parallelism(1)
        self.config = optik.SolverConfig(
            solution_mode="speed", max_time=TIME_CAP, max_restarts=1 << 30, tol_f=self.position_tolerance**2 / 2
        )

    def align(self, q: Array, poses: Array) -> None:
        require_same(np.array([self.robot.fk(one) for one in q]), poses)

    def solve(self, target: object, seed: Array) -> Array | None:
        answer = self.robot.ik(self.config, target, seed)
        return None if answer is None else np.asarray(answer[0])
