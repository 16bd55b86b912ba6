"""Stick figures: the fitted pose, its shadow on the ground, and what was observed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.drawing import ALARM, FAINT, FLOOR, round_step
from pantin.fitting.plot.views import Oblique, View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TARGET", "Pose", "draw_poses", "half_sizes"]

SHADOW, TARGET = "#d5dce4", "#e08a00"

#: Room around a figure and radius of the ground below it, as parts of the width of what is shown.
MARGIN, GROUND = 0.05, 0.56

#: Targets are shown that are so far from the middle, in half sizes of the pose.
NEAR = 1.5

#: Both ways from the middle.
SIDES = np.array([-1.0, 1.0])


class Pose(NamedTuple):
    """What one stick figure shows.

    Attributes:
        view: How it is seen.
        keypoints: The fitted pose, shape (K, 3).
        parents: Parent of each joint, -1 for the root, shape (K,).
        targets: Where keypoints are observed, as their source has them, shape (K, 2 or 3), NaN where they are not;
            None where nothing sees keypoints.
        outlier: True for keypoints that the fit has set aside, shape (K,).
        names: Names of the keypoints.
    """

    view: View
    keypoints: Array
    parents: npt.NDArray[np.int32]
    targets: Array | None
    outlier: BoolArray
    names: tuple[str, ...]

    def box(self) -> tuple[Array, Array]:
        """Middle and half sizes in the picture of the pose, its shadow, and the targets that are not far from it."""
        flat = self.view.flat(self.keypoints)
        if isinstance(self.view, Oblique):
            flat = np.concatenate([flat, self.view.flat(self.view.shadow(self.keypoints))])
        low, high = np.nanmin(flat, axis=0), np.nanmax(flat, axis=0)
        middle, half = (low + high) / 2, (high - low) / 2
        if self.targets is not None:
            targets = self.view.targets(self.targets)
            near = targets[(np.abs(targets - middle) <= half.max() * NEAR).all(axis=-1)]
            low, high = (
                np.minimum(low, near.min(axis=0, initial=np.inf)),
                np.maximum(high, near.max(axis=0, initial=-np.inf)),
            )
        return (low + high) / 2, (high - low) / 2


def half_sizes(poses: list[Pose]) -> Array:
    """Half the width and the height that the poses need at one scale, with room around them, shape (2,)."""
    half = np.max([pose.box()[1] for pose in poses], axis=0)
    return np.asarray(half + MARGIN * 2.0 * max(float(half.max()), 1e-12))


def draw_poses(panels: list[Axes], poses: list[Pose], colors: tuple[str, ...], unit: str) -> None:
    """Draw poses side by side and to one scale.

    Args:
        panels: An axes for each pose.
        poses: The poses, all seen alike.
        colors: Of the joints.
        unit: Length unit of the plan, for the squares of the ground.
    """
    need, words = half_sizes(poses), poses[0].view.caption
    for axes, pose in zip(panels, poses, strict=True):
        box, (middle, _) = axes.get_window_extent(), pose.box()
        half = max(need[0] / box.width, need[1] / box.height) * np.array([box.width, box.height])
        axes.set(xlim=middle[0] + half[0] * SIDES, ylim=middle[1] + half[1] * SIDES, aspect="equal")
        axes.set_axis_off()
        if pose.view.downwards:
            axes.invert_yaxis()
        _draw_pose(axes, pose, colors)
    if isinstance(view := poses[0].view, Oblique):
        size = 2.0 * float(need.max())
        step = round_step(size / 5)
        for axes, pose in zip(panels, poses, strict=True):
            _draw_ground(axes, pose, view, step, GROUND * size)
        words = f"squares of {step:g} {unit}"
    panels[0].annotate(
        words, (0, 0), (0, -4), xycoords="axes fraction", textcoords="offset points", color=FAINT, fontsize=8, va="top"
    )


def _draw_pose(axes: Axes, pose: Pose, colors: tuple[str, ...]) -> None:
    """Draw bones from the farthest to the nearest, each with a white rim, and keypoints and targets on them."""
    flat, depth = pose.view.flat(pose.keypoints), np.nan_to_num(pose.view.depth(pose.keypoints))
    targets = flat if pose.targets is None else pose.view.targets(pose.targets)
    observed = np.asarray(~np.isnan(targets).any(axis=-1))
    bones = sorted(
        ((parent, joint) for joint, parent in enumerate(pose.parents) if parent >= 0),
        key=lambda bone: -depth[list(bone)].sum(),
    )
    for layer, (parent, joint) in enumerate(bones):
        ends, color = flat[[parent, joint]].T, colors[joint] if observed[joint] else _paler(colors[joint])
        for ink, width in (("white", 5.5), (color, 3.0)):
            axes.plot(*ends, color=ink, linewidth=width, solid_capstyle="round", zorder=3.0 + layer / len(bones))
    axes.scatter(flat[:, 0], flat[:, 1], s=9.0, color="white", edgecolors=list(colors), linewidths=0.9, zorder=5)
    for joint in range(len(flat)) if pose.targets is not None else ():
        if not observed[joint]:
            continue
        wild = bool(pose.outlier[joint])
        color, sign, dashes = (ALARM, "o", (0, (2, 1))) if wild else (TARGET, "+", "-")
        axes.plot(*np.stack([flat[joint], targets[joint]]).T, color=color, linewidth=1.0, linestyle=dashes, zorder=6)
        axes.plot(*targets[joint], sign, color=color, mfc="none", ms=5.5, mew=1.1, zorder=7)
        if wild:
            _name(axes, targets[joint], pose.names[joint], away_from=flat[joint])


def _name(axes: Axes, at: Array, name: str, *, away_from: Array) -> None:
    """Write a name beside a target, on the side that is away from its keypoint, if it is in the picture."""
    side = 1 if at[0] >= away_from[0] else -1
    aside = {"xytext": (6 * side, 0), "textcoords": "offset points", "ha": "left" if side > 0 else "right"}
    style: dict[str, Any] = {
        **aside,
        "va": "center",
        "color": ALARM,
        "fontsize": 8,
        "annotation_clip": True,
        "zorder": 8,
    }
    axes.annotate(name, (float(at[0]), float(at[1])), **style)


def _draw_ground(axes: Axes, pose: Pose, view: Oblique, step: float, radius: float) -> None:
    """Draw a round piece of the ground in squares, and the shadow of the pose on it."""
    shadow = view.shadow(pose.keypoints)
    first = np.cross(view.up, view.axes[0])
    across, height = np.stack([np.cross(first, view.up), first]), np.nanmin(shadow @ view.up) * view.up
    middle = (np.nanmin(shadow, axis=0) + np.nanmax(shadow, axis=0)) / 2 @ across.T
    for axis in (0, 1):
        for at in step * np.arange(np.ceil((middle[axis] - radius) / step), (middle[axis] + radius) / step):
            half = np.sqrt(radius**2 - (at - middle[axis]) ** 2)
            ends = np.empty((2, 2))
            ends[:, axis], ends[:, 1 - axis] = at, middle[1 - axis] + half * SIDES
            axes.plot(*view.flat(ends @ across + height).T, color=FLOOR, linewidth=0.8, zorder=0)
    flat = view.flat(shadow)
    for joint, parent in enumerate(pose.parents):
        if parent >= 0:
            axes.plot(*flat[[parent, joint]].T, color=SHADOW, linewidth=2.6, solid_capstyle="round", zorder=1)


def _paler(color: str) -> tuple[float, float, float]:
    """A colour, #rrggbb, with more white than itself in it."""
    r, g, b = (0.4 * int(color[i : i + 2], 16) / 255 + 0.6 for i in (1, 3, 5))
    return r, g, b
