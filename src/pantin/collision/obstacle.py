"""Things in the robot's way."""

from __future__ import annotations

from itertools import count

import numpy.typing as npt

from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.geometry import GeometryObject
from pantin.kinematics.poses import as_se3
from pantin.kinematics.se3 import SE3, Motion

__all__ = ["Obstacle"]

_numbers = count()


class Obstacle(GeometryObject):
    """A shape that is not the robot's: it rests in the world, is moved by whoever sees it, or is held by a frame.

    Its placement and velocity are live: set them anew before each step, or write their numbers in place.

    Attributes:
        frame: Name of the frame that it moves with; "universe" is the world.
        placement: Its pose in that frame.
        velocity: Twist of the shape against the frame, (linear, angular) at the shape's origin in the frame's axes,
            shape (6,), m/s and rad/s. A barrier that knows it gives way in time rather than one step late.
    """

    __slots__ = ("_placement", "_velocity", "frame")

    def __init__(
        self,
        shape: str,
        size: npt.ArrayLike | None = None,
        placement: SE3 | npt.ArrayLike | None = None,
        *,
        frame: str = "universe",
        velocity: Motion | npt.ArrayLike | None = None,
        name: str = "",
        mesh_path: str = "",
        mesh_scale: npt.ArrayLike | None = None,
    ) -> None:
        """Put something in the way.

        Args:
            shape: One of "box", "sphere", "cylinder", "capsule" and "mesh"; see `GeometryObject`.
            size: Its sizes, m: extents (3,) of a box, radius of a sphere, radius and length of the others.
            placement: Its pose in the frame, or what `as_se3` takes for one; copied. At the frame by default.
            frame: Name of the frame that it moves with.
            velocity: Its twist against the frame; zero by default.
            name: What it is called in messages; numbered by default.
            mesh_path: File of a mesh.
            mesh_scale: Scale of the mesh along its axes, shape (3,).

        Raises:
            InvalidArgument: If the shape is unknown, or a number is not what it should be.
        """
        for what, given in (("frame", frame), ("name", name), ("mesh_path", mesh_path)):
            if not isinstance(given, str):
                raise InvalidArgument(what, f"expected a string, got {given!r}")
        size = (size,) if isinstance(size, int | float) else size
        at = SE3.Identity() if placement is None else as_se3("placement", placement)
        super().__init__(name or f"obstacle_{next(_numbers)}", 0, at, shape, size, mesh_path, mesh_scale)
        self.frame = frame
        self.velocity = (0.0,) * 6 if velocity is None else velocity

    @property
    def placement(self) -> SE3:
        """Pose in the frame."""
        return self._placement

    @placement.setter
    def placement(self, value: SE3 | npt.ArrayLike) -> None:
        self._placement: SE3 = as_se3("placement", value).copy()

    @property
    def velocity(self) -> Array:
        """Twist against the frame, shape (6,)."""
        return self._velocity

    @velocity.setter
    def velocity(self, value: Motion | npt.ArrayLike) -> None:
        numbers = value.vector if isinstance(value, Motion) else value
        self._velocity: Array = vector("velocity", numbers, 6).copy()
