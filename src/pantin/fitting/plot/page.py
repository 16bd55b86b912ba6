"""The page about a fit: poses on top, misfit in the middle, degrees of freedom below.

matplotlib draws it, and is imported when it does.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pantin.drawing import ALARM, FAINT, GOOD, GREY, INK, save_figure
from pantin.fitting.plot.charts import SHADE, draw_freedom, draw_map, draw_misfit, style
from pantin.fitting.plot.contents import Contents
from pantin.fitting.plot.figures import TARGET, draw_poses, half_sizes
from pantin.fitting.plot.one_frame import draw_bars, draw_values
from pantin.fitting.plot.sheet import EDGE, RIGHT, WIDTH, Sheet, columns, room_for
from pantin.fitting.plot.timeline import Timeline
from pantin.fitting.result import FitResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["plot_fit"]

#: Heights, inches.
HEAD, MISFIT, ROW, FREEDOM, GAP, FOOT = 1.25, 0.85, 0.115, 1.05, 0.48, 1.05

#: Heights of a row, inches, and how many rows there are at most, in charts of a single frame.
THICK_ROW, THICK_ROWS = 0.155, 60

#: Of the frames that are shown.
LETTERS = "abc"

#: Degrees of freedom that a page shows, in so many columns.
SHOWN, COLUMNS = 12, 3


def plot_fit(
    result: FitResult,
    path: str | os.PathLike[str] | None = None,
    *,
    title: str | None = None,
    frames: Iterable[int] | None = None,
    dofs: Iterable[str] | None = None,
    up: str | npt.ArrayLike = "z",
) -> Figure:
    """A page about a fit.

    Three frames stand on top as stick figures, a colour a limb, paler where a keypoint was not observed; crosses are
    what was observed. In the middle is the misfit of each keypoint over time, with rings around what a robust loss has
    set aside. Below are the degrees of freedom that move the most, with bands of two standard deviations, shaded where
    no data show them, red at a limit. Long recordings are drawn by the extremes of their frames, so that nothing is
    lost that sticks out. The fit of a single frame has bars and dots instead of lines.

    Args:
        result: The fit of a recording, or of a frame.
        path: File to write, which appears whole or not at all; its ending chooses the format: png, pdf, svg.
        title: Headline; the plan's title by default.
        frames: Frames to show as stick figures, at most three; the worst and two others by default.
        dofs: Names of degrees of freedom to show; those that move the most by default.
        up: The vertical of the world: "x", "y", "z", or a direction, shape (3,).

    Returns:
        The figure, which belongs to no window.

    Raises:
        MissingExtra: If matplotlib is not installed (extra `plot`).
        InvalidArgument: If the result has no frames, a frame is not in it, or the file cannot be written.
        UnknownDof: If the plan lacks a degree of freedom.
    """
    contents = Contents(result, frames, up)
    names = list(dofs or ())
    one = len(contents.result) == 1
    shown = [result.plan.dof(name) for name in names] if names else contents.most_moving(THICK_ROWS if one else SHOWN)
    reason = "" if names else ", those farthest from neutral" if one else ", those that move the most"
    half = half_sizes(contents.poses)
    width = columns(len(contents.poses), EDGE, EDGE)[0][1]
    poses_height = min(max(width * float(half[1] / half[0]), 1.5), 3.4)
    charts_height = _height_of_values(contents, shown) if one else _height_over_time(contents, shown)
    sheet = Sheet(path, HEAD + poses_height + GAP + charts_height + FOOT, room_for(contents.labels))
    _write_head(sheet, contents, title)
    _draw_figures(sheet, contents, poses_height)
    sheet.skip(GAP)
    if one:
        _draw_values(sheet, contents, shown, charts_height)
        _write_foot(sheet, contents, len(shown), reason, 1)
    else:
        time = Timeline(contents.result)
        _draw_misfits(sheet, contents, time)
        _draw_freedoms(sheet, contents, time, shown)
        _write_foot(sheet, contents, len(shown), reason, time.frames_per_column)
    save_figure(sheet.figure, path)
    return sheet.figure


def _height_over_time(contents: Contents, shown: list[int]) -> float:
    """Height of the charts over time."""
    rows = math.ceil(len(shown) / COLUMNS)
    return MISFIT + 0.1 + _height_of_map(contents) + 0.15 + rows * (FREEDOM + GAP)


def _height_of_map(contents: Contents) -> float:
    """Height of the map of misfits."""
    return min(max(ROW * len(contents.labels), 1.2), 4.2)


def _height_of_values(contents: Contents, shown: list[int]) -> float:
    """Height of the charts of a single frame."""
    return max(THICK_ROW * max(min(len(contents.labels), THICK_ROWS), len(shown)), 1.5)


def _write_head(sheet: Sheet, contents: Contents, title: str | None) -> None:
    """Write what was fitted, and how well."""
    result = contents.result
    count, solved = len(result), int(np.sum(result.success))
    facts = [f"{count} frames" if count > 1 else "one frame"]
    if result.time is not None and count > 1:
        facts.append(f"{result.time[-1] - result.time[0]:.4g} s")
    observed = ~np.isnan(contents.residual)
    kept = contents.residual[observed & ~contents.outlier]
    if kept.size:
        facts.append(f"root mean square misfit {np.sqrt(np.mean(kept**2)):.3g} {contents.unit}")
    facts.append(f"{int(contents.outlier.sum())} of {int(observed.sum())} keypoints set aside")
    if result.seen.size:
        facts.append(f"{100.0 * result.seen.mean():.4g} % of the degrees of freedom seen")
    extension = result.plan.extensions.get("x-pantin") or {}
    sheet.write(EDGE, 0.4, title or str(extension.get("title") or "Fit"), color=INK, fontsize=17, weight="bold")
    verdict = (
        ("solved" if count == 1 else "all frames solved") if solved == count else f"{solved} of {count} frames solved"
    )
    color = GOOD if solved == count else ALARM
    sheet.write(WIDTH - EDGE, 0.4, verdict, color=color, fontsize=13, weight="bold", ha="right")
    sheet.write(EDGE, 0.73, ", ".join(facts), color=GREY, fontsize=10)
    sheet.skip(HEAD)


def _draw_figures(sheet: Sheet, contents: Contents, height: float) -> None:
    """Draw the chosen frames as stick figures, with letters that the charts below have too."""
    frames, time = contents.frames, contents.result.time
    panels = [sheet.place(height, *column) for column in columns(len(frames), EDGE, EDGE)]
    draw_poses(panels, contents.poses, contents.colors, contents.length_unit)
    for letter, axes, frame in zip(LETTERS, panels, frames, strict=False):
        moment = f"frame {frame}" if time is None else f"{time[frame]:.4g} s"
        mean = contents.mean[frame]
        words = f"{moment}, misfit {mean:.3g} {contents.unit}" if np.isfinite(mean) else f"{moment}, nothing observed"
        place: dict[str, Any] = {"xy": (0, 1), "xycoords": "axes fraction", "textcoords": "offset points"}
        if len(frames) > 1:
            axes.annotate(letter, xytext=(0, 6), color=INK, fontsize=12, weight="bold", **place)
        axes.annotate(words, xytext=(14 if len(frames) > 1 else 0, 6), color=GREY, fontsize=9.5, **place)
    sheet.skip(height)


def _draw_misfits(sheet: Sheet, contents: Contents, time: Timeline) -> None:
    """Draw the misfit over time, and below it that of each keypoint."""
    above = sheet.place(MISFIT)
    style(above, bottom=False)
    draw_misfit(above, time, contents.residual, contents.mean, ~np.asarray(contents.result.success), contents.unit)
    for letter, frame in zip(LETTERS, contents.frames, strict=False):
        above.axvline(time.time[frame], color="#c3cdd8", linewidth=0.9, zorder=0)
        across = above.get_xaxis_transform()
        above.text(time.time[frame], 1.02, letter, transform=across, color=INK, fontsize=9, weight="bold", ha="center")
    sheet.skip(MISFIT + 0.1)
    height = _height_of_map(contents)
    below, bar = sheet.place(height), sheet.place(height, WIDTH - RIGHT + 0.12, 0.13)
    style(below, bottom=True)
    draw_map(below, bar, time, contents)
    below.set_xlabel(time.label, color=GREY, fontsize=9, labelpad=2)
    for axes in (above, below):
        axes.set_xlim(time.edges[0], time.edges[-1])
    sheet.skip(height + 0.15)


def _draw_freedoms(sheet: Sheet, contents: Contents, time: Timeline, shown: list[int]) -> None:
    """Draw degrees of freedom over time, a panel each."""
    spread = contents.spread(time.frames_per_column)
    for first in range(0, len(shown), COLUMNS):
        sheet.skip(GAP)
        for dof, column in zip(shown[first : first + COLUMNS], columns(COLUMNS, sheet.left, RIGHT), strict=False):
            axes = sheet.place(FREEDOM, *column)
            last = dof in shown[-COLUMNS:]
            style(axes, bottom=last)
            draw_freedom(axes, time, contents.freedom(dof, spread))
            axes.set_xlim(time.edges[0], time.edges[-1])
            axes.locator_params(axis="x", nbins=5)
            if last:
                axes.set_xlabel(time.label, color=GREY, fontsize=9)
        sheet.skip(FREEDOM)


def _draw_values(sheet: Sheet, contents: Contents, shown: list[int], height: float) -> None:
    """Draw misfits and degrees of freedom of a single frame."""
    names = room_for(contents.result.plan.dof_names)
    left, right = columns(2, sheet.left, EDGE, between=names)
    axes = sheet.place(height, *left)
    style(axes, bottom=True)
    draw_bars(axes, contents, THICK_ROWS)
    spread = contents.spread(1)
    freedoms = [contents.freedom(dof, spread) for dof in shown]
    units = sorted({freedom.unit for freedom in freedoms})
    for unit, column in zip(units, columns(len(units), right[0], EDGE, between=names), strict=True) if units else ():
        axes = sheet.place(height, *column)
        style(axes, bottom=True)
        draw_values(axes, [freedom for freedom in freedoms if freedom.unit == unit], unit)
    sheet.skip(height)


def _write_foot(sheet: Sheet, contents: Contents, shown: int, reason: str, frames_per_column: int) -> None:
    """Write what the signs of the charts mean, and what is left out."""
    from matplotlib.lines import Line2D  # noqa: PLC0415  # an extra
    from matplotlib.patches import Patch  # noqa: PLC0415

    over_time = len(contents.result) > 1
    signs: list[Line2D | Patch] = [Line2D([], [], color=TARGET, marker="+", linestyle="", label="observed")]
    if over_time:
        signs += [
            Line2D([], [], color=INK, marker="o", mfc="none", linestyle="", label="set aside as an outlier"),
            Line2D([], [], color=ALARM, marker="^", ms=4, linestyle="", label="such a keypoint on the limb"),
            Patch(facecolor=INK, alpha=0.22, label="two standard deviations"),
            Patch(facecolor=SHADE, label="not seen"),
            Line2D([], [], color=GREY, linewidth=0.9, linestyle=(0, (4, 2)), label="limit"),
            Line2D([], [], color=ALARM, marker=".", linestyle="", label="at the limit"),
        ]
    else:
        signs += [
            Patch(facecolor=ALARM, label="set aside as an outlier"),
            Patch(facecolor=INK, alpha=0.4, label="two standard deviations"),
            Line2D([], [], color=INK, marker="o", mfc="white", linestyle="", label="not seen"),
            Patch(facecolor=SHADE, label="within limits"),
            Line2D([], [], color=ALARM, marker="o", linestyle="", label="at a limit"),
        ]
    sheet.figure.legend(
        handles=signs,
        loc="center",
        bbox_to_anchor=(0.5, 0.38 / sheet.height),
        ncols=len(signs),
        frameon=False,
        fontsize=8,
        labelcolor=GREY,
        handletextpad=0.5,
        columnspacing=1.6,
    )
    notes, total = [], contents.result.plan.n_dofs
    if shown < total:
        notes.append(f"{shown} of {total} degrees of freedom are shown{reason}")
    if frames_per_column > 1:
        notes.append(f"each column holds the extremes of {frames_per_column} frames")
    sheet.write(WIDTH / 2, sheet.height - 0.15, "; ".join(notes), color=FAINT, fontsize=8, ha="center")
