"""Body plans and tracked keypoints in, joint angles out."""

from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan, BodyPlanError, Finding
from pantin.fitting.quality import NullSpace
from pantin.fitting.result import FitResult
from pantin.fitting.state import State
from pantin.fitting.status import FitStatus

__all__ = ["BodyPlan", "BodyPlanError", "Finding", "FitOptions", "FitResult", "FitStatus", "NullSpace", "State"]
