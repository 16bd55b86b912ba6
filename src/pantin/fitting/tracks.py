"""Frames on their way through the core: observations, the core that fits them, and tracks of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, count
from pantin.errors import InvalidArgument
from pantin.fitting.found import Found
from pantin.fitting.observations import Observations
from pantin.fitting.problem import FitProblem
from pantin.kinematics.warn import warn_caller

__all__ = ["Frames", "state_row", "worker_count"]

#: A callback that is told how many frames are done, and how many there are.
Progress = Callable[[int, int], object]

#: First frame, the frame behind the last, how many of the first go aside, and to which row there.
Track = tuple[int, int, int, int]


class Frames:
    """T frames of a recording, ready to be fitted.

    Attributes:
        problem: What they are fitted with.
        observed: What was seen in them.
        core: The core.
        neutral: What cold fits start from: a row (root position, quaternion wxyz, degrees of freedom).
    """

    def __init__(self, problem: FitProblem, core: _core.FitCore, observed: Observations, neutral: Array) -> None:
        """Bring the observations to the form of the core.

        Raises:
            InvalidArgument: If a prescribed degree of freedom has another number of values than there are frames.
        """
        self.problem, self.core, self.observed, self.neutral = problem, core, observed, neutral
        self._rows = problem.rows(observed.positions, observed.weights)
        self._prescribed = problem.prescribed_rows(observed.n_frames)

    def run(
        self,
        found: Found,
        tracks: Sequence[Track],
        starts: Array | None = None,
        *,
        continues: bool = False,
        aside: Found | None = None,
        progress: Progress | None = None,
        wide: bool = False,
        threads: int = 1,
    ) -> None:
        """Fit tracks of frames, each from its own start or cold.

        Args:
            found: Takes what is found of each frame; see `pantin.fitting.found`.
            tracks: The tracks.
            starts: A start for each track, shape (tracks, 7 + N); None for cold fits.
            continues: A start is the state of the frame before, which gaps hold to.
            aside: Takes the frames of a track that go aside.
            progress: Is told how far the work is.
            wide: A track in each lane of the processor.
            threads: Number of threads that share the tracks.
        """
        table = np.empty((len(tracks), 6), dtype=np.int64)
        table[:, :4] = np.reshape(tracks, (-1, 4))
        table[:, 4] = -1 if starts is None else np.arange(len(tracks))
        table[:, 5] = continues
        self.core.run(
            **self._rows,
            prescribed=self._prescribed,
            neutral=self.neutral,
            found=found,
            aside=aside,
            tracks=table,
            starts=starts,
            progress=progress,
            wide=wide,
            threads=threads,
        )

    def keep_values(self, found: Found) -> None:
        """Give degrees of freedom that keep a value this value to the bit: the core rounds as it changes units."""
        if self.problem.is_partly_fixed:
            fixed = self.problem.fixed
            found["dofs"][:, fixed] = self.neutral[7:][fixed]
        if self._prescribed is not None:
            found["dofs"][:, self.problem.prescribed] = self._prescribed

    def aligned(self, frame: int) -> Array:
        """The first of the cold starts of a frame: the given pose, moved rigidly to what is seen."""
        return self.core.aligned(frame=frame, neutral=self.neutral, **self._rows)


def state_row(found: Mapping[str, npt.NDArray[Any]], frame: int) -> Array:
    """The state that was found for a frame, as a start for others."""
    parts = ("root_pos", "root_quat_wxyz", "dofs")
    return np.concatenate([found[part][frame] for part in parts])


def worker_count(workers: object) -> int:
    """Number of threads: a positive count, or -1 for all cores, -2 for all but one, and so on.

    Raises:
        InvalidArgument: If it is 0, or no whole number.
    """
    asked = count("workers", workers, lower=-(2**31), upper=2**31 - 1)
    if asked == 0:
        raise InvalidArgument("workers", "expected a positive count, or -1 for all cores, -2 for all but one; got 0")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if asked < 0:
        return max(1, cores + 1 + asked)
    if asked > cores:
        warn_caller(f"{asked} workers were asked for, and there are {cores} cores; {cores} work")
    return min(asked, cores)
