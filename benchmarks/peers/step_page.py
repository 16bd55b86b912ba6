"""What control steps cost, as tables and as a page of the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from peers.compare import Worker
from peers.page import markdown
from peers.step_compare import ARRIVED, Row
from peers.step_scene import MODES, Mode, Scene

OURS = "pantin"


class Table:
    """All rows of a run.

    Attributes:
        rows: By library, scene and mode.
        scenes: Names of the scenes.
        libraries: Names of the libraries, those with our name first, then by their time.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = {(row.library, row.scene, row.mode): row for row in rows}
        self.scenes = list(dict.fromkeys(key[1] for key in self.rows))
        self.libraries = sorted(dict.fromkeys(key[0] for key in self.rows), key=self._order)

    def _order(self, library: str) -> tuple[bool, float]:
        medians = [row.median for row in self.rows.values() if row.library == library and row.mode == "track"]
        return not library.startswith(OURS), float(np.exp(np.mean(np.log(medians or [np.inf]))))


def lines(table: Table, figure: Callable[[Row], float], mode: Mode) -> list[list[str]]:
    """Head and a row for each library: a figure of each scene, and how many times ours it is."""
    found = [["library", *(cell for scene in table.scenes for cell in (f"{scene} us", "times ours"))]]
    for library in table.libraries:
        cells = []
        for scene in table.scenes:
            row, ours = (table.rows.get((one, scene, mode)) for one in (library, OURS))
            cells.append(number(figure(row)) if row else "")
            cells.append(_times(figure(row) / figure(ours)) if row and ours else "")
        found.append([library, *cells])
    return found


def details(table: Table, scene: str) -> list[list[str]]:
    """Head and two rows for each library: all figures of one scene."""
    head = "library,mode,median us,p99 us,p99 limited us,p99 raw us,limited steps,arrived,m off,rad off,CoM m off"
    found = [[*head.split(","), "over limits", "path apart"]]
    for library in table.libraries:
        for mode in MODES:
            row = table.rows.get((library, scene, mode))
            if row is None:
                continue
            found.append(
                [
                    library,
                    mode,
                    *(number(value) for value in (row.median, row.p99, row.active_p99, row.raw_p99)),
                    str(int(row.active.sum())),
                    "yes" if row.arrived else "no",
                    f"{row.position_error:.0e}",
                    f"{row.rotation_error:.0e}",
                    "" if row.com_error is None else f"{row.com_error:.0e}",
                    f"{row.over:.0e}",
                    f"{row.apart:.0e}",
                ]
            )
    return found


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 10.0 else f"{ratio:,.0f}"


def number(value: float) -> str:
    """Three digits; nothing for NaN."""
    if np.isnan(value):
        return ""
    return f"{value:.2f}" if value < 10.0 else f"{value:.1f}" if value < 100.0 else f"{value:,.0f}"


def batches(rates: Mapping[tuple[str, str], float]) -> list[list[str]]:
    """Head and a row for each way of stepping many robots at once: thousand steps a second of each scene."""
    ways, scenes = (list(dict.fromkeys(key[k] for key in rates)) for k in (0, 1))
    return [
        ["thousand steps/s", *scenes],
        *([way, *(f"{1e-3 * rates[way, scene]:,.0f}" for scene in scenes)] for way in ways),
    ]


def page(
    table: Table,
    scenes: Sequence[Scene],
    rates: Mapping[tuple[str, str], float],
    hands: Sequence[Worker],
    machine: str,
    passes: int,
) -> str:
    """The page of the documentation."""
    asked = [[library, *_facts(hands, library)] for library in table.libraries]
    refusals = [f"- {hand.name}, {scene}: {reason}." for hand in hands for scene, reason in hand.refusals.items()]
    those = [scene for scene in scenes if scene.name in table.scenes]
    return _PAGE.format(
        machine=machine,
        passes=passes,
        arrived=f"{ARRIVED:g}",
        steps=len(those[0].schedule("reach")) if those else 0,
        dt=1e3 * those[0].dt if those else 0.0,
        scenes=markdown(
            [["scene", "joints", "tasks (cost)"], *([s.name, str(len(s.joints)), _tasks(s)] for s in those)]
        ),
        track=markdown(lines(table, lambda row: row.median, "track")),
        reach=markdown(lines(table, lambda row: row.median, "reach")),
        tail=markdown(lines(table, lambda row: row.p99, "reach")),
        limited=markdown(lines(table, lambda row: row.active_p99, "reach")),
        batches=markdown(batches(rates)),
        details="\n\n".join(f"### {scene}\n\n{markdown(details(table, scene))}" for scene in table.scenes),
        asked=markdown([["library", "version", "how it was asked"], *asked]).replace("---:", "---"),
        refusals="\n".join(["Left out:", "", *refusals]) if refusals else "None left out a scene.",
    )


def _tasks(scene: Scene) -> str:
    costs = (f"{wish.cost:g}" + (f"/{wish.turn_cost:g}" if wish.kind == "frame" else "") for wish in scene.wishes)
    return ", ".join(f"{wish.frame or wish.kind} ({cost})" for wish, cost in zip(scene.wishes, costs, strict=True))


def _facts(hands: Sequence[Worker], library: str) -> tuple[str, str]:
    facts = next(hand.facts for hand in hands if hand.name == library)
    return facts["version"], facts["settings"]


_PAGE = """\
# Control steps beside others

This page is written by `benchmarks/tasks.py`.

{machine}

A step puts together the quadratic program of all tasks and limits, solves it, and moves the configuration; targets are
set before it. Times are microseconds a step from Python, on one core, medians over {passes} passes of each step, in
which the libraries take turns. All get the same URDF text, costs, gains and limits:

{scenes}

The targets of a scene are met all at once by one smooth motion of the robot. *Track* follows them, a row every {dt:g}
ms, and rests on the last one; *reach* asks for the last one from the start on, {steps} steps long, so that velocity
limits hold the robot back for part of the way. The motion is the same for all libraries: *path apart* tells how far
one's configurations are from ours at most.

## A step, tracking

Medians, and how many times ours they are:

{track}

## A step, reaching

{reach}

## The slowest steps, while velocity limits are active

What 99 of 100 steps keep to in *reach*:

{tail}

And of those steps alone in which a limit holds a joint back:

{limited}

## Many robots at once

`BatchIK` on one thread, thousand steps a second: *rollout* takes 256 robots, spread around the start, along the first
40 rows of the path; *step* is one step of each, to a row of its own, so far for most that nearly all joints are at
their velocity limits, with nothing known of a step before. Others have no such call.

{batches}

## Each scene

*Limited* are the steps in which a joint moves at its velocity limit; *raw* counts all steps of all passes, whatever
disturbed them. Pinocchio tells what was reached at the end: the largest distance and angle of a frame from its target,
and the centre of mass's; *arrived* asks for less than {arrived} of each, m or rad, with no step over a limit by more
than 1e-6.

{details}

## How each was asked

{asked}

{refusals}

## Run it again

```console
$ pip install pantin pin example-robot-data
$ pip install placo mink pin-pink pinker    # those of interest
$ python benchmarks/tasks.py --page docs/benchmarks/tasks.md
```

A library that cannot live with the others gets a Python of its own, named with `--python`, once for each:
`--python placo/bin/python`. One that no Python has is left out. An adapter is a file of some 40 lines,
`benchmarks/peers/step_*.py`.
"""
