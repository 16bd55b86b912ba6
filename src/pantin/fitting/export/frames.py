"""What all exports ask of a result first: frames in a row, their times, and lengths in a unit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pantin.arrays import Array, scalar
from pantin.errors import InvalidArgument
from pantin.fitting.recordings.units import METRES, as_unit, unit_factor
from pantin.fitting.result import FitResult
from pantin.fitting.state import State

__all__ = ["Frames", "check_names", "frames_of", "in_unit"]


class Frames(NamedTuple):
    """Poses with their times.

    Attributes:
        state: The poses, T of them.
        time: Times, s, shape (T,).
        rate: Frames per second.
    """

    state: State
    time: Array
    rate: float


def frames_of(result: FitResult, rate: float | None) -> Frames:
    """The frames of a result; a single frame counts as one, and has the time zero unless it has another.

    Args:
        result: The result.
        rate: Frames per second, for a result without times.

    Raises:
        InvalidArgument: If neither result nor argument tells when the frames were, or both do.
    """
    state = State(*(np.atleast_2d(part) for part in result.state))
    count = len(state.dofs)
    if result.time is not None and rate is not None:
        raise InvalidArgument("rate", "the result has times of its own; leave the rate out")
    if result.time is None and rate is None and count > 1:
        raise InvalidArgument("rate", "the result has no times; give the frames per second, such as rate=100")
    if rate is not None:
        rate = scalar("rate", rate, lower=1e-9, upper=1e9)
        return Frames(state, np.arange(count) / rate, rate)
    time = np.zeros(count) if result.time is None else np.atleast_1d(result.time)
    duration = float(time[-1] - time[0]) if count > 1 else 0.0
    return Frames(state, time, (count - 1) / duration if duration > 0 else 1.0)


def in_unit(result: FitResult, unit: str | None) -> tuple[str, float]:
    """The unit that lengths are written in, and what those of the result are multiplied by.

    Args:
        result: The result.
        unit: The unit that is wanted; that of the plan by default.

    Raises:
        InvalidArgument: If neither plan nor argument tells a unit, or it is no unit of length.
    """
    own, wanted = result.plan.length_unit, as_unit("unit", unit)
    if wanted is not None and wanted not in METRES:
        raise InvalidArgument("unit", f"expected a unit of length, got {unit!r}")
    if wanted is None and own is None:
        raise InvalidArgument("unit", "the plan does not tell its unit of length; give it, such as unit='mm'")
    wanted = wanted or own or ""
    return wanted, 1.0 if own is None else unit_factor(own, wanted)


def check_names(names: tuple[str, ...], form: str) -> None:
    """Refuse names that would break the columns of a file.

    Raises:
        InvalidArgument: If a name has a tab or a line end in it.
    """
    for name in names:
        if any(letter in name for letter in "\t\r\n"):
            raise InvalidArgument("path", f"{form} files cannot have a tab or line end in a name, as {name!r} has")
