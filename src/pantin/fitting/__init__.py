"""Body plans and tracked keypoints in, joint angles out."""

from pantin.fitting.camera import Camera
from pantin.fitting.convert import Bvh, configuration_of_model, read_bvh, state_of_model, write_bvh
from pantin.fitting.join import Join
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
from pantin.fitting.segments import Segments, SegmentsDisagree
from pantin.fitting.solver import FitSolver, fit
from pantin.fitting.sources import Distance, Orientation, Points3D, XYView
from pantin.fitting.state import State
from pantin.fitting.status import FitStatus
from pantin.fitting.summary import FitSummary
from pantin.fitting.tracker import Tracker

__all__ = [
    "BodyPlan",
    "BodyPlanError",
    "Bvh",
    "Camera",
    "Distance",
    "Finding",
    "FitOptions",
    "FitResult",
    "FitSolver",
    "FitStatus",
    "FitSummary",
    "Join",
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
    "Segments",
    "SegmentsDisagree",
    "State",
    "Tracker",
    "XYView",
    "align_axes",
    "configuration_of_model",
    "fit",
    "match",
    "observe",
    "read_bvh",
    "read_recording",
    "read_recordings",
    "state_of_model",
    "weights_from_confidence",
    "write_bvh",
]
