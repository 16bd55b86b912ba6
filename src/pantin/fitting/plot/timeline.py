"""The frames of a recording along a picture, in as many columns as one can see, each with extremes of its frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pantin.arrays import Array, BoolArray

if TYPE_CHECKING:
    from pantin.fitting.result import FitResult

__all__ = ["Timeline"]

#: Columns that a picture shows at most; a page is about 1300 pixels wide.
COLUMNS = 1200


class Timeline:
    """The axis of time, and what becomes of a number a frame along it.

    Attributes:
        label: Its words, with the unit.
        time: Time of each frame, shape (T,), s; the numbers of the frames where the result has no times.
        frames_per_column: How many frames share a column.
        starts: First frame of each column, shape (B,).
        edges: Where columns begin and end, shape (B + 1,).
        centres: Where columns are drawn, shape (B,).
    """

    def __init__(self, result: FitResult, columns: int = COLUMNS) -> None:
        """Divide the frames of a result."""
        count = len(result)
        self.label = "frame" if result.time is None else "time (s)"
        self.time: Array = np.arange(count, dtype=float) if result.time is None else np.asarray(result.time)
        self.frames_per_column = -(-count // columns)
        self.starts = np.arange(0, count, self.frames_per_column)
        step = float(np.median(np.diff(self.time))) if count > 1 else 1.0
        bounds = np.concatenate(
            [[self.time[0] - step / 2], (self.time[1:] + self.time[:-1]) / 2, [self.time[-1] + step / 2]]
        )
        self.edges: Array = bounds[np.append(self.starts, count)]
        self.centres: Array = self.time if self.frames_per_column == 1 else (self.edges[1:] + self.edges[:-1]) / 2

    def largest(self, values: Array) -> Array:
        """Largest number of each column, shape (B, ...); NaN where there is none."""
        return np.fmax.reduceat(values, self.starts, axis=0)

    def smallest(self, values: Array) -> Array:
        """Smallest number of each column, shape (B, ...); NaN where there is none."""
        return np.fmin.reduceat(values, self.starts, axis=0)

    def any(self, mask: BoolArray) -> BoolArray:
        """True for a column with a frame of which it is true, shape (B, ...)."""
        return np.logical_or.reduceat(mask, self.starts, axis=0)

    def mean(self, values: Array) -> Array:
        """Mean of each column, shape (B, ...); NaN where there is none."""
        there = ~np.isnan(values)
        counts = np.add.reduceat(there.astype(float), self.starts, axis=0)
        sums = np.add.reduceat(np.where(there, values, 0.0), self.starts, axis=0)
        return np.asarray(sums / np.where(counts > 0.0, counts, np.nan))

    def runs(self, mask: BoolArray) -> Iterator[tuple[float, float]]:
        """Stretches of time over which a mask, shape (T,), is true in some frame of each column."""
        padded = np.concatenate([[False], self.any(mask), [False]])
        begins, ends = (np.flatnonzero(np.diff(padded.astype(int)) == sign) for sign in (1, -1))
        for begin, end in zip(begins, ends, strict=True):
            yield float(self.edges[begin]), float(self.edges[end])
