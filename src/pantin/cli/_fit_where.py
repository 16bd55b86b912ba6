"""Where `pantin fit` does its work: in this process, in others, or on other machines."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pantin.cli._fit_watch import Screen
from pantin.errors import InvalidArgument
from pantin.fitting.many import Job, Outcome, fit_many
from pantin.fitting.many.place import sweep

__all__ = ["Place", "run"]


class Place(NamedTuple):
    """Where the work is done.

    Attributes:
        workers: Threads of a fit here, or processes with `dask`; -1 for all cores.
        scheduler: Address of a Dask scheduler, or None.
        dask: "local" for processes on this machine, or None.
    """

    workers: int
    scheduler: str | None
    dask: str | None


def run(jobs: Sequence[Job], place: Place, plot: str | None, *, force: bool) -> list[Outcome]:
    """Fit recordings where it is said, and show how far that is.

    Args:
        jobs: The recordings.
        place: Where to fit.
        plot: Folder for pages of pictures, or None.
        force: Fit those that are finished, too.

    Raises:
        InvalidArgument: If the place is none.
        KeyboardInterrupt: If the user interrupts, which is told on standard error.
    """
    if place.workers == 0:
        raise InvalidArgument("--workers", "expected a count, or -1 for all cores, got 0")
    if place.dask not in (None, "local"):
        raise InvalidArgument("--dask", f"expected 'local', got {place.dask!r}; --scheduler takes an address")
    if place.dask and place.scheduler:
        raise InvalidArgument("--dask", "belongs to this machine, and --scheduler to others; leave out one")
    folder = None if plot is None else Path(plot)
    screen = Screen(len(jobs))
    try:
        with contextlib.ExitStack() as stack:
            if place.dask or place.scheduler:
                from pantin.fitting import distributed  # noqa: PLC0415  # optional

                if place.scheduler:
                    client = stack.enter_context(distributed.scheduler(place.scheduler))
                else:
                    client = stack.enter_context(distributed.local_cluster(place.workers))
                stack.enter_context(screen)
                return distributed.fit_distributed(jobs, client, force=force, plot=folder, watch=screen)
            stack.enter_context(screen)
            return fit_many(jobs, workers=place.workers, force=force, plot=folder, watch=screen)
    except KeyboardInterrupt:
        for job in jobs:
            sweep(job)  # processes that are no more may have been writing
        done = f"{screen.left} of {screen.total} recordings"
        print(f"pantin: interrupted after {done}; the same command goes on from there", file=sys.stderr)
        raise
