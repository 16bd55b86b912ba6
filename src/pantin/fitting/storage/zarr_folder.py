"""Results in Zarr folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pantin.errors import MissingExtra
from pantin.fitting.result import FitResult
from pantin.fitting.storage.dataset import dataset_of, result_of_dataset, xarray
from pantin.fitting.storage.record import Record

__all__ = ["FOLDER_MARK", "read", "write"]

#: A file that such folders have, those of other programs as well.
FOLDER_MARK = ".zgroup"


def write(record: Record, path: Path) -> None:
    """Write a result."""
    _needed("writing Zarr folders")
    from numcodecs import Zstd  # noqa: PLC0415  # which zarr brings

    data = dataset_of(record)
    packed = Zstd(level=1, checksum=True)
    for variable in data.variables.values():
        # versions of xarray differ in the first two words, and leave out the one they do not know;
        # chunks of nothing but zeros are written as well, so that one which was lost is missed
        variable.encoding = {"compressor": packed, "compressors": packed, "write_empty_chunks": True}
    data.to_zarr(path, mode="w-", zarr_format=2, consolidated=True)


def read(path: Path) -> FitResult:
    """Read a result.

    Raises:
        Exception: Of some kind or another, if the folder does not hold one.
    """
    xr, zarr = _needed("reading Zarr folders")
    for name, array in zarr.open_group(path, mode="r").arrays():
        if array.nchunks_initialized < array.nchunks:  # which would be read as zeros
            raise ValueError(f"{name} lacks {array.nchunks - array.nchunks_initialized} of its {array.nchunks} chunks")
    with xr.open_zarr(path, consolidated=True, decode_times=False, mask_and_scale=False) as data:
        return result_of_dataset(data)


def _needed(purpose: str) -> tuple[Any, Any]:
    """The library that labels arrays, and that of Zarr folders."""
    labels = xarray(purpose)
    try:
        import zarr  # noqa: PLC0415  # optional
    except ImportError:
        raise MissingExtra("zarr", "fit", purpose) from None
    return labels, zarr
