"""From place to place."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, vector
from pantin.errors import InvalidArgument
from pantin.tracking.motions.motion import Motion, smooth

__all__ = ["Waypoints"]


class Waypoints(Motion):
    """From one displacement to the next with the least jerk, at rest in each, and for good in the last.

    Args:
        by: Displacements, shape (n, ...), of which the first is left for from the start.
        times: When each is passed, shape (n,), s; they increase, and begin after 0.

    Raises:
        InvalidArgument: If there are none, or times do not increase.
    """

    def __init__(self, by: npt.ArrayLike, times: npt.ArrayLike) -> None:
        places = array("by", by)
        if places.ndim < 2 or not len(places):
            raise InvalidArgument("by", "expected a list of displacements, each of some numbers")
        given = vector("times", times, len(places))
        self.times: Array = np.concatenate([[0.0], given])
        self.by: Array = np.concatenate([np.zeros_like(places[:1]), places])
        if (np.diff(self.times) <= 0.0).any():
            raise InvalidArgument("times", f"expected times that increase from 0, got {given.tolist()}")

    def __call__(self, time: float) -> Array:
        """Displacement at a time, shape (...)."""
        i = int(np.searchsorted(self.times, time, side="right"))
        if i == len(self.times):
            return np.array(self.by[-1])
        part = (time - self.times[i - 1]) / (self.times[i] - self.times[i - 1])
        return np.asarray(self.by[i - 1] + smooth(part) * (self.by[i] - self.by[i - 1]))
