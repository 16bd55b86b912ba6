"""A sheet that is filled from the top downwards, in inches."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pantin.drawing import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["BETWEEN", "EDGE", "RIGHT", "WIDTH", "Sheet", "columns", "room_for", "shortened"]

#: Width of a sheet, and the room for a scale at its right.
WIDTH, RIGHT = 11.0, 0.95

#: Room that names are given at the left: at least, at most, and for a letter.
ROOM, MOST_ROOM, LETTER = 1.15, 2.4, 0.062

#: Room at its edges and between columns.
EDGE, BETWEEN = 0.35, 0.45


class Sheet:
    """A figure that is filled from the top downwards, in inches.

    Attributes:
        figure: The figure.
        height: Of the sheet.
        used: How far down it is filled.
        left: Room for names at the left of charts.
    """

    def __init__(self, path: str | os.PathLike[str] | None, height: float, left: float) -> None:
        """An empty sheet.

        Raises:
            MissingExtra: If matplotlib is not installed (extra `plot`).
            InvalidArgument: If the path is no place for a picture.
        """
        self.figure = new_figure(path, "a page about the fit", width=WIDTH, height=height)
        self.height = height
        self.left = left
        self.used = 0.0

    def place(self, height: float, left: float | None = None, width: float | None = None) -> Axes:
        """Axes below what there is; `skip` steps over them."""
        left = self.left if left is None else left
        width = WIDTH - left - RIGHT if width is None else width
        bottom = self.height - self.used - height
        return self.figure.add_axes((left / WIDTH, bottom / self.height, width / WIDTH, height / self.height))

    def skip(self, height: float) -> None:
        """Leave room, or step over what was placed."""
        self.used += height

    def write(self, x: float, y: float, words: str, **style: Any) -> None:
        """Words at a place in inches from the left and from the top."""
        self.figure.text(x / WIDTH, 1.0 - y / self.height, words, va="center", **style)


def columns(count: int, left: float, right: float, between: float = BETWEEN) -> list[tuple[float, float]]:
    """Left edge and width of columns side by side, as `Sheet.place` takes them."""
    width = (WIDTH - left - right - (count - 1) * between) / count
    return [(left + number * (width + between), width) for number in range(count)]


def room_for(names: Iterable[str]) -> float:
    """Room at the left of a chart for the names of its rows."""
    longest = max((len(name) for name in names), default=0)
    return min(max(ROOM, EDGE + LETTER * longest), MOST_ROOM)


def shortened(name: str, most: int = 32) -> str:
    """A name that is too long for its place, without its middle."""
    return name if len(name) <= most else f"{name[: most // 2 - 1]}...{name[len(name) - most // 2 + 2 :]}"
