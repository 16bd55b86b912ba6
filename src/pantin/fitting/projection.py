"""Matrices of cameras taken apart."""

from __future__ import annotations

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument

__all__ = ["nearest_rotation", "parts_of_projection"]


def nearest_rotation(matrices: Array) -> Array:
    """Rotations that are nearest to matrices in the Frobenius norm (Kabsch 1976), shape (..., 3, 3)."""
    U, _, Vt = np.linalg.svd(matrices)
    U[..., :, -1] *= np.sign(np.linalg.det(U) * np.linalg.det(Vt))[..., None]
    return np.asarray(U @ Vt)


def parts_of_projection(P: Array) -> tuple[Array, Array, Array]:
    """Intrinsic matrix, rotation and translation of a projection K (R | t), known to any scale.

    Args:
        P: Projection, shape (3, 4).

    Returns:
        K, shape (3, 3), upper triangular with positive focal lengths and 1 at its end; R, shape (3, 3); t, shape (3,).

    Raises:
        InvalidArgument: If the left three columns are singular, as those of a parallel projection are.
    """
    M = P[:, :3] / np.linalg.norm(P[2, :3]) if P[2, :3].any() else P[:, :3]
    if abs(np.linalg.det(M)) <= 1e-12 * np.prod(np.linalg.norm(M, axis=1)):
        raise InvalidArgument("matrix", "the projection is singular: it has no centre")
    sign = np.sign(np.linalg.det(M))
    # M = K R is M' flipped = (Q S)' flipped, of the QR decomposition
    Q, S = np.linalg.qr((sign * M)[::-1].T)
    K, R = S.T[::-1, ::-1], Q.T[::-1]
    towards = np.sign(np.diag(K))
    K, R = np.triu(K * towards), towards[:, None] * R
    t = np.linalg.solve(K, sign * P[:, 3] / np.linalg.norm(P[2, :3]))
    return K / K[2, 2], R, t
