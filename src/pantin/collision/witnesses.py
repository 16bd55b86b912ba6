"""Distances, normals and witness points of pairs, measured by `coal`.

A measurement starts from the pair's bounding boxes. To start it from what it found the last time is no faster (the
guess has to be handed over through Python), and would make results depend on what was measured before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.collision.places import Places, evenly_spaced
from pantin.collision.solids import Solid, coal

__all__ = ["Witnesses"]

#: Tolerance of distances, m. coal's own, 1e-6, leaves normals off by up to some hundredths.
_OF_DISTANCES = 1e-9
#: Tolerance of depths, m. Those of polytopes are exact; those of cylinders fail where less is asked for.
_OF_DEPTHS = 1e-6


class Witnesses:
    """What is measured between pairs of shapes.

    Attributes:
        distance: Distance of each pair, shape (pairs,), m; below zero it is how deep they are in each other.
        normal: Direction in the world from the first shape to the second, of unit length, shape (pairs, 3).
        point: Point of the first shape that is nearest to the second, in the world, shape (pairs, 3), m.
            That of the second is `point + distance normal`.
    """

    def __init__(self, solids: Sequence[Solid], pairs: npt.NDArray[np.int64]) -> None:
        """Witnesses of pairs, shape (pairs, 2), none of which was measured yet."""
        package = coal()
        self._shapes = [solid.shape for solid in solids]  # coal's functions do not keep them
        self._pairs = [(int(first), int(second)) for first, second in pairs]
        self._measure = [package.ComputeDistance(self._shapes[i], self._shapes[j]) for i, j in self._pairs]
        self._poses = [package.Transform3s() for _ in solids]
        self._placed = [False] * len(solids)
        self._results, self._normals = _results(package, len(self._pairs))
        self._request = _request(package, _OF_DISTANCES, _OF_DEPTHS)
        self._again = _request(package, 1e3 * _OF_DISTANCES, 1e2 * _OF_DEPTHS)
        self.distance = np.full(len(pairs), np.inf)
        self.normal = np.tile((0.0, 0.0, 1.0), (len(pairs), 1))
        self.point = np.zeros((len(pairs), 3))

    def move(self) -> None:
        """Forget where the shapes are."""
        self._placed = [False] * len(self._shapes)

    def measure(self, pairs: npt.NDArray[np.int64], places: Places) -> None:
        """Measure some pairs, one at least, where the shapes are now."""
        placed, poses, request = self._placed, self._poses, self._request
        distances, points = [], []
        for pair in pairs.tolist():
            first, second = ends = self._pairs[pair]
            for shape in ends:
                if not placed[shape]:
                    poses[shape].setTransform(places.rotation[shape], places.translation[shape])
                    placed[shape] = True
            result = self._results[pair]
            result.clear()  # or a pair that once touched would count as touching
            distances.append(self._measure[pair](poses[first], poses[second], request, result))
            points.append(result.getNearestPoint1())
        distance, normal, point = np.array(distances), self._normals[pairs], np.array(points)
        unknown = ~(np.abs(np.einsum("ij,ij->i", normal, normal) - 1.0) < 1e-3)  # true for NaN
        if unknown.any():
            self._mend(pairs, unknown, distance, normal, point, places)
        self.distance[pairs], self.normal[pairs], self.point[pairs] = distance, normal, point

    def _mend(
        self,
        pairs: npt.NDArray[np.int64],
        unknown: npt.NDArray[np.bool_],
        distance: Array,
        normal: Array,
        point: Array,
        places: Places,
    ) -> None:
        """Find out what coal did not: by less exact depths, or as is fit for shapes that have one centre.

        Pairs of the latter keep the normals that they had before, and flat shapes that cross touch.
        """
        for row in np.flatnonzero(unknown):
            pair = pairs[row]
            first, second = self._pairs[pair]
            result = self._results[pair]
            result.clear()
            measured = self._measure[pair](self._poses[first], self._poses[second], self._again, result)
            found = result.getNearestPoint1()
            if np.isfinite(found).all():
                distance[row], point[row] = measured, found
            else:
                distance[row], point[row] = 0.0, places.translation[first]
            well = abs(self._normals[pair] @ self._normals[pair] - 1.0) < 1e-3
            normal[row] = self._normals[pair] if well else self.normal[pair]


def _results(package: Any, count: int) -> tuple[list[Any], Array]:
    """Results of so many pairs in one block of memory, and a live view of their normals, shape (count, 3)."""
    block = package.StdVec_DistanceResult()
    for _ in range(count):
        block.append(package.DistanceResult())
    results = list(block)
    return results, evenly_spaced([result.normal for result in results]) if count else np.empty((0, 3))


def _request(package: Any, of_distances: float, of_depths: float) -> Any:
    """What is asked of a measurement."""
    request = package.DistanceRequest()
    request.gjk_tolerance, request.epa_tolerance = of_distances, of_depths
    request.gjk_initial_guess = package.GJKInitialGuess.BoundingVolumeGuess
    return request
