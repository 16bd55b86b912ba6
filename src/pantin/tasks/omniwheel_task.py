"""A wheel that rolls without slipping, but glides sideways."""

from __future__ import annotations

from typing import ClassVar

from pantin.tasks.rolling_task import RollingTask

__all__ = ["OmniwheelTask"]


class OmniwheelTask(RollingTask):
    r"""A wheel that rolls on a plane along the floor's x without slipping, and glides freely along the floor's y.

    The error has two entries, m: the first and the third of `RollingTask`,

    .. math::

        e = (0,\; z - \rho),

    and so has the Jacobian. Its arguments are those of `RollingTask`.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import OmniwheelTask
    >>> model = pantin.load("wheeled_biped")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> OmniwheelTask("left_wheel", "universe", 0.1, cost=10.0).compute_jacobian(configuration).shape[0]
    2

    Attributes:
        hub_frame: Name of the frame at the wheel's centre, which turns with it.
        floor_frame: Name of the frame whose xy plane is the floor.
        wheel_radius: Radius of the wheel, m.
    """

    _kind_name: ClassVar[str] = "omniwheel"
