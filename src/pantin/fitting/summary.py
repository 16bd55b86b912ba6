"""What there is to know of a result at a glance.

What was not observed counts nowhere: every mean, root mean square and share of outliers is over the observations that
there are, and is NaN where there are none.
"""

from __future__ import annotations

import collections
import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, count
from pantin.fitting.fields import source_names
from pantin.fitting.frames import framed
from pantin.fitting.result import FitResult
from pantin.fitting.status import STATUSES
from pantin.fitting.summary_text import as_rich, as_text

if TYPE_CHECKING:
    from rich.console import Group

__all__ = ["DofSummary", "FitSummary", "FrameSummary", "KeypointSummary", "SourceSummary", "Spread", "summarise"]


class Spread(NamedTuple):
    """How numbers are spread; NaN where there are none.

    Attributes:
        mean: Their mean.
        rms: Their root mean square.
        median: Half of them are below.
        most: 95 % of them are below.
        largest: The largest.
    """

    mean: float
    rms: float
    median: float
    most: float
    largest: float


class FrameSummary(NamedTuple):
    """A frame.

    Attributes:
        frame: Its index.
        time: Its time, s, or None.
        status: How its fit ended.
        cost: The objective.
        rms: Root mean square of its residuals.
        keypoint: The keypoint with the largest residual, "" where none was observed.
        largest: That residual.
    """

    frame: int
    time: float | None
    status: str
    cost: float
    rms: float
    keypoint: str
    largest: float


class KeypointSummary(NamedTuple):
    """A keypoint.

    Attributes:
        name: Its name.
        seen: Share of the frames in which it was observed, by any source.
        mean: Mean of its residuals.
        rms: Their root mean square.
        largest: The largest.
        outliers: Share of its observations that a robust loss has set aside.
    """

    name: str
    seen: float
    mean: float
    rms: float
    largest: float
    outliers: float


class DofSummary(NamedTuple):
    """A degree of freedom.

    Attributes:
        name: Its name.
        seen: Share of the frames in which its value rests on data.
        at_lower: Share of the frames in which it is at its lower limit.
        at_upper: Share of the frames in which it is at its upper limit.
        smallest: Its smallest value, rad or length units.
        largest: Its largest value.
        unit: Unit of both.
    """

    name: str
    seen: float
    at_lower: float
    at_upper: float
    smallest: float
    largest: float
    unit: str


