import threading

import numpy as np
import pytest

from pantin.errors import InvalidArgument, PantinError
from pantin.runner import Runner


class Clock:
    """A clock that moves when something sleeps, works, or looks at it."""

    def __init__(self, look=0.0, late=0.0):
        self.now, self.look, self.late, self.slept = 1000.0, look, late, []

    def __call__(self):
        self.now += self.look
        return self.now

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds + self.late


def runner_of(step=None, configuration=None, *, rate=100.0, clock=None, **options):
    clock = clock or Clock()
    options = {"spin": 0.0, **options}  # this clock moves when it is slept by
    return Runner(step, configuration, rate=rate, clock=clock, sleep=clock.sleep, **options), clock


def beats(runner, **limits):
    """Times of the ticks of a whole loop."""
    times = []
    runner.run(lambda tick: times.append(tick.time), **limits)
    return times


def test_steps_are_due_on_the_grid_whatever_they_take():
    clock = Clock()
    durations = iter([0.001, 0.009, 0.0, 0.005, 0.002])
    starts = []

    def work(tick):
        starts.append(clock.now - 1000.0)
        clock.now += next(durations)

    runner, _ = runner_of(work, clock=clock)
    report = runner.run(max_steps=5)
    assert starts == pytest.approx([0.0, 0.01, 0.02, 0.03, 0.04], abs=1e-9)
    assert (report.steps, report.missed, report.stopped_by) == (5, 0, "steps")
    assert report.work.worst == pytest.approx(0.009)
    assert report.work.mean == pytest.approx(0.017 / 5)
    assert report.elapsed == pytest.approx(0.042)


def test_missed_beats_are_counted_and_left_out():
    clock = Clock()
    durations = iter([0.025, 0.001, 0.010001, 0.001])
    runner, _ = runner_of(lambda tick: setattr(clock, "now", clock.now + next(durations)), clock=clock)
    assert beats(runner, max_steps=4) == pytest.approx([0.0, 0.03, 0.04, 0.06])
    assert runner.report.missed == 3  # 0.01 and 0.02, then 0.05
    assert runner.report.kept_rate == pytest.approx(100.0 * 4 / 7)
    assert runner.report.jitter.worst < 1e-9


def test_no_lag_adds_up_after_a_long_sleep_of_the_machine():
    clock = Clock()

    def work(tick):
        clock.now += 3600.0 if tick.number == 2 else 0.001

    runner, _ = runner_of(work, clock=clock)
    report = runner.run(max_steps=5)
    assert report.missed == pytest.approx(360_000, abs=1)
    assert report.elapsed == pytest.approx(3600.03, abs=0.02)


def test_a_step_that_ends_with_the_beat_is_in_time():
    clock = Clock()
    runner, _ = runner_of(lambda tick: setattr(clock, "now", 1000.0 + 0.125 * (tick.number + 1)), rate=8, clock=clock)
    assert runner.run(max_steps=20).missed == 0


def test_what_wakes_late_is_measured():
    clock = Clock(late=0.002)
    runner, _ = runner_of(clock=clock)
    lateness = []
    report = runner.run(lambda tick: lateness.append(tick.late), max_steps=101)
    assert lateness[1:] == pytest.approx([0.002] * 100)
    assert report.jitter.mean == pytest.approx(0.2 / 101)
    assert report.jitter.p99 == pytest.approx(0.002)
    assert report.jitter.worst == pytest.approx(0.002)


def test_the_last_part_of_a_wait_is_spent_awake():
    clock = Clock(look=1e-5)
    runner, _ = runner_of(clock=clock, spin=0.001)
    report = runner.run(max_steps=3)
    assert len(clock.slept) == 2
    assert max(clock.slept) < 0.009
    assert report.jitter.worst <= 2.1e-5  # a look at the clock or two


@pytest.mark.parametrize(("rate", "duration", "steps"), [(1000, 2.0, 2000), (300, 1.0, 300), (7, 3, 21), (10, 0.0, 0)])
def test_a_duration_holds_as_many_steps_as_the_rate_says(rate, duration, steps):
    runner, _ = runner_of(rate=rate)
    report = runner.run(duration=duration)
    assert (report.steps, report.stopped_by) == (steps, "duration")


def test_it_ends_when_the_predicate_says_so():
    runner, _ = runner_of()
    report = runner.run(until=lambda tick: tick.number == 6)
    assert (report.steps, report.stopped_by) == (7, "until")


def test_stop_from_a_step_ends_after_it():
    runner, _ = runner_of(lambda tick: tick.number == 3 and runner.stop())
    report = runner.run(duration=10.0)
    assert (report.steps, report.stopped_by) == (4, "stop")
    assert runner.run(max_steps=2).stopped_by == "steps"  # a stop does not outlive its loop


def test_stop_from_another_thread_wakes_the_sleeper():
    runner = Runner(rate=0.01)  # a real clock: the next beat is in 100 s
    reports = []
    thread = threading.Thread(target=lambda: reports.append(runner.run(lambda tick: begun.set())))
    begun = threading.Event()
    thread.start()
    assert begun.wait(10.0)
    runner.stop()
    thread.join(10.0)
    assert not thread.is_alive()
    assert (reports[0].steps, reports[0].stopped_by) == (1, "stop")


def test_an_interrupt_ends_it_cleanly_wherever_it_comes():
    def interrupt(*_):
        raise KeyboardInterrupt

    runner, clock = runner_of(lambda tick: tick.number == 2 and interrupt())
    assert (runner.run().stopped_by, runner.report.steps) == ("interrupt", 2)
    sleepless = Runner(rate=100.0, clock=clock, sleep=interrupt, spin=0.0)
    assert (sleepless.run().stopped_by, sleepless.report.steps) == ("interrupt", 1)


