"""To and fro as a sine."""

from __future__ import annotations

import math

import numpy.typing as npt

from pantin.arrays import Array, array, scalar
from pantin.tracking.motions.motion import Motion, eased

__all__ = ["Sway"]


class Sway(Motion):
    """To and fro: `by` times the sine of time.

    Args:
        by: Farthest displacement, which comes after a quarter of the period.
        period: s.
        ease: Time to come to full speed, s.

    Raises:
        InvalidArgument: If a number is no number, negative, or the period zero.
    """

    def __init__(self, by: npt.ArrayLike, period: float, ease: float = 0.0) -> None:
        self.by = array("by", by).copy()
        self.period = scalar("period", period, lower=1e-6)
        self.ease = scalar("ease", ease, lower=0.0)

    def __call__(self, time: float) -> Array:
        """Displacement at a time, shape as `by`."""
        return math.sin(2.0 * math.pi * eased(time, self.ease) / self.period) * self.by
