"""Dynamics of many configurations at once, as `pantin.kinematics.batch` offers it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pantin import _core, arrays
from pantin.arrays import Array
from pantin.kinematics.doors import compiled_tree, raise_no_inertia
from pantin.kinematics.model import Model
from pantin.kinematics.rows import broadcast_rows, configuration_rows, result_rows, thread_count

__all__ = ["aba", "crba", "rnea"]


def rnea(
    model: Model,
    q: npt.ArrayLike,
    v: npt.ArrayLike,
    a: npt.ArrayLike,
    fext: npt.ArrayLike | None = None,
    *,
    out: Array | None = None,
    threads: int = 1,
) -> Array:
    """Joint torques that produce accelerations: M(q) a + C(q, v) v + g(q) - J' fext.

    Recursive Newton-Euler (Luh, Walker, Paul 1980).

    Args:
        model: Robot model; `gravity` and `armature` count.
        q: Configurations, shape (..., nq), m or rad per joint.
        v: Velocities, shape (..., nv), m/s or rad/s.
        a: Accelerations, shape (..., nv), m/s^2 or rad/s^2.
        fext: External forces (linear, angular) on the joints' bodies, in the joint frames about their origins, shape
            (..., njoints, 6), N and N m; entry 0 of each has no effect.
        out: Array to fill, shape (..., nv).
        threads: Threads to use.

    Returns:
        Torques, shape (..., nv), N or N m; leading axes of the arguments are broadcast against each other.

    Raises:
        InvalidArgument: If an array has the wrong shape or kind, is not finite, or q is not normalised.
    """
    return _with_forces(_core._batch_rnea, model, q, v, "a", a, fext, out, threads)[0]


def crba(model: Model, q: npt.ArrayLike, *, out: Array | None = None, threads: int = 1) -> Array:
    """Joint-space inertia matrices M(q), symmetric and full.

    Composite bodies (Walker and Orin 1982).

    Args:
        model: Robot model; `armature` counts.
        q: Configurations, shape (..., nq), m or rad per joint.
        out: Array to fill, shape (..., nv, nv).
        threads: Threads to use.

    Returns:
        Matrices, shape (..., nv, nv).

    Raises:
        InvalidArgument: If an array has the wrong shape or kind, is not finite, or q is not normalised.
    """
    configurations = configuration_rows("q", model, q)
    result = result_rows(configurations.shape[:-1], (model.nv, model.nv), out)
    _core._batch_crba(compiled_tree(model), arrays.apart(configurations, result), result, thread_count(threads))
    return result


def aba(
    model: Model,
    q: npt.ArrayLike,
    v: npt.ArrayLike,
    tau: npt.ArrayLike,
    fext: npt.ArrayLike | None = None,
    *,
    out: Array | None = None,
    threads: int = 1,
) -> Array:
    """Accelerations that torques produce: M(q)^-1 (tau - C(q, v) v - g(q) + J' fext).

    Articulated bodies (Featherstone 1983); with mimic joints, the mass matrix and its L D L' factors.

    Args:
        model: Robot model; `gravity` and `armature` count.
        q: Configurations, shape (..., nq), m or rad per joint.
        v: Velocities, shape (..., nv), m/s or rad/s.
        tau: Joint torques, shape (..., nv), N or N m.
        fext: External forces, shape (..., njoints, 6), as `rnea` takes them.
        out: Array to fill, shape (..., nv).
        threads: Threads to use.

    Returns:
        Accelerations, shape (..., nv), m/s^2 or rad/s^2.

    Raises:
        InvalidModel: If a joint moves no inertia at one of the configurations, so that its acceleration is not
            determined.
        InvalidArgument: If an array has the wrong shape or kind, is not finite, or q is not normalised.
    """
    result, idle = _with_forces(_core._batch_aba, model, q, v, "tau", tau, fext, out, threads)
    if idle is not None and idle >= 0:
        row, entry = divmod(idle, model.nv)
        index = tuple(map(int, np.unravel_index(row, result.shape[:-1])))
        raise_no_inertia(model, entry, f" at configuration {index}" if index else "")
    return result


def _with_forces(
    kernel: Callable[..., int | None],
    model: Model,
    q: npt.ArrayLike,
    v: npt.ArrayLike,
    name: str,
    third: npt.ArrayLike,
    fext: npt.ArrayLike | None,
    out: Array | None,
    threads: int,
) -> tuple[Array, int | None]:
    """A kernel of configurations, velocities, a third vector and forces: the rows it filled, and what it returns."""
    rows = {
        "q": configuration_rows("q", model, q),
        "v": arrays.batch("v", v, model.nv),
        name: arrays.batch(name, third, model.nv),
    }
    if fext is not None:
        forces = arrays.batch("fext", fext, model.njoints, 6)
        rows["fext"] = forces.reshape(*forces.shape[:-2], 6 * model.njoints)
    broadcast = broadcast_rows(**rows)
    result = result_rows(broadcast[0].shape[:-1], (model.nv,), out)
    inputs = [arrays.apart(values, result) for values in broadcast]
    if fext is None:
        inputs.append(None)  # type: ignore[arg-type]  # no forces
    return result, kernel(compiled_tree(model), *inputs, result, thread_count(threads))
