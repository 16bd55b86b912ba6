"""A wheel that rolls without slipping."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pantin.tasks.parts import Constant, FrameName, frame_name
from pantin.tasks.task import Task

__all__ = ["RollingTask"]


class RollingTask(Task):
    r"""A wheel that rolls on a plane without slipping, neither along its way nor sideways.

    The floor is the xy plane of a frame. With the hub at the height z over it and the radius rho, the wheel
    touches the floor, or would, at the point p that is rho below the hub, seen along the floor's z. The error has
    three entries, m, along the axes of the floor:

    .. math::

        e = (0,\; 0,\; z - \rho), \qquad J = R_f^\top \left( J_\text{hub}(p) - J_\text{floor}(p) \right),

    where :math:`J_\text{hub}(p)` and :math:`J_\text{floor}(p)` are those of the points of the wheel and of the floor
    that are at p. The first two rows ask the wheel not to slip; they are velocities, and no derivative of an error.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import RollingTask
    >>> model = pantin.load("wheeled_biped")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = RollingTask("left_wheel", "universe", wheel_radius=0.08, cost=10.0)
    >>> task.compute_error(configuration)[:2]
    array([0., 0.])

    Attributes:
        hub_frame: Name of the frame at the wheel's centre, which turns with it.
        floor_frame: Name of the frame whose xy plane is the floor.
        wheel_radius: Radius of the wheel, m.
    """

    _kind_name: ClassVar[str] = "rolling"
    _shown: ClassVar[tuple[str, ...]] = ("hub_frame", "floor_frame", "wheel_radius", "cost", "gain", "lm_damping")
    hub_frame = FrameName(0, "Name of the frame at the wheel's centre, which turns with it.")
    floor_frame = FrameName(1, "Name of the frame whose xy plane is the floor.")
    wheel_radius = Constant(0, "Radius of the wheel, m.", lower=0.0)

    def __init__(
        self,
        hub_frame: str,
        floor_frame: str,
        wheel_radius: float,
        cost: npt.ArrayLike | None,
        gain: float = 1.0,
        lm_damping: float = 0.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task of a wheel.

        Args:
            hub_frame: Name of the frame at the wheel's centre, which turns with it.
            floor_frame: Name of the frame whose xy plane is the floor.
            wheel_radius: Radius of the wheel, m.
            cost: Cost per metre: one number, or one for each entry of the error; None for 1.
            gain: Part of the error that a step takes away, 0 to 1.
            lm_damping: Levenberg-Marquardt damping.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        self._frames = (frame_name("hub_frame", hub_frame), frame_name("floor_frame", floor_frame))
        self._numbers = np.zeros(1)
        self.wheel_radius = wheel_radius
