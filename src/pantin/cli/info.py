"""`pantin info`: the tree of a model with its joints, axes, limits and frames."""

from __future__ import annotations

from typing import NamedTuple

from rich.table import Table

import pantin
from pantin.arrays import Array
from pantin.cli._options import ModelArgument
from pantin.cli._output import console, plain_table, print_table, width_of
from pantin.kinematics.frames import FrameType
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_HELICAL,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
    joint_has_configuration_limit,
)
from pantin.kinematics.labels import COMPONENTS
from pantin.kinematics.model import Model

__all__ = ["info"]

JOINT_WORDS = {
    JT_REVOLUTE: "revolute",
    JT_PRISMATIC: "prismatic",
    JT_REVOLUTE_UNBOUNDED: "continuous",
    JT_SPHERICAL: "ball",
    JT_PLANAR: "planar",
    JT_FREEFLYER: "free",
    JT_HELICAL: "helical",
}
FRAME_WORDS = {
    FrameType.OP_FRAME: "frame",
    FrameType.FIXED_JOINT: "fixed",
    FrameType.BODY: "body",
    FrameType.SENSOR: "sensor",
}
#: Limits from here on stand for none: infinity, the largest double, or the 1e20 of some files.
UNLIMITED = 1e10
COLUMNS = ("joint or frame", "kind", "axis", "lower", "upper", "speed", "effort")
#: The columns that a narrow screen does without.
WIDE_COLUMNS = 2


class Row(NamedTuple):
    """One line of the tree: a joint, one number of a joint, or a frame."""

    name: str
    kind: str = ""
    axis: str = ""
    lower: str = ""
    upper: str = ""
    speed: str = ""
    effort: str = ""


def info(model: ModelArgument) -> None:
    """Draw the tree of a model: joints with axes and limits, and the frames they carry.

    [bold]Examples[/bold]

      pantin info panda
      pantin info my_robot.urdf | less
    """
    tree = pantin.load(model)
    out = console()
    out.print(_summary(tree))
    out.print()
    rows = _tree_rows(tree, ascii_only=out.options.ascii_only)
    table = _table(rows, COLUMNS)
    wanted = width_of(table, out)
    if wanted > out.width:
        table = _table(rows, COLUMNS[:-WIDE_COLUMNS])
    print_table(table, out)
    out.print()
    out.print("Limits are rad or m, speeds rad/s or m/s, efforts N m or N.")
    if wanted > out.width:
        out.print(f"Speed and effort limits appear on a screen of {wanted} columns.")


def _summary(model: Model) -> str:
    """Name, sizes and mass of a model in one line."""
    mass = sum(inertia.mass for inertia in model.inertias)
    return (
        f"{model.name or 'unnamed model'}: {model.njoints - 1} joints, nq = {model.nq}, nv = {model.nv}, "
        f"{model.nframes} frames, {mass:.4g} kg"
    )


def _table(rows: list[Row], columns: tuple[str, ...]) -> Table:
    """Rows in aligned columns; those beyond `columns` are left out."""
    table = plain_table(*columns, right=COLUMNS[3:], gap=1)
    for row in rows:
        table.add_row(*row[: len(columns)], style="dim" if row.kind in FRAME_WORDS.values() else None)
    return table


def _tree_rows(model: Model, *, ascii_only: bool) -> list[Row]:
    """Lines of the tree, depth first, frames of a joint before its children."""
    fork, last, bar = ("|-", "`-", "| ") if ascii_only else ("├╴", "╰╴", "│ ")
    branches: list[list[Row | int]] = [[] for _ in model.joints]
    for joint_id in range(1, model.njoints):
        branches[joint_id] += _detail_rows(model, joint_id)
    for frame in model.frames[1:]:
        if frame.type != FrameType.JOINT:
            branches[frame.parent_joint].append(Row(frame.name, FRAME_WORDS[frame.type]))
    for joint_id in range(1, model.njoints):
        branches[model.parents[joint_id]].append(joint_id)

    rows = [Row(model.names[0])]
    stack = [(branch, "", branch is branches[0][-1]) for branch in reversed(branches[0])]
    while stack:
        branch, margin, is_last = stack.pop()
        row = branch if isinstance(branch, Row) else _joint_row(model, branch)
        rows.append(row._replace(name=margin + (last if is_last else fork) + row.name))
        if not isinstance(branch, Row):
            below = branches[branch]
            inner = margin + ("  " if is_last else bar)
            stack += [(item, inner, item is below[-1]) for item in reversed(below)]
    return rows


def _joint_row(model: Model, joint_id: int) -> Row:
    """Line of a joint; limits stand here for joints of one number, else on a line per number."""
    joint = model.joints[joint_id]
    name = model.names[joint_id]
    if joint.mimic is not None:
        return Row(name, "mimic", _axis_words(joint.axis))
    kind = JOINT_WORDS[joint.jtype]
    if joint.jtype == JT_HELICAL:
        kind += f" {joint.lead:g} m/turn"
    row = Row(name, kind, _axis_words(joint.axis))
    if joint.nv != 1:
        return row
    if joint.nq == 1:
        row = row._replace(
            lower=_limit_words(model.lower_position_limit[joint.idx_q]),
            upper=_limit_words(model.upper_position_limit[joint.idx_q]),
        )
    return row._replace(
        speed=_limit_words(model.velocity_limit[joint.idx_v], digits="g"),
        effort=_limit_words(model.effort_limit[joint.idx_v], digits="g"),
    )


def _detail_rows(model: Model, joint_id: int) -> list[Row]:
    """Lines below a joint: whom it follows, and the bounded numbers of a joint that has several."""
    joint = model.joints[joint_id]
    if joint.mimic is not None:
        master, multiplier, offset = joint.mimic
        factor = "" if multiplier == 1.0 else f" times {multiplier:g}"
        shift = "" if offset == 0.0 else f" plus {offset:g}"
        return [Row(f"follows {model.names[int(master)]}{factor}{shift}")]
    bounded = joint_has_configuration_limit(joint.jtype)
    rows = []
    for number, (name, _) in enumerate(COMPONENTS.get(joint.jtype, ())):
        lower = model.lower_position_limit[joint.idx_q + number]
        upper = model.upper_position_limit[joint.idx_q + number]
        if bounded[number] and (lower > -UNLIMITED or upper < UNLIMITED):
            rows.append(Row(name, lower=_limit_words(lower), upper=_limit_words(upper)))
    return rows


def _limit_words(value: float, digits: str = ".4f") -> str:
    """A limit in digits, or in a word where there is none."""
    if abs(value) >= UNLIMITED:
        return "-inf" if value < 0 else "inf"
    return format(value, digits)


def _axis_words(axis: Array | None) -> str:
    """An axis as x, -y or three numbers."""
    if axis is None:
        return ""
    for index, letter in enumerate("xyz"):
        if abs(axis[index]) == 1.0:
            return letter if axis[index] > 0 else f"-{letter}"
    return " ".join(f"{number:.2f}" for number in axis)
