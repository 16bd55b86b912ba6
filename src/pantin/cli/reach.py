"""`pantin reach`: joint angles that bring a frame to a target, or to each target of a file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

import pantin
from pantin.cli._answer import reach_one
from pantin.cli._batch import reach_many
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
from pantin.cli._path import follow_file
from pantin.cli._question import ask
from pantin.cli._solutions import list_all
from pantin.cli._target import (
    WAYS,
    DirectionOption,
    PivotOption,
    PointOption,
    PositionOption,
    QuaternionOption,
    RpyOption,
    read_target,
    refuse,
)
from pantin.cli._targets import COLUMN_WAYS, read_target_file
from pantin.errors import InvalidArgument

__all__ = ["reach"]

MANY = "Many targets"


def reach(
    model: ModelArgument,
    frame: FrameOption,
    position: PositionOption = None,
    quaternion: QuaternionOption = None,
    rpy: RpyOption = None,
    direction: DirectionOption = None,
    point: PointOption = None,
    pivot: PivotOption = None,
    tool_axis: ToolAxisOption = None,
    mode: ModeOption = None,
    root: RootOption = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="Q1,Q2,...",
            help="Joint values to start from, all in order (0.1,-0.2) or by name (elbow=0.1); "
            "no branch is preferred where left out.",
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
    path: Annotated[
        bool,
        typer.Option("--path", help="Follow the targets from one to the next without a jump.", rich_help_panel=MANY),
    ] = False,
    retime: Annotated[
        bool,
        typer.Option("--retime", help="With --path: find the shortest times.", rich_help_panel=MANY),
    ] = False,
    allow_jumps: Annotated[
        bool,
        typer.Option("--allow-jumps", help="With --path: go on after a jump.", rich_help_panel=MANY),
    ] = False,
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
      pantin reach panda -f panda_hand --targets path.csv --path --out motion.csv
      pantin reach arm.urdf -f tool -p -0.2 0.3 0.1 --seed=-0.1,0.5,0
    """
    tree = pantin.load(model)
    start = configuration("--seed", seed, tree) if seed else None
    shape: dict[str, Any] = {
        "root": root,
        "pivot": None if pivot is None else numbers("--pivot", pivot),
        "tool_axis": None if tool_axis is None else tool_axis_of("--tool-axis", tool_axis),
    }
    of_path = {"--retime": retime, "--allow-jumps": allow_jumps}
    if targets is not None:
        single = {"--position": position, "--quaternion": quaternion, "--rpy": rpy, "--direction": direction}
        alone = {"--point": point, "--plot": plot, "--all": every, "--whole-turns": whole_turns}
        refuse({**single, **alone}, "belongs to a single target, and --targets gives many")
        file = read_target_file("--targets", targets, tree)
        if start is not None and file.seeds is not None:
            raise InvalidArgument("--seed", f"columns of {targets!r} give seeds, too; leave out one")
        question = ask(tree, frame, file.parts, COLUMN_WAYS, word=mode, **shape)
        if path:
            if file.seeds is not None:
                raise InvalidArgument("--path", "starts from one configuration; give --seed, not columns of joints")
            return follow_file(question, file, start, out, retime=retime, allow_jumps=allow_jumps, as_json=as_json)
        refuse(of_path, "belongs to --path")
        return reach_many(question, file, start if file.seeds is None else file.seeds, out, threads, as_json=as_json)
    parts = read_target(position, quaternion, rpy, direction, point)
    question = ask(tree, frame, parts, WAYS, word=mode or ("pointing" if point else None), **shape)
    question.refuse_needless(parts, WAYS)
    if every:
        refuse({"--plot": plot}, "shows one answer; leave out --all")
        return list_all(question, parts, start, out, whole_turns=whole_turns, as_json=as_json)
    refuse({"--out": out}, "belongs to --targets FILE or --all")
    refuse({"--path": path, **of_path}, "belongs to --targets FILE")
    refuse({"--whole-turns": whole_turns}, "belongs to --all")
    return reach_one(question, parts, start, plot, as_json=as_json)
