"""Fit: keypoints to joint angles, frame by frame, as a stream, and as a recording in segments.

The other side is the loop that people write by hand on top of Pinocchio (`peers/fit_pinocchio.py`). Single fits are
cold, or start from the pose of the frame before; the loop, which cannot find a turned body, always starts from there.
A run in which a stream of ours ends more than 1 % above the minimum that SciPy finds ends before anything is timed.

As a program it also measures means, tails and what was reached; `docs/benchmarks/fit.md` tells how.

    python benchmarks/fit.py [--once] [--page FILE] [NAME ...]
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import fit_problems as problems
from fit_problems import RECORDING, STREAM, Problem
from harness import Case, Disagreement, Side, on_cores, one_thread_each, processor, run
from pantin import _core
from pantin.arrays import Array
from pantin.fitting import FitResult, FitSolver, State, fit
from robots import optional, pin

#: Frames of a recording whose minimum SciPy looks for, and so far above it ours may end.
JUDGED, EXCESS = 4, 0.01

#: Frames of a stream that the loop fits, and joints from which neither the loop nor SciPy is asked (it takes minutes).
LOOPED, LARGE = 60, 100

#: What is timed, by its name in the table.
WORKS = ("cold", "warm", "stream", "segments")


class Bench:
    """A problem, and how each side solves it.

    Attributes:
        problem: The problem.
        solver: Ours.
        poses: Frames that are fitted one by one.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.source = {"source": list(problem.cameras)} if problem.cameras else {}
        self.solver = FitSolver(problem.plan, problem.options, **self.source)
        self.poses = problem.poses()

    @cached_property
    def solved(self) -> FitResult:
        """The recording, fitted as one stream."""
        return self.solver.solve_sequence(self.problem.observed)

    @cached_property
    def starts(self) -> list[State]:
        """The pose of the frame before each of the poses."""
        step = max(1, len(self.problem.observed) // problems.POSES)
        before = [max(0, step * i - 1) for i in range(len(self.poses))]
        return [State(*(part[t] for part in self.solved.state)) for t in before]

    def side(self, work: str) -> Side:
        """Our side of some work."""
        solver, problem = self.solver, self.problem
        recording = RECORDING if problem.plan.n_joints < LARGE else RECORDING // 10

        def start_from(target: Array, state: State) -> FitResult:
            return solver.solve(target, init=state)

        def segments(targets: Array) -> FitResult:
            return fit(problem.plan, targets, segments="auto", options=problem.options, **self.source)

        match work:
            case "cold":
                return Side(solver.solve, [(target,) for target in self.poses])
            case "warm":
                return Side(start_from, list(zip(self.poses, self.starts, strict=True)))
            case "stream":
                return Side(solver.solve_sequence, [(problem.frames(STREAM),)], per_call=STREAM)
            case _:
                return Side(segments, [(problem.frames(recording),)], per_call=recording)

    @cached_property
    def hand_made(self) -> Any:
        """The loop on top of Pinocchio; None where it cannot fit this."""
        plain = not self.problem.cameras and self.problem.options.loss == "linear"
        if pin is None or not plain or self.problem.plan.n_joints > LARGE:
            return None
        from peers.fit_pinocchio import Loop  # noqa: PLC0415  # which needs Pinocchio

        return Loop(self.problem.plan, self.problem.options.neutral_weight)

    def loop(self, work: str) -> Side | None:
        """The loop's side of some work, where it can do it."""
        loop, length = self.hand_made, self.problem.plan.length
        if loop is None or work == "segments":
            return None
        if work == "stream":
            targets, first = self.problem.positions[:LOOPED] / length, loop.q(*(part[0] for part in self.solved.state))
            return Side(loop.stream, [(targets, first)], per_call=len(targets))
        starts = [loop.q(*state) for state in self.starts]
        return Side(loop.solve, [(target / length, q) for target, q in zip(self.poses, starts, strict=True)])

    def excess(self, states: State, frames: Sequence[int]) -> float | None:
        """How far states of some frames of the recording are above SciPy's minima, relative, on average."""
        plain = not self.problem.cameras and self.problem.options.loss == "linear"
        if optional("scipy") is None or not plain or self.problem.plan.n_joints > LARGE:
            return None
        from peers.fit_scipy import minimum, objective  # noqa: PLC0415  # which needs SciPy

        plan, weight = self.problem.plan, self.problem.options.neutral_weight
        ours, least = 0.0, 0.0
        for i, t in enumerate(frames):
            target, state = self.problem.positions[t], State(*(part[i] for part in states))
            cost = float(objective(plan, target, state, weight))
            start = State(*(part[t] for part in self.solved.state))
            ours, least = ours + cost, least + min(cost, minimum(plan, target, start, weight)[1])
        return ours / least - 1.0

    def judged(self, frames: Sequence[int]) -> list[int]:
        """Some of the frames in which most is seen: where a gap holds a limb, the objective is another one."""
        seen = np.isfinite(self.problem.positions[frames]).sum(axis=(1, 2))
        most = np.flatnonzero(seen == seen.max())
        return [frames[i] for i in most[np.linspace(0, len(most) - 1, JUDGED).astype(int)]]

    def judge(self) -> None:
        """Compares the stream with SciPy's minima.

        Raises:
            Disagreement: If it ends too far above them.
        """
        frames = self.judged(range(len(self.problem.observed)))
        excess = self.excess(State(*(part[frames] for part in self.solved.state)), frames)
        if excess is not None and excess > EXCESS:
            raise Disagreement(f"{self.problem.name}: {100.0 * excess:.2g} % above the minimum")


def bodies() -> list[tuple[Problem, tuple[str, ...]]]:
    """All problems, and what is timed of each."""
    walker = problems.walker()
    free = problems.without_limits(walker)
    recorded = problems.fly()
    warm = ("stream", "segments")
    return [
        *([(recorded, WORKS)] if recorded else []),
        (free, WORKS),
        (walker, warm),
        *((problems.with_loss(free, loss), warm) for loss in ("huber", "cauchy", "geman_mcclure")),
        (problems.seen_by_cameras(free), warm),
        (problems.follower(), WORKS),
        (problems.tree(40), warm),
        (problems.tree(400), warm),
    ]


def cases() -> list[Case]:
    """All cases of this floor."""
    return [case for problem, works in bodies() for case in _cases(problem, works)]


def _cases(problem: Problem, works: Sequence[str]) -> list[Case]:
    bench = Bench(problem)
    bench.judge()
    found = []
    for work in works:
        sides, loop = {"pantin": bench.side(work)}, bench.loop(work)
        if loop is not None:
            sides["pin"] = loop
        found.append(Case("fit", f"{problem.name.replace('no limits', 'free')}: {work}", sides))
    return found


def main() -> None:
    from peers.fit_page import measured, page, table  # noqa: PLC0415  # run.py needs none of them
    from peers.page import plain  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="words that a body's name must contain")
    parser.add_argument("--once", action="store_true", help="run each case once, and time nothing")
    parser.add_argument("--page", type=Path, metavar="FILE", help="also write a page of the documentation")
    options = parser.parse_args()
    one_thread_each()
    rows = []
    for problem, works in bodies():
        if options.names and not any(word in problem.name for word in options.names):
            continue
        if options.once:
            for case in _cases(problem, works):
                run(case, once=True)
            continue
        with on_cores(1):
            rows += measured(Bench(problem), works)
        print(plain(table([row for row in rows if row.body == problem.name])) + "\n", flush=True)
    if options.page:
        machine = f"{datetime.date.today()}, {processor()}, level `{_core.level()}`."
        options.page.write_text(page(rows, machine, STREAM, RECORDING), encoding="utf-8")


if __name__ == "__main__":
    main()
