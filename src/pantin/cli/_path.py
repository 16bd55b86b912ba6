"""A file of targets as a path: followed from waypoint to waypoint, with a sentence for whatever stood in the way."""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.cli._columns import table_path, write_columns
from pantin.cli._many import add_worst, progress_bar
from pantin.cli._output import console, plain_table, print_json, print_table
from pantin.cli._question import UNITS, Error, Question, targets_of
from pantin.cli._targets import TargetFile
from pantin.errors import InvalidArgument
from pantin.kinematics.labels import joint_values
from pantin.reaching import PathResult

__all__ = ["follow_file"]

#: Sentences that are printed; JSON has all.
MOST_SENTENCES = 10


class Walk(NamedTuple):
    """A path that was followed as far as it can be.

    Attributes:
        question: What was asked.
        file: The waypoints.
        result: Where it led.
        seconds: Time that it took.
    """

    question: Question
    file: TargetFile
    result: PathResult
    seconds: float

    @property
    def reached(self) -> int:
        """Number of waypoints that are reached."""
        return int(self.result.reached.sum())

    @property
    def worst(self) -> dict[Error, float]:
        """Largest errors among the waypoints that are reached."""
        return self.question.worst(self.result, self.result.reached)


def follow_file(
    question: Question,
    file: TargetFile,
    seed: Array | None,
    out: str | None,
    *,
    retime: bool,
    allow_jumps: bool,
    as_json: bool,
) -> int:
    """Follow the targets of a file as a path, tell what stood in the way, and write the configurations.

    Args:
        question: What is asked.
        file: The waypoints, and perhaps the times when they are passed.
        seed: Configuration to start from, shape (nq,), or None.
        out: Table to write, or None.
        retime: Find the shortest times within the velocity limits.
        allow_jumps: Go on after a jump.
        as_json: Print JSON.

    Returns:
        Exit code.

    Raises:
        InvalidArgument: If times do not increase, or the table cannot be written.
    """
    if out is not None:
        table_path("--out", out)
    _require_increasing(file)
    walk = _follow(question, file, seed, retime=retime, allow_jumps=allow_jumps)
    if out is not None:
        write_columns("--out", out, _columns(walk))
    if as_json:
        print_json(_facts(walk))
    else:
        _print(walk)
    return 0 if walk.result.success else 1


def _require_increasing(file: TargetFile) -> None:
    """Refuse times that do not increase."""
    if file.times is not None and (np.diff(file.times) <= 0.0).any():
        row = int(np.argmax(np.diff(file.times) <= 0.0)) + 1
        place, before = file.columns.where(row), file.times[row - 1]
        raise InvalidArgument(
            "--targets", f"{place}: the time {file.times[row]:g} s does not come after {before:g} s; sort the rows"
        )


def _follow(question: Question, file: TargetFile, seed: Array | None, *, retime: bool, allow_jumps: bool) -> Walk:
    """The path as the solver follows it, under a bar that shows that work goes on."""
    solver = question.solver()
    targets = targets_of(question, file.parts)
    try:
        with progress_bar() as progress:
            progress.add_task("follow", total=None)
            start = time.perf_counter()
            result = solver.follow(
                targets, seed, time=file.times, retime=retime, jumps="allow" if allow_jumps else "refuse"
            )
            seconds = time.perf_counter() - start
    except KeyboardInterrupt:
        print("pantin: interrupted on the way; nothing is written", file=sys.stderr)
        raise
    return Walk(question, file, result, seconds)


def _columns(walk: Walk) -> dict[str, npt.NDArray[Any]]:
    """Columns of the table of waypoints: times, status, success, errors that count, and joint values by name."""
    result = walk.result
    status = np.where(result.reached, "reached", "left_out").astype(object)
    for event in reversed(result.events):
        status[event.waypoint] = event.status.value
    columns: dict[str, npt.NDArray[Any]] = {} if result.times is None else {"time": result.times}
    return {
        **columns,
        "status": status.astype(np.str_),
        "success": result.reached,
        **walk.question.error_columns(result),
        **{value.label: value.value for value in joint_values(walk.question.model, result.q)},
    }


def _facts(walk: Walk) -> dict[str, object]:
    """What `--json` prints of a path."""
    result = walk.result
    return {
        "frame": walk.question.frame,
        "mode": walk.question.mode,
        "success": result.success,
        "status": result.status.value,
        "waypoints": len(result),
        "reached": walk.reached,
        "jumps": len(result.jumps),
        "events": [
            {
                "waypoint": event.waypoint,
                walk.file.columns.unit: walk.file.columns.lines[event.waypoint],
                "status": event.status.value,
                "why": event.why,
            }
            for event in result.events
        ],
        **{f"worst_{error}_error": walk.worst.get(error) for error in UNITS},
        "largest_step": result.check().largest_step,
        "duration": None if result.times is None else float(result.times[-1] - result.times[0]),
        "time_per_target_us": 1e6 * walk.seconds / len(result),
    }


def _print(walk: Walk) -> None:
    """Print how far the path is followed, what stood in the way, and figures of the whole."""
    out, result, where = console(), walk.result, walk.file.columns.where
    count = len(result)
    if result.success:
        jumps = f", with {_counted(len(result.jumps), 'jump')}" if result.jumps else ", without a jump"
        out.print(f"{walk.question.frame} follows all {count} waypoints{jumps}.", style="bold green", soft_wrap=True)
    else:
        verdict = f"{walk.question.frame} follows {walk.reached} of {_counted(count, 'waypoint')}."
        out.print(verdict, style="bold red", soft_wrap=True)
    for event in result.events[:MOST_SENTENCES]:
        place = where(event.waypoint)
        out.print(f"{place[0].upper()}{place[1:]}: {event.why}.", soft_wrap=True)
    if len(result.events) > MOST_SENTENCES:
        out.print(f"There are {len(result.events) - MOST_SENTENCES} more; --json lists them all.", soft_wrap=True)
    out.print()
    facts = plain_table("summary", "", "", right=("",))
    add_worst(facts, walk.worst)
    facts.add_row("largest step of a joint", f"{result.check().largest_step:.3g}", "rad or m")
    if result.times is not None:
        facts.add_row("duration", f"{result.times[-1] - result.times[0]:.4g}", "s")
    facts.add_row("time per waypoint", f"{1e6 * walk.seconds / count:.3g}", "us")
    print_table(facts, out)


def _counted(count: int, noun: str) -> str:
    """A number of things in words."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
