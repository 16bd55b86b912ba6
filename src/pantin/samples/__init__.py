"""Sample robots: small URDF files written for pantin from published parameters.

Each file names its sources in a comment at its top. Where pantin takes a model file it also takes
the name of a sample: `pantin.load("panda")`.
"""

from __future__ import annotations

from pathlib import Path

from pantin.errors import UnknownSample

__all__ = ["ROOTS", "names", "path"]

#: Root joint of the samples that are not bolted to the world, by the name `pantin.load` knows it by.
ROOTS = {"biped": "free_flyer"}

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the samples, in alphabetical order."""
    return sorted(file.stem for file in _FOLDER.glob("*.urdf"))


def path(name: str) -> Path:
    """URDF file of a sample.

    Args:
        name: One of `names()`.

    Raises:
        UnknownSample: If there is no sample of that name; the message has the nearest one.
    """
    known = names()
    if name not in known:
        raise UnknownSample(name, known)
    return _FOLDER / f"{name}.urdf"
