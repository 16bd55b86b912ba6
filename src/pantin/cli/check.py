"""`pantin check`: what is wrong with a body plan, all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from pantin.cli._options import JsonOption
from pantin.cli._output import console, plain_table, print_json, print_table
from pantin.fitting.plan import BodyPlan, BodyPlanError, Finding, Severity

__all__ = ["check"]

PlanArgument = Annotated[
    str, typer.Argument(metavar="PLAN", help="Body plan, a JSON file, or name of a sample.", show_default=False)
]
STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


def check(
    plan: Annotated[
        str, typer.Argument(metavar="PLAN", help="Body plan, a JSON file, or name of a sample.", show_default=False)
    ],
    lenient: Annotated[bool, typer.Option("--lenient", help="Unknown fields are warnings instead of errors.")] = False,
    reorder: Annotated[bool, typer.Option("--reorder", help="Take joints whose parents come later.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Tell what is wrong with a body plan, all at once and with places in the file.

    Errors keep a plan from being used; warnings say that it hardly means what it says; notes are worth knowing.

    [bold]Examples[/bold]

      pantin check mouse.json
      pantin check walker
      pantin check mouse.json --json | jq .findings
    """
    body: BodyPlan | None = None
    try:
        body = BodyPlan.load(plan, strict=not lenient, reorder=reorder)
        findings = body.findings
    except BodyPlanError as error:
        findings = error.findings
    counts = Counter(finding.severity for finding in findings)
    if as_json:
        totals = {f"{severity}s": counts[severity] for severity in Severity}
        listed = [{**finding._asdict(), "severity": finding.severity.value} for finding in findings]
        print_json({"plan": plan, "usable": body is not None, **totals, "findings": listed})
    else:
        _print(_summary(Path(plan).name, body, counts), findings, console())
    if body is None:
        raise typer.Exit(1)


def _summary(name: str, body: BodyPlan | None, counts: Counter[Severity]) -> str:
    """What the plan is and how much was found, in one sentence."""
    words = [_counted(counts[kind], kind) for kind in Severity if counts[kind]]
    found = " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
    if body is None:
        return f"{name} has {found}."
    base = "a fixed" if body.fixed_base else "a free"
    sizes = f"{_counted(body.n_joints, 'joint')} and {_counted(body.n_dofs, 'DOF')}"
    is_one = f"{name} is a body plan of {sizes} with {base} base"
    return f"{is_one}; it has {found}." if found else f"{is_one}."


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _print(summary: str, findings: Sequence[Finding], out: Console) -> None:
    """Summary and findings; on a screen in lines that fit it, else each finding in one line."""
    out.print(summary, soft_wrap=True)
    if not findings:
        return
    out.print()
    if not out.is_terminal:
        out = Console(file=out.file, width=100_000, highlight=False, markup=False, emoji=False)
    table = plain_table("", "code", "line", "what, and what to do", right=("line",))
    for finding in findings:
        place = finding.path if finding.line is None else f"{finding.line}:{finding.column}"
        what = Text(finding.message)
        if finding.hint:
            what.append("\n" if out.is_terminal else "; ")
            what.append(finding.hint, style="italic")
        table.add_row(Text(finding.severity, style=STYLES[finding.severity]), finding.code, place, what)
    print_table(table, out)
