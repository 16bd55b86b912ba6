"""One differential step each control period: the velocity that does best at all tasks within what is allowed."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from pantin import _core
from pantin.arrays import Array, scalar
from pantin.barriers import Barrier
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.kinematics import Model
from pantin.limits import ConfigurationLimit, Limit, VelocityLimit
from pantin.programs import solver_of
from pantin.tasks import Task

__all__ = ["DifferentialIK", "QuadraticProgram", "StepStatus"]

_Part = TypeVar("_Part")


class StepStatus(enum.StrEnum):
    """How a step ended; each member equals its word."""

    SOLVED = "solved"
    """The velocity is the best that the limits allow."""
    RETURNING = "returning"
    """A joint is outside its limits, or too fast, and comes back as fast as it may."""
    STANDING = "standing"
    """Nothing is to be done: no time passes, nothing is asked for, or nothing can move."""
    INFEASIBLE = "infeasible"
    """Nothing satisfies all limits, barriers and constraints; the step violates them least (see `conflicts`)."""
    NOT_FINITE = "not_finite"
    """A cost, gain or target was overwritten with something that is no number; nothing moves."""
    STALLED = "stalled"
    """The solver ran out of its iterations; the step is within the limits of single joints."""


_STATUSES = tuple(StepStatus)


class QuadraticProgram(NamedTuple):
    """Minimise x'Hx / 2 + c'x where G x <= h, A x = b, lower <= x <= upper, for the displacement x, shape (nv,)."""

    H: Array
    c: Array
    G: Array
    h: Array
    A: Array
    b: Array
    lower: Array
    upper: Array


class DifferentialIK(_core.StepCore):
    r"""Differential inverse kinematics of a model, compiled once and stepped each control period.

    A step minimises, over the displacement x = v dt,

    .. math:: \sum \|W (J x + g e)\|^2 + \lambda \|x\|^2

    for all tasks with Jacobians J, errors e, weights W and gains g, and the damping λ, within the limits and barriers
    and with all constraints held exactly. Tasks of a larger `priority` number are served within what those of smaller
    ones leave free. Targets, costs and gains are read from the task objects at each step.

    Where limits contradict each other, a joint comes back inside its configuration limits as fast as its velocity limit
    allows, and brakes as hard as its acceleration limit allows. Where nothing satisfies all rows of barriers, limits
    and constraints, bounds of single joints stay hard and the step violates the rows least in the sense of squares.

    After each step, acceleration limits and low-acceleration tasks know what it was.

    Attributes:
        model: The model.
        qp_iterations: Changes of the set of active limits in the last step.

    Example:
        >>> import pantin
        >>> model = pantin.load("panda")
        >>> hand = pantin.FrameTask("panda_hand", position_cost=1.0, orientation_cost=1.0)
        >>> configuration = pantin.Configuration(model, model.create_data(), (0, -0.5, 0, -2, 0, 1.5, 0))
        >>> hand.set_target_from_configuration(configuration)
        >>> ik = pantin.DifferentialIK(model, [hand])
        >>> velocity = ik.step(configuration, dt=1e-3)
        >>> ik.status
        <StepStatus.SOLVED: 'solved'>
    """

    def __init__(
        self,
        model: Model,
        tasks: Iterable[Task],
        limits: Iterable[Limit] | None = None,
        barriers: Iterable[Barrier] | None = None,
        *,
        constraints: Iterable[Task] | None = None,
        damping: float = 1e-12,
        solver: str | None = None,
        escape_singularity: bool = False,
        settle: bool = True,
    ) -> None:
        """Compile tasks and limits for a model.

        Args:
            model: Robot model.
            tasks: What is wanted of the motion.
            limits: What is allowed; the model's configuration and velocity limits by default.
            barriers: What is kept at a distance.
            constraints: Tasks that are held exactly: J x = -gain e, in all rows, whatever their costs.
            damping: Weight of the squared displacement, cost^2 per rad^2 or m^2.
            solver: Name of an installed solver of quadratic programs for steps that have rows of barriers, limits,
                constraints or levels; the core's own dual active set by default. Bounds are always the core's.
            escape_singularity: Leave poses such as a straight arm, where the error could be less and no first-order
                step lessens it, along the direction of most negative curvature. Resting steps then cost two objectives
                a joint.
            settle: Damp steps that move the robot to and fro, as they do at targets out of reach, until it rests where
                the weighted error is least. As long as steps get nearer, or targets move, nothing is added.

        Raises:
            InvalidArgument: If an entry is of the wrong kind, or the damping is negative or not finite.
        """
        if limits is None:
            limits = [ConfigurationLimit(model), VelocityLimit(model)]
        super().__init__(
            model,
            all_of("tasks", tasks, Task),
            all_of("limits", limits, Limit),
            all_of("barriers", barriers, Barrier),
            all_of("constraints", constraints, Task),
            scalar("damping", damping, lower=0.0),
            bool(escape_singularity),
            bool(settle),
            None if solver is None else solver_of(solver),
        )
        self._how = {
            "damping": damping,
            "solver": solver,
            "escape_singularity": escape_singularity,
            "settle": settle,
        }

    def __repr__(self) -> str:
        """What is asked and allowed, in numbers, and how the last step ended."""
        parts = (
            ("tasks", self._tasks),
            ("limits", self._limits),
            ("barriers", self._barriers),
            ("constraints", self._constraints),
        )
        counts = ", ".join(f"{name}={len(some)}" for name, some in parts)
        return f"DifferentialIK({self.model.name!r}, {counts}, status={str(self.status)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.model, self._tasks, self._limits, self._barriers, self._constraints)
        return _rebuilt, (type(self), *parts, self._how)

    @property
    def status(self) -> StepStatus:
        """How the last step ended."""
        return _STATUSES[self._status]

    @property
    def conflicts(self) -> tuple[str, ...]:
        """What could not be satisfied together in the last step, in words.

        Any one of these less, and the others could be; where there are several such sets, this is one of them.
        """
        return tuple(self._described(*conflict) for conflict in self._conflicts)

    def problem(self, configuration: Configuration, dt: float) -> QuadraticProgram:
        """The quadratic program of a step, of the first level of tasks where there are several.

        Args:
            configuration: Configuration of the robot, which stays.
            dt: Duration of the step, s.

        Raises:
            TargetNotSet: If a task has no target.
            InvalidArgument: If dt is negative or not finite.
        """
        return QuadraticProgram(*self._problem(configuration, scalar("dt", dt, lower=0.0)))

    def _described(self, kind: str, index: int, row: int) -> str:
        if kind == "bound":
            joint = next(j for j in self.model.joints if j.idx_v <= index < j.idx_v + j.nv)
            return f"the limits of joint {self.model.names[joint.id]!r}"
        if index < 0:
            return f"row {row} of tasks[{-1 - index}], {self._tasks[-1 - index]!r}, which comes first"
        parts = {"constraint": self._constraints, "limit": self._limits, "barrier": self._barriers}[kind]
        return f"row {row} of {kind}s[{index}], {parts[index]!r}"


def _rebuilt(
    cls: type[DifferentialIK],
    model: Model,
    tasks: tuple[Task, ...],
    limits: tuple[Limit, ...],
    barriers: tuple[Barrier, ...],
    constraints: tuple[Task, ...],
    how: dict[str, Any],
) -> DifferentialIK:
    """The same question, with nothing known of earlier steps."""
    return cls(model, tasks, limits, barriers, constraints=constraints, **how)


def all_of(name: str, given: Iterable[_Part] | None, kind: type[_Part]) -> tuple[_Part, ...]:
    """The entries, each of which must be of a kind; none for None."""
    try:
        entries = () if given is None else tuple(given)
    except TypeError:
        raise InvalidArgument(name, f"expected {kind.__name__}s in a list, got a {type(given).__name__}") from None
    for index, entry in enumerate(entries):
        if not isinstance(entry, kind):
            raise InvalidArgument(f"{name}[{index}]", f"expected a {kind.__name__}, got a {type(entry).__name__}")
    return entries
