"""Results set side by side: put one after the other, or compared to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.errors import InvalidArgument
from pantin.fitting.fields import FIELDS
from pantin.fitting.jsonable import encoded
from pantin.fitting.result import FitResult

__all__ = ["concatenated", "same"]


def concatenated(parts: Sequence[FitResult]) -> FitResult:
    """The frames of several results, one after the other; see `FitResult.concatenate`."""
    parts = list(parts)
    if not parts:
        raise InvalidArgument("parts", "expected results, got none")
    first = parts[0]
    for number, part in enumerate(parts):
        for what, one, other in zip(("plan", "options", "source"), _origin(first), _origin(part), strict=True):
            if one != other:
                raise InvalidArgument("parts", f"part {number} was fitted with another {what} than part 0")
    starts = np.cumsum([0, *(np.atleast_1d(part.cost).size for part in parts)])
    arrays = {field.name: _stacked([getattr(part, field.name) for part in parts], field.axes) for field in FIELDS}
    return FitResult(
        plan=first.plan,
        options=first.options,
        source=first.source,
        **arrays,
        residuals=_stacked_each([part.residuals for part in parts]),
        outliers=_stacked_each([part.outliers for part in parts]),
        time=_times(parts),
        joins=tuple(
            join._replace(frame=int(join.frame + start))
            for part, start in zip(parts, starts[:-1], strict=True)
            for join in part.joins
        ),
        observations=_observations(parts),
        infinite=sum(part.infinite for part in parts),
        provenance=first.provenance,
    )


def same(one: FitResult, other: FitResult) -> bool:
    """True if two results say the same to the last bit; see `FitResult.equals`."""
    if not isinstance(other, FitResult) or _origin(one) != _origin(other):
        return False
    facts = (one.joins, one.infinite, dict(one.provenance)) == (other.joins, other.infinite, dict(other.provenance))
    return facts and all(map(_same_bits, _arrays(one), _arrays(other)))


def _origin(result: FitResult) -> tuple[object, object, object]:
    """Plan, options and sources in a form that can be compared."""
    return result.plan.to_dict(), encoded(result.options), [source.to_dict() for source in result.source]


def _arrays(result: FitResult) -> list[Any]:
    """All numbers of a result, of its times and observations, None for what it does not have."""
    fields = [getattr(result, field.name) for field in FIELDS]
    seen = result.observations
    observed = [None, None] if seen is None else [*seen.positions, *seen.weights]
    return [*fields, *result.residuals, *result.outliers, result.time, *observed]


def _same_bits(one: npt.NDArray[Any] | None, other: npt.NDArray[Any] | None) -> bool:
    """True if two arrays are alike, not-a-number included."""
    if one is None or other is None:
        return one is other
    return np.shape(one) == np.shape(other) and np.array_equal(one, other, equal_nan=True)


def _stacked(arrays: list[Any], axes: tuple[str, ...]) -> npt.NDArray[Any]:
    """Arrays of frames one after the other, a single frame counting as one."""
    return np.concatenate([array if np.ndim(array) > len(axes) else np.asarray(array)[None] for array in arrays])


def _stacked_each(arrays: list[tuple[Any, ...]]) -> tuple[npt.NDArray[Any], ...]:
    return tuple(_stacked(list(each), ("observation",)) for each in zip(*arrays, strict=True))


def _times(parts: list[FitResult]) -> npt.NDArray[np.float64] | None:
    times = [part.time for part in parts]
    if all(time is None for time in times):
        return None
    if any(time is None for time in times):
        raise InvalidArgument("parts", "some parts have times and some have none")
    return _stacked(times, ())


def _observations(parts: list[FitResult]) -> Any:
    """What all parts were fitted to, or None where that of one is not known."""
    seen = [part.observations for part in parts]
    if any(one is None for one in seen):
        return None
    return type(seen[0]).concatenate(seen)
