"""The one door of observations: what was seen, by what, and how much it counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import LARGEST, ROTATION_TOLERANCE, Array
from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.forms import Form, form_of, read_positions, read_weights
from pantin.fitting.sources import Joints, Orientation, Points3D, Source, source_list

__all__ = ["Observations", "observe"]

#: Numbers that are looked at together, so that they stay in the processor's cache, and so few that a product of them
#: keeps to one thread: many would wait for each other on a busy machine.
CHUNK = 1 << 13


@dataclasses.dataclass(frozen=True, eq=False)
class Observations:
    """What was observed in T frames, checked and brought to one form.

    Attributes:
        sources: What it was observed with, S of them.
        positions: For each source an array of native, C-ordered float64, the caller's own memory where it was that
            already: keypoints (T, K, 3) or (T, K, 2), orientations (T, J, 4) as unit quaternions wxyz, distances
            (T, P). Missing is still as it was given.
        weights: For each source weights (T, K), (T, J) or (T, P), C-ordered, zero where something is missing; or None
            where no weights were given and no coordinate is infinite: then all weights are 1, and what has a NaN
            among its coordinates is missing.
        single: Whether it came as one frame, without a time axis.
        n_frames: Number of frames T.
        infinite: How many coordinates were infinite or above 1e150, whose squares overflow; what they belong to
            counts as missing.
    """

    sources: tuple[Source, ...]
    positions: tuple[Array, ...]
    weights: tuple[Array | None, ...]
    single: bool
    n_frames: int
    infinite: int

    def seen(self, source: int = 0) -> npt.NDArray[np.bool_]:
        """Where a source's observations are not missing, shape (T, K), (T, J) or (T, P)."""
        weights, positions = self.weights[source], self.positions[source]
        if weights is not None:
            return weights > 0.0
        return np.asarray(~np.isnan(positions).any(axis=tuple(range(2, positions.ndim))))

    def frames(self, chosen: slice) -> Observations:
        """The observations of some frames, on the same memory."""
        positions = tuple(np.ascontiguousarray(each[chosen]) for each in self.positions)
        weights = tuple(None if each is None else np.ascontiguousarray(each[chosen]) for each in self.weights)
        sources = tuple(each.at(chosen) if isinstance(each, Camera) else each for each in self.sources)
        infinite = sum(_count_infinite(each) for each in positions) if self.infinite else 0
        return Observations(sources, positions, weights, False, len(positions[0]), infinite)


def observe(
    plan: Joints,
    positions: Any,
    weights: Any = None,
    source: Source | Sequence[Source] = Points3D(),  # noqa: B008  # frozen
) -> Observations:
    """Observations of a body plan's keypoints, as the core takes them.

    Missing is what has a NaN or an infinite coordinate, or a weight that is NaN, zero or negative. Inputs may have any
    real type and memory order, and are not modified.

    Args:
        plan: The body plan, with K joints.
        positions: For one source an array: points (T, K, 3), an XY view or a camera (T, K, 2), orientations (T, J, 4)
            as quaternions wxyz or (T, J, 3, 3), distances (T, P); without the first axis for a single frame. Also a
            mapping from names to arrays (T, 3) and so on, where names that are absent are missing; or an xarray array
            with the axes `keypoints`, `space` and, for many frames, `time`, in any order. For a list of cameras an
            array (T, C, K, 2), with an axis `view` if it is labelled. For a list of other sources a list of one of
            these each.
        weights: Inverse variances, shape (K,), (T, K), (T, C, K) or what spreads to it; booleans are welcome. Also a
            mapping or a labelled array; names that are absent weigh 1. For a list of sources that are not all cameras
            a list with an entry each, which may be None. None for 1 everywhere.
        source: What the positions are of: one source, or a list.

    Raises:
        InvalidArgument: If a shape is another (the message tells which was expected), values are not real numbers,
            a weight is infinite, a rotation is none, a distance negative, or sources disagree in their frames.
        UnknownKeypoint: If a name is not one of the plan's.
        UnknownJoint: If a source names a joint that the plan lacks.
    """
    sources = source_list(source)
    read = list(_parts(plan, positions, weights, source, sources))
    lengths = {len(each.positions) for each in read}
    if len(lengths) > 1 or len({each.single for each in read}) > 1:
        shapes = ", ".join(str(each.positions.shape[each.single :]) for each in read)
        raise InvalidArgument("positions", f"expected as many frames of each source, got shapes {shapes}")
    frames = lengths.pop()
    for i, each in enumerate(sources):
        if isinstance(each, Camera) and each.n_frames not in (None, frames):
            which = f"camera {i}" if len(sources) > 1 else "the camera"
            raise InvalidArgument("source", f"{which} has {each.n_frames} frames, and the positions have {frames}")
    split = [part for each in read for part in each.split()]
    return Observations(
        sources=sources,
        positions=tuple(part for part, _ in split),
        weights=tuple(part for _, part in split),
        single=read[0].single,
        n_frames=frames,
        infinite=sum(each.infinite for each in read),
    )


