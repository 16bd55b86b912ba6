"""Vectors of joint limits that grow with the model, and what a mimic joint leaves its master."""

from __future__ import annotations

import numpy as np

from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument

__all__ = ["LimitVector", "master_interval"]


class LimitVector:
    """Vector that grows as joints are added; what is assigned keeps its size and is not NaN."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._memory = np.zeros(8)
        self._size = 0
        self._values: Array = self._memory[:0]

    def extend(self, entries: Array) -> None:
        """Append entries, in amortised constant time each."""
        size = self._size + entries.size
        if self._values.base is not self._memory or size > self._memory.size:
            memory = np.zeros(max(size, 2 * self._memory.size))
            memory[: self._size] = self._values
            self._memory = memory
        self._memory[self._size : size] = entries
        self._size = size
        self._values = self._memory[:size]

    @property
    def values(self) -> Array:
        """The entries; writing into them changes the vector."""
        return self._values

    @values.setter
    def values(self, values: object) -> None:
        given = vector(self._name, values, self._size, finite=False)  # type: ignore[arg-type]  # checked there
        if np.isnan(given).any():
            raise InvalidArgument(self._name, "an entry is NaN; use infinity for no limit")
        self._values = given


def master_interval(
    master: tuple[float, float], follower: tuple[float, float], multiplier: float, offset: float
) -> tuple[float, float]:
    """Interval of a master's coordinate in which it and its follower are within limits.

    Args:
        master: Limits of the master.
        follower: Limits of multiplier * master + offset.
        multiplier: Factor of the follower.
        offset: Offset of the follower.

    Returns:
        Lower and upper limit; lower above upper where there is no room.
    """
    if multiplier == 0.0:
        return master if follower[0] <= offset <= follower[1] else (np.inf, -np.inf)
    with np.errstate(over="ignore"):
        ends = sorted((np.float64(end) - offset) / multiplier for end in follower)
    return max(master[0], float(ends[0])), min(master[1], float(ends[1]))
