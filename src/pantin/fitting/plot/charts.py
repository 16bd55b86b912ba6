"""Charts over time: misfit of all keypoints, misfit of each, and one degree of freedom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.drawing import ALARM, FAINT, GREY, INK
from pantin.fitting.plot.sheet import shortened
from pantin.fitting.plot.timeline import Timeline

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pantin.fitting.plot.contents import Contents

__all__ = ["SHADE", "Freedom", "draw_freedom", "draw_map", "draw_misfit", "style"]

SHADE, MISSING = "#e9edf2", "#dfe5ec"
#: Misfit, from none to the most.
RAMP = ("#f7f9fb", "#fbe3b5", "#f0a35e", "#d1495b", "#6d1a36")

#: Keypoints that a map names all of, and outliers that it draws as rings.
NAMED, RINGS = 48, 150


class Freedom(NamedTuple):
    """One degree of freedom over time.

    Attributes:
        name: Its name.
        unit: Of its values.
        values: Shape (T,).
        std: Standard deviation of the first frame of each column, shape (B,), or None.
        seen: True where data show it, shape (T,).
        at_limit: -1, 0 or 1, shape (T,).
        limits: Lower and upper, infinite where there is none.
        outlier: True where a keypoint that it moves was set aside, shape (T,).
        color: Of its limb.
    """

    name: str
    unit: str
    values: Array
    std: Array | None
    seen: BoolArray
    at_limit: npt.NDArray[np.int8]
    limits: tuple[float, float]
    outlier: BoolArray
    color: str


def style(axes: Axes, *, bottom: bool) -> None:
    """Thin grey axes without a frame."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#b4bfcb")
    axes.tick_params(colors=GREY, labelsize=8, length=3, color="#b4bfcb", labelbottom=bottom)


def draw_misfit(axes: Axes, time: Timeline, residual: Array, mean: Array, failed: BoolArray, unit: str) -> None:
    """Root mean square over keypoints and the worst of them, on a logarithmic scale; frames that failed below."""
    from matplotlib.ticker import LogLocator  # noqa: PLC0415  # an extra

    worst = np.fmax.reduce(residual, axis=1, initial=np.nan)
    floor = 1e-6 * max(float(np.nanmax(worst, initial=0.0)), 1e-12)
    worst, mean = np.maximum(worst, floor), np.maximum(mean, floor)
    axes.plot(time.centres, time.largest(worst), color=FAINT, linewidth=0.9, label="worst keypoint")
    if time.frames_per_column > 1:
        axes.fill_between(time.centres, time.smallest(mean), time.largest(mean), color=INK, alpha=0.25, linewidth=0)
    axes.plot(time.centres, time.mean(mean), color=INK, linewidth=1.5, label="root mean square")
    shown = np.concatenate([worst, mean])
    shown = shown[shown > floor]
    if shown.size:
        axes.set_yscale("log")
        axes.set_ylim(0.7 * shown.min(), 1.5 * shown.max())
        few = shown.max() < 15.0 * shown.min()
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,), numticks=5))
        axes.yaxis.set_minor_formatter("")
    marks = time.centres[time.any(failed)]
    if marks.size:
        axes.plot(
            marks,
            np.zeros(len(marks)),
            "|",
            transform=axes.get_xaxis_transform(),
            color=ALARM,
            ms=9,
            clip_on=False,
            label=f"not solved, {int(failed.sum())} frames",
        )
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylabel(f"misfit\n({unit})", color=GREY, fontsize=9)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.12), ncols=3, frameon=False, fontsize=8, labelcolor=GREY)


