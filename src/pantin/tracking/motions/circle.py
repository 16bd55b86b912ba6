"""A circle through the start."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar
from pantin.kinematics.joints import unit_axis
from pantin.tracking.motions.motion import Motion, eased

__all__ = ["Circle"]


class Circle(Motion):
    """A circle that passes through the start.

    Args:
        radius: m.
        period: Time of a turn, s.
        normal: Direction that it turns about, shape (3,), of any length.
        ease: Time to come to full speed, s.

    Raises:
        InvalidArgument: If a number is negative or the period zero, or the normal is no direction.
    """

    def __init__(
        self, radius: float, period: float, normal: npt.ArrayLike = (0.0, 0.0, 1.0), ease: float = 0.0
    ) -> None:
        self.radius = scalar("radius", radius, lower=0.0)
        self.period = scalar("period", period, lower=1e-6)
        self.normal: Array = unit_axis("normal", normal)
        self.ease = scalar("ease", ease, lower=0.0)
        # From the centre to the start: the coordinate axis that is nearest to the plane, laid into it.
        axis = np.eye(3)[np.argmin(np.abs(self.normal))]
        out = axis - (axis @ self.normal) * self.normal
        self._out: Array = self.radius * out / np.linalg.norm(out)
        self._along: Array = np.cross(self.normal, self._out)

    def __call__(self, time: float) -> Array:
        """Displacement at a time, shape (3,), m."""
        angle = 2.0 * np.pi * eased(time, self.ease) / self.period
        return np.asarray((np.cos(angle) - 1.0) * self._out + np.sin(angle) * self._along)
