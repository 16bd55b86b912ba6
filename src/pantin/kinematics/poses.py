"""What stands for a rotation or a pose, wherever one is asked for."""

from __future__ import annotations

import numpy.typing as npt

from pantin._core import SE3
from pantin.arrays import Array, array, rotation, rotation_and_translation, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.so3 import named_quaternion

__all__ = ["as_rotation", "as_se3"]


def as_rotation(name: str, value: npt.ArrayLike) -> Array:
    """Rotation matrix from a matrix (3, 3) or a quaternion (x, y, z, w).

    Args:
        name: Name of the argument, for the message.
        value: What stands for a rotation.

    Raises:
        InvalidArgument: If the value is neither.
    """
    given = array(name, value)
    return named_quaternion(name, given) if given.shape == (4,) else rotation(name, given)


def as_se3(name: str, value: object) -> SE3:
    """Transform from what stands for one.

    Args:
        name: Name of the argument, for the message.
        value: An `SE3`, a `pinocchio.SE3`, a homogeneous matrix (4, 4), or a pair (translation, quaternion xyzw).

    Returns:
        The transform; the same object where it is an `SE3` already.

    Raises:
        InvalidArgument: If the value is none of these, or its rotation is not one.
    """
    if isinstance(value, SE3):
        return value
    rotation, translation = getattr(value, "rotation", None), getattr(value, "translation", None)
    if rotation is not None and translation is not None:
        return SE3(rotation, translation)
    if isinstance(value, tuple | list) and len(value) == 2:
        return SE3(as_rotation(f"{name}[1]", value[1]), vector(f"{name}[0]", value[0], 3))
    matrix = array(name, value)  # type: ignore[arg-type]  # whatever came is checked there
    if matrix.shape != (4, 4):
        raise InvalidArgument(name, f"expected an SE3, a 4x4 matrix or a pair (xyz, xyzw), got shape {matrix.shape}")
    return SE3(*rotation_and_translation(matrix, name))
