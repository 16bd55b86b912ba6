"""The field `x-pantin` of a body plan: its unit, its title, and what belongs together in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pantin.fitting.plan.fields import Field, Table, read_object
from pantin.fitting.plan.kinds import ByName, Listing, Text, Word
from pantin.fitting.plan.plain import BROKEN
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.plan.words import meant

__all__ = ["EXTENSION", "PANTIN", "check_extension"]

#: Key of the field.
EXTENSION = "x-pantin"


#: What `x-pantin` may hold.
PANTIN: Table = (
    Field("length_unit", Word(("m", "cm", "mm", "um")), "unit of all lengths, for labels and exports", False),
    Field("title", Text(), "title of the plan", False),
    Field("mirror", Listing(Listing(Text(), size=2)), "list of pairs of joints, [left, right]", False),
    Field("scale_groups", ByName(Listing(Text())), "lists of joints by group, whose offset_pos scale together", False),
    Field("colour", ByName(Text()), "colours by joint", False),
)


def check_extension(value: Any, joints: Iterable[Any], report: Report) -> None:
    """Tell what is wrong with `x-pantin`; unknown fields in it are warnings.

    Args:
        value: The field's value.
        joints: Names of the joints.
        report: Takes the faults.
    """
    content = read_object(PANTIN, value, report, (EXTENSION,), lenient=True)
    if content is BROKEN:
        return
    known = [name for name in joints if isinstance(name, str)]
    for field in ("mirror", "scale_groups"):
        entries = content[field] if content[field] not in (None, BROKEN) else []
        for key, names in entries.items() if isinstance(entries, dict) else enumerate(entries):
            for index, name in enumerate([] if names is BROKEN else names):
                _check_name(name, known, report, (EXTENSION, field, key, index))
    for name in content["colour"] if isinstance(content["colour"], dict) else []:
        _check_name(name, known, report, (EXTENSION, "colour", name))


def _check_name(name: Any, known: list[str], report: Report, path: Path) -> None:
    if name is BROKEN or name in known:
        return
    report.error("unknown-name", path, f"there is no joint {name!r}", meant(name, known))
