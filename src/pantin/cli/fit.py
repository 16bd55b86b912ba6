"""`pantin fit`: joint angles out of recordings of tracked keypoints."""

from __future__ import annotations

from typing import Annotated

import typer

from pantin import samples
from pantin.cli._options import JsonOption

__all__ = ["fit"]

MANY = "Many recordings"
HOW = "How to fit"


def fit(
    plan: Annotated[
        str | None,
        typer.Argument(
            metavar="PLAN",
            help="Body plan (JSON), or the sample walker.",
            autocompletion=lambda incomplete: [name for name in samples.body_plans() if name.startswith(incomplete)],
            show_default=False,
        ),
    ] = None,
    recordings: Annotated[
        list[str] | None,
        typer.Argument(metavar="RECORDING", help="Files of tracked keypoints.", show_default=False),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder that results are written to, one for each.", show_default=False),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--format", metavar="WORD", help="How: nc (as left out), parquet, zarr, csv.", show_default=False),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Draw a page of pictures of each recording, too.", show_default=False),
    ] = None,
    mapping: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Table of names in recordings and in the plan.", show_default=False),
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Length unit of recordings: m, cm, mm, um.", show_default=False),
    ] = None,
    individual: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which animal, where there are several.", show_default=False),
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="linear (as left out), huber, soft_l1, cauchy, geman_mcclure.",
            rich_help_panel=HOW,
            show_default=False,
        ),
    ] = None,
    neutral_weight: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="Pull towards neutral; 0.001 as left out.", rich_help_panel=HOW, show_default=False
        ),
    ] = None,
    gap: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="What becomes of what nothing shows: hold (as left out), prior, interpolate, nan.",
            rich_help_panel=HOW,
            show_default=False,
        ),
    ] = None,
    lock: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Freedoms that stay neutral or at a value: hip,knee=0.3.",
            rich_help_panel=HOW,
            show_default=False,
        ),
    ] = None,
    segments: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="Frames of a window that is fitted by itself: auto (as left out), none or a number.",
            rich_help_panel=HOW,
            show_default=False,
        ),
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="TOML file of recordings and settings.", rich_help_panel=MANY, show_default=False
        ),
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Fit what is finished, too.", rich_help_panel=MANY),
    ] = False,
    workers: Annotated[
        int,
        typer.Option(metavar="N", help="Threads; -1 for all cores. Results do not depend on it.", rich_help_panel=MANY),
    ] = -1,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Fit on the workers of a Dask scheduler.", rich_help_panel=MANY, show_default=False
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="local",
            help="Fit in processes of this machine, so many as --workers says.",
            rich_help_panel=MANY,
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Fit a body plan to tracked keypoints: root motion and joint angles.

    Each recording gives a file in --out; what is finished already is left as
    it is, and after an interruption the same command goes on. Exit code 0
    tells that all recordings are done, 1 that some are not.

    [bold]Examples[/bold]

      pantin fit walker --out fits
      pantin fit fly.json monday.csv tuesday.h5 --out fits --unit mm
      pantin fit fly.json tuesday.h5 --out fits --loss cauchy --plot pages
      pantin fit study.toml --workers 4
    """
    # Only those who fit wait for what this loads.
    from pantin.cli._fit_answer import answer  # noqa: PLC0415
    from pantin.cli._fit_where import Place, run  # noqa: PLC0415
    from pantin.cli._fit_words import jobs_of, locked  # noqa: PLC0415

    said = {
        "out": out,
        "format": kind,
        "mapping": mapping,
        "unit": unit,
        "individual": individual,
        "segments": segments,
        "loss": loss,
        "neutral_weight": neutral_weight,
        "gap": gap,
        "lock": locked(lock or []),
    }
    jobs = jobs_of(plan, recordings or [], batch, said)
    place = Place(workers, scheduler, dask)
    return answer(run(jobs, place, plot, force=force), as_json=as_json)
