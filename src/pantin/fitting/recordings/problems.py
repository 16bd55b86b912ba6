"""What is wrong with a recording, told with the file and, where there is one, the line."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from pantin.errors import InvalidArgument, MissingExtra, PantinError

__all__ = ["RecordingError", "RecordingNotFound", "RecordingWarning", "foreign", "optional"]


class RecordingError(PantinError, ValueError):
    """A recording that cannot be read, or does not belong to the body plan.

    Attributes:
        path: The file, or what stood in its place.
    """

    def __init__(self, path: str | os.PathLike[str], message: str) -> None:
        self.path = os.fspath(path)
        super().__init__(f"{self.path}: {message}" if self.path else message)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.args, self.__dict__))


class RecordingNotFound(RecordingError, FileNotFoundError):
    """A recording that is not there.

    Attributes:
        nearest: The closest name in its folder, or None.
    """

    def __new__(cls, *args: object) -> Self:
        """Error without its message; given two arguments a file error would make one of its own."""
        return FileNotFoundError.__new__(cls)

    def __init__(self, path: Path) -> None:
        try:
            siblings = os.listdir(path.parent)
        except OSError:
            siblings = []
        close = difflib.get_close_matches(path.name, siblings, n=1)
        self.nearest = close[0] if close else None
        hint = f"; did you mean {self.nearest!r}?" if close else ""
        super().__init__(path, f"there is no such file{hint}")

    __str__ = Exception.__str__


class RecordingWarning(UserWarning):
    """Something about a recording that is probably not meant."""


@contextlib.contextmanager
def foreign(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Turns whatever another package raises on a broken file into a `RecordingError`.

    Args:
        path: The file.
        what: What it was taken for, such as "a SLEAP analysis file".
    """
    try:
        yield
    except InvalidArgument as error:
        raise RecordingError(path, str(error)) from None
    except PantinError:
        raise
    except Exception as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise RecordingError(path, f"cannot be read as {what}: {reason}") from error


def optional(package: str, extra: str, purpose: str) -> Any:
    """A package that only some recordings need.

    Raises:
        MissingExtra: If it is not installed.
    """
    try:
        return importlib.import_module(package)
    except ImportError:
        raise MissingExtra(package.partition(".")[0], extra, purpose) from None


def _rebuild(cls: type[RecordingError], args: tuple[object, ...], facts: dict[str, object]) -> RecordingError:
    """Error with the message and facts it was pickled with."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(facts)
    return error
