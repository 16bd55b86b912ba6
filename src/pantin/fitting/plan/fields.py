"""The fields of a body plan: one table for each of its objects, from which loader, writer and schema are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from pantin.fitting.plan.kinds import Flag, Kind, Listing, Number, ParentName, Text, Word, wrong_type
from pantin.fitting.plan.plain import BROKEN
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.plan.vectors import Interval, Vector, as_axis, as_quaternion
from pantin.fitting.plan.words import meant, shown

__all__ = ["DOF", "JOINT", "PLAN", "Field", "Table", "read_object"]


class Field(NamedTuple):
    """A field of an object.

    Attributes:
        name: Its key.
        kind: What it takes.
        meaning: What it says, in a sentence.
        required: Whether it must be there.
        default: What it is where it is absent.
    """

    name: str
    kind: Kind
    meaning: str
    required: bool = True
    default: Any = None


Table = tuple[Field, ...]


def read_object(table: Table, value: Any, report: Report, path: Path, *, lenient: bool = False) -> Any:
    """An object with all fields of a table, in the table's order, and its extensions behind them.

    Args:
        table: The fields.
        value: What should be such an object.
        report: Takes the faults.
        path: Where it stands.
        lenient: Unknown fields are warnings, however strict the report is.

    Returns:
        The object, `BROKEN` in place of each field with a fault; or `BROKEN` where the value is no object.
    """
    if not isinstance(value, dict):
        return wrong_type(value, report, path, "an object in braces")
    known = [field.name for field in table]
    for key in value:
        if key not in known and not key.startswith("x-"):
            _tell_unknown(key, known, report, path, strict=report.strict and not lenient)
    result = {}
    for field in table:
        if field.name in value:
            result[field.name] = field.kind.read(value[field.name], report, (*path, field.name))
        elif field.required:
            hint = f"add {shown(field.name)}: {field.meaning}"
            report.error("missing-field", (*path, field.name), f"{field.name} is missing", hint)
            result[field.name] = BROKEN
        else:
            result[field.name] = field.default
    return result | {key: entry for key, entry in value.items() if key.startswith("x-")}


def _tell_unknown(key: str, known: list[str], report: Report, path: Path, *, strict: bool) -> None:
    hint = meant(key, known, "a field of your own has a name that begins with x-")
    tell = report.error if strict else report.warning
    tell("unknown-field", (*path, key), f"there is no field {shown(key)}{'' if strict else '; it is ignored'}", hint)


@dataclass(frozen=True)
class Record:
    """An object with the fields of a table; the schema knows it by a name."""

    table: Table
    name: str

    def read(self, value: Any, report: Report, path: Path) -> Any:
        """The object with every field filled in."""
        return read_object(self.table, value, report, path)

    def schema(self) -> dict[str, Any]:
        """A reference to the definition of that name."""
        return {"$ref": f"#/$defs/{self.name}"}


_WEIGHT = Number(negative=False)

#: A degree of freedom.
DOF: Table = (
    Field("name", Text(), "its label in results; by itself that of the joint", required=False),
    Field("type", Word(("hinge", "slide")), '"hinge" turns (rad), "slide" shifts (length unit)'),
    Field("axis", Vector(3, as_axis), "3 numbers: its direction in the frame reached so far inside the joint"),
    Field("neutral", Number(), "its preferred value, rad or length unit; a cold fit starts there"),
    Field("limits", Interval(), "[least, largest] value, or null for none; equal ends lock it", required=False),
    Field("weight_scaler", _WEIGHT, "factor on its pull towards neutral", required=False, default=1.0),
)

#: A joint, which is a keypoint too.
JOINT: Table = (
    Field("name", Text(), "its name, and that of the keypoint"),
    Field("parent", ParentName(), "name of the joint that it hangs on, or null for the root"),
    Field("offset_pos", Vector(3), "3 numbers: its origin in the frame of its parent, length unit"),
    Field("offset_quat", Vector(4, as_quaternion), "4 numbers, w x y z: its orientation at rest in that frame"),
    Field("weight_scaler", _WEIGHT, "factor on the weight of its keypoint; 0 switches it off", False, 1.0),
    Field("dofs", Listing(Record(DOF, "dof")), "list of its degrees of freedom, in the order they apply; [] for none"),
)

#: The plan.
PLAN: Table = (
    Field("fixed_base", Flag(), "true: the root is fixed to the world; false: it floats", False, default=False),
    Field("joints", Listing(Record(JOINT, "joint"), may_be_empty=False), "list of joints, parents before children"),
)
