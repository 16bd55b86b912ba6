"""Away with the least jerk."""

from __future__ import annotations

import numpy.typing as npt

from pantin.arrays import Array, array, scalar
from pantin.tracking.motions.motion import Motion, smooth

__all__ = ["Ramp"]


class Ramp(Motion):
    """A straight way with the least jerk, from rest to rest.

    Args:
        by: Displacement at the end.
        over: Time that it takes, s.

    Raises:
        InvalidArgument: If a number is no number, negative, or the time zero.
    """

    def __init__(self, by: npt.ArrayLike, over: float) -> None:
        self.by = array("by", by).copy()
        self.over = scalar("over", over, lower=1e-6)

    def __call__(self, time: float) -> Array:
        """Displacement at a time, shape as `by`."""
        return smooth(time / self.over) * self.by
