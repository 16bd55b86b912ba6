"""Kinds of values that the fields of a body plan take: each reads a value, and writes its JSON Schema."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pantin.arrays import LARGEST
from pantin.fitting.plan.plain import BROKEN
from pantin.fitting.plan.report import Path, Report, shown

__all__ = [
    "Flag",
    "Interval",
    "Kind",
    "Listing",
    "Number",
    "ParentName",
    "Text",
    "Vector",
    "Word",
    "named",
    "unit_vector",
]

#: A vector shorter than this has no direction.
SHORTEST = 1e-9

#: Departures from length 1 that a unit vector may have, and that a quaternion may have without a warning.
UNIT_TOLERANCE, QUATERNION_TOLERANCE = 1e-6, 1e-3


class Kind(Protocol):
    """What a field takes."""

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The value as it is kept, or `BROKEN` after its faults have been told."""
        ...

    def schema(self) -> dict[str, Any]:
        """The kind in JSON Schema."""
        ...


def wrong_type(value: Any, report: Report, path: Path, expected: str, hint: str = "") -> Any:
    """Tell that a value has another type; a value that was told already is passed by."""
    if value is not BROKEN:
        report.error("wrong-type", path, f"{named(path)} is {shown(value)}; expected {expected}", hint)
    return BROKEN


def named(path: Path) -> str:
    """A field by its name, an entry of a list by the list's name and its index."""
    keys = list(path[-1:])
    for key in reversed(path[:-1]):
        if isinstance(keys[0], str):
            break
        keys.insert(0, key)
    return "".join(f"[{key}]" if isinstance(key, int) else key for key in keys) or "the plan"


def is_number(value: Any) -> bool:
    """Whether JSON calls a value a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The flag."""
        return value if isinstance(value, bool) else wrong_type(value, report, path, "true or false")

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Text:
    """A text that is not empty."""

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The text."""
        if not isinstance(value, str):
            return wrong_type(value, report, path, "a text in double quotes")
        if not value:
            report.error("empty-name", path, f"{named(path)} is empty", "give it at least one character")
            return BROKEN
        return value

    def schema(self) -> dict[str, Any]:
        """A string of some length."""
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True)
class ParentName:
    """A name, or null for the root."""

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The name."""
        if value is None or isinstance(value, str):
            return value
        return wrong_type(value, report, path, "the name of a joint, or null for the root")

    def schema(self) -> dict[str, Any]:
        """A string or null."""
        return {"type": ["string", "null"]}


@dataclass(frozen=True)
class Word:
    """One of a few words."""

    choices: tuple[str, ...]

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The word."""
        if isinstance(value, str) and value in self.choices:
            return value
        close = difflib.get_close_matches(value.lower(), self.choices, n=1) if isinstance(value, str) else []
        hint = f"did you mean {shown(close[0])}?" if close else ""
        return wrong_type(value, report, path, " or ".join(map(shown, self.choices)), hint)

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"enum": list(self.choices)}


@dataclass(frozen=True)
class Number:
    """A finite number."""

    negative: bool = True

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The number as a float."""
        if not is_number(value):
            hint = "write the number without quotes" if isinstance(value, str) else ""
            return wrong_type(value, report, path, "a number", hint)
        if abs(value) > LARGEST:
            message = f"{named(path)} is {value:g}, whose square overflows"
            report.error("not-finite", path, message, f"write a number up to {LARGEST:g}")
            return BROKEN
        if value < 0 and not self.negative:
            report.error("negative-weight", path, f"{named(path)} is {shown(value)}", "0 is the least; it switches off")
            return BROKEN
        return float(value) + 0.0  # no negative zero

    def schema(self) -> dict[str, Any]:
        """A number."""
        return {"type": "number"} if self.negative else {"type": "number", "minimum": 0}


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
            text = f"{named(path)} is {shown(value)}, {len(value)} numbers; expected {self.size}"
            report.error("wrong-length", path, text)
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


@dataclass(frozen=True)
class Listing:
    """A list; `read_entry` reads each entry, and `entry` names its schema."""

    read_entry: Callable[[Any, Report, Path], Any]
    entry: str
    empty: bool = True

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The entries; those that are wrong are `BROKEN`, and the list stays."""
        if not isinstance(value, list):
            return wrong_type(value, report, path, "a list")
        if not value and not self.empty:
            report.error("empty-plan", path, f"{named(path)} is empty", "a plan has at least one joint, the root")
        return [self.read_entry(entry, report, (*path, index)) for index, entry in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        """An array of what `entry` names."""
        items = {"type": "array", "items": {"$ref": f"#/$defs/{self.entry}"}}
        return items if self.empty else {**items, "minItems": 1}


def unit_vector(numbers: list[float], length: float) -> list[float]:
    """The numbers divided by their length, bit for bit the same where that is 1 already, up to rounding."""
    return numbers if abs(length - 1.0) <= 2e-15 else [number / length + 0.0 for number in numbers]


def as_axis(numbers: list[float], report: Report, path: Path) -> Any:
    """An axis of length 1."""
    length = math.hypot(*numbers)
    if length < SHORTEST:
        report.error("zero-axis", path, f"{named(path)} is {shown(numbers)}, which has no direction", "z is [0, 0, 1]")
        return BROKEN
    if abs(length - 1.0) > UNIT_TOLERANCE:
        report.note(
            "non-unit-axis", path, f"{named(path)} is {shown(numbers)} of length {length:.6g}; it is normalised"
        )
    return unit_vector(numbers, length)


def as_quaternion(numbers: list[float], report: Report, path: Path) -> Any:
    """A quaternion of norm 1."""
    norm = math.hypot(*numbers)
    if norm < SHORTEST:
        message = f"{named(path)} is {shown(numbers)}, which is no rotation"
        report.error("zero-quaternion", path, message, "no rotation at all is [1, 0, 0, 0]: the scalar stands first")
        return BROKEN
    if abs(norm - 1.0) > UNIT_TOLERANCE:
        tell = report.warning if abs(norm - 1.0) > QUATERNION_TOLERANCE else report.note
        message = f"{named(path)} is {shown(numbers)} of norm {norm:.6g}; it is normalised"
        tell("non-unit-quaternion", path, message)
    return unit_vector(numbers, norm)


def _in_order(numbers: list[float], report: Report, path: Path) -> Any:
    low, high = numbers
    if low > high:
        message = f"{named(path)} are {shown(numbers)}, and the first is the larger"
        report.error("limits-reversed", path, message, f"write {shown([high, low])}")
        return BROKEN
    if low == high:
        report.note("locked-dof", path, f"{named(path)} are {shown(numbers)}: the DOF is locked there")
    return numbers
