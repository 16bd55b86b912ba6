"""Many targets at once: solved in pieces under a progress bar, summed up, and written to a table."""

from __future__ import annotations

import collections
import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pantin.arrays import Array
from pantin.cli._columns import table_path, write_columns
from pantin.cli._output import console, joint_values, percent, plain_table, print_json, print_table
from pantin.cli._question import UNITS, Error, Question, targets_of
from pantin.cli._targets import TargetFile
from pantin.errors import InvalidArgument
from pantin.reaching import ReachBatch
from pantin.solving import Status

__all__ = ["add_worst", "progress_bar", "reach_many"]

#: A piece of work takes about this long, s, and has at least and at most so many targets.
PIECE_SECONDS, LEAST, MOST = 0.1, 64, 1 << 16


class Answers(NamedTuple):
    """Answers to many targets.

    Attributes:
        question: What was asked.
        q: Configurations, shape (n, nq).
        status: Status words, shape (n,).
        position_error: Distances to the targets, shape (n,), m.
        rotation_error: Angles to the targets, shape (n,), rad.
        seconds: Time that the solver took for all.
        threads: Threads that it used.
    """

    question: Question
    q: Array
    status: npt.NDArray[np.str_]
    position_error: Array
    rotation_error: Array
    seconds: float
    threads: int

    @property
    def success(self) -> npt.NDArray[np.bool_]:
        """Which targets are reached, shape (n,)."""
        reached: npt.NDArray[np.bool_] = self.status == Status.REACHED.value
        return reached


def reach_many(
    question: Question, file: TargetFile, seeds: Array | None, out: str | None, threads: int, *, as_json: bool
) -> int:
    """Reach the targets of a file, sum up, and write the answers.

    Args:
        question: What is asked.
        file: The targets.
        seeds: One seed, shape (nq,), one for each target, shape (n, nq), or None.
        out: Table to write, or None.
        threads: Threads to use.
        as_json: Print JSON.

    Returns:
        Exit code.
    """
    if out is not None and table_path("--out", out).exists() and os.path.samefile(out, file.path):
        raise InvalidArgument("--out", f"{out!r} is the file of the targets; give another name")
    answers = _solve(question, targets_of(question, file.parts), seeds, threads)
    if out is not None:
        write_columns("--out", out, _columns(answers))
    if as_json:
        print_json(_facts(answers))
    else:
        _print(answers, file.columns.where)
    return 0 if answers.success.all() else 1


def _solve(question: Question, targets: Array, seeds: Array | None, threads: int) -> Answers:
    """Answers to many targets; a progress bar on the terminal tells how far they are.

    Args:
        question: What is asked.
        targets: Targets as its mode takes them, along the first axis.
        seeds: One seed, shape (nq,), one for each target, shape (n, nq), or None.
        threads: Threads to use.

    Raises:
        KeyboardInterrupt: If the user interrupts, which is told on standard error.
    """
    solver = question.solver()
    batches: list[ReachBatch] = []
    done, size, seconds = 0, LEAST, 0.0
    try:
        with progress_bar() as progress:
            task = progress.add_task("reach", total=len(targets))
            while done < len(targets):
                piece = slice(done, done + size)
                start = time.perf_counter()
                batches.append(
                    solver.solve_batch(
                        targets[piece], seeds if seeds is None or seeds.ndim == 1 else seeds[piece], threads
                    )
                )
                took = time.perf_counter() - start
                done, seconds = done + len(batches[-1]), seconds + took
                size = int(np.clip(size * PIECE_SECONDS / max(took, 1e-9), LEAST, min(MOST, 4 * size)))
                progress.update(task, completed=done)
    except KeyboardInterrupt:
        print(f"pantin: interrupted after {done} of {len(targets)} targets; nothing is written", file=sys.stderr)
        raise
    return Answers(
        question,
        _joined(batches, lambda batch: batch.q),
        _joined(batches, lambda batch: batch.status),
        _joined(batches, lambda batch: batch.position_error),
        _joined(batches, lambda batch: batch.rotation_error),
        seconds,
        threads,
    )


def add_worst(table: Table, worst: Mapping[Error, float]) -> None:
    """Add rows with the largest errors among the targets that are reached."""
    for error, value in worst.items():
        table.add_row(f"worst {error} error among the reached", f"{value:.3g}", UNITS[error])


def _joined(batches: list[ReachBatch], part: Callable[[ReachBatch], npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """One part of all batches, in a row."""
    return np.concatenate([part(batch) for batch in batches])


def progress_bar() -> Progress:
    """Progress on standard error, which leaves nothing behind, and is shown on a terminal only."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def _columns(answers: Answers) -> dict[str, npt.NDArray[Any]]:
    """Columns of the table of answers: status, success, errors that count, and joint values by name."""
    question = answers.question
    return {
        "status": answers.status,
        "success": answers.success,
        **question.error_columns(answers),
        **{value.label: value.value for value in joint_values(question.model, answers.q)},
    }


def _facts(answers: Answers) -> dict[str, object]:
    """What `--json` prints of many answers."""
    count, reached = len(answers.status), answers.success
    worst = answers.question.worst(answers, reached)
    counted = collections.Counter(answers.status.tolist())
    return {
        "frame": answers.question.frame,
        "mode": answers.question.mode,
        "success": bool(reached.all()),
        "targets": count,
        "reached": int(reached.sum()),
        "success_rate": float(reached.mean()),
        **{f"worst_{error}_error": worst.get(error) for error in UNITS},
        "statuses": {status.value: counted[status.value] for status in Status if counted[status.value]},
        "time_per_target_us": 1e6 * answers.seconds / count,
        "targets_per_second": count / answers.seconds,
        "threads": answers.threads,
    }


def _print(answers: Answers, where: Callable[[int], str]) -> None:
    """Print how many targets are reached, how well and how fast.

    Args:
        answers: The answers.
        where: The place of a target in its file, in words.
    """
    out = console()
    count, reached = len(answers.status), int(answers.success.sum())
    style = "bold green" if reached == count else "bold red"
    out.print(
        f"{answers.question.frame}: {reached} of {count} targets are reached ({percent(reached, count)}).",
        style=style,
        soft_wrap=True,
    )
    if reached < count:
        first = int(np.argmin(answers.success))
        out.print(f"The first that is not stands in {where(first)} ({answers.status[first]}).", soft_wrap=True)
    out.print()
    facts = plain_table("summary", "", "", right=("",))
    add_worst(facts, answers.question.worst(answers, answers.success))
    threads = f" on {answers.threads} threads" if answers.threads > 1 else ""
    facts.add_row("time per target", f"{1e6 * answers.seconds / count:.3g}", f"us{threads}")
    facts.add_row("targets per second", f"{count / answers.seconds:.0f}", "")
    print_table(facts, out)
    out.print()
    statuses = plain_table("status", "targets", "share", right=("targets", "share"))
    for status, number in collections.Counter(answers.status.tolist()).most_common():
        statuses.add_row(status, str(number), percent(number, count))
    print_table(statuses, out)
