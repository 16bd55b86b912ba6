"""Shapes attached to the joints of a model, to be drawn or to be kept from colliding."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, count, vector
from pantin.errors import InvalidArgument, UnknownName
from pantin.kinematics.se3 import SE3, as_se3

__all__ = ["CollisionPair", "GeometryModel", "GeometryObject", "UnknownGeometry"]

#: Number of size parameters of each shape.
_SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2, "mesh": 0}

_DEFAULT_COLOR = (0.7, 0.7, 0.7, 1.0)


class UnknownGeometry(UnknownName):
    """A shape that the geometry model does not have."""

    kind = "geometry object"


class CollisionPair(NamedTuple):
    """Two shapes that must not touch.

    Attributes:
        first: Id of the one.
        second: Id of the other.
    """

    first: int
    second: int


class GeometryObject:
    """One shape, attached to a joint of the model.

    Attributes:
        name: Name of the object, unique in its geometry model.
        parent_joint: Id of the joint it moves with.
        placement: Pose of the shape in the joint's frame.
        shape: One of "box", "sphere", "cylinder", "capsule" and "mesh".
        size: Sizes in m: full extents (3,) of a box, (radius,) of a sphere, (radius, length) of a cylinder
            about z, (radius, length of the straight part) of a capsule about z; empty for a mesh.
        mesh_path: File of the mesh; empty for other shapes.
        mesh_scale: Scale of the mesh along its axes, shape (3,).
        mesh_color: Red, green, blue and opacity, each from 0 to 1, shape (4,); for every shape.
        link: Name of the link that the shape is of; empty where it is of none.
    """

    __slots__ = (
        "link",
        "mesh_color",
        "mesh_path",
        "mesh_scale",
        "name",
        "parent_joint",
        "placement",
        "shape",
        "size",
    )

    def __init__(
        self,
        name: str,
        parent_joint: int,
        placement: SE3,
        shape: str,
        size: npt.ArrayLike | None = None,
        mesh_path: str = "",
        mesh_scale: npt.ArrayLike | None = None,
        mesh_color: npt.ArrayLike | None = None,
        *,
        link: str = "",
    ) -> None:
        """Describe a shape; see the attributes.

        Raises:
            InvalidArgument: If the shape is unknown, its sizes are not what it needs, or a color is out of
                range.
        """
        if not isinstance(shape, str) or shape not in _SIZES:
            raise InvalidArgument("shape", f"expected one of {', '.join(_SIZES)}, got {shape!r}")
        self.name = name
        self.link = link
        self.parent_joint = count("parent_joint", parent_joint)
        self.placement = as_se3("placement", placement).copy()
        self.shape = shape
        self.size: Array = vector("size", () if size is None else size, _SIZES[shape]).copy()
        self.mesh_path = mesh_path
        self.mesh_scale: Array = vector("mesh_scale", np.ones(3) if mesh_scale is None else mesh_scale, 3).copy()
        self.mesh_color: Array = vector("mesh_color", _DEFAULT_COLOR if mesh_color is None else mesh_color, 4).copy()
        if (self.size < 0.0).any():
            raise InvalidArgument("size", f"expected sizes that are not negative, got {self.size.tolist()}")
        if ((self.mesh_color < 0.0) | (self.mesh_color > 1.0)).any():
            raise InvalidArgument("mesh_color", f"expected four numbers from 0 to 1, got {self.mesh_color.tolist()}")

    def __repr__(self) -> str:
        what = self.mesh_path if self.shape == "mesh" else f"size={self.size.tolist()}"
        return f"GeometryObject({self.name!r}, joint {self.parent_joint}, {self.shape} {what})"


class GeometryModel:
    """The shapes of a robot.

    Attributes:
        geometry_objects: The shapes, by id.
        collision_pairs: The pairs of shapes that must not touch.
        missing_meshes: Mesh files that a robot file names and that were not found; they have no object.
    """

    def __init__(self) -> None:
        self.geometry_objects: list[GeometryObject] = []
        self.collision_pairs: list[CollisionPair] = []
        self.missing_meshes: list[str] = []

    @property
    def ngeoms(self) -> int:
        """Number of shapes."""
        return len(self.geometry_objects)

    def add_geometry_object(self, geometry_object: GeometryObject) -> int:
        """Add a shape.

        Returns:
            Its id.

        Raises:
            InvalidArgument: If there is a shape of that name already.
        """
        if self.exist_geometry_name(geometry_object.name):
            raise InvalidArgument("geometry_object", f"there is a shape {geometry_object.name!r} already")
        self.geometry_objects.append(geometry_object)
        return self.ngeoms - 1

    def exist_geometry_name(self, name: str) -> bool:
        """Whether there is a shape of that name."""
        return any(shape.name == name for shape in self.geometry_objects)

    def get_geometry_id(self, name: str) -> int:
        """Id of a shape.

        Raises:
            UnknownGeometry: If there is no shape of that name.
        """
        for number, shape in enumerate(self.geometry_objects):
            if shape.name == name:
                return number
        raise UnknownGeometry(name, [shape.name for shape in self.geometry_objects])

    def add_collision_pair(self, pair: tuple[int, int]) -> None:
        """Keep two shapes apart; nothing changes if they are already.

        Raises:
            InvalidArgument: If the pair is not of two different shapes.
            UnknownGeometry: If there is no such shape.
        """
        first, second = self._pair(pair)
        if not self.exist_collision_pair((first, second)):
            self.collision_pairs.append(CollisionPair(first, second))

    def add_all_collision_pairs(self) -> None:
        """Keep apart all shapes that are not of one joint, in place of the pairs before.

        Neighbours along the tree, whose shapes may touch by design, are among them, as in Pinocchio;
        `pantin.collision.collision_pairs` leaves them out.
        """
        joints = [shape.parent_joint for shape in self.geometry_objects]
        self.collision_pairs = [
            CollisionPair(first, second)
            for first, second in combinations(range(self.ngeoms), 2)
            if joints[first] != joints[second]
        ]

    def exist_collision_pair(self, pair: tuple[int, int]) -> bool:
        """Whether two shapes are kept apart, in either order."""
        first, second = pair
        return (first, second) in self.collision_pairs or (second, first) in self.collision_pairs

    def remove_collision_pair(self, pair: tuple[int, int]) -> None:
        """Let two shapes touch; nothing changes if they may already."""
        alike = set(pair)
        self.collision_pairs = [one for one in self.collision_pairs if set(one) != alike]

    def remove_all_collision_pairs(self) -> None:
        """Let all shapes touch."""
        self.collision_pairs = []

    def _pair(self, pair: tuple[int, int]) -> CollisionPair:
        first, second = (count("pair", shape) for shape in pair)
        for shape in (first, second):
            if shape >= self.ngeoms:
                raise UnknownGeometry(shape, self.ngeoms)
        if first == second:
            raise InvalidArgument("pair", f"expected two different shapes, got {first} twice")
        return CollisionPair(first, second)

    def __repr__(self) -> str:
        pairs = f", {len(self.collision_pairs)} pairs" if self.collision_pairs else ""
        return f"GeometryModel({self.ngeoms} shapes{pairs})"
