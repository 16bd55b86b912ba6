"""Shape and value checks at the door: what comes in is a finite float64 array, or an error names it."""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt

from pantin.errors import InvalidArgument

__all__ = [
    "Array",
    "BoolArray",
    "apart",
    "array",
    "batch",
    "count",
    "output",
    "rotation",
    "rotation_and_translation",
    "scalar",
    "vector",
    "weights",
]

Array = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

#: Largest number that is taken where finite ones are asked for: squares of such numbers do not overflow.
LARGEST = 1e150

#: Largest Frobenius distance of R R' from the identity that still counts as a rotation.
ROTATION_TOLERANCE = 1e-3


def array(name: str, value: npt.ArrayLike, *, finite: bool = True) -> Array:
    """Contiguous float64 array of any shape.

    Args:
        name: Name of the argument, for the message.
        value: Anything NumPy reads as real numbers.
        finite: Refuse NaN, infinity, and numbers whose squares overflow.

    Returns:
        C-contiguous, native float64 array; the caller's own memory where it already is one.

    Raises:
        InvalidArgument: If the value is not made of real numbers, or not finite.
    """
    try:
        given = np.asarray(value)
    except ValueError as error:
        raise InvalidArgument(name, f"expected an array of numbers, got a ragged sequence ({error})") from None
    masked = sys.modules.get("numpy.ma")  # slow to import, and not needed before the caller has
    if masked is not None and isinstance(value, masked.MaskedArray) and masked.is_masked(value):
        raise InvalidArgument(name, "some entries are masked; fill or drop them")
    if given.dtype.kind not in "fiu":
        raise InvalidArgument(name, f"expected real numbers, got {_describe(value, given)}")
    result = np.asarray(given, dtype=np.float64, order="C")
    if not result.flags.aligned:
        result = result.copy()
    if finite and result.size and not -LARGEST <= result.min() <= result.max() <= LARGEST:
        where = np.argwhere(~(np.abs(result) <= LARGEST))[0]
        index = f" at index [{', '.join(map(str, where))}]" if result.ndim else ""
        kind = "finite numbers" if not np.isfinite(result[tuple(where)]) else f"numbers up to {LARGEST:g}"
        raise InvalidArgument(name, f"expected {kind}, got {result[tuple(where)]}{index}")
    return result


def vector(name: str, value: npt.ArrayLike, size: int, *, finite: bool = True) -> Array:
    """Contiguous float64 vector with `size` entries; a row or column of that size is welcome.

    Raises:
        InvalidArgument: If the value has another size, is not real, or not finite.
    """
    result = array(name, value, finite=finite)
    if result.ndim > 1 and result.size == max(result.shape) == size:
        result = result.reshape(size)
    if result.shape != (size,):
        raise InvalidArgument(name, f"expected {size} numbers, got shape {result.shape}")
    return result


def batch(name: str, value: npt.ArrayLike, *trailing: int) -> Array:
    """Contiguous float64 array of shape `(..., *trailing)`.

    Raises:
        InvalidArgument: If the trailing axes differ, or the value is not real, or not finite.
    """
    result = array(name, value)
    if result.ndim < len(trailing) or result.shape[result.ndim - len(trailing) :] != trailing:
        expected = ", ".join(["...", *map(str, trailing)])
        raise InvalidArgument(name, f"expected shape ({expected}), got {result.shape}")
    return result


def output(name: str, value: object, shape: tuple[int, ...]) -> Array:
    """Array that a computation may fill: C-ordered, writable, native float64 of exactly this shape.

    Raises:
        InvalidArgument: If it is anything else.
    """
    if not isinstance(value, np.ndarray):
        raise InvalidArgument(name, f"expected a NumPy array to fill, got a {type(value).__name__}")
    if value.shape != shape:
        raise InvalidArgument(name, f"expected shape {shape}, got {value.shape}")
    if value.dtype != np.float64 or not value.dtype.isnative:
        raise InvalidArgument(name, f"expected native float64 numbers, got {value.dtype.str}")
    if not (value.flags.c_contiguous and value.flags.aligned and value.flags.writeable):
        raise InvalidArgument(name, "expected a C-ordered, aligned and writable array")
    return value


