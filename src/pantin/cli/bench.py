"""`pantin bench`: what this machine takes for a question."""

from __future__ import annotations

import gc
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

import pantin
from pantin import _core
from pantin.arrays import Array
from pantin.cli._histogram import bar, counts
from pantin.cli._options import FrameOption, JsonOption, ModelArgument, ModeOption, RootOption, ThreadsOption
from pantin.cli._output import console, percent, plain_table, print_json, print_table
from pantin.cli._question import Parts, Question, read_mode, targets_of
from pantin.errors import InvalidArgument
from pantin.kinematics.batch import frame_placements, integrate
from pantin.kinematics.configurations import clamp, random_configuration
from pantin.kinematics.model import Model

__all__ = ["bench"]

#: Each question is asked so many times, and the shortest time counts: what else runs can only make it longer.
ROUNDS = 3

#: How far seeds from nearby are from an answer: standard deviation of each joint, rad or m.
NEARBY = 0.02

#: Intervals of the histogram, and letters of its longest bar.
BINS, WIDTH = 10, 40

bench = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@bench.callback()
def main() -> None:
    """Measure what this machine takes for a question."""


class Figures(NamedTuple):
    """Times and success of one kind of question.

    Attributes:
        kind: What was asked, in words.
        times: Time of each call, us.
        per_call: Targets of one call.
        rate: Part of the targets that was reached.
    """

    kind: str
    times: Array
    per_call: int
    rate: float

    def facts(self) -> dict[str, object]:
        """What `--json` prints of it: time per target, us, and success."""
        facts: dict[str, object] = {"mean_us": float(self.times.mean()) / self.per_call, "success_rate": self.rate}
        if self.per_call == 1:
            facts |= {"median_us": float(np.median(self.times)), "p99_us": float(np.percentile(self.times, 99))}
        return facts


@bench.command()
def reach(
    model: ModelArgument,
    frame: FrameOption,
    mode: ModeOption = "pose",
    root: RootOption = None,
    count: Annotated[int, typer.Option(metavar="N", min=10, max=1_000_000, help="Targets.")] = 1000,
    threads: ThreadsOption = 1,
    random_seed: Annotated[int, typer.Option(metavar="N", min=0, help="Chooses the targets.")] = 0,
    as_json: JsonOption = False,
) -> int:
    """Measure reach on targets that the frame can take within the joint limits.

    Targets are those of random configurations. A cold solve has no
    seed, one from nearby has a seed about 0.02 rad or m from an answer.
    Each is repeated, and its shortest time counts. Exit code 0 tells that
    every target was reached, 1 that some were not.

    [bold]Examples[/bold]

      pantin bench reach panda --frame panda_hand
      pantin bench reach ur5e -f tool0 --mode position --count 10000 --threads 2
    """
    tree = pantin.load(model)
    question = Question(tree, frame, read_mode(mode or "pose"), root, {})
    if question.mode == "rcm":
        raise InvalidArgument("--mode", "rcm has no random targets, since each pivot has others; give another mode")
    question.solver()  # refuses frames that nothing moves before it is asked for their targets
    targets, seeds = _questions(question, count, np.random.default_rng(random_seed))
    figures = _measure(question, targets, seeds, threads)
    if as_json:
        cold = figures[0].times
        edges, number = counts(cold, BINS)
        print_json(
            {
                "model": tree.name,
                "frame": frame,
                "mode": question.mode,
                "count": count,
                "level": _core.level(),
                "threads": threads,
                "processor": _processor(),
                **{one.kind.replace(", ", "_").replace(" ", "_"): one.facts() for one in figures},
                "cold_histogram": {"from_us": edges.tolist(), "count": number.tolist()},
            }
        )
    else:
        _print(question, figures, count, threads)
    return 0 if all(one.rate == 1.0 for one in figures) else 1


def _questions(question: Question, count: int, random: np.random.Generator) -> tuple[Array, Array]:
    """Targets that can be reached, and a seed near an answer for each, shape (count, nq)."""
    model: Model = question.model
    q = np.stack([random_configuration(model, random) for _ in range(count)])
    moved = integrate(model, q, random.normal(scale=NEARBY, size=(count, model.nv)))
    poses = frame_placements(model, question.frame, q)
    if question.root is not None:
        poses = np.linalg.inv(frame_placements(model, question.root, q)) @ poses
    place, along = poses[:, :3, 3], poses[:, :3, 2]
    aim = place + np.linalg.norm(place, axis=1).mean() * along
    parts: Parts = {
        "position": aim if question.mode == "pointing" else place,
        "rotation": poses[:, :3, :3],
        "direction": along,
    }
    return np.ascontiguousarray(targets_of(question, parts)), np.stack([clamp(model, row) for row in moved])


def _measure(question: Question, targets: Array, seeds: Array, threads: int) -> list[Figures]:
    """Figures of one by one, then of all at once, without a seed and from nearby."""
    solver = question.solver()
    one_by_one = [
        _timed("cold", solver.solve, [(target,) for target in targets]),
        _timed("from nearby", solver.solve, list(zip(targets, seeds, strict=True))),
    ]
    at_once = [
        _timed("cold, in a batch", solver.solve_batch, [(targets, None, threads)], per_call=len(targets)),
        _timed("from nearby, in a batch", solver.solve_batch, [(targets, seeds, threads)], per_call=len(targets)),
    ]
    return one_by_one + at_once


def _timed(kind: str, ask: Callable[..., Any], calls: Sequence[tuple[Any, ...]], per_call: int = 1) -> Figures:
    """Shortest time of each call, after one that warms up."""
    success = [ask(*call).success for call in calls]
    times = np.full(len(calls), np.inf)
    clock = time.perf_counter_ns
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for index, call in enumerate(calls):
                start = clock()
                ask(*call)
                times[index] = min(times[index], clock() - start)
    finally:
        gc.enable()
    return Figures(kind, times / 1e3, per_call, float(np.mean(success)))


def _print(question: Question, figures: list[Figures], count: int, threads: int) -> None:
    """Print figures as a table, and the times of cold solves as a histogram."""
    out = console()
    who = f"{question.frame} of {question.model.name or 'the model'}, mode {question.mode}"
    out.print(f"{who}: {count} random targets within limits", style="bold", soft_wrap=True)
    workers = "1 thread" if threads == 1 else f"1 thread, batches {threads}"
    out.print(f"{_processor()}, level {_core.level()}, {workers}; us per target", soft_wrap=True)
    out.print()
    headings = ("median", "mean", "p99", "reached")
    table = plain_table("", *headings, right=headings)
    for one in figures:
        facts = one.facts()
        times = [f"{facts[key]:.2f}" if key in facts else "" for key in ("median_us", "mean_us", "p99_us")]
        table.add_row(one.kind, *times, percent(round(one.rate * count), count))
    print_table(table, out)
    out.print()
    edges, numbers = counts(figures[0].times, BINS)
    rows = plain_table("cold, us", "solves", "", right=("cold, us", "solves"))
    for edge, number in zip(edges, numbers, strict=True):
        length = bar(number / numbers.max(), WIDTH, ascii_only=out.options.ascii_only)
        rows.add_row(f"from {edge:.2f}", str(number), length)
    print_table(rows, out)


def _processor() -> str:
    """Name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
