"""What the batch functions share: rows of configurations and other vectors in, rows of results out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin import _core, arrays
from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import compiled_tree, require_model
from pantin.kinematics.model import Model

__all__ = ["broadcast_rows", "configuration_rows", "result_rows", "thread_count"]


def configuration_rows(name: str, model: Model, q: npt.ArrayLike) -> Array:
    """Configurations, shape (..., nq), finite and normalised.

    Raises:
        InvalidArgument: If they are not.
    """
    require_model(model)
    configurations = arrays.batch(name, q, model.nq)
    entry = _core._check_units(compiled_tree(model), configurations)
    if entry >= 0:
        row, column = divmod(entry, model.nq)
        index = np.unravel_index(row, configurations.shape[:-1])
        raise InvalidArgument(
            name,
            f"the quaternion or (cos, sin) pair that starts at entry {column} of configuration "
            f"{tuple(map(int, index))} is not of unit norm; scale it with normalize(model, q)",
        )
    return configurations


def broadcast_rows(**named: Array) -> list[Array]:
    """Arrays with the same leading axes; the last axis of each is its own. Those given are C-ordered, and so are these.

    Raises:
        InvalidArgument: If the leading axes of one do not go with those before it.
    """
    leading: tuple[int, ...] = ()
    for name, values in named.items():
        try:
            if values.shape[:-1] != leading:
                leading = np.broadcast_shapes(leading, values.shape[:-1])
        except ValueError:
            before = " and ".join(list(named)[: list(named).index(name)])
            raise InvalidArgument(
                name, f"leading axes {values.shape[:-1]} do not go with those of {before}, {leading}"
            ) from None
    return [
        a if a.shape[:-1] == leading else np.ascontiguousarray(np.broadcast_to(a, leading + a.shape[-1:]))
        for a in named.values()
    ]


def result_rows(leading: tuple[int, ...], trailing: tuple[int, ...], out: Array | None) -> Array:
    """The array given as `out`, checked, or a new one.

    Raises:
        InvalidArgument: If `out` has another shape or kind.
    """
    shape = leading + trailing
    return np.empty(shape) if out is None else arrays.output("out", out, shape)


def thread_count(threads: int) -> int:
    """Number of threads, at least one.

    Raises:
        InvalidArgument: If it is not a whole number from 1 to 1024.
    """
    return arrays.count("threads", threads, lower=1, upper=1024)
