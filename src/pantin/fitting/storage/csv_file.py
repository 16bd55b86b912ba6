"""Results in CSV files: the header in a comment, the names of the columns, and one line a frame.

Numbers are written with as many digits as bring the same bits back, truths as 0 and 1, what is missing as nan.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from pantin.fitting.result import FitResult
from pantin.fitting.storage.columns import STATUS, WORDS, columns, from_columns
from pantin.fitting.storage.record import Record, header_of, result_of

__all__ = ["read", "write"]

#: What stands before the header.
MARK = "# "

#: Lines that are written at once.
ROWS = 4096


def write(record: Record, path: Path) -> None:
    """Write a result."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(f"{MARK}{record.text}\n")
        names = [name for name, _ in columns(record, slice(0, 0))]
        csv.writer(file, lineterminator="\n").writerow(names)
        for start in range(0, record.frames, ROWS):
            block = columns(record, slice(start, start + ROWS))
            cells = [_cells(name, values) for name, values in block]
            file.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def read(path: Path) -> FitResult:
    """Read a result.

    Raises:
        Exception: Of some kind or another, if the file does not hold one.
    """
    with path.open(encoding="utf-8", newline="") as file:
        mark = file.readline()
        header = header_of(mark.removeprefix(MARK))
        places = {name: place for place, name in enumerate(next(csv.reader(file)))}
        values = _numbers(file, places[STATUS], len(places))
    return result_of(header, from_columns(lambda names: [values[:, places[name]] for name in names], len(values)))


def _cells(name: str, values: npt.NDArray[Any]) -> Iterable[str]:
    """The texts of a column."""
    if name == STATUS:
        return [WORDS[code] for code in values]
    return map(repr, (values.astype(np.int8) if values.dtype == np.bool_ else values).tolist())


def _numbers(file: TextIO, status: int, width: int) -> npt.NDArray[np.float64]:
    """The lines below the names, shape (lines, width), the status as its code."""
    lines = _whole_lines(file)
    first = next(lines, None)
    if first is None:
        return np.empty((0, width))
    return np.loadtxt(
        itertools.chain([first], lines),
        delimiter=",",
        comments=None,
        ndmin=2,
        converters={status: lambda word: float(WORDS.index(word))},
        encoding="utf-8",
    )


def _whole_lines(file: Iterable[str]) -> Iterator[str]:
    """Lines, unless one has lost its end."""
    for line in file:
        if not line.endswith("\n"):
            raise ValueError("its last line is cut off")
        yield line
