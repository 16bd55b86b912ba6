"""Fit body plans to what is observed of them: one frame, a stream of frames, or a recording in segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array
from pantin.errors import InvalidArgument
from pantin.fitting.finish import finished
from pantin.fitting.found import new_found
from pantin.fitting.join import Join
from pantin.fitting.observations import Observations, observe
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.plan.doors import as_state
from pantin.fitting.problem import FitProblem
from pantin.fitting.progress import in_frames, shown
from pantin.fitting.result import FitResult
from pantin.fitting.scales import camera_scales
from pantin.fitting.segments import Segments, cut, fit_windows, join_windows
from pantin.fitting.single import QuickFit
from pantin.fitting.sources import Points3D, Source
from pantin.fitting.state import State
from pantin.fitting.tracks import Frames, worker_count

__all__ = ["FitSolver", "Init", "fit", "one_state"]

#: A state to start from, or none.
Init = State | Mapping[str, npt.ArrayLike] | None

#: How a recording is cut: into windows of a length, by itself, or not at all.
Cut = Segments | int | Literal["auto"] | None

#: A callback that is told how many frames are done, and how many there are; True for a bar.
Progress = Callable[[int, int], object] | bool | None


class FitSolver:
    """Finds the poses of one body plan, for as many frames and recordings as there are.

    Attributes:
        plan: The body plan.
        options: How to fit.
        sources: What observes it.
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
        self._problem = FitProblem(plan, options, source)
        self._core = self._problem.core()
        self._quick = QuickFit(self._problem, self._core)
        self.plan, self.options, self.sources = plan, options, self._problem.sources

    def __reduce__(self) -> tuple[Any, ...]:
        """What makes the solver anew: it can be copied and sent to other processes."""
        return FitSolver, (self.plan, self.options, self._problem.source)

    def solve(self, positions: Any, weights: Any = None, *, init: Init = None) -> FitResult:
        """Fit one frame.

        Args:
            positions: What was observed, as `observe` takes it, without an axis of frames: keypoints (K, 3) of one
                source of points, length units of the plan; NaN where missing.
            weights: Inverse variances, shape (K,); 1 by default.
            init: A state to start from: then this is the one start. By default the fit is cold: it starts from neutral
                and from a rigid alignment of that pose to what is seen (Kabsch 1976), and the lower objective wins.

        Returns:
            The result of the frame, without an axis of frames. A frame that cannot be fitted has a status that tells
            why; that is no error.

        Raises:
            InvalidArgument: If an argument has another shape, is not real, or a weight is infinite.
        """
        quick = self._quick.solve(positions, weights, init) if self._quick.possible else None
        if quick is not None:
            return quick
        observed = observe(self.plan, positions, weights, self._problem.source)
        if not observed.single:
            raise InvalidArgument("positions", f"expected one frame, got {observed.n_frames}; ask solve_sequence")
        return self._fit(observed, None, init, None, 1, None, False)

    def solve_sequence(
        self,
        positions: Any,
        weights: Any = None,
        *,
        time: npt.ArrayLike | None = None,
        init: Init = None,
        segments: Cut = None,
        workers: int = 1,
        progress: Progress = None,
        partial: bool = False,
    ) -> FitResult:
        """Fit a recording.

        Args:
            positions: What was observed in T frames, as `observe` takes it: keypoints (T, K, 3) of one source of
                points, length units of the plan; NaN where missing. One frame alone is fitted as such.
            weights: Inverse variances, shape (T, K) or (K,); 1 by default.
            time: Times of the frames, s, shape (T,), increasing.
            init: A state that the first frame starts from; by default it is fitted cold, as by `solve`.
            segments: None fits each frame from the one before. `Segments`, a length in frames, or "auto" cut the
                recording into windows, which are fitted each by itself and joined where they agree: much faster, and
                the same for any number of workers.
            workers: Threads that share the windows: a count, or -1 for all cores, -2 for all but one.
            progress: A callback that takes (done, total), or True for a bar on standard error.
            partial: On Ctrl-C give what was fitted so far; frames that were not come as "unsolved".

        Returns:
            The result.

        Raises:
            InvalidArgument: If an argument has another shape, is not real, a weight is infinite, or times do not
                increase.
            SegmentsDisagree: If windows disagree, where `segments` asks for this.
            KeyboardInterrupt: On Ctrl-C, unless `partial`.
        """
        observed = observe(self.plan, positions, weights, self._problem.source)
        times = _times(time, observed)
        with shown(progress) as told:
            return self._fit(observed, times, init, segments, worker_count(workers), told, partial)

    def _fit(
        self,
        observed: Observations,
        time: Array | None,
        init: Init,
        segments: Cut,
        threads: int,
        progress: Callable[[int, int], object] | None,
        partial: bool,
    ) -> FitResult:
        problem, total = self._problem, observed.n_frames
        start = None if init is None else problem.start(one_state(self.plan, init))
        scales = camera_scales(problem, self._core, observed, start)
        core = self._core if scales is None else problem.core(scales)
        frames = Frames(problem, core, observed, problem.start() if start is None else start)
        found = new_found(problem, total)
        joins: tuple[Join, ...] = ()
        told = in_frames(progress, total)
        try:
            if segments is None or total == 0:
                frames.run(
                    found,
                    [(0, total, 0, 0)] if total else [],
                    None if start is None else start[None],
                    progress=told,
                )
            else:
                how, windows = cut(total, segments)
                aside = fit_windows(frames, found, windows, how.overlap, start=start, threads=threads, progress=told)
                joins = join_windows(frames, found, aside, windows, how)
            if progress is not None:
                progress(total, total)
        except KeyboardInterrupt:
            if not partial:
                raise
        frames.keep_values(found)
        return finished(problem, found, observed, time=time, joins=joins, scales=scales)


