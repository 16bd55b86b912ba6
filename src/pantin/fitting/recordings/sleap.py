"""SLEAP's analysis files, HDF5: one array with the points of all tracks.

The axes of the array are named in the file, or they are those of SLEAP's export, (track, axis, node, frame). A file
without names of nodes is taken for triangulated points as sleap-anipose saves them, (frame, track, node, axis).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from pantin.arrays import Array
from pantin.fitting.recordings.problems import RecordingError, foreign, optional
from pantin.fitting.recordings.recording import Recording

__all__ = ["per_track", "read_sleap"]

_EXPORTED = ("track", "xy", "node", "frame")
_TRIANGULATED = ("frame", "track", "node", "xy")
_ORDER = ("track", "frame", "node", "xy")


def read_sleap(path: Path, rate: float | None = None) -> list[Recording]:
    """Recordings of an analysis file, one for each track.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read as one.
        MissingExtra: If h5py is not installed.
    """
    h5py = optional("h5py", "fit", "reading SLEAP analysis files")
    with foreign(path, "a SLEAP analysis file"):
        with h5py.File(path, "r") as file:
            tracks, dims = file["tracks"][()], _dims(file["tracks"], "node_names" in file)
            scores = file["point_scores"][()] if "point_scores" in file else None
            nodes = [node.decode() for node in file["node_names"][()].ravel()] if "node_names" in file else None
            names = [name.decode() for name in file["track_names"][()].ravel()] if "track_names" in file else []
        if nodes is None:
            nodes = [f"node{index}" for index in range(tracks.shape[dims.index("node")])]
        positions = tracks.transpose([dims.index(name) for name in _ORDER])
        if scores is not None:
            left = [name for name in dims if name != "xy"]
            scores = scores.transpose([left.index(name) for name in _ORDER[:3]])
        return per_track(path, "sleap", nodes, names, positions, scores, rate)


def per_track(
    path: Path, kind: str, nodes: list[str], names: list[str], positions: Any, scores: Any, rate: float | None
) -> list[Recording]:
    """One recording for each track.

    Args:
        path: The file.
        kind: Name of its format.
        nodes: Names of the keypoints (K).
        names: Names of the tracks; empty where there is one without a name.
        positions: Shape (tracks, T, K, 2 or 3).
        scores: Confidences, shape (tracks, T, K), or None. The peaks of SLEAP's confidence maps rise a little above 1;
            that counts as 1.
        rate: Frames per second, if known.

    Raises:
        RecordingError: If there are no tracks, or more than names.
    """
    if not len(positions):
        raise RecordingError(path, "has no tracks; track the animals in SLEAP, then save it again")
    if len(positions) != max(1, len(names)):
        raise RecordingError(path, f"has the points of {len(positions)} tracks, but {len(names)} names for them")
    confidence: list[Array] | list[None] = [None] * len(positions)
    if scores is not None:
        confidence = [np.minimum(score, 1.0) for score in np.asarray(scores, dtype=np.float64)]
    return [
        Recording(
            keypoints=tuple(nodes),
            positions=np.ascontiguousarray(points, dtype=np.float64),
            confidence=score,
            rate=rate,
            unit="px" if points.shape[-1] == 2 else None,
            individual=names[index] if len(names) > 1 else "",
            individuals=tuple(names) if len(names) > 1 else (),
            path=str(path),
            format=kind,
        )
        for index, (points, score) in enumerate(zip(positions, confidence, strict=True))
    ]


def _dims(tracks: Any, named: bool) -> tuple[str, ...]:
    """What the axes of the array of points are; `named` where the file names its nodes, as SLEAP's exports do."""
    if "dims" in tracks.attrs:
        dims = tuple(map(str, json.loads(tracks.attrs["dims"])))
    else:
        dims = _EXPORTED if named else _TRIANGULATED
    if sorted(dims) != sorted(_ORDER) or tracks.ndim != 4:
        raise ValueError(f"its points have axes {dims} and shape {tracks.shape}")
    return dims
