"""Reach: one target without a seed, one from nearby, one out of reach, and many at once.

Every target but those out of reach is a pose that the arm takes within its limits; tolerances are 1e-6 m and
1e-6 rad. A run in which one is missed ends before anything is timed.

As a program it compares with all other libraries that are installed; `docs/benchmarks/reach.md` tells how.

    python benchmarks/reach.py [--python PYTHON ...] [--count 1000] [--page FILE] [LIBRARY ...]
"""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path

import numpy as np

import pantin
from harness import Case, Disagreement, Side, on_cores, one_thread_each, processor
from pantin import _core
from pantin.arrays import Array
from pantin.kinematics.batch import frame_placements
from robots import SAMPLE_COUNT

_TIPS = {"panda": "panda_hand_tcp", "ur5e": "tool0", "arctos": "flange"}


def cases() -> list[Case]:
    """All cases of this floor."""
    return [case for name, frame in _TIPS.items() for case in _arm(name, frame)]


def _arm(name: str, frame: str) -> list[Case]:
    model = pantin.load(name)
    low, high = model.lower_position_limit, model.upper_position_limit
    random = np.random.default_rng(0)
    q = random.uniform(low, high, size=(SAMPLE_COUNT, model.nq))
    seeds = np.clip(q + random.normal(scale=0.02, size=q.shape), low, high)
    targets = frame_placements(model, frame, q)
    far = targets.copy()
    far[:, :3, 3] += 10.0
    solver = pantin.ReachSolver(model, frame)
    many = np.concatenate([targets] * 16)
    if not (solver.solve_batch(targets).success.all() and solver.solve_batch(targets, seeds).success.all()):
        raise Disagreement(f"{name}: a pose that the arm takes was not reached")

    def found(i: int) -> Array:
        return solver.solve(targets[i]).q

    cold = Side(solver.solve, [(target,) for target in targets], found)
    warm = Side(solver.solve, list(zip(targets, seeds, strict=True)))
    lost = Side(solver.solve, [(target,) for target in far])
    batch = Side(solver.solve_batch, [(many,)], per_call=len(many))
    build = Side(pantin.ReachSolver, [(model, frame)] * SAMPLE_COUNT)
    return [
        Case(name, "reach, cold", {"pantin": cold}),
        Case(name, "reach, from nearby", {"pantin": warm}),
        Case(name, "reach, out of the workspace", {"pantin": lost}),
        Case(name, "reach, cold in a batch", {"pantin": batch}),
        Case(name, "reach, a solver is built", {"pantin": build}),
    ]


def main() -> None:
    from peers import ADAPTERS, arms  # noqa: PLC0415  # run.py needs none of them
    from peers.compare import Row, compare, workers  # noqa: PLC0415
    from peers.page import Table, batches, details, page, paths, plain, summary  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", help=f"of {', '.join(ADAPTERS)}; all by default")
    parser.add_argument(
        "--python", action="append", default=[], metavar="PYTHON", help="another one, for its libraries"
    )
    parser.add_argument("--count", type=int, default=1000, help="targets of each arm")
    parser.add_argument("--page", type=Path, metavar="FILE", help="also write a page of the documentation")
    options = parser.parse_args()
    one_thread_each()
    rows: list[Row] = []
    with on_cores(1):
        wanted = options.libraries or list(ADAPTERS)
        levels = [level for level in ("v3", "generic") if level != _core.level()]
        hands = workers([sys.executable, *options.python], ["pantin", *wanted], levels)
        versions = {hand.name: hand.facts["version"] for hand in hands}
        for name in arms.present():
            rows += compare(arms.arm(name), hands, options.count)
            print(f"{name}\n{plain(details(Table(rows), name))}\n", flush=True)
        for hand in hands:
            hand.close()
    table = Table(rows)
    for those in (summary(table, versions), batches(table), paths(table)):
        print(f"{plain(those)}\n")
    if options.page:
        machine = f"{datetime.date.today()}, {processor()}, level `{_core.level()}`, {options.count} targets an arm."
        options.page.write_text(page(table, hands, machine), encoding="utf-8")


if __name__ == "__main__":
    main()
