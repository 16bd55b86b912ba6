"""A frame that stays within a box of the world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, count, vector
from pantin.barriers.barrier import Barrier
from pantin.barriers.points import position_jacobian, position_of
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.exceptions import NoPositionLimitProvided

__all__ = ["PositionBarrier"]


class PositionBarrier(Barrier):
    r"""A frame that stays within a box of the world: $h = (p - p_{min},\, p_{max} - p)$ along some axes.

    >>> import pantin
    >>> from pantin.barriers import PositionBarrier
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> above_table = PositionBarrier("panda_hand", indices=[2], p_min=0.05, gain=20.0)
    >>> above_table.compute_barrier(configuration).round(3)
    array([0.876])

    Attributes:
        frame: Name of the frame.
        indices: Axes of the world that count: 0 for x to 2 for z.
        p_min: Lowest position along these axes, m, live; None for none.
        p_max: Highest position along these axes, m, live; None for none.
    """

    frame: str
    indices: list[int]
    p_min: Array | None
    p_max: Array | None

    def __init__(
        self,
        frame: str,
        indices: Sequence[int] | None = None,
        p_min: npt.ArrayLike | None = None,
        p_max: npt.ArrayLike | None = None,
        gain: npt.ArrayLike = 1.0,
        safe_displacement_gain: float = 0.0,
    ) -> None:
        """Keep a frame within a box.

        Args:
            frame: Name of the frame.
            indices: Axes of the world that count: 0 for x to 2 for z; all by default.
            p_min: Lowest position along these axes, a number for each or one for all, m; None for none.
            p_max: Highest position along these axes likewise.
            gain: How fast a distance to the box may shrink for its size, 1/s: one number for all, one for each axis,
                or one for each entry.
            safe_displacement_gain: Weight of the pull to the safe displacement.

        Raises:
            NoPositionLimitProvided: If there is neither a lowest nor a highest position.
            InvalidArgument: If an axis is none or comes twice, a position or gain is not finite or of another size, or
                p_min is above p_max.
        """
        if not isinstance(frame, str):
            raise InvalidArgument("frame", f"expected the name of a frame, got {frame!r}")
        self.frame = frame
        self.indices = _axes(indices)
        if p_min is None and p_max is None:
            raise NoPositionLimitProvided(f"a position barrier of frame {frame!r} needs p_min or p_max")
        size = len(self.indices)
        self.p_min, self.p_max = _positions("p_min", p_min, size), _positions("p_max", p_max, size)
        if self.p_min is not None and self.p_max is not None:
            if (self.p_min > self.p_max).any():
                raise InvalidArgument("p_min", f"{self.p_min} is above p_max, {self.p_max}")
            gains = array("gain", gain)
            gain = np.tile(gains, 2) if gains.ndim > 0 and gains.size == size else gains
        super().__init__(
            size * ((self.p_min is not None) + (self.p_max is not None)),
            gain=gain,
            safe_displacement_gain=safe_displacement_gain,
        )

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Distances to the lowest and the highest positions.

        Args:
            configuration: Where the robot is.

        Returns:
            Distances, first those above p_min, then those below p_max, shape (dim,), m; negative outside.

        Raises:
            UnknownFrame: If there is no such frame.
        """
        position = position_of(configuration, self.frame)[self.indices]
        above = [] if self.p_min is None else [position - self.p_min]
        below = [] if self.p_max is None else [self.p_max - position]
        return np.concatenate(above + below)

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Derivatives of the distances.

        Args:
            configuration: Where the robot is.

        Returns:
            Rows of the frame's Jacobian along the world's axes and their negatives, shape (dim, nv).

        Raises:
            UnknownFrame: If there is no such frame.
        """
        rows = position_jacobian(configuration, self.frame)[self.indices]
        above = [] if self.p_min is None else [rows]
        below = [] if self.p_max is None else [-rows]
        return np.concatenate(above + below)


def _axes(indices: Sequence[int] | None) -> list[int]:
    if indices is None:
        return [0, 1, 2]
    if not isinstance(indices, Iterable):
        raise InvalidArgument("indices", f"expected a list of axes, got {indices!r}")
    axes = [count("indices", axis, upper=2) for axis in indices]
    if not axes or len(set(axes)) < len(axes):
        raise InvalidArgument("indices", f"expected different axes out of 0, 1 and 2, got {axes}")
    return axes


def _positions(name: str, positions: npt.ArrayLike | None, size: int) -> Array | None:
    if positions is None:
        return None
    given = array(name, positions)
    return np.full(size, given) if given.ndim == 0 else vector(name, given, size).copy()
