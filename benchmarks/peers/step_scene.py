"""What a control step is asked for, as plain data that every library can be handed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

Mode = Literal["track", "reach"]
MODES: tuple[Mode, ...] = ("track", "reach")

#: Steps that a tracked path is given to come to rest on its last targets.
_SETTLING = 50


@dataclass(frozen=True)
class Wish:
    """One task.

    Attributes:
        kind: A "frame" at poses (n, 4, 4), the "com" at points (n, 3), or the "posture" of the start.
        cost: Of positions or joints, as in Pink: its square weighs the squared error.
        turn_cost: Likewise, of rotations.
        frame: Name of the link.
        targets: One row for each step of the path; none for the posture.
    """

    kind: Literal["frame", "com", "posture"]
    cost: float
    turn_cost: float = 0.0
    frame: str = ""
    targets: Array = field(default_factory=lambda: np.empty(0), repr=False)


@dataclass(frozen=True)
class Scene:
    """A robot, where it starts and what it shall do; configurations are laid out as by Pinocchio.

    Attributes:
        name: What the tables call it.
        urdf: Text of its file, without shapes and followers.
        floating: Whether its root is a free flyer.
        joints: Names of its joints, of one number each, in the order of configurations.
        lower: Their lower limits, rad or m.
        upper: Their upper limits.
        speed: Their velocity limits.
        start: Configuration before the first step.
        wishes: The tasks.
        dt: Duration of a step, s.
    """

    name: str
    urdf: str = field(repr=False)
    floating: bool
    joints: tuple[str, ...]
    lower: Array
    upper: Array
    speed: Array
    start: Array
    wishes: tuple[Wish, ...]
    dt: float

    @property
    def rows(self) -> int:
        """Length of the path of the targets."""
        return max(len(wish.targets) for wish in self.wishes)

    def schedule(self, mode: Mode) -> Sequence[int]:
        """Row of the targets at each step: along the path, or its end from the first step on."""
        last = self.rows - 1
        return [*range(self.rows), *[last] * _SETTLING] if mode == "track" else [last] * self.rows
