"""How long fits take and how far they get: measured, as tables, and as a page of the documentation."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np

from harness import Side
from pantin.arrays import Array
from pantin.fitting import State
from peers.page import markdown

_SECONDS = 2.0
_LEAST_SWEEPS = 7


@dataclass(frozen=True)
class Row:
    """What was measured of one side of one work.

    Attributes:
        body: Name of the problem.
        work: Name of the work.
        library: Whose.
        times: Microseconds a frame, of each call.
        iterations: Mean iterations a frame; None where they are not told.
        excess: How far the objective ends above SciPy's minimum, relative; None where that was not looked for.
    """

    body: str
    work: str
    library: str
    times: Array
    iterations: float | None = None
    excess: float | None = None


def measured(bench: Any, works: Sequence[str]) -> list[Row]:
    """Rows of a problem: both sides in turn, work by work."""
    rows = []
    for work in works:
        ours, theirs = bench.side(work), bench.loop(work)
        sides = {"pantin": ours} if theirs is None else {"pantin": ours, "pin": theirs}
        for library, times in _times(sides).items():
            iterations, excess = _reached(bench, work, library, sides[library])
            rows.append(Row(bench.problem.name, work, library, times, iterations, excess))
    return rows


def _times(sides: dict[str, Side]) -> dict[str, Array]:
    """Microseconds of processor time a frame, of each call; sides take turns, and their first turn does not count."""
    times: dict[str, list[float]] = {library: [] for library in sides}
    gc.collect()
    gc.disable()
    end = perf_counter() + _SECONDS * len(sides)
    turn = 0
    while turn <= _LEAST_SWEEPS or perf_counter() < end:
        for library, side in sides.items():
            for arguments in side.arguments:
                start = process_time()
                side.call(*arguments)
                if turn:
                    times[library].append(1e6 * (process_time() - start) / side.per_call)
        turn += 1
    gc.enable()
    return {library: np.array(each) for library, each in times.items()}


def _reached(bench: Any, work: str, library: str, side: Side) -> tuple[float | None, float | None]:
    """Mean iterations, and how far above the minimum frames of a stream end."""
    results = [side.call(*arguments) for arguments in side.arguments]
    frames = bench.judged(range(60))
    if library != "pantin":
        if work != "stream":
            return None, None
        states = [bench.hand_made.state(results[0][t]) for t in frames]
        return None, bench.excess(State(*(np.stack([s[name] for s in states]) for name in State._fields)), frames)
    iterations = float(np.mean([np.mean(result.iterations) for result in results]))
    excess = bench.excess(State(*(part[frames] for part in results[0].state)), frames) if work == "stream" else None
    return iterations, excess


def table(rows: Sequence[Row]) -> list[list[str]]:
    """Head and a row for each work of each body, ours beside the loop's."""
    head = "body,work,iterations,median us,mean us,p99 us,frames/s,above minimum %,loop us,loop above minimum %,ratio"
    found = [head.split(",")]
    loops = {(row.body, row.work): row for row in rows if row.library == "pin"}
    for row in rows:
        if row.library != "pantin":
            continue
        loop, median = loops.get((row.body, row.work)), float(np.median(row.times))
        found.append(
            [
                row.body,
                row.work,
                "" if row.iterations is None else f"{row.iterations:.1f}",
                _figure(median),
                _figure(float(row.times.mean())),
                _figure(float(np.percentile(row.times, 99))),
                f"{1e6 / median:,.0f}",
                _percent(row.excess),
                "" if loop is None else _figure(float(np.median(loop.times))),
                "" if loop is None else _percent(loop.excess),
                "" if loop is None else f"{float(np.median(loop.times)) / median:,.0f}",
            ]
        )
    return found


def _figure(value: float) -> str:
    """Three digits."""
    return f"{value:.2f}" if value < 10.0 else f"{value:.1f}" if value < 100.0 else f"{value:,.0f}"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100.0 * share:.4f}" if share < 1e-3 else f"{100.0 * share:,.1f}"


def page(rows: Sequence[Row], machine: str, stream: int, recording: int) -> str:
    """The page of the documentation; streams and recordings have so many frames."""
    medians = {(row.body, row.work): float(np.median(row.times)) for row in rows if row.library == "pantin"}
    names = list(dict.fromkeys(body for body, _ in medians))
    free = next((name for name in names if name.endswith("no limits")), None)
    kin = [name for name in names if free and name != free and name.split(",")[0] == free.split(",")[0]]
    costs = [["beside the plain walker", "stream", "segments"]]
    costs += [
        [name, *(f"{medians[name, work] / medians[free, work]:.2f}" for work in costs[0][1:])] for name in kin if free
    ]
    small, large = ("40 joints", "400 joints")
    growth = [["400 joints over 40", *costs[0][1:]]]
    if (small, "stream") in medians and (large, "stream") in medians:
        growth.append(["times", *(f"{medians[large, work] / medians[small, work]:.1f}" for work in costs[0][1:])])
    return _PAGE.format(
        machine=machine,
        stream=stream,
        recording=recording,
        sweeps=_LEAST_SWEEPS,
        table=markdown(table(rows)),
        costs=markdown(costs),
        growth=markdown(growth),
    )


_PAGE = """\
# Fit beside others

This page is written by `benchmarks/fit.py`.

{machine}

The bodies: the recorded *fly* (42 hinges, where its files are at hand); the sample *walker* (42 hinges, noise, gaps),
with and without its limits, with robust losses, and seen by three cameras; a *humanoid* of 29 hinges that follows a
person of other proportions, whom it can never fit; trees of 40 and 400 joints. Works: *cold* fits a frame without
a start; *warm* starts from the pose of the frame before; *stream* fits {stream:,} frames one after the
other, *segments* a recording of {recording:,} with `segments="auto"` on one thread. Times are microseconds of
processor time a frame, from Python, on one core; medians over at least {sweeps} sweeps.

The loop is what people write by hand on top of Pinocchio: Gauss-Newton with damping 1e-6, full steps clamped to the
limits, at most 10, tolerances 1e-3; it always starts from the frame before, for it does not find a body that is turned.
*Above minimum* tells how far the objective of frames of the stream ends above the minimum that SciPy's bounded least
squares find to 1e-12. The ratio is the loop's median over ours, in the same run.

{table}

## What else costs

Medians over those of the walker without limits, whose loss is the square:

{costs}

And how the cost of a frame grows with the body:

{growth}

## Run it again

```console
$ pip install pantin pin scipy
$ python benchmarks/fit.py --page docs/benchmarks/fit.md
```

The fly is read from the folder that `PANTIN_FLY_DATA` names, else from `../shared/data/fly` beside the checkout.
"""
