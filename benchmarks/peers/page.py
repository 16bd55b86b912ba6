"""The results as tables: for a terminal, and as a page of the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from peers.compare import TOLERANCES, Row, Worker

_TIGHT, _LOOSE = (tolerance for tolerance, _ in TOLERANCES)

_Key = tuple[str, str, float, str, str]


class Table:
    """All rows of a run.

    Attributes:
        rows: By library, arm, tolerance, regime and way.
        arms: Names of the arms.
        libraries: Names of the libraries, ours first, then those that reach nearly all by their time.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows: dict[_Key, Row] = {(r.library, r.arm, r.tolerance, r.regime, r.way): r for r in rows}
        self.arms = list(dict.fromkeys(key[1] for key in self.rows))
        self.libraries = sorted(dict.fromkeys(key[0] for key in self.rows), key=self._order)

    def of(self, library: str, regime: str, way: str = "single") -> list[Row]:
        """Rows of a library, one an arm, at the tight tolerance."""
        keys = ((library, arm, _TIGHT, regime, way) for arm in self.arms)
        return [self.rows[key] for key in keys if key in self.rows]

    def mean(self, figure: Callable[[Row], float], rows: Sequence[Row]) -> float:
        """Geometric mean of a figure."""
        return float(np.exp(np.mean(np.log([figure(row) for row in rows]))))

    def ratio(self, figure: Callable[[Row], float], rows: Sequence[Row]) -> float:
        """Geometric mean of how many times ours a figure is, on the same arms."""
        ours = [self.rows["pantin", row.arm, row.tolerance, row.regime, "single"] for row in rows]
        return self.mean(figure, rows) / self.mean(figure, ours)

    def _order(self, library: str) -> tuple[bool, bool, float]:
        cold = self.of(library, "cold")
        return not library.startswith("pantin"), _least(cold) < 0.99, self.mean(lambda row: row.mean, cold)


def summary(table: Table, versions: Mapping[str, str]) -> list[list[str]]:
    """Head and a row for each library: all arms together, at the tight tolerance."""
    head = "library,version,arms,cold reached %,mean us,times ours,p99 us,warm reached %,median us,times ours,jumps"
    found = [head.split(",")]
    for library in table.libraries:
        cold, warm = table.of(library, "cold"), table.of(library, "warm")
        found.append(
            [
                library,
                versions[library],
                str(len(cold)),
                _percent(_least(cold)),
                _figure(table.mean(lambda row: row.mean, cold)),
                _figure(table.ratio(lambda row: row.mean, cold)),
                _figure(table.mean(lambda row: row.p99, cold)),
                _percent(_least(warm)),
                _figure(table.mean(lambda row: row.median, warm)),
                _figure(table.ratio(lambda row: row.median, warm)),
                str(sum(row.jumps or 0 for row in warm)),
            ]
        )
    return found


def batches(table: Table) -> list[list[str]]:
    """Head and two rows for each of ours: microseconds a target of a batch, by arm."""
    found = [["library", "batch", *table.arms, "all arms"]]
    for library in table.libraries:
        for regime in ("cold", "warm"):
            rows = table.of(library, regime, "batch")
            if rows:
                cells = [row.mean for row in rows] + [table.mean(lambda row: row.mean, rows)]
                found.append([library, regime, *map(_figure, cells)])
    return found


def paths(table: Table) -> list[list[str]]:
    """Head and a row for each of ours: a path as one call, by arm."""
    found = [["library", *(f"{arm} {what}" for arm in table.arms for what in ("us", "reached %", "jumps"))]]
    for library in table.libraries:
        rows = table.of(library, "warm", "path")
        if rows:
            cells = [(_figure(row.mean), _percent(row.success), str(row.jumps)) for row in rows]
            found.append([library, *(cell for three in cells for cell in three)])
    return found


