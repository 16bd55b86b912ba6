"""Spatial inertia of a body."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt

from pantin._core import SE3
from pantin.arrays import Array, array, scalar, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.parts import Part
from pantin.kinematics.poses import as_se3

__all__ = ["Inertia"]


class Inertia(Part):
    """Mass, centre of mass and rotational inertia about it.

    Parts may be assigned, also on a body of a model; the arrays themselves are read-only.

    Attributes:
        mass: Mass, kg.
        lever: Centre of mass in the body frame, shape (3,), m.
        inertia: Rotational inertia about the centre of mass, in the axes of the body frame, shape (3, 3), kg m^2.
    """

    __slots__ = _PARTS = ("inertia", "lever", "mass")

    mass: float
    lever: Array
    inertia: Array

    def __init__(
        self,
        mass: float = 0.0,
        lever: npt.ArrayLike | None = None,
        inertia: npt.ArrayLike | None = None,
    ) -> None:
        """Inertia from its parts, zero where they are not given.

        Raises:
            InvalidArgument: If the mass is negative, or a part has the wrong shape, is not finite or not symmetric.
        """
        self.mass = mass
        self.lever = np.zeros(3) if lever is None else lever  # type: ignore[assignment]  # checked when assigned
        self.inertia = np.zeros((3, 3)) if inertia is None else inertia  # type: ignore[assignment]

    def _checked(self, name: str, value: object) -> object:
        if name == "mass":
            return scalar("mass", value, lower=0.0)
        if name == "lever":
            return frozen(vector("lever", value, 3))  # type: ignore[arg-type]  # whatever came is checked there
        return frozen(symmetric("inertia", value))

    @classmethod
    def Zero(cls) -> Self:
        """Inertia of nothing."""
        return cls()

    @classmethod
    def FromBox(cls, mass: float, x: float, y: float, z: float) -> Self:
        """Inertia of a uniform box about its centre.

        Args:
            mass: Mass, kg.
            x: Edge along x, m.
            y: Edge along y, m.
            z: Edge along z, m.

        Raises:
            InvalidArgument: If the mass or an edge is negative or not finite.
        """
        mass = scalar("mass", mass, lower=0.0)
        x, y, z = (scalar(name, edge, lower=0.0) for name, edge in (("x", x), ("y", y), ("z", z)))
        squares = np.array([y * y + z * z, x * x + z * z, x * x + y * y])
        return cls(mass, np.zeros(3), np.diag(mass / 12.0 * squares))

    def displaced(self, placement: SE3) -> Inertia:
        """This inertia in another frame.

        Args:
            placement: Pose of the body frame in the new frame.
        """
        pose = as_se3("placement", placement)
        rotated = pose.rotation @ self.inertia @ pose.rotation.T
        return Inertia(self.mass, pose.act(self.lever), 0.5 * (rotated + rotated.T))

    def about(self, point: npt.ArrayLike) -> Array:
        """Rotational inertia about a point of the body frame, shape (3, 3), kg m^2 (Huygens-Steiner)."""
        arm = self.lever - vector("point", point, 3)
        return self.inertia + self.mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm))

    def __add__(self, other: Inertia) -> Inertia:
        """Inertia of two bodies in the same frame, held together."""
        if not isinstance(other, Inertia):
            return NotImplemented
        mass = self.mass + other.mass
        if mass <= 0.0:
            return Inertia(0.0, None, self.inertia + other.inertia)
        lever = (self.mass * self.lever + other.mass * other.lever) / mass
        return Inertia(mass, lever, self.about(lever) + other.about(lever))

    def __repr__(self) -> str:
        """Mass, centre of mass and rotational inertia, readable."""
        return f"Inertia(mass={self.mass:g}, lever={self.lever}, inertia=\n{self.inertia})"


def frozen(values: Array) -> Array:
    """Read-only copy."""
    copy = values.copy()
    copy.setflags(write=False)
    return copy


def symmetric(name: str, value: object) -> Array:
    """Symmetric matrix, shape (3, 3).

    Raises:
        InvalidArgument: If the value is not one.
    """
    matrix = array(name, value)  # type: ignore[arg-type]  # whatever came is checked there
    if matrix.shape != (3, 3):
        raise InvalidArgument(name, f"expected a 3x3 matrix, got shape {matrix.shape}")
    if np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max():
        raise InvalidArgument(name, "expected a symmetric matrix")
    return matrix
