"""Recordings out of files: the format told by the content, or by an argument."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pantin.arrays import scalar
from pantin.errors import InvalidArgument, UnknownName
from pantin.fitting.recordings.c3d import read_c3d
from pantin.fitting.recordings.deeplabcut import looks_like_deeplabcut, read_deeplabcut
from pantin.fitting.recordings.movement import from_dataset, is_dataset, read_movement
from pantin.fitting.recordings.nwb import read_nwb
from pantin.fitting.recordings.pandas_hdf import holds_frame
from pantin.fitting.recordings.problems import RecordingError, RecordingNotFound, foreign, optional
from pantin.fitting.recordings.recording import Recording
from pantin.fitting.recordings.sleap import read_sleap
from pantin.fitting.recordings.slp import read_slp
from pantin.fitting.recordings.text import cells_of, head, separator_of
from pantin.fitting.recordings.trc import looks_like_trc, read_trc
from pantin.fitting.recordings.wide import looks_like_anipose, looks_wide, read_anipose, read_wide

__all__ = ["FORMATS", "read_recording", "read_recordings"]

Reader = Callable[[Path, float | None], list[Recording]]

_READERS: dict[str, Reader] = {
    "anipose": read_anipose,
    "c3d": read_c3d,
    "deeplabcut": read_deeplabcut,
    "movement": read_movement,
    "nwb": read_nwb,
    "pantin": read_wide,
    "sleap": read_sleap,
    "slp": read_slp,
    "trc": read_trc,
}

#: Names of the formats that are read.
FORMATS = tuple(_READERS)

_KNOWN = (
    "pantin reads DeepLabCut, Anipose, SLEAP, NWB, movement, C3D and TRC files, and tables with columns NAME_x, ..."
)
_SIGNS = {b"PK\x03\x04": "an Excel workbook or another archive; save the table as CSV", b"%PDF": "a PDF"}


class UnknownIndividual(UnknownName):
    """An individual that a recording does not have."""

    kind = "individual"


def read_recording(
    source: Any, *, format: str | None = None, individual: str | None = None, rate: float | None = None
) -> Recording:
    """The keypoints of one individual.

    Args:
        source: A file, or an xarray dataset as `movement` makes them.
        format: One of `FORMATS`; None tells it by the content.
        individual: Whose keypoints, where the file has those of several.
        rate: Frames per second, for files that do not tell times; instead of theirs where they do.

    Raises:
        RecordingNotFound: If there is no such file.
        RecordingError: If the file cannot be read, or has several individuals and none is asked for.
        UnknownName: If it does not have the individual.
        MissingExtra: If the file needs a package that is not installed.
    """
    recordings = read_recordings(source, format=format, rate=rate)
    if individual is None:
        if len(recordings) > 1:
            path = next(iter(recordings.values())).path
            names = ", ".join(map(repr, recordings))
            raise RecordingError(path, f"has several individuals, {names}; choose one with individual=")
        (recording,) = recordings.values()
        return recording
    if individual not in recordings:
        raise UnknownIndividual(individual, recordings)
    return recordings[individual]


def read_recordings(source: Any, *, format: str | None = None, rate: float | None = None) -> dict[str, Recording]:
    """The keypoints of each individual, by its name.

    Args:
        source: A file, or an xarray dataset as `movement` makes them.
        format: One of `FORMATS`; None tells it by the content.
        rate: Frames per second, for files that do not tell times; instead of theirs where they do.

    Returns:
        At least one recording; where the file knows one individual only its name may be "".

    Raises:
        RecordingNotFound: If there is no such file.
        RecordingError: If the file cannot be read.
        MissingExtra: If the file needs a package that is not installed.
    """
    if format is not None and format not in _READERS:
        close = difflib.get_close_matches(str(format), FORMATS, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there is {', '.join(map(repr, FORMATS))}"
        raise InvalidArgument("format", f"no format {format!r}; {hint}")
    if rate is not None:
        rate = scalar("rate", rate, lower=1e-9, upper=1e9)
    if is_dataset(source):
        recordings = from_dataset(source, rate)
    else:
        path = _file(source)
        recordings = _READERS[format or _detect(path)](path, rate)
    if not recordings:
        raise InvalidArgument("source", "has no individuals")
    by_name = {recording.individual: recording for recording in recordings}
    if len(by_name) < len(recordings):
        names = [recording.individual for recording in recordings]
        twice = next(name for name in names if names.count(name) > 1)
        raise RecordingError(recordings[0].path, f"has two individuals {twice!r}; rename one")
    return by_name


def _file(source: Any) -> Path:
    """The file that is meant."""
    if not isinstance(source, (str, os.PathLike)) or not os.fspath(source):
        raise InvalidArgument("source", f"expected a file or an xarray dataset, got {source!r:.60}")
    path = Path(os.fspath(source)).expanduser()
    try:
        path.open("rb").close()
    except FileNotFoundError:
        raise RecordingNotFound(path) from None
    except IsADirectoryError:
        raise RecordingError(path, "is a folder, not a file") from None
    except (OSError, ValueError) as error:
        raise RecordingError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return path


def _detect(path: Path) -> str:
    """Name of a file's format."""
    with path.open("rb") as file:
        start = file.read(512)
    if start.startswith(b"\x89HDF\r\n\x1a\n"):
        return _detect_hdf(path)
    if start.startswith(b"CDF"):
        return "movement"
    if start.startswith(b"PAR1"):
        return "anipose" if looks_like_anipose(_parquet_names(path)) else "pantin"
    if path.suffix.lower() == ".c3d" or (start[1:2] == b"\x50" and b"\0" in start):
        return "c3d"
    for sign, what in _SIGNS.items():
        if start.startswith(sign):
            raise RecordingError(path, f"is {what}")
    return _detect_text(path)


def _detect_text(path: Path) -> str:
    """Name of a text file's format, by its first lines."""
    lines = head(path, 3)
    if not lines:
        raise RecordingError(path, "is empty")
    if looks_like_deeplabcut(lines):
        return "deeplabcut"
    if looks_like_trc(lines) or path.suffix.lower() == ".trc":
        return "trc"
    names = cells_of(path, lines[0], separator_of(lines[0].text))
    if looks_like_anipose(names):
        return "anipose"
    if looks_wide(names):
        return "pantin"
    raise RecordingError(path, f"line {lines[0].number}, {lines[0].text.strip()[:40]!r}, begins no format; {_KNOWN}")


def _detect_hdf(path: Path) -> str:
    """Name of an HDF5 file's format, by what it holds."""
    h5py = optional("h5py", "fit", "reading HDF5 files")
    with foreign(path, "an HDF5 file"), h5py.File(path, "r") as file:
        names = set(file)
        if "nwb_version" in file.attrs:
            return "nwb"
        if "tracks" in names:
            return "sleap"
        if {"frames", "instances"} <= names:
            return "slp"
        if "position" in names:
            return "movement"
        if holds_frame(file):
            return "deeplabcut"
    holds = ", ".join(map(repr, sorted(names)[:6])) or "nothing"
    raise RecordingError(path, f"is an HDF5 file that holds {holds}, which is no format that is known; {_KNOWN}")


def _parquet_names(path: Path) -> list[str]:
    """Names of a Parquet file's columns."""
    parquet = optional("pyarrow.parquet", "fit", "reading Parquet files")
    with foreign(path, "a Parquet file"):
        return [str(name) for name in parquet.read_schema(path).names]