def apart(values: Array, out: Array) -> Array:
    """The values, copied if filling `out` would overwrite them while they are read."""
    return values.copy() if np.may_share_memory(values, out) else values


def rotation(name: str, value: npt.ArrayLike) -> Array:
    """Rotation matrix, shape (3, 3), as given.

    Raises:
        InvalidArgument: If the matrix is farther than 1e-3 from orthonormal, or a reflection.
    """
    result = array(name, value)
    if result.shape != (3, 3):
        raise InvalidArgument(name, f"expected a 3x3 rotation matrix, got shape {result.shape}")
    distance = float(np.linalg.norm(result @ result.T - np.eye(3)))
    if distance > ROTATION_TOLERANCE:
        raise InvalidArgument(
            name, f"expected a rotation, got a matrix with |R R' - 1| = {distance:.3g} (at most 1e-3)"
        )
    if np.linalg.det(result) < 0:
        raise InvalidArgument(name, "expected a rotation, got a reflection (its determinant is -1)")
    return result


def rotation_and_translation(value: npt.ArrayLike, name: str = "rotation") -> tuple[Array, Array]:
    """Parts of a rotation matrix (3, 3) or of a homogeneous matrix (4, 4), as `SE3` takes them.

    Raises:
        InvalidArgument: If the value is neither, or its last row is not (0, 0, 0, 1).
    """
    matrix = array(name, value)
    if matrix.shape != (4, 4):
        return rotation(name, matrix), np.zeros(3)
    if np.abs(matrix[3] - (0.0, 0.0, 0.0, 1.0)).max() > 1e-9:
        raise InvalidArgument(name, f"expected a homogeneous matrix with last row (0, 0, 0, 1), got {matrix[3]}")
    return rotation(name, matrix[:3, :3]), matrix[:3, 3].copy()


def scalar(name: str, value: object, *, lower: float = -np.inf, upper: float = np.inf) -> float:
    """Finite number within `[lower, upper]`.

    Raises:
        InvalidArgument: If the value is not one finite number in the range.
    """
    result = array(name, value)  # type: ignore[arg-type]  # whatever comes is checked there
    if result.size != 1:
        raise InvalidArgument(name, f"expected one number, got shape {result.shape}")
    number = float(result.reshape(()))
    if not lower <= number <= upper:
        raise InvalidArgument(name, f"expected a number in [{lower:g}, {upper:g}], got {number:g}")
    return number


def weights(name: str, value: npt.ArrayLike) -> float | Array:
    """One weight for all, or a vector of them; none is negative.

    Returns:
        A float, or a float64 vector: the caller's own memory where it already is one.

    Raises:
        InvalidArgument: If the value is neither, not finite, or negative.
    """
    result = array(name, value)
    if result.ndim == 0:
        return scalar(name, value, lower=0.0)
    if result.ndim > 1:
        raise InvalidArgument(name, f"expected one number or a vector of them, got shape {result.shape}")
    if result.size and result.min() < 0.0:
        raise InvalidArgument(name, f"expected no negative number, got {result.min():g} at index [{result.argmin()}]")
    return result


def count(name: str, value: object, *, lower: int = 0, upper: int = 2**31 - 1) -> int:
    """Whole number within `[lower, upper]`.

    Raises:
        InvalidArgument: If the value is not a whole number in the range.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InvalidArgument(name, f"expected a whole number, got {value!r}")
    if not lower <= int(value) <= upper:
        raise InvalidArgument(name, f"expected a whole number in [{lower}, {upper}], got {value}")
    return int(value)


def _describe(value: object, given: npt.NDArray[np.generic]) -> str:
    """The kind of value that came, in words."""
    if given.ndim == 0 and given.dtype == object:
        return f"a {type(value).__name__}"
    return f"an array of {given.dtype}"
