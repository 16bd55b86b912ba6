"""Names that several things would like to have."""

from __future__ import annotations

from collections.abc import Container

__all__ = ["unique"]


def unique(name: str, taken: Container[str]) -> str:
    """The name, with as many underscores behind it as it takes to be no other's."""
    while name in taken:
        name += "_"
    return name
