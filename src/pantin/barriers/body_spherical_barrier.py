"""Two frames that stay apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar
from pantin.barriers.barrier import Barrier
from pantin.barriers.points import position_jacobian, position_of
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.exceptions import NegativeMinimumDistance

__all__ = ["BodySphericalBarrier", "saturating"]


def saturating(value: float) -> float:
    """The value where it is small, at most 1 where it is large: $x / (1 + |x|)$."""
    return value / (1.0 + abs(value))


class BodySphericalBarrier(Barrier):
    r"""Two frames that stay a distance apart: $h = |p_1 - p_2|^2 - d_{min}^2$.

    The gain function is $x / (1 + |x|)$, so that frames that are far apart may approach each other at a bounded rate.

    >>> import pantin
    >>> from pantin.barriers import BodySphericalBarrier
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> model = pantin.load("humanoid")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> hands = BodySphericalBarrier(("left_hand", "right_hand"), d_min=0.2)
    >>> bool(hands.compute_barrier(configuration) > 0.0)
    True

    Attributes:
        frames: Names of the two frames.
        d_min: Smallest distance, m.
    """

    frames: tuple[str, str]

    def __init__(
        self,
        frames: Sequence[str],
        d_min: float,
        gain: npt.ArrayLike = 1.0,
        safe_displacement_gain: float = 3.0,
    ) -> None:
        """Keep two frames apart.

        Args:
            frames: Names of the two frames.
            d_min: Smallest distance, m.
            gain: How fast the barrier may fall, m^2/s.
            safe_displacement_gain: Weight of the pull to the safe displacement.

        Raises:
            NegativeMinimumDistance: If the distance is below zero.
            InvalidArgument: If these are not two different names, or a number is not finite or negative.
        """
        named = tuple(frames) if isinstance(frames, list | tuple) else ()
        if len(named) != 2 or not all(isinstance(name, str) for name in named) or named[0] == named[1]:
            raise InvalidArgument("frames", f"expected the names of two different frames, got {frames!r}")
        self.frames = named
        self.d_min = d_min
        super().__init__(1, gain, saturating, safe_displacement_gain)

    @property
    def d_min(self) -> float:
        """Smallest distance, m."""
        return self._d_min

    @d_min.setter
    def d_min(self, distance: float) -> None:
        distance = scalar("d_min", distance)
        if distance < 0.0:
            raise NegativeMinimumDistance(f"d_min: expected a distance from 0 up, got {distance:g}")
        self._d_min = distance

    def compute_barrier(self, configuration: Configuration) -> Array:
        """How much the squared distance exceeds the smallest one.

        Args:
            configuration: Where the robot is.

        Returns:
            Excess, shape (1,), m^2; negative where the frames are too near to each other.

        Raises:
            UnknownFrame: If there is no such frame.
        """
        apart = self._apart(configuration)
        return np.array([apart @ apart - self.d_min**2])

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Derivative of the squared distance: 2 (p_1 - p_2)' (J_1 - J_2).

        Args:
            configuration: Where the robot is.

        Returns:
            Derivative, shape (1, nv); zero where the frames coincide.

        Raises:
            UnknownFrame: If there is no such frame.
        """
        one, other = (position_jacobian(configuration, frame) for frame in self.frames)
        return (2.0 * self._apart(configuration) @ (one - other))[None]

    def _apart(self, configuration: Configuration) -> Array:
        """The way from the second frame to the first, in the world."""
        return position_of(configuration, self.frames[0]) - position_of(configuration, self.frames[1])
