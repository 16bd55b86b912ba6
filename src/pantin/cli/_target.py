"""Options that say what one target is, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from pantin.cli._options import numbers
from pantin.cli._pose import read_rotation
from pantin.cli._question import Part, Parts
from pantin.errors import InvalidArgument
from pantin.kinematics.joints import unit_axis

__all__ = [
    "WAYS",
    "DirectionOption",
    "PivotOption",
    "PointOption",
    "PositionOption",
    "QuaternionOption",
    "RpyOption",
    "read_target",
    "refuse",
]

Three = tuple[str, str, str]
Four = tuple[str, str, str, str]

PositionOption = Annotated[
    Three | None,
    typer.Option("--position", "-p", metavar="X Y Z", help="Where the frame shall be, m."),
]
QuaternionOption = Annotated[
    Four | None,
    typer.Option("--quaternion", metavar="X Y Z W", help="How it shall be turned: unit quaternion."),
]
RpyOption = Annotated[
    Three | None,
    typer.Option("--rpy", metavar="R P Y", help="The same as roll, pitch and yaw about fixed x, y, z, rad."),
]
DirectionOption = Annotated[
    Three | None,
    typer.Option("--direction", metavar="X Y Z", help="Where the tool's axis shall point to, in place of a rotation."),
]
PointOption = Annotated[
    Three | None,
    typer.Option("--point", metavar="X Y Z", help="A point that the tool's axis shall aim at, m."),
]
PivotOption = Annotated[
    Three | None,
    typer.Option(
        "--pivot", metavar="X Y Z", help="A point that the tool's shaft passes through, m, its tip at --position."
    ),
]

#: How the parts of a target are given, for messages.
WAYS: Mapping[Part, str] = {
    "position": "--position X Y Z",
    "rotation": "--quaternion X Y Z W or --rpy R P Y",
    "direction": "--direction X Y Z",
}


def read_target(
    position: Three | None, quaternion: Four | None, rpy: Three | None, direction: Three | None, point: Three | None
) -> Parts:
    """Parts of a target out of the words after its options; a point to aim at is a position.

    Raises:
        InvalidArgument: If a word is no finite number, a quaternion is not of length one, a direction is zero, or two
            options say the same.
    """
    if point is not None:
        refuse({"--position": position}, "means the same as --point here; leave out one")
    option, place = ("--position", position) if point is None else ("--point", point)
    return {
        "position": None if place is None else numbers(option, place),
        "rotation": read_rotation(quaternion, rpy),
        "direction": None if direction is None else unit_axis("--direction", numbers("--direction", direction)),
    }


def refuse(options: Mapping[str, object], reason: str) -> None:
    """Refuse options that do not go with the others.

    Raises:
        InvalidArgument: If one of them is given, that is neither None nor False.
    """
    for option, value in options.items():
        if value is not None and value is not False:
            raise InvalidArgument(option, reason)
