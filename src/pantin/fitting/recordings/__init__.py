"""Recordings of tracked keypoints: read from the files of many programs, matched to a body plan by name."""

from pantin.fitting.recordings.axes import align_axes
from pantin.fitting.recordings.matching import Matched, MatchReport, match
from pantin.fitting.recordings.problems import RecordingError, RecordingNotFound, RecordingWarning
from pantin.fitting.recordings.reading import FORMATS, read_recording, read_recordings
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.weights import weights_from_confidence

__all__ = [
    "FORMATS",
    "MatchReport",
    "Matched",
    "Recording",
    "RecordingError",
    "RecordingNotFound",
    "RecordingWarning",
    "align_axes",
    "match",
    "read_recording",
    "read_recordings",
    "weights_from_confidence",
]
