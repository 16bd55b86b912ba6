"""Recordings fitted on many machines, or by many processes of one, through Dask (the extra `scale`).

Every recording is a task: a worker reads it, fits it and writes the result, and only what has become of it travels
back. The windows of a long one are tasks of their own, and go to other workers in chunks. Tasks may be done twice
without harm, since outputs appear by a rename: what a worker had in hand when it was killed is done by another.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pantin import _core
from pantin.errors import InvalidArgument, MissingExtra
from pantin.fitting.many import steps
from pantin.fitting.many.check import check_jobs
from pantin.fitting.many.job import Job
from pantin.fitting.many.outcome import Outcome, OutcomeState, describe
from pantin.fitting.many.place import sweep
from pantin.fitting.many.run import Watch, attempt

if TYPE_CHECKING:
    from pantin.fitting.chunks import Chunk, ChunkFound
    from pantin.fitting.options import FitOptions
    from pantin.fitting.plan import BodyPlan
    from pantin.fitting.result import FitResult

__all__ = ["fit_distributed", "local_cluster", "scheduler"]

#: Instruction-set levels, each of which a processor that has a later one has too.
LEVELS = ("generic", "v2", "v3", "v4")

#: Silence after which a worker counts as hung and its work is given to another; far above what a task takes.
WORKER_TTL = "300s"

KILLED = "it has killed every worker that took it; is there memory enough?"

#: How long a scheduler may take to answer, and to have a worker, s.
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
    chunk: int = 100_000,
) -> list[Outcome]:
    """Fit many recordings on the workers of a client; see `pantin.fitting.many.fit_many`, whose outputs are the same.

    Workers read and write files, so that all machines see these under one path.

    Args:
        jobs: The recordings.
        client: A client of Dask, as `scheduler` and `local_cluster` give.
        force: Fit those that are finished, too.
        plot: Folder for a page of pictures of each recording, or None.
        watch: Is told how far the work is.
        chunk: Frames that a worker fits at once; recordings of more than twice as many are cut, if in segments. The
            results do not depend on it.

    Returns:
        What has become of each, in order.

    Raises:
        InvalidArgument: If there are no workers, or these cannot give the same results.
        PantinError: If it is plain beforehand that a job cannot end well; see `check_jobs`.
        KeyboardInterrupt: If the user interrupts; finished results are kept.
    """
    given = {Path(os.path.abspath(job.out)): job for job in jobs}
    jobs = [_absolute(job) for job in jobs]
    folder = None if plot is None else plot.absolute()
    check_jobs(jobs, folder)
    level = common_level(client)
    watch = watch or Watch()

    task = functools.partial(_attempt, level=level, chunk=chunk, force=force, plot=folder)
    outcomes: dict[Path, Outcome] = {}
    blamed = []

    def told(job: Job, outcome: Outcome) -> None:
        outcomes[job.out] = outcome._replace(job=given[job.out])
        watch.begin(given[job.out])
        watch.end(outcomes[job.out])

    for job, outcome in _done(client, task, jobs):
        if outcome is None:
            blamed.append(job)
        else:
            told(job, outcome)
    for each in blamed:  # alone, for a recording that kills workers takes others of the same worker with it
        for job, outcome in _done(client, task, [each]):
            told(job, outcome or Outcome(job, OutcomeState.FAILED, error=KILLED))
    for job in jobs:
        sweep(job, all_owners=True)
    return [outcomes[job.out] for job in jobs]


def common_level(client: Any) -> str:
    """The highest instruction-set level that this program and all workers have, at which all give the same bits.

    Raises:
        InvalidArgument: If there are no workers, or of other versions, or their processors are of different families.
    """
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise InvalidArgument("scheduler", "it has no workers; start some with: dask worker ADDRESS") from None
    workers: Mapping[str, Mapping[str, str]] = client.run(_facts)
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


def _attempt(job: Job, level: str, chunk: int, *, force: bool, plot: Path | None) -> Outcome:
    """What becomes of a recording on a worker, at a level that all workers have."""
    _take_level(level)
    return attempt(job, functools.partial(_solve, level=level, chunk=chunk), force=force, plot=plot)


def _solve(job: Job, plan: BodyPlan, observed: steps.Observed, level: str, chunk: int) -> FitResult:
    """The fit of a recording, on this worker or, if it is long, on many."""
    if job.segments is None or len(observed.positions) <= 2 * chunk:
        return steps.solve(job, plan, observed)
    from pantin.fitting.chunks import chunks_of, join_chunks  # noqa: PLC0415  # few recordings are that long

    positions, weights = observed.positions, observed.weights
    chunks = chunks_of(len(positions), job.segments, chunk)
    distributed = _distributed()
    with distributed.worker_client() as client:
        # What stays on this worker is not lost with another one, and if this one ends, all is done anew.
        pieces = client.scatter(
            [(positions[one.frames], None if weights is None else weights[one.frames]) for one in chunks],
            workers=[distributed.get_worker().address],
            hash=False,
        )
        fits = [
            client.submit(_fit_chunk, plan, job.options, one, piece, level, pure=False)
            for one, piece in zip(chunks, pieces, strict=True)
        ]
        try:
            parts = client.gather(fits)
        except distributed.scheduler.KilledWorker:  # by a chunk, or by another recording on the same worker
            parts = [
                _fit_chunk(plan, job.options, one, piece.result(), level)
                for one, piece in zip(chunks, pieces, strict=True)
            ]
    return join_chunks(plan, job.options, job.segments, positions, weights, observed.time, parts)


def _fit_chunk(plan: BodyPlan, options: FitOptions, chunk: Chunk, piece: tuple[Any, Any], level: str) -> ChunkFound:
    """What a worker finds of a chunk."""
    from pantin.fitting.chunks import fit_chunk  # noqa: PLC0415  # see above

    _take_level(level)
    return fit_chunk(plan, options, chunk, *piece)


def _take_level(level: str) -> None:
    """Compute at an instruction-set level from here on."""
    if _core.level() != level:
        _core.set_level(level)


def _facts() -> dict[str, str]:
    """What a process computes with."""
    return {"version": sys.modules["pantin"].__version__, "machine": platform.machine(), "level": _core.level()}


def _absolute(job: Job) -> Job:
    """The job as any folder sees it."""
    plan, recording, out = (Path(os.path.abspath(path)) for path in (job.plan, job.recording, job.out))
    return dataclasses.replace(job, plan=plan, recording=recording, out=out)


def _done(client: Any, task: Callable[[Job], Outcome], jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome | None]]:
    """What has become of recordings, as they end; None where the workers that took one died with it in hand.

    Whatever ends the wait takes back what is not begun.
    """
    distributed = _distributed()
    futures = {client.submit(task, job, pure=False): job for job in jobs}
    try:
        for future in distributed.as_completed(futures, loop=client.loop):
            job = futures[future]
            try:
                yield job, future.result()
            except distributed.scheduler.KilledWorker:
                yield job, None
            except Exception as error:  # a task has no errors of its own, but Dask may have
                yield job, Outcome(job, OutcomeState.FAILED, error=describe(error))
    finally:
        client.cancel([future for future in futures if not future.done()])


def _distributed() -> Any:
    """Dask's package for many machines."""
    try:
        import distributed  # noqa: PLC0415  # optional
    except ImportError:
        raise MissingExtra("distributed", "scale", "fitting on many machines") from None
    return distributed
