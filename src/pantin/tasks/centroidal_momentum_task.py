"""The robot's momentum."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar
from pantin.tasks.parts import held
from pantin.tasks.task import Task

__all__ = ["CentroidalMomentumTask"]


class CentroidalMomentumTask(Task):
    r"""Momentum of all bodies about their common centre of mass.

    The momentum of a velocity is h = A_g(q) v, linear, then angular about the centre of mass, along the axes of
    the world (Orin, Goswami and Lee 2013, eq. 13). The error is minus what the target makes in a step, shape (6,),
    kg m, then kg m^2, so that the step has that momentum:

    .. math::

        e = -h^*\, dt, \qquad J = A_g, \qquad J\, \Delta q = h^*\, dt.

    J is no derivative of e: there is no function of q whose rate is the angular momentum. Without a target the robot
    shall have none.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import CentroidalMomentumTask
    >>> model = pantin.load("biped")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = CentroidalMomentumTask(cost=[0.0, 0.0, 0.0, 1.0, 1.0, 1.0])  # do not swing
    >>> task.compute_jacobian(configuration).shape[0]
    6

    Attributes:
        target_impulse: Momentum times the duration of a step, shape (6,), kg m and kg m^2; live.
    """

    _kind_name: ClassVar[str] = "momentum"

    def __init__(
        self, cost: npt.ArrayLike = 1.0, lm_damping: float = 0.0, gain: float = 1.0, *, priority: int = 0
    ) -> None:
        """Task to have no momentum.

        Args:
            cost: Cost over kg m and kg m^2: one number, or one for each entry, shape (6,).
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the momentum that a step has, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        self._target = np.zeros(6)

    @property
    def target_impulse(self) -> Array:
        """Momentum times the duration of a step, shape (6,), kg m and kg m^2; live."""
        return self._target  # type: ignore[no-any-return]

    @target_impulse.setter
    def target_impulse(self, impulse: npt.ArrayLike) -> None:
        self._target = held("target_impulse", impulse, 6)

    def set_target(self, target_momentum: npt.ArrayLike, dt: float) -> None:
        """Set the momentum.

        Args:
            target_momentum: Linear momentum, kg m/s, and angular momentum about the centre of mass, kg m^2/s, along
                the axes of the world, shape (6,).
            dt: Duration of a step, s.

        Raises:
            InvalidArgument: If the momentum is not six finite numbers, or dt is negative or not finite.
        """
        self._target = held("target_momentum", target_momentum, 6) * scalar("dt", dt, lower=0.0)
