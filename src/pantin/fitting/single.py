"""Fits of one frame of points, by the shortest way there and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.fitting.observations import Observations
from pantin.fitting.problem import FitProblem
from pantin.fitting.result import FitResult
from pantin.fitting.state import State

__all__ = ["QuickFit"]


class QuickFit:
    """Answers what needs no second look: one frame of points in space in plain arrays, no value kept, nothing wrapped.

    Attributes:
        possible: Whether there are such questions.
    """

    def __init__(self, problem: FitProblem, core: _core.FitCore) -> None:
        options = problem.options
        self.possible = (
            problem.is_plain
            and not problem.fixed.any()
            and not (options.wrap or options.gap == "nan" or options.starts)
        )
        self._core, self._sources = core, problem.sources
        self._same = {
            "plan": problem.plan,
            "options": options,
            "source": problem.sources,
            "behind_camera": np.int32(0),
            "scales": problem.misfit_scales(None),
            "restarted": np.False_,
            "time": None,
            "joins": (),
            "infinite": 0,
            "provenance": problem.provenance,
        }
        self._none_filled = np.zeros(problem.plan.n_dofs, dtype=np.bool_)

    def solve(self, positions: Any, weights: Any, init: State | Mapping[str, npt.ArrayLike] | None) -> FitResult | None:
        """The result, or None where the arguments have to be looked at first."""
        if init is None:
            found = self._core.solve_one(positions, weights, None, None, None)
        elif isinstance(init, State) and init.dofs is not None:
            found = self._core.solve_one(positions, weights, *init)
        elif isinstance(init, dict) and init.keys() == {*State._fields} and init["dofs"] is not None:
            found = self._core.solve_one(positions, weights, *(init[name] for name in State._fields))
        else:
            return None
        if found is None:
            return None
        root_pos, root_quat, dofs, misfits, outlier, at_limit, seen, counted, data, prior, code, iterations = found
        return FitResult.trusted(
            **self._same,
            root_pos=root_pos,
            root_quat_wxyz=root_quat,
            dofs=dofs,
            cost=np.float64(data + prior),
            cost_data=np.array((data,)),
            cost_prior=np.float64(prior),
            status_code=np.int8(code),
            iterations=np.int32(iterations),
            residuals=(misfits,),
            outliers=(outlier,),
            at_limit=at_limit,
            seen=seen,
            interpolated=self._none_filled.copy(),
            observations=Observations(
                self._sources, (positions[None],), (None if counted is None else counted[None],), True, 1, 0
            ),
        )
