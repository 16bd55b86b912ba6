"""The steps of a job, each one call into the part of the package that knows how."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pantin.arrays import Array
from pantin.fitting.many.job import Job

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan
    from pantin.fitting.recordings import MatchReport
    from pantin.fitting.result import FitResult

__all__ = ["Observed", "draw", "load_plan", "load_result", "read", "save", "solve"]

#: A callback that is told how many frames are done, and how many there are.
Progress = Callable[[int, int], object]


class Observed(NamedTuple):
    """What a recording shows of a plan's keypoints.

    Attributes:
        positions: Their positions in plan order, shape (T, K, 3), length units of the plan.
        weights: Their weights, shape (T, K), or None.
        time: Times of the frames, s, shape (T,), or None.
        notes: What the user should know of it, each in a clause.
    """

    positions: Array
    weights: Array | None
    time: Array | None
    notes: tuple[str, ...] = ()


def load_plan(job: Job) -> BodyPlan:
    """The body plan of a job."""
    from pantin.fitting.plan import BodyPlan  # noqa: PLC0415

    return BodyPlan.load(job.plan)


def read(job: Job, plan: BodyPlan) -> Observed:
    """What the recording of a job shows of the plan's keypoints."""
    from pantin.fitting.recordings import RecordingWarning, match, read_recording  # noqa: PLC0415

    recording = read_recording(job.recording, individual=job.individual)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RecordingWarning)  # the report has them
        found = match(recording, plan, job.mapping, unit=job.unit)
    return Observed(found.positions, found.weights, found.time, _notes(found.report))


def _notes(report: MatchReport) -> tuple[str, ...]:
    """What has no partner between recording and plan, and what is probably not meant."""
    notes = []
    if report.unmatched_joints:
        notes.append(f"joints without a keypoint: {', '.join(report.unmatched_joints)}")
    if report.unmatched_keypoints:
        notes.append(f"keypoints without a joint: {', '.join(report.unmatched_keypoints)}")
    hints = [f"is {keypoint!r} the joint {joint!r}? then map it" for keypoint, joint in report.hints.items()]
    return (*notes, *hints, *report.warnings)


def solve(
    job: Job, plan: BodyPlan, observed: Observed, workers: int = 1, progress: Progress | None = None
) -> FitResult:
    """The fit of a recording."""
    from pantin.fitting.solver import fit  # noqa: PLC0415  # these steps are taken one by one

    return fit(
        plan,
        observed.positions,
        observed.weights,
        time=observed.time,
        segments=job.segments,
        workers=workers,
        progress=progress,
        options=job.options,
    )


def save(result: FitResult, path: Path) -> None:
    """Write a result as the ending of a path says."""
    result.save(path)


def load_result(path: Path) -> FitResult:
    """A result that was written."""
    from pantin.fitting.result import FitResult  # noqa: PLC0415

    return FitResult.load(path)


def draw(result: FitResult, path: Path, title: str) -> None:
    """Draw the page of a result."""
    result.plot(path, title=title)
