"""How commands print: a console, plain tables and JSON."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from pantin.arrays import Array
from pantin.kinematics.labels import joint_values
from pantin.kinematics.model import Model

__all__ = [
    "console",
    "decimals",
    "joint_facts",
    "percent",
    "plain_table",
    "print_json",
    "print_table",
    "width_of",
]


def joint_facts(model: Model, q: Array) -> dict[str, float | list[float]]:
    """Value of each joint by name, as JSON tells it; joints of several numbers have a list."""
    values = joint_values(model, q)
    joints = {name: [float(one.value) for one in own] for name, own in itertools.groupby(values, lambda one: one.joint)}
    return {name: own[0] if len(own) == 1 else own for name, own in joints.items()}


def decimals(value: float, digits: int) -> str:
    """A number with so many digits behind the point, and no sign where these are all zero."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def percent(part: int, whole: int) -> str:
    """A share in percent, never rounded up to all of it."""
    share = 100.0 * part / whole
    return f"{min(share, 99.99) if part < whole else share:.2f} %"


def console() -> Console:
    """Console on standard output that prints names as they are."""
    return Console(highlight=False, markup=False, emoji=False)


def plain_table(*columns: str, right: tuple[str, ...] = (), gap: int = 2) -> Table:
    """Table of aligned columns without rules; long words fold, so nothing is cut off.

    Args:
        columns: Headings.
        right: Those whose cells stand on the right, as numbers do.
        gap: Blanks between columns.
    """
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def width_of(table: Table, out: Console) -> int:
    """Columns of the screen that a table wants."""
    return Measurement.get(out, out.options.update(max_width=10_000), table).maximum


def print_table(table: Table, out: Console) -> None:
    """Print a table without the blanks that fill its lines."""
    with out.capture() as capture:
        out.print(table)
    out.file.write("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n")


def print_json(facts: Mapping[str, object]) -> None:
    """Print facts as one JSON object; not-a-number and infinity have no place in it."""
    print(json.dumps(facts, indent=2, allow_nan=False, ensure_ascii=False))
