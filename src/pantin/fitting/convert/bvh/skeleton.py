"""The body plan of a BVH hierarchy."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, get_args

from pantin.arrays import scalar
from pantin.errors import InvalidArgument
from pantin.fitting.convert.bvh.hierarchy import Bone, read_hierarchy, read_text
from pantin.fitting.convert.euler import AXES
from pantin.fitting.convert.names import unique

__all__ = ["Skeleton", "bvh_document", "carrier_name", "check_reading", "skeleton_of"]

Positions = Literal["replace", "add"]


class Skeleton(NamedTuple):
    """What a hierarchy is as a plan.

    Attributes:
        document: Content of the plan file.
        dofs: For each channel of the file, in order, the degree of freedom that it is; -1 for those of a free root.
    """

    document: dict[str, Any]
    dofs: list[int]


def bvh_document(
    source: str | os.PathLike[str],
    *,
    scale: float = 1.0,
    positions: Positions = "replace",
    length_unit: str | None = None,
) -> dict[str, Any]:
    """Content of the plan file of a BVH hierarchy; its motion is not looked at.

    - The root's channels are the free base. A root without channels is a fixed one.
    - Each joint becomes a joint whose turns are hinges, in the order of the channels, without limits and neutral at
      zero. They are named after joint and channel, such as "Knee_Xrotation".
    - A joint with position channels hangs on another, called `<joint>_position`, that has them as slides.
    - End sites become joints without degrees of freedom, called `<joint>_end`, unless they are where their joint is.

    Args:
        source: The file, or its text.
        scale: Factor on lengths: 0.01 makes metres of centimetres.
        positions: Whether position channels take the place of a joint's offset or are added to it.
        length_unit: Unit of the lengths in the plan, as a label.

    Raises:
        InvalidArgument: If an argument is not of its kind.
        ModelFileNotFound: If there is no such file.
        ModelFileError: If the hierarchy cannot be read; the message names the line.
    """
    scale = check_reading(scale, positions)
    bones, _ = read_hierarchy(read_text(source))
    return skeleton_of(bones, scale, positions, length_unit).document


def check_reading(scale: object, positions: object) -> float:
    """The scale as a number; or an error that says which argument is wrong."""
    if positions not in get_args(Positions):
        raise InvalidArgument("positions", f"expected 'replace' or 'add', got {positions!r}")
    number = scalar("scale", scale)
    if number <= 0.0:
        raise InvalidArgument("scale", f"expected a positive number, got {number:g}")
    return number


def carrier_name(bone: str) -> str:
    """Name of the joint that carries a bone with position channels."""
    return f"{bone}_position"


def skeleton_of(bones: list[Bone], scale: float, positions: Positions, length_unit: str | None) -> Skeleton:
    """The plan of bones, and what their channels mean in it."""
    free = bool(bones[0].channels)
    taken = {bone.name for bone in bones}
    joints: list[dict[str, Any]] = []
    dofs: list[int] = []
    count = 0
    for bone in bones:
        offset = [scale * number for number in bone.offset]
        parent = None if bone.parent < 0 else bones[bone.parent].name
        if bone.is_end and not any(offset):
            continue
        if parent is None and free:
            joints.append(_joint(bone.name, None, [0.0, 0.0, 0.0]))
            dofs += [-1] * len(bone.channels)
            continue
        if bone.shifts:
            carrier = _carrier(bone, parent, offset, positions, unique(carrier_name(bone.name), taken))
            taken.add(carrier["name"])
            joints.append(carrier)
            parent, offset = carrier["name"], [0.0, 0.0, 0.0]
        joints.append(_joint(bone.name, parent, offset))
        joints[-1]["dofs"] = [_dof("hinge", bone, channel, 0.0) for channel in bone.turns]
        numbers = dict(zip([*bone.shifts, *bone.turns], range(count, count + len(bone.channels)), strict=True))
        dofs += [numbers[channel] for channel in bone.channels]
        count += len(bone.channels)
    about = {} if length_unit is None else {"x-pantin": {"length_unit": length_unit}}
    return Skeleton({"fixed_base": not free, "joints": joints, **about}, dofs)


def _carrier(bone: Bone, parent: str | None, offset: list[float], positions: Positions, name: str) -> dict[str, Any]:
    """The joint whose slides are a bone's position channels.

    Channels that take the place of the offset slide from the parent's origin, and rest at the offset.
    """
    axes = [AXES[channel[0]] for channel in bone.shifts]
    start = [0.0 if positions == "replace" and axis in axes else offset[axis] for axis in range(3)]
    joint = _joint(name, parent, start)
    joint["dofs"] = [
        _dof("slide", bone, channel, offset[axis] - start[axis])
        for channel, axis in zip(bone.shifts, axes, strict=True)
    ]
    return joint


def _joint(name: str, parent: str | None, offset: list[float]) -> dict[str, Any]:
    return {"name": name, "parent": parent, "offset_pos": offset, "offset_quat": [1.0, 0.0, 0.0, 0.0], "dofs": []}


def _dof(kind: str, bone: Bone, channel: str, neutral: float) -> dict[str, Any]:
    axis = [float(i == AXES[channel[0]]) for i in range(3)]
    return {"type": kind, "axis": axis, "neutral": neutral, "limits": None, "name": f"{bone.name}_{channel}"}
