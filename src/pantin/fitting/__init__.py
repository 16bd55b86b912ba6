"""Body plans and tracked keypoints in, joint angles out."""

from pantin.fitting.camera import Camera
from pantin.fitting.observations import Observations, observe
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan, BodyPlanError, Finding
from pantin.fitting.quality import NullSpace
from pantin.fitting.recordings import (
    Matched,
    MatchReport,
    Recording,
    RecordingError,
    RecordingNotFound,
    RecordingWarning,
    align_axes,
    match,
    read_recording,
    read_recordings,
    weights_from_confidence,
)
from pantin.fitting.result import FitResult
from pantin.fitting.sources import Distance, Orientation, Points3D, XYView
from pantin.fitting.state import State
from pantin.fitting.status import FitStatus

__all__ = [
    "BodyPlan",
    "BodyPlanError",
    "Camera",
    "Distance",
    "Finding",
    "FitOptions",
    "FitResult",
    "FitStatus",
    "MatchReport",
    "Matched",
    "NullSpace",
    "Observations",
    "Orientation",
    "Points3D",
    "Recording",
    "RecordingError",
    "RecordingNotFound",
    "RecordingWarning",
    "State",
    "XYView",
    "align_axes",
    "match",
    "observe",
    "read_recording",
    "read_recordings",
    "weights_from_confidence",
]
