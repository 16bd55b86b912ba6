"""Tables of names: which keypoint of a recording is which joint of a body plan."""

from __future__ import annotations

import csv
import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pantin.errors import InvalidArgument
from pantin.fitting.recordings.problems import RecordingError, RecordingNotFound

__all__ = ["read_mapping"]

_HEADERS = ({"recording", "keypoint", "from", "source"}, {"joint", "plan", "to", "target"})
_OFFSETS = "local offsets of keypoints are not supported: give the plan a joint without dofs at that place"


def read_mapping(mapping: Mapping[str, str] | str | os.PathLike[str] | None) -> dict[str, str]:
    """Names of joints by names of keypoints.

    Args:
        mapping: The table itself, or a file: JSON (one object), TOML (keys and values, perhaps under `[mapping]`), or
            CSV with two columns, `recording` and `joint`. None for an empty one.

    Raises:
        RecordingNotFound: If there is no such file.
        RecordingError: If it does not hold such a table; the message names the line or the key.
        InvalidArgument: If the table itself is not made of names.
    """
    if mapping is None:
        return {}
    if isinstance(mapping, Mapping):
        return _checked(mapping, lambda message: InvalidArgument("mapping", message))
    if not isinstance(mapping, (str, os.PathLike)):
        raise InvalidArgument("mapping", f"expected a table of names or a file, got a {type(mapping).__name__}")
    path = Path(os.fspath(mapping)).expanduser()
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise RecordingNotFound(path) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(path, f"cannot be read: {error}") from None
    return _checked(_parse(path, text), lambda message: RecordingError(path, message))


def _parse(path: Path, text: str) -> Any:
    """The table of a file, by its ending."""
    suffix = path.suffix.lower()
    try:
        if suffix == ".json":
            return json.loads(text, object_pairs_hook=_unique)
        if suffix == ".toml":
            table = tomllib.loads(text)
            return table["mapping"] if set(table) == {"mapping"} and isinstance(table["mapping"], dict) else table
    except (ValueError, RecursionError) as error:
        raise RecordingError(path, str(error)) from None
    if suffix == ".csv":
        return _csv(path, text)
    raise RecordingError(path, "expected a table of names that ends in .json, .toml or .csv")


def _csv(path: Path, text: str) -> dict[str, str]:
    """Two columns of names, their header skipped."""
    table: dict[str, str] = {}
    try:
        rows = [(number, row) for number, row in enumerate(csv.reader(text.splitlines(), skipinitialspace=True), 1)]
    except csv.Error as error:
        raise RecordingError(path, str(error)) from None
    for number, row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if len(cells) != 2:
            hint = f"; {_OFFSETS}" if len(cells) > 2 else ""
            raise RecordingError(path, f"line {number} has {len(cells)} names, expected recording and joint{hint}")
        if not table and all(cell.lower() in known for cell, known in zip(cells, _HEADERS, strict=True)):
            continue
        if cells[0] in table:
            raise RecordingError(path, f"line {number}: keypoint {cells[0]!r} stands twice")
        table[cells[0]] = cells[1]
    return table


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, refused where a key stands twice."""
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"keypoint {key!r} stands twice")
        table[key] = value
    return table


def _checked(table: Any, error: Callable[[str], Exception]) -> dict[str, str]:
    """A table of names, each joint used once."""
    if not isinstance(table, Mapping):
        raise error(f"expected a table from keypoints to joints, got a {type(table).__name__}")
    origin: dict[str, str] = {}
    for keypoint, joint in table.items():
        if isinstance(joint, (Mapping, list, tuple)):
            raise error(f"{keypoint!r}: expected the name of a joint, got {joint!r:.60}; {_OFFSETS}")
        if not isinstance(joint, str) or not isinstance(keypoint, str) or not joint or not keypoint:
            raise error(f"{keypoint!r}: expected the name of a joint, got {joint!r:.60}")
        if joint in origin:
            raise error(f"both {origin[joint]!r} and {keypoint!r} are mapped to the joint {joint!r}")
        origin[joint] = keypoint
    return dict(table)
