"""Results in files, and back: NetCDF, Zarr, Parquet and CSV, each to the last bit.

All formats store a `record`: a header of JSON values and named arrays. What a format does with them is in its module.
"""

from __future__ import annotations

import difflib
import importlib
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pantin.errors import InvalidArgument, MissingExtra
from pantin.files import whole_file
from pantin.fitting.result import FitResult
from pantin.fitting.storage.folders import whole_folder
from pantin.fitting.storage.record import record_of

__all__ = ["load", "save"]

#: Module of each format by the ending of its names.
FORMATS = {".nc": "netcdf_file", ".zarr": "zarr_folder", ".parquet": "parquet_file", ".csv": "csv_file"}


def save(
    result: FitResult, path: str | os.PathLike[str], *, observations: bool = True, keypoints: bool = False
) -> None:
    """Store a result in the format that the name ends in; see `FitResult.save`."""
    form = _format(path)
    record = record_of(result, observations=observations, keypoints=keypoints)
    with _whole(path, form) as beside:
        form.write(record, beside)


def load(path: str | os.PathLike[str]) -> FitResult:
    """Read a stored result; see `FitResult.load`."""
    form, place = _format(path), Path(path)
    if not place.exists():
        siblings = os.listdir(place.parent) if place.parent.is_dir() else []
        close = difflib.get_close_matches(place.name, siblings, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InvalidArgument("path", f"there is no file {str(path)!r}{hint}")
    try:
        result: FitResult = form.read(place)
    except MissingExtra:
        raise
    except Exception as error:  # whatever the library of a format makes of a broken file
        raise InvalidArgument("path", f"{str(path)!r} is not a stored result, or broken: {_reason(error)}") from error
    return result


def _format(path: str | os.PathLike[str]) -> Any:
    """Module of the format that a name ends in."""
    name = FORMATS.get(Path(path).suffix.lower())
    if name is None:
        raise InvalidArgument("path", f"expected a name that ends in {', '.join(FORMATS)}, got {str(path)!r}")
    return importlib.import_module(f"{__name__}.{name}")


def _whole(path: str | os.PathLike[str], form: Any) -> AbstractContextManager[Path]:
    """A place to write to, which becomes the file at the end, or the folder where the format has a mark of such."""
    mark = getattr(form, "FOLDER_MARK", None)
    return whole_file("path", path) if mark is None else whole_folder("path", path, mark=mark)


def _reason(error: Exception) -> str:
    """The first line of what an error says."""
    text = str(error.args[0] if isinstance(error, KeyError) and error.args else error).strip()
    if isinstance(error, KeyError) and " " not in text:
        return f"it lacks {text!r}"
    return text.splitlines()[0] if text else type(error).__name__
