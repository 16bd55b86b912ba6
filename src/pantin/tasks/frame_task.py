"""A frame at a pose in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy.typing as npt

from pantin.kinematics.poses import as_se3
from pantin.kinematics.se3 import SE3
from pantin.tasks.parts import FrameName, frame_names
from pantin.tasks.pose_task import PoseTask

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["FrameTask"]


class FrameTask(PoseTask):
    r"""A frame at a pose in the world.

    The error is the twist that leads from the frame b to its target t in one unit of time, seen from the frame,
    shape (6,): metres, then radians (angles up to pi).

    .. math::

        e = \log(T_{bt}), \qquad J = -\text{Jlog}_6(T_{tb})\, J_b,

    where T_bt takes coordinates in the target to coordinates in the frame and J_b is the frame's Jacobian in its
    own axes (Caron 2023, "Jacobian of a kinematic task and derivatives on manifolds"). Costs act along the axes of the
    frame.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import FrameTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = FrameTask("panda_hand", position_cost=1.0, orientation_cost=[0.5, 0.5, 0.0])
    >>> task.set_target_from_configuration(configuration)
    >>> task.transform_target_to_world.translation[2] += 0.1
    >>> print(task.compute_error(configuration)[2].round(6))
    -0.1

    Attributes:
        frame: Name of the frame.
        transform_target_to_world: Pose that the frame shall take, or None; live, so that its parts may be written.
    """

    _kind_name: ClassVar[str] = "frame"
    _shown: ClassVar[tuple[str, ...]] = ("frame", "position_cost", "orientation_cost", "lm_damping", "gain")
    frame = FrameName(0, "Name of the frame.")

    def __init__(
        self,
        frame: str,
        position_cost: npt.ArrayLike,
        orientation_cost: npt.ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task on a frame, without a target yet.

        Args:
            frame: Name of the frame.
            position_cost: Cost per metre: one number, or one along each axis of the frame, shape (3,).
            orientation_cost: Cost per radian: one number, or one about each axis of the frame, shape (3,).
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite, or a cost has the wrong size.
        """
        super().__init__(frame_names(frame), position_cost, orientation_cost, lm_damping, gain, priority)

    @property
    def transform_target_to_world(self) -> SE3 | None:
        """Pose that the frame shall take, or None; live."""
        return self._target  # type: ignore[no-any-return]

    @transform_target_to_world.setter
    def transform_target_to_world(self, pose: object) -> None:
        self._target = None if pose is None else as_se3("transform_target_to_world", pose)

    def set_target(self, transform_target_to_world: object) -> None:
        """Set the pose that the frame shall take; it is copied.

        Args:
            transform_target_to_world: Pose in the world: an `SE3`, a `pinocchio.SE3`, a matrix (4, 4), or a pair of
                position and quaternion (x, y, z, w).

        Raises:
            InvalidArgument: If it is none of these.
        """
        self._target = as_se3("transform_target_to_world", transform_target_to_world).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Let the frame stay where it is in a configuration.

        Args:
            configuration: Robot configuration.
        """
        self.set_target(configuration.get_transform_frame_to_world(self.frame))
