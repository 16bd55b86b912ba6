"""A result as every format stores it: a header of plain JSON values, and named arrays."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pantin.arrays import count
from pantin.errors import InvalidArgument
from pantin.fitting.frames import framed
from pantin.fitting.join import Join
from pantin.fitting.jsonable import decoded, encoded
from pantin.fitting.observations import Observations
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.result import FitResult
from pantin.fitting.sources import Source
from pantin.fitting.storage.layout import Entry, Layout, layout_of

__all__ = ["Record", "Take", "header_of", "record_of", "result_of"]

FORMAT, VERSION = "pantin.FitResult", 1

#: How a format hands over an array that it stores.
Take: TypeAlias = "Callable[[Entry, Layout], npt.NDArray[Any]]"


class Record(NamedTuple):
    """What a file of a result holds.

    Attributes:
        header: Everything but arrays, as JSON has it.
        layout: Which arrays there are.
        arrays: The arrays by name, the frames first, also those of a single frame.
        frames: Number of frames.
    """

    header: dict[str, Any]
    layout: Layout
    arrays: dict[str, npt.NDArray[Any]]
    frames: int

    @property
    def text(self) -> str:
        """The header in one line."""
        return json.dumps(self.header, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def record_of(result: FitResult, *, observations: bool = True, keypoints: bool = False) -> Record:
    """What a file of a result holds.

    Args:
        result: The result.
        observations: Store what was fitted to, where that is known.
        keypoints: Store the fitted keypoints, for other readers.
    """
    single, result = result.single, framed(result)
    seen = result.observations if observations else None
    stored: dict[str, Any] = {
        "time": result.time is not None,
        "keypoints": keypoints,
        "weights": None if seen is None else [weights is not None for weights in seen.weights],
    }
    layout = layout_of(result.plan, result.source, **stored)
    values = [getattr(result, entry.name) for entry in (*layout.others, *layout.fields)]
    values += [*result.residuals, *result.outliers]
    if seen is not None:
        values += [*seen.positions, *(weights for weights in seen.weights if weights is not None)]
    arrays = {entry.name: value for entry, value in zip(layout.entries, values, strict=True)}
    header = {
        "format": FORMAT,
        "version": VERSION,
        "frames": len(result),
        "single": single,
        "stored": stored,
        "plan": result.plan.to_dict(),
        "options": encoded(result.options),
        "sources": [source.to_dict() for source in result.source],
        "joins": [join._asdict() for join in result.joins],
        "infinite": result.infinite,
        "provenance": dict(result.provenance),
    }
    return Record(header, layout, arrays, len(result))


def header_of(text: str | bytes) -> dict[str, Any]:
    """The header of a file.

    Raises:
        ValueError: If it is none, or that of a later version.
    """
    try:
        header = json.loads(text)
    except (TypeError, ValueError):
        raise ValueError("it has no header of a result") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ValueError("its header is not that of a result")
    if header.get("version") != VERSION:
        raise ValueError(f"it has version {header.get('version')!r} of the format, and this pantin reads {VERSION}")
    return header


def result_of(header: Mapping[str, Any], take: Take) -> FitResult:
    """The result that a file holds.

    Args:
        header: Its header.
        take: Gives the arrays that the file stores.

    Raises:
        Exception: Of some kind or another, if header and arrays do not fit together.
    """
    plan = BodyPlan.from_dict(header["plan"])
    options = FitOptions(**decoded(header["options"]))
    source = tuple(Source.from_dict(facts) for facts in header["sources"])
    layout = layout_of(plan, source, **header["stored"])
    frames = count("frames", header["frames"], upper=2**62)

    def taken(entry: Entry) -> npt.NDArray[Any]:
        """An array, checked."""
        values = take(entry, layout)
        expected = layout.shape(entry, frames)
        if values.shape != expected:
            raise InvalidArgument(entry.name, f"expected shape {expected}, got {values.shape}")
        return np.asarray(values, dtype=entry.dtype)

    observations, infinite = None, count("infinite", header["infinite"], upper=2**62)
    if layout.positions:
        observations = Observations(
            sources=source,
            positions=tuple(map(taken, layout.positions)),
            weights=tuple(None if entry is None else taken(entry) for entry in layout.weights),
            single=False,
            n_frames=frames,
            infinite=infinite,
        )
    result = FitResult(
        plan=plan,
        options=options,
        source=source,
        **{entry.name: taken(entry) for entry in layout.fields},
        residuals=tuple(map(taken, layout.residuals)),
        outliers=tuple(map(taken, layout.outliers)),
        time=next((taken(entry) for entry in layout.others if entry.name == "time"), None),
        joins=tuple(Join(**facts) for facts in header["joins"]),
        observations=observations,
        infinite=infinite,
        provenance={str(fact): str(value) for fact, value in header["provenance"].items()},
    )
    return result[0] if header["single"] is True else result
