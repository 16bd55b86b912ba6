"""Pantin: a solver with its defaults."""

from __future__ import annotations

import pantin
from peers.arms import Array
from peers.base import Solver


class Adapter(Solver):
    package = "pantin"
    settings = "`ReachSolver`, defaults, tolerances as asked"

    def prepare(self) -> None:
        options = pantin.ReachOptions(
            position_tolerance=self.position_tolerance, rotation_tolerance=self.rotation_tolerance
        )
        self.solver = pantin.ReachSolver(pantin.load(self.file()), self.arm.tip, options=options)

    def solve(self, target: object, seed: Array) -> Array | None:
        return self.solver.solve(target, seed).q

    def cold(self, target: object, middle: Array) -> Array | None:
        return self.solver.solve(target).q

    def solve_batch(self, targets: Array, seeds: Array | None) -> Array:
        return self.solver.solve_batch(targets, seeds).q

    def follow(self, targets: Array, first: Array) -> Array:
        return self.solver.follow(targets, first, jumps="allow").q
