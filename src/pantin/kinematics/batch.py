"""Kinematics and dynamics of many configurations at once.

Arrays carry any leading axes; results have the same. `out=` takes a C-ordered float64 array to fill, `threads=`
cuts the batch into slices; results do not depend on it. The interpreter lock is released.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pantin import _core, arrays
from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.batch_dynamics import aba, crba, rnea
from pantin.kinematics.doors import compiled_tree, frame_index, reference_frame_index
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Model
from pantin.kinematics.rows import broadcast_rows, configuration_rows, result_rows, thread_count

__all__ = [
    "aba",
    "center_of_mass",
    "crba",
    "difference",
    "exp3",
    "exp6",
    "frame_jacobians",
    "frame_placements",
    "integrate",
    "log3",
    "log6",
    "rnea",
]


def frame_placements(
    model: Model, frame: int | str, q: npt.ArrayLike, *, out: Array | None = None, threads: int = 1
) -> Array:
    """Poses of a frame in the world.

    Args:
        model: Robot model.
        frame: Index or name of the frame.
        q: Configurations, shape (..., nq).
        out: Array to fill, shape (..., 4, 4).
        threads: Threads to use.

    Returns:
        Homogeneous matrices, shape (..., 4, 4).

    Raises:
        UnknownFrame: If there is no such frame.
        InvalidArgument: If q or out has the wrong shape or kind, or q is not finite or not normalised.
    """
    index = frame_index(model, frame)
    configurations = configuration_rows("q", model, q)
    result = result_rows(configurations.shape[:-1], (4, 4), out)
    _core._batch_frame_placements(
        compiled_tree(model), index, arrays.apart(configurations, result), result, thread_count(threads)
    )
    return result


def frame_jacobians(
    model: Model,
    frame: int | str,
    q: npt.ArrayLike,
    reference_frame: ReferenceFrame = ReferenceFrame.LOCAL,
    *,
    out: Array | None = None,
    threads: int = 1,
) -> Array:
    """Jacobians of a frame.

    Args:
        model: Robot model.
        frame: Index or name of the frame.
        q: Configurations, shape (..., nq).
        reference_frame: Frame the twist is expressed in.
        out: Array to fill, shape (..., 6, nv).
        threads: Threads to use.

    Returns:
        Jacobians, shape (..., 6, nv), rows linear then angular.

    Raises:
        UnknownFrame: If there is no such frame.
        InvalidArgument: If q or out has the wrong shape or kind, or q is not finite or not normalised.
    """
    index = frame_index(model, frame)
    configurations = configuration_rows("q", model, q)
    result = result_rows(configurations.shape[:-1], (6, model.nv), out)
    _core._batch_frame_jacobians(
        compiled_tree(model),
        index,
        reference_frame_index(reference_frame),
        arrays.apart(configurations, result),
        result,
        thread_count(threads),
    )
    return result


def center_of_mass(model: Model, q: npt.ArrayLike, *, out: Array | None = None, threads: int = 1) -> Array:
    """Centres of mass in the world.

    Args:
        model: Robot model.
        q: Configurations, shape (..., nq).
        out: Array to fill, shape (..., 3).
        threads: Threads to use.

    Returns:
        Positions, shape (..., 3), m.

    Raises:
        InvalidArgument: If q or out has the wrong shape or kind, or q is not finite or not normalised.
    """
    configurations = configuration_rows("q", model, q)
    result = result_rows(configurations.shape[:-1], (3,), out)
    _core._batch_center_of_mass(
        compiled_tree(model), arrays.apart(configurations, result), result, thread_count(threads)
    )
    return result


def integrate(
    model: Model,
    q: npt.ArrayLike,
    v: npt.ArrayLike,
    *,
    out: Array | None = None,
    threads: int = 1,
) -> Array:
    """Configurations reached by tangent displacements.

    Args:
        model: Robot model.
        q: Configurations, shape (..., nq).
        v: Displacements, shape (..., nv); leading axes broadcast against those of q.
        out: Array to fill, shape (..., nq).
        threads: Threads to use.

    Returns:
        Configurations, shape (..., nq).

    Raises:
        InvalidArgument: If an array has the wrong shape or kind, is not finite, or q is not normalised.
    """
    start, step = broadcast_rows(q=configuration_rows("q", model, q), v=arrays.batch("v", v, model.nv))
    result = result_rows(start.shape[:-1], (model.nq,), out)
    start, step = arrays.apart(start, result), arrays.apart(step, result)
    _core._batch_integrate(compiled_tree(model), start, step, result, thread_count(threads))
    return result


def difference(
    model: Model,
    q0: npt.ArrayLike,
    q1: npt.ArrayLike,
    *,
    out: Array | None = None,
    threads: int = 1,
) -> Array:
    """Tangent displacements from configurations to others.

    Args:
        model: Robot model.
        q0: Configurations to start from, shape (..., nq).
        q1: Configurations to go to, shape (..., nq); leading axes broadcast against those of q0.
        out: Array to fill, shape (..., nv).
        threads: Threads to use.

    Returns:
        Displacements, shape (..., nv).

    Raises:
        InvalidArgument: If an array has the wrong shape or kind, is not finite or not normalised.
    """
    start, goal = broadcast_rows(q0=configuration_rows("q0", model, q0), q1=configuration_rows("q1", model, q1))
    result = result_rows(start.shape[:-1], (model.nv,), out)
    start, goal = arrays.apart(start, result), arrays.apart(goal, result)
    _core._batch_difference(compiled_tree(model), start, goal, result, thread_count(threads))
    return result


def exp3(w: npt.ArrayLike) -> Array:
    """Rotation matrices, shape (..., 3, 3), of rotation vectors, shape (..., 3), rad."""
    return _mapped(_core._exp3, arrays.batch("w", w, 3), 1, (3, 3))


def log3(R: npt.ArrayLike) -> Array:
    """Rotation vectors, shape (..., 3), rad, of rotation matrices, shape (..., 3, 3)."""
    return _mapped(_core._log3, _rotations("R", arrays.batch("R", R, 3, 3)), 2, (3,))


def exp6(nu: npt.ArrayLike) -> Array:
    """Homogeneous matrices, shape (..., 4, 4), of twists (linear, angular), shape (..., 6)."""
    numbers = _mapped(_core._exp6, arrays.batch("nu", nu, 6), 1, (12,))
    result = np.zeros((*numbers.shape[:-1], 4, 4))
    result[..., :3, :3] = numbers[..., :9].reshape(*numbers.shape[:-1], 3, 3)
    result[..., :3, 3] = numbers[..., 9:]
    result[..., 3, 3] = 1.0
    return result


def log6(M: npt.ArrayLike) -> Array:
    """Twists (linear, angular), shape (..., 6), of homogeneous matrices, shape (..., 4, 4)."""
    poses = arrays.batch("M", M, 4, 4)
    wrong = np.argwhere(np.abs(poses[..., 3, :] - (0.0, 0.0, 0.0, 1.0)).max(axis=-1) > 1e-9)
    if len(wrong):
        raise InvalidArgument("M", f"the matrix at {tuple(map(int, wrong[0]))} has not the last row (0, 0, 0, 1)")
    rotations = _rotations("M", np.ascontiguousarray(poses[..., :3, :3]))
    leading = poses.shape[:-2]
    numbers = np.concatenate([rotations.reshape(*leading, 9), poses[..., :3, 3]], axis=-1)
    return _mapped(_core._log6, numbers, 1, (6,))


def _rotations(name: str, R: Array) -> Array:
    """Rotation matrices, each within 1e-3 of one."""
    gaps = np.linalg.norm(R @ np.swapaxes(R, -1, -2) - np.eye(3), axis=(-2, -1))
    wrong = np.argwhere((gaps > arrays.ROTATION_TOLERANCE) | (np.linalg.det(R) < 0))
    if len(wrong):
        raise InvalidArgument(name, f"the matrix at {tuple(map(int, wrong[0]))} is not a rotation")
    return R


def _mapped(kernel: Callable[[Array], Array], values: Array, axes: int, trailing: tuple[int, ...]) -> Array:
    """Rows through a kernel; the last `axes` axes form a row."""
    leading = values.shape[: values.ndim - axes]
    return kernel(values).reshape(leading + trailing)
