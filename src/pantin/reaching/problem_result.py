"""Answers of a `Problem`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.algorithms import center_of_mass
from pantin.kinematics.batch import frame_placements, log3
from pantin.kinematics.configurations import clamp
from pantin.kinematics.model import Model
from pantin.reaching.answer import STATUS, Answer
from pantin.reaching.remaining import angle_between
from pantin.reaching.residuals import Residual

if TYPE_CHECKING:
    from pantin.reaching.problem import Problem

__all__ = ["ProblemBatch", "ProblemCheck", "ProblemResult", "ResidualError"]

#: What another way of computing an error may differ by, m or rad.
_ROUNDING = 1e-12


class ResidualError(NamedTuple):
    """What remains of one residual.

    Attributes:
        residual: The residual.
        position: Distance, m: to the target, or of a pivot from its shaft; 0 where no position is asked for.
        rotation: Angle, rad; 0 where no rotation is asked for.
        reached: True if both are within the residual's tolerances.
    """

    residual: Residual
    position: float
    rotation: float
    reached: bool


class ProblemCheck(NamedTuple):
    """What remains at an answer, computed anew from the model and its limits as they are now.

    Attributes:
        errors: What remains of each residual.
        within_limits: True if every joint is within its limits.
        success: True if all tolerances are met within limits.
    """

    errors: tuple[ResidualError, ...]
    within_limits: bool
    success: bool


class ProblemResult(_core.ProblemOutcome, Answer):
    """Answer to one question, whether or not all targets were reached.

    Attributes:
        q: Configuration, shape (nq,), within limits: the answer, or the nearest that was found.
        success: True if all tolerances are met.
        iterations: Iterations of the start that gave the answer.
        starts: Starts that were compared.
        seed_distance: Largest motion of one joint from the seed, rad or m.
        status: Why the solve ended.
        at_limit: Names of the joints that stand at one of their limits.
        notes: What was done to the question, and what else is known of the answer, in words.
    """

    __slots__ = ()

    @property
    def errors(self) -> tuple[ResidualError, ...]:
        """What remains of each residual, in the order they were added."""
        pairs = zip(self._asked, self._errors, strict=True)
        return tuple(_error(residual, *map(float, errors), rounding=0.0) for residual, errors in pairs)

    def error(self, residual: Residual) -> ResidualError:
        """What remains of one residual.

        Raises:
            InvalidArgument: If the question did not have it.
        """
        for error in self.errors:
            if error.residual is residual:
                return error
        raise InvalidArgument("residual", f"expected one of those solved for, got {residual!r}")

    @property
    def position_error(self) -> float:
        """Largest distance that remains, m."""
        return float(self._errors[:, 0].max())

    @property
    def rotation_error(self) -> float:
        """Largest angle that remains, rad."""
        return float(self._errors[:, 1].max())

    def check(self) -> ProblemCheck:
        """What remains at q, computed by the model's own forward kinematics."""
        model = self._model
        pairs = zip(self._asked, self._targets, strict=True)
        errors = tuple(
            _error(residual, *remaining(model, residual, target, self.q), rounding=_ROUNDING)
            for residual, target in pairs
        )
        inside = bool(np.array_equal(clamp(model, self.q), self.q))
        return ProblemCheck(errors, inside, inside and all(error.reached for error in errors))

    @property
    def _model(self) -> Model:
        return cast("Problem", self._problem).model

    @property
    def _asked(self) -> tuple[Residual, ...]:
        return cast("tuple[Residual, ...]", self._residuals)


class ProblemBatch:
    """Answers to many questions; arrays have the leading axes of the targets.

    Attributes:
        q: Configurations, shape (..., nq), each as in `ProblemResult`.
        success: True where all tolerances are met.
        position_errors: Distances that remain of each residual, shape (..., n), m.
        rotation_errors: Angles that remain of each residual, shape (..., n), rad.
        seed_distance: Largest motions of one joint from the seed, rad or m.
        iterations: Iterations of the starts that gave the answers.
        starts: Starts that were compared.
        residuals: What was asked for, in the order of the errors.
    """

    def __init__(self, residuals: tuple[Residual, ...], q: Array, columns: tuple[Array, ...]) -> None:
        """Answers from what the core returned, one row a question, and the configurations, shape (..., nq)."""
        status, errors, distance, iterations, starts = columns
        shape = q.shape[:-1]
        self.residuals = residuals
        self._status = status.astype(np.intp).reshape(shape)
        self.q: Array = q
        self.success: npt.NDArray[np.bool_] = self._status == 0
        self.position_errors: Array = errors[..., 0].reshape(*shape, len(residuals))
        self.rotation_errors: Array = errors[..., 1].reshape(*shape, len(residuals))
        self.seed_distance: Array = distance.reshape(shape)
        self.iterations: npt.NDArray[np.int64] = iterations.astype(np.int64).reshape(shape)
        self.starts: npt.NDArray[np.int64] = starts.astype(np.int64).reshape(shape)

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """Status word of each question."""
        return np.array([status.value for status in STATUS])[self._status]

    def __len__(self) -> int:
        """Number of questions along the first axis."""
        return len(self.success)

    def __repr__(self) -> str:
        """How many were reached."""
        return f"ProblemBatch({int(self.success.sum())} of {self.success.size} reached)"


def remaining(model: Model, residual: Residual, target: Array, q: Array) -> tuple[float, float]:
    """Distance and angle that remain of a residual, by the tree's forward kinematics, not by the solver's.

    Args:
        model: Robot model.
        residual: The residual.
        target: Its twelve numbers, rotation by rows and translation; directions are the rotation's last column.
        q: Configuration, shape (nq,).
    """
    goal = target[9:]
    if residual.aim == "centre_of_mass":
        centre = center_of_mass(model, model.create_data(), q)
        return float(np.linalg.norm((goal - centre)[residual.weights > 0.0])), 0.0
    root, frame = (frame_placements(model, index, q) for index in (residual._root, residual._frame))
    M = np.linalg.inv(root) @ frame
    position, along = M[:3, 3], M[:3, :3] @ residual._axis
    if residual.aim == "look_at":
        return 0.0, float(angle_between(along, goal - position))
    if residual.aim == "pivot":
        return float(np.linalg.norm(np.cross(goal - position, along))), 0.0
    if residual.aim == "direction":
        return 0.0, float(angle_between(along, target[[2, 5, 8]]))
    away = goal - position
    if residual.aim == "axis":
        return float(np.linalg.norm(away[residual.weights[:3] > 0.0])), float(angle_between(along, target[[2, 5, 8]]))
    turn = log3(target[:9].reshape(3, 3) @ M[:3, :3].T)
    if residual.aim == "position":
        return float(np.linalg.norm(away[residual.weights > 0.0])), 0.0
    if residual.aim == "orientation":
        return 0.0, float(np.linalg.norm(turn[residual.weights > 0.0]))
    counts = residual.weights > 0.0
    return float(np.linalg.norm(away[counts[:3]])), float(np.linalg.norm(turn[counts[3:]]))


def _error(residual: Residual, position: float, rotation: float, *, rounding: float) -> ResidualError:
    reached = position <= residual.position_tolerance + rounding and rotation <= residual.rotation_tolerance + rounding
    return ResidualError(residual, position, rotation, reached)
