"""TRAC-IK: KDL's Newton and SLSQP raced in two threads."""

from __future__ import annotations

import numpy as np
import pytracik

from peers.arms import Array
from peers.base import TIME_CAP, Solver, xyzw


class Adapter(Solver):
    package = "pytracik"
    settings = "Speed, eps half the position tolerance, 50 ms (its two threads share the core)"

    def prepare(self) -> None:
        kind = pytracik.SolveType.Speed
        eps = self.position_tolerance / 2
        self.solver = pytracik.TRAC_IK(self.arm.base, self.arm.tip, self.arm.urdf, TIME_CAP, eps, kind)
        pytracik.set_joint_limits(self.solver, self.arm.lower, self.arm.upper)

    def target(self, pose: Array) -> object:
        return (*(float(x) for x in pose[:3, 3]), *xyzw(pose[:3, :3]))

    def solve(self, target: object, seed: Array) -> Array | None:
        answer = pytracik.ik(self.solver, seed, *target)  # type: ignore[misc]
        return np.asarray(answer[1:]) if answer[0] >= 0 else None
