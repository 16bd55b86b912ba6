"""The forms that observations come in: arrays, mappings by name and labelled arrays, all brought to one.

A form is what one source observes in a frame, or a rig of cameras at once. What comes out is a float64 array
(T, ..., numbers) in which missing is still as it was given.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import LARGEST, Array, array
from pantin.errors import InvalidArgument, UnknownKeypoint
from pantin.fitting.labelled import is_labelled, unlabelled
from pantin.fitting.recordings.matching import Matched
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.sources import Distance, Joints, Orientation, Points3D, Source

__all__ = ["Form", "form_of", "read_positions", "read_weights"]


@dataclasses.dataclass(frozen=True)
class Form:
    """What is observed in a frame.

    Attributes:
        source: What sees; of a rig the first camera.
        labels: Names of the observations.
        views: Number of cameras of a rig; None for one source.
    """

    source: Source
    labels: tuple[str, ...]
    views: int | None = None

    @property
    def weights_shape(self) -> tuple[int, ...]:
        """Axes of one frame's weights."""
        return (len(self.labels),) if self.views is None else (self.views, len(self.labels))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Axes of one observation."""
        return () if isinstance(self.source, Distance) else (self.source.numbers,)

    def words(self, shape: tuple[int, ...], frames: object = "T") -> str:
        """The shape of many frames, and of one."""
        many, one = (f"({', '.join(map(str, axes))}{',' * (len(axes) == 1)})" for axes in ((frames, *shape), shape))
        return f"{many}, or {one} for one frame"


def form_of(plan: Joints, source: Source, views: int | None = None) -> Form:
    """The form of what a source sees of a plan.

    Raises:
        UnknownJoint: If the source names joints that the plan lacks.
    """
    return Form(source, source.labels(plan), views)


def read_positions(name: str, form: Form, value: object) -> tuple[Array, bool]:
    """What was observed, shape (T, ...) with its numbers last, and whether it came as a single frame.

    Rotation matrices keep their last two axes.

    Raises:
        InvalidArgument: If the value is not made of real numbers, or of another shape.
        UnknownKeypoint: If it names what is not observed.
    """
    if not isinstance(value, np.ndarray):
        _refuse_recordings(name, value)
    numbers = form.numbers
    given = array(name, _in_plan_order(name, form, value, numbers, absent=np.nan), finite=False)
    if isinstance(form.source, Orientation) and given.ndim >= 3 and given.shape[-2:] == (3, 3):
        numbers = (3, 3)
    expected = (*form.weights_shape, *numbers)
    if given.shape == expected:
        return given[None], True
    if given.ndim == len(expected) + 1 and given.shape[1:] == expected:
        return given, False
    raise InvalidArgument(
        name, f"expected shape {form.words(expected)}, of {_whose(form)}, got {given.shape}{_mend(form, given.shape)}"
    )


def read_weights(name: str, form: Form, value: object, frames: int, single: bool) -> Array:
    """Weights of what was observed, shape (T, ...), missing as it was given; read-only where it was spread.

    Raises:
        InvalidArgument: If the value does not spread to the shape, is not made of real numbers, or infinite.
        UnknownKeypoint: If it names what is not observed.
    """
    ordered = _in_plan_order(name, form, value, (), absent=1.0)
    if getattr(ordered, "dtype", None) == np.bool_:
        ordered = np.asarray(ordered, dtype=np.float64)
    given = array(name, ordered, finite=False)
    shape = form.weights_shape if single else (frames, *form.weights_shape)
    try:
        spread = np.broadcast_to(given, shape)
    except ValueError:
        expected = f"{form.words(form.weights_shape, frames)}, of {_whose(form)}, or one that spreads to it"
        raise InvalidArgument(name, f"expected shape {expected}, got {given.shape}") from None
    if given.size and (np.fmax.reduce(given, axis=None) > LARGEST or np.fmin.reduce(given, axis=None) < -LARGEST):
        where = np.argwhere(np.abs(given) > LARGEST)[0]
        index = ", ".join(map(str, where))
        raise InvalidArgument(name, f"expected finite weights, got {given[tuple(where)]} at index [{index}]")
    return spread[None] if single else spread


def _refuse_recordings(name: str, value: object) -> None:
    """Tell what makes positions of a file or of a recording, which are in an order and a unit of their own."""
    if isinstance(value, (str, os.PathLike)):
        raise InvalidArgument(
            name, "expected real numbers, got a path; read_recording(path) and match(recording, plan) read it"
        )
    if isinstance(value, Recording):
        raise InvalidArgument(
            name, "expected real numbers, got a Recording; match(recording, plan) brings it into plan order"
        )
    if isinstance(value, Matched):
        raise InvalidArgument(name, "expected real numbers, got a Matched; they are its positions, weights and time")


def _whose(form: Form) -> str:
    count, views = len(form.labels), "" if form.views is None else f" in {form.views} cameras"
    if isinstance(form.source, Distance | Orientation):
        return f"{count} {'pairs' if isinstance(form.source, Distance) else 'joints'}"
    return f"the plan's {count} keypoints{views}"


def _mend(form: Form, shape: tuple[int, ...]) -> str:
    """What may have been meant by another shape."""
    numbers, count, last = form.source.numbers, len(form.labels), shape[-1] if shape else 0
    if isinstance(form.source, Points3D) and last == 2:
        return "; a last axis of 2 needs a 2D source: source=XYView() or a Camera"
    if not isinstance(form.source, Points3D) and numbers == 2 and last == 3:
        return "; a last axis of 3 needs source=Points3D()"
    if form.views is not None and shape[-2:] == (count, numbers) and shape[0] == form.views:
        return "; np.stack(positions, axis=1) brings the cameras behind the frames"
    if form.numbers and last == count * numbers:
        return f"; positions.reshape(-1, {count}, {numbers}) splits the last axis"
    if form.numbers and shape[-2:] == (numbers, count):
        return "; np.swapaxes(positions, -1, -2) brings the axes into order"
    return ""


def _in_plan_order(name: str, form: Form, value: Any, numbers: tuple[int, ...], absent: float) -> Any:
    """What was given, in the plan's order where it came by names, with a number for those that are absent."""
    if isinstance(value, np.ndarray):
        return value
    if is_labelled(value):
        return unlabelled(name, value, form.labels, form.views is not None, absent)
    return _by_name(name, form.labels, value, numbers, absent) if isinstance(value, Mapping) else value


def _by_name(
    name: str, labels: tuple[str, ...], entries: Mapping[Any, Any], numbers: tuple[int, ...], absent: float
) -> npt.ArrayLike:
    """The entries side by side, in the order of the labels."""
    for key in entries:
        if key not in labels:
            raise UnknownKeypoint(key, labels)
    arrays = {key: array(f"{name}[{key!r}]", entry, finite=False) for key, entry in entries.items()}
    shapes = {key: entry.shape for key, entry in arrays.items()}
    if not shapes or len(set(shapes.values())) > 1:
        raise InvalidArgument(name, f"expected arrays of one shape for names, got {shapes}")
    shape = next(iter(shapes.values()))
    if numbers == (4,) and shape[-2:] == (3, 3):
        numbers = (3, 3)
    if shape[len(shape) - len(numbers) :] != numbers:
        words = ", ".join(["...", *map(str, numbers)])
        first = next(iter(shapes))
        raise InvalidArgument(name, f"expected arrays of shape ({words}) for names, got {shape} for {first!r}")
    axis = len(shape) - len(numbers)
    beside = np.full((*shape[:axis], len(labels), *numbers), absent)
    for key, entry in arrays.items():
        beside[(slice(None),) * axis + (labels.index(key),)] = entry
    return beside
