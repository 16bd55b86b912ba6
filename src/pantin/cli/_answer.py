"""One target of `pantin reach`: its answer as facts, as tables, and as a picture."""

from __future__ import annotations

import math

from pantin.arrays import Array
from pantin.cli._output import console, decimals, joint_facts, plain_table, print_json, print_table
from pantin.cli._question import UNITS, Parts, Question, targets_of
from pantin.errors import InvalidArgument
from pantin.kinematics.labels import joint_values
from pantin.reaching import ReachResult
from pantin.solving import Status

__all__ = ["reach_one"]

#: Why a target is not reached, in words.
REASONS = {
    Status.NOT_FOUND: "no start came within the tolerances",
    Status.OUT_OF_WORKSPACE: "it is farther away than the chain is long",
    Status.LIMITS: "the joint limits forbid it",
    Status.DEADLINE: "the time was up",
    Status.JOINT_JUMP: "a joint would move farther than it may at once",
    Status.RCM_DEPTH: "it is too near to the pivot, or farther than the shaft is long",
    Status.REFUSED: "every configuration that reaches it was refused",
}


def reach_one(question: Question, parts: Parts, seed: Array | None, plot: str | None, *, as_json: bool) -> int:
    """Reach one target, and tell and draw the answer.

    Args:
        question: What is asked.
        parts: The target.
        seed: Configuration to start from, shape (nq,), or None.
        plot: File of the picture, or None.
        as_json: Print JSON.

    Returns:
        Exit code.
    """
    result = question.solver().solve(targets_of(question, parts), seed)
    if plot is not None:
        try:
            result.plot(plot, seed=seed)
        except InvalidArgument as error:
            raise InvalidArgument("--plot", str(error).removeprefix(f"{error.argument}: ")) from None
    if as_json:
        print_json(_facts(question, result))
    else:
        _print(question, result)
    return 0 if result.success else 1


def _facts(question: Question, result: ReachResult) -> dict[str, object]:
    """What `--json` prints of a result."""
    errors = question.errors(result)
    return {
        "frame": question.frame,
        "mode": question.mode,
        "success": result.success,
        "status": result.status.value,
        **{f"{error}_error": errors.get(error) for error in UNITS},
        "at_limit": list(result.at_limit),
        "notes": list(result.notes),
        "iterations": result.iterations,
        "starts": result.starts,
        "q": result.q.tolist(),
        "joints": joint_facts(question.model, result.q),
    }


def _print(question: Question, result: ReachResult) -> None:
    """Print a result: the verdict, what is left of the error, and the joints in a table."""
    out = console()
    if result.success:
        out.print(f"{question.frame} is reached.", style="bold green", soft_wrap=True)
    else:
        out.print(f"{question.frame} is not reached: {REASONS[result.status]}.", style="bold red", soft_wrap=True)
    for note in result.notes:
        out.print(f"Note: {note}.", soft_wrap=True)
    out.print()
    rows = plain_table("remaining", "", "", right=("",))
    for error, left in question.errors(result).items():
        rows.add_row(f"{error} error", f"{left:.3g}", UNITS[error])
    print_table(rows, out)
    out.print()
    joints = plain_table("joint", "value", "unit", "degrees", "", right=("value", "degrees"))
    for value in joint_values(question.model, result.q):
        number = float(value.value)
        degrees = decimals(math.degrees(number), 4) if value.unit == "rad" else ""
        note = "at its limit" if value.joint in result.at_limit else ""
        joints.add_row(value.label, decimals(number, 6), value.unit, degrees, note)
    print_table(joints, out)
