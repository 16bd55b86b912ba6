"""Tasks: one control step of an arm and of humanoids, whose targets move, or are far.

The other side is Pinker, whose steps ours must repeat. As a program it compares with all other libraries that are
installed; `docs/benchmarks/tasks.md` tells how.

    python benchmarks/tasks.py [--python PYTHON ...] [--passes 9] [--page FILE] [LIBRARY ...]
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import sys
from functools import cache
from pathlib import Path

import numpy as np

from harness import Case, Stopwatch, on_cores, one_thread_each, processor
from pantin import _core
from peers.step_base import Controller
from peers.step_scene import MODES, Mode, Scene
from peers.step_worker import ADAPTERS, unroll
from robots import pinker
from step_batch import sides
from step_scenes import scenes

#: Places of a path that are compared.
_LOOKS = 5


def cases() -> list[Case]:
    """All cases of this floor."""
    found = []
    for scene in scenes():
        found += [case for mode in MODES for case in _cases(scene, mode)]
        found += [Case("tasks", f"{scene.name}: batch, {way}", {"pantin": side}) for way, side in sides(scene).items()]
    return found


def _cases(scene: Scene, mode: Mode) -> list[Case]:
    """One call a step, and the two calls of a script for Pink, beside Pinker's."""
    theirs = {} if pinker is None else {"pinker": _side("pinker", scene, mode)}
    return [
        Case(
            "tasks", f"{scene.name}: {what}, {mode}", {"pantin": _side(library, scene, mode), **theirs}, tolerance=1e-7
        )
        for what, library in (("step", "pantin"), ("solve_ik", "pantin solve_ik"))
    ]


def _side(library: str, scene: Scene, mode: Mode) -> Stopwatch:
    """All steps of a mode, of which the steps alone are timed; the answers are configurations on the way."""
    controller: Controller = importlib.import_module(f"peers.{ADAPTERS[library][0]}").Adapter(scene)
    count = len(scene.schedule(mode))
    path = cache(lambda: unroll(controller, mode)[0])

    def seconds() -> float:
        return 1e-6 * count * float(np.nanmean(unroll(controller, mode)[1]))

    return Stopwatch(seconds, [()], lambda i: path()[count * (i + 1) // _LOOKS], per_call=count)


def main() -> None:
    from peers.compare import workers  # noqa: PLC0415  # run.py needs none of them
    from peers.page import plain  # noqa: PLC0415
    from peers.step_compare import compare  # noqa: PLC0415
    from peers.step_page import Table, batches, details, lines, page  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=f"of {', '.join(ADAPTERS)}; all by default")
    parser.add_argument(
        "--python", action="append", default=[], metavar="PYTHON", help="another one, for its libraries"
    )
    parser.add_argument("--passes", type=int, default=9, help="how often all steps of a scene are timed")
    parser.add_argument("--page", type=Path, metavar="FILE", help="also write a page of the documentation")
    options = parser.parse_args()
    one_thread_each()
    asked = scenes()
    libraries = options.libraries or list(ADAPTERS)
    with on_cores(1):
        hands = workers([sys.executable, *options.python], libraries, program="peers.step_worker")
        table = Table(compare(asked, hands, options.passes))
        for hand in hands:
            hand.close()
        many = {scene.name: sides(scene) for scene in asked}
        sweeps = [
            {(way, name): side.sweep() for name, both in many.items() for way, side in both.items()}
            for _ in range(options.passes)
        ]
    rates = {key: 1.0 / float(np.median([times[key] for times in sweeps])) for key in sweeps[0]}
    for name in table.scenes:
        print(f"{name}\n{plain(details(table, name))}\n")
    print(plain(lines(table, lambda row: row.median, "track")) + "\n\n" + plain(batches(rates)))
    if options.page:
        machine = f"{datetime.date.today()}, {processor()}, level `{_core.level()}`."
        options.page.write_text(page(table, asked, rates, hands, machine, options.passes), encoding="utf-8")


if __name__ == "__main__":
    main()
