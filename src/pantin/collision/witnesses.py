"""Distances, normals and witness points of pairs, measured by `coal`.

A measurement starts from the pair's bounding boxes. To start it from what it found the last time is no faster (the
guess has to be handed over through Python), and would make results depend on what was measured before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

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

    def __init__(self, solids: Sequence[Solid], pairs: npt.NDArray[np.int64], places: Places) -> None:
        """Witnesses of pairs, shape (pairs, 2), none of which was measured yet, of shapes that are at places."""
        package = coal()
        self._shapes = [solid.shape for solid in solids]  # coal's functions do not keep them
        self._pairs = [(int(first), int(second)) for first, second in pairs]
        self._places = places
        self._poses = [package.Transform3s() for _ in solids]
        # Views and bound methods, so that a measurement looks up none.
        self._set_pose = [pose.setTransform for pose in self._poses]
        self._where = list(zip(places.rotation, places.translation, strict=True))
        self._placed = [False] * len(solids)
        results, self._normals = _results(package, len(self._pairs))
        self._jobs = [
            _Job(i, j, package.ComputeDistance(self._shapes[i], self._shapes[j]), one, one.clear, one.getNearestPoint1)
            for (i, j), one in zip(self._pairs, results, strict=True)
        ]
        self._request = _request(package, _OF_DISTANCES, _OF_DEPTHS)
        self._again = _request(package, 1e3 * _OF_DISTANCES, 1e2 * _OF_DEPTHS)
        self.distance = np.full(len(pairs), np.inf)
        self.normal = np.tile((0.0, 0.0, 1.0), (len(pairs), 1))
        self.point = np.zeros((len(pairs), 3))

    def move(self) -> None:
        """Forget where the shapes are."""
        self._placed = [False] * len(self._shapes)

    def measure(self, pairs: npt.NDArray[np.int64]) -> None:
        """Measure some pairs, one at least, where the shapes are now."""
        placed, poses, request = self._placed, self._poses, self._request
        distances, points = [], []
        for pair in pairs.tolist():
            first, second, measured, result, clear, nearest = self._jobs[pair]
            if not placed[first]:
                self._set_pose[first](*self._where[first])
                placed[first] = True
            if not placed[second]:
                self._set_pose[second](*self._where[second])
                placed[second] = True
            clear()  # or a pair that once touched would count as touching
            distances.append(measured(poses[first], poses[second], request, result))
            points.append(nearest())
        distance, normal, point = np.array(distances), self._normals[pairs], np.array(points)
        unknown = ~(np.abs(np.einsum("ij,ij->i", normal, normal) - 1.0) < 1e-3)  # true for NaN
        if unknown.any():
            self._mend(pairs, unknown, distance, normal, point)
        self.distance[pairs], self.normal[pairs], self.point[pairs] = distance, normal, point

    def _mend(
        self,
        pairs: npt.NDArray[np.int64],
        unknown: npt.NDArray[np.bool_],
        distance: Array,
        normal: Array,
        point: Array,
    ) -> None:
        """Find out what coal did not: by less exact depths, or as is fit for shapes that have one centre.

        Pairs of the latter keep the normals that they had before, and flat shapes that cross touch.
        """
        for row in np.flatnonzero(unknown):
            pair = pairs[row]
            job = self._jobs[pair]
            job.clear()
            measured = job.measure(self._poses[job.first], self._poses[job.second], self._again, job.result)
            found = job.nearest()
            if np.isfinite(found).all():
                distance[row], point[row] = measured, found
            else:
                distance[row], point[row] = 0.0, self._places.translation[job.first]
            well = abs(self._normals[pair] @ self._normals[pair] - 1.0) < 1e-3
            normal[row] = self._normals[pair] if well else self.normal[pair]


class _Job(NamedTuple):
    """What it takes to measure a pair: its shapes, coal's function, and its result with what is asked of it."""

    first: int
    second: int
    measure: Callable[..., float]
    result: Any
    clear: Callable[[], None]
    nearest: Callable[[], Array]


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
