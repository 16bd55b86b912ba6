"""What a loop at a fixed rate did: how many steps, how many missed beats, and how punctual it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

__all__ = ["Durations", "LoopReport", "Spread"]


class Spread(NamedTuple):
    """How a duration is spread over the steps of a loop, in seconds.

    Attributes:
        mean: Mean over all steps.
        p99: What 99 in 100 steps do not exceed, among the last steps that the loop remembers.
        worst: Largest over all steps.
    """

    mean: float
    p99: float
    worst: float


@dataclass(frozen=True)
class LoopReport:
    """What a loop did; printing it gives a table.

    Attributes:
        rate: Rate that was asked for, Hz.
        steps: Steps that were done.
        missed: Beats without a step, because the step before them was not done in time.
        elapsed: Time from the first beat to the end, s.
        stopped_by: "steps", "duration", "until", "stop", "interrupt", "error", "break", or "" while it runs.
        jitter: How late steps began, s.
        work: How long steps took, callbacks included, s.
    """

    rate: float
    steps: int
    missed: int
    elapsed: float
    stopped_by: str
    jitter: Spread
    work: Spread

    @property
    def kept_rate(self) -> float:
        """The rate times the share of beats that had their step, Hz."""
        return self.rate * self.steps / max(self.steps + self.missed, 1)

    def __str__(self) -> str:
        beats = max(self.steps + self.missed, 1)
        end = f", ended by {self.stopped_by}" if self.stopped_by else ""
        return "\n".join(
            [
                f"steps   {self.steps} in {self.elapsed:.3f} s{end}",
                f"rate    {self.kept_rate:.1f} of {self.rate:g} Hz",
                f"missed  {self.missed} of {beats} beats ({100.0 * self.missed / beats:.2f} %)",
                f"        {'mean':>10} {'p99':>10} {'worst':>10}",
                "late by " + _row(self.jitter),
                "work    " + _row(self.work),
            ]
        )


class Durations:
    """Durations of which the mean and the worst are kept for ever, and the last ones for a percentile."""

    def __init__(self, remember: int) -> None:
        self._last = np.zeros(remember)
        self.clear()

    def clear(self) -> None:
        """Forget all."""
        self._total, self._worst, self._count = 0.0, 0.0, 0

    def add(self, duration: float) -> None:
        """Take one more, s."""
        self._last[self._count % self._last.size] = duration
        self._total += duration
        self._worst = max(self._worst, duration)
        self._count += 1

    def spread(self) -> Spread:
        """Mean, 99th percentile and worst, s; zeros where there are none."""
        if not self._count:
            return Spread(0.0, 0.0, 0.0)
        p99 = float(np.percentile(self._last[: min(self._count, self._last.size)], 99.0))
        return Spread(self._total / self._count, p99, self._worst)


def _row(spread: Spread) -> str:
    """Three durations in columns, in microseconds or milliseconds."""
    return " ".join(f"{_duration(value):>10}" for value in spread)


def _duration(seconds: float) -> str:
    """A duration with a unit that suits it."""
    return f"{seconds * 1e6:.1f} us" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"
