"""Values as JSON knows them: whatever else a document holds is told and replaced by `BROKEN`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from pantin.fitting.plan.reading import DEEPEST
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.plan.words import named, shown

__all__ = ["BROKEN", "plain"]


class _Broken:
    """The mark in the place of a value that was found wrong, and told."""

    def __repr__(self) -> str:
        return "..."


BROKEN: Final = _Broken()


def plain(value: object, report: Report, path: Path = ()) -> Any:
    """A copy made of dict, list, str, int, float, bool and None.

    Args:
        value: What JSON text holds, or Python values like it; NumPy numbers and arrays, and tuples, are welcome.
        report: Takes `not-finite` for numbers that are none, and `wrong-type` for what JSON has no word for.
        path: Where the value stands.

    Returns:
        The copy; the mark `BROKEN` stands in it where something was told.
    """
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, report, path)
    if isinstance(value, (int, float)):
        return _number(value, report, path)
    if not isinstance(value, (Mapping, list, tuple)):
        report.error("wrong-type", path, f"{named(path)}: JSON has no word for {_kind(value)}")
    elif len(path) == DEEPEST:
        report.error(
            "wrong-type", path, f"{named(path)}: lists and objects stand in one another more than {DEEPEST} levels deep"
        )
    elif isinstance(value, Mapping):
        return _object(value, report, path)
    else:
        return [plain(entry, report, (*path, index)) for index, entry in enumerate(value)]
    return BROKEN


def _object(value: Mapping[Any, object], report: Report, path: Path) -> dict[str, Any]:
    result = {}
    for key, entry in value.items():
        if isinstance(key, str) and _text(key, report, path) is not BROKEN:
            result[key] = plain(entry, report, (*path, key))
        elif not isinstance(key, str):
            report.error("wrong-type", path, f"{named(path)}: the key {shown(key)} is no text")
    return result


def _text(value: str, report: Report, path: Path) -> Any:
    """The text, which UTF-8 must be able to write."""
    try:
        value.encode()
    except UnicodeEncodeError:
        report.error(
            "wrong-type", path, f"{named(path)}: {value!a} is no text: it holds half a character (a lone surrogate)"
        )
        return BROKEN
    return str(value)


def _number(value: float, report: Report, path: Path) -> Any:
    """The number, which must be finite and no larger than a float can hold."""
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        words = "a number too large for a computer" if isinstance(value, int) else f"{value}"
        report.error("not-finite", path, f"{named(path)}: expected a finite number, got {words}")
        return BROKEN
    return int(value) if isinstance(value, int) else float(value)


def _kind(value: object) -> str:
    return f"a {type(value).__module__}.{type(value).__qualname__}".replace("a builtins.", "a ")
