"""What all pictures share: their colours, figures that belong to no window, and files that appear whole or not at all.

matplotlib is imported when a picture is asked for.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from pantin.errors import InvalidArgument, MissingExtra
from pantin.files import output_path, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ALARM", "FAINT", "FLOOR", "GOOD", "GREY", "INK", "new_figure", "round_step", "save_figure"]

#: Lines and words; words that stand back; those behind; the ground.
INK, GREY, FAINT, FLOOR = "#23364d", "#66758a", "#8494a5", "#e4e9ef"
#: What went well, and what did not.
GOOD, ALARM = "#2c7a4b", "#d1495b"


def new_figure(
    path: str | os.PathLike[str] | None, purpose: str, *, width: float, height: float, dpi: float = 120
) -> Figure:
    """An empty figure that belongs to no window.

    Args:
        path: File that it is going to be saved to, or None; a wrong one is refused before anything is drawn.
        purpose: What it is for, in the words of a message.
        width: Inches.
        height: Inches.
        dpi: Pixels in an inch.

    Raises:
        MissingExtra: If matplotlib is not installed (extra `plot`).
        InvalidArgument: If the file's ending names no format of pictures, or the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # an extra
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("matplotlib", "plot", purpose) from None
    if path is not None:
        place = output_path("path", path)
        if place.suffix[1:].lower() not in FigureCanvasAgg.get_supported_filetypes():
            name = place.stem
            raise InvalidArgument(
                "path", f"expected a picture such as {name}.png, {name}.pdf or {name}.svg, got {place.name!r}"
            )
    figure = Figure(figsize=(width, height), dpi=dpi)
    FigureCanvasAgg(figure)
    return figure


def save_figure(figure: Figure, path: str | os.PathLike[str] | None) -> None:
    """Write a figure to a file, if there is one.

    Raises:
        InvalidArgument: If the file cannot be written.
    """
    if path is not None:
        with whole_file("path", path) as place:
            figure.savefig(place)


def round_step(length: float) -> float:
    """The largest of ..., 0.1, 0.2, 0.5, 1, ... that is no longer."""
    power = 10.0 ** math.floor(math.log10(length))
    return float(power * max(factor for factor in (1, 2, 5) if factor * power <= length))
