"""A frame at a pose in another frame of the robot."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy.typing as npt

from pantin.kinematics.poses import as_se3
from pantin.kinematics.se3 import SE3
from pantin.tasks.parts import FrameName, frame_name, frame_names
from pantin.tasks.pose_task import PoseTask

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["RelativeFrameTask"]


class RelativeFrameTask(PoseTask):
    r"""A frame at a pose in another frame of the robot, the root, which moves too.

    The error is the twist from the target t, which the root r carries along, to the frame f, shape (6,): metres,
    then radians (angles up to pi), along the axes of the frame.

    .. math::

        e = \log(T_{tf}), \qquad
        J = \text{Jlog}_6(T_{tf}) \left( J_f - \text{Ad}_{T_{fr}} J_r \right),

    with the Jacobians of both frames in their own axes. For a root that does not move this is the negative of
    `FrameTask`'s error, and the steps are the same.

    >>> import numpy as np
    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import RelativeFrameTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = RelativeFrameTask("panda_hand", "panda_link4", position_cost=1.0, orientation_cost=0.0)
    >>> task.set_target_from_configuration(configuration)
    >>> np.allclose(task.compute_error(configuration), 0.0)
    True

    Attributes:
        frame: Name of the frame.
        root: Name of the frame that the target is given in.
        transform_target_to_root: Pose that the frame shall have in the root, or None; live.
    """

    _kind_name: ClassVar[str] = "relative_frame"
    _shown: ClassVar[tuple[str, ...]] = ("frame", "root", "position_cost", "orientation_cost", "lm_damping", "gain")
    frame = FrameName(0, "Name of the frame.")
    root = FrameName(1, "Name of the frame that the target is given in.")

    def __init__(
        self,
        frame: str,
        root: str,
        position_cost: npt.ArrayLike,
        orientation_cost: npt.ArrayLike,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task on a frame and its root, without a target yet.

        Args:
            frame: Name of the frame.
            root: Name of the frame that the target is given in.
            position_cost: Cost per metre: one number, or one along each axis of the frame, shape (3,).
            orientation_cost: Cost per radian: one number, or one about each axis of the frame, shape (3,).
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite, or a cost has the wrong size.
        """
        frames = frame_names(frame, frame_name("root", root))
        super().__init__(frames, position_cost, orientation_cost, lm_damping, gain, priority)

    @property
    def transform_target_to_root(self) -> SE3 | None:
        """Pose that the frame shall have in the root, or None; live."""
        return self._target  # type: ignore[no-any-return]

    @transform_target_to_root.setter
    def transform_target_to_root(self, pose: object) -> None:
        self._target = None if pose is None else as_se3("transform_target_to_root", pose)

    def set_target(self, transform_target_to_root: object) -> None:
        """Set the pose that the frame shall have in the root; it is copied.

        Args:
            transform_target_to_root: Pose in the root: an `SE3`, a `pinocchio.SE3`, a matrix (4, 4), or a pair of
                position and quaternion (x, y, z, w).

        Raises:
            InvalidArgument: If it is none of these.
        """
        self._target = as_se3("transform_target_to_root", transform_target_to_root).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Let the frame stay where it is in the root.

        Args:
            configuration: Robot configuration.
        """
        self.set_target(configuration.get_transform(self.frame, self.root))
