"""Whoever waits for a long fit is told how far it is, and may stop it and keep what was found."""

import contextlib
import io
import os
import signal
import threading
import time

import numpy as np
import pytest
from hand_made import smooth_states
from hopper import hopper

from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, FitOptions, FitResult, FitSolver, fit
from pantin.fitting.progress import in_frames, shown

#: No end is found under these, so that each frame takes its time.
SLOW = FitOptions(
    position_tolerance=0.0, angle_tolerance=0.0, cost_tolerance=0.0, max_iterations=2000, loss="geman_mcclure"
)

CUTS = pytest.mark.parametrize(
    "cut",
    [{}, {"segments": 200}, {"segments": 200, "workers": 2}],
    ids=["in a row", "segments", "two workers"],
)


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.from_dict(hopper())


@pytest.fixture(scope="module")
def points(plan):
    """A recording that takes a second or more, shape (100000, 6, 3)."""
    exact = plan.keypoints(smooth_states(plan, 2000))
    return np.tile(exact + 0.02 * plan.length * np.random.default_rng(8).standard_normal(exact.shape), (50, 1, 1))


@pytest.fixture(scope="module")
def solver(plan):
    return FitSolver(plan)


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)


class CtrlC:
    """Presses Ctrl-C as soon as the fit tells that it has begun, from a thread of its own; knows when."""

    def __init__(self):
        self.begun, self.pressed = threading.Event(), None
        self.over = False
        self.thread = threading.Thread(target=self._press, daemon=True)

    def _press(self):
        self.begun.wait()
        if not self.over:
            self.pressed = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)

    def __call__(self, done, total):
        self.begun.set()

    def __enter__(self):
        self.previous = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over = True
        self.begun.set()
        self.thread.join()
        signal.signal(signal.SIGINT, self.previous)


@CUTS
def test_progress_tells_of_frames_until_all_are_done(solver, points, cut):
    told = []
    solver.solve_sequence(points, progress=lambda *now: told.append(now), **cut)
    done = [now[0] for now in told]
    assert {now[1] for now in told} == {len(points)}
    assert done == sorted(done)
    assert done[-1] == len(points)
    assert 0 < done[0] < len(points)


@pytest.mark.parametrize("count", [1, 300])
def test_progress_of_a_short_recording_tells_its_end(solver, points, count):
    told = []
    solver.solve_sequence(points[:count], segments=200, progress=lambda *now: told.append(now))
    assert told[-1] == (count, count)


def test_progress_changes_no_bit(solver, points):
    few = points[:1000]
    assert solver.solve_sequence(few, progress=lambda *_: None).equals(solver.solve_sequence(few))


def test_work_is_told_in_frames():
    told = []
    report = in_frames(lambda *now: told.append(now), 100)
    for done in (0, 55, 109, 110, 120):
        report(done, 110)
    assert told == [(0, 100), (50, 100), (99, 100), (100, 100), (100, 100)]
    assert in_frames(None, 100) is None


def test_true_draws_a_bar_and_takes_it_away(plan, points, capsys):
    fit(plan, points[:300], progress=True)
    assert "Traceback" not in capsys.readouterr().err


def test_the_bar_is_drawn_on_a_terminal(monkeypatch):
    terminal = io.StringIO()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with shown(True) as told:
        told(30, 120)
        time.sleep(0.15)  # the bar is drawn ten times a second
    assert "fitting" in terminal.getvalue()
    assert "25%" in terminal.getvalue()


def test_nothing_is_printed_otherwise(plan, points, capfd):
    for progress in (None, False):
        fit(plan, points[:300], segments=100, progress=progress)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("wrong", ["yes", 1, [], 0.5])
def test_other_kinds_of_progress_are_refused(solver, points, wrong):
    with pytest.raises(InvalidArgument, match=r"progress: expected a callback that takes \(done, total\), or True"):
        solver.solve_sequence(points[:3], progress=wrong)


@CUTS
@pytest.mark.parametrize("partial", [False, True])
def test_an_error_of_the_callback_stops_the_work(solver, points, cut, partial):
    told = []

    def full(done, total):
        told.append(done)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        solver.solve_sequence(points, progress=full, partial=partial, **cut)
    assert len(told) == 1
    assert told[0] < len(points)
    assert solver.solve_sequence(points[:10]).success.all()


@CUTS
def test_ctrl_c_stops_at_once(plan, points, cut):
    solver, waits = FitSolver(plan, SLOW), []
    for _ in range(3):
        with CtrlC() as press:
            with pytest.raises(KeyboardInterrupt):
                solver.solve_sequence(points, progress=press, **cut)
            waits.append(time.monotonic() - press.pressed)
    assert min(waits) < 0.2  # other processes may delay an interrupt, but not each time


@pytest.mark.parametrize(
    ("options", "door"),
    [(SLOW, "solve_sequence"), (FitOptions(starts=100_000), "solve")],
    ids=["sequence", "one frame"],
)
def test_ctrl_c_stops_a_fit_that_nobody_is_told_of(plan, points, options, door):
    solver = FitSolver(plan, options)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            getattr(solver, door)(points if door == "solve_sequence" else points[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)


@CUTS
@pytest.mark.parametrize("gap", ["hold", "interpolate", "nan"])
def test_what_was_finished_is_given(plan, points, cut, gap):
    options = FitOptions(gap=gap)
    with CtrlC() as press:
        result = FitSolver(plan, options).solve_sequence(points, progress=press, partial=True, **cut)
    assert isinstance(result, FitResult)
    unsolved = result.status == "unsolved"
    assert 0 < unsolved.sum() < len(points)
    assert not result.success[unsolved].any()
    assert result.success[~unsolved].all()
    for name in ("root_pos", "root_quat_wxyz", "dofs", "cost", "residual"):
        assert np.isnan(getattr(result, name)[unsolved]).all()
        assert np.isfinite(getattr(result, name)[~unsolved]).all()
    for name in ("seen", "outlier", "at_limit", "restarted", "interpolated"):
        assert not getattr(result, name)[unsolved].any()
    assert result.joins == ()
    assert "unsolved" in repr(result)


def test_frames_that_were_finished_are_those_of_the_whole(solver, points):
    with CtrlC() as press:
        result = solver.solve_sequence(points, progress=press, partial=True)
    count = int((result.status != "unsolved").sum())
    assert (result.status[:count] != "unsolved").all()  # in a row, up to where it stopped
    assert solver.solve_sequence(points[:count]).dofs.tobytes() == result.dofs[:count].tobytes()


def test_a_callback_may_ask_for_the_end_itself(solver, points):
    def enough(done, total):
        raise KeyboardInterrupt

    result = solver.solve_sequence(points, progress=enough, partial=True)
    assert (result.status == "unsolved").any()
    with pytest.raises(KeyboardInterrupt):
        solver.solve_sequence(points, progress=enough)


@CUTS
def test_other_threads_go_on_meanwhile(plan, points, cut):
    """The core gives back the interpreter's lock."""
    counted, over = [], threading.Event()

    def count():
        while not over.wait(0.001):
            counted.append(1)

    other = threading.Thread(target=count, daemon=True)
    solver = FitSolver(plan, SLOW)
    with CtrlC() as press:
        other.start()
        with contextlib.suppress(KeyboardInterrupt):
            solver.solve_sequence(points, progress=press, **cut)
    over.set()
    other.join()
    assert len(counted) > 2