def draw_map(axes: Axes, bar: Axes, time: Timeline, contents: Contents) -> None:
    """Misfit of each keypoint as a map, with rings around what was set aside.

    Args:
        axes: The map's place.
        bar: That of its scale.
        time: The axis of time.
        contents: What is shown.
    """
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415  # an extra

    ramp = LinearSegmentedColormap.from_list("misfit", RAMP).with_extremes(bad=MISSING)
    residual, outlier, names = contents.residual, contents.outlier, contents.labels
    columns = time.largest(residual)
    aside = time.any(outlier)
    kept = columns[~np.isnan(columns) & ~aside]
    top = float(np.percentile(kept, 99.8)) if kept.size else 1.0
    rows = np.arange(residual.shape[1] + 1) - 0.5
    mesh = axes.pcolormesh(
        time.edges, rows, np.ma.masked_invalid(columns.T), cmap=ramp, vmin=0.0, vmax=top or 1.0, rasterized=True
    )
    at, joint = np.nonzero(aside)
    sign: dict[str, Any] = (
        {"marker": "o", "mew": 1.2, "ms": 7} if len(at) <= RINGS else {"marker": "|", "mew": 0.5, "ms": 5}
    )
    axes.plot(time.centres[at], joint, linestyle="", mfc="none", mec=INK, clip_on=False, **sign)
    axes.set_ylim(rows[-1], rows[0])
    named = _named(residual, len(names))
    axes.set_yticks(named, [shortened(names[i]) for i in named], fontsize=7 if len(named) <= 32 else 6)
    for label, i in zip(axes.get_yticklabels(), named, strict=True):
        label.set_color(contents.label_colors[i])
    axes.figure.colorbar(mesh, cax=bar, extend="max")
    bar.tick_params(colors=GREY, labelsize=8, length=3, color="#b4bfcb")
    bar.set_ylabel(f"misfit ({contents.unit})", color=GREY, fontsize=9)
    mesh.colorbar.outline.set_visible(False)  # type: ignore[union-attr]


def _named(residual: Array, count: int) -> list[int]:
    """Rows to name: all, or where these are many the worst, no two so near that their names would touch."""
    if count <= NAMED:
        return list(range(count))
    mean = np.nanmean(np.nan_to_num(residual), axis=0)
    chosen: list[int] = []
    for row in np.argsort(-mean):
        if all(abs(row - other) >= count / NAMED for other in chosen):
            chosen.append(int(row))
    return sorted(chosen[:16])


def draw_freedom(axes: Axes, time: Timeline, freedom: Freedom) -> None:
    """A degree of freedom with its band of two standard deviations, its gaps, and its limits where it comes near."""
    gaps = [(begin, end - begin) for begin, end in time.runs(~freedom.seen)]
    axes.broken_barh(gaps, (0.0, 1.0), transform=axes.get_xaxis_transform(), color=SHADE, linewidth=0, zorder=0)
    low, high = time.smallest(freedom.values), time.largest(freedom.values)
    _frame(axes, low, high, freedom, time)
    if freedom.std is not None:
        known = np.isfinite(freedom.std)
        below, above = (np.where(known, v + s * 2 * freedom.std, np.nan) for v, s in ((low, -1), (high, 1)))
        axes.fill_between(time.centres, below, above, color=freedom.color, alpha=0.22, linewidth=0, zorder=2)
    if time.frames_per_column > 1:
        axes.fill_between(time.centres, low, high, color=freedom.color, alpha=0.35, linewidth=0, zorder=2)
    axes.plot(time.centres, time.mean(freedom.values), color=freedom.color, linewidth=1.2, zorder=3)
    for limit in freedom.limits:
        if np.isfinite(limit):
            axes.axhline(limit, color=GREY, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
    held = time.any(freedom.at_limit != 0)
    axes.plot(
        time.centres[held], np.where(time.any(freedom.at_limit > 0), high, low)[held], ".", color=ALARM, ms=3, zorder=4
    )
    marks = time.centres[time.any(freedom.outlier)]
    axes.plot(marks, np.full(len(marks), 0.03), "^", transform=axes.get_xaxis_transform(), color=ALARM, ms=4, zorder=5)
    axes.set_title(f"{shortened(freedom.name)} ({freedom.unit})", loc="left", color=freedom.color, fontsize=8.5, pad=3)


def _frame(axes: Axes, low: Array, high: Array, freedom: Freedom, time: Timeline) -> None:
    """Choose what is shown of the values: all of them, and the band where data show them."""
    below, above = low, high
    if freedom.std is not None:
        shown = np.where(time.any(~freedom.seen) | ~np.isfinite(freedom.std), 0.0, freedom.std)
        below, above = low - 2 * shown, high + 2 * shown
    bottom, top = float(np.nanmin(below, initial=np.inf)), float(np.nanmax(above, initial=-np.inf))
    if bottom > top:
        bottom, top = -1.0, 1.0
    room = max(0.08 * (top - bottom), 1e-3 * max(abs(top), abs(bottom)), 1e-9)
    axes.set_ylim(bottom - room, top + room)
