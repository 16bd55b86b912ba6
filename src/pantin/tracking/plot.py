"""A picture of a run over time: errors, speeds as parts of their limits, and where joints are in their ranges.

matplotlib draws it, and is imported when it does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.drawing import ALARM, FAINT, GOOD, GREY, INK, new_figure, save_figure
from pantin.kinematics.labels import velocity_values
from pantin.tracking.trajectory import GOOD as GOOD_STATUSES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pantin.tracking.trajectory import Measure, Trajectory

__all__ = ["plot_trajectory"]

#: Lines that are told apart; what is beyond stands back in grey.
COLORS = ("#2f6fde", "#d98324", "#3a9d5d", "#8a4fbf", "#c2477f", "#1f9aa8", "#8c6a3f", "#5b6b80")
#: What other lines are drawn with, the ground of what is beyond a limit, and of steps that ended badly.
BACK, BEYOND, BAD = "#c9d2dc", "#f8e9ec", "#f3cfd6"
#: Joints that a panel names.
NAMED = 4
#: Errors from here down are drawn as this, m or rad.
FLOOR = 1e-7
WIDTH, TALL, LOW, HEAD, FOOT = 10.0, 1.75, 1.35, 0.75, 0.55  # inches


class Line(NamedTuple):
    """A number over time.

    Attributes:
        label: Its name, "" for one that stands back.
        values: Shape (T,).
        color: Its place among `COLORS`.
    """

    label: str
    values: Array
    color: int


def plot_trajectory(trajectory: Trajectory, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw a run.

    Panels share the axis of time: errors by their unit on logarithmic scales, with tolerances as ticks at the right;
    speeds as parts of their limits; joints in their ranges. Joints that come nearest to a limit have a colour and a
    name. Steps that ended badly have a red ground.

    Args:
        trajectory: What is drawn.
        path: File to write, which appears whole or not at all; its ending chooses the format: png, pdf, svg.

    Returns:
        The figure, which belongs to no window.

    Raises:
        MissingExtra: If matplotlib is not installed (extra `plot`).
        InvalidArgument: If the file cannot be written.
    """
    units = list(dict.fromkeys(measure.unit for measure in trajectory.measures))
    heights = [TALL] * len(units) + [LOW] * (bool(trajectory.model.nv) + bool(trajectory.limited.size))
    height = sum(heights) + HEAD + FOOT
    figure = new_figure(path, "a picture of the run", width=WIDTH, height=height)
    panels: list[Axes] = list(
        figure.subplots(
            max(len(heights), 1),
            1,
            sharex=True,
            squeeze=False,
            height_ratios=heights or None,
            gridspec_kw={
                "left": 0.085,
                "right": 0.79,
                "bottom": FOOT / height,
                "top": 1.0 - HEAD / height,
                "hspace": 0.2,
            },
        )[:, 0]
    )
    rest = iter(panels)
    for unit, axes in zip(units, rest, strict=False):
        _draw_errors(axes, trajectory, unit)
    if trajectory.model.nv:
        _draw_speeds(next(rest), trajectory)
    if trajectory.limited.size:
        _draw_ranges(next(rest), trajectory)
    for axes in panels:
        _style(axes, trajectory, is_last=axes is panels[-1])
    _write_head(figure, trajectory, height)
    save_figure(figure, path)
    return figure


def _draw_errors(axes: Axes, trajectory: Trajectory, unit: str) -> None:
    """Errors of one unit on a logarithmic scale."""
    tasks = list(dict.fromkeys(measure.task for measure in trajectory.measures))
    top = 10.0 * FLOOR
    for place, (measure, errors) in enumerate(_of_unit(trajectory, unit)):
        color = tasks.index(measure.task)
        _draw(axes, trajectory, Line(measure.label, np.maximum(errors, FLOOR), color), place)
        top = max(top, float(errors.max()))
        if np.isfinite(measure.tolerance):
            sign = axes.plot([1.0], [measure.tolerance], "<", transform=axes.get_yaxis_transform(), clip_on=False)
            sign[0].set(color=COLORS[color % len(COLORS)], markersize=5)
            top = max(top, measure.tolerance)
    axes.set_yscale("log")
    axes.set_ylim(FLOOR / 1.6, 2.0 * top)
    axes.set_ylabel(f"error ({unit})", color=GREY, fontsize=9)


def _of_unit(trajectory: Trajectory, unit: str) -> Iterator[tuple[Measure, Array]]:
    """Errors of one unit, with what they are."""
    for measure, errors in zip(trajectory.measures, trajectory.errors.T, strict=True):
        if measure.unit == unit:
            yield measure, errors


