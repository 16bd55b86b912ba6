"""What a result depends on, boiled down to one word, so that a finished one is recognised."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pantin.fitting.many.job import Job

__all__ = ["digest", "fingerprint"]


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes, or of all files of a folder with their names, in hexadecimal digits.

    Raises:
        OSError: If it cannot be read.
    """
    if not path.is_dir():
        return _of_file(path)
    files = sorted(file for file in path.rglob("*") if file.is_file())
    names = [[file.relative_to(path).as_posix(), _of_file(file)] for file in files]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def fingerprint(job: Job, plan: Mapping[str, Any], recording: str) -> str:
    """SHA-256 of all that a result depends on, in hexadecimal digits.

    It covers the content of plan and recording, not where they lie, the version of the package, and none of what
    leaves results as they are, such as the number of workers.

    Args:
        job: What is to be done.
        plan: The body plan, as JSON has it.
        recording: Digest of the recording.
    """
    facts = {
        "pantin": importlib.import_module("pantin").__version__,  # the face, which imports this
        "plan": plan,
        "recording": recording,
        "mapping": dict(job.mapping),
        "unit": job.unit,
        "individual": job.individual,
        "segments": job.segments,
        "options": {field.name: getattr(job.options, field.name) for field in dataclasses.fields(job.options)},
    }
    canonical = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _plain(value: object) -> object:
    """Arrays and mappings of other kinds, as JSON has them."""
    return dict(value) if isinstance(value, Mapping) else np.asarray(value).tolist()
