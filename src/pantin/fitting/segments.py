"""Recordings in segments: windows that overlap, fitted each by itself and joined where both agree."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, count, scalar
from pantin.errors import InvalidArgument, PantinError
from pantin.fitting.found import Found, new_found
from pantin.fitting.join import Join
from pantin.fitting.plan import BodyPlan
from pantin.fitting.tracks import Frames, Progress, Track, state_row
from pantin.kinematics.warn import warn_caller

__all__ = ["Segments", "SegmentsDisagree", "cut", "fit_windows", "join_windows"]

OnDisagree = Literal["repair", "warn", "raise"]

#: Shortest window, and the number of windows, that "auto" aims at.
SHORTEST, AIM = 200, 256

#: Frames that a repair fits before it looks whether it agrees with the later window.
PIECE = 64


class SegmentsDisagree(PantinError, ValueError):
    """Two segments of a recording that were fitted to different poses where they overlap.

    Attributes:
        join: Where, and by how much.
    """

    def __init__(self, join: Join) -> None:
        self.join = join
        super().__init__(
            f"segments disagree at frame {join.frame}: by {join.angle:.3g} rad and {join.position:.3g} of the model "
            "length; let them be repaired with on_disagree='repair', or fit without segments"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.join,))


@dataclasses.dataclass(frozen=True)
class Segments:
    """How a recording is cut into windows that are fitted each by itself.

    Attributes:
        length: Frames of a window, without those that it shares with the one before.
        overlap: Frames that two windows share.
        angle: Difference of hinges and of the root's rotation up to which windows agree, rad.
        position: Difference of slides and of the root's position up to which they agree, relative to the model length.
        on_disagree: What to do where they do not: "repair" fits the later window anew from where the earlier one
            ends, "warn" keeps it and warns, "raise" raises `SegmentsDisagree`.
    """

    length: int
    overlap: int = 10
    angle: float = 0.02
    position: float = 0.005
    on_disagree: OnDisagree = "repair"

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            InvalidArgument: If one is out of range, or the overlap is not shorter than the length.
        """
        object.__setattr__(self, "length", count("length", self.length, lower=1))
        object.__setattr__(self, "overlap", count("overlap", self.overlap, lower=1))
        object.__setattr__(self, "angle", scalar("angle", self.angle, lower=0.0))
        object.__setattr__(self, "position", scalar("position", self.position, lower=0.0))
        if self.overlap >= self.length:
            raise InvalidArgument("overlap", f"expected less than the length {self.length}, got {self.overlap}")
        if self.on_disagree not in get_args(OnDisagree):
            choices = " or ".join(map(repr, get_args(OnDisagree)))
            raise InvalidArgument("on_disagree", f"expected {choices}, got {self.on_disagree!r}")