def details(table: Table, arm: str) -> list[list[str]]:
    """Head and a row for each library: one arm, at both tolerances."""
    head = "library,targets,cold reached %,median,mean,p99,warm reached %,median,mean,p99,jumps"
    found = [[*head.split(","), "loose: cold reached %", "mean", "warm reached %", "median"]]
    for library in table.libraries:
        tight = [table.rows.get((library, arm, _TIGHT, regime, "single")) for regime in ("cold", "warm")]
        loose = [table.rows.get((library, arm, _LOOSE, regime, "single")) for regime in ("cold", "warm")]
        cold, warm, easy, near = *tight, *loose
        if not (cold and warm and easy and near):
            continue
        cells = [f"{cold.count}/{warm.count}" if cold.count != warm.count else str(cold.count)]
        for row in (cold, warm):
            cells += [_percent(row.success), _figure(row.median), _figure(row.mean), _figure(row.p99)]
        cells += [str(warm.jumps), _percent(easy.success), _figure(easy.mean), _percent(near.success)]
        found.append([library, *cells, _figure(near.median)])
    return found


def plain(table: list[list[str]]) -> str:
    """A table for a terminal."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table)


def markdown(table: list[list[str]]) -> str:
    """A table for a page; figures stand to the right."""
    head, *rows = table
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def page(table: Table, hands: Sequence[Worker], machine: str) -> str:
    """The page of the documentation."""
    facts = {hand.name: hand.facts for hand in hands}
    versions = {library: facts[library]["version"] for library in table.libraries}
    settings = [[library, facts[library]["settings"]] for library in table.libraries if " at " not in library]
    refusals = [f"- {hand.name}, {arm}: {reason}." for hand in hands for arm, reason in hand.refusals.items()]
    arms = "\n\n".join(f"### {arm}\n\n{markdown(details(table, arm))}" for arm in table.arms)
    return _PAGE.format(
        machine=machine,
        summary=markdown(summary(table, versions)),
        batches=markdown(batches(table)),
        paths=markdown(paths(table)),
        arms=arms,
        settings=markdown([["library", "how it was asked"], *settings]).replace("---:", "---"),
        refusals="\n".join(["Left out:", "", *refusals]) if refusals else "None left out an arm.",
    )


def _least(rows: Sequence[Row]) -> float:
    return min((row.success for row in rows), default=0.0)


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f}" if share < 1.0 else "100"


def _figure(value: float) -> str:
    """Three digits."""
    return f"{value:.2f}" if value < 10.0 else f"{value:.1f}" if value < 100.0 else f"{value:,.0f}"


_PAGE = """\
# Reach beside others

This page is written by `benchmarks/reach.py`.

{machine}

Five arms of `example-robot-data`, cut to the chain from base to tip so that all read the same model: Panda, UR5,
xArm7, Talos' torso with an arm (9 joints), Baxter's left arm. *Cold* targets are poses of configurations spread evenly
over the limits, asked without a seed (who needs one gets the middle of the limits). *Warm* targets lie along
a smooth path, each asked with the previous answer as its seed. Every target can be reached.

Reached means: within the limits exactly, and within 1e-6 m and 1e-6 rad (*loose*: 1e-4 m and 1e-3 rad) by Pinocchio's
kinematics, whatever the library says of itself. A jump is a step between two answers of more than three times the
largest step of the path. All work on one core, in turns of 250 targets. A library has 50 ms for a target where it can
be told. Times are microseconds a call from Python; *times ours* compares geometric means over the same arms.

## All arms

Success is that of the worst arm; those that reach less than 99 % of the cold targets come last.

{summary}

## Many at once

One call of `solve_batch` for all targets, on one thread; microseconds a target. Others have no such call, so that a
batch costs them what single calls cost.

{batches}

## A path as a whole

One call of `follow` for the waypoints of the warm path, microseconds a waypoint.

{paths}

## Each arm

{arms}

## How each was asked

{settings}

{refusals}

Libraries that only step, or have no restarts of their own, restart from random configurations, in Python, until 50 ms
are over. Where the table has fewer targets than the others, the library's time was up.

## Run it again

```console
$ pip install pantin pin example-robot-data
$ pip install cartan-bindings dynibo optik-py pytracik EAIK ssik pin-pink pinker mink    # those of interest
$ python benchmarks/reach.py --page docs/benchmarks/reach.md
```

Some libraries pin versions that others cannot live with. Give these a Python of their own and name it with
`--python`, once for each: `--python placo/bin/python --python roboplan/bin/python`. A library that no Python has is
left out. An adapter is a file of some 30 lines in `benchmarks/peers/`.
"""
