"""Many processes: what comes out is what one process makes, to the bit, and a worker that is killed costs nothing.

The cluster starts once: at the processor's own level, and in one test, so that few seconds are spent on processes.
"""

import functools
import os
import signal
import time
from types import SimpleNamespace

import pytest

from pantin import _core, samples
from pantin.errors import InvalidArgument, MissingExtra
from pantin.fitting import FitResult, distributed
from pantin.fitting.many import Job, Outcome, OutcomeState, Watch, fit_many, steps

FITTED, FINISHED, FAILED = OutcomeState
once = pytest.mark.skipif("PANTIN_LEVEL" in os.environ, reason="processes are started at one level only")


REAL = {name: getattr(steps, name) for name in ("load_plan", "read", "solve", "save")}


def install():
    """Stand-ins for the steps of a job in this process, which the recordings that are texts get."""
    for name in REAL:
        setattr(steps, name, functools.partial(either, name))


def either(name, *words, **more):
    """The stand-in of a step, or the step itself where the recording is a real one."""
    text = any(isinstance(word, Job) and word.recording.suffix == ".txt" for word in words)
    text = text or isinstance(words[0], SimpleNamespace)
    return (globals()[name] if text else REAL[name])(*words, **more)


def load_plan(job):
    return SimpleNamespace(to_dict=dict, length_unit="mm")


def read(job, plan):
    return SimpleNamespace(text=job.recording.read_text(), notes=(), positions=[0] * 10)


def save(result, path):
    path.write_text(f"{result.text} at {_core.level()}")


def solve(job, plan, observed, workers=1, progress=None):
    """A fit that may kill its process when it is made for the first time."""
    import numpy as np

    text = observed.text
    if "kill" in text:
        mark = job.recording.with_suffix(".mark")
        first = not mark.exists()
        with mark.open("a") as file:
            file.write("begun\n")
        if first:
            os.kill(os.getpid(), signal.SIGKILL)
    if text == "broken":
        raise ValueError("no numbers")
    time.sleep(0.05)
    return SimpleNamespace(text=text, success=np.ones(3, bool), residual=np.ones((3, 2)), plan=plan)


def long_job(folder, ending):
    """The sample three times in a row, whose windows go to workers in chunks."""
    head, *rows = samples.recording("walker").read_text().splitlines()
    rows = [f"{number / 100},{row.partition(',')[2]}" for number, row in enumerate(rows * 3)]
    (folder / "long.csv").write_text("\n".join([head, *rows]) + "\n")
    return Job(
        plan=samples.body_plan("walker"),
        recording=folder / "long.csv",
        out=folder / "fits" / f"long{ending}",
        segments=60,
    )


class Chunks:
    """Counts the chunks of the long recording; the first worker that takes the third is killed."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, plan, options, chunk, *piece):
        import pantin.fitting.chunks as module

        mark = self.folder / f"chunk{chunk.frames.start}"
        first = not mark.exists()
        with mark.open("a") as file:
            file.write("begun\n")
        if chunk.frames.start == 360 and first:
            os.kill(os.getpid(), signal.SIGKILL)
        return module.real_fit_chunk(plan, options, chunk, *piece)


@pytest.fixture
def jobs(tmp_path):
    texts = {f"r{number}": f"text {number}" for number in range(8)}
    texts |= {"r3": "kill once", "r5": "broken"}
    (tmp_path / "plan.json").write_text("{}")
    made = [long_job(tmp_path, ".zarr"), long_job(tmp_path, ".csv")]
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
        made.append(
            Job(plan=tmp_path / "plan.json", recording=tmp_path / f"{name}.txt", out=tmp_path / "fits" / f"{name}.csv")
        )
    return made


@once
def test_a_cluster_does_what_one_process_does_and_more_patiently(jobs, tmp_path, monkeypatch):
    dask = pytest.importorskip("dask")
    package = pytest.importorskip("distributed")

    class StandIns(package.WorkerPlugin):
        """Every worker has the stand-ins, those that take a killed one's place among them."""

        def setup(self, worker):
            import pantin.fitting.chunks as module

            install()
            module.real_fit_chunk, module.fit_chunk = module.fit_chunk, Chunks(tmp_path)

    heard = []

    class Ear(Watch):
        def end(self, outcome):
            heard.append(outcome.job.name)

    for name, step in REAL.items():
        monkeypatch.setattr(steps, name, step)
    install()
    settings = {"distributed.scheduler.allowed-failures": 1}
    with dask.config.set(settings), distributed.local_cluster(2) as client:
        client.register_plugin(StandIns())
        assert distributed.common_level(client) == _core.level()
        outcomes = distributed.fit_distributed(jobs, client, watch=Ear(), chunk=180)
        again = distributed.fit_distributed(jobs[:3], client)

    assert {outcome.job.name for outcome in outcomes if not outcome.done} == {"r5"}
    assert [outcome.job.name for outcome in outcomes] == [job.name for job in jobs]
    assert sorted(heard) == [job.name for job in jobs]
    errors = {outcome.job.name: outcome.error for outcome in outcomes}
    assert errors["r5"] == "ValueError: no numbers"
    assert [len((tmp_path / f"chunk{frame}").read_text().split()) >= 2 for frame in (0, 180, 360, 540, 720)] == [
        True
    ] * 5
    assert (tmp_path / "r3.mark").read_text() == "begun\nbegun\n"  # and ended once
    assert {outcome.state for outcome in again} == {FINISHED}

    fits = tmp_path / "fits"
    done = [outcome.job for outcome in outcomes if outcome.done]
    assert {path.name for path in fits.iterdir()} == {path.name for job in done for path in (job.out, job.record)}
    far, result = contents(fits), FitResult.load(fits / "long.zarr")
    assert {outcome.state for outcome in fit_many(done, force=True)} == {FITTED}
    assert FitResult.load(fits / "long.zarr").equals(result)
    assert len(result.joins) > 10
    assert contents(fits) == far


