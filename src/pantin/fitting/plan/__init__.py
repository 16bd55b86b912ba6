"""Body plans: files that describe a tree of keypoints with degrees of freedom, checked as they are read."""

from pantin.fitting.plan.body_plan import BodyPlan
from pantin.fitting.plan.finding import BodyPlanError, Finding, Severity

__all__ = ["BodyPlan", "BodyPlanError", "Finding", "Severity"]
