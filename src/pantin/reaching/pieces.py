"""A batch solved piece by piece, so that a callback hears how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument

__all__ = ["in_pieces", "piece_of"]

#: A callback that is told how many targets are done, and how many there are.
Progress = Callable[[int, int], object]

#: A piece of work takes about this long, s, and has at most so many times the targets of the one before it.
_SECONDS, _GROWTH = 0.1, 4


def in_pieces(solve: Callable[[slice], tuple[Array, ...]], count: int, progress: Progress | None) -> tuple[Array, ...]:
    """Answers to many targets: to all at once, or in pieces where a callback asks to be told.

    Args:
        solve: Answers those in a slice; gives arrays with an entry for each along the first axis.
        count: Number of targets.
        progress: Told after each piece. What it raises ends the work.

    Raises:
        InvalidArgument: If the callback is none.
    """
    if progress is None:
        return solve(slice(0, count))
    if not callable(progress):
        raise InvalidArgument("progress", f"expected a callback that takes (done, total), got {progress!r}")
    pieces: list[tuple[Array, ...]] = []
    done, size = 0, 1
    while done < count or not pieces:
        start, began = done, time.perf_counter()
        done = min(start + size, count)
        pieces.append(solve(slice(start, done)))
        took = time.perf_counter() - began
        progress(done, count)
        size = max(1, int(size * min(_GROWTH, _SECONDS / max(took, 1e-9))))
    return tuple(np.concatenate(parts) for parts in zip(*pieces, strict=True))


def piece_of(rows: Array | None, piece: slice) -> Array | None:
    """A slice of rows that there may be one for each target, or one for all, or none."""
    return rows if rows is None or rows.ndim == 1 else rows[piece]
