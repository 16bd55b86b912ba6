"""TOML documents whose faults are told with their line, their key, and the nearest right one."""

from __future__ import annotations

import bisect
import difflib
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn

from pantin.errors import PantinError

__all__ = ["ScenarioError", "Section", "read_document"]

Place = tuple[str | int, ...]


class ScenarioError(PantinError, ValueError):
    """A scenario that cannot be read, or does not fit its model.

    Attributes:
        source: The file, or what stood in its place.
        line: Where in it, counted from 1; None where it is no matter of a line.
        key: The key that is wrong, with those of the tables around it; "" where it is none's fault.
    """

    def __init__(self, message: str, source: str = "", line: int | None = None, key: str = "") -> None:
        self.source, self.line, self.key = source, line, key
        place = ", ".join([*filter(None, [source]), *([] if line is None else [f"line {line}"])])
        super().__init__(f"{place}: {message}" if place else message)


class Section:
    """A table of a document: its keys are taken one by one, and what is left at the end is refused.

    Attributes:
        values: What has not been taken yet.
        place: Keys and indices that lead to it.
        title: What messages call it.
    """

    def __init__(self, values: dict[str, Any], *, text: str, source: str, place: Place = (), title: str = "") -> None:
        self.values = dict(values)
        self.place = place
        self.title = title
        self._text, self._source = text, source

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def take(self, key: str, default: Any = None) -> Any:
        """What stands under a key, which counts as read; the default where nothing does."""
        return self.values.pop(key, default)

    def need(self, key: str) -> Any:
        """What stands under a key that must be there.

        Raises:
            ScenarioError: If it is not, with a key that may be meant for it.
        """
        if key not in self.values:
            close = difflib.get_close_matches(key, self.values, n=1)
            self.refuse(close[0] if close else "", f"{key!r} is missing{'; is it meant here?' if close else ''}")
        return self.values.pop(key)

    def words(self, key: str, default: str | None = None) -> str:
        """Words under a key.

        Raises:
            ScenarioError: If there is something else, or nothing and no default.
        """
        value = self.need(key) if default is None else self.take(key, default)
        if not isinstance(value, str) or not value.strip():
            self.refuse(key, f"expected words in quotes, got {value!r}")
        return value

    def truth(self, key: str, *, default: bool = False) -> bool:
        """True or false under a key.

        Raises:
            ScenarioError: If there is something else.
        """
        value = self.take(key, default)
        if not isinstance(value, bool):
            self.refuse(key, f"expected true or false, got {value!r}")
        return value

    def choice(self, key: str, known: Collection[str], default: str | None = None) -> str:
        """One of some words under a key.

        Raises:
            ScenarioError: If it is none of them, with the nearest.
        """
        word = self.words(key, default)
        if word not in known:
            self.refuse(key, f"there is no {word!r}; {_nearest(word, known)}")
        return word

    def section(self, key: str, title: str = "") -> Section:
        """The table under a key, empty where there is none.

        Raises:
            ScenarioError: If there is something else.
        """
        values = self.take(key, {})
        if not isinstance(values, dict):
            self.refuse(key, f"expected a table, got {_kind(values)}")
        return self._below(values, (*self.place, key), title or key)

    def sections(self, key: str) -> list[Section]:
        """The tables of an array, such as all [[task]].

        Raises:
            ScenarioError: If there is something else.
        """
        values = self.take(key, [])
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            self.refuse(key, f"expected tables under [[{key}]]")
        return [self._below(one, (*self.place, key, i), f"{key} {i + 1}") for i, one in enumerate(values)]

    def end(self, known: Collection[str], but: Collection[str] = ()) -> None:
        """Refuse what has not been taken.

        Args:
            known: Keys that could stand here, for the hint.
            but: Those that still may.

        Raises:
            ScenarioError: If there is something.
        """
        for key in self.values.keys() - set(but):
            self.refuse(key, f"there is no such key; {_nearest(key, known)}")

    def refuse(self, key: str, message: str) -> NoReturn:
        """Raise the error of a key.

        Args:
            key: The key, or "" for the table as a whole.
            message: What is wrong, without the place.

        Raises:
            ScenarioError: Always.
        """
        place = (*self.place, key) if key else self.place
        words = ": ".join([*filter(None, [self.title, key]), message])
        raise ScenarioError(words, self._source, _line_of(self._text, place), ".".join(map(str, place)))

    def _below(self, values: dict[str, Any], place: Place, title: str) -> Section:
        return Section(values, text=self._text, source=self._source, place=place, title=title)


def read_document(text: str, source: str = "") -> Section:
    """The outermost table of a TOML document.

    Args:
        text: The document.
        source: Where it comes from, for messages.

    Raises:
        ScenarioError: If it is not TOML.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"this is not TOML: {error}", source) from None
    except (RecursionError, ValueError) as error:  # what is nested without end; numbers of thousands of digits
        raise ScenarioError(f"this is not TOML that can be read: {error}", source) from None
    return Section(values, text=text, source=source)


def read_text(path: Path, hints: Collection[str] = ()) -> str:
    """Text of a file.

    Args:
        path: The file.
        hints: Names that could have been meant instead.

    Raises:
        ScenarioError: If it is not there, or not text.
    """
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        siblings = sorted(entry.name for entry in path.parent.glob("*.toml"))
        raise ScenarioError(f"there is no such file; {_nearest(path.name, [*siblings, *hints])}", str(path)) from None
    except UnicodeDecodeError:
        raise ScenarioError("this is not text in UTF-8", str(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ScenarioError(f"cannot be read: {reason}", str(path)) from None


def _line_of(text: str, place: Place) -> int | None:
    """Line on which what stands at a place begins, or what is around it where there is nothing."""
    whole_text = tomllib.loads(text)
    while place and not _holds(whole_text, place):
        place = place[:-1]
    if not place:
        return None
    lines = text.split("\n")

    def whole(count: int) -> tuple[int, Any]:
        """The longest part of the first lines that is a document, and what it says."""
        while count:
            try:
                return count, tomllib.loads("\n".join([*lines[:count], ""]))
            except (ValueError, RecursionError):
                count -= 1
        return 0, {}

    first = bisect.bisect_left(range(len(lines)), True, key=lambda count: _holds(whole(count)[1], place))
    return min(whole(first - 1)[0] if first else 0, len(lines) - 1) + 1


def _holds(values: Any, place: Place) -> bool:
    """True if there is something at a place."""
    for key in place:
        try:
            values = values[key]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _nearest(word: str, known: Collection[str]) -> str:
    """What could have been meant, in words."""
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there is {', '.join(map(repr, known))}" if known else "nothing can stand here"


def _kind(value: object) -> str:
    """What a value is, in words."""
    return "a list" if isinstance(value, list) else repr(value)
