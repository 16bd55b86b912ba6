"""Global inverse kinematics: targets in, joint angles out."""

from pantin.reaching.options import ReachOptions
from pantin.reaching.result import ReachBatch, ReachCheck, ReachResult
from pantin.reaching.solver import ReachSolver, reach

__all__ = ["ReachBatch", "ReachCheck", "ReachOptions", "ReachResult", "ReachSolver", "reach"]
