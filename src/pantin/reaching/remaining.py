"""What remains of a question at an answer, by the tree's own kinematics, not by the solver's chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.batch import log3
from pantin.reaching.moving import placement

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["Remaining", "angle_between", "pose_of_shaft", "remaining"]

#: What two ways to an error may differ by, m and rad.
_ROUNDING = 1e-12


class Remaining(NamedTuple):
    """Errors of configurations, arrays of the batch's shape.

    Attributes:
        position: Distance to the target, m; 0 where the mode asks for no position.
        rotation: Angle to the target, rad; 0 where the mode asks for no rotation.
        met: True where the tolerances are met.
    """

    position: Array
    rotation: Array
    met: npt.NDArray[np.bool_]


def remaining(solver: ReachSolver, q: Array, targets: Array) -> Remaining:
    """Errors of configurations.

    Args:
        solver: The solver whose question it is.
        q: Configurations, shape (..., nq).
        targets: Twelve numbers each, as its doors read them, shape (..., 12).
    """
    p, R = placement(solver, q)
    p_target, R_target = targets[..., 9:], targets[..., :9].reshape(*q.shape[:-1], 3, 3)
    along, aimed = R @ solver._tool[:, 2], R_target @ solver._tool[:, 2]
    none = np.zeros(q.shape[:-1])
    options = solver.options
    match solver.mode:
        case "axis":
            position, rotation = _norm(p_target - p), angle_between(along, aimed)
        case "direction":
            position, rotation = none, angle_between(along, p_target)
        case "pointing":
            position, rotation = none, angle_between(along, p_target - p)
        case "rcm":
            pivot = solver._pivot
            position, rotation = _norm(p_target - p), angle_between(along, p_target - pivot)
            aside = _norm(np.cross(pivot - p, along))
            met = np.maximum(position, aside) <= options.position_tolerance + _ROUNDING
            least, most = solver._depths
            depth = _norm(p_target - pivot)
            met &= (least - _ROUNDING <= depth) & (depth <= most + _ROUNDING)
            if solver.question.get("roll"):
                aimed_tool = pose_of_shaft(p_target - pivot, R_target @ solver._tool[:, 0])
                rotation = _norm(log3(aimed_tool @ np.swapaxes(R @ solver._tool, -1, -2)))
                met &= rotation <= options.rotation_tolerance + _ROUNDING
            return Remaining(position, rotation, met)
        case _:
            return _components(solver, p_target - p, log3(R_target @ np.swapaxes(R, -1, -2)), R)
    met = (position <= options.position_tolerance + _ROUNDING) & (rotation <= options.rotation_tolerance + _ROUNDING)
    return Remaining(position, rotation, met)


def _components(solver: ReachSolver, distance: Array, turn: Array, R: Array) -> Remaining:
    """Errors of the components of a pose that count."""
    parts = np.concatenate([distance, turn], axis=-1)
    if solver._in_tool:
        into = np.swapaxes(R, -1, -2)
        parts = np.concatenate([(into @ part[..., None])[..., 0] for part in (distance, turn)], axis=-1)
    parts = parts * (solver._weights != 0.0)
    over = parts / (solver._tolerances + _ROUNDING)
    met = (_norm(over[..., :3]) <= 1.0) & (_norm(over[..., 3:]) <= 1.0)
    return Remaining(_norm(parts[..., :3]), _norm(parts[..., 3:]), met)


def pose_of_shaft(z: Array, x: Array) -> Array:
    """Rotations whose z is along shafts, and whose x is as near to other directions as can be, shape (..., 3, 3).

    Where a shaft has no length its z is the root's, and where the other direction is along it, x is some direction.
    """
    length = _norm(z)[..., None]
    z = np.where(length > 0.0, z / np.maximum(length, np.finfo(float).tiny), (0.0, 0.0, 1.0))
    across = _across(z, x)
    lies_along = _norm(across)[..., None] <= 1e-9
    across = np.where(lies_along, _across(z, np.eye(3)[np.abs(z).argmin(axis=-1)]), across)
    across /= _norm(across)[..., None]
    return np.stack([across, np.cross(z, across), z], axis=-1)


def _across(z: Array, x: Array) -> Array:
    """Directions x made perpendicular to unit vectors z."""
    return np.asarray(x - (x * z).sum(axis=-1, keepdims=True) * z)


def _norm(v: Array) -> Array:
    return np.asarray(np.linalg.norm(v, axis=-1))


def angle_between(a: Array, b: Array) -> Array:
    """Angles between vectors, exact for small and large ones."""
    return np.asarray(np.arctan2(_norm(np.cross(a, b)), (a * b).sum(axis=-1)))
