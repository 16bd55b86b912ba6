"""Keypoints of one individual over time, as a file has them."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, scalar
from pantin.errors import InvalidArgument

__all__ = ["Recording"]

_INSTEAD = "a rate can stand in for times"


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Recording:
    """Tracked keypoints of one individual, in the order and unit of their file. T frames, K keypoints.

    Attributes:
        keypoints: Names of the keypoints (K).
        positions: Where they are, shape (T, K, 3), or (T, K, 2) in a picture; NaN where missing.
        confidence: How sure the tracker was, shape (T, K), or None where it does not say; NaN where missing.
        time: Seconds, shape (T,), strictly increasing, or None where the file has neither times nor a rate.
        rate: Frames per second (the median where times are uneven), or None like `time`.
        unit: Unit of the positions as the file states it ("m", "cm", "mm", "um", "px"), or None.
        individual: Whose keypoints these are; "" where the file knows one only.
        individuals: Everyone in the file.
        path: The file, or "" for data that came as arrays.
        format: Name of the format it was read as.
        ignored: Columns or points of the file that are no positions and were left out.
    """

    keypoints: tuple[str, ...]
    positions: Array
    confidence: Array | None = None
    time: Array | None = None
    rate: float | None = None
    unit: str | None = None
    individual: str = ""
    individuals: tuple[str, ...] = ()
    path: str = ""
    format: str = ""
    ignored: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the parts agree, and fill in times from a rate or a rate from times.

        Raises:
            InvalidArgument: If names are missing or double, shapes differ, or time does not increase.
        """
        keypoints = _names(self.keypoints)
        positions = array("positions", self.positions, finite=False)
        if positions.ndim != 3 or positions.shape[1] != len(keypoints) or positions.shape[2] not in (2, 3):
            raise InvalidArgument(
                "positions", f"expected shape (T, {len(keypoints)}, 2 or 3), got {np.shape(self.positions)}"
            )
        confidence = self.confidence
        if confidence is not None:
            confidence = array("confidence", confidence, finite=False)
            if confidence.shape != positions.shape[:2]:
                raise InvalidArgument("confidence", f"expected shape {positions.shape[:2]}, got {confidence.shape}")
        time, rate = _times(self.time, self.rate, len(positions))
        facts = {
            "keypoints": keypoints,
            "positions": _closed(positions),
            "confidence": None if confidence is None else _closed(confidence),
            "time": None if time is None else _closed(time),
            "rate": rate,
            "individuals": tuple(self.individuals) or (self.individual,),
            "ignored": tuple(self.ignored),
        }
        for name, value in facts.items():
            object.__setattr__(self, name, value)

    @property
    def n_frames(self) -> int:
        """Number of frames."""
        return len(self.positions)

    def __repr__(self) -> str:
        """One line: whose, what, how much."""
        whose = f" of {self.individual!r}" if self.individual else ""
        rate = f" at {self.rate:g} Hz" if self.rate else ""
        unit = f" in {self.unit}" if self.unit else ""
        size = f"{self.n_frames} frames{rate}, {len(self.keypoints)} keypoints in {self.positions.shape[2]}D{unit}"
        file = f", {Path(self.path).name}" if self.path else ""
        return f"<Recording{whose}: {size} ({self.format or 'arrays'}{file})>"


def _names(names: object) -> tuple[str, ...]:
    """Names of keypoints, each one there and of its own."""
    if isinstance(names, str) or not hasattr(names, "__iter__"):
        raise InvalidArgument("keypoints", f"expected a list of names, got {names!r}")
    words = tuple(str(name) for name in names)
    seen: set[str] = set()
    for index, word in enumerate(words):
        if not word:
            raise InvalidArgument("keypoints", f"keypoint {index} has no name")
        if word in seen:
            raise InvalidArgument("keypoints", f"there are two keypoints {word!r}; rename or drop one")
        seen.add(word)
    return words


def _times(time: npt.ArrayLike | None, rate: float | None, frames: int) -> tuple[Array | None, float | None]:
    """Times and rate, each out of the other where it is missing."""
    if rate is not None:
        rate = scalar("rate", rate, lower=1e-9, upper=1e9)
    if time is None:
        return (None, None) if rate is None else (np.arange(frames) / rate, rate)
    seconds = array("time", time, finite=False)
    if seconds.shape != (frames,):
        raise InvalidArgument("time", f"expected {frames} seconds, one per frame, got shape {seconds.shape}")
    if not np.isfinite(seconds).all():
        raise InvalidArgument("time", f"frame {int(np.argmin(np.isfinite(seconds)))} has no finite time; {_INSTEAD}")
    steps = np.diff(seconds)
    if (steps <= 0).any():
        late = int(np.argmax(steps <= 0)) + 1
        story = f"frame {late} has {seconds[late]:g} s after {seconds[late - 1]:g} s"
        raise InvalidArgument("time", f"expected it to increase, but {story}; {_INSTEAD}")
    if rate is None and frames > 1:
        rate = float(1.0 / np.median(steps))
    return seconds, rate


def _closed(values: Array) -> Array:
    """A view that cannot be written to; the caller's own array stays as it is."""
    view = values.view()
    view.flags.writeable = False
    return view
