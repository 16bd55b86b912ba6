"""Skeleton and motion as a BVH file, the format of Blender and other animation programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pantin.errors import InvalidArgument
from pantin.fitting.convert.bvh import write_bvh
from pantin.fitting.export.frames import frames_of, in_unit
from pantin.fitting.result import FitResult

__all__ = ["write_motion"]

#: How far a step between frames may be from the mean step, as a share of that.
UNEVEN = 0.01


def write_motion(result: FitResult, path: Path, *, unit: str | None = None, rate: float | None = None) -> None:
    """Write the skeleton and its motion.

    Args:
        result: The result.
        path: The file.
        unit: Unit of length; that of the plan by default. The file does not name it.
        rate: Frames per second, for a result without times.

    Raises:
        InvalidArgument: If the times of the frames are not known or not even, or a pose has gaps, which BVH has not.
    """
    state, time, rate = frames_of(result, rate)
    steps = np.diff(time)
    if steps.size and np.abs(steps * rate - 1.0).max() > UNEVEN:
        raise InvalidArgument("path", "BVH files have frames at even times, and those of the result are not")
    unknown = unit is None and result.plan.length_unit is None
    scale = 1.0 if unknown else in_unit(result, unit)[1]
    write_bvh(path, result.plan, state, 1.0 / rate, scale=scale, decimals=9)
