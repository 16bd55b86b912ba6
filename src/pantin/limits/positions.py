"""How far joints are from their position limits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.kinematics.model import Model
from pantin.limits.doors import refuse_nan
from pantin.limits.entry_limit import FAR, NARROW

__all__ = ["distances", "leave_room"]


def leave_room(model: Model, numbers: npt.NDArray[np.intp]) -> BoolArray:
    """Which of some joints have position limits that leave room.

    Args:
        model: Robot model.
        numbers: Their entries of a configuration; -1 for joints that do not move by one number, and have none.
    """
    low, high = model.lower_position_limit[numbers], model.upper_position_limit[numbers]
    room: BoolArray = (numbers >= 0) & (high > low + NARROW) & ((high < FAR) | (low > -FAR))
    return room


def distances(model: Model, numbers: npt.NDArray[np.intp], q: Array) -> tuple[Array, Array]:
    """Distances down to the lower limits and up to the upper ones, rad or m.

    Args:
        model: Robot model.
        numbers: Entries of a configuration.
        q: Configuration, shape (nq,).

    Returns:
        Two vectors, negative outside and infinite where there is no limit.

    Raises:
        InvalidArgument: If a limit is NaN.
    """
    low, high, here = model.lower_position_limit[numbers], model.upper_position_limit[numbers], q[numbers]
    refuse_nan("lower_position_limit", low)
    refuse_nan("upper_position_limit", high)
    return np.where(low > -FAR, here - low, np.inf), np.where(high < FAR, high - here, np.inf)
