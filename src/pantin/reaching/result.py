"""Answers of `reach`: to one target, and to many."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array
from pantin.kinematics.configurations import clamp
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3
from pantin.reaching.answer import STATUS, Answer
from pantin.reaching.diagnostics import ReachResidual, error_parts, singular_values
from pantin.reaching.doors import as_target
from pantin.reaching.remaining import remaining

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pantin.reaching.solver import ReachSolver

__all__ = ["ReachBatch", "ReachCheck", "ReachResult"]


class ReachCheck(NamedTuple):
    """What remains at an answer, computed anew from the model and its limits as they are now.

    Attributes:
        position_error: Distance to the target, m; 0 where the mode asks for no position.
        rotation_error: Angle to the target, rad; 0 where the mode asks for no rotation.
        within_limits: True if every joint is within its limits.
        success: True if the tolerances are met within limits.
    """

    position_error: float
    rotation_error: float
    within_limits: bool
    success: bool


class ReachResult(_core.ReachOutcome, Answer):
    """Answer to one target, whether or not it was reached.

    Attributes:
        q: Configuration, shape (nq,), within limits: the answer, or the nearest that was found. Joints that do not
            move the frame stay as the seed has them.
        success: True if all tolerances are met.
        position_error: Distance to the target, m; 0 where the mode asks for no position.
        rotation_error: Angle to the target, rad; 0 where the mode asks for no rotation. For "rcm" it is the angle
            from the shaft to the line from the pivot to the target. Of components those that count make these errors.
        iterations: Iterations of the start that gave the answer.
        starts: Starts that were compared.
        seed_distance: Largest motion of one joint from the seed, rad or m.
        status: Why the solve ended.
        at_limit: Names of the joints that stand at one of their limits.
        notes: What was done to the question, and what else is known of the answer, in words.
    """

    __slots__ = ()

    @property
    def target(self) -> SE3 | Array:
        """The target as the mode asks for it, a pose, a point or direction (3,), or an orientation (3, 3)."""
        return as_target(self._reach_solver, self._target)

    def check(self) -> ReachCheck:
        """What remains at q, computed by the model's own forward kinematics."""
        solver = self._reach_solver
        left = remaining(solver, self.q, self._target)
        inside = bool(np.array_equal(clamp(solver.model, self.q), self.q))
        return ReachCheck(float(left.position), float(left.rotation), inside, inside and bool(left.met))

    @property
    def residual(self) -> ReachResidual:
        """Parts of what is missing, along the axes of the root, m and rad; see `ReachResidual`."""
        return error_parts(self._reach_solver, self.q, self._target)

    @property
    def min_singular_value(self) -> float:
        """Smallest singular value of the Jacobian of what the mode asks for, near 0 where the answer is singular.

        The rows are those of `pantin.reaching.diagnostics.rows`, lengths in metres and angles in radians: six for a
        pose, three for a position. Of the joints those count that may move. Where they are fewer than the rows, it is
        the smallest of as many values as there are velocities.
        """
        return float(singular_values(self._reach_solver, self.q, self._target).min(initial=np.inf))

    def plot(self, path: str | os.PathLike[str] | None = None, *, seed: npt.ArrayLike | None = None) -> Figure:
        """Stick figure of the answer with the axes of frame and target; see `pantin.reaching.plot.plot_reach`."""
        from pantin.reaching.plot import plot_reach  # noqa: PLC0415  # which draws results

        return plot_reach(self, path, seed=seed)

    @property
    def _reach_solver(self) -> ReachSolver:
        return cast("ReachSolver", self._solver)

    @property
    def _model(self) -> Model:
        return self._reach_solver.model

    def _own_notes(self) -> list[str]:
        notes = []
        if self._target_projected:
            notes.append("the target's rotation was not quite one and was projected")
        weight = self._reach_solver.question.get("posture_weight") or 0.0
        if not 0.0 <= weight <= 1.0:
            notes.append("the posture's weight was outside [0, 1] and was clamped")
        return notes


class ReachBatch:
    """Answers to many targets; arrays have the leading axes of the targets.

    Attributes:
        q: Configurations, shape (..., nq), each as in `ReachResult`.
        success: True where all tolerances are met.
        position_error: Distances to the targets, m.
        rotation_error: Angles to the targets, rad.
        seed_distance: Largest motions of one joint from the seed, rad or m.
        iterations: Iterations of the starts that gave the answers.
        starts: Starts that were compared.
    """

    def __init__(self, solver: ReachSolver, targets: Array, q: Array, columns: tuple[Array, ...]) -> None:
        """Answers from what the core returned, one row a target, and the configurations, shape (..., nq)."""
        status, position, rotation, distance, iterations, starts = columns
        shape = q.shape[:-1]
        self._solver = solver
        self._targets = targets
        self._status = status.astype(np.intp).reshape(shape)
        self.q: Array = q
        self.success: npt.NDArray[np.bool_] = self._status == 0
        self.position_error: Array = position.reshape(shape)
        self.rotation_error: Array = rotation.reshape(shape)
        self.seed_distance: Array = distance.reshape(shape)
        self.iterations: npt.NDArray[np.int64] = iterations.astype(np.int64).reshape(shape)
        self.starts: npt.NDArray[np.int64] = starts.astype(np.int64).reshape(shape)

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """Status word of each target."""
        return np.array([status.value for status in STATUS])[self._status]

    def check(self) -> tuple[Array, Array]:
        """Position errors, m, and rotation errors, rad, computed by the model's own forward kinematics."""
        targets = self._targets.reshape(*self.success.shape, 12)
        return remaining(self._solver, self.q, targets)[:2]

    def __len__(self) -> int:
        """Number of targets along the first axis."""
        return len(self.success)

    def __repr__(self) -> str:
        """How many were reached."""
        reached = int(self.success.sum())
        return f"ReachBatch({reached} of {self.success.size} reached)"
