"""The pairs of shapes that are nearest to each other, of as many as there may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.collision.bounds import Bounds
from pantin.collision.places import Places
from pantin.collision.solids import Solid
from pantin.collision.witnesses import Witnesses
from pantin.kinematics.geometry import CollisionPair
from pantin.kinematics.model import Data
from pantin.kinematics.se3 import SE3

__all__ = ["Nearest", "Proximity"]

#: Pairs that are measured before the next look at what the others have to beat, at least.
_AT_ONCE = 4


class Nearest(NamedTuple):
    """Pairs of shapes, the nearest first.

    Attributes:
        pairs: Which ones, shape (n,).
        distance: Their distances, shape (n,), m; below zero it is how deep they are in each other.
        normal: Directions in the world from the first shape to the second, shape (n, 3).
        point: Points of the first shapes that are nearest to the second ones, in the world, shape (n, 3), m.
    """

    pairs: npt.NDArray[np.int64]
    distance: Array
    normal: Array
    point: Array


class Proximity:
    """Distances between shapes that move with a robot; for one caller.

    A pair is measured when it is asked for and may be among the nearest; the others cost nothing.
    """

    def __init__(
        self,
        solids: Sequence[Solid],
        joints: Sequence[int],
        offsets: Sequence[SE3],
        pairs: Sequence[tuple[int, int]],
    ) -> None:
        """Shapes, the joints that they move with, their poses in the joints' frames, and pairs of them."""
        self._ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self.places = Places(joints, offsets)
        self._bounds = Bounds(solids, self._ends)
        self._witnesses = Witnesses(solids, self._ends, self.places)
        self._measured = np.zeros(len(self._ends), dtype=bool)
        self._bounded = False  # the bounds are those of where the shapes are now
        self._q: Array | None = None
        self._answers: dict[tuple[int, float], Nearest] = {}
        self._before: dict[tuple[int, float], npt.NDArray[np.int64]] = {}  # the answers before, which are likely again

    @property
    def pairs(self) -> list[CollisionPair]:
        """The pairs of shapes, in their order."""
        return [CollisionPair(*ends) for ends in self._ends.tolist()]

    @property
    def joints(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Joints that the first and the second shape of each pair move with, shape (npairs,) each."""
        return self.places.joints[self._ends[:, 0]], self.places.joints[self._ends[:, 1]]

    def frames(self, pairs: npt.NDArray[np.int64]) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """World rotations and positions of the first and the second shapes of some pairs."""
        first, second = self._ends[pairs].T
        rotation, translation = self.places.rotation, self.places.translation
        return (rotation[first], rotation[second]), (translation[first], translation[second])

    @property
    def npairs(self) -> int:
        """Number of pairs."""
        return len(self._ends)

    def place(self, data: Data, q: Array, *, moved: bool = False) -> None:
        """Move the shapes to where a robot is; nothing is done if it is the very same q as before.

        Args:
            data: Data with joints placed.
            q: Configuration that they are placed for; an array that does not change.
            moved: A shape has another pose in its joint's frame.
        """
        if q is self._q and not moved:
            return
        self.places.move(data)
        self._witnesses.move()
        self._measured[:] = False
        self._bounded = False
        self._answers.clear()
        self._q = q

    def nearest(self, count: int, reach: float = np.inf) -> Nearest:
        """The pairs with the smallest distances.

        Args:
            count: How many.
            reach: Distance from which on pairs are of no interest, m.

        Returns:
            As many pairs as were asked for, or fewer where there are not more, or not more within reach.
        """
        answer = self._answers.get((count, reach))
        if answer is None:
            answer = self._answers[count, reach] = self._search(min(count, self.npairs), reach)
        return answer

    def measure_all(self) -> tuple[Array, Array, Array]:
        """Distances (npairs,), normals (npairs, 3) and witness points of the first shapes (npairs, 3) of all pairs."""
        self._measure(np.arange(self.npairs))
        witnesses = self._witnesses
        return witnesses.distance.copy(), witnesses.normal.copy(), witnesses.point.copy()

    def _search(self, count: int, reach: float) -> Nearest:
        if not count or (count == self.npairs and reach == np.inf):
            taken = np.arange(count)
            self._measure(taken)
        else:
            taken = self._screen(self._before.get((count, reach), np.empty(0, dtype=np.int64)), count, reach)
        distance = self._witnesses.distance[taken]
        kept = np.argsort(distance, kind="stable")[:count]
        if reach < np.inf:
            kept = kept[distance[kept] < reach]
        pairs = self._before[count, reach] = taken[kept]
        return Nearest(pairs, distance[kept], self._witnesses.normal[pairs], self._witnesses.point[pairs])

    def _screen(self, likely: npt.NDArray[np.int64], count: int, reach: float) -> npt.NDArray[np.int64]:
        """Pairs that are among the nearest, and some more; those that are likely are measured first.

        As soon as there are enough of them, others have to beat the worst that is needed.
        """
        self._bounds.move(self.places)
        self._bounded = True
        self._measure(likely)
        worst = self._worst(likely, count, reach)
        near, lower = self._bounds.below(worst)  # the likely ones among them, as far as they are near
        new = ~self._measured[near]
        rest, lower = near[new], lower[new]
        while len(rest):
            some = rest[: max(count, _AT_ONCE)]
            self._measure(some)
            worst = self._worst(near[self._measured[near]], count, worst)
            left = slice(len(some), int(np.searchsorted(lower, worst)))
            rest, lower = rest[left], lower[left]
        return np.sort(near[self._measured[near]])

    def _worst(self, pairs: npt.NDArray[np.int64], count: int, reach: float) -> float:
        """Largest distance that the nearest may have, given some pairs that were measured."""
        if len(pairs) < count:
            return reach
        return min(reach, float(np.partition(self._witnesses.distance[pairs], count - 1)[count - 1]))

    def _measure(self, pairs: npt.NDArray[np.int64]) -> None:
        """Measure those pairs that were not measured since the shapes moved."""
        new = pairs[~self._measured[pairs]]
        if len(new):
            self._witnesses.measure(new)
            self._measured[new] = True
            if self._bounded:
                self._bounds.learn(new, self._witnesses.distance[new])
