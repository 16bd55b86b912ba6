"""Samples: robots, and an animal with its recording.

The robots are small URDF files written for pantin, from published parameters or, by `tools/make_robots.py`, from
numbers of our own. Each file names its sources in a comment at its top. Where pantin takes a model file it also takes
the name of a sample: `pantin.load("panda")`.

The animal is invented: a body plan of six legs and a short recording of its walk, for `pantin.fitting`. A script in
pantin's repository, `tools/make_walker.py`, writes both.
"""

from __future__ import annotations

from pathlib import Path

from pantin.errors import UnknownSample

__all__ = ["ROOTS", "body_plan", "body_plans", "names", "path", "recording"]

#: Root joint of the samples that are not bolted to the world, by the name `pantin.load` knows it by.
ROOTS = dict.fromkeys(("biped", "humanoid", "quadruped", "wheeled_biped"), "free_flyer")

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the robots, in alphabetical order."""
    return _known(".urdf")


def path(name: str) -> Path:
    """URDF file of a robot.

    Args:
        name: One of `names()`.

    Raises:
        UnknownSample: If there is no sample of that name; the message has the nearest one.
    """
    return _file(name, ".urdf")


def body_plan(name: str) -> Path:
    """Body plan of an animal, a JSON file.

    Args:
        name: "walker", which has six legs, 31 keypoints and 42 degrees of freedom, and is measured in millimetres.

    Raises:
        UnknownSample: If there is no body plan of that name; the message has the nearest one.
    """
    return _file(name, ".json")


def body_plans() -> list[str]:
    """Names of the animals, in alphabetical order."""
    return _known(".json")


def recording(name: str) -> Path:
    """Recording of an animal's keypoints, a CSV file.

    Args:
        name: "walker": three seconds of a walk at 100 Hz, in millimetres, with the faults that recordings have: noise,
            points of little confidence, gaps (one of a whole leg for 30 frames) and two wild mistakes. Its columns are
            `time` in seconds, and `NAME_x`, `NAME_y`, `NAME_z` and `NAME_confidence` for each keypoint.

    Raises:
        UnknownSample: If there is no recording of that name; the message has the nearest one.
    """
    return _file(name, ".csv")


def _known(ending: str) -> list[str]:
    return sorted(file.stem for file in _FOLDER.glob(f"*{ending}"))


def _file(name: str, ending: str) -> Path:
    known = _known(ending)
    if name not in known:
        raise UnknownSample(name, known)
    return _FOLDER / f"{name}{ending}"
