"""What tasks about a whole pose share: costs of the position and of the orientation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.exceptions import TaskDefinitionError
from pantin.tasks.parts import weights_of
from pantin.tasks.task import Task

__all__ = ["PoseTask"]

_POSITION, _ORIENTATION = slice(0, 3), slice(3, 6)


class PoseTask(Task):
    """Base of tasks whose error is a twist: three lengths, then three angles.

    Attributes:
        cost: Weights of the six entries, live.
    """

    def __init__(
        self,
        frames: tuple[str, ...],
        position_cost: npt.ArrayLike,
        orientation_cost: npt.ArrayLike,
        lm_damping: float,
        gain: float,
        priority: int,
    ) -> None:
        """Task on some frames."""
        super().__init__(cost=np.ones(6), gain=gain, lm_damping=lm_damping, priority=priority)
        self._frames = frames
        self.set_position_cost(position_cost)
        self.set_orientation_cost(orientation_cost)

    def set_position_cost(self, position_cost: npt.ArrayLike) -> None:
        """Weigh the position anew.

        Args:
            position_cost: Cost per metre: one number, or one along each axis of the frame, shape (3,).

        Raises:
            InvalidArgument: If a number is negative or not finite.
            TaskDefinitionError: If there are neither one nor three, or the task's cost is no vector of six.
        """
        self._rows(_POSITION)[:] = weights_of("position_cost", position_cost, 3)

    def set_orientation_cost(self, orientation_cost: npt.ArrayLike) -> None:
        """Weigh the orientation anew.

        Args:
            orientation_cost: Cost per radian: one number, or one about each axis of the frame, shape (3,).

        Raises:
            InvalidArgument: If a number is negative or not finite.
            TaskDefinitionError: If there are neither one nor three, or the task's cost is no vector of six.
        """
        self._rows(_ORIENTATION)[:] = weights_of("orientation_cost", orientation_cost, 3)

    @property
    def position_cost(self) -> float | Array:
        """Cost per metre along each axis of the frame, live; a number where the task's cost is one."""
        return self._part(_POSITION)

    @property
    def orientation_cost(self) -> float | Array:
        """Cost per radian about each axis of the frame, live; a number where the task's cost is one."""
        return self._part(_ORIENTATION)

    def _part(self, rows: slice) -> float | Array:
        """Cost of some rows, for a cost of any size."""
        if self.cost is None:
            raise TaskDefinitionError("cost", f"{type(self).__name__} has no cost for parts of its error: it is None")
        return self.cost if isinstance(self.cost, float) else self.cost[rows]

    def __repr__(self) -> str:
        """What the task is made of."""
        if self.cost is not None:
            return super().__repr__()
        return self._represented(name for name in self._shown if name not in ("position_cost", "orientation_cost"))

    def _rows(self, rows: slice) -> Array:
        """Part of the cost, to be written."""
        cost = self.cost
        if not isinstance(cost, np.ndarray) or cost.shape != (6,):
            raise TaskDefinitionError(
                "cost", f"{type(self).__name__} has a cost of six numbers here, but its cost is {cost}"
            )
        return cost[rows]
