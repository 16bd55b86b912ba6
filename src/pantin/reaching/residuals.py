"""What a `Problem` asks for: one object per residual, whose target may be set anew before each solve."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, scalar
from pantin.errors import InvalidArgument
from pantin.kinematics.se3 import SE3
from pantin.reaching.doors import read_form, read_forms
from pantin.reaching.question import tool_rotation

if TYPE_CHECKING:
    from pantin.reaching.problem import Problem

__all__ = ["CentreOfMass", "FrameTarget", "LookAt", "Pivot", "Posture", "Residual"]

#: Aims in the order of the core.
AIMS = ("pose", "position", "orientation", "axis", "direction", "look_at", "pivot", "centre_of_mass")
#: Numbers of weights that an aim takes, and how many rows of the core each of them stands for.
_WEIGHTS = {
    "pose": (1,) * 6,
    "position": (1,) * 3,
    "orientation": (1,) * 3,
    "axis": (1, 1, 1, 2),
    "direction": (2,),
    "look_at": (2,),
    "pivot": (2,),
    "centre_of_mass": (1,) * 3,
}
#: What its targets are.
_FORMS = {"pose": "pose", "axis": "pose", "orientation": "orientation", "direction": "direction"}


class Description(NamedTuple):
    """A residual as the core reads it."""

    aim: int
    frame: int
    root: int
    axis: list[float]
    weights: list[float]
    position_tolerance: float
    rotation_tolerance: float


class Residual:
    """Base of what a problem asks for; `Problem.add_...` make them.

    Attributes:
        problem: The problem that it belongs to.
        aim: What is asked: a mode of `Problem.add_frame`, "look_at", "pivot" or "centre_of_mass".
        frame: Name of the frame that is looked at; that of the world for the centre of mass.
        root: Name of the frame that the target is given in.
        weights: Factors on the errors in the sum that is minimised: of each component along the root's axes, or of the
            direction. A component with weight 0 is free.
        position_tolerance: Distance that counts as reached, m.
        rotation_tolerance: Angle that counts as reached, rad.
    """

    def __init__(
        self,
        problem: Problem,
        aim: str,
        target: object,
        *,
        frame: int = 0,
        root: int = 0,
        tool_axis: str | npt.ArrayLike = "z",
        weights: npt.ArrayLike | None = None,
        position_tolerance: float | None = None,
        rotation_tolerance: float | None = None,
    ) -> None:
        """Residual of a problem; the problem checks the frames."""
        options = problem.options
        self.problem = problem
        self.aim = aim
        self._frame, self._root = frame, root
        self.frame, self.root = problem.model.frames[frame].name, problem.model.frames[root].name
        self._axis = tool_rotation(tool_axis)[:, 2]
        self.weights = read_weights(weights, len(_WEIGHTS[aim]))
        if aim == "axis" and self.weights[-1] == 0.0:
            raise InvalidArgument("weights", "the direction is free; use the mode 'position'")
        self.position_tolerance = _tolerance("position_tolerance", position_tolerance, options.position_tolerance)
        self.rotation_tolerance = _tolerance("rotation_tolerance", rotation_tolerance, options.rotation_tolerance)
        self._first = self._read(target)
        self._index = -1

    @property
    def target(self) -> SE3 | Array:
        """What is asked for; setting it takes effect at the next solve."""
        return self._written(self._numbers())

    @target.setter
    def target(self, target: object) -> None:
        if self._index < 0:
            raise_removed()
        self.problem._set_target(self._index, self, target)

    def _numbers(self) -> Array:
        """The twelve numbers of the target."""
        numbers: Array = self._first if self._index < 0 else self.problem._targets[self._index]
        return numbers

    def _read(self, target: object) -> Array:
        """Twelve numbers of a target, as the core takes them."""
        numbers = read_form(_FORMS.get(self.aim, "point"), target)
        return self._translated(numbers.reshape(1, 12)).reshape(12)

    def _read_many(self, targets: object) -> tuple[Array, tuple[int, ...]]:
        """Twelve numbers of each of many targets, and the shape of the batch."""
        numbers, shape = read_forms(_FORMS.get(self.aim, "point"), targets)
        return self._translated(numbers), shape

    def _translated(self, numbers: Array) -> Array:
        """Targets as they are read to targets as the core takes them: directions are the rotation's z."""
        return numbers

    def _written(self, numbers: Array) -> SE3 | Array:
        """A target as it is given."""
        return numbers[9:].copy()

    def _described(self) -> Description:
        """The residual as the core reads it."""
        rows = np.repeat(self.weights, _WEIGHTS[self.aim]).tolist()
        aim = AIMS.index(self.aim)
        tolerances = self.position_tolerance, self.rotation_tolerance
        return Description(aim, self._frame, self._root, list(self._axis), rows, *tolerances)

    def __repr__(self) -> str:
        """What is asked of which frame."""
        seen = "" if self._root == 0 else f", root={self.root!r}"
        return f"{type(self).__name__}({self.frame!r}, {self.aim!r}{seen})"


