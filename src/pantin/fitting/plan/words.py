"""How values and fields of a plan are written in files and messages."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from typing import Any

__all__ = ["described", "meant", "named", "shown", "whole_numbers"]

#: Characters of a value that a message shows.
SHOWN = 60


def whole_numbers(value: Any) -> Any:
    """The value with 1 for 1.0, which reads better and means the same; extensions stay as they are."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    if isinstance(value, dict):
        return {key: entry if key.startswith("x-") else whole_numbers(entry) for key, entry in value.items()}
    return [whole_numbers(entry) for entry in value] if isinstance(value, list) else value


def shown(value: Any) -> str:
    """A value as JSON writes it, cut where it is long."""
    text = json.dumps(whole_numbers(value), ensure_ascii=False, default=repr)
    text = text.encode(errors="backslashreplace").decode()  # half characters cannot be printed
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def described(value: Any) -> str:
    """A value with the kind of thing that it is."""
    kinds = ((bool, ""), (str, "the text "), (int | float, "the number "), (list, "the list "), (dict, "the object "))
    return next((kind for type_, kind in kinds if isinstance(value, type_)), "") + shown(value)


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint at the words that come nearest to one that is not known."""
    close = difflib.get_close_matches(word, list(known), n=3, cutoff=0.5)
    return f"did you mean {' or '.join(map(shown, close))}?" if close else otherwise


def named(path: tuple[str | int, ...]) -> str:
    """A field by its name, an entry of a list by the list's name and its index."""
    keys = list(path[-1:])
    for key in reversed(path[:-1]):
        if isinstance(keys[0], str):
            break
        keys.insert(0, key)
    return "".join(f"[{key}]" if isinstance(key, int) else key for key in keys) or "the plan"
