"""Many recordings in a row: what is finished is left, what is broken stops nobody, and Ctrl-C leaves nothing behind.

The steps themselves (reading, fitting, writing, drawing) are stand-ins here, so that each may fail on purpose.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from pantin.errors import InvalidArgument, MissingExtra, PantinError
from pantin.fitting.many import Job, OutcomeState, Watch, fit_many, steps
from pantin.fitting.many.aside import aside

FITTED, FINISHED, FAILED = OutcomeState


class Plan(SimpleNamespace):
    length_unit = "mm"

    def to_dict(self):
        return self.facts


def result_of(frames):
    residual = np.tile([0.1, 0.3, np.nan], (frames, 1))
    success = np.arange(frames) > 0
    return SimpleNamespace(success=success, residual=residual, plan=Plan())


class Bench:
    """Stand-ins for the steps, which keep a log of what was asked of them."""

    def __init__(self, folder):
        self.log = []
        self.folder = folder
        (folder / "plan.json").write_text('{"joints": 3}')

    def load_plan(self, job):
        return Plan(facts=json.loads(job.plan.read_text()))

    def read(self, job, plan):
        text = job.recording.read_text()
        if text == "broken":
            raise ValueError("no numbers\nin here")
        return SimpleNamespace(frames=int(text), notes=("odd",))

    def solve(self, job, plan, observed, workers, progress):
        self.log.append(("solve", job.name, workers))
        progress(observed.frames, observed.frames)
        return result_of(observed.frames)

    def save(self, result, path):
        path.write_text(f"{len(result.success)} frames")

    def load_result(self, path):
        self.log.append(("load", path.stem))
        return result_of(int(path.read_text().split()[0]))

    def draw(self, result, path, title):
        self.log.append(("draw", title))
        path.write_text("page")

    def job(self, name, frames="10", **more):
        recording = self.folder / f"{name}.txt"
        if not recording.exists():
            recording.write_text(frames)
        return Job(
            plan=self.folder / "plan.json", recording=recording, out=self.folder / "fits" / f"{name}.csv", **more
        )

    def files(self):
        return sorted(path.name for path in (self.folder / "fits").iterdir())


@pytest.fixture
def bench(tmp_path, monkeypatch):
    bench = Bench(tmp_path)
    for name in ("load_plan", "read", "solve", "save", "load_result", "draw"):
        monkeypatch.setattr(steps, name, getattr(bench, name))
    return bench


def states(outcomes):
    return [outcome.state for outcome in outcomes]


def test_each_recording_is_fitted_written_and_told(bench):
    one, two = outcomes = fit_many([bench.job("a"), bench.job("b", "4")], workers=3)
    assert states(outcomes) == [FITTED, FITTED]
    assert bench.log == [("solve", "a", 3), ("solve", "b", 3)]
    assert bench.files() == ["a.csv", "a.csv.fit.json", "b.csv", "b.csv.fit.json"]
    assert (one.record.frames, two.record.frames) == (10, 4)
    assert one.record.residual == pytest.approx(0.2)
    assert (two.record.converged, two.record.unit) == (0.75, "mm")
    assert one.rate == one.record.frames / one.fit_seconds
    assert one.seconds >= one.fit_seconds > 0
    assert json.loads(one.job.record.read_text())["notes"] == list(one.record.notes) == ["odd"]


def test_what_is_finished_is_left_as_it_is(bench):
    jobs = [bench.job("a"), bench.job("b")]
    first = fit_many(jobs)
    stamp = jobs[0].out.stat().st_mtime_ns
    bench.log.clear()
    again = fit_many(jobs)
    assert states(again) == [FINISHED, FINISHED]
    assert bench.log == []
    assert jobs[0].out.stat().st_mtime_ns == stamp
    assert [one.record.residual for one in again] == [one.record.residual for one in first]
    assert again[0].rate is None
    assert states(fit_many(jobs, force=True)) == [FITTED, FITTED]


def test_what_has_changed_is_fitted_again(bench):
    jobs = [bench.job("a"), bench.job("b")]
    fit_many(jobs)
    jobs[1].recording.write_text("12")
    assert states(fit_many(jobs)) == [FINISHED, FITTED]
    jobs[0].out.write_text("cut")
    assert states(fit_many(jobs)) == [FITTED, FINISHED]
    jobs[0].record.unlink()
    assert states(fit_many(jobs)) == [FITTED, FINISHED]
    jobs[0].plan.write_text('{"joints": 4}')
    assert states(fit_many(jobs)) == [FITTED, FITTED]
    jobs[0].plan.write_text('{ "joints" : 4 }\n')
    assert states(fit_many(jobs)) == [FINISHED, FINISHED]


def test_a_broken_recording_does_not_stop_the_others(bench):
    outcomes = fit_many([bench.job("a", "broken"), bench.job("b")])
    assert states(outcomes) == [FAILED, FITTED]
    assert outcomes[0].error == "ValueError: no numbers in here"
    assert not outcomes[0].done
    assert outcomes[0].record is None
    assert bench.files() == ["b.csv", "b.csv.fit.json"]


def test_a_recording_in_which_nothing_is_seen_is_done(bench, monkeypatch):
    unseen = SimpleNamespace(success=np.ones(2, bool), residual=np.full((2, 3), np.nan), plan=Plan())
    monkeypatch.setattr(steps, "solve", lambda *_, **__: unseen)
    (outcome,) = fit_many([bench.job("a")])
    assert (outcome.done, outcome.record.residual, outcome.record.converged) == (True, None, 1.0)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device", "x.csv"), PantinError("odd"), MemoryError()])
def test_an_output_that_cannot_be_written_leaves_nothing(bench, monkeypatch, error):
    def fail(result, path):
        path.write_text("half")
        raise error

    monkeypatch.setattr(steps, "save", fail)
    (outcome,) = fit_many([bench.job("a")])
    assert outcome.state is FAILED
    assert outcome.error in ("x.csv: No space left on device", "odd", "MemoryError")
    assert bench.files() == []


def test_pages_are_drawn_once_and_a_missing_one_from_the_file(bench, tmp_path):
    pages = tmp_path / "pages"
    job = bench.job("a")
    assert fit_many([job], plot=pages)[0].done
    assert bench.log[-1] == ("draw", "a")
    bench.log.clear()
    fit_many([job], plot=pages)
    assert bench.log == []
    (pages / "a.png").unlink()
    fit_many([job], plot=pages)
    assert bench.log == [("load", "a"), ("draw", "a")]
    os.utime(pages / "a.png", ns=(0, 0))  # older than the result
    fit_many([job], plot=pages)
    assert bench.log[2:] == [("load", "a"), ("draw", "a")]


def test_a_page_that_fails_takes_no_result_with_it(bench, tmp_path, monkeypatch):
    def fail(result, path, title):
        raise ValueError("no ink")

    monkeypatch.setattr(steps, "draw", fail)
    (outcome,) = fit_many([bench.job("a")], plot=tmp_path / "pages")
    assert (outcome.state, outcome.error, outcome.done) == (FITTED, "no page: ValueError: no ink", False)
    assert list((tmp_path / "pages").iterdir()) == []
    assert states(fit_many([bench.job("a")])) == [FINISHED]


def test_a_watch_hears_of_every_step(bench):
    heard = []

    class Ear(Watch):
        def begin(self, job):
            heard.append(job.name)

        def frames(self, done, total):
            heard.append((done, total))

        def end(self, outcome):
            heard.append(outcome.state)

    fit_many([bench.job("a"), bench.job("b", "broken")], watch=Ear())
    assert heard == ["a", (10, 10), FITTED, "b", FAILED]


def test_nothing_runs_where_a_question_is_wrong(bench, monkeypatch, tmp_path):
    gone = Job(plan=tmp_path / "plan.json", recording=tmp_path / "aa.txt", out=tmp_path / "fits" / "c.csv")
    jobs = [bench.job("a"), bench.job("b")]
    with pytest.raises(PantinError, match=r"aa.txt: there is no such file; did you mean 'a.txt'"):
        fit_many([*jobs, gone])
    with pytest.raises(InvalidArgument, match="would both be written"):
        fit_many([*jobs, bench.job("a")])
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgument, match="plot: cannot make the folder"):
        fit_many(jobs, plot=tmp_path / "file")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="drawing needs the package 'matplotlib'"):
        fit_many(jobs, plot=tmp_path / "pages")
    assert bench.log == []


def test_an_interrupted_run_goes_on_where_it_was(bench, monkeypatch):
    jobs = [bench.job(name) for name in "abc"]
    whole = bench.solve

    def stop(job, *rest, **more):
        if job.name == "b":
            raise KeyboardInterrupt
        return whole(job, *rest, **more)

    monkeypatch.setattr(steps, "solve", stop)
    with pytest.raises(KeyboardInterrupt):
        fit_many(jobs)
    assert bench.files() == ["a.csv", "a.csv.fit.json"]
    monkeypatch.setattr(steps, "solve", whole)
    assert states(fit_many(jobs)) == [FINISHED, FITTED, FITTED]


def test_what_a_call_aside_returns_or_raises_comes_back():
    assert aside(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        aside(lambda: 1 // 0)
    assert aside(threading.get_ident) != threading.get_ident()


PROGRAM = """
import ctypes, sys
from pathlib import Path
import pantin.cli._app
import pantin.fitting.many
from pantin.cli import main
from pantin.fitting.many import Job, Record
from pantin.fitting.many.aside import aside
from pantin.fitting.many.place import whole_output

def write(place):
    place.write_text("half")
    print("writing", flush=True)
    ctypes.CDLL(None).sleep(30)  # a library that does not hear of Ctrl-C, nor return for long

def run(words):
    job = Job(plan=Path("p"), recording=Path("r"), out=Path(sys.argv[1]))
    with whole_output(job, Record(fingerprint="", frames=0, residual=None, unit="", converged=1.0)) as place:
        aside(lambda: write(place))

pantin.cli._app.run = run
sys.exit(main())
"""


def test_ctrl_c_is_heard_while_a_library_works_and_nothing_stays(tmp_path):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "x.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout.readline() == "writing\n"
    began = time.monotonic()
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=20)
    assert (program.returncode, err) == (130, "")
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - began < 15  # the library would have gone on for 30 s


def test_a_library_that_was_left_behind_ends_before_its_process(tmp_path):
    program = PROGRAM.replace("sleep(30)", "sleep(1)").replace("main()", "run([])")
    done = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "x.csv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.stdout.readline() == "writing\n"
    done.send_signal(signal.SIGINT)
    _, err = done.communicate(timeout=20)
    assert err.endswith("KeyboardInterrupt\n")
    assert list(tmp_path.iterdir()) == []
