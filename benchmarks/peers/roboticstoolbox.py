"""Robotics Toolbox for Python: LM after Chan and Lawrence, in C++."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import roboticstoolbox as rtb
from spatialmath import SE3

from peers.arms import Array, attribute
from peers.base import Solver


class Adapter(Solver):
    package = "roboticstoolbox-python"
    settings = "`ETS.ik_LM`, method chan, k = 0.1, 30 iterations a try, 2000 tries, joint limits on"

    def prepare(self) -> None:
        chain = rtb.ETS()
        for joint in ET.fromstring(self.arm.urdf).iter("joint"):
            place, turn = ([float(x) for x in attribute(joint, "origin", part).split()] for part in ("xyz", "rpy"))
            chain *= rtb.ET.SE3(SE3(place) * SE3.Rz(turn[2]) * SE3.Ry(turn[1]) * SE3.Rx(turn[0]))
            if joint.get("type") == "revolute":
                axis = np.array([float(x) for x in attribute(joint, "axis", "xyz").split()])
                k = int(np.abs(axis).argmax())
                assert abs(axis[k]) == 1.0
                limits = np.array([float(attribute(joint, "limit", end)) for end in ("lower", "upper")])
                chain *= (rtb.ET.Rx, rtb.ET.Ry, rtb.ET.Rz)[k](flip=bool(axis[k] < 0), qlim=limits)
        self.chain = chain.compile()
        self.tolerance = self.position_tolerance**2 / 2  # of half the squared error

    def solve(self, target: object, seed: Array) -> Array | None:
        answer = self.chain.ik_LM(
            target, q0=seed, tol=self.tolerance, ilimit=30, slimit=2000, joint_limits=True, method="chan", k=0.1
        )
        return np.asarray(answer.q)
