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
    dofs = problem.plan.n_dofs
    sources = len(problem.points) + len(problem.cameras)
    misfits = max(place.misfits.stop for place in problem.places)
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


def per_source(problem: FitProblem, found: Found) -> dict[str, Any]:
    """The arrays of a result: what the core tells of all sources in one row, told of each in the user's order."""
    costs, only = found["costs"], len(problem.sources) == 1
    prior = np.ascontiguousarray(costs[:, -1])
    if only:
        data = costs[:, problem.places[0].cost, None].copy()
        cost = data[:, 0] + prior
    else:
        data = np.stack([costs[:, place.cost] for place in problem.places], axis=1)
        cost = data.sum(axis=1) + prior
    arrays = {name: array for name, array in found.items() if name not in ("costs", "misfits", "outlier")}
    return {
        **arrays,
        "cost": cost,
        "cost_data": data,
        "cost_prior": prior,
        "residuals": tuple(_part(found["misfits"], place.misfits, only) for place in problem.places),
        "outliers": tuple(_part(found["outlier"], place.misfits, only) for place in problem.places),
    }


def _part(array: npt.NDArray[Any], columns: slice, only: bool) -> npt.NDArray[Any]:
    """Columns of an array, all of them without a copy."""
    return array if only else np.ascontiguousarray(array[:, columns])
