"""`pantin reach`: joint angles that bring a frame to a target, or to each target of a file."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

import pantin
from pantin.arrays import Array
from pantin.cli._answer import answer_facts, print_answer
from pantin.cli._batch import answer_columns, print_summary, solve_many, summary_facts
from pantin.cli._columns import table_path, write_columns
from pantin.cli._options import (
    FrameOption,
    JsonOption,
    ModelArgument,
    ModeOption,
    RootOption,
    ThreadsOption,
    ToolAxisOption,
    configuration,
    numbers,
    tool_axis_of,
)
from pantin.cli._output import print_json
from pantin.cli._pose import read_rotation
from pantin.cli._question import Part, Parts, Question, ask, needs, targets_of
from pantin.cli._solutions import print_solutions, solution_columns, solution_facts
from pantin.cli._targets import TargetFile, read_target_file
from pantin.errors import InvalidArgument
from pantin.kinematics.joints import unit_axis

__all__ = ["reach"]

MANY = "Many targets"

#: How the parts of a target are given, on the command line and in a file.
OPTIONS: dict[Part, str] = {
    "position": "--position X Y Z",
    "rotation": "--quaternion X Y Z W or --rpy R P Y",
    "direction": "--direction X Y Z",
}
COLUMNS: dict[Part, str] = {
    "position": "columns x, y, z",
    "rotation": "columns qx, qy, qz, qw or roll, pitch, yaw",
    "direction": "columns dx, dy, dz",
}


def reach(
    model: ModelArgument,
    frame: FrameOption,
    position: Annotated[
        tuple[str, str, str] | None,
        typer.Option("--position", "-p", metavar="X Y Z", help="Where the frame shall be, m."),
    ] = None,
    quaternion: Annotated[
        tuple[str, str, str, str] | None,
        typer.Option(metavar="X Y Z W", help="How it shall be turned: unit quaternion."),
    ] = None,
    rpy: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="R P Y", help="The same as roll, pitch and yaw about fixed x, y, z, rad."),
    ] = None,
    direction: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="X Y Z", help="Where the tool's axis shall point to, in place of a rotation."),
    ] = None,
    point: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="X Y Z", help="A point that the tool's axis shall aim at, m."),
    ] = None,
    pivot: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="X Y Z", help="A point that the tool's shaft passes through, m, its tip at --position."),
    ] = None,
    tool_axis: ToolAxisOption = None,
    mode: ModeOption = None,
    root: RootOption = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="Q1,Q2,...",
            help="Joint values to start from, all in order (0.1,-0.2) or by name (elbow=0.1); "
            "the middle of the limits where left out.",
            show_default=False,
        ),
    ] = "",
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw the reached arm: a png, pdf or svg file.", show_default=False),
    ] = None,
    every: Annotated[
        bool,
        typer.Option("--all", help="List all solutions, or a sample of them where there is no end to them."),
    ] = False,
    whole_turns: Annotated[
        bool,
        typer.Option("--whole-turns", help="With --all: each in every number of whole turns within limits."),
    ] = False,
    targets: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="CSV or Parquet file of targets: columns x, y, z; qx, qy, qz, qw or roll, pitch, yaw; "
            "seeds in columns named as joints.",
            rich_help_panel=MANY,
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write status, errors and joint values of each target: a csv or parquet file.",
            rich_help_panel=MANY,
            show_default=False,
        ),
    ] = None,
    threads: ThreadsOption = 1,
    as_json: JsonOption = False,
) -> int:
    """Find joint angles, within limits, that bring a frame to a target.

    What is given is what counts: a position, a rotation, or both; a direction
    or a point for the tool's axis; a tip and a pivot for its shaft. Exit code
    0 tells that the target, or each target of a file, is reached, 1 that it
    is not.

    [bold]Examples[/bold]

      pantin reach panda --frame panda_hand --position 0.4 0.1 0.5
      pantin reach panda -f panda_hand -p 0.4 0.1 0.5 --rpy 3.1416 0 0 --json
      pantin reach panda -f panda_hand -p 0.4 0.1 0.5 --direction 0 0 -1
      pantin reach panda -f panda_hand -p 0.4 0.1 0.5 --plot arm.png
      pantin reach ur5e -f tool0 -p 0.4 0.1 0.5 --rpy 3.1416 0 0 --all
      pantin reach panda -f panda_hand --targets poses.csv --out angles.csv
      pantin reach arm.urdf -f tool -p -0.2 0.3 0.1 --seed=-0.1,0.5,0
    """
    tree = pantin.load(model)
    start = configuration("--seed", seed, tree) if seed else None
    shape: dict[str, Any] = {
        "root": root,
        "pivot": None if pivot is None else numbers("--pivot", pivot),
        "tool_axis": None if tool_axis is None else tool_axis_of("--tool-axis", tool_axis),
    }
    if targets is None:
        if not every:
            _refuse({"--out": out}, "belongs to --targets FILE or --all")
            _refuse({"--whole-turns": whole_turns or None}, "belongs to --all")
        if point is not None:
            _refuse({"--position": position}, "means the same as --point here; leave out one")
        option, place = ("--position", position) if point is None else ("--point", point)
        parts: Parts = {
            "position": None if place is None else numbers(option, place),
            "rotation": read_rotation(quaternion, rpy),
            "direction": None if direction is None else unit_axis("--direction", numbers("--direction", direction)),
        }
        question = ask(tree, frame, parts, OPTIONS, word=mode or ("pointing" if point else None), **shape)
        _refuse_needless(question, parts)
        if every:
            _refuse({"--plot": plot}, "shows one answer; leave out --all")
            return _list_all(question, parts, start, out, whole_turns=whole_turns, as_json=as_json)
        return _reach_one(question, parts, start, plot, as_json=as_json)
    single = {"--position": position, "--quaternion": quaternion, "--rpy": rpy, "--direction": direction}
    alone = {"--plot": plot, "--all": every or None, "--whole-turns": whole_turns or None}
    _refuse({**single, "--point": point, **alone}, "belongs to a single target, and --targets gives many")
    file = read_target_file("--targets", targets, tree)
    if start is not None and file.seeds is not None:
        raise InvalidArgument("--seed", f"columns of {targets!r} give seeds, too; leave out one")
    if out is not None and table_path("--out", out).exists() and os.path.samefile(out, targets):
        raise InvalidArgument("--out", f"{out!r} is the file of the targets; give another name")
    question = ask(tree, frame, file.parts, COLUMNS, word=mode, **shape)
    return _reach_many(question, file, start if file.seeds is None else file.seeds, out, threads, as_json=as_json)


def _refuse(options: dict[str, object], reason: str) -> None:
    """Refuse options that do not go with the others."""
    for option, value in options.items():
        if value is not None:
            raise InvalidArgument(option, reason)


def _refuse_needless(question: Question, parts: Parts) -> None:
    """Refuse parts of a target that the mode leaves open."""
    for part, value in parts.items():
        if value is not None and not needs(question.mode, part):
            raise InvalidArgument("--mode", f"{question.mode} leaves the {part} open; leave out {OPTIONS[part]}")


def _list_all(
    question: Question, parts: Parts, seed: Array | None, out: str | None, *, whole_turns: bool, as_json: bool
) -> int:
    """Exit code of all solutions of one target."""
    if out is not None:
        table_path("--out", out)
    solutions = question.solver().all(targets_of(question, parts), seed, whole_turns=whole_turns)
    if out is not None:
        write_columns("--out", out, solution_columns(question, solutions))
    if as_json:
        print_json(solution_facts(question, solutions))
    else:
        print_solutions(question, solutions, whole_turns=whole_turns)
    return 0 if len(solutions) else 1


def _reach_one(question: Question, parts: Parts, seed: Array | None, plot: str | None, *, as_json: bool) -> int:
    """Exit code of one target."""
    result = question.solver().solve(targets_of(question, parts), seed)
    if plot is not None:
        try:
            result.plot(plot, seed=seed)
        except InvalidArgument as error:
            raise InvalidArgument("--plot", str(error).removeprefix(f"{error.argument}: ")) from None
    if as_json:
        print_json(answer_facts(question, result))
    else:
        print_answer(question, result)
    return 0 if result.success else 1


def _reach_many(
    question: Question, file: TargetFile, seeds: Array | None, out: str | None, threads: int, *, as_json: bool
) -> int:
    """Exit code of a file of targets."""
    answers = solve_many(question, targets_of(question, file.parts), seeds, threads)
    if out is not None:
        write_columns("--out", out, answer_columns(answers))
    if as_json:
        print_json(summary_facts(answers))
    else:
        print_summary(answers, file.columns.where)
    return 0 if answers.success.all() else 1
