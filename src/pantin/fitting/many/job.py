"""One recording to fit: what goes in, how, and where the answer goes."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pantin.errors import InvalidArgument
from pantin.fitting.options import FitOptions

__all__ = ["FORMATS", "Job", "refuse_twins"]

#: How an output may end, by the name of its format.
FORMATS: Mapping[str, str] = {"nc": ".nc", "parquet": ".parquet", "zarr": ".zarr", "csv": ".csv"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Job:
    """A recording, the body plan that it is fitted with, and where the result goes.

    Attributes:
        plan: File of the body plan.
        recording: File of the recording.
        out: File of the result; its ending names its format.
        mapping: Names in the recording to names in the plan.
        unit: Length unit of the recording, or None where plan and recording agree or it says so itself.
        individual: Which animal of a recording of several, or None for the only one.
        segments: Frames of a window that is fitted by itself, "auto", or None for the whole as one.
        options: How to fit.
    """

    plan: Path
    recording: Path
    out: Path
    mapping: Mapping[str, str] = dataclasses.field(default_factory=dict)
    unit: str | None = None
    individual: str | None = None
    segments: int | Literal["auto"] | None = "auto"
    options: FitOptions = dataclasses.field(default_factory=FitOptions)

    @property
    def name(self) -> str:
        """What the recording is called in tables."""
        return self.out.stem

    @property
    def record(self) -> Path:
        """The small file beside the output that tells what it was made from."""
        return self.out.with_name(f"{self.out.name}.fit.json")


def refuse_twins(jobs: Sequence[Job]) -> None:
    """Refuse jobs that would overwrite each other's output, or what a job reads.

    Raises:
        InvalidArgument: If two outputs, or an output and an input, are one file.
    """
    read = {os.path.realpath(path): path for job in jobs for path in (job.recording, job.plan)}
    written: dict[str, Job] = {}
    for job in jobs:
        place = os.path.realpath(job.out)
        if place in read:
            raise InvalidArgument(
                "out", f"the result of {str(job.recording)!r} would overwrite {str(read[place])!r}; give another folder"
            )
        twin = written.setdefault(place, job)
        if twin is not job:
            raise InvalidArgument(
                "out",
                f"{str(twin.recording)!r} and {str(job.recording)!r} would both be written to {str(job.out)!r}; "
                "leave out one, or give them names or folders of their own in a batch file",
            )
