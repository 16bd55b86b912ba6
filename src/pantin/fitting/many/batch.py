"""Batch files: many recordings and what they have in common, in TOML."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pantin.errors import InvalidArgument
from pantin.fitting.many.job import Job
from pantin.fitting.many.settings import ENTRY_KEYS, KEYS, job_of, refuse_unknown

__all__ = ["read_batch"]

#: Settings that are paths, which a batch file gives as seen from its own folder.
PATHS = ("plan", "out", "mapping")


def read_batch(
    path: str | os.PathLike[str],
    said: Mapping[str, Any] | None = None,
    *,
    read_mapping: Callable[[Path], Mapping[str, str]],
    find_plan: Callable[[Path], Path] = lambda path: path,
) -> list[Job]:
    """The jobs of a batch file.

    The file's top level has what its recordings share, and each `[[recording]]` has its `path` and what differs:

        plan = "fly.json"
        out = "fits"
        unit = "mm"
        loss = "cauchy"

        [[recording]]
        path = "monday.csv"

        [[recording]]
        path = "tuesday.csv"
        loss = "linear"

    Paths are seen from the folder of the file. `mapping` is a file or a table of names.

    Args:
        path: The file.
        said: Settings that count for every recording, whatever the file says.
        read_mapping: Reads a file of names.
        find_plan: The file of a plan that may be named otherwise, such as a sample.

    Raises:
        InvalidArgument: If the file cannot be read, a key is not known, or a value is not what it should be; the
            message names the recording and the key.
    """
    place = Path(path)
    facts = _parse(place)
    entries = facts.pop("recording", [])
    where = f"batch file {place.name!r}"
    refuse_unknown(where, facts, KEYS)
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidArgument(where, "expected its recordings as tables [[recording]], each with a path")
    readers = {"plan": find_plan, "out": Path, "mapping": read_mapping}

    def resolve(where: str, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with paths seen from the folder of the file."""
        found = dict(settings)
        for key in PATHS:
            value = settings.get(key)
            if isinstance(value, str):
                found[key] = readers[key](place.parent / value)
            elif value is not None and not (key == "mapping" and _is_table(value)):
                raise InvalidArgument(where, f"{key}: expected a path, got {value!r}")
        return found

    shared = resolve(where, facts)
    jobs = []
    for number, entry in enumerate(entries, 1):
        here = f"{where}, recording {number}"
        refuse_unknown(here, entry, ENTRY_KEYS)
        recording = entry.get("path")
        if not isinstance(recording, str) or not recording:
            raise InvalidArgument(here, f"expected the path of a file under 'path', got {recording!r}")
        own = resolve(here, {key: value for key, value in entry.items() if key != "path"})
        jobs.append(job_of(here, place.parent / recording, ChainMap(dict(said or {}), own, shared)))
    return jobs


def _parse(place: Path) -> dict[str, Any]:
    """What stands in a TOML file."""
    import tomllib  # noqa: PLC0415  # few programs read batch files

    try:
        return tomllib.loads(place.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidArgument("batch", f"cannot read {str(place)!r}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InvalidArgument("batch", f"{str(place)!r} is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidArgument("batch", f"{str(place)!r} is not valid TOML: {error}") from None


def _is_table(value: object) -> bool:
    """True for a table from names to names."""
    return isinstance(value, dict) and all(isinstance(name, str) for name in value.values())