def test_an_error_of_a_step_comes_through_and_the_report_stays():
    def fail(tick):
        if tick.number == 2:
            raise ZeroDivisionError

    runner, _ = runner_of(fail)
    with pytest.raises(ZeroDivisionError):
        runner.run()
    assert (runner.report.steps, runner.report.stopped_by) == (2, "error")
    with pytest.raises(ZeroDivisionError):
        runner.run(until=lambda tick: 1 / 0)
    assert runner.report.stopped_by == "error"


def test_ticks_make_a_loop_of_any_body():
    runner, _ = runner_of(rate=50)
    with runner:
        seen = list(runner.ticks(duration=0.1))
    assert [tick.number for tick in seen] == [0, 1, 2, 3, 4]
    assert [tick.dt for tick in seen] == [0.02] * 5
    for tick in runner.ticks():
        if tick.number == 3:
            break
    assert (runner.report.steps, runner.report.stopped_by) == (3, "break")


def test_leaving_the_block_stops_the_loop():
    runner, _ = runner_of()
    with runner:
        ticks = runner.ticks()
        next(ticks)
    assert list(ticks) == []
    assert runner.report.stopped_by == "stop"


def test_a_configuration_is_advanced_and_its_velocity_handed_on():
    class Solver:
        def step(self, configuration, dt):
            configuration.append(dt)
            return -len(configuration)

    configuration, sent = [], []
    runner, _ = runner_of(Solver(), configuration, rate=200)
    runner.run(after=lambda tick, velocity: sent.append((tick.number, velocity)), max_steps=3)
    assert configuration == [0.005] * 3
    assert sent == [(0, -1), (1, -2), (2, -3)]


def test_targets_are_set_before_the_step_that_follows_them():
    order = []
    runner, _ = runner_of(lambda tick: order.append("step"))
    runner.run(lambda tick: order.append("before"), lambda tick, found: order.append("after"), max_steps=2)
    assert order == ["before", "step", "after"] * 2


def test_a_loop_within_a_loop_needs_a_runner_of_its_own():
    runner, _ = runner_of()
    with pytest.raises(PantinError, match="a Runner for each"):
        runner.run(lambda tick: runner.run(max_steps=1), max_steps=3)
    inner, _ = runner_of()
    assert runner.run(lambda tick: inner.run(max_steps=1), max_steps=3).steps == 3


def test_percentiles_look_at_the_last_steps_and_the_worst_at_all():
    clock = Clock()
    runner, _ = runner_of(
        lambda tick: setattr(clock, "now", clock.now + (0.009 if tick.number == 0 else 0.001)), clock=clock, remember=10
    )
    report = runner.run(max_steps=50)
    assert report.work.p99 == pytest.approx(0.001)
    assert report.work.worst == pytest.approx(0.009)


def test_percentiles_are_those_of_numpy():
    durations = np.random.default_rng(0).uniform(0.0, 0.009, 500)
    clock = Clock()
    runner, _ = runner_of(lambda tick: setattr(clock, "now", clock.now + durations[tick.number]), clock=clock)
    report = runner.run(max_steps=500)
    assert report.work == pytest.approx((durations.mean(), np.percentile(durations, 99), durations.max()), rel=1e-6)


def test_the_table_tells_what_there_is():
    clock = Clock(late=0.0)
    runner, _ = runner_of(lambda tick: setattr(clock, "now", clock.now + 0.0004), rate=1000, clock=clock)
    table = str(runner.run(duration=0.5))
    assert table.splitlines() == [
        "steps   500 in 0.499 s, ended by duration",
        "rate    1000.0 of 1000 Hz",
        "missed  0 of 500 beats (0.00 %)",
        "              mean        p99      worst",
        "late by     0.0 us     0.0 us     0.0 us",
        "work      400.0 us   400.0 us   400.0 us",
    ]


def test_a_runner_that_never_ran_has_an_empty_report():
    report = Runner(rate=10).report
    assert (report.steps, report.missed, report.stopped_by, report.jitter.worst) == (0, 0, "", 0.0)
    assert "0 of 1 beats" in str(report)


@pytest.mark.parametrize(
    ("arguments", "options", "name"),
    [
        ((), {"rate": 0.0}, "rate"),
        ((), {"rate": np.nan}, "rate"),
        ((), {"rate": -5}, "rate"),
        ((), {"rate": 10, "spin": -1.0}, "spin"),
        ((), {"rate": 10, "remember": 0}, "remember"),
        ((3,), {"rate": 10}, "step"),
        ((lambda tick: None, []), {"rate": 10}, "step"),
        ((type("Solver", (), {"step": lambda self, q, dt: q})(),), {"rate": 10}, "configuration"),
    ],
)
def test_wrong_questions_are_refused(arguments, options, name):
    with pytest.raises(InvalidArgument) as error:
        Runner(*arguments, **options)
    assert error.value.argument == name


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        ({"duration": -1.0}, "duration"),
        ({"duration": np.nan}, "duration"),
        ({"max_steps": -1}, "max_steps"),
        ({"max_steps": 2.5}, "max_steps"),
        ({"until": 3}, "until"),
        ({"before": "x"}, "before"),
        ({"after": 1}, "after"),
    ],
)
def test_wrong_limits_are_refused(limits, name):
    with pytest.raises(InvalidArgument) as error:
        Runner(rate=10).run(**limits)
    assert error.value.argument == name