def _draw_speeds(axes: Axes, trajectory: Trajectory) -> None:
    """Speeds as parts of their limits."""
    ratio = trajectory.velocity_ratio
    names = [value.label for value in velocity_values(trajectory.model, trajectory.v)]
    _draw_foremost(axes, trajectory, names, ratio, ratio.max(axis=0))
    top = max(1.08, 1.08 * float(ratio.max()))
    axes.axhspan(1.0, top, color=BEYOND, linewidth=0, zorder=0)
    axes.set_ylim(0.0, top)
    axes.set_yticks([0.0, 0.5, 1.0], ["0", "0.5", "limit"])
    axes.set_ylabel("speed", color=GREY, fontsize=9)


def _draw_ranges(axes: Axes, trajectory: Trajectory) -> None:
    """Joints between their lower and upper limits; a side without a limit is a turn or a metre away."""
    lower, upper = (
        limit[trajectory.limited]
        for limit in (trajectory.model.lower_position_limit, trajectory.model.upper_position_limit)
    )
    lower, upper = np.maximum(lower, -1e10), np.minimum(upper, 1e10)
    width = np.where((lower > -1e10) & (upper < 1e10), upper - lower, 1.0)
    low = np.where(lower > -1e10, lower, upper - width)
    part = (trajectory.q[:, trajectory.limited] - low) / np.where(width > 0.0, width, 1.0)
    nearness = -np.minimum(part, 1.0 - part).min(axis=0)
    _draw_foremost(axes, trajectory, trajectory.limited_names, part, nearness)
    bottom, top = min(-0.06, float(part.min()) - 0.03), max(1.06, float(part.max()) + 0.03)
    axes.axhspan(bottom, 0.0, color=BEYOND, linewidth=0, zorder=0)
    axes.axhspan(1.0, top, color=BEYOND, linewidth=0, zorder=0)
    axes.set_ylim(bottom, top)
    axes.set_yticks([0.0, 1.0], ["lower", "upper"])
    axes.set_ylabel("joint in\nits range", color=GREY, fontsize=9)


def _draw_foremost(axes: Axes, trajectory: Trajectory, names: Sequence[str], values: Array, rank: Array) -> None:
    """Draw lines of which those of the highest rank have colours and names."""
    for place, i in enumerate(np.argsort(-rank, kind="stable")):
        _draw(axes, trajectory, Line(names[i] if place < NAMED else "", values[:, i], place), place)


def _draw(axes: Axes, trajectory: Trajectory, line: Line, place: int) -> None:
    """Draw a line and, so many names down at the right, its name; each other one is dashed, as twins may hide it."""
    if not line.label:
        axes.plot(trajectory.time, line.values, color=BACK, linewidth=0.8, zorder=1)
        return
    color = COLORS[line.color % len(COLORS)]
    dashes = (0, (4, 3)) if place % 2 else "-"
    axes.plot(trajectory.time, line.values, color=color, linewidth=1.3, linestyle=dashes, zorder=3 + place)
    at: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
    at |= {"xytext": (0, -4 - 12.5 * place), "annotation_clip": False}
    axes.annotate(line.label, (1.03, 1.0), color=color, fontsize=8.5, va="center", **at)


def _style(axes: Axes, trajectory: Trajectory, *, is_last: bool) -> None:
    """Thin grey axes without a frame, and the ground of steps that ended badly."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#b4bfcb")
    axes.tick_params(colors=GREY, labelsize=8, length=3, color="#b4bfcb", labelbottom=is_last)
    axes.tick_params(which="minor", length=0)
    axes.set_xlim(0.0, float(trajectory.time[-1]))
    bad = np.concatenate([[False], ~np.isin(trajectory.status, [*GOOD_STATUSES, "start"]), [False]])
    begins, ends = (np.flatnonzero(np.diff(bad.astype(int)) == sign) for sign in (1, -1))
    for begin, end in zip(begins, ends, strict=True):
        edges = trajectory.dt * (begin - 0.5), trajectory.dt * (end - 0.5)
        axes.axvspan(*edges, color=BAD, linewidth=0, zorder=0)
    if is_last:
        axes.set_xlabel("time (s)", color=GREY, fontsize=9)


def _write_head(figure: Figure, trajectory: Trajectory, height: float) -> None:
    """Write what was run, and how it ended."""
    color = GOOD if trajectory.success else ALARM
    title = f"{trajectory.name.replace('_', ' ')}: {'done' if trajectory.success else 'not as it should be'}"
    statuses = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in trajectory.statuses.items())
    told = f"{trajectory.model.name}, {len(trajectory)} steps of {1e3 * trajectory.dt:g} ms: {statuses}"
    figure.text(0.02, 1.0 - 0.24 / height, title, color=color, fontsize=14, weight="bold", va="center")
    figure.text(0.02, 1.0 - 0.5 / height, told, color=INK if trajectory.success else FAINT, fontsize=9.5, va="center")
