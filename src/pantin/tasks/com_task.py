"""The centre of mass at a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.exceptions import TaskDefinitionError
from pantin.kinematics.algorithms import center_of_mass
from pantin.tasks.parts import held, weights_of
from pantin.tasks.task import Task

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["ComTask"]


class ComTask(Task):
    r"""The centre of mass of the moving bodies at a point of the world.

    The error has three entries, m, along the axes of the world; the Jacobian is that of the centre of mass.

    .. math::

        e = c(q) - c^*, \qquad J = \partial c / \partial q.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import ComTask
    >>> model = pantin.load("biped")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = ComTask(cost=[1.0, 1.0, 0.0])
    >>> task.set_target_from_configuration(configuration)
    >>> task.target_com[0] -= 0.02
    >>> task.compute_error(configuration).round(6)
    array([0.02, 0.  , 0.  ])

    Attributes:
        target_com: Where the centre of mass shall be, shape (3,), m, or None; live.
    """

    _kind_name: ClassVar[str] = "com"
    _shown: ClassVar[tuple[str, ...]] = ("target_com", "cost", "gain", "lm_damping")

    def __init__(self, cost: npt.ArrayLike, lm_damping: float = 0.0, gain: float = 1.0, *, priority: int = 0) -> None:
        """Task without a target yet.

        Args:
            cost: Cost per metre: one number, or one along each axis of the world, shape (3,).
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite, or the cost has the wrong size.
        """
        super().__init__(cost=np.ones(3), gain=gain, lm_damping=lm_damping, priority=priority)
        self.set_cost(cost)

    def set_cost(self, cost: npt.ArrayLike) -> None:
        """Weigh the task anew.

        Args:
            cost: Cost per metre: one number, or one along each axis of the world, shape (3,).

        Raises:
            InvalidArgument: If a number is negative or not finite.
            TaskDefinitionError: If there are neither one nor three, or the task's cost is no vector of three.
        """
        held_cost = self.cost
        if not isinstance(held_cost, np.ndarray) or held_cost.shape != (3,):
            raise TaskDefinitionError("cost", f"ComTask has a cost of three numbers here, but its cost is {held_cost}")
        held_cost[:] = weights_of("cost", cost, 3)

    @property
    def target_com(self) -> Array | None:
        """Where the centre of mass shall be, shape (3,), m, or None; live."""
        return self._target  # type: ignore[no-any-return]

    @target_com.setter
    def target_com(self, point: npt.ArrayLike | None) -> None:
        self._target = None if point is None else held("target_com", point, 3)

    def set_target(self, target_com: npt.ArrayLike) -> None:
        """Set where the centre of mass shall be; the point is copied.

        Args:
            target_com: Point in the world, shape (3,), m.

        Raises:
            InvalidArgument: If it is not three finite numbers.
        """
        self._target = held("target_com", target_com, 3).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Let the centre of mass stay where it is in a configuration.

        Args:
            configuration: Robot configuration.
        """
        self.set_target(center_of_mass(configuration.model, configuration.data, configuration.q))
