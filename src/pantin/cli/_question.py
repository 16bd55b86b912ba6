"""What a command asks of a frame: its mode, and targets put together of positions, rotations and directions."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.model import Model
from pantin.reaching import ReachSolver
from pantin.reaching.question import COMPARES, MODES, Mode, tool_rotation
from pantin.reaching.question import Question as Details

__all__ = ["MODES", "UNITS", "Part", "Parts", "Question", "ask", "read_mode", "targets_of"]

Part = Literal["position", "rotation", "direction"]

Error = Literal["position", "rotation"]

#: Unit of each error.
UNITS: Mapping[Error, str] = {"position": "m", "rotation": "rad"}

#: What is given of a target, or of many along the first axis.
Parts = Mapping[Part, Array | None]

#: What each mode needs of a target; of parts that stand together one will do.
NEEDS: Mapping[Mode, tuple[tuple[Part, ...], ...]] = {
    "pose": (("position",), ("rotation",)),
    "position": (("position",),),
    "orientation": (("rotation",),),
    "axis": (("position",), ("direction", "rotation")),
    "direction": (("direction",),),
    "pointing": (("position",),),
    "rcm": (("position",),),
}

#: What a mode takes beside.
TAKES: Mapping[Mode, tuple[Part, ...]] = {"rcm": ("rotation",)}

#: Modes that look at the tool's axis.
TOOL_MODES: tuple[Mode, ...] = ("axis", "direction", "pointing", "rcm")

#: The mode that is meant where none is named, by what is given.
MEANT: Mapping[frozenset[Part], Mode] = {
    frozenset({"position", "rotation"}): "pose",
    frozenset({"position"}): "position",
    frozenset({"rotation"}): "orientation",
    frozenset({"position", "direction"}): "axis",
    frozenset({"direction"}): "direction",
}


class Question(NamedTuple):
    """What is asked, whatever the target.

    Attributes:
        model: The model.
        frame: Name of the frame that is moved.
        mode: What counts.
        root: Name of the frame that targets are given in, or None for the world.
        details: What else `ReachSolver` is told.
    """

    model: Model
    frame: str
    mode: Mode
    root: str | None
    details: Details

    def errors(self, answers: object) -> dict[Error, Any]:
        """Those errors of answers that count: what their `position_error` (m) and `rotation_error` (rad) are."""
        return {error: getattr(answers, f"{error}_error") for error in UNITS if error in COMPARES[self.mode]}

    def error_columns(self, answers: object) -> dict[str, Any]:
        """The same by the names of the attributes, as a table has them."""
        return {f"{error}_error": values for error, values in self.errors(answers).items()}

    def worst(self, answers: object, reached: npt.NDArray[np.bool_]) -> dict[Error, float]:
        """Largest errors among the targets that are reached; none where none is."""
        return {error: float(values[reached].max()) for error, values in self.errors(answers).items() if reached.any()}

    def refuse_needless(self, parts: Parts, ways: Mapping[Part, str]) -> None:
        """Refuse a target with parts that the mode leaves open.

        Raises:
            InvalidArgument: If it has one.
        """
        counts = {part for choices in NEEDS[self.mode] for part in choices} | set(TAKES.get(self.mode, ()))
        for part, value in parts.items():
            if value is not None and part not in counts:
                raise InvalidArgument("--mode", f"{self.mode} leaves the {part} open; leave out {ways[part]}")

    def solver(self) -> ReachSolver:
        """Who answers."""
        return ReachSolver(self.model, self.frame, mode=self.mode, root=self.root, **self.details)


def ask(
    model: Model,
    frame: str,
    parts: Parts,
    ways: Mapping[Part, str],
    *,
    word: str | None = None,
    root: str | None = None,
    pivot: Array | None = None,
    tool_axis: str | Array | None = None,
) -> Question:
    """The question that options and targets make together.

    Args:
        model: The model.
        frame: Name of the frame that is moved.
        parts: What is given of a target, or of many.
        ways: How each part is given, for messages.
        word: Name of the mode, or None for that which the parts mean.
        root: Name of the frame that targets are given in, or None for the world.
        pivot: Point that the shaft passes through, shape (3,), m, or None.
        tool_axis: Axis of the tool in the frame, or None for z.

    Raises:
        InvalidArgument: If there is no such mode, or it lacks what it needs.
    """
    given = frozenset(part for part, value in parts.items() if value is not None)
    mode = read_mode(word or ("rcm" if pivot is not None else _meant(given, ways)))
    for choices in NEEDS[mode]:
        if given.isdisjoint(choices):
            raise InvalidArgument("--mode", f"{mode} needs {' or '.join(ways[part] for part in choices)}")
    details: Details = {}
    if mode == "rcm":
        if pivot is None:
            raise InvalidArgument("--mode", "rcm needs --pivot X Y Z, the point that the shaft passes through")
        details["pivot"] = pivot
        if "rotation" in given:
            details["roll"] = "target"
    elif pivot is not None:
        raise InvalidArgument("--pivot", f"belongs to the mode rcm, not to {mode}")
    if tool_axis is not None:
        if mode not in TOOL_MODES:
            raise InvalidArgument("--tool-axis", f"belongs to the modes {', '.join(TOOL_MODES)}, not to {mode}")
        details["tool_axis"] = tool_axis
    return Question(model, frame, mode, root, details)


def _meant(given: frozenset[Part], ways: Mapping[Part, str]) -> Mode:
    """The mode that the given parts mean."""
    if given in MEANT:
        return MEANT[given]
    if not given:
        raise InvalidArgument("target", f"nothing is asked for; give {ways['position']}, {ways['rotation']}, or both")
    raise InvalidArgument("target", f"both {ways['rotation']} and {ways['direction']}; leave out one, or give --mode")


def read_mode(word: str) -> Mode:
    """Mode by its name.

    Raises:
        InvalidArgument: If there is no such mode.
    """
    if word not in MODES:
        close = difflib.get_close_matches(word, MODES, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidArgument("--mode", f"expected one of {', '.join(MODES)}, got {word!r}{hint}")
    return cast("Mode", word)


def targets_of(question: Question, parts: Parts) -> Array:
    """Targets as `ReachSolver` takes them, with the leading axes of the parts.

    Args:
        question: What is asked.
        parts: Positions and directions, shape (..., 3), and rotations, shape (..., 3, 3), as far as the mode asks.
    """
    position, rotation, direction = parts["position"], parts["rotation"], parts["direction"]
    if question.mode == "axis" and rotation is None and direction is not None:
        rotation = _turned(question.details.get("tool_axis", "z"), direction)
    if question.mode == "direction":
        return _given(direction)
    if question.mode == "orientation":
        return _given(rotation)
    if question.mode in ("position", "pointing") or (question.mode == "rcm" and "roll" not in question.details):
        return _given(position)
    poses = np.zeros((*_given(position).shape[:-1], 4, 4))
    poses[..., :3, :3], poses[..., :3, 3], poses[..., 3, 3] = _given(rotation), position, 1.0
    return poses


def _given(part: Array | None) -> Array:
    """A part that the mode needs, which `ask` has made sure of."""
    assert part is not None
    return part


def _turned(tool_axis: object, direction: Array) -> Array:
    """Rotations, shape (..., 3, 3), that turn the tool's axis into directions, shape (..., 3)."""
    back = tool_rotation(tool_axis).T  # type: ignore[arg-type]  # what may be one is checked there
    rotations = np.array([tool_rotation(row) @ back for row in direction.reshape(-1, 3)])
    return rotations.reshape(*direction.shape[:-1], 3, 3)
