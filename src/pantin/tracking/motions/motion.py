"""What all motions are, and how they begin without a jerk."""

from __future__ import annotations

import abc

import numpy as np

from pantin.arrays import Array

__all__ = ["Motion", "eased", "smooth"]


class Motion(abc.ABC):
    """A displacement over time, zero at time 0."""

    @abc.abstractmethod
    def __call__(self, time: float) -> Array:
        """Displacement at a time that is not negative, s."""


def eased(time: float, ease: float) -> float:
    """Time on a clock that comes to its speed evenly within `ease` seconds, and lags behind by half of them."""
    return time * time / (2.0 * ease) if time < ease else time - ease / 2.0


def smooth(u: float) -> float:
    """Way from 0 to 1 of least jerk, at rest at both ends (Flash and Hogan 1985, equation 5).

    Args:
        u: Part of the time that has passed; beyond [0, 1] it rests.
    """
    u = float(np.clip(u, 0.0, 1.0))
    return u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
