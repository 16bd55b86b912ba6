"""Poses on the command line: read from options, printed in every usual form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pantin.arrays import Array
from pantin.cli._options import numbers
from pantin.cli._output import console, decimals, plain_table, print_table
from pantin.errors import InvalidArgument
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import matrix_to_quaternion, matrix_to_rpy, quaternion_to_matrix, rpy_to_matrix

__all__ = ["pose_facts", "print_pose", "read_rotation"]

#: How far from one the length of a typed quaternion may be: room for two digits.
QUATERNION_LENGTH_TOLERANCE = 0.02


def read_rotation(quaternion: Sequence[str] | None, rpy: Sequence[str] | None) -> Array | None:
    """Rotation matrix, shape (3, 3), that the options of a command describe, or None.

    Args:
        quaternion: Words of a unit quaternion (x, y, z, w), or None.
        rpy: Words of roll, pitch and yaw about fixed x, y and z, in rad, or None.

    Raises:
        InvalidArgument: If both are given, a word is not a finite number, or the quaternion is far from unit length.
    """
    if quaternion is not None and rpy is not None:
        raise InvalidArgument("--rpy", "give either --quaternion or --rpy, not both")
    if rpy is not None:
        return rpy_to_matrix(*numbers("--rpy", rpy).tolist())
    if quaternion is None:
        return None
    values = numbers("--quaternion", quaternion)
    length = float(np.linalg.norm(values))
    if abs(length - 1.0) > QUATERNION_LENGTH_TOLERANCE:
        raise InvalidArgument(
            "--quaternion", f"expected a unit quaternion in the order x y z w, got one of length {length:.4g}"
        )
    return quaternion_to_matrix(values / length)


def pose_facts(pose: SE3) -> dict[str, list[float] | list[list[float]]]:
    """Position (m), quaternion (x, y, z, w), roll-pitch-yaw (rad) and 4x4 matrix of a pose, as lists."""
    return {
        "position": (pose.translation + 0.0).tolist(),
        "quaternion": (matrix_to_quaternion(pose.rotation) + 0.0).tolist(),
        "rpy": (matrix_to_rpy(pose.rotation) + 0.0).tolist(),
        "matrix": (pose.homogeneous + 0.0).tolist(),
    }


def print_pose(frame: str, pose: SE3) -> None:
    """Print a pose as aligned rows: position, quaternion, angles, and the matrix."""
    angles = matrix_to_rpy(pose.rotation)
    rows: list[tuple[str, Array, str]] = [
        ("position", pose.translation, "m"),
        ("quaternion x y z w", matrix_to_quaternion(pose.rotation), ""),
        ("roll pitch yaw", angles, "rad"),
        ("", np.degrees(angles), "deg"),
        ("matrix", pose.homogeneous[0], ""),
        *(("", row, "") for row in pose.homogeneous[1:]),
    ]
    table = plain_table(frame, "", "", "", "", "", right=("",))
    for name, values, unit in rows:
        cells = [decimals(number, 6) for number in values]
        table.add_row(name, *cells, *[""] * (4 - len(cells)), unit)
    print_table(table, console())
