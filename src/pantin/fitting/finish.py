"""From what the core found to a result: gaps filled, signs and turns continuous, and where it all came from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.found import UNSOLVED, Found, per_source
from pantin.fitting.gaps import interpolate_gaps
from pantin.fitting.join import Join
from pantin.fitting.observations import Observations
from pantin.fitting.problem import FitProblem
from pantin.fitting.result import FitResult

__all__ = ["finished"]


def finished(
    problem: FitProblem,
    found: Found,
    observed: Observations,
    *,
    time: Array | None = None,
    joins: tuple[Join, ...] = (),
    scales: Array | None = None,
    before: Array | None = None,
) -> FitResult:
    """The result of T frames, or of one where a single frame was observed.

    Args:
        problem: What they were fitted with.
        found: What was found of each frame.
        observed: What was seen.
        time: Times of the frames, s.
        joins: Where segments were joined.
        scales: Pixels that misfits in each camera are relative to.
        before: Quaternion of the frame before them, whose sign they go on with; None where there is none.
    """
    plan, options = problem.plan, problem.options
    unsolved = found["status_code"] == UNSOLVED
    if unsolved.any():
        _make_blank(found, unsolved)
    arrays = per_source(problem, found)
    shape = arrays["dofs"].shape
    _make_continuous(arrays["root_quat_wxyz"], before)
    filled = None
    if options.gap == "interpolate" and not observed.single:
        filled = interpolate_gaps(arrays["dofs"], arrays["seen"], options.max_gap) & ~unsolved[:, None]
        arrays["dofs"][unsolved] = np.nan
    elif options.gap == "nan":
        arrays["dofs"][~arrays["seen"]] = np.nan
    if options.wrap:
        free = ~plan.dof_is_slide & np.isinf(plan.lower) & np.isinf(plan.upper)
        angles = arrays["dofs"][:, free]
        arrays["dofs"][:, free] = np.pi - np.remainder(np.pi - angles, 2 * np.pi)
    each = problem.misfit_scales(scales)
    if observed.single:
        arrays = {name: _first(value) for name, value in arrays.items()}
        arrays["interpolated"], arrays["scales"] = np.zeros(shape[1], dtype=np.bool_), each
    else:
        arrays["interpolated"] = np.broadcast_to(False, shape) if filled is None else filled
        arrays["scales"] = np.broadcast_to(each, (len(unsolved), len(each)))
    return FitResult.trusted(
        plan=plan,
        options=options,
        source=problem.sources,
        **arrays,
        time=time[0] if time is not None and observed.single else time,
        joins=joins,
        observations=observed,
        infinite=observed.infinite,
        provenance=problem.provenance,
    )


def _first(arrays: Any) -> Any:
    """The first row of an array, or of each of several."""
    return tuple(array[0] for array in arrays) if isinstance(arrays, tuple) else arrays[0]


def _make_blank(found: Found, frames: npt.NDArray[np.bool_]) -> None:
    """Frames of which nothing was found, in place: NaN, 0 and False, and that they are unsolved."""
    for name, array in found.items():
        if name != "status_code":
            array[frames] = np.nan if array.dtype.kind == "f" else 0


def _make_continuous(quaternions: Array, before: Array | None) -> None:
    """Choose signs in place: each is near the one before; the first has w >= 0 where there is none."""
    if len(quaternions) < 2:
        if len(quaternions) and (quaternions[0, 0] if before is None else quaternions[0] @ before) < 0.0:
            quaternions *= -1.0
        return
    same = ~(np.einsum("ti,ti->t", quaternions[1:], quaternions[:-1]) < 0.0)  # which NaN is not
    first = 1.0 if (quaternions[0, 0] if before is None else quaternions[0] @ before) >= 0.0 else -1.0
    signs = np.cumprod(np.concatenate(([first], np.where(same, 1.0, -1.0))))
    if (signs < 0.0).any():
        quaternions *= signs[:, None]
