"""What `pantin track` does and prints."""

from __future__ import annotations

import sys

import numpy as np
from rich.table import Table

from pantin.cli._many import progress_bar
from pantin.cli._output import console, percent, plain_table, print_json, print_table
from pantin.drawing import new_figure
from pantin.errors import InvalidArgument
from pantin.tracking import Scenario, Trajectory, shipped
from pantin.tracking.parquet import parquet_path

__all__ = ["list_scenarios", "run_scenario"]


def list_scenarios(model: str | None, scenario: str | None, *, as_json: bool) -> int:
    """Print the scenarios that ship.

    Returns:
        Exit code.

    Raises:
        InvalidArgument: If one is named.
    """
    if model is not None or scenario is not None:
        raise InvalidArgument("--list", "lists all scenarios; leave out MODEL and SCENARIO")
    scenarios = {name: Scenario.load(name) for name in shipped.names()}
    if as_json:
        facts = [{"name": name, "model": one.model.name, "about": one.about} for name, one in scenarios.items()]
        print_json({"scenarios": facts})
        return 0
    table = plain_table("scenario", "model", "what one sees", gap=3)
    for name, one in scenarios.items():
        table.add_row(name, one.model.name, one.about)
    print_table(table, console())
    return 0


def run_scenario(model: str | None, scenario: str | None, out: str | None, plot: str | None, *, as_json: bool) -> int:
    """Run a scenario, write what is asked for, and print a summary.

    Args:
        model: Robot file, or name of a sample.
        scenario: Scenario file, or name of one that ships.
        out: Parquet file to write, or None.
        plot: Picture to draw, or None.
        as_json: Print JSON.

    Returns:
        Exit code.

    Raises:
        InvalidArgument: If an argument is missing, or a file cannot be written.
        ScenarioError: If the scenario cannot be read, or does not fit the model.
    """
    if model is None or scenario is None:
        raise InvalidArgument("SCENARIO", "give a model and a scenario; pantin track --list shows those that ship")
    if out is not None:
        parquet_path("--out", out)
    if plot is not None:
        _require_picture(plot)
    trajectory = _run(Scenario.load(scenario, model))
    if out is not None:
        trajectory.to_parquet(out)
    if plot is not None:
        trajectory.plot(plot)
    if as_json:
        print_json(_facts(trajectory))
    else:
        _print(trajectory)
    return 0 if trajectory.success else 1


def _require_picture(path: str) -> None:
    """Refuse a picture that could not be drawn and written."""
    try:
        new_figure(path, "a picture of the run", width=1.0, height=1.0)
    except InvalidArgument as error:
        raise InvalidArgument("--plot", str(error).removeprefix(f"{error.argument}: ")) from None


def _run(scenario: Scenario) -> Trajectory:
    """The run, under a bar that shows how far it is."""
    try:
        with progress_bar() as bar:
            task = bar.add_task(scenario.name.replace("_", " "), total=scenario.steps)
            return scenario.run(lambda done, _: bar.update(task, completed=done))
    except KeyboardInterrupt:
        print("pantin: interrupted on the way; nothing is written", file=sys.stderr)
        raise


def _facts(trajectory: Trajectory) -> dict[str, object]:
    """What `--json` prints."""
    ratio, joint, when = trajectory.worst_velocity
    worst = np.argmax(trajectory.errors, axis=0)
    return {
        "scenario": trajectory.name,
        "model": trajectory.model.name,
        "success": trajectory.success,
        "steps": len(trajectory),
        "dt": trajectory.dt,
        "duration": float(trajectory.time[-1]),
        "statuses": trajectory.statuses,
        "conflicts": trajectory.conflicts,
        "steps_at_limits": int(trajectory.at_limit[1:].sum()),
        "worst_velocity": {"ratio": ratio, "joint": joint, "time": when},
        "steps_per_second": trajectory.steps_per_second,
        "errors": [
            {
                "task": measure.task,
                "part": measure.part,
                "unit": measure.unit,
                "final": float(trajectory.errors[-1, i]),
                "worst": float(trajectory.errors[worst[i], i]),
                "worst_time": float(trajectory.time[worst[i]]),
                "tolerance": None if np.isinf(measure.tolerance) else measure.tolerance,
            }
            for i, measure in enumerate(trajectory.measures)
        ],
    }


def _print(trajectory: Trajectory) -> None:
    """Print how it went, the errors, and figures of the whole."""
    out = console()
    verdict = f"{trajectory.name}: {trajectory.model.name} made {len(trajectory)} steps of {1e3 * trajectory.dt:g} ms"
    if trajectory.success:
        out.print(f"{verdict}, all as it should be.", style="bold green", soft_wrap=True)
    else:
        out.print(f"{verdict}, not all as it should be.", style="bold red", soft_wrap=True)
    out.print()
    if trajectory.measures:
        print_table(_errors(trajectory), out)
        out.print()
    ratio, joint, when = trajectory.worst_velocity
    at_limit = int(trajectory.at_limit[1:].sum())
    facts = plain_table("summary", "", " ", right=("",))
    facts.add_row("largest part of a velocity limit", f"{100.0 * ratio:.1f}", f"%, {joint} at {when:.2f} s")
    facts.add_row("steps at a limit", str(at_limit), percent(at_limit, len(trajectory)))
    for word, count in trajectory.statuses.items():
        facts.add_row(f"steps {word.replace('_', ' ')}", str(count), percent(count, len(trajectory)))
    for culprit, count in sorted(trajectory.conflicts.items(), key=lambda one: -one[1]):
        facts.add_row(f"in conflict: {culprit}", str(count), percent(count, len(trajectory)))
    facts.add_row("steps per second", f"{trajectory.steps_per_second:.0f}", "")
    print_table(facts, out)


def _errors(trajectory: Trajectory) -> Table:
    """Errors at the end and at their worst."""
    numbers = ("final", "worst", "at", "tolerance")
    table = plain_table("error of", "", *numbers, "", right=numbers)
    for i, measure in enumerate(trajectory.measures):
        errors, tolerance = trajectory.errors[:, i], measure.tolerance
        table.add_row(
            measure.task,
            measure.part,
            f"{errors[-1]:.2e}",
            f"{errors.max():.2e}",
            f"{trajectory.time[np.argmax(errors)]:.2f} s",
            "" if np.isinf(tolerance) else f"{tolerance:g}",
            measure.unit,
            style="red" if errors[-1] > tolerance else None,
        )
    return table
