"""What has become of a recording."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from pantin.errors import PantinError
from pantin.fitting.many.job import Job
from pantin.fitting.many.place import Record

__all__ = ["Outcome", "OutcomeState", "describe", "record_of"]


class OutcomeState(enum.StrEnum):
    """How a recording was left; each member equals its word."""

    FITTED = "fitted"
    """It was fitted, and the result is written."""
    FINISHED = "finished"
    """The result was there already, made from the same plan, recording and options."""
    FAILED = "failed"
    """It could not be read, fitted or written; the message says why."""


class Outcome(NamedTuple):
    """What has become of a recording.

    Attributes:
        job: What was to be done.
        state: How the recording was left.
        record: What is told of the result, or None where there is none.
        seconds: Time that it took, from reading to writing, s.
        fit_seconds: The part of it that the fit took, s; 0 where nothing was fitted here.
        error: Why there is no result, or no picture of it; else "".
    """

    job: Job
    state: OutcomeState
    record: Record | None = None
    seconds: float = 0.0
    fit_seconds: float = 0.0
    error: str = ""

    @property
    def done(self) -> bool:
        """True if everything that was asked for is there."""
        return not self.error

    @property
    def rate(self) -> float | None:
        """Frames fitted per second, or None where none were."""
        return self.record.frames / self.fit_seconds if self.record and self.fit_seconds else None


def record_of(result: Any, fingerprint: str, notes: Sequence[str] = ()) -> Record:
    """What is told of a result beside it.

    Args:
        result: A `FitResult`.
        fingerprint: Word for what it was made from.
        notes: What the user should know of the recording.
    """
    frames = len(result.success)
    residual = result.residual
    seen = ~np.isnan(residual)
    count = int(seen.sum())
    return Record(
        fingerprint=fingerprint,
        frames=frames,
        residual=float(residual.sum(where=seen) / count) if count else None,
        unit=result.plan.length_unit or "",
        converged=float(result.success.mean()) if frames else 1.0,
        notes=notes,
    )


def describe(error: BaseException) -> str:
    """What an error says, in one line."""
    text = " ".join(str(error).split())
    if isinstance(error, PantinError):
        return text
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
