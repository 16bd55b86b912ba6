"""What curvature tells of a minimum: its inverse where it has one, and the directions where it has none."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pantin.arrays import Array, BoolArray

__all__ = ["Inverse", "invert", "open_directions", "plain_basis"]


#: Curvature below this share of the largest is none; all rank decisions are made by it.
RANK_TOLERANCE = 1e-8

#: Diagonal entries below this share of the largest are rounding, and curvature of theirs none.
ROUNDING = 1e-16


class Inverse(NamedTuple):
    """The inverse of B matrices of curvature, as far as there is one.

    Attributes:
        determined: Their inverse on the directions with curvature, zero on those without and for coordinates that are
            not free, shape (B, D, D).
        undetermined: Projectors on the directions without curvature, coordinates scaled by the root of their own
            curvature, shape (B, D, D).
    """

    determined: Array
    undetermined: Array


def invert(data: Array, prior: Array, free: BoolArray, unit: Array) -> Inverse:
    """Inverse of data + diag(prior) over the free coordinates.

    Coordinates are scaled by the root of their own curvature before ranks are decided, so that neither units nor the
    weight of one limb against another matter. A direction that the prior alone holds, however softly, is determined.

    Args:
        data: Curvature by the data, shape (B, D, D).
        prior: Curvature by the prior, shape (D,).
        free: Coordinates that were free, shape (B, D).
        unit: Size of each coordinate's unit, shape (D,): a change by it is comparable among coordinates.
    """
    matrix = data + np.diag(prior)
    scaled, scale = _normalised(matrix, free, unit)
    inverse, regular = _regular_inverses(scaled)
    undetermined = np.zeros_like(inverse)
    for i in np.flatnonzero(~regular):
        values, vectors = np.linalg.eigh(scaled[i])
        held = (prior / scale[i] ** 2) @ vectors**2
        values = np.maximum(values, held)
        none = (values <= RANK_TOLERANCE) & (held <= 0.5 * values)
        none |= values <= ROUNDING
        kept = vectors[:, ~none]
        inverse[i] = kept / values[~none] @ kept.T
        undetermined[i] = vectors[:, none] @ vectors[:, none].T
    both_free = free[:, :, None] & free[:, None, :]
    per_scale = 1.0 / (scale[:, :, None] * scale[:, None, :])
    return Inverse(np.where(both_free, inverse * per_scale, 0.0), np.where(both_free, undetermined, 0.0))


def open_directions(data: Array, free: BoolArray, unit: Array) -> Array:
    """Directions of the free coordinates without curvature by the data, in units of each coordinate.

    Args:
        data: Curvature by the data, shape (D, D).
        free: Coordinates that were free, shape (D,).
        unit: As for `invert`.

    Returns:
        Orthonormal columns, shape (D, k).
    """
    scaled, scale = _normalised(data[None], free[None], unit)
    values, vectors = np.linalg.eigh(scaled[0])
    vectors = vectors[:, values <= RANK_TOLERANCE] / (scale[0] * unit)[:, None]
    return np.asarray(np.linalg.qr(vectors)[0])


def plain_basis(basis: Array) -> Array:
    """Orthonormal basis of the same space with few coordinates in each vector, the purest first.

    Takes the coordinate that lies nearest to the space, its projection, and goes on with what is orthogonal to it.
    """
    vectors = np.zeros((len(basis), 0))
    projector = basis @ basis.T
    for _ in range(basis.shape[1]):
        nearest = int(np.argmax(np.round(np.diag(projector), 9)))
        vector = projector[:, nearest] / np.linalg.norm(projector[:, nearest])
        vectors = np.column_stack([vectors, np.where(np.abs(vector) < 1e-9, 0.0, vector)])
        projector = projector - np.outer(projector @ vector, vector)
    return vectors


def _normalised(matrix: Array, free: BoolArray, unit: Array) -> tuple[Array, Array]:
    """The matrices with ones on the diagonal (zeros where there is no curvature), and the roots of what was there.

    Coordinates that are not free are left alone: their rows are those of the identity.
    """
    diagonal = np.einsum("bii->bi", matrix)
    comparable = np.where(free, diagonal * unit**2, 0.0)
    curved = comparable > ROUNDING * comparable.max(axis=1, initial=0.0, keepdims=True)
    scale = np.sqrt(np.where(curved, diagonal, 1.0))
    scaled = np.where(curved[:, :, None] & curved[:, None, :], matrix / (scale[:, :, None] * scale[:, None, :]), 0.0)
    np.einsum("bii->bi", scaled)[...] = np.where(free, curved, 1.0)
    return scaled, scale


def _regular_inverses(matrices: Array) -> tuple[Array, BoolArray]:
    """Inverses, and which of them are far enough from singular: a bound on the smallest eigenvalue vouches."""
    inverses, regular = np.zeros_like(matrices), np.einsum("bii->bi", matrices).all(axis=1)
    try:
        inverses[regular] = np.linalg.inv(matrices[regular])
    except np.linalg.LinAlgError:  # one of them has none, and spoils the others
        return inverses, np.zeros_like(regular)
    norms = [np.abs(each).sum(axis=-1).max(axis=-1, initial=0.0) for each in (matrices, inverses)]
    with np.errstate(over="ignore", invalid="ignore"):
        return inverses, regular & (norms[0] * norms[1] < 0.1 / RANK_TOLERANCE)
