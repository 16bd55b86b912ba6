"""C3D, the binary format of motion capture.

Read here from its public description (the C3D file format, c3d.org), of which every length is checked before it is
used. A file begins with a header of 512 bytes; parameters in groups follow, and then for each frame the points, as
whole numbers with a scale or as floats, and the samples of analogue channels, which are passed over.
"""

from __future__ import annotations

import itertools
import math
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.recordings.c3d_parameters import BLOCK, MACHINES, Parameters, floats, read_parameters
from pantin.fitting.recordings.problems import RecordingError, RecordingWarning, foreign
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.units import stated_unit

__all__ = ["read_c3d"]

#: Points that are results of a model, not places: angles, forces and the like.
_RESULTS = ("ANGLES", "FORCES", "MOMENTS", "POWERS", "SCALARS")


def read_c3d(path: Path, rate: float | None = None) -> list[Recording]:
    """Recording of a C3D file's labelled points.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

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
                rate=rate or _rate(parameters, content, machine),
                unit=stated_unit(path, units[0] if units else None),
                path=str(path),
                format="c3d",
                ignored=tuple(label for i, label in enumerate(labels) if label and i not in kept),
            )
        ]


class _Data(NamedTuple):
    """Where the points are and how they are stored; sizes in values, not bytes."""

    start: int
    frame: int
    points: int
    scale: float


def _points(path: Path, content: npt.NDArray[np.uint8], parameters: Parameters, machine: int) -> Array:
    """Coordinates of all points, shape (frames, points, 3), NaN where missing."""
    data = _data(content, parameters, machine)
    whole = data.scale > 0
    size = data.frame * (2 if whole else 4)
    available = max(0, (len(content) - data.start) // size) if size else 0
    frames = _frames(content, parameters, machine)
    if frames is None:
        frames = _frames_by_length(content[data.start : data.start + available * size].reshape(available, size))
        message = f"{path}: does not state how many frames beyond 65535 it has; {frames} by its length"
        warnings.warn(message, RecordingWarning, stacklevel=2)
    if not data.points or frames < 1:
        raise RecordingError(path, f"has {data.points} points in {frames} frames")
    if available < frames:
        raise RecordingError(path, f"ends early: it has {available} of {frames} frames")
    raw = content[data.start : data.start + frames * size]
    values = raw.view(MACHINES[machine] + "i2") if whole else floats(raw, machine)
    rows = values.reshape(frames, data.frame)[:, : 4 * data.points].reshape(frames, data.points, 4)
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
    return _Data((start - 1) * BLOCK, 4 * points + int(words[2]), points, float(scale))


def _frames(content: npt.NDArray[np.uint8], parameters: Parameters, machine: int) -> int | None:
    """Number of frames as stated: the header counts to 65535, longer files should say more in their parameters."""
    ends = [parameters.numbers("TRIAL", f"ACTUAL_{end}_FIELD") for end in ("START", "END")]
    if all(len(end) >= 2 for end in ends):
        first, last = (int(end[0]) % 65536 + 65536 * (int(end[1]) % 65536) for end in ends)
        if last >= first:
            return last - first + 1
    long = parameters.number("POINT", "LONG_FRAMES", 0)
    if long > 0:
        return int(long)
    first, last = (int(word) for word in content[6:10].view(MACHINES[machine] + "u2"))
    return None if last == 65535 else last - first + 1


def _frames_by_length(rows: npt.NDArray[np.uint8]) -> int:
    """Number of frames that there is room for, without the zeros that fill the last block up."""
    filled = np.asarray(rows.any(axis=1))
    return len(rows) - int(np.argmax(filled[::-1])) if filled.any() else 0


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
