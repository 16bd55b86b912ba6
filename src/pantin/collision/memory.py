"""Witness points that pairs of shapes had before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray

__all__ = ["Memory", "Remembered"]

#: Witness points that are nearer to each other than this, m, are one.
_APART = 5e-3


class Remembered(NamedTuple):
    """Points of pairs that were witnesses before.

    Attributes:
        first: Points of the first shapes, in the world, shape (n, slots, 3), m.
        second: Points of the second shapes, in the world, shape (n, slots, 3), m.
        known: Whether there is such a point that differs from the present one, shape (n, slots).
    """

    first: Array
    second: Array
    known: BoolArray


class Memory:
    """Witness points that move on with their shapes, some for each pair.

    Where flat sides or long edges face each other, the nearest points jump from one end to the other as the shapes turn
    by next to nothing. A step that knows one end alone lowers the other. Points that were nearest before tell of it:
    along the present normal n no two points of convex shapes are nearer than the distance, n . (b - a) >= d, so that
    each such pair of points is a bound of its own that never asks for more than the distance itself would.
    """

    def __init__(self, pairs: int, slots: int) -> None:
        """Memory of so many places for each pair, nothing in them."""
        self._last = np.full((pairs, 2, 3), np.inf)
        self._before = np.full((pairs, slots, 2, 3), np.inf)
        self._next = np.zeros(pairs, dtype=np.int64)

    def recall(
        self,
        pairs: npt.NDArray[np.int64],
        rotation: tuple[Array, Array],
        translation: tuple[Array, Array],
        witnesses: tuple[Array, Array],
    ) -> Remembered:
        """Points that were witnesses of some pairs before, and keep in mind their present ones.

        Args:
            pairs: Which ones, shape (n,).
            rotation: World rotations of their first and their second shapes, shape (n, 3, 3) each.
            translation: World positions of their first and their second shapes, shape (n, 3) each, m.
            witnesses: Their present witness points, in the world, shape (n, 3) each, m.
        """
        frames = np.stack(rotation, axis=1)
        origins = np.stack(translation, axis=1)
        now = np.einsum("npji,npj->npi", frames, np.stack(witnesses, axis=1) - origins)
        self._keep(pairs, now)
        before = self._before[pairs]
        known = np.isfinite(before[:, :, 0, 0])
        known &= _distance(np.where(known[:, :, None, None], before, 0.0), now[:, None]) > _APART
        before = np.where(known[:, :, None, None], before, 0.0)
        world = np.einsum("npij,nspj->nspi", frames, before) + origins[:, None]
        return Remembered(world[:, :, 0], world[:, :, 1], known)

    def _keep(self, pairs: npt.NDArray[np.int64], now: Array) -> None:
        """Put the last witnesses away where the present ones are others, in place of like ones or of the oldest."""
        last = self._last[pairs]
        gone = np.flatnonzero(np.isfinite(last[:, 0, 0]))
        gone = gone[_distance(last[gone], now[gone]) > _APART]
        for row in gone.tolist():
            pair, slots = pairs[row], self._before[pairs[row]]
            filled = np.flatnonzero(np.isfinite(slots[:, 0, 0]))
            like = filled[_distance(slots[filled], last[row][None]) <= _APART]
            if len(like):
                slot = like[0]
            else:
                slot = self._next[pair]
                self._next[pair] = (slot + 1) % len(slots)
            self._before[pair, slot] = last[row]
        self._last[pairs] = now


def _distance(one: Array, other: Array) -> Array:
    """Larger of the distances of two pairs of points, shape (...,), given as (..., 2, 3)."""
    return np.asarray(np.sqrt(((one - other) ** 2).sum(axis=-1)).max(axis=-1))
