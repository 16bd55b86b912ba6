"""Recordings fitted on many machines, or by many processes of one, through Dask (the extra `scale`).

Every recording is a task: a worker reads it, fits it and writes the result, and only what has become of it travels
back. Tasks may be done twice without harm, since outputs appear by a rename: what a worker had in hand when it was
killed is done by another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pantin import _core
from pantin.errors import InvalidArgument, MissingExtra
from pantin.fitting.many.check import check_jobs
from pantin.fitting.many.job import Job
from pantin.fitting.many.outcome import Outcome, OutcomeState, describe
from pantin.fitting.many.place import sweep
from pantin.fitting.many.run import Watch, attempt

__all__ = ["fit_distributed", "local_cluster", "scheduler"]

#: Instruction-set levels, each of which a processor that has a later one has too.
LEVELS = ("generic", "v2", "v3", "v4")

#: Silence after which a worker counts as hung and its work is given to another; far above what a task takes.
WORKER_TTL = "300s"

#: How long a scheduler may take to answer, s.
PATIENCE = 10.0


@contextlib.contextmanager
def scheduler(address: str) -> Iterator[Any]:
    """A client of a Dask scheduler that runs already.

    Args:
        address: Such as "tcp://10.0.0.7:8786".

    Raises:
        InvalidArgument: If nothing answers there.
        MissingExtra: If Dask is not installed.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InvalidArgument("scheduler", f"no Dask scheduler answers at {address!r}: {describe(error)}") from None
    with client:
        yield client


@contextlib.contextmanager
def local_cluster(workers: int = -1) -> Iterator[Any]:
    """A client of processes on this machine, which end with it.

    Args:
        workers: How many; -1 for one a core, -2 for one fewer.

    Raises:
        MissingExtra: If Dask is not installed.
    """
    distributed = _distributed()
    import dask  # noqa: PLC0415  # optional

    cores = os.cpu_count() or 1
    count = workers if workers > 0 else max(1, cores + 1 + workers)
    settings = {"distributed.scheduler.worker-ttl": WORKER_TTL}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=count, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


def fit_distributed(
    jobs: Sequence[Job],
    client: Any,
    *,
    force: bool = False,
    plot: Path | None = None,
    watch: Watch | None = None,
) -> list[Outcome]:
    """Fit many recordings on the workers of a client; see `pantin.fitting.many.fit_many`, whose outputs are the same.

    Workers read and write files, so that all machines see these under one path.

    Args:
        jobs: The recordings.
        client: A client of Dask, as `scheduler` and `local_cluster` give.
        force: Fit those that are finished, too.
        plot: Folder for a page of pictures of each recording, or None.
        watch: Is told how far the work is.

    Returns:
        What has become of each, in order.

    Raises:
        InvalidArgument: If there are no workers, or these cannot give the same results.
        PantinError: If it is plain beforehand that a job cannot end well; see `check_jobs`.
        KeyboardInterrupt: If the user interrupts; finished results are kept.
    """
    jobs = [_absolute(job) for job in jobs]
    folder = None if plot is None else plot.absolute()
    check_jobs(jobs, folder)
    level = common_level(client)
    watch = watch or Watch()

    def submit(job: Job) -> Any:
        return client.submit(_attempt, job, level, force=force, plot=folder, pure=False)

    outcomes: dict[Path, Outcome] = {}
    blamed = []
    for job, future in _ended({submit(job): job for job in jobs}, client):
        watch.begin(job)
        if future.status == "error" and _was_killed(future.exception()):
            blamed.append(job)
        else:
            outcomes[job.out] = _outcome(job, future)
            watch.end(outcomes[job.out])
    for job in blamed:  # each alone, for the one that kills workers takes others of the same worker with it
        for _, future in _ended({submit(job): job}, client):
            outcomes[job.out] = _outcome(job, future)
            watch.end(outcomes[job.out])
    for job in jobs:
        sweep(job, all_owners=True)
    return [outcomes[job.out] for job in jobs]


def common_level(client: Any) -> str:
    """The highest instruction-set level that this program and all workers have, at which all give the same bits.

    Raises:
        InvalidArgument: If there are no workers, or of other versions, or their processors are of different families.
    """
    workers: Mapping[str, Mapping[str, str]] = client.run(_facts)
    if not workers:
        raise InvalidArgument("scheduler", "it has no workers; start some with: dask worker ADDRESS")
    here = _facts()
    _refuse_mixture("versions", {"this program": here, **workers}, "version")
    _refuse_mixture("processors", workers, "machine")
    levels = [facts["level"] for facts in workers.values()]
    if here["machine"] in {facts["machine"] for facts in workers.values()}:
        levels.append(here["level"])
    return min(levels, key=LEVELS.index)


def _refuse_mixture(what: str, who: Mapping[str, Mapping[str, str]], fact: str) -> None:
    """Refuse workers that differ in a fact."""
    found = {facts[fact]: address for address, facts in who.items()}
    if len(found) > 1:
        words = ", ".join(f"{value} ({address})" for value, address in found.items())
        raise InvalidArgument("scheduler", f"{what} differ, so that results would: {words}")


def _attempt(job: Job, level: str, *, force: bool, plot: Path | None) -> Outcome:
    """What becomes of a recording on a worker, at a level that all workers have."""
    if _core.level() != level:
        _core.set_level(level)
    return attempt(job, force=force, plot=plot)


def _facts() -> dict[str, str]:
    """What a process computes with."""
    return {"version": sys.modules["pantin"].__version__, "machine": platform.machine(), "level": _core.level()}


def _absolute(job: Job) -> Job:
    """The job as any folder sees it."""
    plan, recording, out = (Path(os.path.abspath(path)) for path in (job.plan, job.recording, job.out))
    return dataclasses.replace(job, plan=plan, recording=recording, out=out)


def _ended(jobs: Mapping[Any, Job], client: Any) -> Iterator[tuple[Job, Any]]:
    """Jobs with their futures as these end; whatever ends the wait takes back what is not begun."""
    try:
        for future in _distributed().as_completed(jobs, loop=client.loop):
            yield jobs[future], future
    finally:
        client.cancel([future for future in jobs if not future.done()])


def _outcome(job: Job, future: Any) -> Outcome:
    """What has become of a recording, by its future."""
    error = future.exception()
    if error is None:
        return future.result()  # type: ignore[no-any-return]  # it is that of `_attempt`
    reason = "it has killed every worker that took it; is there memory enough?" if _was_killed(error) else None
    return Outcome(job, OutcomeState.FAILED, error=reason or describe(error))


def _was_killed(error: BaseException) -> bool:
    """True if a task has no answer because workers died with it in hand."""
    return isinstance(error, _distributed().scheduler.KilledWorker)


def _distributed() -> Any:
    """Dask's package for many machines."""
    try:
        import distributed  # noqa: PLC0415  # optional
    except ImportError:
        raise MissingExtra("distributed", "scale", "fitting on many machines") from None
    return distributed
