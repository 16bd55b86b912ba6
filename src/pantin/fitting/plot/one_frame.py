"""Charts of a single frame: a bar for the misfit of each keypoint, a dot in its range for each degree of freedom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pantin.drawing import ALARM, FAINT, GREY
from pantin.fitting.plot.charts import SHADE, Freedom
from pantin.fitting.plot.sheet import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pantin.fitting.plot.contents import Contents

__all__ = ["draw_bars", "draw_values"]


def draw_bars(axes: Axes, contents: Contents, most: int) -> None:
    """Misfit of each keypoint, of the `most` worst where there are more: red, and cut short, for what was set aside."""
    residual, outlier = contents.residual[0], contents.outlier[0]
    rows = np.sort(np.argsort(-np.nan_to_num(residual), kind="stable")[:most])
    colors = [contents.label_colors[row] for row in rows]
    kept = residual[~np.isnan(residual) & ~outlier]
    end = 1.3 * float(kept.max(initial=0.0)) or 1.0
    for place, (row, color) in enumerate(zip(rows, colors, strict=True)):
        if np.isnan(residual[row]):
            across = axes.get_yaxis_transform()
            axes.text(0.01, place, "not observed", transform=across, color=FAINT, fontsize=7, va="center")
        else:
            axes.barh(place, residual[row], color=ALARM if outlier[row] else color, height=0.55)
            if residual[row] > end:
                axes.text(end, place, f"{residual[row]:.3g} ", color="white", fontsize=7, ha="right", va="center")
    axes.set_xlim(0.0, end)
    _name_rows(axes, [contents.labels[row] for row in rows], colors)
    axes.set_xlabel(f"misfit ({contents.unit})", color=GREY, fontsize=9)


def draw_values(axes: Axes, freedoms: list[Freedom], unit: str) -> None:
    """Values of one unit with bars of two standard deviations, each in the range that its limits leave."""
    for row, freedom in enumerate(freedoms):
        value, (low, high) = float(freedom.values[0]), freedom.limits
        if np.isfinite(low) and np.isfinite(high):
            axes.barh(row, high - low, left=low, height=0.55, color=SHADE, zorder=0)
        if freedom.std is not None and np.isfinite(freedom.std[0]):
            ends = value + 2.0 * float(freedom.std[0]) * np.array([-1.0, 1.0])
            axes.plot(ends, [row, row], color=freedom.color, alpha=0.4, linewidth=4, zorder=2)
        ink = ALARM if freedom.at_limit[0] else freedom.color
        axes.plot(value, row, "o", color=ink, mfc=ink if freedom.seen[0] else "white", ms=5, zorder=3)
    _name_rows(axes, [freedom.name for freedom in freedoms], [freedom.color for freedom in freedoms])
    axes.set_xlabel(unit, color=GREY, fontsize=9)


def _name_rows(axes: Axes, names: list[str], colors: list[str]) -> None:
    """A name for each row, from the top downwards."""
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), [shortened(name) for name in names], fontsize=7)
    for label, color in zip(axes.get_yticklabels(), colors, strict=True):
        label.set_color(color)
