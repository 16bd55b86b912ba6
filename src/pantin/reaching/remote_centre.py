"""The pivot of a remote centre of motion as a tool sees it: how far off the shaft, how deep, and how both move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar, vector
from pantin.kinematics.batch import frame_jacobians, frame_placements
from pantin.kinematics.doors import frame_index
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Model
from pantin.kinematics.rows import configuration_rows
from pantin.reaching.question import tool_rotation

__all__ = ["PivotResidual", "pivot_residual"]


class PivotResidual(NamedTuple):
    """Where a pivot lies on a tool's shaft; arrays with the leading axes of the configurations.

    Attributes:
        residual: Where the pivot lies across the shaft, along the tool's x and y, shape (..., 2), m. Its norm is the
            distance of the pivot from the shaft's line.
        depth: How far the pivot lies behind the tip, shape (...), m.
        jacobian: Derivative of the residual by the velocities, shape (..., 2, nv).
        depth_jacobian: Derivative of the depth by the velocities, shape (..., nv).
    """

    residual: Array
    depth: Array
    jacobian: Array
    depth_jacobian: Array

    def fraction(self, shaft: float) -> Array:
        """Where the pivot lies on a shaft, from 0 at its far end to 1 at the tip, shape (...).

        Args:
            shaft: Length of the shaft behind the tip, m.
        """
        length = scalar("shaft", shaft, lower=np.finfo(float).tiny)
        return np.asarray((length - self.depth) / length)


def pivot_residual(
    model: Model,
    frame: str | int,
    q: npt.ArrayLike,
    pivot: npt.ArrayLike,
    tool_axis: str | npt.ArrayLike = "z",
    root: str | int | None = None,
) -> PivotResidual:
    """Where a pivot lies on the shaft of a tool.

    With the tip's position p, the tool's rotation R and the pivot c, all seen from the root, the tool sees the pivot
    at y = R' (c - p). The residual is (y_x, y_y), the depth -y_z, and their derivatives are rows of
    R' ([c - p]x J_w - J_v), where J_v and J_w are the tip's Jacobian in the root's axes.

    Args:
        model: Robot model.
        frame: Frame of the tip, by name or index.
        q: Configurations, shape (..., nq).
        pivot: Point that the shaft shall pass through, in the root frame, shape (3,), m.
        tool_axis: The shaft's axis in the frame, from its far end to the tip, as in `Question`. Where it is not "z",
            the tool's x and y are some two directions across it.
        root: Frame that the pivot is given in, by name or index; the world by default.

    Raises:
        UnknownFrame: If a frame does not exist.
        InvalidArgument: If q or pivot has the wrong shape or is not finite, or the axis is none.
    """
    configurations = configuration_rows("q", model, q)
    base = 0 if root is None else frame_index(model, root)
    centre, tool = vector("pivot", pivot, 3), tool_rotation(tool_axis)

    # the tip seen from the root, and its velocities, in the world's axes
    tip, seat = (frame_placements(model, index, configurations) for index in (frame, base))
    moved, carried = (
        frame_jacobians(model, index, configurations, ReferenceFrame.LOCAL_WORLD_ALIGNED) for index in (frame, base)
    )
    away = tip[..., :3, 3] - seat[..., :3, 3]
    J_w = moved[..., 3:, :] - carried[..., 3:, :]
    J_v = moved[..., :3, :] - carried[..., :3, :] + _crosses(away, carried[..., 3:, :])

    back = np.swapaxes(tip[..., :3, :3] @ tool, -1, -2)
    way = (seat[..., :3, :3] @ centre) - away
    y = (back @ way[..., None])[..., 0]
    J = back @ (_crosses(way, J_w) - J_v)
    return PivotResidual(y[..., :2], -y[..., 2], J[..., :2, :], -J[..., 2, :])


def _crosses(v: Array, columns: Array) -> Array:
    """Cross products of vectors, shape (..., 3), with columns, shape (..., 3, n)."""
    return np.cross(v[..., :, None], columns, axis=-2)