@dataclasses.dataclass(frozen=True)
class _Part:
    """What one source gave, or a rig of cameras at once."""

    form: Form
    positions: Array
    weights: Array | None
    single: bool
    infinite: int

    def split(self) -> Iterator[tuple[Array, Array | None]]:
        """Positions and weights of each source."""
        if self.form.views is None:
            yield self.positions, self.weights
        else:
            for view in range(self.form.views):
                weights = None if self.weights is None else np.ascontiguousarray(self.weights[:, view])
                yield np.ascontiguousarray(self.positions[:, view]), weights


def _parts(
    plan: Joints, positions: Any, weights: Any, source: Source | Sequence[Source], sources: tuple[Source, ...]
) -> Iterator[_Part]:
    """What each source gave, or a rig of cameras at once."""
    if isinstance(source, Source):
        yield _part("positions", "weights", form_of(plan, source), positions, weights)
    elif all(isinstance(each, Camera) for each in sources):
        yield _part("positions", "weights", form_of(plan, sources[0], len(sources)), positions, weights)
    else:
        given = _one_each("positions", positions, sources)
        heavy = [None] * len(sources) if weights is None else _one_each("weights", weights, sources)
        for i, each in enumerate(sources):
            yield _part(f"positions[{i}]", f"weights[{i}]", form_of(plan, each), given[i], heavy[i])


def _one_each(name: str, values: Any, sources: tuple[Source, ...]) -> Sequence[Any]:
    """A list with an entry for each source."""
    if isinstance(values, list | tuple) and len(values) == len(sources):
        return values
    kinds = ", ".join(type(each).__name__ for each in sources)
    got = f"{len(values)} entries" if isinstance(values, list | tuple) else f"a {type(values).__name__}"
    raise InvalidArgument(name, f"expected a list with an entry for each source ({kinds}), got {got}")


def _part(name: str, weights_name: str, form: Form, positions: Any, weights: Any) -> _Part:
    given, single = read_positions(name, form, positions)
    weighed = None if weights is None else read_weights(weights_name, form, weights, len(given), single)
    coordinates = given.ndim - 1 - len(form.weights_shape)
    infinite = _count_infinite(given)
    if weighed is not None or infinite:
        weighed = _without_missing(given, weighed, coordinates)
    if isinstance(form.source, Orientation):
        given = _quaternions(name, given)
    elif not coordinates and given.size and np.fmin.reduce(given, axis=None) < 0.0:
        index = ", ".join(map(str, np.argwhere(given < 0.0)[0][single:]))
        raise InvalidArgument(name, f"expected distances, got a negative one at index [{index}]; NaN marks it missing")
    return _Part(form, given, weighed, single, infinite)


def _chunks(values: Array) -> Iterator[slice]:
    """Runs of frames that are small together."""
    step = max(1, CHUNK // max(1, values[:1].size))
    return (slice(start, start + step) for start in range(0, len(values), step))


def _count_infinite(values: Array) -> int:
    """Number of entries that are infinite, or so large that their squares overflow."""
    count = 0
    for chunk in _chunks(values):
        part = values[chunk].ravel()
        if not np.isfinite(np.vdot(part, part)):  # which also NaN makes so
            count += int(np.count_nonzero(np.abs(part) > LARGEST))
    return count


def _without_missing(values: Array, weights: Array | None, coordinates: int) -> Array:
    """Weights, zero where something is missing; the given ones where nothing is and they are plain."""
    axes = tuple(range(values.ndim - coordinates, values.ndim))
    clean = weights if weights is not None and weights.flags.c_contiguous and weights.flags.aligned else None
    if clean is None:
        clean = np.ones(values.shape[: values.ndim - coordinates])
        if weights is not None:
            clean[...] = weights
    for chunk in _chunks(values):
        part, weight = values[chunk], clean[chunk]
        seen = weight > 0.0
        if not np.isfinite(np.vdot(part, part)):
            seen &= (np.abs(part) <= LARGEST).all(axis=axes)
        if not seen.all():
            if clean is weights:
                clean = clean.copy()
            clean[chunk][~seen] = 0.0
    return clean


def _quaternions(name: str, rotations: Array) -> Array:
    """Unit quaternions wxyz, of such of any length or of matrices; NaN where a number is not finite."""
    width = rotations.ndim - 2
    known = np.isfinite(rotations).all(axis=tuple(range(2, rotations.ndim)))
    given = rotations[known]
    if width == 1:
        norms = np.linalg.norm(given, axis=-1, keepdims=True)
        wrong, unit = ~(norms[:, 0] >= 1e-9), given / np.where(norms > 0.0, norms, 1.0)
    else:
        apart = np.linalg.norm(given @ np.swapaxes(given, -1, -2) - np.eye(3), axis=(-2, -1))
        wrong = ~((apart <= ROTATION_TOLERANCE) & (np.linalg.det(given) > 0.0))
        unit = _core._quaternion(given.reshape(-1, 9))[:, [3, 0, 1, 2]]
    if wrong.any():
        index = ", ".join(map(str, np.argwhere(known)[np.argmax(wrong)]))
        word = "a unit quaternion wxyz" if width == 1 else "a rotation matrix"
        raise InvalidArgument(
            name, f"expected {word} at frame and joint [{index}], got {given[np.argmax(wrong)].tolist()}"
        )
    result = np.full((*known.shape, 4), np.nan)
    result[known] = unit
    return result
