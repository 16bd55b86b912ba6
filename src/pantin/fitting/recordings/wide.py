"""Tables with a column for each coordinate, `NAME_x`, `NAME_y` and so on: pantin's own, and Anipose's.

Pantin's have `NAME_x`, `NAME_y`, `NAME_z` and, if known, `NAME_confidence` for each keypoint, and may have `time` in
seconds; in a picture there is no `NAME_z`. Comment lines `# unit: mm` and `# rate: 100` above a CSV file's header, or
the same keys in a Parquet file's metadata, state what else is known.

Anipose's have `NAME_x`, `NAME_y`, `NAME_z`, `NAME_error`, `NAME_ncams` and `NAME_score`; the score is the confidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pantin.errors import InvalidArgument
from pantin.fitting.recordings.blocks import Body, arrow_block, gather
from pantin.fitting.recordings.problems import RecordingError, foreign, optional
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.text import cells_of, comments, head, is_number, numbers, separator_of
from pantin.fitting.recordings.units import stated_unit

__all__ = ["looks_like_anipose", "looks_wide", "read_anipose", "read_wide"]

_AXES = ("x", "y", "z")
#: Rows of a Parquet file that are in memory at once.
_BATCH = 1 << 15


class _Layout(NamedTuple):
    """Which column is what.

    Attributes:
        keypoints: Names of the keypoints, in the order of the file.
        positions: Columns of their coordinates, keypoint by keypoint.
        confidence: Columns of their confidences, -1 where one has none; empty where none has.
        time: Columns of the time: one or none.
        ignored: Names of the other columns.
    """

    keypoints: list[str]
    positions: list[int]
    confidence: list[int]
    time: list[int]
    ignored: tuple[str, ...]


def looks_wide(names: list[str]) -> bool:
    """True if columns have the names of coordinates."""
    return any(name.endswith("_x") for name in names) and any(name.endswith("_y") for name in names)


def looks_like_anipose(names: list[str]) -> bool:
    """True if columns have the names that Anipose gives them."""
    return looks_wide(names) and any(name.endswith(("_ncams", "_error")) for name in names)


def read_wide(path: Path, rate: float | None = None) -> list[Recording]:
    """Recording of one of pantin's tables, CSV or Parquet.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read as one.
        MissingExtra: If it is a Parquet file and pyarrow is not installed.
    """
    return [_read(path, "pantin", "confidence", rate)]


def read_anipose(path: Path, rate: float | None = None) -> list[Recording]:
    """Recording of Anipose's 3D points, CSV or Parquet.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read as one.
        MissingExtra: If it is a Parquet file and pyarrow is not installed.
    """
    return [_read(path, "anipose", "score", rate)]


def _read(path: Path, kind: str, confidence: str, rate: float | None) -> Recording:
    """Recording of a table in which one ending marks confidences."""
    with path.open("rb") as file:
        parquet = file.read(4) == b"PAR1"
    with foreign(path, "a Parquet file" if parquet else "a table of keypoints"):
        layout, body, stated = (_parquet if parquet else _text)(path, confidence)
        count = len(layout.keypoints)
        groups = [layout.positions, layout.confidence, layout.time]
        positions, confidences, time = gather(body, groups)
        return Recording(
            keypoints=tuple(layout.keypoints),
            positions=positions.reshape(body.rows, count, len(layout.positions) // count),
            confidence=confidences if layout.confidence else None,
            time=time[:, 0] if layout.time and not rate else None,
            rate=rate or _rate(stated.get("rate")),
            unit=stated_unit(path, stated.get("unit")),
            path=str(path),
            format=kind,
            ignored=layout.ignored,
        )


def _text(path: Path, confidence: str) -> tuple[_Layout, Body, Mapping[str, str]]:
    """A CSV file's columns, numbers and comments."""
    lines = head(path, 1)
    if not lines:
        raise RecordingError(path, "is empty; its first line names the columns, such as time,nose_x,nose_y,nose_z")
    separator = separator_of(lines[0].text)
    names = cells_of(path, lines[0], separator)
    layout = _layout(path, names, confidence, f"line {lines[0].number}: ")
    used = {*layout.positions, *layout.confidence, *layout.time}
    words = [index for index in range(len(names)) if index not in used]
    body = numbers(path, after=lines[0].number, separator=separator, width=len(names), words=words)
    return layout, body, comments(path)


def _parquet(path: Path, confidence: str) -> tuple[_Layout, Body, Mapping[str, str]]:
    """A Parquet file's columns, numbers and metadata."""
    arrow = optional("pyarrow", "fit", "reading Parquet files")
    file = optional("pyarrow.parquet", "fit", "reading Parquet files").ParquetFile(path, memory_map=True)
    layout = _layout(path, list(file.schema_arrow.names), confidence, "")
    used = {*layout.positions, *layout.confidence, *layout.time}
    for index in sorted(used - {-1}):
        field = file.schema_arrow.field(index)
        if not (arrow.types.is_floating(field.type) or arrow.types.is_integer(field.type)):
            raise RecordingError(path, f"column {field.name!r}: expected numbers, got {field.type}")
    metadata = file.schema_arrow.metadata or {}
    stated = {key.decode(errors="replace"): value.decode(errors="replace") for key, value in metadata.items()}
    return layout, Body(file.metadata.num_rows, map(arrow_block, file.iter_batches(_BATCH))), stated


def _layout(path: Path, names: list[str], confidence: str, where: str) -> _Layout:
    """Which column is what, by its ending."""
    columns: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        keypoint, _, role = name.rpartition("_")
        if (
            keypoint
            and role in (*_AXES, confidence)
            and columns.setdefault(keypoint, {}).setdefault(role, index) != index
        ):
            raise RecordingError(path, f"{where}there are two columns {name!r}; rename or drop one")
    found = {name: roles for name, roles in columns.items() if any(axis in roles for axis in _AXES)}
    if not found:
        numeric = bool(names) and all(is_number(name) for name in names)
        got = "numbers, not names of columns" if numeric else f"columns {', '.join(map(repr, names[:6]))}"
        raise RecordingError(path, f"{where}expected columns such as nose_x, nose_y, nose_z, got {got}")
    axes = [axis for axis in _AXES if any(axis in roles for roles in found.values())]
    for name, roles in found.items():
        lacking = [axis for axis in {"x", "y", *axes} if axis not in roles]
        if lacking:
            raise RecordingError(path, f"{where}keypoint {name!r} has no column {name}_{min(lacking)}")
    positions = [roles[axis] for roles in found.values() for axis in axes]
    confidences = [roles.get(confidence, -1) for roles in found.values()]
    if max(confidences) < 0:
        confidences = []
    time = [names.index("time")] if "time" in names else []
    used = {*positions, *confidences, *time}
    ignored = tuple(name for index, name in enumerate(names) if index not in used)
    return _Layout(list(found), positions, confidences, time, ignored)


def _rate(stated: Any) -> float | None:
    """Frames per second as stated in words."""
    if stated is None:
        return None
    try:
        return float(stated)
    except ValueError:
        raise InvalidArgument("rate", f"expected frames per second, got {stated!r}") from None
