"""Tables of named numbers in CSV and Parquet files, read with an error that names the line, and written whole."""

from __future__ import annotations

import csv
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import LARGEST, Array
from pantin.errors import InvalidArgument
from pantin.files import output_path, whole_file

__all__ = ["Columns", "read_columns", "table_path", "write_columns"]

PARQUET = (".parquet", ".pq")
SEPARATORS = ",;\t"


class Columns(NamedTuple):
    """Numbers of a table.

    Attributes:
        names: Names of the columns.
        values: The numbers, all finite, shape (rows, columns).
        lines: Where each row stands in the file.
        unit: What `lines` counts: "line" or "row".
    """

    names: list[str]
    values: Array
    lines: list[int]
    unit: str

    def where(self, row: int) -> str:
        """Place of a row in the file, in words."""
        return f"{self.unit} {self.lines[row]}"

    def pick(self, names: Sequence[str]) -> Array:
        """Columns in the order of names, shape (rows, len(names))."""
        return self.values[:, [self.names.index(name) for name in names]]


def read_columns(option: str, path: str, accept: Callable[[list[str]], None]) -> Columns:
    """Read a CSV file with a header, or a Parquet file where the name ends so.

    Blank lines and lines that begin with # are skipped; columns are parted by commas, semicolons or tabs.

    Args:
        option: Name of the option, for messages.
        path: The file.
        accept: Is given the names of the columns before their numbers are read, and raises where it knows them not.

    Raises:
        InvalidArgument: If the file cannot be read, has no header or rows, a row has more or fewer values than the
            header has names, or a value is no finite number.
    """
    try:
        read = _read_parquet if Path(path).suffix.lower() in PARQUET else _read_csv
        columns = read(option, path, accept)
    except OSError as error:
        raise InvalidArgument(option, _unreadable(path, error)) from None
    if not columns.lines:
        raise InvalidArgument(option, f"{path!r} has names of columns, but no rows below them")
    wrong = ~(np.abs(columns.values) <= LARGEST)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        number = columns.values[row, column]
        place = f"{columns.where(row)}, column {columns.names[column]!r}"
        raise InvalidArgument(option, f"{place}: expected a finite number, got {number}")
    return columns


def table_path(option: str, path: str) -> Path:
    """The place of a table that is going to be written.

    Raises:
        InvalidArgument: If it cannot be written there, its name ends neither as CSV nor as Parquet, or pyarrow is
            missing.
    """
    place = output_path(option, path)
    if place.suffix.lower() not in (".csv", *PARQUET):
        raise InvalidArgument(option, f"expected a name that ends in .csv or .parquet, got {path!r}")
    if place.suffix.lower() in PARQUET:
        _pyarrow(option)
    return place


