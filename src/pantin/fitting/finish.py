"""From what the core found to a result: gaps filled, signs and turns continuous, and where it all came from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.found import per_source
from pantin.fitting.gaps import interpolate_gaps
from pantin.fitting.join import Join
from pantin.fitting.observations import Observations
from pantin.fitting.problem import FitProblem
from pantin.fitting.result import FitResult

__all__ = ["finished"]


def finished(
    problem: FitProblem,
    found: dict[str, npt.NDArray[Any]],
    observed: Observations,
    *,
    time: Array | None = None,
    joins: tuple[Join, ...] = (),
    scales: Array | None = None,
) -> FitResult:
    """The result of T frames.

    Args:
        problem: What they were fitted with.
        found: What was found of each frame.
        observed: What was seen.
        time: Times of the frames, s.
        joins: Where segments were joined.
        scales: Pixels that misfits in each camera are relative to.
    """
    plan, options = problem.plan, problem.options
    arrays = per_source(problem, found)
    _make_continuous(arrays["root_quat_wxyz"])
    if options.gap == "interpolate":
        arrays["interpolated"] = interpolate_gaps(arrays["dofs"], arrays["seen"], options.max_gap)
    elif options.gap == "nan":
        arrays["dofs"][~arrays["seen"]] = np.nan
    if options.wrap:
        free = ~plan.dof_is_slide & np.isinf(plan.lower) & np.isinf(plan.upper)
        angles = arrays["dofs"][:, free]
        arrays["dofs"][:, free] = np.pi - np.remainder(np.pi - angles, 2 * np.pi)
    return FitResult(
        plan=plan,
        options=options,
        source=problem.sources,
        **arrays,
        scales=problem.misfit_scales(scales),
        time=time,
        joins=joins,
        observations=observed,
        infinite=observed.infinite,
        provenance=problem.provenance,
    )


def _make_continuous(quaternions: Array) -> None:
    """Choose signs in place: the first has w >= 0, each other is near the one before."""
    if not len(quaternions):
        return
    same = np.einsum("ti,ti->t", quaternions[1:], quaternions[:-1]) >= 0.0
    first = 1.0 if quaternions[0, 0] >= 0.0 else -1.0
    signs = np.cumprod(np.concatenate(([first], np.where(same, 1.0, -1.0))))
    if (signs < 0.0).any():
        quaternions *= signs[:, None]
