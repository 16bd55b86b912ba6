"""The parameters of a C3D file: named values in named groups."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.fitting.recordings.problems import RecordingError

__all__ = ["BLOCK", "MACHINES", "Parameters", "floats", "read_parameters"]

Bytes = npt.NDArray[np.uint8]

#: Bytes of a block, the unit in which places are given.
BLOCK = 512
#: Byte order of the machine that wrote a file, by its number: Intel, DEC, MIPS.
MACHINES = {84: "<", 85: "<", 86: ">"}
_DEC = 85


class Parameters(NamedTuple):
    """Values by group and name, both in upper case.

    Attributes:
        values: Text as a list of words, numbers as an array.
    """

    values: dict[tuple[str, str], Any]

    def words(self, group: str, name: str) -> list[str]:
        """A parameter that is text, empty if there is none."""
        value = self.values.get((group, name), [])
        return list(value) if isinstance(value, list) else []

    def numbers(self, group: str, name: str) -> Array:
        """A parameter that is numbers, empty if there is none."""
        value = self.values.get((group, name))
        return value if isinstance(value, np.ndarray) else np.empty(0)

    def number(self, group: str, name: str, default: float) -> float:
        """A parameter that is one number."""
        value = self.numbers(group, name)
        return float(value[0]) if value.size else float(default)


def read_parameters(path: Path, content: Bytes) -> tuple[Parameters, int]:
    """The parameters of a file, and the number of the machine that wrote it.

    Args:
        path: The file, for messages.
        content: All of it.

    Raises:
        RecordingError: If the file does not begin as a C3D file, or its parameters end early.
    """
    if len(content) < 2 * BLOCK or content[1] != 0x50:
        raise RecordingError(path, "does not begin as a C3D file")
    start = (int(content[0]) - 1) * BLOCK
    if start < BLOCK or start + 4 > len(content):
        raise RecordingError(path, f"its header puts the parameters at block {content[0]}, which it does not have")
    machine = int(content[start + 3])
    if machine not in MACHINES:
        raise RecordingError(path, f"was written by machine {machine}, expected 84 (Intel), 85 (DEC) or 86 (MIPS)")
    groups: dict[int, str] = {}
    found: list[tuple[int, str, Any]] = []
    reader = _Reader(path, content, start + 4, machine)
    while True:
        length, group = reader.signed(), reader.signed()
        if length == 0:
            break
        name = reader.text(abs(length)).upper()
        beyond = reader.place
        step = reader.word()
        if group < 0:
            groups[-group] = name
        else:
            found.append((group, name, reader.value()))
        if step == 0:
            break
        reader.place = beyond + step
    return Parameters({(groups.get(group, ""), name): value for group, name, value in found}), machine


def floats(raw: Bytes, machine: int) -> npt.NDArray[np.float32]:
    """Floats of four bytes, in the representation of a machine."""
    if machine != _DEC:
        return raw.view(MACHINES[machine] + "f4")
    halves = raw.view("<u2").reshape(-1, 2)[:, ::-1]  # the more significant half comes first, and four times the value
    values: npt.NDArray[np.float32] = np.ascontiguousarray(halves).view("<f4").reshape(-1)
    return values * np.float32(0.25)


class _Reader:
    """A place in a file, moved on by what is read from it."""

    def __init__(self, path: Path, content: Bytes, place: int, machine: int) -> None:
        self.path = path
        self.content = content
        self.place = place
        self.machine = machine

    def take(self, count: int) -> Bytes:
        """So many bytes."""
        if self.place + count > len(self.content):
            raise RecordingError(self.path, f"ends in its parameters, at byte {len(self.content)}")
        taken = self.content[self.place : self.place + count]
        self.place += count
        return taken

    def signed(self) -> int:
        """A signed byte."""
        return int(self.take(1).view(np.int8)[0])

    def word(self) -> int:
        """A whole number of two bytes."""
        return int(self.take(2).view(MACHINES[self.machine] + "u2")[0])

    def text(self, count: int) -> str:
        """Text of so many bytes, without the blanks that fill it up."""
        return self.take(count).tobytes().decode("utf-8", errors="replace").rstrip("\0 ")

    def value(self) -> list[str] | Array:
        """A parameter's value: words, or numbers in a row."""
        kind = self.signed()
        dims = [int(size) for size in self.take(int(self.take(1)[0]))]
        count = int(np.prod(dims, dtype=np.int64)) if len(dims) < 8 else len(self.content)
        if kind == -1:
            width = dims[0] if dims else 1
            words = count // width if width else 0
            return [self.text(width) for _ in range(words)]
        if kind == 4:
            return floats(self.take(4 * count), self.machine).astype(np.float64)
        if kind in (1, 2):
            order = MACHINES[self.machine]
            return self.take(kind * count).view("u1" if kind == 1 else f"{order}i2").astype(np.float64)
        raise RecordingError(self.path, f"has a parameter of type {kind}, expected -1, 1, 2 or 4")
