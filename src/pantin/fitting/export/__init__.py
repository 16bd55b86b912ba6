"""Results for other programs: TRC and MOT for OpenSim, BVH for Blender, `qpos` for MuJoCo."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pantin.errors import InvalidArgument
from pantin.files import whole_file
from pantin.fitting.export.bvh import write_motion
from pantin.fitting.export.mot import write_mot
from pantin.fitting.export.qpos import write_qpos
from pantin.fitting.export.trc import write_trc
from pantin.fitting.result import FitResult

__all__ = ["export"]

#: What writes a format, by the ending of its names.
WRITERS: Mapping[str, Callable[..., None]] = {
    ".trc": write_trc,
    ".mot": write_mot,
    ".bvh": write_motion,
    ".npz": write_qpos,
}


def export(
    result: FitResult, path: str | os.PathLike[str], *, unit: str | None = None, rate: float | None = None
) -> None:
    """Write a result for another program, in the format that the name ends in; see `FitResult.export`."""
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        raise InvalidArgument("path", f"expected a name that ends in {', '.join(WRITERS)}, got {str(path)!r}")
    asked: dict[str, Any] = {"rate": rate}
    if ending != ".npz":
        asked["unit"] = unit
    elif unit is not None:
        raise InvalidArgument("unit", "the lengths of qpos are those of the plan, as in its MJCF; leave the unit out")
    with whole_file("path", path) as beside:
        WRITERS[ending](result, beside, **asked)
