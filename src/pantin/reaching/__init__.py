"""Global inverse kinematics: targets in, joint angles out."""

from pantin.reaching.closed_form import ClosedForm, closed_form
from pantin.reaching.diagnostics import ReachResidual
from pantin.reaching.options import ReachOptions
from pantin.reaching.path_result import PathCheck, PathEvent, PathPoints, PathResult
from pantin.reaching.problem import Problem
from pantin.reaching.problem_result import ProblemBatch, ProblemCheck, ProblemResult, ResidualError
from pantin.reaching.question import Question
from pantin.reaching.remote_centre import PivotResidual, pivot_residual
from pantin.reaching.residuals import CentreOfMass, FrameTarget, LookAt, Pivot, Posture, Residual
from pantin.reaching.result import ReachBatch, ReachCheck, ReachResult
from pantin.reaching.solutions import ReachSolutions
from pantin.reaching.solver import ReachSolver, reach

__all__ = [
    "CentreOfMass",
    "ClosedForm",
    "FrameTarget",
    "LookAt",
    "PathCheck",
    "PathEvent",
    "PathPoints",
    "PathResult",
    "Pivot",
    "PivotResidual",
    "Posture",
    "Problem",
    "ProblemBatch",
    "ProblemCheck",
    "ProblemResult",
    "Question",
    "ReachBatch",
    "ReachCheck",
    "ReachOptions",
    "ReachResidual",
    "ReachResult",
    "ReachSolutions",
    "ReachSolver",
    "Residual",
    "ResidualError",
    "closed_form",
    "pivot_residual",
    "reach",
]
