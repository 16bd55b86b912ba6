"""All solutions of one target, as facts, as a table on the screen, and as columns of a file."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from pantin.arrays import Array
from pantin.cli._columns import table_path, write_columns
from pantin.cli._output import console, decimals, joint_facts, plain_table, print_json, print_table, width_of
from pantin.cli._question import Parts, Question, targets_of
from pantin.kinematics.labels import JointValue, joint_values
from pantin.reaching import ReachSolutions

__all__ = ["list_all"]


def list_all(
    question: Question, parts: Parts, seed: Array | None, out: str | None, *, whole_turns: bool, as_json: bool
) -> int:
    """List all solutions of one target.

    Args:
        question: What is asked.
        parts: The target.
        seed: Configuration that distances are measured from, shape (nq,), or None.
        out: Table to write, or None.
        whole_turns: List each in every number of whole turns.
        as_json: Print JSON.

    Returns:
        Exit code.
    """
    if out is not None:
        table_path("--out", out)
    solutions = question.solver().all(targets_of(question, parts), seed, whole_turns=whole_turns)
    if out is not None:
        write_columns("--out", out, _columns(question, solutions))
    if as_json:
        print_json(_facts(question, solutions))
    else:
        _print(question, solutions, whole_turns=whole_turns)
    return 0 if len(solutions) else 1


def _facts(question: Question, solutions: ReachSolutions) -> dict[str, object]:
    """What `--json` prints of all solutions."""
    figures = _figures(question, solutions)
    rows = zip(*(values.tolist() for values in figures.values()), strict=True)
    return {
        "frame": question.frame,
        "mode": question.mode,
        "success": len(solutions) > 0,
        "complete": solutions.complete,
        "method": solutions.method,
        "solutions": [
            {**dict(zip(figures, row, strict=True)), "q": q.tolist(), "joints": joint_facts(question.model, q)}
            for row, q in zip(rows, solutions, strict=True)
        ],
    }


def _columns(question: Question, solutions: ReachSolutions) -> dict[str, npt.NDArray[Any]]:
    """Columns of the table of solutions: distance from the seed, errors that count, and joint values by name."""
    return _figures(question, solutions) | {
        value.label: value.value for value in joint_values(question.model, solutions.q)
    }


def _figures(question: Question, solutions: ReachSolutions) -> dict[str, npt.NDArray[Any]]:
    """Distance of each solution from the seed, and its errors as far as they count."""
    return {"seed_distance": solutions.distances, **question.error_columns(solutions)}


def _print(question: Question, solutions: ReachSolutions, *, whole_turns: bool) -> None:
    """Print each solution as a row of the joints that move the frame, those nearest to the seed first.

    Args:
        question: What was asked.
        solutions: The answer.
        whole_turns: True if solutions stand there in every number of whole turns.
    """
    out = console()
    if not len(solutions):
        reason = "there is no solution within limits" if solutions.complete else "no solution was found"
        out.print(f"{question.frame} is not reached: {reason}.", style="bold red", soft_wrap=True)
        return
    many = "1 solution" if len(solutions) == 1 else f"{len(solutions)} solutions"
    kind = "a sample" if not solutions.complete else "all there are" + ("" if whole_turns else ", whole turns aside")
    out.print(f"{question.frame} is reached: {many}, {kind}.", style="bold green", soft_wrap=True)
    out.print(f"{solutions.method[0].upper()}{solutions.method[1:]}.", soft_wrap=True)
    out.print()
    values = [value for value in joint_values(question.model, solutions.q) if value.joint in _moving(question)]
    headings = ["", *(_heading(value) for value in values), "from\nseed"]
    table = plain_table(*headings, right=tuple(headings))
    for row in range(len(solutions)):
        numbers = (decimals(float(value.value[row]), 4) for value in values)
        table.add_row(str(row + 1), *numbers, decimals(float(solutions.distances[row]), 4))
    out.width = max(out.width, width_of(table, out))  # a row that is longer than the screen goes on below
    print_table(table, out)


def _heading(value: JointValue) -> str:
    """Name and unit of a number, in lines as short as its parts."""
    name = value.label.replace("_", "_\n").replace(".", ".\n")
    return f"{name}\n{value.unit}" if value.unit else name


def _moving(question: Question) -> set[str]:
    """Names of the joints between the root and the frame."""
    model = question.model
    frame, root = (model.frames[model.get_frame_id(name)] for name in (question.frame, question.root or "universe"))
    ways = [set(model.supports[one.parent_joint]) for one in (frame, root)]
    return {model.names[joint] for joint in ways[0] ^ ways[1]}
