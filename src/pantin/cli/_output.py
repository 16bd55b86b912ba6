"""How commands print: a console, plain tables, JSON, and names for the numbers of a configuration."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from pantin.arrays import Array
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
)
from pantin.kinematics.model import Model

__all__ = [
    "JointValue",
    "console",
    "decimals",
    "joint_facts",
    "joint_values",
    "percent",
    "plain_table",
    "print_json",
    "print_table",
    "width_of",
]

_QUATERNION = (("qx", ""), ("qy", ""), ("qz", ""), ("qw", ""))

#: Names and units of the numbers of a joint that has several.
COMPONENTS: Mapping[int, tuple[tuple[str, str], ...]] = {
    JT_SPHERICAL: _QUATERNION,
    JT_PLANAR: (("x", "m"), ("y", "m"), ("cos", ""), ("sin", "")),
    JT_FREEFLYER: (("x", "m"), ("y", "m"), ("z", "m"), *_QUATERNION),
}


class JointValue(NamedTuple):
    """One number of a configuration, or of many.

    Attributes:
        joint: Name of its joint.
        component: Which number of the joint, empty where the joint has one.
        offset: The same, counted from 0.
        value: The number, shape (...); the angle of a continuous joint.
        unit: "rad", "m", or "" for a number without unit.
    """

    joint: str
    component: str
    offset: int
    value: Array
    unit: str

    @property
    def label(self) -> str:
        """Joint and component in one word."""
        return f"{self.joint}.{self.component}" if self.component else self.joint


def joint_values(model: Model, q: Array) -> list[JointValue]:
    """Numbers of configurations with names and units, mimic joints included.

    Args:
        model: Model of the configurations.
        q: Configurations, shape (..., nq).

    Returns:
        One entry per number; continuous joints give their angle instead of cosine and sine.
    """
    values: list[JointValue] = []
    for joint_id in range(1, model.njoints):
        joint = model.joints[joint_id]
        name = model.names[joint_id]
        if joint.jtype in COMPONENTS:
            values += [
                JointValue(name, component, index, q[..., joint.idx_q + index], unit)
                for index, (component, unit) in enumerate(COMPONENTS[joint.jtype])
            ]
        else:
            unit = "m" if joint.jtype == JT_PRISMATIC else "rad"
            values.append(JointValue(name, "", 0, _single(model, joint_id, q), unit))
    return values


def joint_facts(model: Model, q: Array) -> dict[str, float | list[float]]:
    """Value of each joint by name, as JSON tells it; joints of several numbers have a list."""
    values = joint_values(model, q)
    joints = {name: [float(one.value) for one in own] for name, own in itertools.groupby(values, lambda one: one.joint)}
    return {name: own[0] if len(own) == 1 else own for name, own in joints.items()}


def _single(model: Model, joint_id: int, q: Array) -> Array:
    """Angle or displacement of a joint of one freedom, shape (...)."""
    joint = model.joints[joint_id]
    if joint.mimic is not None:
        return np.asarray(joint.mimic.multiplier * _single(model, int(joint.mimic.master), q) + joint.mimic.offset)
    if joint.jtype == JT_REVOLUTE_UNBOUNDED:
        return np.asarray(np.arctan2(q[..., joint.idx_q + 1], q[..., joint.idx_q]))
    return np.asarray(q[..., joint.idx_q])


def decimals(value: float, digits: int) -> str:
    """A number with so many digits behind the point, and no sign where these are all zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def percent(part: int, whole: int) -> str:
    """A share in percent, never rounded up to all of it."""
    share = 100.0 * part / whole
    return f"{min(share, 99.99) if part < whole else share:.2f} %"


def console() -> Console:
    """Console on standard output that prints names as they are."""
    return Console(highlight=False, markup=False, emoji=False)


def plain_table(*columns: str, right: tuple[str, ...] = (), gap: int = 2) -> Table:
    """Table of aligned columns without rules; long words fold, so nothing is cut off.

    Args:
        columns: Headings.
        right: Those whose cells stand on the right, as numbers do.
        gap: Blanks between columns.
    """
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def width_of(table: Table, out: Console) -> int:
    """Columns of the screen that a table wants."""
    return Measurement.get(out, out.options.update(max_width=10_000), table).maximum


def print_table(table: Table, out: Console) -> None:
    """Print a table without the blanks that fill its lines."""
    with out.capture() as capture:
        out.print(table)
    out.file.write("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n")


def print_json(facts: Mapping[str, object]) -> None:
    """Print facts as one JSON object; not-a-number and infinity have no place in it."""
    print(json.dumps(facts, indent=2, allow_nan=False, ensure_ascii=False))
