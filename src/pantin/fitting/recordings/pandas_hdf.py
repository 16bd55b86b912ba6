"""Frames of numbers in HDF5 files that pandas wrote through PyTables, read without either.

Names of columns are stored as pickles in one of the two layouts. Nothing but words, numbers, lists and tuples is taken
from these, so a file cannot make the reader run code.
"""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from pantin.arrays import Array
from pantin.fitting.recordings.blocks import Body
from pantin.fitting.recordings.problems import RecordingError, foreign, optional

__all__ = ["holds_frame", "read_frame"]

_ADVICE = "open it with pandas and save it with to_csv, or use the CSV file that DeepLabCut writes beside it"


def holds_frame(file: Any) -> bool:
    """True if an open HDF5 file has a frame of pandas'."""
    return any("pandas_type" in group.attrs for group in file.values())


def read_frame(path: Path) -> tuple[list[tuple[str, ...]], Body]:
    """The one frame of a file.

    Args:
        path: An HDF5 file.

    Returns:
        Names of the columns, outermost level first, and their numbers.

    Raises:
        RecordingError: If there is no frame, more than one, or one that is stored in another way.
        MissingExtra: If h5py is not installed.
    """
    h5py = optional("h5py", "fit", "reading HDF5 files")
    with foreign(path, f"a frame of pandas'; {_ADVICE}"), h5py.File(path, "r") as file:
        frames = [group for group in file.values() if "pandas_type" in group.attrs]
        if len(frames) != 1:
            raise RecordingError(path, f"expected one frame of pandas', found {len(frames)}; {_ADVICE}")
        kind = _word(frames[0].attrs["pandas_type"])
        if kind not in ("frame_table", "frame"):
            raise RecordingError(path, f"holds {kind!r}, expected a frame; {_ADVICE}")
        names, blocks = (_table if kind == "frame_table" else _fixed)(frames[0])
    rows = {len(block) for block in blocks}
    if len(rows) != 1 or len(names) != sum(block.shape[1] for block in blocks):
        raise RecordingError(path, f"its columns do not agree with their names; {_ADVICE}")
    return names, Body(rows.pop(), [[column for block in blocks for column in block.T]])


def _table(group: Any) -> tuple[list[tuple[str, ...]], list[Array]]:
    """Columns of a frame in "table" format: one compound field for each block, its names pickled beside it."""
    table = group["table"]
    values = table[()]
    names: list[tuple[str, ...]] = []
    blocks = []
    for field in values.dtype.names:
        if field.startswith("values_block_"):
            names += [tuple(map(str, name)) for name in _unpickle(table.attrs[f"{field}_kind"])]
            blocks.append(_numbers(values[field]))
    return names, blocks


def _fixed(group: Any) -> tuple[list[tuple[str, ...]], list[Array]]:
    """Columns of a frame in "fixed" format: for each level its words, and which of them each column has."""
    names: list[tuple[str, ...]] = []
    blocks = []
    for block in range(int(group.attrs["nblocks"])):
        items = f"block{block}_items"
        levels = []
        for level in range(int(group.attrs[f"{items}_nlevels"])):
            words = [_word(word) for word in group[f"{items}_level{level}"][()]]
            levels.append([words[index] for index in group[f"{items}_label{level}"][()]])
        names += list(zip(*levels, strict=True))
        blocks.append(_numbers(group[f"block{block}_values"][()]))
    return names, blocks


def _numbers(values: Any) -> Array:
    """A block's numbers, shape (rows, columns)."""
    if values.ndim != 2 or values.dtype.kind not in "fiu":
        raise ValueError(f"a block of shape {values.shape} and type {values.dtype} where numbers are expected")
    return np.asarray(values, dtype=np.float64)


def _word(value: Any) -> str:
    """Text that HDF5 gives as bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)


class _Plain(pickle.Unpickler):
    """Reads pickles of plain values."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """Nothing that would have to be imported."""
        raise pickle.UnpicklingError(f"its names are stored as {module}.{name}")


def _unpickle(value: Any) -> Any:
    return _Plain(io.BytesIO(bytes(value))).load()
