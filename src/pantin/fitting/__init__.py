"""Body plans and tracked keypoints in, joint angles out."""

from pantin.fitting.camera import Camera
from pantin.fitting.observations import Observations, observe
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan, BodyPlanError, Finding
from pantin.fitting.quality import NullSpace
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
    "NullSpace",
    "Observations",
    "Orientation",
    "Points3D",
    "State",
    "XYView",
    "observe",
]
