"""Many targets at once: solved under a progress bar, summed up, and written to a table."""

from __future__ import annotations

import collections
import os
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.cli._columns import table_path, write_columns
from pantin.cli._many import add_worst, progress_bar
from pantin.cli._output import console, percent, plain_table, print_json, print_table
from pantin.cli._question import UNITS, Question, targets_of
from pantin.cli._targets import TargetFile
from pantin.errors import InvalidArgument
from pantin.kinematics.labels import joint_values
from pantin.reaching import ReachBatch
from pantin.solving import Status

__all__ = ["reach_many"]


class Answers(NamedTuple):
    """Answers to many targets.

    Attributes:
        question: What was asked.
        batch: The answers.
        seconds: Time that the solver took for all.
        threads: Threads that it used.
    """

    question: Question
    batch: ReachBatch
    seconds: float
    threads: int


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
    return 0 if answers.batch.success.all() else 1


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
    solver, bar = question.solver(), progress_bar()
    task = bar.add_task("reach", total=len(targets))
    try:
        with bar:
            start = time.perf_counter()
            batch = solver.solve_batch(
                targets, seeds, threads, progress=lambda done, _: bar.update(task, completed=done)
            )
            seconds = time.perf_counter() - start
    except KeyboardInterrupt:
        done = f"{bar.tasks[0].completed:.0f} of {len(targets)} targets"
        print(f"pantin: interrupted after {done}; nothing is written", file=sys.stderr)
        raise
    return Answers(question, batch, seconds, threads)


def _columns(answers: Answers) -> dict[str, npt.NDArray[Any]]:
    """Columns of the table of answers: status, success, errors that count, and joint values by name."""
    question, batch = answers.question, answers.batch
    return {
        "status": batch.status,
        "success": batch.success,
        **question.error_columns(batch),
        **{value.label: value.value for value in joint_values(question.model, batch.q)},
    }


def _facts(answers: Answers) -> dict[str, object]:
    """What `--json` prints of many answers."""
    count, reached = len(answers.batch), answers.batch.success
    worst = answers.question.worst(answers.batch, reached)
    counted = collections.Counter(answers.batch.status.tolist())
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
    batch = answers.batch
    count, reached = len(batch), int(batch.success.sum())
    style = "bold green" if reached == count else "bold red"
    out.print(
        f"{answers.question.frame}: {reached} of {count} targets are reached ({percent(reached, count)}).",
        style=style,
        soft_wrap=True,
    )
    if reached < count:
        first = int(np.argmin(batch.success))
        out.print(f"The first that is not stands in {where(first)} ({batch.status[first]}).", soft_wrap=True)
    out.print()
    facts = plain_table("summary", "", "", right=("",))
    add_worst(facts, answers.question.worst(batch, batch.success))
    threads = f" on {answers.threads} threads" if answers.threads > 1 else ""
    facts.add_row("time per target", f"{1e6 * answers.seconds / count:.3g}", f"us{threads}")
    facts.add_row("targets per second", f"{count / answers.seconds:.0f}", "")
    print_table(facts, out)
    out.print()
    statuses = plain_table("status", "targets", "share", right=("targets", "share"))
    for status, number in collections.Counter(batch.status.tolist()).most_common():
        statuses.add_row(status, str(number), percent(number, count))
    print_table(statuses, out)
