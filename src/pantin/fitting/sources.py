"""What an observation is of: points in space, their shadows on the ground, orientations, distances.

Cameras, which are sources too, have a module of their own.
"""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from pantin.errors import InvalidArgument, UnknownJoint

__all__ = ["Distance", "Orientation", "Points3D", "Source", "XYView", "joint_indices", "source_list"]

Indices = npt.NDArray[np.int32]


class Joints(Protocol):
    """What a source asks of a body plan."""

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, which are the keypoints, in plan order."""


class Source(abc.ABC):
    """Base of all sources.

    Attributes:
        kind: Its word in files.
        numbers: How many numbers an observation has.
    """

    kind: ClassVar[str]
    numbers: ClassVar[int]
    _kinds: ClassVar[dict[str, type[Source]]] = {}

    def __init_subclass__(cls) -> None:
        """Enter the class under its word."""
        Source._kinds[cls.kind] = cls

    def labels(self, plan: Joints) -> tuple[str, ...]:
        """Names of what the source observes, one for each observation of a frame.

        Raises:
            UnknownJoint: If the plan lacks a joint of the source.
        """
        return tuple(plan.joint_names)

    def to_dict(self) -> dict[str, Any]:
        """The source in numbers, texts and lists, as JSON takes them."""
        return {"kind": self.kind}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Source:
        """The source that `to_dict` wrote.

        Raises:
            InvalidArgument: If it is none, or one of another class than this.
        """
        facts = dict(data)
        kind = facts.pop("kind", None)
        found = Source._kinds.get(kind) if isinstance(kind, str) else None
        if found is None or not issubclass(found, cls):
            known = sorted(word for word, each in Source._kinds.items() if issubclass(each, cls))
            raise InvalidArgument("kind", f"expected {' or '.join(map(repr, known))}, got {kind!r}")
        try:
            return found(**facts)
        except TypeError as error:
            raise InvalidArgument(kind, str(error).replace(f"{found.__name__}.__init__() ", "")) from None


@dataclasses.dataclass(frozen=True)
class Points3D(Source):
    """Keypoints in space: (x, y, z) in the world, length units of the plan."""

    kind = "points"
    numbers = 3


@dataclasses.dataclass(frozen=True)
class XYView(Source):
    """Keypoints seen from above, without perspective: (x, y) in the world, length units of the plan."""

    kind = "xy"
    numbers = 2


@dataclasses.dataclass(frozen=True)
class Orientation(Source):
    """World rotations of joints' exit frames, of inertial sensors or clusters of markers.

    An observation is a quaternion (w, x, y, z) or a rotation matrix.

    Attributes:
        joints: Names of the joints, in the order of the observations.
    """

    joints: tuple[str, ...]

    kind = "orientation"
    numbers = 4

    def __post_init__(self) -> None:
        """Check that there are joints.

        Raises:
            InvalidArgument: If the joints are not names, or none.
        """
        object.__setattr__(self, "joints", _names("joints", self.joints))

    def labels(self, plan: Joints) -> tuple[str, ...]:
        """Names of the joints, in the order of the observations."""
        joint_indices(plan, self.joints)
        return self.joints

    def to_dict(self) -> dict[str, Any]:
        """The source in texts and lists."""
        return {"kind": self.kind, "joints": list(self.joints)}


@dataclasses.dataclass(frozen=True)
class Distance(Source):
    """Distances between pairs of keypoints, length units of the plan.

    A distance d counts by its misfit `d - |p_i - p_j|`, and by its weight times sqrt(s_i s_j), the geometric mean of
    the two joints' `weight_scaler`. Distances alone say nothing of where a
    free body is: it ends somewhere near its start, and `null_space` tells.

    Attributes:
        pairs: Names of two joints each, in the order of the observations.
    """

    pairs: tuple[tuple[str, str], ...]

    kind = "distance"
    numbers = 1

    def __post_init__(self) -> None:
        """Check that there are pairs.

        Raises:
            InvalidArgument: If they are not pairs of two different names, or there are none.
        """
        try:
            pairs = tuple(_names("pairs", pair) for pair in self.pairs)
        except TypeError:
            raise InvalidArgument("pairs", f"expected pairs of joint names, got {self.pairs!r}") from None
        wrong = [pair for pair in pairs if len(set(pair)) != 2 or len(pair) != 2]
        if wrong or not pairs:
            raise InvalidArgument("pairs", f"expected pairs of two different joints, got {wrong[0] if wrong else ()}")
        object.__setattr__(self, "pairs", pairs)

    def labels(self, plan: Joints) -> tuple[str, ...]:
        """Names such as "hip-knee", in the order of the observations."""
        joint_indices(plan, (name for pair in self.pairs for name in pair))
        return tuple("-".join(pair) for pair in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """The source in texts and lists."""
        return {"kind": self.kind, "pairs": [list(pair) for pair in self.pairs]}


def joint_indices(plan: Joints, names: Iterable[str]) -> Indices:
    """Places of joints in a plan.

    Raises:
        UnknownJoint: If the plan lacks one.
    """
    places = {name: i for i, name in enumerate(plan.joint_names)}
    wanted = list(names)
    for name in wanted:
        if name not in places:
            raise UnknownJoint(name, places)
    return np.array([places[name] for name in wanted], dtype=np.int32)


def _names(argument: str, names: Iterable[str]) -> tuple[str, ...]:
    """Names in a tuple; a text alone is one name."""
    try:
        given = (names,) if isinstance(names, str) else tuple(names)
    except TypeError:
        given = ()
    if not given or not all(isinstance(name, str) for name in given):
        raise InvalidArgument(argument, f"expected names of joints, got {names!r}")
    return given


def source_list(source: Source | Sequence[Source]) -> tuple[Source, ...]:
    """The sources, of which there may be one without a list.

    Raises:
        InvalidArgument: If there is none, or it is something else.
    """
    listed = source if isinstance(source, list | tuple) else (source,)
    if not listed or not all(isinstance(each, Source) for each in listed):
        raise InvalidArgument("source", f"expected a source or a list of sources, got {source!r}")
    return tuple(listed)
