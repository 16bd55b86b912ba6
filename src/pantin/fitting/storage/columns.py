"""A result as a wide table: one row a frame, one column a number."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.fitting.status import STATUSES
from pantin.fitting.storage.layout import Entry, Layout
from pantin.fitting.storage.record import Record, Take

__all__ = ["STATUS", "WORDS", "column_names", "columns", "from_columns"]

#: The column that tells in words how each frame ended, where the array has codes.
STATUS = "status"

#: The words in the order of their codes.
WORDS = tuple(status.value for status in STATUSES)


def column_names(entry: Entry, layout: Layout) -> list[str]:
    """Names of the columns of an array: its own name, and what the places along its axes are called."""
    if entry.name == "status_code":
        return [STATUS]
    places = itertools.product(*(layout.labels[axis] for axis in entry.axes))
    return [".".join((entry.name, *place)) for place in places]


def columns(record: Record, rows: slice) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """Columns of some rows with their names, in order; the status in codes."""
    for entry in record.layout.entries:
        block = record.arrays[entry.name][rows]
        names = column_names(entry, record.layout)
        yield from zip(names, np.ascontiguousarray(block.reshape(len(block), len(names)).T), strict=True)


def from_columns(read: Callable[[list[str]], list[npt.NDArray[Any]]], frames: int) -> Take:
    """The arrays of a table.

    Args:
        read: Gives columns by their names; the status in codes.
        frames: Number of rows.
    """

    def take(entry: Entry, layout: Layout) -> npt.NDArray[Any]:
        names = column_names(entry, layout)
        values = np.empty((frames, len(names)), dtype=entry.dtype)
        for place, column in enumerate(read(names)):
            values[:, place] = column
        return values.reshape(layout.shape(entry, frames))

    return take
