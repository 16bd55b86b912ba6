"""Two frames of a robot that are one, as in a loop of joints."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from pantin.exceptions import TaskDefinitionError
from pantin.kinematics.poses import as_se3
from pantin.kinematics.se3 import SE3
from pantin.tasks.aiming import Axis
from pantin.tasks.parts import FrameName, frame_name, frame_names
from pantin.tasks.task import Task

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["ClosedLoopTask"]

Mode = Literal["pose", "position", "axis"]


class ClosedLoopTask(Task):
    r"""Two frames of a robot that coincide: what closes a loop which a tree of joints leaves open.

    The target t is carried by the root, and is the root's own frame unless another place is set. In the coordinates
    of the target, with the pose T_tf of the frame there, its position p and its rotation R, the error is

    - "pose": log(T_tf), shape (6,), m and rad, as of `RelativeFrameTask`: a weld.
    - "position": p, shape (3,), m: a ball joint.
    - "axis": p, and where the axis R a is off the axis a (as of `LookAtTask`: its angle times the direction
      aside), shape (5,), m and rad: a hinge about the axis.

    J is the derivative, in all three. Give the task to a step as a constraint to hold it exactly, or as a task of the
    first priority.

    Half a turn away the error of an axis is half a turn towards one side, and within 0.01 rad of that J sees motions
    across the way as from there.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import ClosedLoopTask
    >>> model = pantin.load("five_bar")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = ClosedLoopTask("right_rod_end", "pin", mode="position")
    >>> task.compute_error(configuration).shape
    (3,)

    Attributes:
        frame: Name of the frame.
        root: Name of the frame that it shall coincide with.
        mode: What coincides: "pose", "position" or "axis"; fixed.
        axis: The common axis in both frames, shape (3,), of unit length.
        transform_target_to_root: Where the frame shall be in the root; live.
    """

    _kind_name: ClassVar[str] = "closed_loop"
    _shown: ClassVar[tuple[str, ...]] = ("frame", "root", "cost", "mode", "axis", "gain", "lm_damping")
    frame = FrameName(0, "Name of the frame.")
    root = FrameName(1, "Name of the frame that it shall coincide with.")
    axis = Axis()

    def __init__(
        self,
        frame: str,
        root: str,
        cost: npt.ArrayLike = 1.0,
        mode: Mode = "pose",
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        axis: str | npt.ArrayLike = "z",
        priority: int = 0,
    ) -> None:
        """Task on two frames.

        Args:
            frame: Name of the frame.
            root: Name of the frame that it shall coincide with.
            cost: Cost per metre and radian: one number, or one for each entry of the error.
            mode: What coincides: "pose", "position" or "axis".
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            axis: The common axis in both frames, for the mode "axis": "x", "-z" and the like, or a vector (3,).
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite, the axis is none, or the mode unknown.
        """
        if mode not in get_args(Mode):
            raise TaskDefinitionError("mode", f"expected 'pose', 'position' or 'axis', got {mode!r}")
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        self._frames = frame_names(frame, frame_name("root", root))
        self._numbers = np.array([get_args(Mode).index(mode), 0.0, 0.0, 0.0])
        self.axis = axis
        self._target = SE3.Identity()

    @property
    def mode(self) -> Mode:
        """Whether the "pose", the "position" or position and "axis" coincide."""
        assert self._numbers is not None
        mode: Mode = get_args(Mode)[int(self._numbers[0])]
        return mode

    @property
    def transform_target_to_root(self) -> SE3:
        """Where the frame shall be in the root; live."""
        return self._target  # type: ignore[no-any-return]

    @transform_target_to_root.setter
    def transform_target_to_root(self, pose: object) -> None:
        self._target = as_se3("transform_target_to_root", pose)

    def set_target(self, transform_target_to_root: object) -> None:
        """Set where the frame shall be in the root; the pose is copied.

        Args:
            transform_target_to_root: Pose in the root: an `SE3`, a `pinocchio.SE3`, a matrix (4, 4), or a pair of
                position and quaternion (x, y, z, w).

        Raises:
            InvalidArgument: If it is none of these.
        """
        self._target = as_se3("transform_target_to_root", transform_target_to_root).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Let the loop be closed where it is.

        Args:
            configuration: Robot configuration.
        """
        self.set_target(configuration.get_transform(self.frame, self.root))
