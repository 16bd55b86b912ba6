"""Rest."""

from __future__ import annotations

import numpy as np

from pantin.arrays import Array
from pantin.tracking.motions.motion import Motion

__all__ = ["Hold"]


class Hold(Motion):
    """No motion: the target stays where it starts."""

    def __call__(self, time: float) -> Array:
        """Displacement at a time, none."""
        return np.zeros(3)
