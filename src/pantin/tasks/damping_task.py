"""Joints at rest."""

from __future__ import annotations

from typing import ClassVar

import numpy.typing as npt

from pantin.tasks.joint_velocity_task import JointVelocityTask

__all__ = ["DampingTask"]


class DampingTask(JointVelocityTask):
    r"""All joints behind the root at rest: of the steps that serve the other tasks, a small one.

    The error is zero, shape (nv - n_r,), for a root joint of n_r entries, so that the objective is
    :math:`\tfrac12 \text{cost}^2\, |\Delta q|^2` over the joints.

    .. math::

        e = 0, \qquad J = (0\;\; 1).

    >>> from pantin.tasks import DampingTask
    >>> DampingTask(cost=0.1)
    DampingTask(cost=0.1)
    """

    _kind_name: ClassVar[str] = "damping"

    def __init__(self, cost: npt.ArrayLike, *, priority: int = 0) -> None:
        """Task that slows the joints down.

        Args:
            cost: Cost per radian or metre of the step: one number, or one for each joint behind the root.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, priority=priority)
