"""What a closer look at an answer tells: the parts of its error, and how near it is to singular."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.kinematics.batch import log3
from pantin.reaching.moving import moving_of, placement
from pantin.reaching.remaining import pose_of_shaft

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["ReachResidual", "error_parts", "rows", "singular_values"]


class ReachResidual(NamedTuple):
    """What is missing at an answer, along the axes of the root (of the frame itself with `mask_frame="tool"`).

    The vector (x, y, z) leads from the frame to the target, and (rx, ry, rz) is the rotation vector that turns the
    frame, or the tool's axis, as the mode asks. What a mode leaves free is 0.

    Attributes:
        x: Distance that is missing along x, m.
        y: Along y, m.
        z: Along z, m.
        rx: Part of the rotation vector along x, rad.
        ry: Along y, rad.
        rz: Along z, rad.
    """

    x: float
    y: float
    z: float
    rx: float
    ry: float
    rz: float


def error_parts(solver: ReachSolver, q: Array, target: Array) -> ReachResidual:
    """Parts of what is missing at a configuration.

    Args:
        solver: The solver whose question it is.
        q: Configuration, shape (nq,).
        target: Twelve numbers, rotation by rows and position, as the solver's doors read them.
    """
    p, R = placement(solver, q)
    wanted, aimed = target[9:], target[:9].reshape(3, 3)
    tool = solver._tool
    z = R @ tool[:, 2]
    distance, turn = wanted - p, np.zeros(3)
    match solver.mode:
        case "axis":
            turn = _turn(z, aimed @ tool[:, 2], R @ tool[:, 0])
        case "direction":
            distance, turn = np.zeros(3), _turn(z, wanted, R @ tool[:, 0])
        case "pointing":
            distance, turn = np.zeros(3), _turn(z, wanted - p, R @ tool[:, 0])
        case "rcm":
            shaft = wanted - solver._pivot
            if solver.question.get("roll"):
                turn = log3(pose_of_shaft(shaft, aimed @ tool[:, 0]) @ (R @ tool).T)
            else:
                turn = _turn(z, shaft, R @ tool[:, 0])
        case _:
            turn = log3(aimed @ R.T)
            if solver._in_tool:
                distance, turn = R.T @ distance, R.T @ turn
            counts = solver._weights != 0.0
            distance, turn = np.where(counts[:3], distance, 0.0), np.where(counts[3:], turn, 0.0)
    return ReachResidual(*map(float, distance), *map(float, turn))


def rows(solver: ReachSolver, q: Array, target: Array) -> Array:
    """Jacobians of what a mode asks for, lengths in metres and angles in radians.

    A pose has six rows, of which those of free components are left out; a position or an orientation three; "axis"
    and "rcm" three for the position and two for the turn of the tool's axis, six with a roll; "direction" and
    "pointing" the latter two. Weights do not count.

    Args:
        solver: The solver whose question it is.
        q: Configurations, shape (..., nq).
        target: Twelve numbers, as in `error_parts`.

    Returns:
        Jacobians, shape (..., rows, k), with a column for each velocity that the solver may use.
    """
    J = moving_of(solver).twists(q)
    if solver.mode in ("pose", "position", "orientation") and not solver._in_tool:
        return J[..., solver._weights != 0.0, :]
    linear, angular = J[..., :3, :], J[..., 3:, :]
    p, R = placement(solver, q)
    tool = R @ solver._tool
    aside = np.swapaxes(tool[..., :2], -1, -2)
    match solver.mode:
        case "axis":
            return np.concatenate([linear, aside @ angular], axis=-2)
        case "rcm":
            return J if solver.question.get("roll") else np.concatenate([linear, aside @ angular], axis=-2)
        case "direction":
            return np.asarray(aside @ angular)
        case "pointing":
            # The wanted direction turns, too, when the frame moves aside.
            away = target[9:] - p
            distance = np.maximum(np.linalg.norm(away, axis=-1), 1e-9)[..., None, None]
            return np.asarray(aside @ (angular + np.cross(tool[..., 2, None], linear, axis=-2) / distance))
    into = np.swapaxes(R, -1, -2)
    return np.concatenate([into @ linear, into @ angular], axis=-2)[..., solver._weights != 0.0, :]


def singular_values(solver: ReachSolver, q: Array, target: Array) -> Array:
    """Singular values of these Jacobians, largest first, shape (..., min(rows, k))."""
    return np.asarray(np.linalg.svd(rows(solver, q, target), compute_uv=False))


def _turn(start: Array, end: Array, aside: Array) -> Array:
    """Rotation vector from one direction to another; of half a turn about `aside`."""
    normal = np.cross(start, end)
    sine, cosine = float(np.linalg.norm(normal)), float(start @ end)
    if sine == 0.0:
        return aside * (np.pi if cosine < 0.0 else 0.0)
    rotation: Array = normal * (np.arctan2(sine, cosine) / sine)
    return rotation
