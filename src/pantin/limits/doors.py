"""Checks that limits share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import LARGEST, Array, array, scalar
from pantin.errors import InvalidArgument
from pantin.kinematics.model import Model

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["refuse_bad_bounds", "refuse_nan", "require_same_model", "time_step", "vector_of"]


def vector_of(name: str, values: npt.ArrayLike, size: int) -> Array:
    """Copy of a vector of numbers that may be infinite; one number stands for all.

    Raises:
        InvalidArgument: If it is of another size, or an entry is NaN.
    """
    given = array(name, values, finite=False)
    if given.ndim == 0:
        given = np.full(size, given)
    if given.size != size:
        raise InvalidArgument(name, f"expected {size} numbers, got shape {given.shape}")
    refuse_nan(name, given)
    return given.reshape(size).copy()


def time_step(dt: float) -> float:
    """Time step, s.

    Raises:
        InvalidArgument: If it is negative or not finite.
    """
    return dt if type(dt) is float and 0.0 <= dt <= LARGEST else scalar("dt", dt, lower=0.0)


def refuse_nan(name: str, values: Array) -> None:
    """Refuse NaN.

    Raises:
        InvalidArgument: If an entry is NaN.
    """
    if np.isnan(values).any():
        raise InvalidArgument(name, f"entry {int(np.isnan(values).argmax())} is NaN; use infinity for no limit")


def refuse_bad_bounds(name: str, bounds: Array) -> None:
    """Refuse largest speeds or accelerations that are none.

    Raises:
        InvalidArgument: If an entry is negative or NaN.
    """
    refuse_nan(name, bounds)
    if bounds.min(initial=0.0) < 0.0:
        worst = int(bounds.argmin())
        raise InvalidArgument(name, f"expected no negative number, got {bounds[worst]:g} at index [{worst}]")


def require_same_model(model: Model, configuration: Configuration) -> None:
    """Refuse a configuration of a model of other sizes than the limit's.

    Raises:
        InvalidArgument: If it is one.
    """
    given = configuration.model
    if given is not model and (given.nq, given.nv) != (model.nq, model.nv):
        raise InvalidArgument("configuration", f"it belongs to {given!r}, the limit to {model!r}")
