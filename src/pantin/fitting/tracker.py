"""Fits of a stream, one frame at a time as it comes."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from pantin import _core
from pantin.arrays import Array, scalar
from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.finish import finished
from pantin.fitting.next_frame import NextFrame, cost_of, status_of
from pantin.fitting.observations import Observations, observe
from pantin.fitting.options import FitOptions
from pantin.fitting.past import Past
from pantin.fitting.plan import BodyPlan
from pantin.fitting.problem import FitProblem
from pantin.fitting.result import FitResult
from pantin.fitting.scales import camera_scales
from pantin.fitting.solver import Init, one_state
from pantin.fitting.sources import Points3D, Source
from pantin.fitting.state import State
from pantin.fitting.tracks import Frames, state_row

__all__ = ["Tracker"]


class Tracker:
    """Follows one body through a stream of frames.

    Each frame starts from the one before, the first cold, and gets what `FitSolver.solve_sequence` would find for it
    in a recording of all frames so far; only gaps cannot be interpolated, for what comes behind them is not known yet.
    Then `gap="interpolate"` holds as "hold" does. A tracker belongs to one caller; it can be pickled and copied.

    Attributes:
        plan: The body plan.
        options: How to fit; `max_iterations` is what a frame may take.
        sources: What observes it.
        time_limit_ms: Time for the fit of a frame, ms, or None.
        frames: How many frames were fitted since the tracker was made or reset.
    """

    def __init__(
        self,
        plan: BodyPlan,
        options: FitOptions = FitOptions(),  # noqa: B008  # frozen
        source: Source | Sequence[Source] = Points3D(),  # noqa: B008  # frozen
        *,
        time_limit_ms: float | None = None,
    ) -> None:
        """Prepare to follow a body.

        Args:
            plan: The body plan.
            options: How to fit.
            source: What the positions are of: one source, or a list. Cameras stand still.
            time_limit_ms: Time for the fit of a frame, ms. One that runs out of it has the status "deadline" and the
                best pose that was found in time, which is within the limits. What is measured is the minimisation
                alone, not the checks at the door.

        Raises:
            InvalidArgument: If an argument is of another type, a camera moves, or a prescribed degree of freedom has
                more than one value.
            UnknownDof: If an option names a degree of freedom that the plan lacks.
            UnknownJoint: If a source names a joint that the plan lacks.
        """
        self._problem = FitProblem(plan, options, source)
        self.plan, self.options, self.sources = plan, options, self._problem.sources
        for index in self._problem.cameras:
            camera = self.sources[index]
            if isinstance(camera, Camera) and camera.n_frames is not None:
                raise InvalidArgument(
                    "source", f"camera {index} moves over {camera.n_frames} frames; a stream has no end"
                )
        for name, values in options.prescribe.items():
            if np.size(values) != 1:
                raise InvalidArgument(
                    "prescribe", f"expected one value of {name!r}, for a stream has no end; got {np.size(values)}"
                )
        limit = None if time_limit_ms is None else scalar("time_limit_ms", time_limit_ms, lower=0.0, upper=1e9)
        self.time_limit_ms, self._limit = limit, None if limit is None else 1e-3 * limit
        self.reset()

    def reset(self, init: Init = None) -> None:
        """Forget all frames; the next one starts from a state, or cold.

        Args:
            init: The state.

        Raises:
            InvalidArgument: If the state has other shapes or is not finite; the tracker is as it was.
        """
        start = None if init is None else self._problem.start(one_state(self.plan, init))
        self._start = start
        self._neutral = self._problem.start() if start is None else start
        self._past = Past(self._neutral, start is not None)
        self._quaternion: Array | None = None
        self._scales: Array | None = None
        self._core: _core.FitCore = self._problem.core(time_limit=self._limit)
        self.frames = 0

    @property
    def state(self) -> State:
        """The pose that the next frame starts from: that of the frame before, or of the last that was explained.

        Before the first frame it is the state of `reset`, or neutral. It is never NaN.
        """
        row = self._past.last.copy()
        return State(row[:3], row[3:7], row[7:])

    def step(self, positions: Any, weights: Any = None) -> FitResult:
        """Fit the next frame.

        Args:
            positions: What was observed, as `FitSolver.solve` takes it; NaN where missing. It is copied.
            weights: Inverse variances, shape (K,); 1 by default.

        Returns:
            The result of the frame, without an axis of frames. Whatever was observed is no error: a frame that cannot
            be fitted has a status that tells why, and the next one is fitted as if it had not been.

        Raises:
            InvalidArgument: If an argument has another shape, is not real, or a weight is infinite; the tracker is as
                it was.
        """
        problem, past = self._problem, self._past
        observed = observe(self.plan, positions, weights, problem.source)
        if not observed.single:
            raise InvalidArgument(
                "positions", f"expected one frame, got {observed.n_frames}; FitSolver.solve_sequence fits many"
            )
        observed = _copied(observed)
        scales, core = self._scales, self._core
        if scales is None and problem.cameras and _shows_anything(observed):
            scales = camera_scales(problem, core, observed, self._start)
            core = problem.core(scales, self._limit)
        frame = NextFrame(
            Frames(problem, core, observed, self._neutral), past, self._limit, lambda left: problem.core(scales, left)
        )
        found = frame.fit()
        usual, row, seen = frame.is_usual(found), state_row(found, 0), found["seen"][0].copy()
        result = finished(problem, found, observed, scales=scales, before=self._quaternion)
        row[3:7] = result.root_quat_wxyz
        past.go_on(row, seen, status_of(found), cost_of(found), usual=usual)
        self._quaternion, self._scales, self._core = row[3:7], scales, core
        self.frames += 1
        return result

    def __getstate__(self) -> dict[str, Any]:
        """All but the core, which is made anew, with a past of its own."""
        state = {name: value for name, value in self.__dict__.items() if name != "_core"}
        return {**state, "_past": copy.deepcopy(self._past)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Go on where the tracker was."""
        self.__dict__.update(state)
        self._core = self._problem.core(self._scales, self._limit)


def _copied(observed: Observations) -> Observations:
    """The observations on memory of their own, for that of a stream is often filled anew."""
    weights = tuple(None if each is None else each.copy() for each in observed.weights)
    return dataclasses.replace(observed, positions=tuple(each.copy() for each in observed.positions), weights=weights)


def _shows_anything(observed: Observations) -> bool:
    return any(observed.seen(source).any() for source in range(len(observed.sources)))
