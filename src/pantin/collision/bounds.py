"""Distances that pairs of shapes have at least, without measuring them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.collision.places import Places
from pantin.collision.solids import Solid

__all__ = ["Bounds"]

#: Way, m, after which nothing is known.
_FARTHEST = 1e3
#: What a measured distance may be off, m: twice the tolerance that depths are measured with.
_MARGIN = 2e-6


class Bounds:
    """Lower bounds of the distances of pairs, by three laws of which the largest counts.

    A shape that has moved so that none of its points went farther than s changed each of its distances by s at most. So
    what was known of a distance once is known still, less what its two shapes have moved since, and pairs that are far
    apart are looked at once in a long while. Those that are looked at are at least as far apart as the balls around
    them, and as they were when they were measured less what the second has moved as the first sees it, which is little
    for two fingers of one hand.
    """

    def __init__(self, solids: Sequence[Solid], pairs: npt.NDArray[np.int64]) -> None:
        """Bounds of pairs, shape (pairs, 2), of which none was measured yet."""
        self._centre = np.array([solid.centre for solid in solids]).reshape(-1, 3)
        self._radius = np.array([solid.radius for solid in solids])
        self._first, self._second = pairs[:, 0], pairs[:, 1]
        self._travelled = np.zeros(len(solids))
        self._known = np.full(len(pairs), -np.inf)  # a bound plus what both shapes had travelled then
        self._centres = self._centre.copy()
        self._rotation: Array | None = None
        # What was measured last, and where the second shape was then, as the first saw it.
        self._measured = np.full(len(pairs), -np.inf)
        self._seen_centre, self._seen_rotation = np.zeros((len(pairs), 3)), np.zeros((len(pairs), 3, 3))

    def move(self, places: Places) -> None:
        """Follow the shapes to where they are now."""
        centres = np.matmul(places.rotation, self._centre[:, :, None])[:, :, 0] + places.translation
        if self._rotation is not None:
            # The difference of two rotations has singular values s, s, 0, so its norms are sqrt(2) s and s.
            turned = (places.rotation - self._rotation).reshape(-1, 9)
            moved = centres - self._centres
            self._travelled += np.sqrt(np.einsum("ij,ij->i", moved, moved))
            self._travelled += self._radius * np.sqrt(0.5 * np.einsum("ij,ij->i", turned, turned))
            if not self._travelled.max(initial=0.0) < _FARTHEST:  # or roundings of long ways would count as ways
                self._travelled[:], self._known[:], self._measured[:] = 0.0, -np.inf, -np.inf
        self._centres, self._rotation = centres, places.rotation.copy()

    def below(self, limit: float) -> tuple[npt.NDArray[np.int64], Array]:
        """Pairs that may be nearer than a limit, and their bounds, the lowest first."""
        pairs = np.flatnonzero(self._known - self._since(slice(None)) < limit + _MARGIN)
        first, second = self._first[pairs], self._second[pairs]
        apart = self._centres[first] - self._centres[second]
        balls = np.sqrt(np.einsum("ij,ij->i", apart, apart)) - self._radius[first] - self._radius[second]
        since, close = self._since(pairs), np.flatnonzero(balls < limit + _MARGIN)
        balls[close] = np.maximum(balls[close], self._unseen(pairs[close]))
        known = self._known[pairs] = np.maximum(self._known[pairs], balls + since)
        lower = known - since - _MARGIN
        low = np.flatnonzero(lower < limit)
        order = low[np.argsort(lower[low], kind="stable")]
        return pairs[order], lower[order]

    def learn(self, pairs: npt.NDArray[np.int64], distances: Array) -> None:
        """Take in distances that were measured where the shapes are now, shape (pairs,), m."""
        self._known[pairs], self._measured[pairs] = distances + self._since(pairs), distances
        self._seen_centre[pairs], self._seen_rotation[pairs] = self._sight(pairs)

    def _unseen(self, pairs: npt.NDArray[np.int64]) -> Array:
        """What was measured last, less how far any point of the second shape has moved as the first sees it, m."""
        centre, rotation = self._sight(pairs)
        moved, turned = centre - self._seen_centre[pairs], (rotation - self._seen_rotation[pairs]).reshape(-1, 9)
        way = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        way += self._radius[self._second[pairs]] * np.sqrt(0.5 * np.einsum("ij,ij->i", turned, turned))
        return np.asarray(self._measured[pairs] - way)

    def _sight(self, pairs: npt.NDArray[np.int64]) -> tuple[Array, Array]:
        """Centres (n, 3) and rotations (n, 3, 3) of the second shapes, as the first see them."""
        assert self._rotation is not None
        first, second = self._first[pairs], self._second[pairs]
        seen = self._rotation[first].transpose(0, 2, 1)
        apart = self._centres[second] - self._centres[first]
        return np.matmul(seen, apart[:, :, None])[:, :, 0], np.matmul(seen, self._rotation[second])

    def _since(self, pairs: npt.NDArray[np.int64] | slice) -> Array:
        """What both shapes of some pairs have travelled so far, m."""
        return np.asarray(self._travelled[self._first[pairs]] + self._travelled[self._second[pairs]])
