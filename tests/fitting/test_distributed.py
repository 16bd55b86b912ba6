"""Many processes: what comes out is what one process makes, to the bit, and a worker that is killed costs nothing.

The cluster starts once: at the processor's own level, and in one test, so that few seconds are spent on processes.
"""

import os
import signal
import time
from types import SimpleNamespace

import pytest

from pantin import _core
from pantin.errors import InvalidArgument, MissingExtra
from pantin.fitting import distributed
from pantin.fitting.many import Job, OutcomeState, Watch, fit_many, steps

FITTED, FINISHED, FAILED = OutcomeState
once = pytest.mark.skipif("PANTIN_LEVEL" in os.environ, reason="processes are started at one level only")


def install(worker=None):
    """Stand-ins for the steps of a job, in this process."""
    steps.load_plan = lambda job: SimpleNamespace(to_dict=dict, length_unit="mm")
    steps.read = lambda job, plan: SimpleNamespace(text=job.recording.read_text(), notes=())
    steps.solve = solve
    steps.save = lambda result, path: path.write_text(f"{result.text} at {_core.level()}")


def solve(job, plan, observed, workers, progress):
    """A fit that kills its process: always, or when it is made for the first time."""
    import numpy as np

    text = observed.text
    if "kill" in text:
        mark = job.recording.with_suffix(".mark")
        first = not mark.exists()
        with mark.open("a") as file:
            file.write("killed\n")
        if first or "always" in text:
            os.kill(os.getpid(), signal.SIGKILL)
    if text == "broken":
        raise ValueError("no numbers")
    time.sleep(0.05)
    return SimpleNamespace(text=text, success=np.ones(3, bool), residual=np.ones((3, 2)), plan=plan)


@pytest.fixture
def jobs(tmp_path):
    texts = {f"r{number}": f"text {number}" for number in range(8)}
    texts |= {"r3": "kill once", "r5": "broken", "r6": "kill always"}
    (tmp_path / "plan.json").write_text("{}")
    made = []
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
            install()

    heard = []

    class Ear(Watch):
        def end(self, outcome):
            heard.append(outcome.job.name)

    for name in ("load_plan", "read", "solve", "save"):
        monkeypatch.setattr(steps, name, getattr(steps, name))
    install()
    settings = {"distributed.scheduler.allowed-failures": 1}
    with dask.config.set(settings), distributed.local_cluster(2) as client:
        client.register_plugin(StandIns())
        assert distributed.common_level(client) == _core.level()
        outcomes = distributed.fit_distributed(jobs, client, watch=Ear())
        again = distributed.fit_distributed(jobs[:3], client)

    assert {outcome.job.name for outcome in outcomes if not outcome.done} == {"r5", "r6"}
    assert [outcome.job.name for outcome in outcomes] == [job.name for job in jobs]
    assert sorted(heard) == [job.name for job in jobs]
    assert outcomes[5].error == "ValueError: no numbers"
    assert "it has killed every worker that took it" in outcomes[6].error
    assert (tmp_path / "r3.mark").read_text() == "killed\nkilled\n"  # begun twice, ended once
    assert {outcome.state for outcome in again} == {FINISHED}

    fits = tmp_path / "fits"
    done = [outcome.job for outcome in outcomes if outcome.done]
    assert {path.name for path in fits.iterdir()} == {path.name for job in done for path in (job.out, job.record)}
    far = {path.name: path.read_bytes() for path in fits.iterdir()}
    assert {outcome.state for outcome in fit_many(done, force=True)} == {FITTED}
    assert {path.name: path.read_bytes() for path in fits.iterdir()} == far


def facts(**changes):
    return {**distributed._facts(), **changes}


def client_of(*workers):
    return SimpleNamespace(run=lambda ask: {f"tcp://w{number}": one for number, one in enumerate(workers)})


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
    with pytest.raises(InvalidArgument, match="it has no workers"):
        distributed.common_level(client_of())


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
