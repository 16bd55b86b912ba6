"""Tables of numbers in text files: read fast, and where that fails read with care to tell which line is wrong."""

from __future__ import annotations

import array
import csv
import functools
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO

import numpy as np

from pantin.fitting.recordings.blocks import Body
from pantin.fitting.recordings.problems import RecordingError

__all__ = ["Line", "cells_of", "comments", "head", "is_number", "numbers", "separator_of"]

#: What stands for a number that is missing.
MISSING = ["", "nan", "NaN", "NAN", "na", "NA", "n/a", "N/A", "none", "None", "null", "NULL", "-nan(ind)", "1.#QNAN"]
SEPARATORS = ",;\t"
COMMENTS = ("#", "//")
LONGEST = 1 << 24


class Line(NamedTuple):
    """A line that says something.

    Attributes:
        number: Where it stands in the file, from 1.
        text: What it says, without the line's end.
    """

    number: int
    text: str


def head(path: Path, count: int) -> list[Line]:
    """The first lines of a text file that are neither blank nor comments.

    Raises:
        RecordingError: If the file cannot be read, or is not text.
    """
    return list(itertools.islice(_lines(path), count))


def comments(path: Path) -> dict[str, str]:
    """What comment lines above the table state as `# key: value`, keys in lower case."""
    stated: dict[str, str] = {}
    for line in _all_lines(path):
        text = line.text.strip()
        if text and not text.startswith(COMMENTS):
            break
        key, colon, value = text.lstrip("#/ ").partition(":")
        if colon:
            stated[key.strip().lower()] = value.strip()
    return stated


def separator_of(text: str) -> str:
    """What parts the cells of a line: comma, semicolon or tab."""
    return max(SEPARATORS, key=text.count)


def cells_of(path: Path, line: Line, separator: str) -> list[str]:
    """Cells of a line, stripped.

    Args:
        path: The file, for messages.
        line: The line.
        separator: What parts them; "" for any run of blanks.
    """
    if not separator:
        return line.text.split()
    if '"' not in line.text:
        return [cell.strip() for cell in line.text.split(separator)]
    try:
        (cells,) = csv.reader([line.text], delimiter=separator, skipinitialspace=True)
    except (csv.Error, ValueError) as error:
        raise RecordingError(path, f"line {line.number}: {error}") from None
    return [cell.strip() for cell in cells]


def numbers(
    path: Path, *, after: int, separator: str, width: int, words: Sequence[int] = (), ragged: bool = False
) -> Body:
    """Numbers of the lines below a header.

    Args:
        path: The file.
        after: Number of the header's last line.
        separator: What parts the cells; "" for any run of blanks.
        width: Cells of a row.
        words: Which of its cells may be words, which are read as NaN.
        ragged: Let rows end early, or in empty cells too many; what lacks is missing.

    Raises:
        RecordingError: If a row has more or fewer cells, or one that is no number; the message names the line.
    """
    fast = _fast(path, after, separator, width, words) if separator else None
    return fast or _careful(path, after, separator, width, words, ragged)


def is_number(word: str) -> bool:
    """True if a word spells a number, or that it is missing."""
    if word in MISSING:
        return True
    try:
        float(word)
    except ValueError:
        return False
    return True


def _fast(path: Path, after: int, separator: str, width: int, words: Sequence[int]) -> Body | None:
    """The numbers by way of Arrow; None if it is not installed or does not understand every line."""
    try:
        import pyarrow as arrow  # noqa: PLC0415  # optional
        from pyarrow import compute  # noqa: PLC0415
        from pyarrow import csv as arrow_csv  # noqa: PLC0415
    except ImportError:
        return None
    names = [str(i) for i in range(width)]
    kinds = {name: arrow.string() if i in words else arrow.float64() for i, name in enumerate(names)}
    try:
        table = arrow_csv.read_csv(
            path,
            read_options=arrow_csv.ReadOptions(skip_rows=after, column_names=names),
            parse_options=arrow_csv.ParseOptions(delimiter=separator),
            convert_options=arrow_csv.ConvertOptions(column_types=kinds, null_values=MISSING),
        )
    except (arrow.ArrowException, OSError, ValueError):
        return None
    if 0 in words and compute.any(compute.match_substring_regex(table.column(0), r"^\s*(#|//)")).as_py():
        return None  # a comment with as many cells as a row
    return Body(table.num_rows, map(functools.partial(_numeric, words=words), table.to_batches()))


def _numeric(batch: Any, words: Sequence[int]) -> list[Any]:
    """Columns of a batch, words as NaN."""
    lost = np.full(batch.num_rows, np.nan)
    return [lost if i in words else column.to_numpy(zero_copy_only=False) for i, column in enumerate(batch.columns)]


def _careful(path: Path, after: int, separator: str, width: int, words: Sequence[int], ragged: bool) -> Body:
    """The numbers line by line."""
    values = array.array("d")
    for line in _lines(path, after):
        cells = cells_of(path, line, separator)
        if ragged:
            while len(cells) > width and not cells[-1]:
                cells.pop()
            cells += [""] * (width - len(cells))
        if len(cells) != width:
            raise RecordingError(path, f"line {line.number} has {len(cells)} values, expected {width} as in its header")
        for i in words:
            cells[i] = ""
        try:
            values.extend(float(cell) if cell not in MISSING else np.nan for cell in cells)
        except ValueError:
            _refuse(path, line.number, cells)
    table = np.frombuffer(values, dtype=np.float64).reshape(-1, width) if values else np.empty((0, width))
    return Body(len(table), [list(table.T)])


def _refuse(path: Path, number: int, cells: list[str]) -> NoReturn:
    """Error for the first cell that is no number."""
    column, cell = next((i, cell) for i, cell in enumerate(cells, 1) if not is_number(cell))
    hint = "; write decimal points, not commas" if is_number(cell.replace(",", ".")) else ""
    raise RecordingError(path, f"line {number}, column {column}: expected a number, got {cell[:40]!r}{hint}")


def _lines(path: Path, after: int = 0) -> Iterator[Line]:
    """Lines that say something, below a line."""
    for line in _all_lines(path):
        if line.number > after and line.text.strip() and not line.text.lstrip().startswith(COMMENTS):
            yield line


def _all_lines(path: Path) -> Iterator[Line]:
    """All lines."""
    with _opened(path) as file:
        try:
            for number, text in enumerate(iter(lambda: file.readline(LONGEST), ""), 1):
                yield Line(number, text.rstrip("\n"))
        except UnicodeDecodeError as error:
            raise RecordingError(path, f"is not text in UTF-8 ({error.reason})") from None


def _opened(path: Path) -> TextIO:
    """The file as text."""
    try:
        with path.open("rb") as file:
            start = file.read(4096)
        if b"\0" in start:
            raise RecordingError(path, "is not text")
        return path.open(encoding="utf-8-sig", newline=None)
    except OSError as error:
        raise RecordingError(path, f"cannot be read: {error.strerror or error}") from None
