"""Benchmarks, one file a floor: `python benchmarks/run.py [--once] [--json FILE] [NAME ...]`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pantin
from harness import LIBRARIES, Case, Disagreement, Result, one_thread_each, processor, run
from pantin import _core

_FLOORS = (
    "kinematics",
    "dynamics",
    "batch",
    "reach",
    "closed_form",
    "choice",
    "problem",
    "follow",
    "tasks",
    "collision",
    "fit",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="floors, or words that a case's line must contain")
    parser.add_argument("--once", action="store_true", help="judge and run each case once, and time nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    options = parser.parse_args()
    one_thread_each()

    absent = [library for library in LIBRARIES if not _version(library)]
    print(f"{processor()}; level {_core.level()}; " + ", ".join(f"{k} {v}" for k, v in _versions().items()))
    if absent:
        print(f"not installed, left out: {', '.join(absent)}")
    results = []
    columns = [library for library in LIBRARIES if library not in absent]
    print(_head(columns), flush=True)
    try:
        for case in _chosen(options.names):
            results.append(run(case, once=options.once))
            print(_line(results[-1], columns), flush=True)
    except Disagreement as error:
        print(error, file=sys.stderr)
        return 1
    if options.json:
        options.json.write_text(json.dumps(_report(results), indent=1) + "\n", encoding="utf-8")
    return 0


def _chosen(names: list[str]) -> list[Case]:
    """Cases of the floors that are named, or whose line contains one of the words."""
    chosen = []
    here = Path(__file__).parent
    present = [name for name in _FLOORS if (here / f"{name}.py").is_file()]
    floors = [name for name in names if name in present] or present
    words = [name for name in names if name not in present]
    for floor in floors:
        for case in importlib.import_module(floor).cases():
            if not words or any(word in f"{floor} {case.robot} {case.name}" for word in words):
                chosen.append(case)
    return chosen


def _head(columns: list[str]) -> str:
    ours, *others = columns
    cells = "".join(f"{name + ' us':>12}{'ratio':>7}" for name in others)
    return f"{'':7}{'':40}{ours + ' us':>11}{cells}"


def _line(result: Result, columns: list[str]) -> str:
    """A row of the table; a ratio is our time over theirs."""
    ours, *others = columns
    cells = "".join(f"{_cell(result, name):>12}{_ratio(result, name):>7}" for name in others)
    return f"{result.robot:7}{result.name:40}{_cell(result, ours):>11}{cells}"


def _cell(result: Result, library: str) -> str:
    if library not in result.medians:
        return "-"
    value = result.medians[library]
    return "ran" if value is None else f"{value:.3f}" if value < 1e3 else f"{value:.0f}"


def _ratio(result: Result, library: str) -> str:
    ratio = result.ratio(library)
    return "" if ratio is None else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def _report(results: list[Result]) -> dict[str, object]:
    rows = [{"robot": r.robot, "name": r.name, "median_us": r.medians} for r in results]
    return {"processor": processor(), "level": _core.level(), "versions": _versions(), "results": rows}


def _version(library: str) -> str | None:
    if library == "pantin":
        return pantin.__version__
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _versions() -> dict[str, str]:
    return {library: v for library in (*LIBRARIES, "numpy") if (v := _version(library))}


if __name__ == "__main__":
    sys.exit(main())
