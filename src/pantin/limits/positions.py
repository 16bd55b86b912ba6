"""How far joints are from their position limits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.kinematics.model import Model
from pantin.limits.doors import refuse_nan
from pantin.limits.entry_limit import FAR, NARROW, numbers_of_joints

__all__ = ["distances", "leave_room"]


def leave_room(model: Model) -> BoolArray:
    """Which entries of a velocity belong to joints of one number whose position limits leave room, shape (nv,)."""
    numbers = numbers_of_joints(model)
    low, high = model.lower_position_limit[numbers], model.upper_position_limit[numbers]
    room: BoolArray = (numbers >= 0) & (high > low + NARROW) & ((high < FAR) | (low > -FAR))
    return room


def distances(model: Model, entries: npt.NDArray[np.intp], q: Array) -> tuple[Array, Array]:
    """Distances down to the lower limits and up to the upper ones, rad or m.

    Args:
        model: Robot model.
        entries: Entries of a velocity, of joints that move by one number.
        q: Configuration, shape (nq,).

    Returns:
        Two vectors, negative outside and infinite where there is no limit.

    Raises:
        InvalidArgument: If a limit is NaN.
    """
    numbers = numbers_of_joints(model)[entries]
    low, high = model.lower_position_limit[numbers], model.upper_position_limit[numbers]
    refuse_nan("lower_position_limit", low)
    refuse_nan("upper_position_limit", high)
    return np.where(low > -FAR, q[numbers] - low, np.inf), np.where(high < FAR, high - q[numbers], np.inf)
