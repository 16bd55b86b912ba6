"""Runs one adapter in a Python of its own: questions come as pickles on standard input, answers leave as pickles.

python -m peers.worker --installed     # names of the adapters whose library is here
python -m peers.worker NAME            # serves
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter_ns, process_time_ns
from typing import Any

import numpy as np

from peers import ADAPTERS
from peers.arms import Arm, Array
from peers.base import Skip, Solver

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


class Server:
    """One adapter, and what it was last asked."""

    def __init__(self, name: str) -> None:
        adapter, self._module = ADAPTERS[name]
        self._adapter = importlib.import_module(f"peers.{adapter}").Adapter

    def facts(self) -> dict[str, str]:
        """Version and settings."""
        return facts(self._adapter, self._module)

    def prepare(self, arm: Arm, tolerances: tuple[float, float], q: Array, poses: Array) -> str | None:
        """Makes ready for an arm, with some of its configurations and poses; tells why where it cannot."""
        try:
            self._solver: Solver = self._adapter(arm, *tolerances)
            self._solver.align(q, poses)
        except Skip as reason:
            return str(reason)
        for pose in poses:  # what the first calls cost is not asked
            self._solver.solve(self._solver.target(pose), arm.middle)
        return None

    def solve(self, poses: Array, seed: Array, chained: bool) -> tuple[Array, Array]:
        """Answers, NaN where there is none, and their times, us.

        If chained, an answer is the seed of the next one, and if not, there is no seed. Where the system gave the
        core to another process during a call, its processor time counts.
        """
        solver = self._solver
        targets = [solver.target(np.ascontiguousarray(pose)) for pose in poses]
        answers, times = np.full((len(poses), len(seed)), np.nan), np.empty(len(poses))
        solve = solver.solve if chained else solver.cold
        gc.disable()
        for target in targets[:3]:  # the caches were somebody else's
            solve(target, seed.copy())
        for k, target in enumerate(targets):
            start, before, busy = seed.copy(), interruptions(), process_time_ns()
            begin = perf_counter_ns()
            q = solve(target, start)
            spent, busy = perf_counter_ns() - begin, process_time_ns() - busy
            times[k] = 1e-3 * (spent if interruptions() == before else min(spent, busy))
            if q is not None:
                answers[k] = q
            if chained and np.isfinite(answers[k]).all():
                seed = answers[k]
        gc.enable()
        return answers, times

    def all(self, name: str, poses: Array, seeds: Array | None) -> tuple[Array, Array] | None:
        """Answers of one call for all and its time for each, us; None where the adapter has no such call."""
        call = getattr(self._solver, name, None)
        if call is None:
            return None
        times = []
        for _ in range(5):
            begin = perf_counter_ns()
            answers = call(poses, seeds)
            times.append(1e-3 * (perf_counter_ns() - begin) / len(poses))
        return answers, np.full(len(poses), min(times))


def facts(adapter: Any, module: str) -> dict[str, str]:
    """Version and settings of an adapter whose library is a module."""
    try:
        number = version(adapter.package)
    except PackageNotFoundError:
        number = getattr(importlib.import_module(module), "__version__", "?")
    return {"version": number, "settings": adapter.settings}


def interruptions() -> int:
    """How often this process had to give way so far, where the system tells."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw if resource else 0


def serve(adapters: Mapping[str, tuple[str, str]], server: Callable[[str], object]) -> None:
    """The program of a worker: tells which of the adapters have their library here, or answers for one of them."""
    if sys.argv[1] == "--installed":
        print(*(name for name, (_, module) in adapters.items() if importlib.util.find_spec(module)), sep="\n")
        return
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    served = server(sys.argv[1])
    while True:
        try:
            call, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer: Any = getattr(served, call)(*arguments)
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    serve(ADAPTERS, Server)
