"""Neurodata Without Borders: pose estimation as its extension ndx-pose lays it out, read through h5py.

Each `PoseEstimation` group is an individual, and each `PoseEstimationSeries` in it a keypoint with positions, perhaps
confidences, and times of its own. A keypoint is missing at the times that only others have.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.fitting.recordings.problems import RecordingError, foreign, optional
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.units import stated_unit

__all__ = ["read_nwb"]

#: Decimals of a second by which times of keypoints are told apart.
_DECIMALS = 6


class _Series(NamedTuple):
    """A keypoint: positions (T, 2 or 3), confidences (T,) or None, times (T,), unit."""

    positions: Array
    confidence: Array | None
    time: Array
    unit: Any


def read_nwb(path: Path, rate: float | None = None) -> list[Recording]:
    """Recordings of an NWB file, one for each individual.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read, or has no pose estimation.
        MissingExtra: If h5py is not installed.
    """
    h5py = optional("h5py", "fit", "reading NWB files")
    with foreign(path, "an NWB file with pose estimation"), h5py.File(path, "r") as file:
        groups = _of_type(h5py, file, "PoseEstimation")
        if not groups:
            raise RecordingError(path, "has no pose estimation")
        names = [name.rpartition("/")[2].removeprefix("track=") for name in groups]
        if len(set(names)) < len(names):
            names = list(groups)
        whose = tuple(names) if len(names) > 1 else ()
        return [
            _individual(h5py, path, group, rate, name if whose else "", whose)
            for name, group in zip(names, groups.values(), strict=True)
        ]


def _individual(h5py: Any, path: Path, group: Any, rate: float | None, name: str, names: tuple[str, ...]) -> Recording:
    """Recording of one individual."""
    keypoints = {key: _series(series) for key, series in _of_type(h5py, group, "PoseEstimationSeries").items()}
    widths = {series.positions.shape[1] for series in keypoints.values()}
    if len(widths) != 1:
        raise RecordingError(path, f"{group.name} has {len(keypoints)} keypoints with {sorted(widths)} coordinates")
    time = np.unique(np.concatenate([series.time for series in keypoints.values()]).round(_DECIMALS))
    width = widths.pop()
    positions = np.full((len(time), len(keypoints), width), np.nan)
    confidence = np.full((len(time), len(keypoints)), np.nan)
    for index, series in enumerate(keypoints.values()):
        frames = np.searchsorted(time, series.time.round(_DECIMALS))
        positions[frames, index] = series.positions
        if series.confidence is not None:
            confidence[frames, index] = series.confidence
    sure = any(series.confidence is not None for series in keypoints.values())
    return Recording(
        keypoints=tuple(keypoints),
        positions=positions,
        confidence=confidence if sure else None,
        time=None if rate else time,
        rate=rate,
        unit=stated_unit(path, next(iter(keypoints.values())).unit),
        individual=name,
        individuals=names,
        path=str(path),
        format="nwb",
    )


def _series(group: Any) -> _Series:
    """A keypoint's values."""
    data = group["data"]
    positions = np.asarray(data[()], dtype=np.float64) * float(data.attrs.get("conversion", 1.0))
    if "timestamps" in group:
        time = np.asarray(group["timestamps"][()], dtype=np.float64)
    else:
        start = group["starting_time"]
        time = float(start[()]) + np.arange(len(positions)) / float(start.attrs["rate"])
    confidence = np.asarray(group["confidence"][()], dtype=np.float64) if "confidence" in group else None
    if positions.ndim != 2 or time.shape != positions.shape[:1] or not np.isfinite(time).all():
        raise ValueError(f"{group.name} has {positions.shape} positions at {time.shape} times")
    unit = data.attrs.get("unit")
    return _Series(positions, confidence, time, unit.decode() if isinstance(unit, bytes) else unit)


def _of_type(h5py: Any, group: Any, kind: str) -> dict[str, Any]:
    """Groups of a type inside a group, by name."""
    found: dict[str, Any] = {}

    def keep(name: str, item: Any) -> None:
        given = item.attrs.get("neurodata_type")
        if isinstance(item, h5py.Group) and (given.decode() if isinstance(given, bytes) else given) == kind:
            found[name] = item

    group.visititems(keep)
    return found
