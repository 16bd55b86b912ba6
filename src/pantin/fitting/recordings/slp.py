"""SLEAP's projects, .slp, by way of sleap-io."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from pantin.fitting.recordings.problems import RecordingError, foreign, optional
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.sleap import per_track

__all__ = ["read_slp"]


def read_slp(path: Path, rate: float | None = None) -> list[Recording]:
    """Recordings of a SLEAP project, one for each track.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Points that somebody set by hand count as certain.

    Raises:
        RecordingError: If the file cannot be read as one, or has the labels of several videos.
        MissingExtra: If sleap-io is not installed.
    """
    sleap_io = optional("sleap_io", "sleap", "reading SLEAP projects")
    with foreign(path, "a SLEAP project"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of videos that are not at hand, and need not be
        return _tracks(path, sleap_io.load_slp(str(path), open_videos=False), rate)


def _tracks(path: Path, labels: Any, rate: float | None) -> list[Recording]:
    """Recordings of labels."""
    videos = [video for video in labels.videos if any(frame.video is video for frame in labels.labeled_frames)]
    if not videos:
        raise RecordingError(path, "has no labelled frames")
    if len(videos) > 1:
        raise RecordingError(path, f"has the labels of {len(videos)} videos; save those of one in a file")
    if len(labels.skeletons) > 1:
        raise RecordingError(path, f"has {len(labels.skeletons)} skeletons; save the labels of one in a file")
    values = labels.numpy(video=videos[0], return_confidence=True).transpose(1, 0, 2, 3)
    positions, scores = values[..., :2], values[..., 2]
    seen = np.isfinite(positions).all(axis=-1)
    scores = np.where(seen & np.isnan(scores), 1.0, scores)
    nodes = [node.name for node in labels.skeletons[0].nodes]
    names = [track.name for track in labels.tracks]
    return per_track(path, "slp", nodes, names, positions, scores, rate)
