"""What tasks share that tell an axis of a frame and a point apart."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.joints import named_axis
from pantin.tasks.parts import FrameName, RootName, frame_names, held
from pantin.tasks.task import Task

__all__ = ["AimingTask", "Axis"]


class Axis:
    """Attribute of a task: a unit vector, the last three of the numbers that it is defined by."""

    __doc__ = "The axis in the frame, shape (3,), of unit length; assign 'x', '-z' and the like, or three numbers."

    def __get__(self, task: Task | None, owner: type) -> Array:
        if task is None:
            return self  # type: ignore[return-value]  # for help()
        assert task._numbers is not None
        return task._numbers[-3:]

    def __set__(self, task: Task, axis: str | npt.ArrayLike) -> None:
        assert task._numbers is not None
        task._numbers[-3:] = named_axis("axis", axis)


class AimingTask(Task):
    """Base of tasks on an axis of a frame and a point of the world or of another frame.

    Attributes:
        frame: Name of the frame.
        root: Name of the frame that the point is given in, None for the world.
        axis: The axis in the frame, shape (3,), of unit length.
        target_point: The point, shape (3,), m, or None; live.
    """

    _shown: ClassVar[tuple[str, ...]] = ("frame", "root", "axis", "target_point", "cost", "gain", "lm_damping")
    frame = FrameName(0, "Name of the frame.")
    root = RootName("Name of the frame that the point is given in, None for the world.")
    axis = Axis()

    def __init__(
        self,
        frame: str,
        cost: npt.ArrayLike = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        axis: str | npt.ArrayLike = "z",
        root: str | None = None,
        priority: int = 0,
    ) -> None:
        """Task on a frame; with a root it has the root's origin as its point, else none yet.

        Args:
            frame: Name of the frame.
            cost: Cost over the unit of the error: one number, or one for each of its two entries.
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            axis: The axis in the frame: "x", "y", "z", one of them with a minus, or a vector (3,) of any length.
            root: Name of the frame that the point is given in, None for the world.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite, or the axis is none.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        self._frames = frame_names(frame, root)
        self._numbers = np.zeros(3)
        self.axis = axis
        self.target_point = None if root is None else np.zeros(3)

    @property
    def target_point(self) -> Array | None:
        """The point in the root, shape (3,), m, or None; live."""
        return self._target  # type: ignore[no-any-return]

    @target_point.setter
    def target_point(self, point: npt.ArrayLike | None) -> None:
        self._target = None if point is None else held("target_point", point, 3)

    def set_target(self, target_point: npt.ArrayLike) -> None:
        """Set the point; it is copied.

        Args:
            target_point: Point in the root, shape (3,), m.

        Raises:
            InvalidArgument: If it is not three finite numbers.
        """
        self._target = held("target_point", target_point, 3).copy()
