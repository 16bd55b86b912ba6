"""What `pantin fit` says at the end: a table of recordings, or JSON."""

from __future__ import annotations

from collections.abc import Sequence

from pantin.cli._fit_watch import converged_words, residual_words
from pantin.cli._output import console, plain_table, print_json, print_table
from pantin.fitting.many import Outcome

__all__ = ["answer"]

NUMBERS = ("frames", "frames/s", "residual", "converged")


def answer(outcomes: Sequence[Outcome], *, as_json: bool) -> int:
    """Print what has become of recordings.

    Args:
        outcomes: One for each recording.
        as_json: Print JSON.

    Returns:
        Exit code: 0 if all are done.
    """
    done = sum(outcome.done for outcome in outcomes)
    if as_json:
        print_json({"success": done == len(outcomes), "recordings": [_facts(outcome) for outcome in outcomes]})
    else:
        _print(outcomes, done)
    return 0 if done == len(outcomes) else 1


def _facts(outcome: Outcome) -> dict[str, object]:
    """What `--json` prints of a recording."""
    record, job = outcome.record, outcome.job
    return {
        "name": job.name,
        "recording": str(job.recording),
        "plan": str(job.plan),
        "out": None if record is None else str(job.out),
        "state": outcome.state.value,
        "error": outcome.error or None,
        "frames": None if record is None else record.frames,
        "mean_residual": None if record is None else record.residual,
        "unit": None if record is None else record.unit or None,
        "converged": None if record is None else record.converged,
        "notes": [] if record is None else list(record.notes),
        "frames_per_second": outcome.rate,
        "seconds": outcome.seconds,
    }


def _print(outcomes: Sequence[Outcome], done: int) -> None:
    """Print how many recordings are done, and a table with a row for each."""
    out = console()
    total = len(outcomes)
    recordings = "recording is" if total == 1 else "recordings are"
    out.print(
        f"{done} of {total} {recordings} done.",
        style="bold green" if done == total else "bold red",
        soft_wrap=True,
    )
    out.print()
    table = plain_table("recording", *NUMBERS, "", "written to", right=NUMBERS)
    for outcome in outcomes:
        table.add_row(*_cells(outcome))
    print_table(table, out)


def _cells(outcome: Outcome) -> list[str]:
    """Cells of a recording's row."""
    record, job = outcome.record, outcome.job
    if record is None:
        return [job.name, "", "", "", "", outcome.state.value, ""]
    return [
        job.name,
        str(record.frames),
        "" if outcome.rate is None else f"{outcome.rate:.0f}",
        residual_words(outcome),
        converged_words(outcome),
        outcome.state.value,
        str(job.out),
    ]
