"""Joints that go on as they went."""

from __future__ import annotations

from typing import ClassVar

import numpy.typing as npt

from pantin.arrays import Array, scalar
from pantin.tasks.parts import held
from pantin.tasks.task import Task

__all__ = ["LowAccelerationTask"]


class LowAccelerationTask(Task):
    r"""All joints behind the root at the velocity of the last step.

    The error is minus the last displacement, without the entries of the root joint (n_r of them), shape
    (nv - n_r,), rad or m:

    .. math::

        e = -v_\text{prev}\, dt, \qquad J = (0\;\; 1), \qquad J\, \Delta q = -e = v_\text{prev}\, dt.

    A task that only keeps a robot going makes it swing; use it beside a `DampingTask`. Behind a root joint Pinker 1.1
    and Pink 4.4 give error and Jacobian of different sizes.

    >>> import numpy as np
    >>> from pantin.tasks import LowAccelerationTask
    >>> task = LowAccelerationTask(cost=0.1)
    >>> task.set_last_integration(np.array([0.5, 0.0, -0.5]), dt=0.01)
    >>> task.Delta_q_prev
    array([ 0.005,  0.   , -0.005])

    Attributes:
        Delta_q_prev: The last displacement of the whole robot, shape (nv,), or None for none; live.
    """

    _kind_name: ClassVar[str] = "low_acceleration"
    _shown: ClassVar[tuple[str, ...]] = ("cost",)

    def __init__(self, cost: npt.ArrayLike, *, priority: int = 0) -> None:
        """Task of a robot at rest.

        Args:
            cost: Cost per radian or metre by which steps differ: one number, or one for each joint behind the root.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, priority=priority)

    @property
    def Delta_q_prev(self) -> Array | None:
        """The last displacement of the whole robot, shape (nv,), or None for none; live."""
        return self._target  # type: ignore[no-any-return]

    @Delta_q_prev.setter
    def Delta_q_prev(self, displacement: npt.ArrayLike | None) -> None:
        self._target = None if displacement is None else held("Delta_q_prev", displacement)

    def set_last_integration(self, v_prev: npt.ArrayLike, dt: float) -> None:
        """Tell what the last step was.

        Args:
            v_prev: Its velocity, of the root joint too, shape (nv,).
            dt: Its duration, s.

        Raises:
            InvalidArgument: If the velocity is no vector of finite numbers, or dt is negative or not finite. The
                vector's size is checked where the model is known.
        """
        self._target = held("v_prev", v_prev) * scalar("dt", dt, lower=0.0)
