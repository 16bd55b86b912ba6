"""Control loops: a step at a fixed rate, with what came late measured and what was missed counted."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from pantin.arrays import count, scalar
from pantin.errors import InvalidArgument, PantinError
from pantin.loop_report import Durations, LoopReport

__all__ = ["Runner", "Tick"]


class Steps(Protocol):
    """What advances a configuration, such as a `DifferentialIK`."""

    def step(self, configuration: Any, dt: float) -> Any:
        """Advance the configuration by a time step and tell with which velocity."""


class Tick(NamedTuple):
    """One beat of a loop.

    Attributes:
        number: How many steps were done before this one.
        time: When the step was due, counted from the loop's start, s. Missed beats count: times are on the grid.
        dt: The period, s; what a step advances by.
        late: How much later than due the step begins, s.
    """

    number: int
    time: float
    dt: float
    late: float


class Runner:
    """Loop that does a step at a fixed rate.

    Steps are due at beats start, start + 1/rate, start + 2/rate, ... of the clock, whatever the steps before them
    took, so that the loop does not drift. A step that is not done when the next one is due makes the loop miss that
    beat: the beat is counted and left out, and the loop goes on at the next one to come. So no lag adds up, and a
    laptop that slept does not wake to a burst of steps. Each step still advances by one period.

    The loop runs in the thread that calls `run`; `stop` may be called from any other. Leaving a `with` block stops
    it, too. A runner has one loop at a time: where a new one begins, the one before ends with an error.

    Attributes:
        rate: Steps per second, Hz.
        period: Time between two beats, s.
    """

    def __init__(
        self,
        step: Steps | Callable[[Tick], Any] | None = None,
        configuration: Any = None,
        *,
        rate: float,
        spin: float = 2e-4,
        remember: int = 100_000,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        """Prepare a loop.

        Args:
            step: A `DifferentialIK` (anything whose `step(configuration, dt)` advances a configuration), or a function
                of the tick. None does nothing, for loops over `ticks`.
            configuration: Configuration that is advanced; for the former only.
            rate: Steps per second, Hz.
            spin: Time before each beat that is waited out awake rather than asleep, s; sleepers wake some 0.1 ms
                late. 0 never keeps the processor busy.
            remember: How many of the last steps the report's `p99` looks at.
            clock: Seconds that never go back; for tests.
            sleep: Waits for some seconds; None sleeps until then or until the loop is stopped.

        Raises:
            InvalidArgument: If a rate or time is not a number in its range, a step cannot be called, or a
                configuration is given for something that advances none.
        """
        self.rate = scalar("rate", rate, lower=1e-6, upper=1e6)
        self.period = 1.0 / self.rate
        self._work = _work("step", step, configuration)
        self._spin = scalar("spin", spin, lower=0.0)
        self._clock = clock
        self._stopped = threading.Event()
        self._sleep = self._stopped.wait if sleep is None else sleep
        self._late = Durations(count("remember", remember, lower=1))
        self._busy = Durations(remember)
        self._restart()

    def run(
        self,
        before: Callable[[Tick], object] | None = None,
        after: Callable[[Tick, Any], object] | None = None,
        *,
        duration: float | None = None,
        max_steps: int | None = None,
        until: Callable[[Tick], object] | None = None,
    ) -> LoopReport:
        """Report of a loop that ran to its end; Ctrl-C is one, too.

        Args:
            before: Called with the tick before each step, to set targets.
            after: Called with the tick and what the step gave (a velocity) after each step, to send it on.
            duration: Ends the loop before the first beat that is due after so many seconds; None: no limit.
            max_steps: Ends the loop after so many steps; None: no limit.
            until: Ends the loop when it gives something true after a step.

        Returns:
            What was done and how punctually; also in `report`, where a step raised an error.

        Raises:
            InvalidArgument: If a limit is not a number in its range, or something cannot be called.
        """
        calls = {"before": before, "after": after}
        for name, call in calls.items():
            if call is not None and not callable(call):
                raise InvalidArgument(name, f"expected a function, got a {type(call).__name__}")
        ticks = self.ticks(duration=duration, max_steps=max_steps, until=until)  # named, so that errors reach us first
        try:
            for tick in ticks:
                if before is not None:
                    before(tick)
                found = self._work(tick)
                if after is not None:
                    after(tick, found)
        except KeyboardInterrupt:
            self._end("interrupt")
        except BaseException:
            self._end("error")
            raise
        return self.report

    def ticks(
        self,
        *,
        duration: float | None = None,
        max_steps: int | None = None,
        until: Callable[[Tick], object] | None = None,
    ) -> Iterator[Tick]:
        """Beats, each given when it is due: `for tick in runner.ticks(duration=2.0): ...`.

        The body of the loop is the step; the limits are those of `run`, and `break` ends it as well.
        """
        span = np.inf if duration is None else scalar("duration", duration, lower=0.0)
        most = np.inf if max_steps is None else count("max_steps", max_steps)
        if until is not None and not callable(until):
            raise InvalidArgument("until", f"expected a function, got a {type(until).__name__}")
        return self._beats(self._restart(), span, most, until)

    def stop(self) -> None:
        """End the loop after the step that it is doing; where it waits, at once. Any thread may call this."""
        self._stopped.set()

    @property
    def report(self) -> LoopReport:
        """What the present loop did so far, or the last one did."""
        elapsed = max((self._clock() if self._until is None else self._until) - self._start, 0.0)
        return LoopReport(
            self.rate, self._steps, self._missed, elapsed, self._reason, self._late.spread(), self._busy.spread()
        )

    def __enter__(self) -> Self:
        """The runner itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the loop, whatever happened."""
        self.stop()

    def _restart(self) -> object:
        """Forget the last loop; what the new one is known by."""
        self._stopped.clear()
        self._steps, self._missed, self._reason = 0, 0, ""
        self._late.clear()
        self._busy.clear()
        self._start = self._clock()
        self._until: float | None = None
        self._loop = object()
        return self._loop

    def _end(self, reason: str) -> None:
        """Note when and why the loop ended; the first reason counts."""
        if self._until is None:
            self._until, self._reason = self._clock(), reason

    def _beats(self, loop: object, span: float, most: float, until: Callable[[Tick], object] | None) -> Iterator[Tick]:
        """Wait for each beat, hand it out, and measure what was made of it."""
        period, beat = self.period, 0
        beats = span * self.rate - 1e-9  # a beat that is due when the time is over belongs to it no more
        try:
            while self._steps < most:
                if beat >= beats:
                    return self._end("duration")
                due = self._start + beat * period
                began = self._wait(due)
                if self._stopped.is_set():
                    return self._end("stop")
                tick = Tick(self._steps, beat * period, period, max(began - due, 0.0))
                yield tick
                if self._loop is not loop:
                    raise PantinError("another loop of this runner began within a step; take a Runner for each")
                done = self._clock()
                self._steps += 1
                self._late.add(tick.late)
                self._busy.add(done - began)
                if until is not None and until(tick):
                    return self._end("until")
                beat = self._next_beat(beat, done)
            self._end("steps")
        except GeneratorExit:
            if self._loop is loop:
                self._end("break")
            raise
        except KeyboardInterrupt:
            self._end("interrupt")
            raise
        except BaseException:
            self._end("error")
            raise

    def _next_beat(self, beat: int, now: float) -> int:
        """The next beat to come; those that have passed by are missed."""
        passed = int((now - self._start) / self.period)
        if self._start + passed * self.period < now:
            passed += 1
        following = max(beat + 1, passed)
        self._missed += following - beat - 1
        return following

    def _wait(self, due: float) -> float:
        """Wait until a beat is due or the loop is stopped; the time then."""
        now = self._clock()
        while now < due and not self._stopped.is_set():
            if due - now > self._spin:
                self._sleep(due - now - self._spin)
            now = self._clock()
        return now


def _work(name: str, step: Steps | Callable[[Tick], Any] | None, configuration: Any) -> Callable[[Tick], Any]:
    """The step as a function of the tick."""
    advance = getattr(step, "step", None)
    if configuration is not None:
        if not callable(advance):
            raise InvalidArgument(name, f"expected something with step(configuration, dt), got a {_kind(step)}")
        return lambda tick: advance(configuration, tick.dt)
    if step is None:
        return lambda tick: None
    if callable(step):
        return step
    if callable(advance):
        raise InvalidArgument("configuration", f"the {_kind(step)} needs a configuration to advance")
    raise InvalidArgument(name, f"expected a function or something with a step, got a {_kind(step)}")


def _kind(value: object) -> str:
    """Name of a value's class."""
    return type(value).__name__
