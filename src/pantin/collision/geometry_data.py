"""What is measured between the shapes of a robot."""

from __future__ import annotations

from typing import NamedTuple

from pantin.arrays import Array
from pantin.collision.proximity import Proximity
from pantin.collision.solids import solid
from pantin.kinematics.geometry import GeometryModel, UnknownGeometry
from pantin.kinematics.warn import warn_about_file

__all__ = ["DistanceResult", "GeometryData"]


class DistanceResult(NamedTuple):
    """What was measured between two shapes.

    Attributes:
        min_distance: Distance, m; below zero it is how deep the shapes are in each other.
        normal: Direction in the world from the first shape to the second, of unit length, shape (3,).
        nearest_point_1: Point of the first shape that is nearest to the second, in the world, shape (3,), m.
        nearest_point_2: Point of the second shape that is nearest to the first, in the world, shape (3,), m.
    """

    min_distance: float
    normal: Array
    nearest_point_1: Array
    nearest_point_2: Array


class GeometryData(Proximity):
    """Distances between the pairs of a geometry model, for one caller.

    The shapes and pairs are those that the model has now; where they are moved with each step.

    Attributes:
        geometry_model: The shapes.
        hull: Whether meshes are taken for their convex hulls.
    """

    def __init__(self, geometry_model: GeometryModel, *, hull: bool = True) -> None:
        """Make shapes ready to be measured.

        Args:
            geometry_model: The shapes and their pairs; files of meshes are read once.
            hull: Take the convex hull of each mesh, as is usual: distances are then quick, smooth enough to be
                steered by, and at most the true ones. Otherwise its triangles count, which is slow, and how deep
                meshes are in each other is not well defined.

        Raises:
            MissingExtra: If `coal` is not installed.
            ModelFileError: If a mesh cannot be read.
            UnknownGeometry: If a pair is of shapes that there are not.

        Warns:
            ModelFileWarning: If meshes were not found when the shapes were built.
        """
        self.geometry_model = geometry_model
        self.hull = hull
        self._list = geometry_model.collision_pairs
        self._shapes = shapes = list(geometry_model.geometry_objects)
        for pair in self._list:
            for shape in pair:
                if not 0 <= shape < len(shapes):
                    raise UnknownGeometry(shape, len(shapes))
        if missing := geometry_model.missing_meshes:
            warn_about_file(
                f"{len(missing)} meshes were not found and keep no distance, the first of them {missing[0]!r}; "
                "give the folders of their packages where the shapes are built"
            )
        super().__init__(
            [solid(shape, hull=hull) for shape in shapes],
            [shape.parent_joint for shape in shapes],
            [shape.placement for shape in shapes],
            geometry_model.collision_pairs,
        )

    @property
    def distance_results(self) -> list[DistanceResult]:
        """What is measured between each pair, in their order; Pinocchio's `distanceResults`."""
        distance, normal, point = self.measure_all()
        return [DistanceResult(d, n, p, p + d * n) for d, n, p in zip(distance.tolist(), normal, point, strict=True)]

    def fits(self, geometry_model: GeometryModel) -> bool:
        """Whether this data is for a model with the shapes that it has now, and its list of pairs as long as it is."""
        return (
            geometry_model is self.geometry_model
            and geometry_model.collision_pairs is self._list
            and len(self._list) == self.npairs
            and geometry_model.geometry_objects == self._shapes
        )

    def copy(self) -> GeometryData:
        """Data for the same shapes that may be somewhere else."""
        return GeometryData(self.geometry_model, hull=self.hull)

    def __copy__(self) -> GeometryData:
        return self.copy()

    def __deepcopy__(self, memo: object) -> GeometryData:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _anew, (self.geometry_model, self.hull)

    def __repr__(self) -> str:
        return f"GeometryData({self.geometry_model!r})"


def _anew(geometry_model: GeometryModel, hull: bool) -> GeometryData:
    return GeometryData(geometry_model, hull=hull)
