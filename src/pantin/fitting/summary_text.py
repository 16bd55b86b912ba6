"""Summaries as text, and as tables of rich: both show the same sections."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.console import Group

    from pantin.fitting.summary import FitSummary

__all__ = ["Section", "as_rich", "as_text", "sections"]

#: Keypoints and degrees of freedom that are shown; the rest are in the summary's attributes.
SHOWN = 12

#: Blanks between columns.
GAP = "  "


class Section(NamedTuple):
    """A table.

    Attributes:
        headings: Names of the columns; the first one says what the rows are.
        rows: Cells, as many in each as there are headings.
        left: Columns whose cells stand on the left; the others have numbers.
        more: Rows that are not shown.
    """

    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left: tuple[str, ...]
    more: int = 0


def as_text(summary: FitSummary) -> str:
    """All sections with aligned columns, a blank line between them."""
    return "\n\n".join("\n".join(_lines(section)) for section in sections(summary))


def as_rich(summary: FitSummary) -> Group:
    """All sections as tables without rules."""
    from rich.console import Group  # noqa: PLC0415  # slow to import
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    shown: list[Table | Text] = []
    for section in sections(summary):
        table = Table(box=None, pad_edge=False, padding=(0, len(GAP), 0, 0), header_style="bold")
        for heading in section.headings:
            justify = "left" if heading in section.left else "right"
            table.add_column(Text(heading), justify=justify, overflow="fold")  # type: ignore[arg-type]
        for row in section.rows:
            table.add_row(*map(Text, row))
        shown += [table, *map(Text, _rest(section)), Text("")]
    return Group(*shown[:-1])


def sections(summary: FitSummary) -> list[Section]:
    """The tables of a summary, those that say something."""
    found = [_statuses(summary), _costs(summary), _sources(summary)]
    events = _events(summary)
    if events:
        found.append(Section(("events", "count"), events, ("events",)))
    if summary.worst_frames:
        found.append(_frames(summary))
    if summary.keypoints:
        found.append(_keypoints(summary))
    if summary.dofs:
        found.append(_dofs(summary))
    return found


def _statuses(summary: FitSummary) -> Section:
    rows = [(word, str(number), _percent(number / summary.frames)) for word, number in summary.statuses.items()]
    total = ("all frames", str(summary.frames), "")
    return Section(("status", "frames", "share"), [*rows, total], ("status",))


def _costs(summary: FitSummary) -> Section:
    cost = summary.cost
    rows = [
        ("all", *map(_number, (cost.mean, cost.median, cost.most, cost.largest))),
        ("from data", _number(summary.cost_data), "", "", ""),
        ("from the prior", _number(summary.cost_prior), "", "", ""),
    ]
    return Section(("objective", "mean", "median", "95 %", "largest"), rows, ("objective",))


def _sources(summary: FitSummary) -> Section:
    rows = [
        (one.name, _percent(one.seen), *map(_number, one.residual), one.unit, _percent(one.outliers))
        for one in summary.sources
    ]
    headings = ("residuals", "seen", "mean", "rms", "median", "95 %", "largest", "unit", "outliers")
    return Section(headings, rows, ("residuals", "unit"))


def _events(summary: FitSummary) -> list[tuple[str, str]]:
    """What happened besides, where it did."""
    facts = {
        "frames tried again from a cold start": summary.restarted,
        **{f"joins of segments: {action}": number for action, number in summary.joins.items()},
        "frames with a gap filled in": summary.interpolated,
        "observations behind their camera": summary.behind_camera,
        "infinite coordinates, taken as missing": summary.infinite,
    }
    return [(what, str(number)) for what, number in facts.items() if number]


def _frames(summary: FitSummary) -> Section:
    timed = any(one.time is not None for one in summary.worst_frames)
    rows = [
        (
            str(one.frame),
            *((_number(one.time),) if timed else ()),
            one.status,
            *map(_number, (one.cost, one.rms)),
            one.keypoint,
            _number(one.largest),
        )
        for one in summary.worst_frames
    ]
    headings = (
        "worst frames",
        *(("time",) if timed else ()),
        "status",
        "objective",
        "rms",
        "worst keypoint",
        "residual",
    )
    return Section(headings, rows, ("status", "worst keypoint"))


def _keypoints(summary: FitSummary) -> Section:
    rows = [
        (
            one.name,
            _percent(one.seen),
            _number(one.mean),
            _number(one.rms),
            _number(one.largest),
            _percent(one.outliers),
        )
        for one in summary.keypoints[:SHOWN]
    ]
    headings = ("worst keypoints", "seen", "mean", "rms", "largest", "outliers")
    return Section(headings, rows, ("worst keypoints",), len(summary.keypoints) - len(rows))


def _dofs(summary: FitSummary) -> Section:
    rows = [
        (
            one.name,
            *map(_percent, (one.seen, one.at_lower, one.at_upper)),
            *map(_number, (one.smallest, one.largest)),
            one.unit,
        )
        for one in summary.dofs[:SHOWN]
    ]
    headings = ("degrees of freedom", "seen", "at lower", "at upper", "from", "to", "unit")
    return Section(headings, rows, (headings[0], "unit"), len(summary.dofs) - len(rows))


def _lines(section: Section) -> Iterator[str]:
    """A table in aligned columns."""
    table: Sequence[tuple[str, ...]] = [section.headings, *section.rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    left = [heading in section.left for heading in section.headings]
    for row in table:
        cells = zip(row, widths, left, strict=True)
        yield GAP.join(cell.ljust(width) if on_left else cell.rjust(width) for cell, width, on_left in cells).rstrip()
    yield from _rest(section)


def _rest(section: Section) -> list[str]:
    """What is told of the rows that are not shown."""
    return [f"and {section.more} more"] if section.more > 0 else []


def _number(value: float | None) -> str:
    """Four digits, nothing for what is not known."""
    return "" if value is None or math.isnan(value) else f"{value:.4g}"


def _percent(share: float) -> str:
    """A share in percent, never rounded up to all or down to nothing; nothing where there is nothing to share."""
    if math.isnan(share):
        return ""
    shown = f"{100.0 * share:.1f} %"
    if share < 1.0 and shown == "100.0 %":
        return "99.9 %"
    return "0.1 %" if share > 0.0 and shown == "0.0 %" else shown
