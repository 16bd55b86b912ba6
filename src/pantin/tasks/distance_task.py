"""Two frames at a distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import scalar
from pantin.tasks.parts import FrameName, frame_name, frame_names
from pantin.tasks.task import Task

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["DistanceTask"]


class DistanceTask(Task):
    r"""Origins of two frames at a distance of each other.

    The error is one number, m, for the positions p_f and p_r of the frame and the root:

    .. math::

        e = |p_f - p_r| - d^*, \qquad J = n^\top (J_f - J_r), \qquad n = \frac{p_f - p_r}{|p_f - p_r|},

    with the Jacobians of both positions. Where both are at one place n is along the world's x, so that they can get
    apart.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import DistanceTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = DistanceTask("panda_hand", "panda_link0", cost=1.0)
    >>> task.set_target(0.5)
    >>> task.compute_error(configuration).shape
    (1,)

    Attributes:
        frame: Name of the frame.
        root: Name of the other one.
        target_distance: Their distance, m, or None.
    """

    _kind_name: ClassVar[str] = "distance"
    _shown: ClassVar[tuple[str, ...]] = ("frame", "root", "target_distance", "cost", "gain", "lm_damping")
    frame = FrameName(0, "Name of the frame.")
    root = FrameName(1, "Name of the other frame.")

    def __init__(
        self,
        frame: str,
        root: str,
        cost: npt.ArrayLike = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task on two frames, without a distance yet.

        Args:
            frame: Name of the frame.
            root: Name of the other one; "universe" for the world's origin.
            cost: Cost per metre.
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        self._frames = frame_names(frame, frame_name("root", root))

    @property
    def target_distance(self) -> float | None:
        """Distance that the frames shall have, m, or None."""
        return None if self._target is None else float(self._target[0])

    @target_distance.setter
    def target_distance(self, distance: float | None) -> None:
        self._target = None if distance is None else np.array([scalar("target_distance", distance, lower=0.0)])

    def set_target(self, target_distance: float) -> None:
        """Set the distance.

        Args:
            target_distance: Distance that the frames shall have, m.

        Raises:
            InvalidArgument: If it is negative or not finite.
        """
        self._target = np.array([scalar("target_distance", target_distance, lower=0.0)])

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Let the frames stay as far apart as they are.

        Args:
            configuration: Robot configuration.
        """
        self.set_target(float(np.linalg.norm(configuration.get_transform(self.frame, self.root).translation)))
