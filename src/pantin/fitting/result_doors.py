"""The door of `FitResult`: each array is given its kind of numbers, and its shape is checked."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pantin.errors import InvalidArgument
from pantin.fitting.fields import FIELDS, Field

if TYPE_CHECKING:
    from pantin.fitting.result import FitResult

__all__ = ["checked"]

#: Values of arrays that need not be given.
DEFAULTS: Mapping[str, object] = {"restarted": False, "behind_camera": 0, "interpolated": False, "scales": np.nan}


def checked(result: FitResult) -> dict[str, Any]:
    """The arrays of a result as it holds them, by name; plain numbers where a single frame has one.

    Raises:
        InvalidArgument: If an array does not have its shape.
    """
    source = tuple(result.source) if isinstance(result.source, (list, tuple)) else (result.source,)
    frames = np.shape(result.root_pos)[:-1]
    if len(frames) > 1:
        raise InvalidArgument("root_pos", f"expected shape (frames, 3) or (3,), got {np.shape(result.root_pos)}")
    sizes = {"space": 3, "quaternion": 4, "dof": result.plan.n_dofs, "source": len(source)}
    values: dict[str, Any] = {"source": source}
    for field in FIELDS:
        given = getattr(result, field.name)
        shape = (*frames, *(sizes[axis] for axis in field.axes))
        values[field.name] = _array(DEFAULTS[field.name] if given is None else given, field, shape)
    shapes = [(*frames, len(one.labels(result.plan))) for one in source]
    values["residuals"] = _per_source("residuals", result.residuals, np.float64, shapes)
    values["outliers"] = _per_source("outliers", result.outliers, np.bool_, shapes)
    if result.time is not None:
        values["time"] = _array(result.time, Field("time", np.float64), frames)
    return values


def _array(value: object, field: Field, shape: tuple[int, ...]) -> Any:
    """An array of a field's kind and shape; what need not be told of each frame is repeated."""
    array = np.asarray(value, dtype=field.dtype)
    if field.name in DEFAULTS and array.ndim < len(shape):
        with contextlib.suppress(ValueError):
            array = np.broadcast_to(array, shape)
    if array.shape != shape:
        raise InvalidArgument(field.name, f"expected shape {shape}, got {array.shape}")
    return array[()]


def _per_source(
    name: str, values: Any, dtype: npt.DTypeLike, shapes: list[tuple[int, ...]]
) -> tuple[npt.NDArray[Any], ...]:
    """The arrays of all sources."""
    if len(values) != len(shapes):
        raise InvalidArgument(name, f"expected {len(shapes)} arrays, one a source, got {len(values)}")
    return tuple(_array(value, Field(name, dtype), shape) for value, shape in zip(values, shapes, strict=True))
