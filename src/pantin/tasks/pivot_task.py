"""An axis of a frame that passes through a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from pantin.arrays import scalar
from pantin.tasks.aiming import AimingTask
from pantin.tasks.parts import held

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["PivotTask"]


class PivotTask(AimingTask):
    r"""A line along an axis of a frame that passes through a point: a remote centre of motion.

    The frame sees the point c at y = R' (c - p). The error is how far the point is beside the line, along two
    axes b and c of the frame with b x c = a, shape (2,), m.

    .. math::

        e = (b^\top y,\; c^\top y), \qquad J = \partial e / \partial q.

    The frame may slide along the line and turn about it. It is linear in y, so it is smooth everywhere.

    >>> import numpy as np
    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import PivotTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = PivotTask("panda_hand", cost=100.0, axis="z")
    >>> task.set_target_from_configuration(configuration, depth=0.1)
    >>> np.allclose(task.compute_error(configuration), 0.0)
    True

    Attributes:
        frame: Name of the frame, at the tip of an instrument, say.
        root: Name of the frame that the point is given in, None for the world.
        axis: The axis in the frame, shape (3,), of unit length.
        target_point: The point, shape (3,), m, or None; live.
    """

    _kind_name: ClassVar[str] = "pivot"

    def set_target_from_configuration(self, configuration: Configuration, depth: float = 0.0) -> None:
        """Pivot about a point of the line as it is.

        Args:
            configuration: Robot configuration.
            depth: How far the point lies behind the frame, against the axis, m.

        Raises:
            InvalidArgument: If the depth is not finite.
        """
        behind = -scalar("depth", depth) * np.asarray(self.axis)
        pose = configuration.get_transform(self.frame, self.root or "universe")
        self._target = held("target_point", pose.rotation @ behind + pose.translation, 3)
