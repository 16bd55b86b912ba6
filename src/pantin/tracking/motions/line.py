"""Away at one speed."""

from __future__ import annotations

import numpy.typing as npt

from pantin.arrays import Array, array, scalar
from pantin.tracking.motions.motion import Motion, eased

__all__ = ["Line"]


class Line(Motion):
    """A straight way at one speed, and rest at its end.

    Args:
        by: Displacement at the end.
        over: Time that it takes, s.
        ease: Time to come to full speed, and to come to rest again, s.

    Raises:
        InvalidArgument: If a number is no number, negative, the time zero, or not twice as long as the ease.
    """

    def __init__(self, by: npt.ArrayLike, over: float, ease: float = 0.0) -> None:
        self.by = array("by", by).copy()
        self.over = scalar("over", over, lower=1e-6)
        self.ease = scalar("ease", ease, lower=0.0, upper=self.over / 2.0)

    def __call__(self, time: float) -> Array:
        """Displacement at a time, shape as `by`."""
        whole = self.over - self.ease  # what the clock shows at the end, from which the second half is run backwards
        left = max(self.over - time, 0.0)
        gone = eased(time, self.ease) if time < left else whole - eased(left, self.ease)
        return gone / whole * self.by
