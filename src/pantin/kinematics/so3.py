"""Conversions between representations of rotations.

Quaternions are `(x, y, z, w)`, as in configuration vectors; `quaternion_wxyz` alone puts the scalar first,
as its name says.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin._core import exp3
from pantin.arrays import Array, rotation, scalar, vector
from pantin.errors import InvalidArgument

__all__ = [
    "Jexp3",
    "Jlog3",
    "exp3",
    "log3",
    "matrix_to_quaternion",
    "matrix_to_rpy",
    "quaternion_to_matrix",
    "quaternion_wxyz",
    "rpy_to_matrix",
    "skew",
]

Side = Literal["right", "left"]


def log3(R: npt.ArrayLike) -> Array:
    """Rotation vector of a rotation matrix.

    Accurate at every angle; at exactly half a turn the first non-zero component of the axis is positive.

    Args:
        R: Rotation matrix, shape (3, 3).

    Returns:
        Rotation vector, shape (3,): axis times angle in [0, pi], rad.

    Raises:
        InvalidArgument: If `R` is not a rotation.
    """
    return _core._log3(rotation("R", R)).reshape(3)


def Jexp3(w: npt.ArrayLike, side: Side = "right") -> Array:
    """Jacobian of `exp3`: exp3(w + d) = exp3(w) exp3(Jexp3(w) d) to first order.

    Sola, Deray, Atchuthan 2018, eq. 143 (right) and 145 (left).

    Args:
        w: Rotation vector, shape (3,), rad.
        side: "right" as above; "left" for exp3(w + d) = exp3(J d) exp3(w).

    Returns:
        Jacobian, shape (3, 3).

    Raises:
        InvalidArgument: If `w` is not three finite numbers, or the side is unknown.
    """
    return _core._Jexp3(side_sign(side) * vector("w", w, 3)).reshape(3, 3)


def Jlog3(R: npt.ArrayLike, side: Side = "right") -> Array:
    """Jacobian of `log3`, the inverse of `Jexp3` at log3(R).

    Sola, Deray, Atchuthan 2018, eq. 144 (right) and 146 (left).

    Args:
        R: Rotation matrix, shape (3, 3).
        side: "right" for log3(R exp3(d)), "left" for log3(exp3(d) R).

    Returns:
        Jacobian, shape (3, 3).

    Raises:
        InvalidArgument: If `R` is not a rotation, or the side is unknown.
    """
    jacobian = _core._Jlog3(rotation("R", R)).reshape(3, 3)
    return jacobian if side_sign(side) > 0 else jacobian.T


def skew(v: npt.ArrayLike) -> Array:
    """Matrix S with S u = v x u.

    Args:
        v: Vector, shape (3,).

    Returns:
        Skew-symmetric matrix, shape (3, 3).

    Raises:
        InvalidArgument: If `v` is not three finite numbers.
    """
    x, y, z = vector("v", v, 3)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rpy_to_matrix(roll: float, pitch: float, yaw: float) -> Array:
    """Rotation matrix Rz(yaw) Ry(pitch) Rx(roll), as URDF means it.

    Args:
        roll: Turn about x, rad.
        pitch: Turn about y, rad.
        yaw: Turn about z, rad.

    Returns:
        Rotation matrix, shape (3, 3).

    Raises:
        InvalidArgument: If an angle is not finite.
    """
    roll, pitch, yaw = scalar("roll", roll), scalar("pitch", pitch), scalar("yaw", yaw)
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def matrix_to_rpy(R: npt.ArrayLike) -> Array:
    """Roll, pitch and yaw of a rotation matrix, with pitch in [-pi/2, pi/2].

    Where the pitch is a quarter turn roll and yaw are not unique; roll is then zero.

    Args:
        R: Rotation matrix, shape (3, 3).

    Returns:
        Angles (roll, pitch, yaw), shape (3,), rad.

    Raises:
        InvalidArgument: If `R` is not a rotation.
    """
    m = rotation("R", R)
    cosine = math.hypot(m[0, 0], m[1, 0])
    pitch = math.atan2(-m[2, 0], cosine)
    if cosine > 1e-9:
        return np.array([math.atan2(m[2, 1], m[2, 2]), pitch, math.atan2(m[1, 0], m[0, 0])])
    return np.array([0.0, pitch, math.atan2(-m[0, 1], m[1, 1])])


def quaternion_to_matrix(quat: npt.ArrayLike) -> Array:
    """Rotation matrix of a quaternion.

    Args:
        quat: Quaternion (x, y, z, w), shape (4,), of unit norm to rounding of a few digits.

    Returns:
        Rotation matrix, shape (3, 3).

    Raises:
        InvalidArgument: If `quat` is not four finite numbers, or its norm is farther than 1e-3 from 1.
    """
    return named_quaternion("quat", quat)


def named_quaternion(name: str, quat: npt.ArrayLike) -> Array:
    """Rotation matrix of a quaternion; errors name the argument."""
    q = vector(name, quat, 4)
    norm = float(np.linalg.norm(q))
    if abs(norm - 1.0) > 1e-3:
        raise InvalidArgument(name, f"expected a unit quaternion (x, y, z, w), got one of norm {norm:.6g}")
    x, y, z, w = q / norm
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def matrix_to_quaternion(R: npt.ArrayLike) -> Array:
    """Quaternion (x, y, z, w) of a rotation matrix, with w >= 0 (Shepperd 1978).

    Args:
        R: Rotation matrix, shape (3, 3).

    Returns:
        Unit quaternion, shape (4,).

    Raises:
        InvalidArgument: If `R` is not a rotation.
    """
    return _core._quaternion(rotation("R", R)).reshape(4)


def quaternion_wxyz(R: npt.ArrayLike) -> Array:
    """Quaternion (w, x, y, z) of a rotation matrix, with w >= 0.

    Args:
        R: Rotation matrix, shape (3, 3).

    Returns:
        Unit quaternion with the scalar first, shape (4,).

    Raises:
        InvalidArgument: If `R` is not a rotation.
    """
    return np.roll(matrix_to_quaternion(R), 1)


def side_sign(side: str) -> float:
    """+1 for the right side, -1 for the left: a left Jacobian is the right one at the opposite argument."""
    if not isinstance(side, str) or side not in ("right", "left"):
        raise InvalidArgument("side", f"expected 'right' or 'left', got {side!r}")
    return 1.0 if side == "right" else -1.0
