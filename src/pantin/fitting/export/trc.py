"""Fitted keypoints as a TRC file, the format of markers that OpenSim and Pose2Sim read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pantin.fitting.export.frames import check_names, frames_of, in_unit
from pantin.fitting.result import FitResult

__all__ = ["write_trc"]

_HEADER = "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames"


def write_trc(result: FitResult, path: Path, *, unit: str | None = None, rate: float | None = None) -> None:
    """Write the keypoints of each frame; those that are not known are left empty.

    Args:
        result: The result.
        path: The file.
        unit: Unit of length; that of the plan by default.
        rate: Frames per second, for a result without times.

    Raises:
        InvalidArgument: If unit or rate are not known, or a name breaks the format.
    """
    names = result.plan.joint_names
    check_names(names, "TRC")
    state, time, rate = frames_of(result, rate)
    unit, factor = in_unit(result, unit)
    points = factor * result.plan.keypoints(state).reshape(len(time), -1)
    axes = [f"{axis}{number}" for number in range(1, len(names) + 1) for axis in "XYZ"]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"PathFileType\t4\t(X/Y/Z)\tkeypoints.trc\n{_HEADER}\n")
        file.write(f"{rate:.9g}\t{rate:.9g}\t{len(time)}\t{len(names)}\t{unit}\t{rate:.9g}\t1\t{len(time)}\n")
        file.write("Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t\n\t\t" + "\t".join(axes) + "\n\n")
        for number, (moment, row) in enumerate(zip(time.tolist(), points.tolist(), strict=True), 1):
            cells = ["" if np.isnan(value) else repr(value) for value in row]
            file.write(f"{number}\t{moment!r}\t" + "\t".join(cells) + "\n")
