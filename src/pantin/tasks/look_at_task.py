"""An axis of a frame that aims at a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pantin.arrays import Array, scalar
from pantin.tasks.aiming import AimingTask
from pantin.tasks.parts import held

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["LookAtTask"]


class LookAtTask(AimingTask):
    r"""An axis of a frame that aims at a point of the world, or of another frame, the root.

    The frame sees the point at y = R' (c - p). The error is where the direction of y is off the axis a: its
    angle theta, rad, times the direction aside, along two axes b and c of the frame with b x c = a,
    shape (2,).

    .. math::

        e = \frac{\theta}{\sin\theta} \begin{pmatrix} b^\top y \\ c^\top y \end{pmatrix} \frac{1}{|y|}, \qquad
        |e| = \theta \in [0, \pi]

    (the logarithm of the sphere at a). J is its derivative, with the point carried by the root. The roll about the
    axis is free.

    Where the error has no derivative it is still finite: a point at the frame's origin counts as aimed at; one nearer
    than 1 mm counts as 1 mm away in J; half a turn away the error is half a turn towards b, and within 0.01 rad of
    that J sees motions across the way as from there.

    >>> import numpy as np
    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import LookAtTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = LookAtTask("panda_hand", cost=1.0, axis="z")
    >>> task.set_target_from_configuration(configuration, distance=0.5)
    >>> np.allclose(task.compute_error(configuration), 0.0)
    True

    Attributes:
        frame: Name of the frame.
        root: Name of the frame that the point is given in, None for the world.
        axis: The axis in the frame, shape (3,), of unit length.
        target_point: The point, shape (3,), m, or None; live.
    """

    _kind_name: ClassVar[str] = "look_at"

    def set_target_from_configuration(self, configuration: Configuration, distance: float = 1.0) -> None:
        """Aim at a point that the axis aims at already.

        Args:
            configuration: Robot configuration.
            distance: How far the point is from the frame, m.

        Raises:
            InvalidArgument: If the distance is negative or not finite.
        """
        pose = configuration.get_transform(self.frame, self.root or "universe")
        ahead: Array = np.asarray(self.axis) * scalar("distance", distance, lower=0.0)
        self._target = held("target_point", pose.rotation @ ahead + pose.translation, 3)
