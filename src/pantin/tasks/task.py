"""What all tasks share: a cost, a gain, a damping and a priority, and how an objective comes of error and Jacobian."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array
from pantin.exceptions import TaskDefinitionError

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["Task"]

_Some = TypeVar("_Some", bound="Task")


class Task(_core.TaskBase):
    r"""Base of all tasks, and of a user's own.

    A task has an error e(q), k numbers that shall become zero, and its derivative by the robot's tangent, the
    Jacobian J(q). A step asks for the displacement dq with

    .. math::

        J(q)\, \Delta q = -\alpha\, e(q), \qquad \alpha = \text{gain},

    and weighs the tasks that do not go together by their costs, or, where they have different priorities, gives to a
    task with a larger number what those with smaller ones leave free (Caron 2023, "Jacobian of a kinematic task and
    derivatives on manifolds"; Siciliano and Slotine 1991 for priorities).

    For a task of your own, derive from this class and write `compute_error` and `compute_jacobian`:

    >>> import numpy as np
    >>> from pantin.tasks import Task
    >>> class StraightElbow(Task):
    ...     def compute_error(self, configuration):
    ...         return configuration.q[3:4]
    ...     def compute_jacobian(self, configuration):
    ...         return np.eye(configuration.model.nv)[3:4]
    >>> StraightElbow(cost=0.5, gain=0.8)
    StraightElbow(cost=0.5, gain=0.8, lm_damping=0.0)

    All attributes are live: what is assigned, or written into a cost or a target that is an array, counts at the next
    step.

    Attributes:
        cost: Weight of the error: one number for all of it, or one for each of its k entries; None weighs by 1.
        gain: Part of the error that a step takes away, from 0 (none) to 1 (all); less than 1 is a low-pass filter.
        lm_damping: Levenberg-Marquardt damping: `lm_damping` times the squared weighted error is added to the
            diagonal of H. It keeps steps towards what is out of reach from growing, and slows down others.
        priority: 0 is served first.
    """

    _kind_name: ClassVar[str] = "rows"
    _shown: ClassVar[tuple[str, ...]] = ("cost", "gain", "lm_damping")
    #: False where Python answers for the error or the Jacobian.
    _native: ClassVar[bool] = True

    def __init_subclass__(cls, **given: Any) -> None:
        """Note whether the class answers for itself."""
        super().__init_subclass__(**given)
        cls._native = cls.compute_error is Task.compute_error and cls.compute_jacobian is Task.compute_jacobian

    def __init__(
        self,
        cost: npt.ArrayLike | None = None,
        gain: float = 1.0,
        lm_damping: float = 0.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task that is weighed.

        Args:
            cost: Weight of the error, in cost over its unit: a number, or one for each entry, shape (k,); None for 1.
            gain: Part of the error that a step takes away, 0 to 1.
            lm_damping: Levenberg-Marquardt damping, no unit.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If one of them is negative or not finite.
            TypeError: If the class does not say what its error and its Jacobian are.
        """
        if self._kind_name == "rows":
            for name in ("compute_error", "compute_jacobian"):
                if getattr(type(self), name) is getattr(Task, name):
                    raise TypeError(f"{type(self).__name__} is no task yet; write its method {name}(configuration)")
        super().__init__(self._kind_name)
        self.cost = cost
        self.gain = gain
        self.lm_damping = lm_damping
        self.priority = priority

    def compute_error(self, configuration: Configuration) -> Array:
        """Error of the task at a configuration, shape (k,); zero where all is as it shall be.

        Args:
            configuration: Robot configuration.

        Raises:
            TargetNotSet: If the task has no target yet.
            UnknownFrame: If the model has no frame of the task's.
        """
        return _core.task_error(self, configuration)

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Derivative of the error by the tangent of the configuration, shape (k, nv).

        Args:
            configuration: Robot configuration.

        Raises:
            TargetNotSet: If the task has no target yet.
            UnknownFrame: If the model has no frame of the task's.
        """
        return _core.task_jacobian(self, configuration)

    def compute_qp_objective(self, configuration: Configuration) -> tuple[Array, Array]:
        r"""The task's part of the objective :math:`\tfrac12 \Delta q^\top H \Delta q + c^\top \Delta q` of a step.

        With the weights :math:`W = \text{diag}(\text{cost})` and the gain :math:`\alpha`,

        .. math::

            H = (W J)^\top W J + \mu 1, \qquad c = \alpha\, (W J)^\top W e, \qquad
            \mu = \text{lm\_damping}\; |\alpha W e|^2

        (Sugihara 2011, "Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method").

        Args:
            configuration: Robot configuration.

        Returns:
            H, shape (nv, nv), and c, shape (nv,).

        Raises:
            TaskDefinitionError: If the cost has neither one entry nor one for each of the error.
        """
        error = np.asarray(self.compute_error(configuration), dtype=np.float64)
        jacobian = np.asarray(self.compute_jacobian(configuration), dtype=np.float64)
        weight = 1.0 if self.cost is None else self.cost
        if isinstance(weight, np.ndarray) and weight.shape != error.shape:
            raise TaskDefinitionError(
                "cost", f"{type(self).__name__} expected one number or {error.size}, got {weight.size}"
            )
        weighted_error = self.gain * weight * error
        weighted_jacobian = np.broadcast_to(weight, error.shape)[:, None] * jacobian
        H = weighted_jacobian.T @ weighted_jacobian
        H.flat[:: len(H) + 1] += self.lm_damping * weighted_error @ weighted_error
        return H, weighted_error @ weighted_jacobian

    def __repr__(self) -> str:
        """What the task is made of."""
        return self._represented(self._shown)

    def _represented(self, names: Iterable[str]) -> str:
        """The class and some attributes, among them the priority unless it is the first."""
        shown = [*names, "priority"] if self.priority else names
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """What copies and pickles are made of."""
        live = {name: getattr(self, name) for name in _LIVE}
        return _revived, (type(self),), (live, self.__dict__)

    def __setstate__(self, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
        """Take over what another task is made of."""
        live, own = state
        for name, value in live.items():
            setattr(self, name, value)
        self.__dict__.update(own)


_LIVE = ("cost", "gain", "lm_damping", "priority", "_frames", "_target", "_numbers")


def _revived(cls: type[_Some]) -> _Some:
    """Task without content."""
    task = cls.__new__(cls)
    _core.TaskBase.__init__(task, cls._kind_name)
    return task
