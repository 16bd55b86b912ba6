"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from pantin.errors import InvalidArgument

__all__ = ["output_path", "whole_file"]


def output_path(name: str, path: str | os.PathLike[str]) -> Path:
    """The place of a file that is going to be written, links followed.

    Args:
        name: Name of the argument, for messages.
        path: The file; one that exists is going to be replaced.

    Raises:
        InvalidArgument: If its folder does not exist or is closed to writing, or something else than a file is there.
    """
    place = Path(os.path.realpath(path))
    if not place.parent.is_dir():
        raise InvalidArgument(name, f"there is no folder {str(place.parent)!r} to write {place.name!r} to")
    if place.exists() and not place.is_file():
        raise InvalidArgument(name, f"expected a file, but {str(path)!r} is none")
    if not os.access(place.parent, os.W_OK):
        raise InvalidArgument(name, f"the folder {str(place.parent)!r} is closed to writing")
    return place


@contextlib.contextmanager
def whole_file(name: str, path: str | os.PathLike[str]) -> Iterator[Path]:
    """A place beside a file to write to, renamed to it at the end, or removed where an error or Ctrl-C comes first.

    Args:
        name: Name of the argument, for messages.
        path: The file.

    Yields:
        Where to write; it ends as the file does.

    Raises:
        InvalidArgument: If the file cannot be written.
    """
    place = output_path(name, path)
    beside = place.with_name(f".{os.getpid()}.{place.name}")
    try:
        yield beside
        beside.replace(place)
    except OSError as error:
        raise InvalidArgument(name, f"cannot write {str(path)!r}: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)
