"""Targets out of a table: which columns a target has, and what they say of seeds and times."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.cli._columns import Columns, read_columns
from pantin.cli._pose import QUATERNION_LENGTH_TOLERANCE
from pantin.cli._question import Part, Parts
from pantin.errors import InvalidArgument
from pantin.kinematics.batch import exp3
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import JT_FREEFLYER, JT_PLANAR, JT_REVOLUTE_UNBOUNDED, JT_SPHERICAL
from pantin.kinematics.labels import joint_values
from pantin.kinematics.model import Model

__all__ = ["COLUMN_WAYS", "TargetFile", "read_target_file"]

POSITION = ("x", "y", "z")
QUATERNION = ("qx", "qy", "qz", "qw")
RPY = ("roll", "pitch", "yaw")
DIRECTION = ("dx", "dy", "dz")
TIME = ("time",)
GROUPS = (POSITION, QUATERNION, RPY, DIRECTION, TIME)


#: How the parts of targets are given, for messages.
COLUMN_WAYS: Mapping[Part, str] = {
    "position": "columns x, y, z",
    "rotation": "columns qx, qy, qz, qw or roll, pitch, yaw",
    "direction": "columns dx, dy, dz",
}

#: Numbers of a joint that are of length one together.
UNITS = {JT_SPHERICAL: range(4), JT_PLANAR: range(2, 4), JT_FREEFLYER: range(3, 7)}


class TargetFile(NamedTuple):
    """What a file of targets holds.

    Attributes:
        path: The file.
        columns: The table.
        parts: Positions, shape (n, 3), m, rotation matrices, shape (n, 3, 3), and directions, shape (n, 3), or None for
            what is not given.
        seeds: Configurations to start from, shape (n, nq), or None.
        times: Times of waypoints, shape (n,), s, or None.
    """

    path: str
    columns: Columns
    parts: Parts
    seeds: Array | None
    times: Array | None


def read_target_file(option: str, path: str, model: Model) -> TargetFile:
    """Read targets from a CSV or Parquet file.

    Columns are x, y, z (m); qx, qy, qz, qw or roll, pitch, yaw (rad); dx, dy, dz (a direction of any length); time
    (s); and joints by name, which are seeds. Joints that are left out are at neutral.

    Args:
        option: Name of the option, for messages.
        path: The file.
        model: Model whose joints may be named.

    Raises:
        InvalidArgument: If the file is no such table; the message names the line.
    """
    entries = _joint_entries(model)
    known = [*itertools.chain(*GROUPS), *entries]

    def accept(names: list[str]) -> None:
        for name in names:
            if name not in known:
                raise InvalidArgument(option, _unknown_column(name, model, known))

    columns = read_columns(option, path, accept)
    positions, quaternions, angles, directions, times = (_group(option, columns, group) for group in GROUPS)
    if quaternions is not None and angles is not None:
        raise InvalidArgument(option, "give either qx, qy, qz, qw or roll, pitch, yaw, not both")
    rotations = None
    if quaternions is not None:
        units = _units(option, columns, "the quaternion qx, qy, qz, qw", quaternions)
        rotations = _rotations_of_quaternions(units)
    elif angles is not None:
        roll, pitch, yaw = (exp3(angles[:, i, None] * np.eye(3)[i]) for i in range(3))
        rotations = yaw @ pitch @ roll
    seeds = _seeds(option, columns, model, entries)
    if directions is not None and not directions.any(axis=1).all():
        row = int(np.argmin(directions.any(axis=1)))
        raise InvalidArgument(option, f"{columns.where(row)}: the direction dx, dy, dz is zero")
    parts: Parts = {"position": positions, "rotation": rotations, "direction": directions}
    return TargetFile(path, columns, parts, seeds, None if times is None else times[:, 0])


def _group(option: str, columns: Columns, group: tuple[str, ...]) -> Array | None:
    """Columns that belong together, or None where the table has none of them."""
    missing = [name for name in group if name not in columns.names]
    if len(missing) == len(group):
        return None
    if missing:
        raise InvalidArgument(option, f"column {missing[0]!r} is missing; {', '.join(group)} belong together")
    return columns.pick(group)


def _units(option: str, columns: Columns, what: str, values: Array) -> Array:
    """Rows scaled to the length one, shape (n, k), which they have but for the digits of the file."""
    lengths = np.linalg.norm(values, axis=1)
    wrong = np.abs(lengths - 1.0) > QUATERNION_LENGTH_TOLERANCE
    if wrong.any():
        row = int(np.argmax(wrong))
        mend = "divide it by its length" if lengths[row] > 0 else "for no rotation the last number is 1"
        raise InvalidArgument(option, f"{columns.where(row)}: {what} has length {lengths[row]:.4g}, not 1; {mend}")
    units: Array = values / lengths[:, None]
    return units


def _rotations_of_quaternions(units: Array) -> Array:
    """Rotation matrices, shape (n, 3, 3), of unit quaternions (x, y, z, w)."""
    vector, scalar = units[:, :3], units[:, 3, None, None]
    cross = np.swapaxes(np.cross(vector[:, None], np.eye(3)), 1, 2)
    rotations: Array = np.eye(3) + 2.0 * scalar * cross + 2.0 * cross @ cross
    return rotations


def _joint_entries(model: Model) -> dict[str, tuple[int, int]]:
    """Joint and first entry of the configuration by the name of a column; joints that follow others have none."""
    entries = {}
    for value in joint_values(model, neutral(model)):
        joint = model.joints[model.get_joint_id(value.joint)]
        if joint.mimic is None:
            entries[value.label] = (joint.id, joint.idx_q + value.offset)
    return entries


def _seeds(option: str, columns: Columns, model: Model, entries: dict[str, tuple[int, int]]) -> Array | None:
    """Configurations that joints by name describe, shape (n, nq), or None where no joint is named."""
    named = [name for name in columns.names if name in entries]
    if not named:
        return None
    seeds = np.tile(neutral(model), (len(columns.values), 1))
    for name, values in zip(named, columns.pick(named).T, strict=True):
        joint_id, entry = entries[name]
        if model.joints[joint_id].jtype == JT_REVOLUTE_UNBOUNDED:
            seeds[:, entry], seeds[:, entry + 1] = np.cos(values), np.sin(values)
        else:
            seeds[:, entry] = values
    for joint in model.joints[1:]:
        if joint.jtype in UNITS:
            part = slice(joint.idx_q + UNITS[joint.jtype].start, joint.idx_q + UNITS[joint.jtype].stop)
            what = f"the rotation of joint {model.names[joint.id]!r}"
            seeds[:, part] = _units(option, columns, what, seeds[:, part])
    return seeds


def _unknown_column(name: str, model: Model, known: list[str]) -> str:
    """What is wrong with the name of a column, with the nearest right one."""
    if name in model.names[1:]:
        joint = model.joints[model.get_joint_id(name)]
        if joint.mimic is not None:
            return f"column {name!r} is a joint that follows {model.names[int(joint.mimic.master)]!r}; set that one"
        parts = ", ".join(label for label in known if label.startswith(f"{name}."))
        return f"column {name!r} is a joint of several numbers; name them {parts}"
    close = difflib.get_close_matches(name, known, n=1) or difflib.get_close_matches(name.lower(), known, n=1)
    if close:
        return f"no column is called {name!r}; did you mean {close[0]!r}?"
    words = ", ".join(itertools.chain(*GROUPS))
    return f"no column is called {name!r}; there are {words}, and joints by name"