def write_columns(option: str, path: str, columns: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a table as its name ends; the file appears whole or not at all.

    Args:
        option: Name of the option, for messages.
        path: The file.
        columns: Arrays of one length by name: words, truths or numbers.

    Raises:
        InvalidArgument: If the file cannot be written.
    """
    place = table_path(option, path)
    with whole_file(option, place) as beside:
        if place.suffix.lower() in PARQUET:
            arrow = _pyarrow(option)
            arrow.parquet.write_table(arrow.table(dict(columns)), beside)
            return
        with beside.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(_cells(values) for values in columns.values()), strict=True))


def _cells(values: npt.NDArray[Any]) -> list[Any]:
    """What the cells of a column say; numbers read back to the same bits."""
    return ["true" if value else "false" for value in values] if values.dtype == np.bool_ else values.tolist()


def _read_csv(option: str, path: str, accept: Callable[[list[str]], None]) -> Columns:
    """Columns of a CSV file."""
    lines: list[int] = []
    rows: list[list[float]] = []
    names: list[str] = []
    try:
        with open(path, encoding="utf-8-sig", newline=None) as file:
            for number, cells in _csv_rows(option, file):
                if not names:
                    names = _header(option, number, cells)
                    accept(names)
                    continue
                if len(cells) != len(names):
                    raise InvalidArgument(
                        option, f"line {number} has {len(cells)} values, expected {len(names)} ({', '.join(names)})"
                    )
                lines.append(number)
                rows.append(_numbers(option, number, names, cells))
    except UnicodeDecodeError as error:
        raise InvalidArgument(option, f"{path!r} is not text in UTF-8 ({error.reason}); save it as CSV") from None
    if not names:
        raise InvalidArgument(option, f"{path!r} is empty; its first line names the columns, such as x,y,z")
    return Columns(names, np.array(rows, dtype=np.float64).reshape(-1, len(names)), lines, "line")


def _csv_rows(option: str, file: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and cells of the lines that say something; the first one tells what parts the cells."""
    separator = ""
    for number, line in enumerate(file, 1):
        text = line.strip(" \n")
        if not text.strip() or text.startswith("#"):
            continue
        separator = separator or max(SEPARATORS, key=text.count)
        try:
            (cells,) = csv.reader([text], delimiter=separator, skipinitialspace=True)
        except csv.Error as error:
            raise InvalidArgument(option, f"line {number}: {error}") from None
        yield number, [cell.strip() for cell in cells]


def _header(option: str, number: int, cells: list[str]) -> list[str]:
    """Names of columns, refused where they are numbers."""
    if all(_is_number(cell) for cell in cells):
        raise InvalidArgument(
            option, f"line {number} has numbers where names of columns are expected; begin with a line such as x,y,z"
        )
    return _named(option, cells)


def _is_number(word: str) -> bool:
    """True if a word spells a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def _numbers(option: str, number: int, names: list[str], cells: list[str]) -> list[float]:
    """Numbers of a line."""
    try:
        return [float(cell) for cell in cells]
    except ValueError:
        name, cell = next((name, cell) for name, cell in zip(names, cells, strict=True) if not _is_number(cell))
        got = repr(cell) if cell else "nothing"
        raise InvalidArgument(option, f"line {number}, column {name!r}: expected a number, got {got}") from None


def _read_parquet(option: str, path: str, accept: Callable[[list[str]], None]) -> Columns:
    """Columns of a Parquet file; a value that is missing is not-a-number."""
    arrow = _pyarrow(option)
    try:
        table = arrow.parquet.read_table(path)
        names = _named(option, [str(name) for name in table.column_names])
        accept(names)
        values = [_parquet_column(option, name, table.column(i)) for i, name in enumerate(names)]
    except arrow.lib.ArrowException as error:
        reason = str(error).strip().partition("\n")[0]
        raise InvalidArgument(option, f"{path!r} cannot be read as a Parquet file: {reason}") from None
    rows = np.stack(values, axis=1) if values else np.empty((table.num_rows, 0))
    return Columns(names, rows, list(range(1, len(rows) + 1)), "row")


def _parquet_column(option: str, name: str, column: Any) -> Array:
    """Numbers of a column."""
    arrow = _pyarrow(option)
    kind = column.type
    if not (arrow.types.is_integer(kind) or arrow.types.is_floating(kind)):
        raise InvalidArgument(option, f"column {name!r}: expected numbers, got {kind}")
    return np.asarray(column.cast(arrow.float64(), safe=False).to_numpy(), dtype=np.float64)


def _pyarrow(option: str) -> Any:
    """The package for Parquet files."""
    try:
        import pyarrow  # noqa: PLC0415  # optional
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise InvalidArgument(
            option, "Parquet files need the package 'pyarrow'; install it with: pip install pyarrow, or use CSV"
        ) from None
    return pyarrow


def _named(option: str, names: list[str]) -> list[str]:
    """The names, refused where one is missing or stands twice."""
    for index, name in enumerate(names):
        if not name:
            raise InvalidArgument(option, f"column {index + 1} has no name; is there a separator too many?")
        if name in names[:index]:
            raise InvalidArgument(option, f"there are two columns {name!r}; rename or drop one")
    return names


def _unreadable(path: str, error: OSError) -> str:
    """Why a file cannot be read, with the nearest name where it does not exist."""
    if not isinstance(error, FileNotFoundError):
        return f"cannot read {path!r}: {error.strerror or error}"
    place = Path(path)
    siblings = [entry.name for entry in place.parent.iterdir()] if place.parent.is_dir() else []
    close = difflib.get_close_matches(place.name, siblings, n=1)
    return f"there is no file {path!r}" + (f"; did you mean {close[0]!r}?" if close else "")
