"""What is found out about jobs before the first of them runs."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pantin.errors import InvalidArgument, MissingExtra
from pantin.fitting.many import steps
from pantin.fitting.many.job import Job, refuse_twins
from pantin.fitting.recordings.problems import RecordingNotFound
from pantin.fitting.recordings.units import as_unit

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan

__all__ = ["check_jobs"]

#: Packages that write a format.
WRITERS: Mapping[str, tuple[str, ...]] = {
    ".nc": ("xarray", "h5netcdf"),
    ".zarr": ("xarray", "zarr"),
    ".parquet": ("pyarrow",),
}


def check_jobs(jobs: Sequence[Job], plot: Path | None = None) -> None:
    """Refuse jobs that cannot end well, and make the folders of their outputs.

    Args:
        jobs: The recordings.
        plot: Folder for pages of pictures, or None.

    Raises:
        InvalidArgument: If two outputs are one file, or an output is a file that is read, or a folder cannot be made.
        RecordingNotFound: If a recording or a body plan is not there.
        BodyPlanError: If a body plan is none.
        UnknownName: If a plan lacks what options or the table of names speak of.
        MissingExtra: If a package is missing that results or pages are written with.
    """
    refuse_twins(jobs)
    for job in jobs:
        for path in (job.recording, job.plan):
            if not path.exists():
                raise RecordingNotFound(path)
    plans = {job.plan: steps.load_plan(job) for job in {job.plan: job for job in jobs}.values()}
    for job in jobs:
        _check_names(job, plans[job.plan])
    for ending in {job.out.suffix for job in jobs}:
        for package in WRITERS.get(ending, ()):
            _need(package, "fit", f"writing {ending} files, unlike .csv files,")
    if plot is not None:
        _need("matplotlib", "plot", "drawing")
        _make("plot", plot)
    for folder in {job.out.parent for job in jobs}:
        _make("out", folder)


def _check_names(job: Job, plan: BodyPlan) -> None:
    """See that the plan has what options and names speak of, and that the unit is one."""
    for name in (*job.options.lock, *job.options.prescribe):
        plan.dof(name)
    for name in job.mapping.values():
        plan.joint(name)
    as_unit("unit", job.unit)


def _need(package: str, extra: str, purpose: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise MissingExtra(package, extra, purpose)


def _make(name: str, folder: Path) -> None:
    """Make a folder if it is not there, and see that it takes files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidArgument(name, f"cannot make the folder {str(folder)!r}: {error.strerror or error}") from None
    if not os.access(folder, os.W_OK):
        raise InvalidArgument(name, f"the folder {str(folder)!r} is closed to writing")
