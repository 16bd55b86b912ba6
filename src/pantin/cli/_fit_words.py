"""The words of `pantin fit`, made jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pantin import samples
from pantin.cli._options import numbers
from pantin.errors import InvalidArgument
from pantin.fitting.many import Job, read_batch
from pantin.fitting.many.settings import job_of
from pantin.fitting.recordings.mapping import read_mapping

__all__ = ["jobs_of", "locked"]


def jobs_of(plan: str | None, recordings: Sequence[str], batch: str | None, said: Mapping[str, Any]) -> list[Job]:
    """The jobs that a command line asks for.

    Args:
        plan: Body plan or name of a sample, or None where the batch file says it; a batch file may stand here alone.
        recordings: Files of recordings; none for the recording of a sample.
        batch: Batch file, or None.
        said: Settings that count for all of them; None for what is left open.

    Raises:
        InvalidArgument: If the words do not fit together, or a batch file is wrong.
        UnknownSample: If a plan is neither a file nor a sample.
    """
    settings = {key: value for key, value in said.items() if value is not None}
    if "mapping" in settings:
        settings["mapping"] = read_mapping(settings["mapping"])
    if plan is not None and plan.endswith(".toml") and not recordings and batch is None:
        plan, batch = None, plan
    if plan is not None:
        settings["plan"] = _find_plan(Path(plan))
    if batch is not None:
        if recordings:
            raise InvalidArgument("--batch", f"its file names the recordings; leave out {recordings[0]!r}")
        return read_batch(batch, settings, read_mapping=read_mapping, find_plan=_find_plan)
    if plan is None:
        raise InvalidArgument("PLAN", "give a body plan and recordings, or --batch FILE")
    if "out" not in settings:
        raise InvalidArgument("--out", "give the folder that results are written to")
    if not recordings:
        if Path(plan).exists():
            raise InvalidArgument("RECORDING", f"give the recordings that {plan!r} is fitted to")
        recordings = [str(samples.recording(plan))]
    return [job_of("command line", Path(recording), settings) for recording in recordings]


def locked(words: Sequence[str]) -> Mapping[str, float | None] | None:
    """Degrees of freedom that keep a value, out of `hip` or `hip=0.3,knee`.

    Raises:
        InvalidArgument: If what stands behind a name is no number.
    """
    pairs = [pair.strip().partition("=") for word in words for pair in word.split(",")]
    values = {name: float(numbers("--lock", [value])[0]) if equals else None for name, equals, value in pairs}
    return values or None


def _find_plan(path: Path) -> Path:
    """The file of a body plan, or of the sample of that name where there is no such file."""
    return path if path.exists() or path.suffix else samples.body_plan(path.name)
