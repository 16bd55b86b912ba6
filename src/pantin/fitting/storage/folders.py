"""Folders that appear whole or not at all, as `pantin.files` has it for files."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from pantin.errors import InvalidArgument

__all__ = ["whole_folder"]


@contextlib.contextmanager
def whole_folder(name: str, path: str | os.PathLike[str], *, mark: str) -> Iterator[Path]:
    """A place beside a folder to write to, renamed to it at the end, or removed where an error or Ctrl-C comes first.

    Args:
        name: Name of the argument, for messages.
        path: The folder; one that exists and has the mark is going to be replaced.
        mark: A file that only folders have which may be replaced.

    Yields:
        Where to make the folder; it ends as the folder does.

    Raises:
        InvalidArgument: If the folder cannot be written, or something else is there.
    """
    place = Path(os.path.realpath(path))
    if not place.parent.is_dir():
        raise InvalidArgument(name, f"there is no folder {str(place.parent)!r} to write {place.name!r} to")
    if place.exists() and not (place / mark).is_file():
        raise InvalidArgument(name, f"{str(path)!r} is there already and is something else; choose another name")
    beside, former = (place.with_name(f".{os.getpid()}.{word}.{place.name}") for word in ("new", "old"))
    try:
        yield beside
        if place.exists():
            place.rename(former)
        beside.rename(place)
    except OSError as error:
        raise InvalidArgument(name, f"cannot write {str(path)!r}: {error.strerror or error}") from None
    finally:
        if former.exists() and not place.exists():
            former.rename(place)
        for rest in (beside, former):
            shutil.rmtree(rest, ignore_errors=True)
