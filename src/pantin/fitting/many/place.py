"""Outputs that appear whole or not at all, be they a file or a folder, each with a record of what it was made from."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import glob
import json
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pantin.fitting.many.aside import left_behind
from pantin.fitting.many.job import Job

__all__ = ["Record", "clear_the_way", "finished", "hidden_folder", "sweep", "whole_output"]

#: How long a library that was left behind is given to find its folder gone, s.
GRACE = 0.1

#: Files that stand in the way of libraries that were left behind.
in_the_way: list[Path] = []


@dataclasses.dataclass(frozen=True, kw_only=True)
class Record:
    """What is told beside an output.

    Attributes:
        fingerprint: Word for all that the output depends on.
        frames: Frames of the recording.
        residual: Mean distance between keypoints and observations, NaN-free; None where nothing was seen.
        unit: Unit of the residual, "" where the plan has none.
        converged: Share of the frames that came to a minimum.
        notes: What the user should know of the recording.
        files: Bytes of each file or folder of the output, by name.
    """

    fingerprint: str
    frames: int
    residual: float | None
    unit: str
    converged: float
    notes: Sequence[str] = ()
    files: Mapping[str, int] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(self.notes))


def finished(job: Job, fingerprint: str) -> Record | None:
    """Record of an output that is what the job would make, or None where there is none.

    An output that has been cut or exchanged since, so that its size differs, is none.
    """
    try:
        record = Record(**json.loads(job.record.read_text(encoding="utf-8")))
        there = {name: _size(job.out.with_name(name)) for name in record.files}
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return record if record.fingerprint == fingerprint and job.out.name in there and there == record.files else None


@contextlib.contextmanager
def whole_output(job: Job, record: Record) -> Iterator[Path]:
    """A place to write an output to, which is put where it belongs at the end, with its record.

    Whatever ends the writing before leaves what was there, and nothing else.

    Args:
        job: What the output is of.
        record: What to tell of it; its files are found here.

    Yields:
        Where to write: a path of the output's own name in a folder that is hidden beside it. What else is written to
        that folder belongs to the output.
    """
    if not left_behind():
        clear_the_way()
    beside = hidden_folder(job)
    new, old = beside / "new", beside / "old"
    try:
        new.mkdir(parents=True)
        old.mkdir()
        yield new / job.out.name
        files = {path.name: _size(path) for path in sorted(new.iterdir())}
        told = dataclasses.asdict(dataclasses.replace(record, files=files))
        (beside / "record").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
        # An output whose record is missing is made again: a stop between any two of these lines costs work, no truth.
        job.record.unlink(missing_ok=True)
        for name in files:
            place = job.out.with_name(name)
            if place.is_dir() or ((new / name).is_dir() and place.exists()):  # a rename replaces files only
                place.replace(old / name)
            (new / name).replace(place)
        (beside / "record").replace(job.record)
    finally:
        for former in old.glob("*"):
            if not job.out.with_name(former.name).exists():
                former.replace(job.out.with_name(former.name))
        if left_behind():
            _stand_in_the_way(beside)
        else:
            shutil.rmtree(beside, ignore_errors=True)


def _stand_in_the_way(folder: Path) -> None:
    """Keep a library that was left behind from making its folder anew: it meets a file there, and gives up."""
    end = time.monotonic() + GRACE
    trash = folder.with_name(f"{folder.name}-left")
    in_the_way.append(folder)
    while left_behind() and time.monotonic() < end:
        if folder.is_dir():
            with contextlib.suppress(OSError):
                folder.rename(trash)
                folder.touch(exist_ok=False)
            shutil.rmtree(trash, ignore_errors=True)
        time.sleep(GRACE / 20)
    if not left_behind():
        clear_the_way()


def clear_the_way() -> None:
    """Remove the files that stand in the way of libraries; for the end, when nobody is left to write."""
    while in_the_way:
        path = in_the_way.pop()
        with contextlib.suppress(OSError):
            path.unlink()
        shutil.rmtree(path, ignore_errors=True)


atexit.register(clear_the_way)


def hidden_folder(job: Job) -> Path:
    """A path beside an output that nobody else uses, to write to before it is renamed."""
    owner = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
    return job.out.with_name(f".{job.out.name}.{owner}.part")


def sweep(job: Job, *, all_owners: bool = False) -> None:
    """Remove what processes that were killed while they wrote an output have left beside it.

    Args:
        job: What the output is of.
        all_owners: Remove as well what seems to be in the hands of a process that lives, or of another machine.
    """
    for part in job.out.parent.glob(f".{glob.escape(job.out.name)}.*.part"):
        owner = re.fullmatch(r"\.(.+)-(\d+)-[0-9a-f]{8}\.part", part.name.removeprefix(f".{job.out.name}"))
        dead = owner and owner[1] == socket.gethostname() and not _alive(int(owner[2]))
        if owner and (all_owners or dead):
            shutil.rmtree(part, ignore_errors=True)


def _alive(pid: int) -> bool:
    """True if there is such a process on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _size(path: Path) -> int:
    """Bytes of a file, or of the files of a folder together."""
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size
