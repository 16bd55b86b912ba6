"""`pantin track`: a robot runs a scenario, and what it did is told, drawn and written."""

from __future__ import annotations

from typing import Annotated

import typer

from pantin.cli._options import JsonOption, _complete_model

__all__ = ["track"]


def _complete_scenario(incomplete: str) -> list[str]:
    """Names of scenarios that ship; the shell adds files by itself."""
    from pantin.tracking import shipped  # noqa: PLC0415

    return [name for name in shipped.names() if name.startswith(incomplete)]


def track(
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="MODEL",
            help="Robot file (URDF, xacro, MJCF) or name of a sample.",
            autocompletion=_complete_model,
            show_default=False,
        ),
    ] = None,
    scenario: Annotated[
        str | None,
        typer.Argument(
            metavar="SCENARIO",
            help="Scenario (TOML), or the name of one that ships.",
            autocompletion=_complete_scenario,
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the trajectory: a parquet file.", show_default=False),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw errors and limits: a png, pdf or svg file.", show_default=False),
    ] = None,
    every: Annotated[bool, typer.Option("--list", help="List the scenarios that ship.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Run a scenario: tasks whose targets move, limits, and a robot that does its best.

    Exit code 0 tells that all steps ended well and what is left of the errors
    is within tolerances, 1 that it is not so.

    [bold]Examples[/bold]

      pantin track --list
      pantin track panda arm_circle --plot circle.png
      pantin track my_robot.urdf my_scenario.toml --out motion.parquet
      pantin track humanoid humanoid_squat --json
    """
    # Only those who run a scenario wait for what this loads.
    from pantin.cli._track import list_scenarios, run_scenario  # noqa: PLC0415

    if every:
        return list_scenarios(model, scenario, as_json=as_json)
    return run_scenario(model, scenario, out, plot, as_json=as_json)
