"""What becomes of degrees of freedom while no keypoint shows them, once the whole recording is fitted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pantin.arrays import Array, BoolArray

__all__ = ["interpolate_gaps", "runs"]


def runs(mask: BoolArray) -> Iterator[tuple[int, int]]:
    """First entry and entry behind the last of each run of True, shape (T,)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def interpolate_gaps(dofs: Array, seen: BoolArray, longest: int) -> BoolArray:
    """Fill runs of unseen values between both their edges, in place; returns where.

    The curve through both edges keeps the slopes there, as far as it stays monotone between them (Fritsch and Carlson
    1980, "Monotone piecewise cubic interpolation"), so that it does not leave the limits.

    Args:
        dofs: Values, shape (T, N).
        seen: Whether they rest on data, shape (T, N).
        longest: Longest run that is filled, frames; runs at an end of the recording have one edge and are left.

    Returns:
        True where a value was filled in, shape (T, N).
    """
    filled = np.zeros(seen.shape, dtype=np.bool_)
    for dof in np.flatnonzero(~seen.all(axis=0)):
        values = dofs[:, dof]
        for begin, end in runs(~seen[:, dof]):
            if begin == 0 or end == len(values) or end - begin > longest:
                continue
            before = values[begin - 1] - values[begin - 2] if begin > 1 and seen[begin - 2, dof] else 0.0
            after = values[end + 1] - values[end] if end + 1 < len(values) and seen[end + 1, dof] else 0.0
            values[begin:end] = _monotone(values[begin - 1], values[end], before, after, end - begin + 1)[1:-1]
            filled[begin:end, dof] = True
    return filled


def _monotone(a: float, b: float, slope_a: float, slope_b: float, steps: int) -> Array:
    """Cubic from a to b in equal steps, with slopes per step at both ends as far as it stays monotone."""
    secant = (b - a) / steps
    slopes = [np.clip(slope / secant, 0.0, 3.0) * secant if secant else 0.0 for slope in (slope_a, slope_b)]
    s = np.linspace(0.0, 1.0, steps + 1)
    rise, flat = s * s * (3.0 - 2.0 * s), s * (1.0 - s)
    return np.asarray(a + (b - a) * rise + steps * flat * (slopes[0] * (1.0 - s) - slopes[1] * s))
