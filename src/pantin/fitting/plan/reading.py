"""JSON text to values, with the line and column of each, which is that of its key where it has one."""

from __future__ import annotations

import bisect
import itertools
import json
import math
from typing import Any

from pantin.fitting.plan.report import Path, Report

__all__ = ["DEEPEST", "read_json"]

#: Levels of lists and objects in one another; a plan has six, and its extensions may add to them.
DEEPEST = 100

#: Digits of the longest whole number that a float could hold.
LONGEST = 310

_BLANKS = " \t\n\r"

#: What Python's decoder says of a text in quotes, and what that means.
_TEXT_FAULTS = (
    ("Unterminated string", "the text that begins here has no end", "close it with a double quote"),
    ("Invalid control character", "a text holds a line break or another control character", "write \\n for a new line"),
    ("Invalid \\", "a text holds a backslash that begins nothing known", "write \\\\ for one backslash"),
)


def read_json(content: bytes) -> tuple[Any, Report]:
    """Value of a JSON text, and a report that knows where everything stands in it.

    Args:
        content: The text in UTF-8.

    Returns:
        The value, None where the text does not parse; and the report, which then holds the finding `not-json`, or
        one `duplicate-key` for each key that occurs again in its object.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8", errors="replace")
        report = Report({(): _Lines(before).place(len(before))})
        report.error("not-json", (), "the text is not UTF-8", "save the file as UTF-8")
        return None, report
    reader = _Reader(text)
    try:
        value = reader.document()
    except _Unreadable as fault:
        report = Report({(): reader.lines.place(fault.position)})
        report.error("not-json", (), fault.message, fault.hint)
        return None, report
    report = Report(reader.places)
    report.about(value)
    for path, first, again in reader.duplicates:
        line, column = reader.lines.place(first)
        reader.places[path] = reader.lines.place(again)
        report.error(
            "duplicate-key",
            path,
            f"the key {path[-1]!r} occurs again in its object; the first is in line {line}, column {column}",
            "keep one of them",
        )
    return value, report


class _Unreadable(Exception):
    """A text that is not JSON, and where that shows."""

    def __init__(self, position: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.position, self.message, self.hint = position, message, hint


class _Lines:
    """Lines of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *itertools.accumulate(len(line) + 1 for line in text.split("\n"))]

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of a position, both counted from 1."""
        line = bisect.bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1


def _whole(digits: str) -> int | float:
    """Whole number, infinite where no float could hold it."""
    return int(digits) if len(digits) <= LONGEST else math.copysign(math.inf, -1.0 if digits[0] == "-" else 1.0)


class _Reader:
    """One pass over a text: objects and lists are read here, texts, numbers and words by Python's own decoder."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines = _Lines(text)
        self.places: dict[Path, tuple[int, int]] = {}
        self.duplicates: list[tuple[Path, int, int]] = []
        self._scalars = json.JSONDecoder(parse_int=_whole)

    def document(self) -> Any:
        """The one value of the text."""
        if not self._peek():
            raise _Unreadable(self.at, "the file is empty")
        value = self._value((), 0)
        if self._peek():
            raise _Unreadable(self.at, f"expected the end of the file, got {self._word()}")
        return value

    def _value(self, path: Path, depth: int) -> Any:
        """The next value."""
        start = self._peek()
        self.places[path] = self.lines.place(self.at)
        if start and start in "{[":
            if depth == DEEPEST:
                raise _Unreadable(self.at, f"lists and objects stand in one another more than {DEEPEST} levels deep")
            return self._object(path, depth + 1) if start == "{" else self._list(path, depth + 1)
        return self._scalar()

    def _scalar(self) -> Any:
        """The next text, number or word."""
        try:
            value, self.at = self._scalars.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            for beginning, message, hint in _TEXT_FAULTS:
                if error.msg.startswith(beginning):
                    raise _Unreadable(error.pos, message, hint) from None
            raise _Unreadable(self.at, f"expected a value, got {self._word()}", self._advice()) from None
        return value

    def _list(self, path: Path, depth: int) -> list[Any]:
        """The list that begins here."""
        values: list[Any] = []
        self.at += 1
        while self._more("]", first=not values):
            values.append(self._value((*path, len(values)), depth))
        return values

    def _object(self, path: Path, depth: int) -> dict[str, Any]:
        """The object that begins here; of a key that occurs twice the first value stays."""
        values: dict[str, Any] = {}
        starts: dict[str, int] = {}
        self.at += 1
        while self._more("}", first=not starts):
            start = self.at
            if self._peek() != '"':
                raise _Unreadable(start, f"expected a key in double quotes, got {self._word()}", self._advice())
            key = self._scalar()
            if self._peek() != ":":
                raise _Unreadable(self.at, f"expected ':' after the key {key!r}, got {self._word()}")
            self.at += 1
            if key in starts:
                self.duplicates.append(((*path, key), starts[key], start))
                self._aside((*path, key), depth)
            else:
                starts[key] = start
                values[key] = self._value((*path, key), depth)
                self.places[(*path, key)] = self.lines.place(start)
        return values

    def _aside(self, path: Path, depth: int) -> None:
        """Read a value that does not count."""
        places, self.places = self.places, {}
        self._value(path, depth)
        self.places = places

    def _more(self, end: str, *, first: bool) -> bool:
        """Whether another entry follows before the end of a list or object; stands at the entry, or behind the end."""
        sign = self._peek()
        if sign == end:
            self.at += 1
            return False
        if first:
            return True
        if sign != ",":
            raise _Unreadable(self.at, f"expected ',' or '{end}', got {self._word()}", self._advice())
        comma = self.at
        self.at += 1
        if self._peek() == end:
            raise _Unreadable(comma, f"nothing follows the comma before '{end}'", "remove the comma")
        return True

    def _peek(self) -> str:
        """The next character that is no blank, empty at the end."""
        text, at = self.text, self.at
        while at < len(text) and text[at] in _BLANKS:
            at += 1
        self.at = at
        return text[at : at + 1]

    def _word(self) -> str:
        """What stands here, in words."""
        piece = self.text[self.at : self.at + 20].split()
        return repr(piece[0]) if piece else "the end of the file"

    def _advice(self) -> str:
        """What the writer may have meant."""
        rest = self.text[self.at : self.at + 5]
        if rest[:2] in {"//", "/*"} or rest[:1] == "#":
            return "JSON has no comments; put the words into a field whose name begins with x-"
        if rest[:1] in {"'", "‘", "“", "”"}:
            return 'texts stand in plain double quotes, "like this"'
        words = {"True": "true", "False": "false", "None": "null"}
        return next((f"JSON writes {right}" for wrong, right in words.items() if rest.startswith(wrong)), "")
