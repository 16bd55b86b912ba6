"""Whole turns: which of the angles that mean the same lie within limits."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument

__all__ = ["opened", "turned_within"]

#: Limits of angles beyond this, in radians, count as none.
UNLIMITED = 1e6

#: An angle this far outside its limits, in radians, is at the limit, and is put there.
LIMIT_SLACK = 1e-10

#: Most configurations that whole turns may make of one target.
MOST_VARIANTS = 100_000


def opened(low: Array, high: Array) -> tuple[Array, Array]:
    """Limits of angles, rad, infinite where they are so wide that they count as none."""
    return np.where(low < -UNLIMITED, -np.inf, low), np.where(high > UNLIMITED, np.inf, high)


def turned_within(
    angles: Array, near: Array, low: Array, high: Array, whole_turns: bool
) -> tuple[Array, npt.NDArray[np.intp]]:
    """Angles shifted by whole turns into limits; rows that cannot be are left out.

    Args:
        angles: Rows of angles, shape (n, k), rad.
        near: Angles that shifts bring the rows next to, shape (k,), rad.
        low: Lower limits, infinite where there are none, shape (k,), rad.
        high: Upper limits, likewise.
        whole_turns: Give each row in every number of whole turns within limits. Angles without limits have one.

    Returns:
        Angles within limits, shape (m, k), and for each row the number of the row it was.

    Raises:
        InvalidArgument: If there are more than 100,000 variants.
    """
    turn = 2.0 * np.pi
    first = np.ceil((low - LIMIT_SLACK - angles) / turn)
    last = np.floor((high + LIMIT_SLACK - angles) / turn)
    rows: npt.NDArray[np.intp] = np.flatnonzero((first <= last).all(axis=1))
    angles, first, last = angles[rows], first[rows], last[rows]
    nearest = np.clip(np.round((near - angles) / turn), first, last)
    if not whole_turns:
        return np.clip(angles + turn * nearest, low, high), rows
    unlimited = ~np.isfinite(low) | ~np.isfinite(high)
    first, last = np.where(unlimited, nearest, first), np.where(unlimited, nearest, last)
    variants = float(np.prod(last - first + 1.0, axis=1).sum())
    if variants > MOST_VARIANTS:
        raise InvalidArgument(
            "whole_turns", f"the limits allow {variants:.3g} variants (at most {MOST_VARIANTS}); tighten them"
        )
    every = [
        np.array(list(itertools.product(*(np.arange(a, b + 1.0) for a, b in zip(least, most, strict=True)))))
        for least, most in zip(first, last, strict=True)
    ]
    counts = [len(turns) for turns in every]
    turns = np.concatenate(every) if every else np.zeros((0, angles.shape[1]))
    return np.clip(np.repeat(angles, counts, axis=0) + turn * turns, low, high), np.repeat(rows, counts)
