"""A picture of an answer: the arm as a stick figure, with the axes of its frame and of the target.

matplotlib draws it, and is imported when it does.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, vector
from pantin.drawing import ALARM, FAINT, FLOOR, GOOD, GREY, INK, new_figure, round_step, save_figure
from pantin.kinematics.algorithms import frames_forward_kinematics
from pantin.kinematics.joints import JT_PRISMATIC
from pantin.kinematics.se3 import SE3
from pantin.reaching.doors import target_form
from pantin.reaching.question import COMPARES

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.axes3d import Axes3D

    from pantin.reaching.result import ReachResult

__all__ = ["plot_reach"]

SEED_INK, SEED_WORD = "#c3cdd8", FAINT
AXIS_COLORS = {"x": "#d1495b", "y": "#3a9d5d", "z": "#2f6fde"}

#: Lengths as parts of the width of what is shown.
FRAME_AXES, TARGET_AXES, LETTER, MARGIN = 0.08, 0.17, 0.025, 0.04

#: The camera looks down by this angle, and past the plane of the arm by that, deg.
ELEVATION, ASIDE = 16.0, 68.0

UP = np.array([0.0, 0.0, 1.0])


class Skeleton(NamedTuple):
    """The way from the root to the frame at one configuration, as the root sees it.

    Attributes:
        line: Places of the root, of the joints in between, and of the frame, shape (n + 2, 3), m.
        joints: Those joints, n of them.
        frame: Pose of the frame.
    """

    line: Array
    joints: list[int]
    frame: SE3


def plot_reach(
    result: ReachResult, path: str | os.PathLike[str] | None = None, *, seed: npt.ArrayLike | None = None
) -> Figure:
    """Stick figure of an answer.

    Thick lines are what lies between joints. Dots are joints that turn, squares those that slide; red ones stand at
    a limit. The short thick axes are the frame's, the long thin ones the target's. The seed stands behind in grey.
    All is drawn as the root sees it.

    Args:
        result: The answer.
        path: File to write, which appears whole or not at all; its ending chooses the format: png, pdf, svg.
        seed: Configuration that the solve started from, shape (nq,); the middle of the limits by default.

    Returns:
        The figure, which belongs to no window.

    Raises:
        MissingExtra: If matplotlib is not installed (extra `plot`).
        InvalidArgument: If the file cannot be written, or the seed is no configuration.
    """
    figure = new_figure(path, "a picture of the answer", width=8, height=8)
    solver = result._reach_solver
    start = solver._starts(1)[0] if seed is None else vector("seed", seed, solver.model.nq)
    axes = figure.add_axes((0.0, 0.0, 1.0, 0.92), projection="3d", computed_zorder=False)
    _draw(axes, result, start)
    _write_title(figure, result)
    save_figure(figure, path)
    return figure


def _draw(axes: Axes3D, result: ReachResult, seed: Array) -> None:
    """Draw seed, arm and target, and the ground below them."""
    before, after = _skeleton(result, seed), _skeleton(result, result.q)
    target = _target_pose(result, after.frame)
    shown = np.vstack([before.line, after.line, target.translation])
    size = float(np.ptp(shown, axis=0).max()) or 1.0
    _look_at(axes, shown, size, after)
    _draw_line(axes, result, before, color=SEED_INK, width=4.0, layer=1)
    _draw_word(axes, before.line[-1] - 0.04 * size * UP, "seed", SEED_WORD)
    if not result.success:
        _draw_dots(axes, after.frame.translation, target.translation, ALARM)
        _draw_word(axes, target.translation - 0.05 * size * UP, "target", ALARM)
    _draw_line(axes, result, after, color=INK, width=6.5, layer=3)
    _draw_target(axes, result, target, after.frame, size)


def _draw_target(axes: Axes3D, result: ReachResult, target: SE3, frame: SE3, size: float) -> None:
    """Draw what the mode asks for: axes, or an arrow for a direction, a cross for a place, a ring for a pivot."""
    solver = result._reach_solver
    color = INK if result.success else ALARM
    whole = target_form(solver) == "orientation" or (target_form(solver) == "pose" and solver.mode != "axis")
    if whole:
        _draw_axes(axes, target, size, TARGET_AXES, width=1.8, layer=6, named=True)
    if solver.mode in ("axis", "direction"):
        along = result._target[9:] if solver.mode == "direction" else target.rotation @ solver._tool[:, 2]
        _draw_arrow(axes, target.translation, TARGET_AXES * size * along, color)
    if not whole and solver.mode != "direction":
        axes.scatter(*target.translation, marker="+", s=260.0, linewidths=2.0, color=color, depthshade=False, zorder=8)
    if solver.mode == "pointing":
        _draw_dots(axes, frame.translation, target.translation, color)
    if solver.mode == "rcm":
        _draw_dots(axes, solver._pivot, target.translation, color)
        ring = {"marker": "o", "s": 160.0, "linewidths": 2.0, "facecolors": "none", "edgecolors": color}
        axes.scatter(*solver._pivot, depthshade=False, zorder=8, **ring)
        _draw_word(axes, solver._pivot + 0.06 * size * UP, "pivot", color)
    _draw_axes(axes, frame, size, FRAME_AXES, width=4.5, layer=7, named=not whole)


def _skeleton(result: ReachResult, q: Array) -> Skeleton:
    """The way from the root to the frame at a configuration."""
    solver = result._reach_solver
    model = solver.model
    data = model.create_data()
    frames_forward_kinematics(model, data, q)
    up, down = (list(model.supports[model.frames[index].parent_joint])[1:] for index in (solver._root, solver._frame))
    shared = len(set(up) & set(down))
    joints = [*reversed(up[shared:]), *down[shared:]]
    back = data.oMf[solver._root].inverse()
    frame = back * data.oMf[solver._frame]
    line = [np.zeros(3), *((back * data.oMi[joint]).translation for joint in joints), frame.translation]
    return Skeleton(np.array(line), joints, frame)


def _target_pose(result: ReachResult, frame: SE3) -> SE3:
    """Pose of the target; what the mode leaves open is as the frame has it."""
    target, form = result.target, target_form(result._reach_solver)
    if isinstance(target, SE3):
        return target
    if form == "point":
        return SE3(frame.rotation, target)
    return SE3(target if form == "orientation" else frame.rotation, frame.translation)


def _look_at(axes: Axes3D, points: Array, size: float, arm: Skeleton) -> None:
    """Turn the camera to the side of the arm, with equal scales, and draw the ground."""
    low, high = points.min(axis=0) - MARGIN * size, points.max(axis=0) + MARGIN * size
    low[2] += MARGIN * size
    step = round_step(size / 5)
    low[:2], high[:2] = step * np.floor(low[:2] / step), step * np.ceil(high[:2] / step)
    for across, along in ((0, 1), (1, 0)):
        for at in np.arange(low[across], high[across] + step / 2, step):
            ends = np.full((2, 3), low[2])
            ends[:, across], ends[:, along] = at, (low[along], high[along])
            axes.plot(*ends.T, color=FLOOR, linewidth=1.0, zorder=0)
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set_box_aspect(tuple(high - low), zoom=0.95)
    axes.set_axis_off()
    ahead = arm.line[-1] - arm.line[0]
    axes.view_init(elev=ELEVATION, azim=math.degrees(math.atan2(ahead[1], ahead[0])) - ASIDE)
    axes.text2D(0.97, 0.02, f"squares of {step:g} m", transform=axes.transAxes, color=SEED_WORD, ha="right")


def _draw_line(axes: Axes3D, result: ReachResult, arm: Skeleton, *, color: str, width: float, layer: int) -> None:
    """Draw the way from the root to the frame; the joints of the answer that stand at limits are red."""
    model = result._reach_solver.model
    at_limit = result.at_limit if color == INK else ()
    axes.plot(*arm.line.T, color=color, linewidth=width, solid_capstyle="round", solid_joinstyle="round", zorder=layer)
    for joint, place in zip(arm.joints, arm.line[1:-1], strict=True):
        limited = model.names[joint] in at_limit
        axes.scatter(
            *place,
            marker="s" if model.joints[joint].jtype == JT_PRISMATIC else "o",
            color=ALARM if limited else "white",
            edgecolors=color,
            linewidths=0.35 * width,
            s=1.6 * width**2,
            depthshade=False,
            zorder=layer + 1 + limited,
        )


def _draw_axes(axes: Axes3D, pose: SE3, size: float, part: float, *, width: float, layer: int, named: bool) -> None:
    """Draw the axes of a pose, red, green and blue, with letters beyond their ends if they are named."""
    length = part * size
    for (letter, color), direction in zip(AXIS_COLORS.items(), pose.rotation.T, strict=True):
        ends = np.stack([pose.translation, pose.translation + length * direction])
        axes.plot(*ends.T, color=color, linewidth=width, solid_capstyle="round", zorder=layer)
        if named:
            _draw_word(axes, pose.translation + (length + LETTER * size) * direction, letter, color)


def _draw_arrow(axes: Axes3D, start: Array, arrow: Array, color: str) -> None:
    """Draw an arrow."""
    axes.quiver(*start, *arrow, color=color, linewidth=2.2, arrow_length_ratio=0.2, zorder=8)


def _draw_dots(axes: Axes3D, start: Array, end: Array, color: str) -> None:
    """Draw a dotted line."""
    axes.plot(*np.stack([start, end]).T, color=color, linewidth=1.6, linestyle=(0, (1, 2)), zorder=2)


def _draw_word(axes: Axes3D, place: Array, word: str, color: str) -> None:
    """Write a word at a place, in front of everything."""
    axes.text(*place, word, color=color, fontsize=12, ha="center", va="center", zorder=9)


def _write_title(figure: Figure, result: ReachResult) -> None:
    """Write who reached what, how well, and which joints stand at limits."""
    solver = result._reach_solver
    verdict = "reached" if result.success else f"not reached ({result.status.value.replace('_', ' ')})"
    errors = {"position": f"{result.position_error:.2g} m", "rotation": f"{result.rotation_error:.2g} rad"}
    lines = [", ".join(f"{part} error {errors[part]}" for part in COMPARES[solver.mode])]
    if result.at_limit:
        lines.append(f"at a limit: {', '.join(result.at_limit)}")
    color = GOOD if result.success else ALARM
    figure.text(0.04, 0.95, f"{solver.frame}: {verdict}", color=color, fontsize=16, weight="bold", va="center")
    figure.text(0.04, 0.925, "\n".join(lines), color=GREY, fontsize=11, va="top", linespacing=1.5)
