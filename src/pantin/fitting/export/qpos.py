"""Motion as MuJoCo's `qpos`, for the model that `BodyPlan.to_mjcf` writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pantin.fitting.convert.mjcf import dof_order, qpos_of
from pantin.fitting.export.frames import frames_of
from pantin.fitting.result import FitResult

__all__ = ["ROOT", "write_qpos"]

#: Names of the numbers of a floating root.
ROOT = ("root_x", "root_y", "root_z", "root_qw", "root_qx", "root_qy", "root_qz")


def write_qpos(result: FitResult, path: Path, *, rate: float | None = None) -> None:
    """Write arrays `qpos`, shape (T, nq), `names`, shape (nq,), and `time`, shape (T,), s, as `numpy.load` reads them.

    A floating root has its position and its quaternion (w, x, y, z) first. The degrees of freedom follow as MuJoCo
    lists them, which is not the order of the plan where a branch was left and taken up again. Lengths are in the unit
    of the plan, as they are in its MJCF.

    Args:
        result: The result.
        path: The file.
        rate: Frames per second, for a result without times.

    Raises:
        InvalidArgument: If times are not known.
    """
    plan = result.plan
    state, time, _ = frames_of(result, rate)
    names = [*(() if plan.fixed_base else ROOT), *(plan.dof_names[dof] for dof in dof_order(plan))]
    with path.open("wb") as file:
        np.savez(file, qpos=qpos_of(plan, state), names=np.array(names, dtype=np.str_), time=time)
