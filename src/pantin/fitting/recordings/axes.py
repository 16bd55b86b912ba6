"""Axes, unit and origin of a recording, turned into those of a plan."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, scalar, vector
from pantin.errors import InvalidArgument

__all__ = ["align_axes"]


def align_axes(
    positions: npt.ArrayLike,
    axes: str = "xyz",
    *,
    scale: float = 1.0,
    origin: npt.ArrayLike = (0.0, 0.0, 0.0),
    mirror: bool = False,
) -> Array:
    """Positions with other axes, unit and origin.

    Args:
        positions: Shape (..., 3).
        axes: Which axes of the data become x, y and z, each perhaps with a sign: "x-zy" for data with y up and z
            towards the viewer, of which z shall be up.
        scale: What the lengths are multiplied by, such as 0.001 from mm to m.
        origin: The new origin, in the data's own axes and unit.
        mirror: Allow axes that mirror, for data from a left-handed frame.

    Returns:
        New positions, shape (..., 3): `scale * (positions - origin)` along the chosen axes.

    Raises:
        InvalidArgument: If `axes` does not name each axis once, or mirrors unasked.
    """
    given = array("positions", positions, finite=False)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise InvalidArgument("positions", f"expected shape (..., 3), got {given.shape}")
    scale = scalar("scale", scale, lower=1e-12, upper=1e12)
    moved = (given - vector("origin", origin, 3)) * scale
    terms = re.fullmatch(r"\s*([+-]?[xyz])\s*,?\s*([+-]?[xyz])\s*,?\s*([+-]?[xyz])\s*", str(axes).lower())
    chosen = ["xyz".index(term[-1]) for term in terms.groups()] if terms else []
    if terms is None or sorted(chosen) != [0, 1, 2]:
        raise InvalidArgument("axes", f"expected x, y and z once each, such as 'xyz' or 'x-zy', got {axes!r}")
    signs = np.array([-1.0 if term[0] == "-" else 1.0 for term in terms.groups()])
    if np.linalg.det(np.eye(3)[chosen]) * signs.prod() < 0 and not mirror:
        raise InvalidArgument(
            "axes", f"{axes!r} mirrors, so left becomes right; turn a sign, or allow it by mirror=True"
        )
    return np.ascontiguousarray(moved[..., chosen] * signs)
