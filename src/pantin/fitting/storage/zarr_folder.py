"""Results in Zarr folders."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from pantin.errors import MissingExtra
from pantin.fitting.result import FitResult
from pantin.fitting.storage.dataset import dataset_of, result_of_dataset, xarray
from pantin.fitting.storage.record import Record

__all__ = ["read", "write"]


def write(record: Record, path: Path) -> None:
    """Write a result."""
    _needed("writing Zarr folders")
    dataset_of(record).to_zarr(path, mode="w-", consolidated=False)


def read(path: Path) -> FitResult:
    """Read a result.

    Raises:
        Exception: Of some kind or another, if the folder does not hold one.
    """
    xr = _needed("reading Zarr folders")
    with xr.open_zarr(path, consolidated=False, decode_times=False, mask_and_scale=False) as data:
        return result_of_dataset(data)


def _needed(purpose: str) -> Any:
    """The library that labels arrays, beside which that of Zarr folders must be."""
    if importlib.util.find_spec("zarr") is None:
        raise MissingExtra("zarr", "fit", purpose)
    return xarray(purpose)
