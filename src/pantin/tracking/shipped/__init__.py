"""Scenarios that ship with pantin, for its sample robots."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["find", "names"]

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the scenarios, in alphabetical order."""
    return sorted(file.stem for file in _FOLDER.glob("*.toml"))


def find(path_or_name: str | os.PathLike[str]) -> Path:
    """The file of a path, or of a scenario that ships where there is no such file.

    Args:
        path_or_name: A file, or one of `names()`.
    """
    path = Path(path_or_name)
    return path if path.exists() or str(path_or_name) not in names() else _FOLDER / f"{path}.toml"
