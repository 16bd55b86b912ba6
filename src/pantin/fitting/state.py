"""The pose of a body plan: where its root is, and its degrees of freedom."""

from __future__ import annotations

from typing import NamedTuple

from pantin.arrays import Array

__all__ = ["State"]


class State(NamedTuple):
    """A pose, or many along leading axes.

    Attributes:
        root_pos: Position of the root frame in the world, shape (..., 3), length units.
        root_quat_wxyz: Orientation of the root frame in the world, shape (..., 4), unit quaternions, scalar first.
        dofs: Degrees of freedom in plan order, shape (..., N), rad or length units.
    """

    root_pos: Array
    root_quat_wxyz: Array
    dofs: Array
