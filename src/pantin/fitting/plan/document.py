"""A body plan's document: checked all over, and brought into its canonical form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pantin.fitting.plan.extension import EXTENSION, check_extension
from pantin.fitting.plan.fields import PLAN, read_object
from pantin.fitting.plan.plain import BROKEN, plain
from pantin.fitting.plan.reading import read_json
from pantin.fitting.plan.report import Report
from pantin.fitting.plan.tree import check_tree, parents_first
from pantin.fitting.plan.words import shown

__all__ = ["Document", "examine"]


class Document(NamedTuple):
    """A plan without errors, every field filled in.

    Attributes:
        content: The plan as JSON values; axes and quaternions have length 1, names are complete, parents come first.
        source_order: Where each joint stood in the source.
    """

    content: dict[str, Any]
    source_order: list[int]


def examine(source: bytes | Mapping[str, Any], *, strict: bool, reorder: bool) -> tuple[Document | None, Report]:
    """Check a plan.

    Args:
        source: JSON text in UTF-8, or the values it would hold.
        strict: Unknown fields are errors, else warnings.
        reorder: Sort joints whose parents come later, instead of calling that an error.

    Returns:
        The plan, None where it has errors; and everything that was found.
    """
    if isinstance(source, bytes):
        value, report = read_json(source)
        if any(finding.code == "not-json" for finding in report.findings):
            return None, report
    else:
        value, report = source, Report()
    report.strict = strict
    report.about(value)
    content = read_object(PLAN, plain(value, report), report, ())
    if content is BROKEN:
        return None, report
    joints = content["joints"]
    if joints is BROKEN:
        return None, report
    sound = [_complete(joint) for joint in joints]
    _check_neutral(sound, report)
    check_tree(sound, report, reorder=reorder)
    if EXTENSION in content:
        check_extension(content[EXTENSION], {joint["name"] for joint in sound}, report)
    if report.has_errors:
        return None, report
    order = parents_first(sound)
    return Document({**content, "joints": [sound[index] for index in order]}, order), report


def _complete(joint: Any) -> dict[str, Any]:
    """The joint with names for its degrees of freedom; one without content where it is broken."""
    if joint is BROKEN:
        return {"name": BROKEN, "parent": BROKEN, "dofs": []}
    dofs = [] if joint["dofs"] is BROKEN else joint["dofs"]
    for number, dof in enumerate(dofs):
        if dof is not BROKEN and dof["name"] is None and joint["name"] is not BROKEN:
            dof["name"] = default_name(joint, number)
    return {**joint, "dofs": dofs}


def _check_neutral(joints: list[dict[str, Any]], report: Report) -> None:
    for index, joint in enumerate(joints):
        for number, dof in enumerate(joint["dofs"]):
            if dof is BROKEN or dof["neutral"] is BROKEN or dof["limits"] in (None, BROKEN):
                continue
            low, high = dof["limits"]
            if not low <= dof["neutral"] <= high:
                message = f"neutral is {shown(dof['neutral'])}, outside the limits {shown(dof['limits'])}"
                hint = "the fit starts at the nearest limit, and is pulled on towards neutral"
                report.warning("neutral-outside-limits", ("joints", index, "dofs", number, "neutral"), message, hint)


def default_name(joint: dict[str, Any], number: int) -> str:
    """Name of a degree of freedom that has none of its own."""
    return str(joint["name"]) if len(joint["dofs"]) == 1 else f"{joint['name']}:{number}"
