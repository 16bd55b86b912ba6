"""Global inverse kinematics: targets in, joint angles out."""

from pantin.reaching.closed_form import ClosedForm, closed_form
from pantin.reaching.options import ReachOptions
from pantin.reaching.result import ReachBatch, ReachCheck, ReachResult
from pantin.reaching.solver import ReachSolver, reach

__all__ = [
    "ClosedForm",
    "ReachBatch",
    "ReachCheck",
    "ReachOptions",
    "ReachResult",
    "ReachSolver",
    "closed_form",
    "reach",
]
