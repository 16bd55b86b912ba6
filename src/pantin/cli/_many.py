"""What commands that answer many targets show: how far they are, and the worst errors."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pantin.cli._question import UNITS, Error

__all__ = ["add_worst", "progress_bar"]


def add_worst(table: Table, worst: Mapping[Error, float]) -> None:
    """Add rows with the largest errors among the targets that are reached."""
    for error, value in worst.items():
        table.add_row(f"worst {error} error among the reached", f"{value:.3g}", UNITS[error])


def progress_bar() -> Progress:
    """Progress on standard error, which leaves nothing behind, and is shown on a terminal only."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
