"""Kinds of values that the fields of a body plan take: each reads a value, and writes its JSON Schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from pantin.arrays import LARGEST
from pantin.fitting.plan.plain import BROKEN
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.plan.words import described, meant, named, shown

__all__ = ["ByName", "Flag", "Kind", "Listing", "Number", "ParentName", "Text", "Word", "wrong_type"]


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
        # The report begins with the joint or degree of freedom; what is wrong with all of it needs no name beside.
        name = "" if path[-2:-1] in {("joints",), ("dofs",)} else f"{named(path)}: "
        report.error("wrong-type", path, f"{name}expected {expected}, got {described(value)}", hint)
    return BROKEN


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
        hint = meant(value.lower(), self.choices) if isinstance(value, str) else ""
        return wrong_type(value, report, path, f"one of {', '.join(map(shown, self.choices))}", hint)

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
            message = f"{named(path)}: expected a number up to {LARGEST:g}, got {value:g}, whose square overflows"
            report.error("not-finite", path, message)
            return BROKEN
        if value < 0 and not self.negative:
            message = f"{named(path)}: expected 0 or more, got {shown(value)}"
            report.error("negative-weight", path, message, "0 switches it off")
            return BROKEN
        return float(value) + 0.0  # no negative zero

    def schema(self) -> dict[str, Any]:
        """A number."""
        return {"type": "number"} if self.negative else {"type": "number", "minimum": 0}


@dataclass(frozen=True)
class Listing:
    """A list of one kind, of a given size or of any."""

    kind: Kind
    size: int | None = None
    may_be_empty: bool = True

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The entries; those that are wrong are `BROKEN`, and the list stays."""
        if not isinstance(value, list):
            return wrong_type(value, report, path, "a list")
        if self.size is not None and len(value) != self.size:
            report.error(
                "wrong-length", path, f"{named(path)}: expected a list of {self.size}, got {len(value)}: {shown(value)}"
            )
            return BROKEN
        if not value and not self.may_be_empty:
            report.error("empty-plan", path, f"{named(path)} is empty", "a plan has at least one joint, the root")
        return [self.kind.read(entry, report, (*path, index)) for index, entry in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        """An array."""
        bounds = {} if self.may_be_empty else {"minItems": 1}
        bounds = bounds if self.size is None else {"minItems": self.size, "maxItems": self.size}
        return {"type": "array", "items": self.kind.schema(), **bounds}


@dataclass(frozen=True)
class ByName:
    """An object from names to one kind."""

    kind: Kind

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The entries by name."""
        if not isinstance(value, dict):
            return wrong_type(value, report, path, "an object in braces")
        return {key: self.kind.read(entry, report, (*path, key)) for key, entry in value.items()}

    def schema(self) -> dict[str, Any]:
        """An object."""
        return {"type": "object", "additionalProperties": self.kind.schema()}
