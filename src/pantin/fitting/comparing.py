"""Results compared to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.fitting.fields import FIELDS
from pantin.fitting.jsonable import encoded
from pantin.fitting.result import FitResult

__all__ = ["same"]


def same(one: FitResult, other: FitResult) -> bool:
    """True if two results say the same to the last bit; see `FitResult.equals`."""
    if not isinstance(other, FitResult) or _origin(one) != _origin(other):
        return False
    facts = (one.joins, one.infinite, dict(one.provenance)) == (other.joins, other.infinite, dict(other.provenance))
    return facts and all(map(_same_bits, _arrays(one), _arrays(other)))


def _origin(result: FitResult) -> tuple[object, object, object]:
    """Plan, options and sources in a form that can be compared."""
    return result.plan.to_dict(), encoded(result.options), result.source


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
