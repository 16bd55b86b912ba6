"""C3D, the binary format of motion capture.

Read here from its public description (the C3D file format, c3d.org), of which every length is checked before it is
used. A file begins with a header of 512 bytes; parameters in groups follow, and then for each frame the points, as
whole numbers with a scale or as floats, and the samples of analogue channels, which are passed over.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.recordings.c3d_parameters import BLOCK, MACHINES, Parameters, floats, read_parameters
from pantin.fitting.recordings.problems import RecordingError, foreign
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.units import as_unit

__all__ = ["read_c3d"]

#: Points that are results of a model, not places: angles, forces and the like.
_RESULTS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")


def read_c3d(path: Path) -> list[Recording]:
    """Recording of a C3D file's labelled points.

    Raises:
        RecordingError: If the file cannot be read as one.
    """
    with foreign(path, "a C3D file"):
        content = np.fromfile(path, dtype=np.uint8)
        parameters, machine = read_parameters(path, content)
        points = _points(path, content, parameters, machine)
        labels = _labels(parameters)
        results = {label for kind in _RESULTS for label in parameters.words("POINT", kind)}
        count = points.shape[1]
        labels = [*labels[:count], *("" for _ in range(count - len(labels)))]
        kept = [i for i, label in enumerate(labels) if label and not label.startswith("*") and label not in results]
        if not kept:
            raise RecordingError(path, f"has no labelled points among its {count}")
        units = parameters.words("POINT", "UNITS")
        return [
            Recording(
                keypoints=tuple(labels[i] for i in kept),
                positions=points[:, kept],
                rate=_rate(parameters, content, machine),
                unit=as_unit("unit", units[0] if units and units[0] else None),
                path=str(path),
                format="c3d",
                ignored=tuple(label for i, label in enumerate(labels) if label and i not in kept),
            )
        ]


class _Data(NamedTuple):
    """Where the points are and how they are stored; sizes in values, not bytes."""

    start: int
    frames: int
    frame: int
    points: int
    scale: float


def _points(path: Path, content: npt.NDArray[np.uint8], parameters: Parameters, machine: int) -> Array:
    """Coordinates of all points, shape (frames, points, 3), NaN where missing."""
    data = _data(content, parameters, machine)
    whole = data.scale > 0
    size = 2 if whole else 4
    available = max(0, (len(content) - data.start) // (data.frame * size)) if data.frame else 0
    if not data.points or data.frames < 1:
        raise RecordingError(path, f"has {data.points} points in {data.frames} frames")
    if available < data.frames:
        raise RecordingError(path, f"ends early: it has {available} of {data.frames} frames")
    raw = content[data.start : data.start + data.frames * data.frame * size]
    values = raw.view(MACHINES[machine] + "i2") if whole else floats(raw, machine)
    rows = values.reshape(data.frames, data.frame)[:, : 4 * data.points].reshape(data.frames, data.points, 4)
    points: Array = rows[..., :3].astype(np.float64)
    if whole:
        points *= data.scale
    points[rows[..., 3] < 0] = np.nan
    return points


def _data(content: npt.NDArray[np.uint8], parameters: Parameters, machine: int) -> _Data:
    """Where the points are, by the parameters or else by the header."""
    words = content[:BLOCK].view(MACHINES[machine] + "u2")
    scale = parameters.number("POINT", "SCALE", float(floats(content[12:16], machine)[0]))
    start = int(parameters.number("POINT", "DATA_START", words[8])) % 65536 or int(words[8])
    points = int(parameters.number("POINT", "USED", words[1])) % 65536
    analogue = int(words[2])
    return _Data((start - 1) * BLOCK, _frames(words, parameters), 4 * points + analogue, points, float(scale))


def _frames(words: npt.NDArray[np.uint16], parameters: Parameters) -> int:
    """Number of frames: the header counts to 65535, longer files say more in their parameters."""
    ends = [parameters.numbers("TRIAL", f"ACTUAL_{end}_FIELD") for end in ("START", "END")]
    if all(len(end) >= 2 for end in ends):
        first, last = (int(end[0]) % 65536 + 65536 * (int(end[1]) % 65536) for end in ends)
        if last >= first:
            return last - first + 1
    long = parameters.number("POINT", "LONG_FRAMES", 0)
    if long > 0:
        return int(long)
    return int(words[4]) - int(words[3]) + 1


def _labels(parameters: Parameters) -> list[str]:
    """Names of the points; those beyond 255 stand in LABELS2 and on."""
    labels = parameters.words("POINT", "LABELS")
    for index in itertools.count(2):
        more = parameters.words("POINT", f"LABELS{index}")
        if not more:
            return labels
        labels += more
    return labels


def _rate(parameters: Parameters, content: npt.NDArray[np.uint8], machine: int) -> float | None:
    """Frames per second, if stated."""
    rate = parameters.number("POINT", "RATE", float(floats(content[20:24], machine)[0]))
    return float(rate) if math.isfinite(rate) and rate > 0 else None
