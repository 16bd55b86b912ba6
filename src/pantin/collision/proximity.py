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
        self._witnesses = Witnesses(solids, self._ends)
        self._measured = np.zeros(len(self._ends), dtype=bool)
        self._bounded = False  # the bounds are those of where the shapes are now
        self._q: Array | None = None
        self._answers: dict[tuple[int, float], Nearest] = {}

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
        if count == self.npairs and reach == np.inf:
            candidates = np.arange(count)
        else:
            self._bounds.move(self.places)
            self._bounded = True
            lower = self._bounds.lower()
            candidates = np.flatnonzero(lower < reach)
            if len(candidates) > count:
                candidates = self._screen(candidates, lower[candidates], count)
        self._measure(candidates)
        distance = self._witnesses.distance[candidates]
        kept = np.argsort(distance, kind="stable")[:count]
        if reach < np.inf:
            kept = kept[distance[kept] < reach]
        pairs = candidates[kept]
        return Nearest(pairs, distance[kept], self._witnesses.normal[pairs], self._witnesses.point[pairs])

    def _screen(self, candidates: npt.NDArray[np.int64], lower: Array, count: int) -> npt.NDArray[np.int64]:
        """The candidates that may be among the nearest, by their bounds and by what the likeliest ones measure."""
        if count == 0:
            return candidates[:0]
        likely = np.argpartition(lower, count - 1)[:count]
        self._measure(candidates[likely])
        worst = self._witnesses.distance[candidates[likely]].max()
        rest = np.flatnonzero(lower < worst)
        # The others by and by, the likelier first: each that is nearer than the worst lowers what the rest must beat.
        rest = rest[np.argsort(lower[rest], kind="stable")]
        known = self._measured[candidates[rest]]
        taken = [candidates[likely], candidates[rest[known]]]
        rest = rest[~known]
        while len(rest):
            some, rest = rest[:count], rest[count:]
            self._measure(candidates[some])
            taken.append(candidates[some])
            if len(rest):
                distance = self._witnesses.distance[np.unique(np.concatenate(taken))]
                rest = rest[lower[rest] < np.partition(distance, count - 1)[count - 1]]
        return np.unique(np.concatenate(taken))

    def _measure(self, pairs: npt.NDArray[np.int64]) -> None:
        """Measure those pairs that were not measured since the shapes moved."""
        new = pairs[~self._measured[pairs]]
        if len(new):
            self._witnesses.measure(new, self.places)
            self._measured[new] = True
            if self._bounded:
                self._bounds.learn(new, self._witnesses.distance[new])
