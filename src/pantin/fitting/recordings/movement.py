"""Datasets of the package `movement`: `position` and `confidence` over time, space, keypoints and individuals."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from pantin.fitting.recordings.problems import RecordingError, foreign, optional
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.units import stated_unit

__all__ = ["from_dataset", "is_dataset", "read_movement"]

#: Names of the axes, with older or shorter ones that mean the same.
_AXES = {
    "time": ("time", "frame", "frames"),
    "space": ("space",),
    "keypoints": ("keypoints", "keypoint"),
    "individuals": ("individuals", "individual"),
}


def is_dataset(value: object) -> bool:
    """True for an xarray object."""
    xarray = sys.modules.get("xarray")
    return xarray is not None and isinstance(value, (xarray.Dataset, xarray.DataArray))


def read_movement(path: Path, rate: float | None = None) -> list[Recording]:
    """Recordings of a dataset in a netCDF file, one for each individual.

    Args:
        path: The file.
        rate: Frames per second, instead of what the file says of times.

    Raises:
        RecordingError: If the file cannot be read as one.
        MissingExtra: If xarray or h5netcdf is not installed.
    """
    xarray = optional("xarray", "fit", "reading netCDF files")
    with path.open("rb") as file:
        classic = file.read(3) == b"CDF"
    if classic:
        raise RecordingError(path, "is a netCDF file of the classic kind; save it with engine='h5netcdf'")
    optional("h5netcdf", "fit", "reading netCDF files")
    with foreign(path, "a movement dataset"), xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as data:
        return from_dataset(data, rate, str(path))


def from_dataset(data: Any, rate: float | None = None, path: str = "") -> list[Recording]:
    """Recordings of a dataset, one for each individual.

    Args:
        data: A dataset with `position` and perhaps `confidence`, or an array of positions alone.
        rate: Frames per second, instead of what the dataset says of times.
        path: The file that it came from.

    Raises:
        RecordingError: If an axis or the positions are missing.
    """
    whole = hasattr(data, "data_vars")
    if whole and "position" not in data:
        raise RecordingError(path, f"expected a variable 'position', found {', '.join(map(repr, data.data_vars))}")
    with foreign(path, "a movement dataset"):
        position = _ordered(path, data["position"] if whole else data, ("individuals", "time", "keypoints", "space"))
        confidence = None
        if whole and "confidence" in data:
            confidence = _ordered(path, data["confidence"], ("individuals", "time", "keypoints"))
        space = tuple(map(str, position.coords["space"].values)) if "space" in position.coords else ()
        if space and space not in (("x", "y"), ("x", "y", "z")):
            raise RecordingError(path, f"expected space to be x, y and perhaps z, got {', '.join(space)}")
        names = [str(name) for name in position.coords["individuals"].values]
        stated = dict(data.attrs) | dict(position.attrs)
        unit = stated.get("space_unit", stated.get("units"))
        values = np.asarray(position.values, dtype=np.float64)
        return [
            Recording(
                keypoints=tuple(str(name) for name in position.coords["keypoints"].values),
                positions=values[index],
                confidence=None if confidence is None else np.asarray(confidence.values[index], dtype=np.float64),
                individual=name if len(names) > 1 else "",
                individuals=tuple(names) if len(names) > 1 else (),
                unit=stated_unit(path, unit) or ("px" if values.shape[-1] == 2 else None),
                path=path,
                format="movement",
                **({"rate": rate} if rate else _time(position, stated)),
            )
            for index, name in enumerate(names)
        ]


def _ordered(path: str, values: Any, axes: tuple[str, ...]) -> Any:
    """An array with its axes in an order, the individuals' added where it has none."""
    renamed = {name: axis for axis in axes for name in _AXES[axis] if name in values.dims and name != axis}
    values = values.rename(renamed)
    if "individuals" not in values.dims:
        whose = values.coords["individuals"].item() if "individuals" in values.coords else ""
        values = values.drop_vars("individuals", errors="ignore").expand_dims(individuals=[whose])
    lacking = [axis for axis in axes if axis not in values.dims]
    if lacking or len(values.dims) != len(axes):
        raise RecordingError(path, f"expected axes {', '.join(axes)}, got {', '.join(map(str, values.dims))}")
    unnamed = [axis for axis in ("keypoints", "individuals") if axis not in values.coords]
    if unnamed:
        raise RecordingError(path, f"the axis {unnamed[0]!r} has no names; add them as its coordinate")
    return values.transpose(*axes)


def _time(position: Any, stated: dict[Any, Any]) -> dict[str, Any]:
    """Seconds, where the dataset counts in them or tells its rate; a count of frames is none."""
    rate = stated.get("fps")
    rate = float(rate) if rate is not None and float(rate) > 0 else None
    if "time" not in position.coords or str(stated.get("time_unit", "seconds")) != "seconds":
        return {"rate": rate}
    values = np.asarray(position.coords["time"].values)
    if values.dtype.kind == "m":
        values = values / np.timedelta64(1, "s")
    return {"time": np.asarray(values, dtype=np.float64), "rate": rate}
