"""Fit body plans to what is observed of them: one frame, a stream of frames, or a recording in segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, array
from pantin.errors import InvalidArgument
from pantin.fitting.found import Found, new_found, per_source
from pantin.fitting.observations import Observations, observe
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.plan.doors import as_state
from pantin.fitting.problem import FitProblem
from pantin.fitting.result import FitResult
from pantin.fitting.sources import Points3D, Source
from pantin.fitting.state import State

__all__ = ["FitSolver"]

Start = State | Mapping[str, npt.ArrayLike] | None


class FitSolver:
    """Finds the poses of one body plan, for as many recordings as there are.

    Attributes:
        plan: The body plan.
        options: How to fit.
        source: What observes it: one source, or several.
    """

    def __init__(
        self,
        plan: BodyPlan,
        options: FitOptions = FitOptions(),  # noqa: B008  # frozen
        source: Source | Sequence[Source] = Points3D(),  # noqa: B008  # frozen
    ) -> None:
        """Prepare the fit.

        Args:
            plan: The body plan.
            options: How to fit.
            source: What the positions of a fit are of: one source, or a list.

        Raises:
            InvalidArgument: If an argument is of another type, or the options contradict each other.
            UnknownDof: If an option names a degree of freedom that the plan lacks.
            UnknownJoint: If a source names a joint that the plan lacks.
        """
        if not isinstance(plan, BodyPlan):
            raise InvalidArgument("plan", f"expected a BodyPlan, got a {type(plan).__name__}")
        if not isinstance(options, FitOptions):
            raise InvalidArgument("options", f"expected FitOptions, got a {type(options).__name__}")
        sources = (source,) if isinstance(source, Source) else tuple(source)
        self.plan, self.options, self.source = plan, options, source
        self._problem = FitProblem(plan, options, sources)
        self._core = self._problem.core()

    def solve(self, positions: Any, weights: Any = None, *, init: Start = None) -> FitResult:
        """Fit one frame.
        """
        observed = observe(self.plan, positions, weights, self.source)
        return self.solve_sequence(positions, weights, init=init)[0]

    def solve_sequence(self, positions: Any, weights: Any = None, *, init: Start = None) -> FitResult:
        """
        """
        observed = observe(self.plan, positions, weights, self.source)
        n = observed.n_frames
        found = new_found(self._problem, n)
        start = None if init is None else self._problem.start(as_state(self.plan, init))
        tracks = np.array([[0, n, 0, 0, -1 if start is None else 0]], dtype=np.int64)
        self._core.run(
            **self._problem.rows(observed.positions, observed.weights), prescribed=None, neutral=self._problem.start(),
            found=found, aside=None, tracks=tracks, starts=None if start is None else start[None], progress=None,
            wide=False, threads=1)
        return FitResult(plan=self.plan, options=self.options, source=observed.sources, observations=observed,
                         **per_source(self._problem, found))
