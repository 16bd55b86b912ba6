"""Tasks that come up often, set up with one call."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from pantin.arrays import scalar
from pantin.exceptions import TaskDefinitionError
from pantin.kinematics.joints import named_axis
from pantin.kinematics.se3 import SE3
from pantin.tasks.closed_loop_task import ClosedLoopTask
from pantin.tasks.look_at_task import LookAtTask

__all__ = ["foot_flat_task", "gaze_task"]


def gaze_task(
    frame: str,
    target: npt.ArrayLike | None = None,
    cost: npt.ArrayLike = 1.0,
    *,
    axis: str | npt.ArrayLike = "z",
    root: str | None = None,
    lm_damping: float = 0.0,
    gain: float = 1.0,
    priority: int = 0,
) -> LookAtTask:
    """A camera or a head that keeps its eye on a point.

    Args:
        frame: Name of the frame of the camera or the head.
        target: The point, shape (3,), m, in the world or in the root; may be set later. None is the root's origin.
        cost: Cost per radian.
        axis: Where the frame looks; a camera's optical frame looks along its z.
        root: Name of the frame that is looked at, None for the world.
        lm_damping: Levenberg-Marquardt damping.
        gain: Part of the error that a step takes away, 0 to 1.
        priority: Level at which the task is served; 0 comes first.

    Returns:
        The task, whose point moves by `set_target`.

    Raises:
        InvalidArgument: If a number is negative or not finite, or the axis is none.
    """
    task = LookAtTask(frame, cost, lm_damping, gain, axis=axis, root=root, priority=priority)
    if target is not None:
        task.set_target(target)
    return task


def foot_flat_task(
    frame: str,
    cost: float = 1.0,
    *,
    ground: str = "universe",
    height: float = 0.0,
    orientation_cost: float | None = None,
    axis: Literal["x", "y", "z", "-x", "-y", "-z"] = "z",
    lm_damping: float = 0.0,
    gain: float = 1.0,
    priority: int = 0,
) -> ClosedLoopTask:
    """A foot that lies flat on the ground, where and in which direction it likes.

    Args:
        frame: Name of a frame of the foot.
        cost: Cost per metre of height and radian of tilt.
        ground: Name of the frame whose xy plane is the ground.
        height: How high over the ground the frame is where the foot stands on it, m.
        orientation_cost: Cost per radian of tilt, where it is another one.
        axis: The frame's axis that points up where the foot is flat.
        lm_damping: Levenberg-Marquardt damping.
        gain: Part of the error that a step takes away, 0 to 1.
        priority: Level at which the task is served; 0 comes first.

    Returns:
        A `ClosedLoopTask` of the mode "axis" without costs along the ground.

    Raises:
        InvalidArgument: If a number is negative or not finite, or the axis is none.
    """
    if not isinstance(axis, str):
        raise TaskDefinitionError("axis", f"expected 'x', 'y', 'z' or one of them with a minus, got {axis!r}")
    up = named_axis("axis", axis)
    lift = scalar("cost", cost, lower=0.0)
    tilt = lift if orientation_cost is None else scalar("orientation_cost", orientation_cost, lower=0.0)
    costs = np.concatenate([lift * np.abs(up), [tilt, tilt]])
    task = ClosedLoopTask(frame, ground, costs, "axis", lm_damping, gain, axis=up, priority=priority)
    # the target's axes are the foot's: its up is the ground's z
    side = np.abs(np.roll(up, 1))
    task.set_target(SE3(np.array([side, np.cross(up, side), up]), np.array([0.0, 0.0, scalar("height", height)])))
    return task
