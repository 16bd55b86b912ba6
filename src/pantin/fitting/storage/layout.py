"""The arrays of a stored result: their names, kinds of numbers, axes, and what the places along an axis are called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from pantin.fitting.fields import FIELDS, source_names
from pantin.fitting.plan import BodyPlan
from pantin.fitting.sources import Source

__all__ = ["Entry", "Layout", "layout_of"]

#: Names along axes that are the same for every plan.
FIXED = {"space": ("x", "y", "z"), "quaternion": ("w", "x", "y", "z"), "plane": ("x", "y"), "image": ("u", "v")}

#: Axis of the numbers of an observation, by the kind of its source.
COORDINATES = {"points": "space", "xy": "plane", "camera": "image", "orientation": "quaternion"}

#: Axis of what is observed in a frame, by the kind of the source.
OBSERVED = {"points": "keypoint", "xy": "keypoint", "camera": "keypoint", "orientation": "sensor", "distance": "pair"}


class Entry(NamedTuple):
    """An array, of which the frames are the first axis.

    Attributes:
        name: Its name in a file.
        dtype: Kind of its numbers.
        axes: Names of the axes behind the frames.
    """

    name: str
    dtype: np.dtype[Any]
    axes: tuple[str, ...] = ()


class Layout(NamedTuple):
    """All arrays of a result.

    Attributes:
        fields: Those of `pantin.fitting.fields`.
        residuals: Distances, one array a source.
        outliers: Observations set aside, one array a source.
        positions: What was observed, one array a source; none where that is not stored.
        weights: Weights of the observations, None for a source whose observations all have the weight 1.
        others: Times and keypoints, where they are stored.
        labels: What the places along an axis are called, by the name of the axis.
    """

    fields: tuple[Entry, ...]
    residuals: tuple[Entry, ...]
    outliers: tuple[Entry, ...]
    positions: tuple[Entry, ...]
    weights: tuple[Entry | None, ...]
    others: tuple[Entry, ...]
    labels: dict[str, tuple[str, ...]]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All of them, in the order of columns."""
        weights = (entry for entry in self.weights if entry is not None)
        return (*self.others, *self.fields, *self.residuals, *self.outliers, *self.positions, *weights)

    def shape(self, entry: Entry, frames: int) -> tuple[int, ...]:
        """Shape of an array."""
        return (frames, *(len(self.labels[axis]) for axis in entry.axes))


def layout_of(
    plan: BodyPlan, source: Sequence[Source], *, time: bool, keypoints: bool, weights: Sequence[bool] | None
) -> Layout:
    """The arrays of a result of a plan and sources.

    Args:
        plan: The body plan.
        source: The sources.
        time: There are times.
        keypoints: Fitted keypoints are stored; a reader computes them anew.
        weights: For each source, whether its observations have weights; None where observations are not stored.
    """
    real, flag = np.dtype(np.float64), np.dtype(np.bool_)
    names = source_names(source)
    labels = {**FIXED, "dof": plan.dof_names, "keypoint": plan.joint_names, "source": names}
    per_source: dict[str, list[Entry]] = {"residual": [], "outlier": [], "positions": [], "weights": []}
    for one, name in zip(source, names, strict=True):
        ending = f"_{name}" if len(names) > 1 else ""
        axis = OBSERVED[one.kind]
        if axis != "keypoint":
            axis += ending
            labels[axis] = _unique(one.labels(plan))
        numbers = (COORDINATES[one.kind],) if one.kind in COORDINATES else ()
        per_source["residual"].append(Entry(f"residual{ending}", real, (axis,)))
        per_source["outlier"].append(Entry(f"outlier{ending}", flag, (axis,)))
        per_source["positions"].append(Entry(f"positions{ending}", real, (axis, *numbers)))
        per_source["weights"].append(Entry(f"weights{ending}", real, (axis,)))
    return Layout(
        fields=tuple(Entry(field.name, np.dtype(field.dtype), field.axes) for field in FIELDS),
        residuals=tuple(per_source["residual"]),
        outliers=tuple(per_source["outlier"]),
        positions=() if weights is None else tuple(per_source["positions"]),
        weights=() if weights is None else tuple(_chosen(per_source["weights"], weights)),
        others=(
            *((Entry("time", real),) if time else ()),
            *((Entry("keypoints", real, ("keypoint", "space")),) if keypoints else ()),
        ),
        labels=labels,
    )


def _chosen(entries: Iterable[Entry], there: Sequence[bool]) -> Iterator[Entry | None]:
    """The arrays that are there, None for the others."""
    return (entry if given else None for entry, given in zip(entries, there, strict=True))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    """Names of which the second of its kind, the third, ... is numbered."""
    taken: dict[str, None] = {}  # in the order of the names
    for name in names:
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} #{number}"
        taken[free] = None
    return tuple(taken)
