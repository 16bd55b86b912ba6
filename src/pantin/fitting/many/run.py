"""Recordings fitted one after the other, each read, fitted and written on its own."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pantin.files import whole_file
from pantin.fitting.many import steps
from pantin.fitting.many.aside import abandoned, aside
from pantin.fitting.many.check import check_jobs
from pantin.fitting.many.fingerprint import digest, fingerprint
from pantin.fitting.many.job import Job
from pantin.fitting.many.outcome import Outcome, OutcomeState, describe, record_of
from pantin.fitting.many.place import clear_the_way, finished, sweep, whole_output

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan
    from pantin.fitting.result import FitResult

__all__ = ["Watch", "abandoned", "attempt", "clear_the_way", "fit_many"]

#: Fits what was read of a recording.
Solve = Callable[[Job, "BodyPlan", steps.Observed], "FitResult"]

#: Format of the pages that are drawn.
PAGE = ".png"


class Watch:
    """Is told how far the work is; this one does not care. What its methods raise ends the work."""

    def begin(self, job: Job) -> None:
        """A recording's turn has come."""

    def frames(self, done: int, total: int) -> None:
        """So many frames of it are fitted, of so many."""

    def end(self, outcome: Outcome) -> None:
        """It is left."""


def fit_many(
    jobs: Sequence[Job],
    *,
    workers: int = 1,
    force: bool = False,
    plot: Path | None = None,
    watch: Watch | None = None,
) -> list[Outcome]:
    """Fit many recordings; one that cannot be fitted does not stop the others.

    Outputs appear whole or not at all, each with a record of what it was made from. One that is there already, made
    from the same plan, recording and options by the same version, is left as it is: a run that was interrupted goes on
    where it was when it is started again.

    Args:
        jobs: The recordings.
        workers: Threads of each fit, -1 for all cores; results do not depend on it.
        force: Fit those that are finished, too.
        plot: Folder for a page of pictures of each recording, or None.
        watch: Is told how far the work is.

    Returns:
        What has become of each, in order.

    Raises:
        PantinError: If it is plain beforehand that a job cannot end well; see `check_jobs`. Nothing has run then.
        KeyboardInterrupt: If the user interrupts; the recording that was in work leaves nothing behind.
    """
    check_jobs(jobs, plot)
    watch = watch or Watch()
    outcomes = []
    for job in jobs:
        watch.begin(job)
        solve = functools.partial(steps.solve, workers=workers, progress=watch.frames)
        outcomes.append(attempt(job, solve, force=force, plot=plot))
        watch.end(outcomes[-1])
    return outcomes


def attempt(job: Job, solve: Solve, *, force: bool = False, plot: Path | None = None) -> Outcome:
    """What becomes of one recording, whatever goes wrong with it; see `fit_many`.

    Args:
        job: The recording.
        solve: Fits what was read of it.
        force: Fit it even if it is finished.
        plot: Folder for its page of pictures, or None.
    """
    began = time.perf_counter()
    try:
        outcome, result = _fit(job, solve, force=force)
        if plot is not None:
            outcome = outcome._replace(error=_page(outcome, result, plot))
    except Exception as error:  # whatever is wrong with a recording stays with it
        outcome = Outcome(job, OutcomeState.FAILED, error=describe(error))
    return outcome._replace(seconds=time.perf_counter() - began)


def _fit(job: Job, solve: Solve, *, force: bool) -> tuple[Outcome, FitResult | None]:
    """What becomes of a recording, and the result where it was fitted here."""
    plan = steps.load_plan(job)
    word = fingerprint(job, plan.to_dict(), aside(lambda: digest(job.recording)))
    record = None if force else finished(job, word)
    if record is not None:
        return Outcome(job, OutcomeState.FINISHED, record), None
    observed = aside(lambda: steps.read(job, plan))
    began = time.perf_counter()
    result = solve(job, plan, observed)
    seconds = time.perf_counter() - began
    record = record_of(result, word, observed.notes)
    sweep(job)
    with whole_output(job, record) as place:
        aside(lambda: steps.save(result, place))
    return Outcome(job, OutcomeState.FITTED, record, fit_seconds=seconds), result


def _page(outcome: Outcome, result: FitResult | None, folder: Path) -> str:
    """Draw the page of a recording, if it is not there; what went wrong, or ""."""
    job = outcome.job
    page = folder / (job.name + PAGE)
    try:
        if result is None and page.exists() and page.stat().st_mtime_ns >= job.out.stat().st_mtime_ns:
            return ""
        drawn = aside(lambda: steps.load_result(job.out)) if result is None else result
        with whole_file("plot", page) as beside:
            aside(lambda: steps.draw(drawn, beside, job.name))
    except Exception as error:  # a picture that fails takes no result with it
        return f"no page: {describe(error)}"
    return ""
