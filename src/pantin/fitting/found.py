"""What the core finds, frame by frame: the arrays that it fills, and the result that they become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.fitting.problem import FitProblem
from pantin.fitting.status import STATUSES, FitStatus

__all__ = ["UNSOLVED", "Found", "new_found", "per_source"]

Found = Mapping[str, npt.NDArray[Any]]

#: Code of a frame that the core has not come to.
UNSOLVED = STATUSES.index(FitStatus.UNSOLVED)


def new_found(problem: FitProblem, frames: int) -> dict[str, npt.NDArray[Any]]:
    """Arrays for the core to fill, a row a frame; a frame that it does not come to says so."""
    dofs, joints = problem.plan.n_dofs, problem.plan.n_joints
    sources = len(problem.points) + len(problem.cameras)
    misfits = sources * joints + _turns(problem) + _ties(problem)
    return {
        "root_pos": np.empty((frames, 3)),
        "root_quat_wxyz": np.empty((frames, 4)),
        "dofs": np.empty((frames, dofs)),
        "costs": np.empty((frames, sources + 3)),
        "misfits": np.empty((frames, misfits)),
        "outlier": np.empty((frames, misfits), dtype=np.bool_),
        "status_code": np.full(frames, UNSOLVED, dtype=np.int8),
        "at_limit": np.empty((frames, dofs), dtype=np.int8),
        "iterations": np.empty(frames, dtype=np.int32),
        "behind_camera": np.empty(frames, dtype=np.int32),
        "seen": np.empty((frames, dofs), dtype=np.bool_),
        "restarted": np.empty(frames, dtype=np.bool_),
    }


def _turns(problem: FitProblem) -> int:
    """Number of orientations of a frame."""
    return 0 if problem.turns is None else len(problem.sources[problem.turns].joints)  # type: ignore[attr-defined]


def _ties(problem: FitProblem) -> int:
    """Number of distances of a frame."""
    return 0 if problem.ties is None else len(problem.sources[problem.ties].pairs)  # type: ignore[attr-defined]


def per_source(problem: FitProblem, found: Found) -> dict[str, Any]:
    """The arrays of a result: what the core tells of all sources in one row, told of each in the user's order."""
    joints = problem.plan.n_joints
    order = [*problem.points, *problem.cameras]
    columns = {source: slice(k * joints, (k + 1) * joints) for k, source in enumerate(order)}
    costs = {source: k for k, source in enumerate(order)}
    if problem.turns is not None:
        columns[problem.turns] = slice(len(order) * joints, len(order) * joints + _turns(problem))
        costs[problem.turns] = len(order)
    if problem.ties is not None:
        columns[problem.ties] = slice(len(order) * joints + _turns(problem), None)
        costs[problem.ties] = len(order) + 1
    sources = range(len(problem.sources))
    only = len(sources) == 1
    data = np.stack([found["costs"][:, costs[source]] for source in sources], axis=1)
    prior = np.ascontiguousarray(found["costs"][:, -1])
    arrays = {name: array for name, array in found.items() if name not in ("costs", "misfits", "outlier")}
    return {
        **arrays,
        "cost": data.sum(axis=1) + prior,
        "cost_data": data,
        "cost_prior": prior,
        "residuals": tuple(_part(found["misfits"], columns[source], only) for source in sources),
        "outliers": tuple(_part(found["outlier"], columns[source], only) for source in sources),
    }


def _part(array: npt.NDArray[Any], columns: slice, only: bool) -> npt.NDArray[Any]:
    """Columns of an array, all of them without a copy."""
    return array if only else np.ascontiguousarray(array[:, columns])
