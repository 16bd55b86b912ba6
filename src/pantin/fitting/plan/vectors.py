"""Kinds of fields made of several numbers: positions, axes, quaternions and limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pantin.fitting.plan.kinds import Number, wrong_type
from pantin.fitting.plan.plain import BROKEN
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.plan.words import named, shown

__all__ = ["Interval", "Vector", "as_axis", "as_quaternion"]

#: A vector shorter than this has no direction.
SHORTEST = 1e-9

#: Departures from length 1 that a unit vector may have, and that a quaternion may have without a warning.
UNIT_TOLERANCE, QUATERNION_TOLERANCE = 1e-6, 1e-3


@dataclass(frozen=True)
class Vector:
    """So many numbers; `finish` looks at them together."""

    size: int
    finish: Callable[[list[float], Report, Path], Any] | None = None

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The numbers, as `finish` leaves them."""
        if not isinstance(value, list):
            return wrong_type(value, report, path, f"a list of {self.size} numbers")
        if len(value) != self.size:
            message = f"{named(path)}: expected {self.size} numbers, got {len(value)}: {shown(value)}"
            report.error("wrong-length", path, message)
            return BROKEN
        numbers = [Number().read(entry, report, (*path, index)) for index, entry in enumerate(value)]
        if any(number is BROKEN for number in numbers):
            return BROKEN
        return self.finish(numbers, report, path) if self.finish else numbers

    def schema(self) -> dict[str, Any]:
        """An array of numbers."""
        return {"type": "array", "items": {"type": "number"}, "minItems": self.size, "maxItems": self.size}


@dataclass(frozen=True)
class Interval:
    """Two numbers in order, or null."""

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The two numbers."""
        return None if value is None else Vector(2, _in_order).read(value, report, path)

    def schema(self) -> dict[str, Any]:
        """An array of two numbers, or null."""
        return {"anyOf": [Vector(2).schema(), {"type": "null"}]}


def unit_vector(numbers: list[float], length: float) -> list[float]:
    """The numbers divided by their length, bit for bit the same where that is 1 already, up to rounding."""
    return numbers if abs(length - 1.0) <= 2e-15 else [number / length + 0.0 for number in numbers]


def as_axis(numbers: list[float], report: Report, path: Path) -> Any:
    """An axis of length 1."""
    length = math.hypot(*numbers)
    if length < SHORTEST:
        report.error("zero-axis", path, f"{named(path)} {shown(numbers)} has no direction", "the axis z is [0, 0, 1]")
        return BROKEN
    if abs(length - 1.0) > UNIT_TOLERANCE:
        report.note(
            "non-unit-axis", path, f"{named(path)} {shown(numbers)} has length {length:.6g}; it is taken with length 1"
        )
    return unit_vector(numbers, length)


def as_quaternion(numbers: list[float], report: Report, path: Path) -> Any:
    """A quaternion of norm 1."""
    norm = math.hypot(*numbers)
    if norm < SHORTEST:
        message = f"{named(path)} {shown(numbers)} is no rotation"
        report.error(
            "zero-quaternion", path, message, "a joint that is not turned has [1, 0, 0, 0]; the scalar stands first"
        )
        return BROKEN
    if abs(norm - 1.0) > UNIT_TOLERANCE:
        tell = report.warning if abs(norm - 1.0) > QUATERNION_TOLERANCE else report.note
        message = f"{named(path)} {shown(numbers)} has norm {norm:.6g}; it is taken with norm 1"
        tell("non-unit-quaternion", path, message)
    return unit_vector(numbers, norm)


def _in_order(numbers: list[float], report: Report, path: Path) -> Any:
    low, high = numbers
    if low > high:
        message = f"limits {shown(numbers)} have the larger number first"
        report.error("limits-reversed", path, message, f"write {shown([high, low])}")
        return BROKEN
    if low == high:
        report.note("locked-dof", path, f"limits {shown(numbers)} are equal, so the DOF is locked there")
    return numbers
