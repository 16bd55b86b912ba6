"""What is said of a recording in words, of a command line or a batch file, checked and made a job."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pantin.errors import InvalidArgument
from pantin.fitting.many.job import FORMATS, Job
from pantin.fitting.options import FitOptions
from pantin.fitting.segments import Segments

__all__ = ["DEFAULT_FORMAT", "ENTRY_KEYS", "KEYS", "OPTION_KEYS", "job_of", "refuse_unknown"]

#: Names of the fields of `FitOptions`, each of which may be said of a recording.
OPTION_KEYS = tuple(field.name for field in dataclasses.fields(FitOptions))

#: What may be said of recordings beside, and what of a single one only.
KEYS = ("plan", "out", "format", "mapping", "unit", "individual", "segments", *OPTION_KEYS)
ENTRY_KEYS = ("path", "name", *KEYS)

DEFAULT_FORMAT = "nc"


def refuse_unknown(where: str, keys: Iterable[str], known: Iterable[str]) -> None:
    """Refuse a key that is not known.

    Raises:
        InvalidArgument: If there is one; the message has the nearest known key.
    """
    names = list(known)
    for key in keys:
        if key not in names:
            close = difflib.get_close_matches(key, names, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(names)}"
            raise InvalidArgument(where, f"no setting {key!r}; {hint}")


def job_of(where: str, recording: Path, said: Mapping[str, Any]) -> Job:
    """The job that settings describe.

    Args:
        where: Where they stand, for messages.
        recording: File of the recording.
        said: Settings by name, of `KEYS` and `name`; `plan` is a path, `mapping` a mapping from name to name.

    Raises:
        InvalidArgument: If a setting is missing, or is not what it should be.
    """
    for key in ("plan", "out"):
        if said.get(key) is None:
            raise InvalidArgument(where, f"nothing says which {key} belongs to {recording.name!r}; give {key!r}")
    individual = _text(where, "individual", said.get("individual"))
    name = _text(where, "name", said.get("name", f"{recording.stem}.{individual}" if individual else recording.stem))
    if name in ("", ".", "..") or Path(name).name != name:
        raise InvalidArgument(where, f"name: expected the name of a file without its folder, got {name!r}")
    options = {key: said[key] for key in OPTION_KEYS if said.get(key) is not None}
    try:
        made = FitOptions(**options)
    except InvalidArgument as error:
        raise InvalidArgument(where, str(error)) from None
    return Job(
        plan=Path(said["plan"]),
        recording=recording,
        out=Path(said["out"]) / (name + _ending(where, said.get("format", DEFAULT_FORMAT))),
        mapping=said.get("mapping") or {},
        unit=_text(where, "unit", said.get("unit")),
        individual=individual,
        segments=_segments(where, said.get("segments", "auto")),
        options=made,
    )


def _text(where: str, key: str, value: Any) -> Any:
    """A text, or None where nothing is said."""
    if value is not None and not isinstance(value, str):
        raise InvalidArgument(where, f"{key}: expected a text, got {value!r}")
    return value


def _ending(where: str, kind: object) -> str:
    """Ending of the files of a format."""
    if not isinstance(kind, str) or kind not in FORMATS:
        raise InvalidArgument(where, f"format: expected {' or '.join(map(repr, FORMATS))}, got {kind!r}")
    return FORMATS[kind]


def _segments(where: str, value: object) -> int | Literal["auto"] | None:
    """Length of segments in frames, "auto", or None."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if value is None or value == "none":
        return None
    if value == "auto":
        return "auto"
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        if value <= Segments.overlap:
            raise InvalidArgument(
                where, f"segments: expected more than the {Segments.overlap} frames that windows share, got {value}"
            )
        return value
    raise InvalidArgument(where, f"segments: expected 'auto', 'none' or a count of frames, got {value!r}")
