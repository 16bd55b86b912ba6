"""Joints at a velocity."""

from __future__ import annotations

from typing import ClassVar

import numpy.typing as npt

from pantin.arrays import scalar
from pantin.tasks.parts import held
from pantin.tasks.task import Task

__all__ = ["JointVelocityTask"]


class JointVelocityTask(Task):
    r"""All joints behind the root at a velocity.

    The error is minus the displacement that the velocity makes in a step, without the entries of the root joint
    (n_r of them), shape (nv - n_r,), rad or m, so that the step is that displacement:

    .. math::

        e = -v^*\, dt, \qquad J = (0\;\; 1), \qquad J\, \Delta q = -e = v^*\, dt.

    Pinker 1.1 and Pink 4.4 give the error the other sign, and their robots move against the target.

    >>> from pantin.tasks import JointVelocityTask
    >>> task = JointVelocityTask(cost=1.0)
    >>> task.set_target([0.1, 0.0, -0.2], dt=0.01)
    """

    _kind_name: ClassVar[str] = "joint_velocity"
    _shown: ClassVar[tuple[str, ...]] = ("cost",)

    def __init__(self, cost: npt.ArrayLike, *, priority: int = 0) -> None:
        """Task without a velocity yet.

        Args:
            cost: Cost per radian or metre of the step: one number, or one for each joint behind the root.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, priority=priority)

    def set_target(self, target_v: npt.ArrayLike, dt: float) -> None:
        """Set the velocity.

        Args:
            target_v: Velocities behind the root joint, shape (nv - n_r,), rad/s or m/s.
            dt: Duration of a step, s.

        Raises:
            InvalidArgument: If the velocity is no vector of finite numbers, or dt is negative or not finite. The
                vector's size is checked where the model is known.
        """
        self._target = held("target_v", target_v) * scalar("dt", dt, lower=0.0)
