"""The application behind `pantin`: its commands, its version, and how errors leave it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, cast

import typer

from pantin import __version__
from pantin.cli.bench import bench
from pantin.cli.check import check
from pantin.cli.fit import fit
from pantin.cli.fk import fk
from pantin.cli.info import info
from pantin.cli.reach import reach
from pantin.cli.track import track
from pantin.errors import PantinError

__all__ = ["app", "run"]

WRONG_QUESTION = 2

#: Family of every complaint about the words of a command line, whichever parser typer stands on.
UsageError = cast("type[typer.BadParameter]", typer.BadParameter.__mro__[1])

EXAMPLES = """
[bold]Examples[/bold]

  pantin reach panda --frame panda_hand --position 0.4 0.1 0.5
  pantin track panda arm_circle --plot circle.png
  pantin fit walker --out fits
  pantin fk ur5e --frame tool0 --q 0,-1.2,1.5,-1.8,-1.57,0
  pantin info my_robot.urdf
  pantin check my_animal.json
  pantin bench reach panda --frame panda_hand

Each command tells more: pantin reach --help
"""

app = typer.Typer(
    name="pantin",
    epilog=EXAMPLES,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (reach, track, fit, fk, info, check):
    app.command()(command)
app.add_typer(bench, name="bench")


def _print_version(wanted: bool) -> None:
    """Print the version and leave, where it is wanted."""
    if wanted:
        typer.echo(f"pantin {__version__}")
        raise typer.Exit


@app.callback()
def pantin(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """One kinematic tree, and everything that can be asked of it.

    MODEL is a robot file (URDF, xacro or MJCF), or the name of a sample that
    ships with pantin, such as panda or ur5e. Lengths are metres, angles radians.
    """


def run(argv: Sequence[str] | None = None) -> int:
    """Exit code of one command; an error is one sentence on standard error.

    Args:
        argv: Words after `pantin`; those of the process by default.

    Raises:
        KeyboardInterrupt: If the user interrupts.
    """
    words = None if argv is None else list(argv)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning
        try:
            code = app(args=words, prog_name="pantin", standalone_mode=False)
        except UsageError as error:
            return _refuse(error.format_message())
        except PantinError as error:
            return _refuse(str(error))
        except typer.Abort:
            raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


def _refuse(message: str) -> int:
    """Exit code of a wrong question, whose reason goes to standard error."""
    if message:
        print(f"pantin: {' '.join(message.split())}", file=sys.stderr)
    return WRONG_QUESTION


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one sentence on standard error."""
    print(f"pantin: warning: {message}", file=sys.stderr)
