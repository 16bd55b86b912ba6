"""Results in NetCDF files."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any, Literal

from pantin.errors import MissingExtra
from pantin.fitting.result import FitResult
from pantin.fitting.storage.dataset import dataset_of, result_of_dataset, xarray
from pantin.fitting.storage.record import Record

__all__ = ["read", "write"]

#: The package that writes NetCDF files for xarray.
ENGINE: Literal["h5netcdf"] = "h5netcdf"


def write(record: Record, path: Path) -> None:
    """Write a result."""
    _needed("writing NetCDF files")
    dataset_of(record).to_netcdf(path, engine=ENGINE)


def read(path: Path) -> FitResult:
    """Read a result.

    Raises:
        Exception: Of some kind or another, if the file does not hold one.
    """
    xr = _needed("reading NetCDF files")
    with xr.open_dataset(path, engine=ENGINE, decode_times=False, mask_and_scale=False) as data:
        return result_of_dataset(data)


def _needed(purpose: str) -> Any:
    """The library that labels arrays, beside which that of NetCDF files must be."""
    if importlib.util.find_spec(ENGINE) is None:
        raise MissingExtra(ENGINE, "fit", purpose)
    return xarray(purpose)