def fit(
    plan: BodyPlan,
    positions: Any,
    weights: Any = None,
    *,
    time: npt.ArrayLike | None = None,
    init: Init = None,
    segments: Cut = None,
    workers: int = 1,
    progress: Progress = None,
    partial: bool = False,
    options: FitOptions = FitOptions(),  # noqa: B008  # frozen
    source: Source | Sequence[Source] = Points3D(),  # noqa: B008  # frozen
) -> FitResult:
    """Poses of a body plan that best explain what was observed: root motion and joint angles.

    Args:
        plan: The body plan, with K keypoints and N degrees of freedom.
        positions: Keypoints, shape (K, 3) or (T, K, 3), length units of the plan, NaN where missing; a mapping from
            their names to arrays (T, 3); or what else `source` asks for, see `pantin.fitting.observe`.
        weights: Inverse variances, shape (K,) or (T, K); 1 by default.
        time: As for `FitSolver.solve_sequence`.
        init: As for `FitSolver.solve_sequence`.
        segments: As for `FitSolver.solve_sequence`.
        workers: As for `FitSolver.solve_sequence`.
        progress: As for `FitSolver.solve_sequence`.
        partial: As for `FitSolver.solve_sequence`.
        options: How to fit.
        source: What the positions are of: one source, or a list.

    Returns:
        The result; without an axis of frames where the positions have none.

    Raises:
        InvalidArgument: If an argument has another shape or type, is not real, or options contradict each other.
        UnknownDof: If an option names a degree of freedom that the plan lacks.
        UnknownJoint: If a source names a joint that the plan lacks.
    """
    solver = FitSolver(plan, options, source)
    return solver.solve_sequence(
        positions, weights, time=time, init=init, segments=segments, workers=workers, progress=progress, partial=partial
    )


def one_state(plan: BodyPlan, init: State | Mapping[str, npt.ArrayLike]) -> State:
    """The state to start from, checked.

    Raises:
        InvalidArgument: If it has other shapes, is not finite, or more than one state.
    """
    state = as_state(plan, init)
    if state.dofs.ndim != 1:
        raise InvalidArgument("init", f"expected one state, got {state.dofs.shape[:-1]}")
    if not np.isfinite(np.concatenate(state)).all():
        raise InvalidArgument("init", "expected finite numbers, got NaN or infinity")
    return state


def _times(time: npt.ArrayLike | None, observed: Observations) -> Array | None:
    """Times of the frames, checked."""
    if time is None:
        return None
    given = array("time", time)
    expected = (observed.n_frames,)
    if observed.single and given.ndim == 0:
        return given.reshape(1)
    if given.shape != expected:
        raise InvalidArgument("time", f"expected shape {expected}, one time for each frame, got {given.shape}")
    if given.size > 1 and not np.all(np.diff(given) > 0.0):
        frame = int(np.argmin(np.diff(given) > 0.0)) + 1
        raise InvalidArgument("time", f"expected increasing times, but frame {frame} is at {given[frame]:g}")
    return given
