"""DeepLabCut: tables whose header has several rows, in CSV files and in HDF5 files that pandas wrote.

A column is named by its scorer, by the individual where there are several, by the body part, and by what it holds:
x, y, for triangulated points z, and the likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pantin.fitting.recordings.blocks import Body, gather
from pantin.fitting.recordings.pandas_hdf import read_frame
from pantin.fitting.recordings.problems import RecordingError, foreign
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.text import Line, cells_of, head, numbers, separator_of

__all__ = ["looks_like_deeplabcut", "read_deeplabcut"]

#: Names of the header's rows; without the second where there is one individual.
_LEVELS = ("scorer", "individuals", "bodyparts", "coords")
_COORDINATES = ("x", "y", "z")


def looks_like_deeplabcut(lines: Sequence[Line]) -> bool:
    """True if lines begin as the header's rows do."""
    words = [line.text.split(separator_of(line.text))[0].strip(' "') for line in lines]
    return words[:1] == ["scorer"] or words[1:3] == ["bodyparts", "coords"]


def read_deeplabcut(path: Path, rate: float | None = None) -> list[Recording]:
    """Recordings of a DeepLabCut file, one for each individual.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read as one.
        MissingExtra: If it is an HDF5 file and h5py is not installed.
    """
    with path.open("rb") as file:
        binary = file.read(4) == b"\x89HDF"
    with foreign(path, "a DeepLabCut file"):
        columns, body = (read_frame if binary else _read_csv)(path)
        return _individuals(path, columns, body, rate)


def _read_csv(path: Path) -> tuple[list[tuple[str, ...]], Body]:
    """Names of the columns, outermost first, and their numbers."""
    lines = head(path, len(_LEVELS))
    if not lines:
        raise RecordingError(path, "is empty")
    separator = separator_of(lines[0].text)
    rows = [cells_of(path, line, separator) for line in lines]
    levels = _LEVELS if len(rows) > 1 and rows[1][0] == "individuals" else (_LEVELS[0], *_LEVELS[2:])
    for line, row, level in zip(lines, rows, levels, strict=False):
        if row[0] != level:
            raise RecordingError(path, f"line {line.number}: expected it to begin with {level!r}, got {row[0][:40]!r}")
        if len(row) != len(rows[0]):
            raise RecordingError(
                path, f"line {line.number} has {len(row)} names, expected {len(rows[0])} as in line {lines[0].number}"
            )
    if len(rows) < len(levels):
        raise RecordingError(path, f"ends in its header, which has lines for {', '.join(levels)}")
    words = next((i for i, cell in enumerate(rows[0][1:], 1) if cell), len(rows[0]))  # the rest of an index has no name
    columns = [tuple(row[i] for row in rows[: len(levels)]) for i in range(words, len(rows[0]))]
    body = numbers(
        path, after=lines[len(levels) - 1].number, separator=separator, width=len(rows[0]), words=range(words)
    )
    return columns, Body(body.rows, (block[words:] for block in body.blocks))


def _individuals(path: Path, columns: list[tuple[str, ...]], body: Body, rate: float | None) -> list[Recording]:
    """One recording for each individual, out of columns named by all levels."""
    if {len(column) for column in columns} - {3, 4}:
        raise RecordingError(path, "its columns are not named by scorer, bodyparts and coords, as DeepLabCut's are")
    scorers = sorted({column[0] for column in columns})
    if len(scorers) > 1:
        raise RecordingError(
            path, f"has the points of {len(scorers)} scorers, {', '.join(scorers)}; save one in a file"
        )
    points: dict[str, dict[str, dict[str, int]]] = {}
    for index, column in enumerate(columns):
        (*_, individual, part, coordinate) = ("", *column[1:])
        roles = points.setdefault(individual, {}).setdefault(part, {})
        if roles.setdefault(coordinate, index) != index:
            raise RecordingError(path, f"there are two columns {' '.join(column[1:])!r}; drop one")
    if not points:
        raise RecordingError(path, "has no columns")
    names = {column[2] if len(column) == 3 else column[3] for column in columns}
    axes = _COORDINATES[: 3 if "z" in names else 2]
    groups: list[list[int]] = []
    for individual, parts in points.items():
        for part, roles in parts.items():
            lacking = [axis for axis in axes if axis not in roles]
            if lacking:
                whose = f" of {individual!r}" if individual else ""
                raise RecordingError(path, f"body part {part!r}{whose} has no column {lacking[0]!r}")
        groups.append([roles[axis] for roles in parts.values() for axis in axes])
        groups.append([roles.get("likelihood", -1) for roles in parts.values()])
    arrays = gather(body, groups)
    ignored = tuple(" ".join(column[1:]) for column in columns if column[-1] not in (*axes, "likelihood"))
    return [
        Recording(
            keypoints=tuple(parts),
            positions=positions.reshape(body.rows, len(parts), len(axes)),
            confidence=confidence if "likelihood" in names else None,
            rate=rate,
            unit="px" if len(axes) == 2 else None,
            individual=individual,
            individuals=tuple(points),
            path=str(path),
            format="deeplabcut",
            ignored=ignored,
        )
        for (individual, parts), positions, confidence in zip(points.items(), arrays[::2], arrays[1::2], strict=True)
    ]
