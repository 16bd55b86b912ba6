"""SSIK: generated closed forms for known arms."""

from __future__ import annotations

import importlib

import numpy as np

from peers.arms import Array
from peers.base import OwnTip, Skip

_MODULES = {"panda": "franka_panda_ik", "xarm7": "xarm7_ik", "ur5": "ur5_ik"}


class Adapter(OwnTip):
    package = "ssik"
    settings = "its artifact for the arm, one answer nearest to the seed; turns brought into the limits in Python"

    def prepare(self) -> None:
        if self.arm.name not in _MODULES:
            raise Skip("no artifact for this arm")
        importlib.import_module("ssik.prebuilt")
        self.module = importlib.import_module(f"ssik.prebuilt.{_MODULES[self.arm.name]}")

    def forward(self, q: Array) -> Array:
        return np.asarray(self.module.fk(q))

    def solve(self, target: object, seed: Array) -> Array | None:
        found = self.module.solve(target, q_seed=seed, max_solutions=1, enumerate_windings=False)
        if not found:
            return None
        q = np.asarray(found[0].q)
        if (q < self.arm.lower).any() or (q > self.arm.upper).any():
            q = q - 2 * np.pi * np.round((q - self.arm.middle) / (2 * np.pi))
        return q
