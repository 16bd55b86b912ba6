"""Timing of the same work by several libraries, side by side.

A case has one side per library. Before anything is timed a judge compares the answers of all sides. Then the
sides take turns, sweep by sweep, on one core with the garbage collector off, so that a busy machine disturbs all
of them alike; what counts is the ratio of their medians.
"""

from __future__ import annotations

import gc
import os
import platform
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import starmap
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np
import numpy.typing as npt

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

#: Libraries in the order of the table; the first is the one whose speed is asked.
LIBRARIES = ("pantin", "pin", "pinker", "mujoco", "pin-pink")

_TURNS, _LEAST_TURNS = 25, 7
_SECONDS_PER_TURN = 0.002
_SECONDS_PER_CASE = 4.0
_SAMPLES_JUDGED = 5
_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@dataclass(frozen=True)
class Side:
    """How one library does the work of a case.

    Attributes:
        call: Function to time.
        arguments: Positional arguments of each call; one sweep makes them all in turn.
        answer: Result for the sample of this index, for the judge; None where it cannot be compared.
        per_call: How many problems one call solves.
    """

    call: Callable[..., object]
    arguments: Sequence[tuple[object, ...]]
    answer: Callable[[int], npt.ArrayLike] | None = None
    per_call: int = 1

    def sweep(self) -> float:
        """Seconds per problem of one sweep."""
        calls = starmap(self.call, self.arguments)
        start = perf_counter()
        deque(calls, maxlen=0)
        return (perf_counter() - start) / (len(self.arguments) * self.per_call)


@dataclass(frozen=True)
class Stopwatch(Side):
    """A side whose call returns the seconds it took by its own clock."""

    def sweep(self) -> float:
        """Seconds per problem of one sweep."""
        return sum(map(float, starmap(self.call, self.arguments))) / (len(self.arguments) * self.per_call)


@dataclass(frozen=True)
class Case:
    """One piece of work.

    Attributes:
        robot: Name of the robot, or of the subject.
        name: Name of the work.
        sides: Side of each library that can do it; "pantin" among them.
        cores: Cores it runs on.
        tolerance: Largest difference between answers, absolute.
    """

    robot: str
    name: str
    sides: dict[str, Side]
    cores: int = 1
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Result:
    """Medians of a case, microseconds per problem, by library; None where nothing was timed."""

    robot: str
    name: str
    medians: dict[str, float | None]

    def ratio(self, library: str) -> float | None:
        """Time of the first library over that of another."""
        ours, theirs = self.medians.get(LIBRARIES[0]), self.medians.get(library)
        return ours / theirs if ours is not None and theirs is not None else None


class Disagreement(Exception):
    """Two libraries gave different answers to one question."""


def judge(case: Case) -> None:
    """Compares the first answers of all sides.

    Raises:
        Disagreement: If a side differs from the first by more than the case's tolerance.
    """
    ours = case.sides[LIBRARIES[0]]
    if ours.answer is None:
        return
    for library, side in case.sides.items():
        if side.answer is None:
            continue
        for i in range(min(_SAMPLES_JUDGED, len(side.arguments) * side.per_call, len(ours.arguments) * ours.per_call)):
            right, given = np.asarray(ours.answer(i)), np.asarray(side.answer(i))
            gap = np.abs(right - given).max() if right.shape == given.shape else np.inf
            if not gap <= case.tolerance:
                raise Disagreement(f"{case.robot} {case.name}: {library} differs by {gap:.1e} on sample {i}")


def run(case: Case, *, once: bool = False) -> Result:
    """Judges a case and times it; with `once`, every side makes one sweep and nothing is timed."""
    with on_cores(case.cores):
        judge(case)
        for side in case.sides.values():
            side.sweep()
        if once:
            return Result(case.robot, case.name, dict.fromkeys(case.sides))
        return Result(case.robot, case.name, _medians(case))


def _medians(case: Case) -> dict[str, float | None]:
    """Median of each side's sweeps; those that another process interrupted count only where there are no others."""
    sweeps: dict[str, tuple[list[float], list[float]]] = {library: ([], []) for library in case.sides}
    gc.collect()
    gc.disable()
    late = perf_counter() + _SECONDS_PER_CASE
    try:
        for turn in range(_TURNS):
            if turn >= _LEAST_TURNS and perf_counter() > late:
                break
            for library, side in case.sides.items():
                end = perf_counter() + _SECONDS_PER_TURN
                while True:
                    before = _interruptions()
                    time = side.sweep()
                    sweeps[library][_interruptions() > before].append(time)
                    if perf_counter() > end:
                        break
    finally:
        gc.enable()
    return {library: 1e6 * median(whole or interrupted) for library, (whole, interrupted) in sweeps.items()}


def _interruptions() -> int:
    """How often this thread had to give way so far, where the system tells."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nivcsw if resource else 0


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keeps this process on so many cores, the last ones it may use, where the system can."""
    if not _CORES:
        yield
        return
    os.sched_setaffinity(0, _CORES[-count:])
    try:
        yield
    finally:
        os.sched_setaffinity(0, _CORES)


def one_thread_each() -> None:
    """Starts the program again with one thread for every library, which they read when they are imported."""
    wanted = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    if any(os.environ.get(name) != "1" for name in wanted):
        os.environ.update(dict.fromkeys(wanted, "1"))
        os.execv(sys.executable, sys.orig_argv)


def cores() -> int:
    """Number of cores this process may use."""
    return len(_CORES) or (os.cpu_count() or 1)


def processor() -> str:
    """Name of the processor, with family and model where the system tells."""
    facts: dict[str, str] = {}
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        for line in cpuinfo.read_text(encoding="utf-8").split("\n\n")[0].splitlines():
            key, _, value = line.partition(":")
            facts[key.strip()] = value.strip()
    name = facts.get("model name") or platform.processor() or platform.machine()
    return f"{name} (family {facts['cpu family']}, model {facts['model']})" if "cpu family" in facts else name
