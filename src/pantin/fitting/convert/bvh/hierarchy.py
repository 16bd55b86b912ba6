"""The first half of a BVH file: which bones there are, where they hang and what channels they have."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pantin.arrays import LARGEST
from pantin.errors import InvalidArgument, ModelFileError, ModelFileNotFound

__all__ = ["CHANNELS", "Bone", "Text", "read_hierarchy", "read_number", "read_text"]

#: Channels by their words in small letters: their names.
CHANNELS = {f"{axis}{kind}".lower(): f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ"}


class Text(NamedTuple):
    """Lines of a BVH file.

    Attributes:
        lines: The lines.
        source: The file, or nothing where the text itself was given.
    """

    lines: list[str]
    source: str

    def fault(self, line: int, message: str) -> ModelFileError:
        """Error about a line, counted from zero."""
        return ModelFileError(f"line {line + 1}: {message}", self.source)


class Bone(NamedTuple):
    """A joint or end site of a hierarchy.

    Attributes:
        name: Its name; an end site is called after its joint.
        parent: Index of the bone it hangs on, -1 for the root.
        offset: Where it hangs, in the axes of its parent.
        channels: Its channels in order, such as "Zrotation".
        is_end: True for an end site.
    """

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: tuple[str, ...]
    is_end: bool

    @property
    def turns(self) -> list[str]:
        """The channels that turn it."""
        return [channel for channel in self.channels if channel.endswith("rotation")]

    @property
    def shifts(self) -> list[str]:
        """The channels that shift it."""
        return [channel for channel in self.channels if channel.endswith("position")]


def read_text(source: str | os.PathLike[str]) -> Text:
    """Lines of a BVH file, or of a text that begins with the word HIERARCHY.

    Raises:
        InvalidArgument: If the source is neither.
        ModelFileNotFound: If there is no such file.
        ModelFileError: If the file cannot be read.
    """
    if not isinstance(source, (str, os.PathLike)):
        raise InvalidArgument("source", f"expected a BVH file or its text, got a {type(source).__name__}")
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").upper().startswith("HIERARCHY"):
        return Text(source.lstrip("\ufeff").splitlines(), "")
    path = Path(source)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ModelFileNotFound(path) from None
    except (OSError, ValueError) as error:
        raise ModelFileError(f"cannot be read: {getattr(error, 'strerror', error)}", str(path)) from None
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return Text(content.decode("utf-8").splitlines(), str(path))
    except UnicodeDecodeError:  # old programs write names in the code page of their country
        return Text(content.decode("latin-1").splitlines(), str(path))


def read_number(text: Text, line: int, word: str) -> float:
    """A finite number that stands on a line."""
    try:
        number = float(word)
    except ValueError:
        raise text.fault(line, f"expected a number, got {word[:40]!r}") from None
    if not -LARGEST <= number <= LARGEST:
        raise text.fault(line, f"expected a finite number, got {word[:40]!r}")
    return number


def read_hierarchy(text: Text) -> tuple[list[Bone], int]:
    """Bones in the order of the file, and the line after them.

    Raises:
        ModelFileError: If the hierarchy is not one; the message names the line.
    """
    return _Parser(text).hierarchy()


class _Parser:
    """Words of a hierarchy, one after the other."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._words = _words(text)
        self._line = 0
        self._ahead: str | None = None
        self._bones: list[Bone] = []
        self._names: set[str] = set()

    def hierarchy(self) -> tuple[list[Bone], int]:
        """All bones, and the line after them."""
        self._keyword("HIERARCHY")
        self._keyword("ROOT")
        open_bones = [self._bone(-1)]
        while open_bones:
            word = self._next().upper()
            if word == "}":
                open_bones.pop()
            elif word == "JOINT" and not self._bones[open_bones[-1]].is_end:
                open_bones.append(self._bone(open_bones[-1]))
            elif word == "END" and not self._bones[open_bones[-1]].is_end:
                open_bones.append(self._bone(open_bones[-1], is_end=True))
            else:
                inside = "'}'" if self._bones[open_bones[-1]].is_end else "JOINT, End Site or '}'"
                raise self._fault(f"expected {inside}, got {word[:40]!r}")
        return self._bones, self._line + 1

    def _bone(self, parent: int, *, is_end: bool = False) -> int:
        """Reads a bone up to its children, and returns its index."""
        words = self._until("{")
        name = f"{self._bones[parent].name}_end" if is_end else " ".join(words)
        if not name:
            raise self._fault("expected the name of a joint")
        while name in self._names:
            name += "_"
        self._names.add(name)
        offset: tuple[float, float, float] | None = None
        channels: tuple[str, ...] | None = None
        while (word := self._peek().upper()) in ("OFFSET", "CHANNELS"):
            self._next()
            if word == "OFFSET" and offset is None:
                x, y, z = (read_number(self._text, self._line, self._next()) for _ in range(3))
                offset = (x, y, z)
            elif word == "CHANNELS" and channels is None and not is_end:
                channels = self._channels()
            else:
                raise self._fault(f"{name!r} has {word} twice" if not is_end else "an End Site has no CHANNELS")
        if offset is None:
            raise self._fault(f"expected the OFFSET of {name!r}, got {self._peek()[:40]!r}")
        self._bones.append(Bone(name, parent, offset, channels or (), is_end))
        return len(self._bones) - 1

    def _channels(self) -> tuple[str, ...]:
        """The channels of a bone: how many, then their words."""
        word = self._next()
        if not re.fullmatch(r"[0-6]", word):
            raise self._fault(f"expected how many channels there are, 0 to 6, got {word[:40]!r}")
        channels: list[str] = []
        for _ in range(int(word)):
            name = self._next()
            if name.lower() not in CHANNELS:
                raise self._fault(f"expected a channel such as Xrotation or Yposition, got {name[:40]!r}")
            channels.append(CHANNELS[name.lower()])
        if len(set(channels)) < len(channels):
            raise self._fault("a channel comes twice")
        return tuple(channels)

    def _keyword(self, expected: str) -> None:
        word = self._next()
        if word.upper() != expected:
            raise self._fault(f"expected {expected}, got {word[:40]!r}")

    def _until(self, end: str) -> list[str]:
        """Words before another one."""
        words = []
        while (word := self._next()) != end:
            words.append(word)
            if word == "}" or word.upper() == "OFFSET":
                raise self._fault(f"expected {end!r}, got {word!r}")
        return words

    def _next(self) -> str:
        word, self._ahead = self._peek(), None
        return word

    def _peek(self) -> str:
        if self._ahead is None:
            try:
                self._line, self._ahead = next(self._words)
            except StopIteration:
                raise self._fault("the file ends in the middle of its hierarchy") from None
        return self._ahead

    def _fault(self, message: str) -> ModelFileError:
        return self._text.fault(self._line, message)


def _words(text: Text) -> Iterator[tuple[int, str]]:
    """Words with the lines they stand on; braces are words of their own."""
    for line, content in enumerate(text.lines):
        for word in content.replace("{", " { ").replace("}", " } ").split():
            yield line, word
