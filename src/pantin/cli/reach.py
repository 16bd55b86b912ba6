"""`pantin reach`: joint angles that bring a frame to a target."""

from __future__ import annotations

import itertools
import math
from typing import Annotated

import typer

import pantin
from pantin.cli._options import FrameOption, JsonOption, ModelArgument, configuration, numbers
from pantin.cli._output import console, decimals, joint_values, plain_table, print_json, print_table
from pantin.cli._pose import read_rotation
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3
from pantin.reaching import ReachResult
from pantin.solving import Status

__all__ = ["reach"]

#: Why a target is not reached, in words.
REASONS = {
    Status.NOT_FOUND: "no start came within the tolerances",
    Status.OUT_OF_WORKSPACE: "it is farther away than the chain is long",
    Status.LIMITS: "the joint limits forbid it",
    Status.DEADLINE: "the time was up",
}


def reach(
    model: ModelArgument,
    frame: FrameOption,
    position: Annotated[
        tuple[str, str, str],
        typer.Option("--position", "-p", metavar="X Y Z", help="Where the frame shall be, m."),
    ],
    quaternion: Annotated[
        tuple[str, str, str, str] | None,
        typer.Option(metavar="X Y Z W", help="How it shall be turned: unit quaternion."),
    ] = None,
    rpy: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="R P Y", help="The same as roll, pitch and yaw about fixed x, y, z, rad."),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="Q1,Q2,...",
            help="Joint values to start from, all in order (0.1,-0.2) or by name (elbow=0.1); "
            "the middle of the limits where left out.",
            show_default=False,
        ),
    ] = "",
    as_json: JsonOption = False,
) -> int:
    """Find joint angles, within limits, that bring a frame to a target.

    Without --quaternion or --rpy only the position counts. Exit code 0 tells
    that the target is reached, 1 that it is not.

    [bold]Examples[/bold]

      pantin reach panda --frame panda_hand --position 0.4 0.1 0.5
      pantin reach panda -f panda_hand -p 0.4 0.1 0.5 --rpy 3.1416 0 0 --json
      pantin reach arm.urdf -f tool -p -0.2 0.3 0.1 --seed=-0.1,0.5,0
    """
    tree = pantin.load(model)
    point = numbers("--position", position)
    rotation = read_rotation(quaternion, rpy)
    start = configuration("--seed", seed, tree) if seed else None
    if rotation is None:
        result = pantin.reach(tree, frame, point, start, mode="position")
    else:
        result = pantin.reach(tree, frame, SE3(rotation, point), start, mode="pose")
    if as_json:
        print_json(_facts(tree, frame, result, posed=rotation is not None))
    else:
        _print_result(tree, frame, result, posed=rotation is not None)
    return 0 if result.success else 1


def _facts(model: Model, frame: str, result: ReachResult, *, posed: bool) -> dict[str, object]:
    """What `--json` prints of a result; `posed` tells that the rotation counts."""
    values = joint_values(model, result.q)
    joints = {name: [one.value for one in own] for name, own in itertools.groupby(values, key=lambda one: one.joint)}
    return {
        "frame": frame,
        "success": result.success,
        "status": result.status.value,
        "position_error": result.position_error,
        "rotation_error": result.rotation_error if posed else None,
        "at_limit": list(result.at_limit),
        "notes": list(result.notes),
        "iterations": result.iterations,
        "starts": result.starts,
        "q": result.q.tolist(),
        "joints": {name: own[0] if len(own) == 1 else own for name, own in joints.items()},
    }


def _print_result(model: Model, frame: str, result: ReachResult, *, posed: bool) -> None:
    """Print a result: the verdict, what is left of the error, and the joints in a table."""
    out = console()
    if result.success:
        out.print(f"{frame} is reached.", style="bold green", soft_wrap=True)
    else:
        out.print(f"{frame} is not reached: {REASONS[result.status]}.", style="bold red", soft_wrap=True)
    for note in result.notes:
        out.print(f"Note: {note}.", soft_wrap=True)
    out.print()
    rows = plain_table("remaining", "", "", right=("",))
    rows.add_row("position error", f"{result.position_error:.3g}", "m")
    if posed:
        rows.add_row("rotation error", f"{result.rotation_error:.3g}", "rad")
    print_table(rows, out)
    out.print()
    joints = plain_table("joint", "value", "unit", "degrees", "", right=("value", "degrees"))
    for value in joint_values(model, result.q):
        degrees = decimals(math.degrees(value.value), 4) if value.unit == "rad" else ""
        note = "at its limit" if value.joint in result.at_limit else ""
        joints.add_row(value.label, decimals(value.value, 6), value.unit, degrees, note)
    print_table(joints, out)
