"""Rotations as three turns about coordinate axes, in any order."""

from __future__ import annotations

import numpy as np

from pantin.arrays import Array

__all__ = ["AXES", "euler_angles", "turn"]

#: Coordinate axes by letter.
AXES = {"X": 0, "Y": 1, "Z": 2}


def turn(axis: int, angle: Array) -> Array:
    """Unit quaternions (w, x, y, z) of turns about a coordinate axis, shape (..., 4)."""
    half = 0.5 * np.asarray(angle, dtype=np.float64)
    quaternion = np.zeros((*half.shape, 4))
    quaternion[..., 0], quaternion[..., 1 + axis] = np.cos(half), np.sin(half)
    return quaternion


def euler_angles(rotations: Array, order: str) -> Array:
    """Angles a, b, c with R = R_i(a) R_j(b) R_k(c) for an order such as "ZXY" of three different axes.

    The third angle is read off the rotation that the first one leaves, so that the product is R to rounding also
    where b is near a quarter turn and only the sum or difference of a and c counts (Shoemake 1994).

    Args:
        rotations: Rotation matrices, shape (..., 3, 3).
        order: The axes in the order in which their turns are multiplied.

    Returns:
        Angles, shape (..., 3), rad; b in [-pi/2, pi/2], the others in [-pi, pi].
    """
    i, j, k = (AXES[letter] for letter in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # an even or odd order of the axes
    R = np.asarray(rotations, dtype=np.float64)
    first = np.arctan2(-sign * R[..., j, k], R[..., k, k])
    second = np.arctan2(sign * R[..., i, k], np.hypot(R[..., i, i], R[..., i, j]))
    cosine, sine = np.cos(first), sign * np.sin(first)
    third = np.arctan2(cosine * R[..., j, i] + sine * R[..., k, i], cosine * R[..., j, j] + sine * R[..., k, j])
    return np.stack([first, second, sign * third], axis=-1)
