"""Units of length, and what looks like the wrong one."""

from __future__ import annotations

import difflib
import os
import warnings

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.fitting.recordings.problems import RecordingWarning

__all__ = ["METRES", "as_unit", "likely_factor", "spread", "stated_unit", "unit_factor"]

#: Metres in a unit of length.
METRES = {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "um": 1e-6}

_SPELLINGS = {
    "m": ("m", "meter", "meters", "metre", "metres"),
    "cm": ("cm", "centimeter", "centimeters", "centimetre", "centimetres"),
    "mm": ("mm", "millimeter", "millimeters", "millimetre", "millimetres"),
    "um": ("um", "µm", "μm", "micron", "microns", "micrometer", "micrometers", "micrometre", "micrometres"),
    "px": ("px", "pixel", "pixels"),
}
_UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings}

#: Factors between the units that people mix up.
_FACTORS = (10.0, 100.0, 1000.0, 1e6)
#: How far from such a factor a ratio of sizes may be, for poses and bodies differ.
_NEAR = 2.5


def as_unit(name: str, word: object) -> str | None:
    """The unit that a word means, None where there is none.

    Args:
        name: Name of the argument, for messages.
        word: "mm", "metres", "µm", "px" and the like, in any case; or None.

    Raises:
        InvalidArgument: If it is no unit that pantin knows.
    """
    if word is None:
        return None
    key = str(word).strip().lower()
    if key in _UNITS:
        return _UNITS[key]
    close = difflib.get_close_matches(key, _UNITS, n=1)
    hint = f"; did you mean {_UNITS[close[0]]!r}?" if close else ""
    raise InvalidArgument(name, f"expected 'm', 'cm', 'mm', 'um' or 'px', got {word!r}{hint}")


def stated_unit(path: str | os.PathLike[str], word: object) -> str | None:
    """The unit that a file states, None where it states none.

    Args:
        path: The file.
        word: What it states.

    Warns:
        RecordingWarning: If it is no unit that pantin knows, which counts as none.
    """
    if word is None or not str(word).strip():
        return None
    try:
        return as_unit("unit", word)
    except InvalidArgument:
        message = f"{os.fspath(path)}: states a unit {str(word)!r:.40}, which is not known; give it to match as unit="
        warnings.warn(message, RecordingWarning, stacklevel=2)
        return None


def unit_factor(given: str, wanted: str) -> float:
    """What a length in one unit is multiplied by to be in another."""
    ratio = METRES[given] / METRES[wanted]
    return float(f"{ratio:.6g}")  # a power of ten, freed of rounding


def spread(positions: Array) -> float:
    """Typical size of a cloud of keypoints.

    Args:
        positions: Shape (T, K, D), NaN where missing.

    Returns:
        Median over frames of the root mean square distance of the keypoints that are seen from their mean; NaN where
        no frame shows two.
    """
    seen = np.asarray(np.isfinite(positions).all(axis=-1))
    count = seen.sum(axis=1)
    positions, seen, count = positions[count >= 2], seen[count >= 2], count[count >= 2]
    if not len(positions):
        return float("nan")
    points = np.where(seen[..., None], positions, 0.0)
    means = points.sum(axis=1) / count[:, None]
    away = np.where(seen[..., None], points - means[:, None], 0.0)
    return float(np.median(np.sqrt((away**2).sum(axis=(1, 2)) / count)))


def likely_factor(data: float, plan: float) -> float | None:
    """The factor of a unit by which two sizes seem to differ, None where they do not."""
    if not (data > 0 and plan > 0):
        return None
    for factor in (*_FACTORS, *(1 / factor for factor in _FACTORS)):
        if 1 / _NEAR < data / plan / factor < _NEAR:
            return factor
    return None
