"""What of a result a page shows, in the units that people read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.errors import InvalidArgument
from pantin.fitting.plot.charts import Freedom
from pantin.fitting.plot.figures import Pose
from pantin.fitting.plot.limbs import limb_colors
from pantin.fitting.plot.views import view_of
from pantin.fitting.result import KEYPOINT_SOURCES, FitResult

__all__ = ["Contents"]


class Contents:
    """A result as a page tells it.

    Attributes:
        result: The result of at least one frame.
        frames: The frames to show as stick figures.
        poses: What these show.
        length_unit: Unit of lengths, in words.
        unit: Unit of misfits, in words.
        residual: Misfits, shape (T, K).
        outlier: True for what was set aside, shape (T, K).
        labels: What misfits are of, K names.
        colors: Of the joints, by limb.
    """

    def __init__(self, result: FitResult, frames: Iterable[int] | None, up: str | npt.ArrayLike) -> None:
        """Look at a result.

        Raises:
            InvalidArgument: If the result has no frames, there is no such frame, or `up` is no direction.
        """
        if result.single:
            result = FitResult.concatenate([result])
        if len(result) == 0:
            raise InvalidArgument("result", "expected at least one frame to draw, got a fit of none")
        self.result = result
        self.residual, self.outlier = result.residual, result.outlier
        self.colors = limb_colors(result.plan)
        main = next((source for source in result.source if source.kind in KEYPOINT_SOURCES), result.source[0])
        self.labels: tuple[str, ...] = main.labels(result.plan)
        self.length_unit = result.plan.length_unit or "length units"
        self.unit = {"camera": "px", "orientation": "rad"}.get(main.kind, self.length_unit)
        self.frames = _chosen(len(result), self.mean) if frames is None else _checked(frames, len(result))
        self.poses = self._poses(up)

    @cached_property
    def mean(self) -> Array:
        """Root mean square misfit of each frame, shape (T,); NaN where nothing was observed."""
        counted = np.sum(~np.isnan(self.residual), axis=1)
        return np.asarray(np.sqrt(np.nansum(self.residual**2, axis=1) / np.where(counted, counted, np.nan)))

    @cached_property
    def label_colors(self) -> tuple[str, ...]:
        """A colour for each name of what misfits are of."""
        joints = dict(zip(self.result.plan.joint_names, self.colors, strict=True))
        return tuple(joints.get(label, self.colors[0]) for label in self.labels)

    def _poses(self, up: str | npt.ArrayLike) -> list[Pose]:
        result, plan = self.result, self.result.plan
        keypoints = np.asarray(plan.keypoints(result[self.frames].state))
        view, source = view_of(result.source, keypoints, up)
        hidden = np.zeros(plan.n_joints, dtype=bool)
        return [
            Pose(
                view.at(frame),
                pose,
                plan.parents,
                None if source is None else self._observed(source, frame),
                hidden if source is None else result.outliers[source][frame],
                plan.joint_names,
            )
            for frame, pose in zip(self.frames, keypoints, strict=True)
        ]

    def _observed(self, source: int, frame: int) -> Array | None:
        """What a source saw in a frame, NaN where it did not."""
        if self.result.observations is None:
            return None
        seen = ~np.isnan(self.result.residuals[source][frame])
        return np.where(seen[:, None], self.result.observations.positions[source][frame], np.nan)

    def most_moving(self, count: int) -> list[int]:
        """Degrees of freedom that move the most where data show them, in plan order.

        Slides count relative to the model length. In a single frame it is the distance from neutral that counts.
        """
        plan, values = self.result.plan, np.where(self.result.seen, self.result.dofs, np.nan)
        if len(values) == 1:
            values = np.concatenate([values, plan.neutral[None]])
        moved = np.fmax.reduce(values, axis=0, initial=-np.inf) - np.fmin.reduce(values, axis=0, initial=np.inf)
        moved = np.where(np.isfinite(moved), moved * np.where(plan.dof_is_slide, 1.0 / plan.length, 1.0), -1.0)
        return sorted(int(dof) for dof in np.argsort(-moved, kind="stable")[:count])

    def spread(self, step: int) -> Array | None:
        """Standard deviations in each `step`-th frame, shape (B, N); None where what was observed is not known."""
        result = self.result
        if result.observations is None or result.plan.n_dofs == 0:
            return None
        return np.asarray((result if step == 1 else result[::step]).dof_std)

    def freedom(self, dof: int, spread: Array | None) -> Freedom:
        """A degree of freedom in degrees or lengths; `spread` is that of all of them."""
        result, plan = self.result, self.result.plan
        slides = bool(plan.dof_is_slide[dof])
        factor = 1.0 if slides else math.degrees(1.0)
        return Freedom(
            plan.dof_names[dof],
            self.length_unit if slides else "deg",
            factor * result.dofs[:, dof],
            None if spread is None else factor * spread[:, dof],
            result.seen[:, dof],
            result.at_limit[:, dof],
            (factor * float(plan.lower[dof]), factor * float(plan.upper[dof])),
            self._outlier_below(int(plan.dof_joint[dof])),
            self.colors[plan.dof_joint[dof]],
        )

    def _outlier_below(self, joint: int) -> BoolArray:
        """True in frames where a keypoint that a joint moves was set aside, shape (T,)."""
        plan = self.result.plan
        moved = {joint}
        for child, parent in enumerate(plan.parents):
            if int(parent) in moved:
                moved.add(child)
        names = {plan.joint_names[child] for child in moved - {joint}}
        return np.asarray(self.outlier[:, [label in names for label in self.labels]].any(axis=1))


def _checked(frames: Iterable[int], count: int) -> list[int]:
    chosen = [int(frame) for frame in frames]
    if not 1 <= len(chosen) <= 3 or not all(0 <= frame < count for frame in chosen):
        raise InvalidArgument("frames", f"expected one to three numbers from 0 to {count - 1}, got {chosen}")
    return chosen


def _chosen(count: int, mean: Array) -> list[int]:
    """The worst frame, and two others far from it."""
    worst = int(np.argmax(np.nan_to_num(mean)))
    others = sorted((count // 6, count // 2, 5 * count // 6), key=lambda frame: -abs(frame - worst))[:2]
    return sorted({worst, *others})
