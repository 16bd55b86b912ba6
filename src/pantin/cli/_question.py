"""What a command asks of a frame: its mode, and targets put together of positions and rotations."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Literal, NamedTuple, cast

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.model import Model
from pantin.reaching import ReachSolver

__all__ = ["MODES", "Mode", "Part", "Question", "choose_mode", "read_mode", "targets_of"]

Mode = Literal["pose", "position", "orientation"]
Part = Literal["position", "rotation"]

#: What each mode asks of a target.
PARTS: Mapping[Mode, tuple[Part, ...]] = {
    "pose": ("position", "rotation"),
    "position": ("position",),
    "orientation": ("rotation",),
}
MODES: tuple[Mode, ...] = tuple(PARTS)


class Question(NamedTuple):
    """What is asked, whatever the target.

    Attributes:
        model: The model.
        frame: Name of the frame that is moved.
        mode: What counts.
        root: Name of the frame that targets are given in, or None for the world.
    """

    model: Model
    frame: str
    mode: Mode
    root: str | None

    def asks(self, part: Part) -> bool:
        """True if a part of the target counts."""
        return part in PARTS[self.mode]

    def solver(self) -> ReachSolver:
        """Who answers."""
        return ReachSolver(self.model, self.frame, mode=self.mode, root=self.root)


def choose_mode(word: str | None, parts: Mapping[Part, Array | None], ways: Mapping[Part, str]) -> Mode:
    """Mode by its name, or else the one that asks for just the parts that are given.

    Args:
        word: What follows `--mode`, or None.
        parts: What is given of a target.
        ways: How each part is given, for messages.

    Raises:
        InvalidArgument: If there is no such mode, or a part that it asks for is not given.
    """
    given = {part for part, value in parts.items() if value is not None}
    if word is None:
        for mode, wanted in PARTS.items():
            if set(wanted) == given:
                return mode
        raise InvalidArgument("target", f"nothing is asked for; give {', '.join(ways.values())}, or both")
    chosen = read_mode(word)
    for part in PARTS[chosen]:
        if part not in given:
            raise InvalidArgument("--mode", f"{chosen} needs {ways[part]}")
    return chosen


def read_mode(word: str) -> Mode:
    """Mode by its name.

    Raises:
        InvalidArgument: If there is no such mode.
    """
    if word not in PARTS:
        close = difflib.get_close_matches(word, MODES, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidArgument("--mode", f"expected one of {', '.join(MODES)}, got {word!r}{hint}")
    return cast("Mode", word)


def targets_of(mode: Mode, parts: Mapping[Part, Array | None]) -> Array:
    """Targets as the mode takes them, with the leading axes of the parts.

    Args:
        mode: The mode.
        parts: Positions, shape (..., 3), m, and rotations, shape (..., 3, 3), as far as the mode asks for them.
    """
    position, rotation = parts["position"], parts["rotation"]
    if mode == "position":
        assert position is not None
        return position
    assert rotation is not None
    if mode == "orientation":
        return rotation
    assert position is not None
    poses = np.zeros((*position.shape[:-1], 4, 4))
    poses[..., :3, :3], poses[..., :3, 3], poses[..., 3, 3] = rotation, position, 1.0
    return poses
