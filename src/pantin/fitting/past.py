"""What a stream remembers of the frames before: where the next one starts from, and what objective is usual."""

from __future__ import annotations

import collections

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.plan.rotations import normalised, product
from pantin.fitting.status import FitStatus

__all__ = ["Past"]

#: Frames whose objectives are compared, and how many there must be.
WINDOW, LEAST = 31, 5

#: Objective of a unit of weight below which no fit can be told from a better one.
FINE = 1e-8


class Past:
    """The frames before, as rows (root position, quaternion wxyz, degrees of freedom), by the rules of the core.

    Attributes:
        last: State that the next frame starts from.
        known: How many frames were fitted to something, up to 2: from one a fit goes on, from two with a velocity.
        begun: Whether the next frame starts from `last`; else it is fitted cold.
    """

    def __init__(self, last: Array, begun: bool) -> None:
        """No frames before, but perhaps a state to start from."""
        self.last, self.begun, self.known = last, begun, 0
        self._before, self._still = last, np.zeros(len(last) - 7, dtype=np.bool_)
        self._costs: collections.deque[float] = collections.deque(maxlen=WINDOW)

    def predicted(self) -> Array:
        """The state that the last two frames lead to, but what was not seen in the last one stays where it is.

        It is the last one itself where there are not two.
        """
        if self.known < 2:
            return self.last
        now, then = self.last, self._before
        row = 2.0 * now - then
        back = then[3:7] * (1.0, -1.0, -1.0, -1.0)
        row[3:7] = normalised(product(product(now[3:7], back), now[3:7]))
        row[7:][self._still] = now[7:][self._still]
        return row

    def is_usual(self, cost: float, factor: float, weight: float) -> bool:
        """Whether an objective is at most a factor times the running median, or too small for its weight to matter."""
        if len(self._costs) < LEAST:
            return True
        median = sorted(self._costs)[len(self._costs) // 2]
        return not (cost > factor * median and cost > FINE * weight)

    def go_on(
        self, row: Array, seen: npt.NDArray[np.bool_], status: FitStatus, cost: float, *, usual: bool = True
    ) -> None:
        """A frame more: the next one starts from it, unless it failed or is an unusual one, which nothing explains."""
        if status == FitStatus.NO_OBSERVATIONS:
            self.last = row
        elif status != FitStatus.FAILED:
            if usual:
                self._before, self.last, self._still = self.last, row, ~seen
                self.known = min(self.known + 1, 2)
            self._costs.append(cost)
        self.begun = self.known > 0
