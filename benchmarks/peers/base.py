"""What an adapter is."""

from __future__ import annotations

import tempfile
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np

from peers.arms import Arm, Array

#: Time that a library may spend on one target, s, where it can be told.
TIME_CAP = 0.05


class Skip(Exception):
    """This library cannot do this arm; the message tells why."""


class Solver(ABC):
    """How one library is asked.

    Attributes:
        package: Distribution whose version is reported.
        settings: What it was asked for, in words.
    """

    package: str
    settings: str

    def __init__(self, arm: Arm, position_tolerance: float, rotation_tolerance: float) -> None:
        self.arm = arm
        self.position_tolerance, self.rotation_tolerance = position_tolerance, rotation_tolerance
        self.prepare()

    @abstractmethod
    def prepare(self) -> None:
        """Builds what is needed for the arm; not timed."""

    def target(self, pose: Array) -> object:
        """A pose (4, 4) in the library's own type; not timed."""
        return pose

    @abstractmethod
    def solve(self, target: object, seed: Array) -> Array | None:
        """The call that is timed: joint angles, or None."""

    def cold(self, target: object, middle: Array) -> Array | None:
        """Likewise where there is no seed; most need one, and get the middle of the limits."""
        return self.solve(target, middle)

    def align(self, q: Array, poses: Array) -> None:  # noqa: B027  # most have nothing to do
        """Makes a library's own tip agree with some poses of ours; not timed."""

    def file(self) -> str:
        """A file of the arm, for those who cannot read a text."""
        path = Path(tempfile.mkdtemp()) / f"{self.arm.name}.urdf"
        path.write_text(self.arm.urdf, encoding="utf-8")
        return str(path)


class Stepper(Solver):
    """A library that only descends: from the seed, then from random configurations until it arrives or time is up."""

    def __init__(self, arm: Arm, position_tolerance: float, rotation_tolerance: float) -> None:
        super().__init__(arm, position_tolerance, rotation_tolerance)
        self.random = np.random.default_rng(0)

    @abstractmethod
    def descend(self, target: object, seed: Array, deadline: float) -> tuple[Array, bool]:
        """Where a descent from the seed ends, and whether that is the target; the deadline is processor time."""

    def near(self, distance: np.floating[Any], angle: np.floating[Any]) -> bool:
        """True if errors are within the tolerances."""
        return bool(distance < self.position_tolerance and angle < self.rotation_tolerance)

    def solve(self, target: object, seed: Array) -> Array | None:
        """Joint angles of the first descent that arrives, or of the first of all."""
        first, arrived = self.descend(target, seed, np.inf)
        if arrived:
            return first
        deadline = time.process_time() + TIME_CAP
        while time.process_time() < deadline:
            q, arrived = self.descend(target, self.random.uniform(self.arm.lower, self.arm.upper), deadline)
            if arrived:
                return q
        return first


class TaskLoop(Stepper):
    """A library of tasks with one step a call.

    Attributes:
        configuration: Its configuration.
        task: Its task for the tip.
    """

    configuration: Any
    task: Any

    @abstractmethod
    def velocity(self) -> Array:
        """The call that gives one step."""

    def descend(self, target: object, seed: Array, deadline: float) -> tuple[Array, bool]:
        """Up to 30 steps."""
        configuration, task = self.configuration, self.task
        configuration.update(seed)
        task.set_target(target)
        for _ in range(30):
            error = task.compute_error(configuration)
            if self.near(np.linalg.norm(error[:3]), np.linalg.norm(error[3:])):
                return configuration.q.copy(), True
            try:
                v = self.velocity()
            except Exception:  # each has an error of its own for a program that has no answer
                break
            configuration.integrate_inplace(v, 1.0)
            if np.abs(v).max() < 1e-7 or time.process_time() > deadline:
                break
        return configuration.q.copy(), False


class PinkLoop(TaskLoop):
    """Pink, and what has its interface.

    Attributes:
        library: The module.
        limits: Limits of the joints.
    """

    library: Any
    limits: list[Any]

    def velocity(self) -> Array:
        """The call that gives one step."""
        return np.asarray(
            self.library.solve_ik(
                self.configuration,
                [self.task],
                1.0,
                solver="daqp",
                damping=1e-9,
                limits=self.limits,
                safety_break=False,
            )
        )


class OwnTip(Solver):
    """A library whose tip differs from ours by a constant pose."""

    back: Array

    @abstractmethod
    def forward(self, q: Array) -> Array:
        """Pose (4, 4) of its tip."""

    def align(self, q: Array, poses: Array) -> None:
        """Finds the constant pose.

        Raises:
            Skip: If there is none, since its model of the arm is another.
        """
        own = np.array([self.forward(one) for one in q])
        self.back = np.linalg.inv(poses[0]) @ own[0]
        require_same(own, poses @ self.back)

    def target(self, pose: Array) -> object:
        """The pose of its own tip."""
        return np.ascontiguousarray(pose @ self.back)


def require_same(theirs: Array, ours: Array) -> None:
    """Refuse an arm whose poses by a library's kinematics are not ours.

    Raises:
        Skip: If they are not.
    """
    gap = np.abs(theirs - ours).max()
    if gap > 1e-6:
        raise Skip(f"its model of the arm is off by {gap:.1e}")


def xyzw(rotation: Array) -> list[float]:
    """Unit quaternion of a rotation matrix, by the eigenvector that is safe everywhere (Bar-Itzhack 2000)."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    matrix = np.array(
        [[a - e - i, 0, 0, 0], [b + d, e - a - i, 0, 0], [c + g, f + h, i - a - e, 0], [h - f, c - g, d - b, a + e + i]]
    )
    return [float(x) for x in np.linalg.eigh(matrix)[1][:, -1]]
