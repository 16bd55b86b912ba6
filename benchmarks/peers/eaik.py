"""EAIK: closed forms by subproblem decomposition; arms of seven joints with one of them locked at many values."""

from __future__ import annotations

import numpy as np
from eaik.IK_URDF import UrdfRobot

from peers.arms import Array
from peers.base import OwnTip, Skip

_GRID = 32


class Adapter(OwnTip):
    package = "EAIK"
    settings = "`UrdfRobot`; of 7 joints one locked at 32 values, nearest to the seed's first; nearest branch in limits"

    def prepare(self) -> None:
        count = len(self.arm.joints)
        if count not in (6, 7):
            raise Skip("arms of six or seven joints only")
        self.values, self.locked = np.zeros(1), 0
        for self.locked in (6, 2, 4, 0, 3, 5, 1) if count == 7 else (0,):
            if count == 7:
                low, high = self.arm.lower[self.locked], self.arm.upper[self.locked]
                self.values = np.linspace(low, high, _GRID + 2)[1:-1]
            self.robots = self._robots(count)
            if self.robots and self.robots[0].hasKnownDecomposition():
                break
        else:
            raise Skip("no joint to lock leaves a known decomposition")

    def _robots(self, count: int) -> list[UrdfRobot]:
        file = self.file()
        try:
            return [UrdfRobot(file, [(self.locked, float(v))] if count == 7 else []) for v in self.values]
        except Exception:
            return []

    def forward(self, q: Array) -> Array:
        return np.asarray(self.robots[0].fwdKin(q))

    def solve(self, target: object, seed: Array) -> Array | None:
        for k in np.argsort(np.abs(self.values - seed[self.locked])):
            found = self.robots[k].IK(target)
            if not found.num_solutions():
                continue
            q = np.asarray(found.Q)[~np.asarray(found.is_LS, bool)]
            q = (q + np.pi) % (2 * np.pi) - np.pi
            q = q[np.all((q >= self.arm.lower) & (q <= self.arm.upper), axis=1)]
            if len(q):
                return np.asarray(q[np.abs(q - seed).max(axis=1).argmin()])
        return None
