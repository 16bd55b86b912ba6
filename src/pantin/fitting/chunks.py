"""A long recording in pieces that are fitted apart, each a run of its windows, and joined to what one fit gives."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.fitting.finish import finished
from pantin.fitting.found import Found, new_found
from pantin.fitting.observations import observe
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.problem import FitProblem
from pantin.fitting.result import FitResult
from pantin.fitting.segments import Segments, cut, join_windows
from pantin.fitting.sources import Points3D
from pantin.fitting.tracks import Frames

__all__ = ["Chunk", "ChunkFound", "chunks_of", "fit_chunk", "join_chunks"]


class Chunk(NamedTuple):
    """Windows of a recording that are fitted together.

    Attributes:
        windows: First frame of each and the frame behind its last, as the recording counts.
        overlap: Frames that a window shares with the one before.
        first: Whether the recording begins here, so that the first window has none before it.
    """

    windows: tuple[tuple[int, int], ...]
    overlap: int
    first: bool

    @property
    def frames(self) -> slice:
        """The frames that it needs."""
        return slice(self.windows[0][0], self.windows[-1][1])


class ChunkFound(NamedTuple):
    """What was found of a chunk.

    Attributes:
        found: Of the frames behind those that its first window shares with the one before.
        aside: Of the frames that each window shares with the one before, as this window has them.
    """

    found: Found
    aside: Found


def chunks_of(frames: int, segments: Segments | int | Literal["auto"], size: int) -> list[Chunk]:
    """The windows of a recording, in groups.

    Args:
        frames: Frames of the recording.
        segments: How it is cut into windows.
        size: Frames of a chunk, about; at least one window goes into each.
    """
    how, windows = cut(frames, segments)
    each = max(1, size // how.length)
    groups = [tuple(windows[k : k + each]) for k in range(0, len(windows), each)]
    return [Chunk(group, how.overlap, first=k == 0) for k, group in enumerate(groups)]


def fit_chunk(plan: BodyPlan, options: FitOptions, chunk: Chunk, positions: Array, weights: Array | None) -> ChunkFound:
    """Fit the windows of a chunk, each by itself.

    Args:
        plan: The body plan.
        options: How to fit the recording.
        chunk: The windows.
        positions: Keypoints in the frames of the chunk, shape (T, K, 3).
        weights: Their weights, shape (T, K), or None.
    """
    begin, overlap = chunk.frames.start, chunk.overlap
    frames = _frames(plan, _part_of(options, chunk.frames), positions, weights)
    found = new_found(frames.problem, len(positions))
    shared = chunk.windows[1:] if chunk.first else chunk.windows
    aside = new_found(frames.problem, overlap * len(shared))
    tracks = [(first - begin, last - begin, overlap, overlap * k) for k, (first, last) in enumerate(shared)]
    if chunk.first:
        tracks.insert(0, (0, chunk.windows[0][1], 0, 0))
    frames.run(found, tracks, aside=aside, wide=True)
    own = slice(0 if chunk.first else overlap, None)
    return ChunkFound({name: array[own] for name, array in found.items()}, aside)


def join_chunks(
    plan: BodyPlan,
    options: FitOptions,
    segments: Segments | int | Literal["auto"],
    positions: Array,
    weights: Array | None,
    time: Array | None,
    parts: Sequence[ChunkFound],
) -> FitResult:
    """The fit of a recording out of that of its chunks, the same to the bit as in one go.

    Args:
        plan: The body plan.
        options: How it was fitted.
        segments: How it was cut.
        positions: Keypoints, shape (T, K, 3).
        weights: Their weights, shape (T, K), or None.
        time: Times of the frames, s, shape (T,), or None.
        parts: What was found of the chunks, in order.
    """
    frames = _frames(plan, options, positions, weights)
    how, windows = cut(len(positions), segments)
    found, aside = (
        {name: np.concatenate([part[name] for part in each]) for name in each[0]} for each in zip(*parts, strict=True)
    )
    joins = join_windows(frames, found, aside, windows, how)
    return finished(frames.problem, found, frames.observed, time=time, joins=joins)


def _frames(plan: BodyPlan, options: FitOptions, positions: Array, weights: Array | None) -> Frames:
    """Frames of points in space, ready to be fitted."""
    problem = FitProblem(plan, options, (Points3D(),))
    observed = observe(plan, positions, weights, Points3D())
    return Frames(problem, problem.core(), observed, problem.start())


def _part_of(options: FitOptions, frames: slice) -> FitOptions:
    """The options of some frames, for prescribed freedoms have a value for each."""
    prescribe = {name: np.asarray(values)[frames] for name, values in options.prescribe.items()}
    return dataclasses.replace(options, prescribe=prescribe)
