"""What `pantin fit` shows while it works: how far it is, and a line for each recording that is left."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.progress import TaskID

from pantin.cli._many import progress_bar
from pantin.cli._output import percent
from pantin.fitting.many import Job, Outcome, OutcomeState, Watch

__all__ = ["Screen", "converged_words", "residual_words"]


class Screen(Watch):
    """A progress bar on standard error while it is entered, and above it the lines of the recordings that are left.

    Attributes:
        left: Recordings that are left.
        total: Recordings altogether.
    """

    def __init__(self, total: int) -> None:
        self.left = 0
        self.total = total
        self._bar = progress_bar()
        self._all = self._bar.add_task("recordings", total=total)
        self._one: TaskID | None = None

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, job: Job) -> None:
        """A recording's turn has come."""
        self._one = self._bar.add_task(job.name, total=None)

    def frames(self, done: int, total: int) -> None:
        """So many frames of it are fitted, of so many."""
        if self._one is not None:
            self._bar.update(self._one, completed=done, total=total)

    def end(self, outcome: Outcome) -> None:
        """It is left: say how in one line."""
        self.left += 1
        if self._one is not None:
            self._bar.remove_task(self._one)
        self._bar.update(self._all, completed=self.left)
        self._bar.console.print(_line(outcome), soft_wrap=True, highlight=False, markup=False, emoji=False)


def residual_words(outcome: Outcome) -> str:
    """Mean residual of a recording with its unit, "" where nothing was seen."""
    record = outcome.record
    if record is None or record.residual is None:
        return ""
    return f"{record.residual:.3g} {record.unit}".rstrip()


def converged_words(outcome: Outcome) -> str:
    """Share of the frames that came to a minimum."""
    record = outcome.record
    if record is None or not record.frames:
        return "none"
    return percent(round(record.converged * record.frames), record.frames)


def _line(outcome: Outcome) -> str:
    """How a recording is left, in one line."""
    record, job = outcome.record, outcome.job
    if record is None:
        return f"{job.name}: not fitted: {outcome.error}"
    words = [f"{record.frames} frames"]
    if outcome.rate is not None:
        words.append(f"{outcome.rate:.0f} frames/s")
    residual = residual_words(outcome)
    words.append(f"mean residual {residual}" if residual else "nothing seen")
    words.append(f"{converged_words(outcome)} converged")
    before = "finished before: " if outcome.state is OutcomeState.FINISHED else ""
    notes = "".join(f"; {note}" for note in [*record.notes, outcome.error] if note)
    return f"{job.name}: {before}{', '.join(words)}; {job.out}{notes}"
