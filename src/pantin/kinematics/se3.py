"""Rigid transforms and twists: the classes, and exponential and logarithm with their Jacobians."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin._core import SE3, Motion, exp6, log6
from pantin.arrays import Array, array, rotation_and_translation, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.so3 import Side, as_rotation, side_sign

__all__ = ["SE3", "Jexp6", "Jlog6", "Motion", "as_se3", "exp6", "log6"]


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
    return SE3(*rotation_and_translation(matrix))


def Jexp6(nu: Motion | npt.ArrayLike, side: Side = "right") -> Array:
    """Jacobian of `exp6`: exp6(nu + d) = exp6(nu) exp6(Jexp6(nu) d) to first order.

    Barfoot 2017, eq. 7.85 and 7.86.

    Args:
        nu: Twist (linear, angular), m and rad.
        side: "right" as above; "left" for exp6(nu + d) = exp6(J d) exp6(nu).

    Returns:
        Jacobian, shape (6, 6), rows and columns linear then angular.

    Raises:
        InvalidArgument: If `nu` is not six finite numbers, or the side is unknown.
    """
    numbers = nu.vector if isinstance(nu, Motion) else vector("nu", nu, 6)
    return _core._Jexp6(side_sign(side) * numbers).reshape(6, 6)


def Jlog6(M: SE3, side: Side = "right") -> Array:
    """Jacobian of `log6`, the inverse of `Jexp6` at log6(M).

    Args:
        M: Transform, or what `as_se3` accepts in its place.
        side: "right" for log6(M exp6(d)), "left" for log6(exp6(d) M).

    Returns:
        Jacobian, shape (6, 6), rows and columns linear then angular.

    Raises:
        InvalidArgument: If `M` is not a transform, or the side is unknown.
    """
    pose = as_se3("M", M)
    if side_sign(side) < 0:
        pose = exp6(-log6(pose))
    return _core._Jlog6(np.concatenate([pose.rotation.ravel(), pose.translation])).reshape(6, 6)
