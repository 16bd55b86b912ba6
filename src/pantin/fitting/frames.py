"""Frames of results: some chosen from one, or those of several put in a row."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.fields import FIELDS
from pantin.fitting.join import Join
from pantin.fitting.jsonable import encoded
from pantin.fitting.observations import Observations
from pantin.fitting.result import FitResult
from pantin.fitting.sources import Source

__all__ = ["chosen", "concatenated", "framed"]


def chosen(result: FitResult, key: Any) -> FitResult:
    """Some frames of a result, or one; see `FitResult.__getitem__`."""
    kept = np.arange(len(result))[key]
    seen = None if result.observations is None else _observed(result.observations, kept)
    return dataclasses.replace(
        result,
        **{field.name: getattr(result, field.name)[key] for field in FIELDS},
        source=tuple(_at(source, kept) for source in result.source),
        residuals=tuple(array[key] for array in result.residuals),
        outliers=tuple(array[key] for array in result.outliers),
        time=None if result.time is None else result.time[key],
        joins=_moved(result.joins, kept),
        observations=seen,
        infinite=result.infinite if seen is None else seen.infinite,
    )


def framed(result: FitResult) -> FitResult:
    """The result with an axis of frames, which that of a single frame lacks."""
    if not result.single:
        return result
    seen = result.observations
    arrays: dict[str, Any] = {field.name: np.asarray(getattr(result, field.name))[None] for field in FIELDS}
    return dataclasses.replace(
        result,
        **arrays,
        residuals=tuple(array[None] for array in result.residuals),
        outliers=tuple(array[None] for array in result.outliers),
        time=None if result.time is None else np.asarray(result.time)[None],
        observations=None if seen is None else dataclasses.replace(seen, single=False),
    )


def concatenated(parts: Sequence[FitResult]) -> FitResult:
    """The frames of several results, one after the other; see `FitResult.concatenate`."""
    parts = [framed(part) for part in parts]
    if not parts:
        raise InvalidArgument("parts", "expected results, got none")
    first = parts[0]
    for number, part in enumerate(parts):
        for what, one, other in (
            ("plan", first.plan.to_dict(), part.plan.to_dict()),
            ("options", encoded(first.options), encoded(part.options)),
            ("sources", len(first.source), len(part.source)),
        ):
            if one != other:
                raise InvalidArgument("parts", f"part {number} was fitted with other {what} than part 0")
    source = tuple(map(_in_a_row, zip(*(part.source for part in parts), strict=True)))
    starts = np.cumsum([0, *map(len, parts)])
    arrays = {field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in FIELDS}
    return FitResult(
        plan=first.plan,
        options=first.options,
        source=source,
        **arrays,
        residuals=tuple(map(np.concatenate, zip(*(part.residuals for part in parts), strict=True))),
        outliers=tuple(map(np.concatenate, zip(*(part.outliers for part in parts), strict=True))),
        time=_times(parts),
        joins=tuple(
            join._replace(frame=int(join.frame + start))
            for part, start in zip(parts, starts[:-1], strict=True)
            for join in part.joins
        ),
        observations=_observations(parts, source),
        infinite=sum(part.infinite for part in parts),
        provenance=first.provenance,
    )


def _run(kept: npt.NDArray[np.intp]) -> Any:
    """Frames, as a slice where they are neighbours: arrays are then looked at and not copied."""
    frames = np.atleast_1d(kept)
    run = bool(frames.size) and bool((np.diff(frames) == 1).all())
    return slice(int(frames[0]), int(frames[-1]) + 1) if run else frames


def _observed(observations: Observations, kept: npt.NDArray[np.intp]) -> Observations:
    """The observations of some frames, or of the one where it was asked for by its index."""
    return dataclasses.replace(observations.frames(_run(kept)), single=not kept.ndim)


def _at(source: Source, kept: npt.NDArray[np.intp]) -> Source:
    """A source at some frames, for cameras may move."""
    return source.at(_run(kept)) if isinstance(source, Camera) else source


def _moved(joins: tuple[Join, ...], kept: npt.NDArray[np.intp]) -> tuple[Join, ...]:
    """Joins at frames that are kept, told by their new numbers."""
    if not kept.ndim:
        return ()
    places = [(join, np.flatnonzero(kept == join.frame)) for join in joins]
    return tuple(join._replace(frame=int(place[0])) for join, place in places if place.size)


def _in_a_row(sources: tuple[Source, ...]) -> Source:
    """A source of all parts; a camera that moves has the frames of all."""
    cameras = [each for each in sources if isinstance(each, Camera) and each.n_frames is not None]
    if len(cameras) == len(sources):
        R, t = (np.concatenate([getattr(each, name) for each in cameras]) for name in ("R", "t"))
        sources = tuple(dataclasses.replace(each, R=R, t=t) for each in cameras)
    for number, source in enumerate(sources):
        if source != sources[0]:
            raise InvalidArgument("parts", f"part {number} was fitted with other sources than part 0")
    return sources[0]


def _times(parts: list[FitResult]) -> Array | None:
    """The times of all parts, or None where no part has any."""
    times = [part.time for part in parts if part.time is not None]
    if times and len(times) < len(parts):
        raise InvalidArgument("parts", "some parts have times and some have none")
    return np.concatenate(times) if times else None


def _observations(parts: list[FitResult], source: tuple[Source, ...]) -> Observations | None:
    """What all parts were fitted to, or None where that of one is not known."""
    seen = [part.observations for part in parts if part.observations is not None]
    if len(seen) < len(parts):
        return None
    weights: list[Array | None] = []
    for place in range(len(source)):
        own = [one.weights[place] for one in seen]
        if all(each is None for each in own):
            weights.append(None)
        else:
            filled = [one.seen(place) if each is None else each for one, each in zip(seen, own, strict=True)]
            weights.append(np.concatenate(filled, dtype=np.float64))
    return Observations(
        sources=source,
        positions=tuple(map(np.concatenate, zip(*(one.positions for one in seen), strict=True))),
        weights=tuple(weights),
        single=False,
        n_frames=sum(one.n_frames for one in seen),
        infinite=sum(one.infinite for one in seen),
    )
