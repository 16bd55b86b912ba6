"""A result as a labelled data set of xarray, which NetCDF and Zarr files hold as well."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pantin.errors import MissingExtra
from pantin.fitting.result import FitResult
from pantin.fitting.status import STATUSES
from pantin.fitting.storage.layout import Entry, Layout
from pantin.fitting.storage.record import Record, header_of, record_of, result_of

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["dataset_of", "result_of_dataset", "to_xarray", "xarray"]

#: The axis of frames.
FRAMES = "time"

#: Units of residuals by the kind of their source, where it is not that of lengths.
UNITS = {"camera": "px", "orientation": "rad"}

#: Attribute that has the header.
HEADER = "pantin"


def to_xarray(result: FitResult) -> xr.Dataset:
    """A result with named dimensions; see `FitResult.to_xarray`."""
    data = dataset_of(record_of(result, keypoints=True))
    if len(result.source) > 1:
        for name in ("residual", "outlier"):
            values = np.asarray(getattr(result, name))
            data[name] = ((FRAMES, "keypoint"), values[None] if result.single else values)
    return data.isel({FRAMES: 0}) if result.single else data


def dataset_of(record: Record) -> xr.Dataset:
    """What a file of a result holds, as a data set: one variable an array, the header as an attribute."""
    library = xarray("labelled arrays")
    plan, layout = record.header["plan"], record.layout
    unit = plan.get("x-pantin", {}).get("length_unit") or ""
    facts = _facts(record, unit)
    variables = {
        entry.name: ((FRAMES, *entry.axes), record.arrays[entry.name], facts.get(entry.name))
        for entry in layout.entries
    }
    axes = dict.fromkeys(axis for entry in layout.entries for axis in entry.axes)
    labels = {axis: np.array(layout.labels[axis], dtype=object) for axis in axes}
    slides = [dof["type"] == "slide" for joint in plan["joints"] for dof in joint["dofs"]]
    kinds = ("dof", np.array([unit if slide else "rad" for slide in slides], dtype=object))
    data: xr.Dataset = library.Dataset(
        {name: variable for name, variable in variables.items() if name != FRAMES},
        coords={**labels, "dof_unit": kinds, **({FRAMES: variables[FRAMES]} if FRAMES in variables else {})},
        attrs={"plan": json.dumps(plan, ensure_ascii=False), "length_unit": unit, HEADER: record.text},
    )
    return data


def result_of_dataset(data: xr.Dataset) -> FitResult:
    """The result that a data set holds.

    Raises:
        KeyError, TypeError, ValueError: If it holds none.
    """

    def take(entry: Entry, layout: Layout) -> npt.NDArray[Any]:
        variable = data[entry.name]
        if variable.dims != (FRAMES, *entry.axes):
            raise ValueError(f"{entry.name} has axes {variable.dims}")
        return np.asarray(variable.values)

    return result_of(header_of(data.attrs.get(HEADER, "")), take)


def _facts(record: Record, unit: str) -> dict[str, dict[str, Any]]:
    """Attributes of variables: their units, the words of codes."""
    layout = record.layout
    facts: dict[str, dict[str, Any]] = {name: {"units": unit} for name in ("root_pos", "keypoints")}
    facts[FRAMES] = {"units": "s"}
    facts["status_code"] = {
        "flag_values": np.arange(len(STATUSES), dtype=np.int8),
        "flag_meanings": " ".join(STATUSES),
    }
    for place, source in enumerate(record.header["sources"]):
        kind = source["kind"]
        facts[layout.residuals[place].name] = {"units": UNITS.get(kind, unit)}
        if layout.positions and kind != "orientation":  # which is told in quaternions
            facts[layout.positions[place].name] = {"units": UNITS.get(kind, unit)}
    return facts


def xarray(purpose: str) -> Any:
    """The library."""
    try:
        import xarray as xr  # noqa: PLC0415  # optional
    except ImportError:
        raise MissingExtra("xarray", "fit", purpose) from None
    return xr
