"""The canonical JSON of a body plan: one text for all files that say the same."""

from __future__ import annotations

import json
from typing import Any

from pantin.fitting.plan.document import default_name
from pantin.fitting.plan.fields import DOF, JOINT, Table
from pantin.fitting.plan.words import whole_numbers

__all__ = ["canonical", "shortened", "to_json"]

#: Columns of a line that an object or list still fits in.
WIDTH = 110


def shortened(content: dict[str, Any]) -> dict[str, Any]:
    """A plan whose joints lack the fields that say what their absence would say.

    Args:
        content: The plan with every field filled in.
    """
    return {**content, "joints": [_joint(joint) for joint in content["joints"]]}


def canonical(content: dict[str, Any]) -> str:
    """The one line of JSON that tells plans apart: two that say the same have the same."""
    return json.dumps(whole_numbers(shortened(content)), ensure_ascii=False, separators=(",", ":"))


def to_json(content: dict[str, Any]) -> str:
    """The text of a plan file: as `canonical`, broken into lines that people read."""
    return f"{_lines(whole_numbers(shortened(content)), 0)}\n"


def _joint(joint: dict[str, Any]) -> dict[str, Any]:
    dofs = []
    for number, dof in enumerate(joint["dofs"]):
        short = _without_defaults(DOF, dof)
        if short["name"] == default_name(joint, number):
            del short["name"]
        dofs.append(short)
    return {**_without_defaults(JOINT, joint), "dofs": dofs}


def _without_defaults(table: Table, values: dict[str, Any]) -> dict[str, Any]:
    """The object without its optional fields that are at their defaults."""
    absent = {field.name for field in table if not field.required and values[field.name] == field.default}
    return {key: value for key, value in values.items() if key not in absent}


def _lines(value: Any, margin: int) -> str:
    """JSON text; lists and objects that fit in a line stand in one."""
    line = json.dumps(value, ensure_ascii=False)
    if margin + len(line) <= WIDTH or not value or not isinstance(value, (dict, list)):
        return line
    inner = " " * (margin + 2)
    if isinstance(value, dict):
        entries = [
            f"{json.dumps(key, ensure_ascii=False)}: {_lines(entry, margin + 2)}" for key, entry in value.items()
        ]
        opening, closing = "{", "}"
    else:
        entries = [_lines(entry, margin + 2) for entry in value]
        opening, closing = "[", "]"
    body = ",\n".join(inner + entry for entry in entries)
    return f"{opening}\n{body}\n{' ' * margin}{closing}"
