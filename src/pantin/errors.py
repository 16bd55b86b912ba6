"""Errors: one family, each member also the built-in it refines.

Every message says what was given, what was expected, and the nearest right answer.
The facts of an error are attributes of it.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Self

__all__ = [
    "InvalidArgument",
    "InvalidModel",
    "MissingExtra",
    "ModelFileError",
    "ModelFileNotFound",
    "ModelFileWarning",
    "PantinError",
    "StaleData",
    "UnknownDof",
    "UnknownFrame",
    "UnknownJoint",
    "UnknownKeypoint",
    "UnknownName",
    "UnknownSample",
]


class PantinError(Exception):
    """Base of every error that pantin raises on purpose."""

    @property
    def message(self) -> str:
        """What went wrong, and the mend."""
        return str(self)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.args, self.__dict__))


class InvalidArgument(PantinError, ValueError):
    """An argument has the wrong shape, type or value.

    Attributes:
        argument: Name of the argument.
    """

    def __init__(self, argument: str, message: str) -> None:
        self.argument = argument
        super().__init__(f"{argument}: {message}")


class UnknownName(PantinError, LookupError, ValueError):
    """A name that the model does not have.

    Attributes:
        name: The name that was asked for.
        nearest: The closest existing name, or None.
    """

    kind = "name"

    def __init__(self, name: object, known: Iterable[object] | int) -> None:
        """Error for a name among known ones (or things that have names), or for an index among so many."""
        self.name = name
        self.nearest: str | None = None
        if isinstance(known, int):
            super().__init__(f"no {self.kind} {name!r}; they are numbered 0 to {known - 1}")
            return
        names = [str(getattr(one, "name", one)) for one in known]
        close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.4)
        if close:
            self.nearest = close[0]
            hint = f"did you mean {self.nearest!r}?"
        else:
            hint = f"there is {', '.join(map(repr, names[:8]))}{', ...' if len(names) > 8 else ''}"
        super().__init__(f"no {self.kind} {name!r}; {hint}")


class UnknownDof(UnknownName):
    """A degree of freedom that the body plan does not have."""

    kind = "degree of freedom"


class UnknownFrame(UnknownName):
    """A frame that the model does not have."""

    kind = "frame"


class UnknownJoint(UnknownName):
    """A joint that the model does not have."""

    kind = "joint"


class UnknownKeypoint(UnknownName):
    """A keypoint that the body plan does not have."""

    kind = "keypoint"


class UnknownSample(UnknownName):
    """A sample robot that pantin does not have."""

    kind = "sample"


class InvalidModel(PantinError, ValueError):
    """A model that cannot be built as described."""


class ModelFileError(InvalidModel):
    """A model file that cannot be read.

    Attributes:
        source: The file, or what stood in its place.
    """

    def __init__(self, message: str, source: str = "") -> None:
        self.source = source
        super().__init__(f"{source}: {message}" if source else message)


class ModelFileNotFound(ModelFileError, FileNotFoundError):
    """A model file that is not there.

    Attributes:
        path: The file that was asked for.
        nearest: The closest name in its folder or of a sample, or None.
    """

    def __new__(cls, *args: object) -> Self:
        """Error without its message; given two arguments a file error would make one of its own."""
        return FileNotFoundError.__new__(cls)

    def __init__(self, path: Path, samples: Iterable[str] = ()) -> None:
        """Error for a file, where the name of a sample would have done too."""
        names = list(samples)
        try:
            siblings = os.listdir(path.parent)
        except OSError:
            siblings = []
        close = difflib.get_close_matches(path.name, [*siblings, *names], n=1)
        self.nearest = close[0] if close else None
        if self.nearest is not None:
            kind = "" if self.nearest in siblings else "the sample "
            hint = f"; did you mean {kind}{self.nearest!r}?"
        elif not path.parent.is_dir():
            hint = f", and no folder {str(path.parent)!r}"
        elif names and not path.suffix:
            hint = f"; the samples are {', '.join(map(repr, names))}"
        else:
            hint = ""
        super().__init__(f"there is no such file{hint}", str(path))
        self.path = path


class ModelFileWarning(UserWarning):
    """Something in a model file that was read in one of two ways it could be meant."""


class StaleData(PantinError, ValueError):
    """A `Data` that was made for another model, or for an older version of this one."""


class MissingExtra(PantinError, ImportError):
    """An optional package that is not installed.

    Attributes:
        extra: The extra of pantin that brings it.
    """

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        self.extra = extra
        super().__init__(f"{purpose} needs the package {package!r}; install it with: pip install 'pantin[{extra}]'")


def _rebuild(cls: type[PantinError], args: tuple[object, ...], facts: dict[str, object]) -> PantinError:
    """Error with the message and facts it was pickled with."""
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(facts)
    return error
