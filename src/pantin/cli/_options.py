"""Arguments that several commands take, how they are read, and how the shell completes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

import pantin
from pantin.arrays import Array, vector
from pantin.cli._question import MODES
from pantin.errors import InvalidArgument, PantinError
from pantin.kinematics.configurations import configuration_from_dict
from pantin.kinematics.joints import unit_axis
from pantin.kinematics.model import Model

__all__ = [
    "FrameOption",
    "JsonOption",
    "ModeOption",
    "ModelArgument",
    "RootOption",
    "ThreadsOption",
    "ToolAxisOption",
    "configuration",
    "numbers",
    "tool_axis_of",
]


def _complete_frame(context: typer.Context, incomplete: str) -> list[str]:
    """Names of frames of the model that stands on the command line."""
    words = [context.params.get("model"), *context.args]  # an option without its value leaves the model unread
    try:
        model = pantin.load(next(word for word in words if word))
    except (PantinError, OSError, StopIteration):
        return []
    return [frame.name for frame in model.frames if frame.name.startswith(incomplete)]


def _complete_model(incomplete: str) -> list[str]:
    """Names of samples; the shell adds files by itself."""
    return [name for name in pantin.samples.names() if name.startswith(incomplete)]


ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="Robot file (URDF, xacro, MJCF) or name of a sample.",
        autocompletion=_complete_model,
        show_default=False,
    ),
]
FrameOption = Annotated[
    str,
    typer.Option(
        "--frame",
        "-f",
        metavar="NAME",
        help="Frame that is asked about; pantin info lists them.",
        autocompletion=_complete_frame,
        show_default=False,
    ),
]
RootOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Frame that targets are given in; the world where left out.",
        autocompletion=_complete_frame,
        show_default=False,
    ),
]
ModeOption = Annotated[
    str | None,
    typer.Option(
        metavar="WORD",
        help=f"What counts: {', '.join(MODES)}.",
        autocompletion=lambda incomplete: [mode for mode in MODES if mode.startswith(incomplete)],
        show_default=False,
    ),
]
ToolAxisOption = Annotated[
    str | None,
    typer.Option(
        metavar="AXIS",
        help="The tool's axis in the frame: x, -y, 0.1,0,1, ...; z where left out.",
        show_default=False,
    ),
]
ThreadsOption = Annotated[
    int,
    typer.Option(metavar="N", min=1, max=1024, help="Threads for many targets; answers do not depend on it."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


def numbers(option: str, words: Sequence[str]) -> Array:
    """Finite numbers that the words after an option spell, shape (len(words),).

    Args:
        option: Name of the option, for messages.
        words: What the user wrote.

    Raises:
        InvalidArgument: If a word is no number, or not finite.
    """
    return vector(option, [_number(option, word) for word in words], len(words))


def configuration(option: str, text: str, model: Model) -> Array:
    """Configuration written as `0.1,-0.2,0.3` or as `elbow=0.1,wrist=-0.2`.

    Args:
        option: Name of the option, for messages.
        text: What the user wrote: nq numbers, or joints by name (those left out are at neutral).
        model: Model whose configuration it is.

    Returns:
        Configuration, shape (nq,), rad or m per joint.

    Raises:
        InvalidArgument: If the text has another form, or the wrong count of numbers.
        UnknownJoint: If the model has no joint of a given name.
    """
    words = [word.strip() for word in text.split(",")]
    if all("=" in word for word in words):
        pairs = [word.split("=", 1) for word in words]
        return configuration_from_dict(model, {name.strip(): _number(option, value) for name, value in pairs})
    if len(words) != model.nq:
        raise InvalidArgument(option, f"expected {_layout(model)}, got {len(words)}")
    return numbers(option, words)


def tool_axis_of(option: str, text: str) -> str | Array:
    """Axis written as a letter, with or without a minus, or as three numbers with commas.

    Raises:
        InvalidArgument: If it is neither.
    """
    if text.removeprefix("-") in ("x", "y", "z"):
        return text
    words = text.split(",")
    if len(words) != 3:
        raise InvalidArgument(option, f"expected x, y, z, one of them with a minus, or three numbers, got {text!r}")
    return unit_axis(option, numbers(option, words))


def _number(option: str, word: str) -> float:
    """Number that a word spells."""
    try:
        return float(word)
    except ValueError:
        raise InvalidArgument(option, f"expected a number, got {word!r}") from None


def _layout(model: Model) -> str:
    """The numbers of a configuration in words: how many, and of which joints."""
    parts = [
        name if joint.nq == 1 else f"{name} ({joint.nq})"
        for name, joint in zip(model.names, model.joints, strict=True)
        if joint.nq
    ]
    return f"{model.nq} numbers ({', '.join(parts)})"
