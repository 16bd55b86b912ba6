"""TRC, the text format of motion capture, with the dialects in which programs write it.

A head of two lines of facts (rates, counts, the unit) and their names; a line with the names of the markers, each over
three columns; perhaps a line X1, Y1, Z1, X2, ...; and then for each frame its number, its time and the coordinates.
Columns are parted by tabs, or by blanks where no marker is ever missing.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path

from pantin.fitting.recordings.blocks import Body, gather
from pantin.fitting.recordings.problems import RecordingError, RecordingWarning, foreign
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.text import Line, cells_of, head, is_number, numbers
from pantin.fitting.recordings.units import stated_unit

__all__ = ["looks_like_trc", "read_trc"]

_FACTS = ("datarate", "camerarate", "nummarkers", "numframes", "units")


def looks_like_trc(lines: Sequence[Line]) -> bool:
    """True if lines begin as a TRC file does."""
    return any(line.text.lower().lstrip().startswith(("pathfiletype", "datarate")) for line in lines[:1])


def read_trc(path: Path, rate: float | None = None) -> list[Recording]:
    """Recording of a TRC file.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read as one.
    """
    with foreign(path, "a TRC file"):
        lines = head(path, 7)
        facts, lines = _facts(path, lines)
        if not lines:
            raise RecordingError(path, "ends before the names of its markers")
        separator = "\t" if "\t" in lines[0].text else ""
        markers = _markers(path, lines[0], separator)
        stated = facts.get("nummarkers")
        if stated is not None and float(stated) != len(markers):
            raise RecordingError(
                path, f"line {lines[0].number} names {len(markers)} markers, but NumMarkers says {stated}"
            )
        last = lines[1] if len(lines) > 1 and _names_columns(lines[1]) else lines[0]
        width = 2 + 3 * len(markers)
        body = numbers(path, after=last.number, separator=separator, width=width, ragged=separator == "\t")
        time, positions = gather(body, [[1], range(2, width)])
        _compare(path, facts.get("numframes"), body)
        return [
            Recording(
                keypoints=tuple(markers),
                positions=positions.reshape(body.rows, len(markers), 3),
                time=None if rate else time[:, 0],
                rate=rate or (float(facts["datarate"]) if "datarate" in facts else None),
                unit=stated_unit(path, facts.get("units")),
                path=str(path),
                format="trc",
            )
        ]


def _facts(path: Path, lines: list[Line]) -> tuple[dict[str, str], list[Line]]:
    """What the head states, its names in lower case, and the lines below it."""
    if lines and lines[0].text.lower().lstrip().startswith("pathfiletype"):
        lines = lines[1:]
    if len(lines) < 2:
        raise RecordingError(path, "ends in its head, which names DataRate, NumMarkers, Units and their values")
    names, values = lines[0].text.split(), lines[1].text.split()
    if not any(name.lower() in _FACTS for name in names):
        raise RecordingError(
            path, f"line {lines[0].number}: expected names such as DataRate and Units, got {names[:3]}"
        )
    if len(values) < len(names):
        raise RecordingError(path, f"line {lines[1].number} has {len(values)} values for {len(names)} names above it")
    facts = {name.lower(): value for name, value in zip(names, values, strict=False)}
    for name in ("datarate", "nummarkers", "numframes"):
        if not is_number(facts.get(name, "0")):
            raise RecordingError(path, f"line {lines[1].number}: expected a number for {name}, got {facts[name]!r}")
    return facts, lines[2:]


def _markers(path: Path, line: Line, separator: str) -> list[str]:
    """Names of the markers, behind those of the columns of frames and times."""
    cells = [cell for cell in cells_of(path, line, separator) if cell]
    if len(cells) < 3 or not cells[0].lower().startswith("frame") or not cells[1].lower().startswith("time"):
        raise RecordingError(
            path, f"line {line.number}: expected Frame#, Time and the names of markers, got {line.text.strip()[:40]!r}"
        )
    return cells[2:]


def _names_columns(line: Line) -> bool:
    """True for the line X1, Y1, Z1, X2, ..."""
    return all(re.fullmatch(r"[XYZ]\d*", cell, flags=re.IGNORECASE) for cell in line.text.split())


def _compare(path: Path, stated: str | None, body: Body) -> None:
    """Warn where the head counts other frames than there are."""
    if stated is not None and float(stated) != body.rows:
        message = f"{path}: NumFrames says {stated}, but there are {body.rows} frames"
        warnings.warn(message, RecordingWarning, stacklevel=2)
