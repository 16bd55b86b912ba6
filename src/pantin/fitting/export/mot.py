"""Degrees of freedom over time as a MOT file, the format of motions that OpenSim reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pantin.errors import InvalidArgument
from pantin.fitting.convert.euler import euler_angles
from pantin.fitting.export.frames import check_names, frames_of, in_unit
from pantin.fitting.plan.rotations import matrix_of
from pantin.fitting.result import FitResult

__all__ = ["ROOT", "write_mot"]

#: Columns of a floating root: turns about x, y and z of the moved root, in this order, and its position.
ROOT = ("root_rx", "root_ry", "root_rz", "root_tx", "root_ty", "root_tz")


def write_mot(result: FitResult, path: Path, *, unit: str | None = None, rate: float | None = None) -> None:
    """Write the root and each degree of freedom: turns in degrees, as the header says, slides in units of length.

    The orientation of a floating root is R_x(root_rx) R_y(root_ry) R_z(root_rz), as that of OpenSim's free joint is.

    Args:
        result: The result.
        path: The file.
        unit: Unit of length; that of the plan by default.
        rate: Frames per second, for a result without times.

    Raises:
        InvalidArgument: If unit or rate are not known, or a name breaks the format.
    """
    plan = result.plan
    check_names(plan.dof_names, "MOT")
    taken = [name for name in ("time", *ROOT) if name in plan.dof_names]
    if taken:
        raise InvalidArgument(
            "path", f"the plan has a degree of freedom {taken[0]!r}, as a column of MOT files is called"
        )
    state, time, _ = frames_of(result, rate)
    unit, factor = in_unit(result, unit)
    names, columns = list(plan.dof_names), np.where(plan.dof_is_slide, factor * state.dofs, np.rad2deg(state.dofs))
    if not plan.fixed_base:
        turns = np.unwrap(euler_angles(matrix_of(state.root_quat_wxyz), "XYZ"), axis=0)
        columns = np.concatenate([np.rad2deg(turns), factor * state.root_pos, columns], axis=1)
        names = [*ROOT, *names]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"Coordinates\nversion=1\nnRows={len(time)}\nnColumns={len(names) + 1}\ninDegrees=yes\n")
        file.write(f"\nLengths are in {unit}.\nendheader\n")
        file.write("\t".join(["time", *names]) + "\n")
        for moment, row in zip(time.tolist(), columns.tolist(), strict=True):
            file.write("\t".join(map(repr, [moment, *row])) + "\n")