class SourceSummary(NamedTuple):
    """A source.

    Attributes:
        name: Its kind, numbered where there are several of it.
        seen: Share of its observations that are not missing.
        residual: How its residuals are spread.
        outliers: Share of its observations that a robust loss has set aside.
        unit: Unit of the residuals, "" where the plan states none.
    """

    name: str
    seen: float
    residual: Spread
    outliers: float
    unit: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class FitSummary:
    """A result at a glance; `print` shows it as text, and a console of rich as tables.

    Attributes:
        frames: Number of frames.
        statuses: Number of frames by the word for how they ended, those that there are.
        cost: How the objective is spread.
        cost_data: Mean of its part from data.
        cost_prior: Mean of its part from the pull to neutral values.
        sources: What each source saw.
        worst_frames: The frames with the largest objective, the worst first.
        keypoints: All keypoints, those with the largest root mean square first; none where no source sees keypoints.
        dofs: All degrees of freedom, those first that are the least seen or the most at their limits.
        restarted: Frames that were tried again from a cold start.
        joins: Number of joins of segments by what was done about them.
        interpolated: Frames in which a degree of freedom was filled in from both edges of a gap.
        behind_camera: Observations that were set aside because the point was behind the camera.
        infinite: Coordinates that were infinite and counted as missing.
    """

    frames: int
    statuses: dict[str, int]
    cost: Spread
    cost_data: float
    cost_prior: float
    sources: tuple[SourceSummary, ...]
    worst_frames: tuple[FrameSummary, ...]
    keypoints: tuple[KeypointSummary, ...]
    dofs: tuple[DofSummary, ...]
    restarted: int
    joins: dict[str, int]
    interpolated: int
    behind_camera: int
    infinite: int

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for JSON; None where a number is not known."""
        return {field.name: _named(getattr(self, field.name)) for field in dataclasses.fields(self)}

    def __str__(self) -> str:
        """Aligned tables."""
        return as_text(self)

    def __rich__(self) -> Group:
        """Tables for a console of rich."""
        return as_rich(self)


def summarise(result: FitResult, worst: int = 5) -> FitSummary:
    """A result at a glance; see `FitResult.summary`."""
    worst = count("worst", worst)
    result = framed(result)
    plan, residual = result.plan, result.residual
    own = residual if result.keypoint_sources else np.full((len(result), plan.n_joints), np.nan)
    codes = np.bincount(result.status_code, minlength=len(STATUSES)).tolist()
    return FitSummary(
        frames=len(result),
        statuses={status.value: number for status, number in zip(STATUSES, codes, strict=True) if number},
        cost=_spread(result.cost),
        cost_data=_mean(result.cost_data.sum(axis=1)),
        cost_prior=_mean(result.cost_prior),
        sources=tuple(
            SourceSummary(
                name, _share(~np.isnan(each)), _spread(each), _part(outlier, ~np.isnan(each)), _unit(result, one)
            )
            for name, one, each, outlier in zip(
                source_names(result.source), result.source, result.residuals, result.outliers, strict=True
            )
        ),
        worst_frames=tuple(_frames(result, own, worst)),
        keypoints=tuple(sorted(_keypoints(result, own), key=lambda one: -np.nan_to_num(one.rms, nan=-1.0))),
        dofs=tuple(sorted(_dofs(result), key=lambda one: min(one.seen, 1.0 - one.at_lower - one.at_upper))),
        restarted=int(np.count_nonzero(result.restarted)),
        joins=dict(collections.Counter(join.action for join in result.joins)),
        interpolated=int(np.count_nonzero(result.interpolated.any(axis=1))),
        behind_camera=int(result.behind_camera.sum()),
        infinite=result.infinite,
    )


def _frames(result: FitResult, residual: Array, worst: int) -> list[FrameSummary]:
    """The frames with the largest objective."""
    cost = np.where(np.isnan(result.cost), np.inf, result.cost)
    order = np.argsort(-cost, kind="stable")[:worst].tolist()
    words, names, found = result.status, result.plan.joint_names, []
    for frame in order:
        own = residual[frame]
        place = int(np.argmax(np.nan_to_num(own, nan=-1.0)))
        spread, known = _spread(own), not np.isnan(own).all()
        time = None if result.time is None else float(result.time[frame])
        name = names[place] if known else ""
        facts = (float(result.cost[frame]), spread.rms, name, spread.largest)
        found.append(FrameSummary(frame, time, str(words[frame]), *facts))
    return found


def _keypoints(result: FitResult, residual: Array) -> list[KeypointSummary]:
    """All keypoints in plan order."""
    if not result.keypoint_sources:
        return []
    seen = np.logical_or.reduce([~np.isnan(result.residuals[index]) for index in result.keypoint_sources])
    outlier, found = result.outlier, []
    for place, name in enumerate(result.plan.joint_names):
        spread, there = _spread(residual[:, place]), seen[:, place]
        outliers = _part(outlier[:, place], there)
        found.append(KeypointSummary(name, _share(there), spread.mean, spread.rms, spread.largest, outliers))
    return found


def _dofs(result: FitResult) -> list[DofSummary]:
    """All degrees of freedom in plan order."""
    plan, found = result.plan, []
    for place, name in enumerate(plan.dof_names):
        values, at_limit = result.dofs[:, place], result.at_limit[:, place]
        known = values[~np.isnan(values)]
        ends = (float(known.min()), float(known.max())) if known.size else (np.nan, np.nan)
        shares = (_share(result.seen[:, place]), _share(at_limit < 0), _share(at_limit > 0))
        found.append(DofSummary(name, *shares, *ends, (plan.length_unit or "") if plan.dof_is_slide[place] else "rad"))
    return found


def _spread(values: Array) -> Spread:
    """How the numbers are spread that are not NaN."""
    known = values[~np.isnan(values)]
    if not known.size:
        return Spread(*[np.nan] * len(Spread._fields))
    median, most = np.quantile(known, [0.5, 0.95]).tolist()
    return Spread(float(known.mean()), float(np.sqrt(np.mean(known**2))), median, most, float(known.max()))


def _mean(values: Array) -> float:
    """Mean of what is not NaN."""
    return _spread(values).mean


def _share(flags: npt.NDArray[np.bool_]) -> float:
    """Share of what is true, NaN of nothing."""
    return float(np.count_nonzero(flags) / flags.size) if flags.size else np.nan


def _part(flags: npt.NDArray[np.bool_], there: npt.NDArray[np.bool_]) -> float:
    """Share of what is true among what is there."""
    return _share(flags[there])


def _unit(result: FitResult, source: Any) -> str:
    """Unit of a source's residuals."""
    return {"camera": "px", "orientation": "rad"}.get(source.kind, result.plan.length_unit or "")


def _named(value: Any) -> Any:
    """Named tuples as dictionaries, all the way down; None for what is not finite."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: _named(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_named(item) for item in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