class Fate:
    """A stand-in for a future, and for the error of one whose worker was killed."""

    class KilledWorker(Exception):
        pass

    def __init__(self, answer):
        self.answer = answer

    def result(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def done(self):
        return True


def test_one_that_kills_workers_is_told_from_those_it_takes_along(jobs, monkeypatch):
    jobs = jobs[2:5]
    fates = {job.name: [Outcome(job, FITTED)] for job in jobs}
    fates["r1"] = [Fate.KilledWorker(), Fate.KilledWorker()]
    fates["r2"] = [Fate.KilledWorker(), *fates["r2"]]
    asked = []

    def submit(task, job, **_):
        asked.append(job.name)
        return Fate(fates[job.name].pop(0))

    client = SimpleNamespace(submit=submit, cancel=list, loop=None)
    dask = SimpleNamespace(as_completed=lambda futures, loop: list(futures), scheduler=Fate)
    monkeypatch.setattr(distributed, "_distributed", lambda: dask)
    monkeypatch.setattr(distributed, "common_level", lambda client: "v4")
    monkeypatch.setattr(distributed, "check_jobs", lambda jobs, plot: None)
    outcomes = distributed.fit_distributed(jobs, client)
    assert asked == ["r0", "r1", "r2", "r1", "r2"]
    assert [outcome.state for outcome in outcomes] == [FITTED, FAILED, FITTED]
    assert outcomes[1].error == "it has killed every worker that took it; is there memory enough?"


def contents(folder):
    """Bytes of all files by name, those of folders among them."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def client_of(*workers):
    return SimpleNamespace(
        wait_for_workers=lambda n, timeout: None,
        run=lambda ask: {f"tcp://w{number}": one for number, one in enumerate(workers)},
    )


def test_all_take_the_lowest_level_and_mixtures_are_refused(monkeypatch):
    monkeypatch.setattr(distributed, "_facts", lambda: {"version": "1", "machine": "x86_64", "level": "v4"})
    one = distributed._facts()
    assert distributed.common_level(client_of(one, one)) == "v4"
    assert distributed.common_level(client_of(one, {**one, "level": "v2"}, {**one, "level": "v3"})) == "v2"
    arm = {**one, "machine": "aarch64", "level": "generic"}
    with pytest.raises(InvalidArgument, match=r"processors differ, .*x86_64 \(tcp://w0\), aarch64 \(tcp://w1\)"):
        distributed.common_level(client_of(one, arm))
    with pytest.raises(InvalidArgument, match=r"versions differ, .*1 \(this program\), 2 \(tcp://w0\)"):
        distributed.common_level(client_of({**one, "version": "2"}))


def test_without_workers_it_is_told_how_to_start_some():
    def wait(n_workers, timeout):
        raise TimeoutError

    with pytest.raises(InvalidArgument, match="it has no workers; start some with: dask worker ADDRESS"):
        distributed.common_level(SimpleNamespace(wait_for_workers=wait))


def test_this_program_counts_where_its_processor_is_of_the_family(monkeypatch):
    monkeypatch.setattr(distributed, "_facts", lambda: {"version": "1", "machine": "x86_64", "level": "v2"})
    assert distributed.common_level(client_of({"version": "1", "machine": "x86_64", "level": "v4"})) == "v2"
    monkeypatch.setattr(distributed, "_facts", lambda: {"version": "1", "machine": "arm64", "level": "generic"})
    assert distributed.common_level(client_of({"version": "1", "machine": "x86_64", "level": "v3"})) == "v3"


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x"])
def test_nobody_at_the_address_is_told(monkeypatch, address):
    pytest.importorskip("distributed")
    monkeypatch.setattr(distributed, "PATIENCE", 0.1)
    with (
        pytest.raises(InvalidArgument, match=f"no Dask scheduler answers at '{address}'"),
        distributed.scheduler(address),
    ):
        pass


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pantin\[scale\]'"), distributed.local_cluster(2):
        pass