class FrameTarget(Residual):
    """A frame at a target: a pose, a position, an orientation, an axis (pose without roll) or a direction."""

    def _translated(self, numbers: Array) -> Array:
        if self.aim == "axis":
            numbers[:, 2:9:3] = numbers[:, :9].reshape(-1, 3, 3) @ self._axis
        elif self.aim == "direction":
            numbers[:, 2:9:3] = numbers[:, 9:]
        return numbers

    def _written(self, numbers: Array) -> SE3 | Array:
        if self.aim == "position":
            return numbers[9:].copy()
        if self.aim == "direction":
            return numbers[2:9:3].copy()
        rotation = numbers[:9].reshape(3, 3).copy()
        if self.aim == "orientation":
            return rotation
        if self.aim == "axis":
            rotation = turn_between(self._axis, numbers[2:9:3])
        return SE3(rotation, numbers[9:])


class LookAt(Residual):
    """An axis of a frame that aims at a point, m; the position and the roll are free."""


class Pivot(Residual):
    """A shaft along an axis of a frame that passes through a point, m, as a tool through an incision."""


class CentreOfMass(Residual):
    """The centre of mass at a point, m."""

    def __repr__(self) -> str:
        """The target."""
        return f"CentreOfMass({np.array2string(self._numbers()[9:], precision=4)})"


class Posture:
    """A configuration to be near to in the freedom that the targets leave.

    Attributes:
        problem: The problem that it belongs to.
        weights: Importance of each entry of the tangent, shape (nv,).
    """

    def __init__(self, problem: Problem, target: Array, weights: Array) -> None:
        """Posture of a problem, which checks it."""
        self.problem = problem
        self.weights = weights
        self._target = target

    @property
    def target(self) -> Array:
        """The configuration, shape (nq,); setting it takes effect at the next solve."""
        return self._target.copy()

    @target.setter
    def target(self, target: npt.ArrayLike) -> None:
        self.problem._move_posture(self, target)

    def __repr__(self) -> str:
        """What it is."""
        return f"Posture(of {len(self._target)} numbers)"


def read_weights(weights: npt.ArrayLike | None, count: int) -> Array:
    """Weights of components: those given, one for all, or ones.

    Raises:
        InvalidArgument: If they are not as many numbers of which none is negative and one is positive.
    """
    if weights is None:
        return np.ones(count)
    given = array("weights", weights)
    if given.shape not in ((), (count,)):
        raise InvalidArgument("weights", f"expected one number or {count}, got shape {given.shape}")
    if given.min() < 0.0 or given.max() == 0.0 or given.max() > 1e6 or (given[given > 0.0] < 1e-6).any():
        raise InvalidArgument("weights", "expected numbers from 1e-6 to 1e6, or 0 for what is free, and not all 0")
    return np.broadcast_to(given, (count,)).copy()


def turn_between(a: Array, b: Array) -> Array:
    """A rotation that takes the unit vector a to the unit vector b, shape (3, 3): the shortest one."""
    across, cosine = np.cross(a, b), float(a @ b)
    if cosine < -1.0 + 1e-12:
        side = np.cross(a, np.eye(3)[np.argmin(np.abs(a))])
        side /= np.linalg.norm(side)
        return 2.0 * np.outer(side, side) - np.eye(3)
    K = np.cross(np.eye(3), across)
    turn: Array = np.eye(3) + K + K @ K / (1.0 + cosine)
    return turn


def raise_no_residuals() -> NoReturn:
    """Refuse to solve a problem that asks for nothing."""
    raise InvalidArgument("problem", "nothing is asked for; add a residual first, with problem.add_frame(...), say")


def raise_removed() -> NoReturn:
    """Refuse a target of a residual that its problem asks for no longer."""
    raise InvalidArgument("target", "this residual was removed from its problem")


def raise_unmoved(residual: Residual) -> NoReturn:
    """Refuse a residual that an edit of the model has left without joints."""
    raise InvalidArgument(
        "residual", f"the model was edited, and no joint that is free moves {residual!r} any more; remove it"
    )


def raise_old_posture() -> NoReturn:
    """Refuse a posture of a model that has more or fewer numbers now."""
    raise InvalidArgument("posture", "the model was edited and has another number of entries now; set the posture anew")


def _tolerance(name: str, value: float | None, default: float) -> float:
    return default if value is None else scalar(name, value, lower=1e-12, upper=1e6)