def cut(frames: int, segments: Segments | int | Literal["auto"]) -> tuple[Segments, list[tuple[int, int]]]:
    """Windows (first frame, frame behind the last) of a recording; they depend on nothing but their arguments.

    Raises:
        InvalidArgument: If `segments` is neither `Segments`, a length, nor "auto".
    """
    if isinstance(segments, str) and segments == "auto":
        segments = Segments(max(SHORTEST, -(-frames // AIM)))
    elif not isinstance(segments, Segments):
        if isinstance(segments, str):
            raise InvalidArgument("segments", f"expected Segments, a length, 'auto' or None, got {segments!r}")
        segments = Segments(count("segments", segments, lower=1))
    starts = range(0, max(frames - segments.overlap, 1), segments.length)
    return segments, [(start, min(start + segments.length + segments.overlap, frames)) for start in starts]


def fit_windows(
    frames: Frames,
    found: Found,
    windows: list[tuple[int, int]],
    overlap: int,
    *,
    start: Array | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Found:
    """Fit windows, each by itself; returns what the later window of each pair found of the frames that both share.

    Args:
        frames: The recording.
        found: Takes the frames, those that two windows share as the earlier one found them.
        windows: The windows, in order.
        overlap: Frames that two of them share.
        start: Start of the first window, else cold.
        threads: Number of threads that share the windows; the result does not depend on it.
        progress: Is told how far the work is.
    """
    aside = new_found(frames.problem, overlap * max(0, len(windows) - 1))
    tracks: list[Track] = [(*windows[0], 0, 0)] if windows else []
    tracks += [(*window, overlap, overlap * k) for k, window in enumerate(windows[1:])]
    if start is None:
        frames.run(found, tracks, aside=aside, wide=True, threads=threads, progress=progress)
    else:
        frames.run(found, tracks[:1], start[None])
        frames.run(found, tracks[1:], aside=aside, wide=True, threads=threads, progress=progress)
    return aside


def join_windows(
    frames: Frames, found: dict[str, npt.NDArray[Any]], aside: Found, windows: list[tuple[int, int]], segments: Segments
) -> tuple[Join, ...]:
    """Join windows that were fitted each by itself; returns where, how far they were apart, and what was done."""
    plan, overlap = frames.problem.plan, segments.overlap
    joins = []
    for k, (begin, end) in enumerate(windows[1:]):
        last, row = begin + overlap - 1, overlap * (k + 1) - 1
        angle, position = apart(plan, _at(found, slice(last, last + 1)), _at(aside, slice(row, row + 1)))
        join = Join(last + 1, float(angle[0]), float(position[0]), "joined")
        if _agree(segments, angle, position)[0]:
            _unwrap(plan, found, last, aside["dofs"][row], end)
        else:
            join = join._replace(action=_settle(frames, found, last, end, join, segments))
        joins.append(join)
    return tuple(joins)


def apart(plan: BodyPlan, one: Found, other: Found) -> tuple[Array, Array]:
    """Largest differences of two runs of states: angles, rad, and positions by the model length, shape (T,)."""
    difference = np.abs(one["dofs"] - other["dofs"])
    turns = difference[:, ~plan.dof_is_slide]
    turns = np.abs(np.remainder(turns + np.pi, 2 * np.pi) - np.pi)
    cosine = np.abs(np.einsum("ti,ti->t", one["root_quat_wxyz"], other["root_quat_wxyz"]))
    angle = np.maximum(turns.max(axis=1, initial=0.0), 2 * np.arccos(np.minimum(cosine, 1.0)))
    shift = np.abs(one["root_pos"] - other["root_pos"]).max(axis=1)
    slides = difference[:, plan.dof_is_slide].max(axis=1, initial=0.0)
    return angle, np.maximum(shift, slides) / plan.length


def _agree(segments: Segments, angle: Array, position: Array) -> npt.NDArray[np.bool_]:
    return (angle <= segments.angle) & (position <= segments.position)


def _at(found: Found, frames: slice) -> Found:
    return {name: array[frames] for name, array in found.items()}


def _unwrap(plan: BodyPlan, found: Found, last: int, later: Array, end: int) -> None:
    """Turn hinges without limits by whole turns, so that the later window goes on from frame `last`."""
    free = ~plan.dof_is_slide & np.isinf(plan.lower) & np.isinf(plan.upper)
    turns = np.where(free, np.round((found["dofs"][last] - later) / (2 * np.pi)), 0.0)
    if turns.any():
        found["dofs"][last + 1 : end] += 2 * np.pi * turns


def _settle(frames: Frames, found: Found, last: int, end: int, join: Join, segments: Segments) -> str:
    """Deal with a window that disagrees with the one before; returns what was done."""
    if segments.on_disagree == "raise":
        raise SegmentsDisagree(join)
    if segments.on_disagree == "warn":
        warn_caller(str(SegmentsDisagree(join)))
        return "kept"
    plan, begin, run = frames.problem.plan, last + 1, 0
    anew = new_found(frames.problem, end - begin)
    while begin < end:
        stop = min(begin + PIECE, end)
        start = state_row(found, last) if begin == last + 1 else state_row(anew, begin - last - 2)
        frames.run(found, [(begin, stop, stop - begin, begin - last - 1)], start[None], continues=True, aside=anew)
        agreed = _agree(
            segments, *apart(plan, _at(anew, slice(begin - last - 1, stop - last - 1)), _at(found, slice(begin, stop)))
        )
        for frame, same in enumerate(agreed.tolist(), start=begin):
            run = run + 1 if same else 0
            if run == segments.overlap:
                later = found["dofs"][frame].copy()
                _take(found, anew, last + 1, frame + 1)
                _unwrap(plan, found, frame, later, end)
                return "repaired"
        begin = stop
    there = slice(last + 1, end)
    if anew["costs"].sum() <= found["costs"][there].sum():
        _take(found, anew, last + 1, end)
        return "replaced"
    return "kept"


def _take(found: Found, anew: Found, begin: int, end: int) -> None:
    """Take frames as they were found anew, of which the first is `begin`."""
    for name, array in found.items():
        array[begin:end] = anew[name][: end - begin]
