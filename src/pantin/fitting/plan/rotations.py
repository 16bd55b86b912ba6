"""Unit quaternions, scalar first, along leading axes."""

from __future__ import annotations

import numpy as np

from pantin.arrays import Array

__all__ = ["cross_matrix", "matrix_of", "normalised", "product", "quaternion_of_vector"]


def matrix_of(quat_wxyz: Array) -> Array:
    """Rotation matrices of unit quaternions.

    Args:
        quat_wxyz: Quaternions, shape (..., 4).

    Returns:
        Matrices, shape (..., 3, 3).
    """
    w, x, y, z = np.moveaxis(quat_wxyz, -1, 0)
    matrix = np.empty((*quat_wxyz.shape[:-1], 3, 3))
    matrix[..., 0, 0] = 1.0 - 2.0 * (y * y + z * z)
    matrix[..., 1, 1] = 1.0 - 2.0 * (x * x + z * z)
    matrix[..., 2, 2] = 1.0 - 2.0 * (x * x + y * y)
    matrix[..., 0, 1], matrix[..., 1, 0] = 2.0 * (x * y - w * z), 2.0 * (x * y + w * z)
    matrix[..., 0, 2], matrix[..., 2, 0] = 2.0 * (x * z + w * y), 2.0 * (x * z - w * y)
    matrix[..., 1, 2], matrix[..., 2, 1] = 2.0 * (y * z - w * x), 2.0 * (y * z + w * x)
    return matrix


def product(left: Array, right: Array) -> Array:
    """Hamilton product of quaternions, the rotation `right` first, shape (..., 4)."""
    w, v = left[..., :1], left[..., 1:]
    w_right, v_right = right[..., :1], right[..., 1:]
    scalar = w * w_right - (v * v_right).sum(axis=-1, keepdims=True)
    return np.concatenate([scalar, w * v_right + w_right * v + np.cross(v, v_right)], axis=-1)


def quaternion_of_vector(rotation_vector: Array) -> Array:
    """Unit quaternions of rotation vectors (axis times angle, rad), shape (..., 3) to (..., 4)."""
    half = 0.5 * np.linalg.norm(rotation_vector, axis=-1, keepdims=True)
    # numpy's sinc is sin(pi x) / (pi x), and 1 at zero
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * rotation_vector], axis=-1)


def normalised(vectors: Array) -> Array:
    """Vectors along the last axis divided by their lengths; those that already have length 1 keep every bit.

    What comes out goes in again unchanged, so that a file written and read again is the same to the bit.
    """
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    few_roundings = 8.0 * np.finfo(np.float64).eps
    return np.where(np.abs(length - 1.0) <= few_roundings, vectors, vectors / length)


def cross_matrix(axis: Array) -> Array:
    """Matrix that takes the cross product with `axis` from the left, shape (3, 3)."""
    x, y, z = axis.tolist()
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
