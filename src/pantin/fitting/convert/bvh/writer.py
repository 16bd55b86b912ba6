"""A body plan and its states as a BVH file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, count, scalar
from pantin.errors import InvalidArgument
from pantin.files import whole_file
from pantin.fitting.convert.bvh.layout import WrittenBone, layout_of
from pantin.fitting.convert.euler import euler_angles
from pantin.fitting.plan import BodyPlan
from pantin.fitting.plan.doors import as_state
from pantin.fitting.plan.kinematics import BLOCK, Motion, motion
from pantin.fitting.state import State

__all__ = ["bvh_text", "write_bvh"]

ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")


def write_bvh(
    path: str | os.PathLike[str],
    plan: BodyPlan,
    state: State | Mapping[str, npt.ArrayLike],
    frame_time: float,
    *,
    order: str = "ZXY",
    scale: float = 1.0,
    decimals: int = 6,
) -> None:
    """Write a plan and its motion to a BVH file, whole or not at all.

    Args:
        path: The file; one that exists is replaced.
        plan: The body plan.
        state: Its motion: one state, or T of them.
        frame_time: Time from frame to frame, s.
        order: Order of the rotation channels of the root, and of joints that do not turn about coordinate axes.
        scale: Factor on lengths: 100 makes centimetres of metres.
        decimals: Digits behind the point of lengths and of angles in degrees.

    Raises:
        InvalidArgument: If an argument is not of its kind, a state is not finite, a joint's name cannot be written,
            or the file cannot.
    """
    pieces = _pieces(plan, state, frame_time, order, scale, decimals)
    with whole_file("path", path) as place, open(place, "w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)


def bvh_text(
    plan: BodyPlan,
    state: State | Mapping[str, npt.ArrayLike],
    frame_time: float,
    *,
    order: str = "ZXY",
    scale: float = 1.0,
    decimals: int = 6,
) -> str:
    """The text that `write_bvh` writes, with the same arguments and errors."""
    return "".join(_pieces(plan, state, frame_time, order, scale, decimals))


def _pieces(
    plan: BodyPlan,
    state: State | Mapping[str, npt.ArrayLike],
    frame_time: float,
    order: str,
    scale: float,
    decimals: int,
) -> Iterator[str]:
    """The text in pieces; what is wrong with the arguments is told at once."""
    if order not in ORDERS:
        raise InvalidArgument("order", f"expected one of {', '.join(ORDERS)}, got {order!r}")
    interval = scalar("frame_time", frame_time)
    if interval <= 0.0:
        raise InvalidArgument("frame_time", f"expected a positive time, got {interval:g} s")
    factor = scalar("scale", scale)
    if factor <= 0.0:
        raise InvalidArgument("scale", f"expected a positive number, got {factor:g}")
    digits = count("decimals", decimals, upper=17)
    frames = _frames(plan, state)
    bones = layout_of(plan, order)
    return _written(plan, bones, frames, interval, factor, digits)


def _written(
    plan: BodyPlan, bones: dict[int, WrittenBone], frames: State, interval: float, factor: float, digits: int
) -> Iterator[str]:
    """The hierarchy, then the frames."""
    rest = motion(plan, State(*(part[None] for part in plan.neutral_state())))
    offsets = {joint: factor * _place(bone, rest)[0] for joint, bone in bones.items()}
    yield "\n".join(["HIERARCHY", *_hierarchy(plan, bones, offsets, digits), "MOTION"])
    yield f"\nFrames: {len(frames.dofs)}\nFrame Time: {interval:.9g}\n"
    last: dict[int, Array] = {}
    for start in range(0, len(frames.dofs), BLOCK):
        block = State(*(part[start : start + BLOCK] for part in frames))
        moving = motion(plan, block)
        columns = [np.zeros((len(block.dofs), 0))]
        for joint, bone in bones.items():
            columns.append(factor * _place(bone, moving)[:, ["XYZ".index(axis) for axis in bone.shifts]])
            angles = _angles(bone, block, moving)
            if not bone.hinges and bone.turns:
                angles = _unwrapped(angles, last.get(joint))
                last[joint] = angles[-1]
            columns.append(np.rad2deg(angles))
        values = np.concatenate(columns, axis=-1)
        line = " ".join([f"%.{digits}f"] * values.shape[1]) + "\n"
        yield "".join(line % tuple(row) for row in (values + 0.0).tolist())


def _frames(plan: BodyPlan, state: State | Mapping[str, npt.ArrayLike]) -> State:
    """T finite states."""
    given = as_state(plan, state)
    if given.dofs.ndim > 2:
        raise InvalidArgument("state", f"expected one state, or a time axis, got leading axes {given.dofs.shape[:-1]}")
    frames = State(*(np.atleast_2d(part) for part in given))
    finite = np.logical_and.reduce([np.isfinite(part).all(axis=-1) for part in frames])
    if not finite.all():
        raise InvalidArgument("state", f"frame {int(np.argmin(finite))} is not finite, and BVH has no gaps")
    return frames


def _place(bone: WrittenBone, moving: Motion) -> Array:
    """Where a bone's keypoint is in the axes of the bone it hangs on, shape (T, 3)."""
    point = moving.keypoints[:, bone.joint]
    if bone.parent < 0:
        return point
    world_from_parent = moving.exit_rot[:, bone.parent]
    return ((point - moving.keypoints[:, bone.parent])[:, None] @ world_from_parent)[:, 0]


def _angles(bone: WrittenBone, block: State, moving: Motion) -> Array:
    """Values of the rotation channels of a bone, rad, shape (T, their number)."""
    if not bone.turns:
        return np.zeros((len(block.dofs), 0))
    if bone.hinges:
        return np.stack([sign * block.dofs[:, dof] for dof, sign in bone.hinges], axis=-1)
    turned = moving.exit_rot[:, bone.joint]
    if bone.parent >= 0:
        turned = np.swapaxes(moving.exit_rot[:, bone.parent], -1, -2) @ turned
    return euler_angles(turned, bone.turns)


def _unwrapped(angles: Array, last: Array | None) -> Array:
    """Angles without jumps of whole turns, from the last ones on."""
    if last is None:
        return np.unwrap(angles, axis=0)
    return np.unwrap(np.concatenate([last[None], angles]), axis=0)[1:]


def _hierarchy(plan: BodyPlan, bones: dict[int, WrittenBone], offsets: dict[int, Array], digits: int) -> Iterator[str]:
    """Lines of the bones."""
    depth = {-1: -1}
    open_bones: list[int] = []
    for joint, bone in bones.items():
        while open_bones and open_bones[-1] != bone.parent:
            yield "\t" * depth[open_bones.pop()] + "}"
        level = depth[joint] = depth[bone.parent] + 1
        indent, inside = "\t" * level, "\t" * (level + 1)
        kind = "ROOT" if bone.parent < 0 else "JOINT"
        yield f"{indent}End Site" if bone.is_end else f"{indent}{kind} {plan.joint_names[joint]}"
        yield f"{indent}{{"
        offset = np.zeros(3) if bone.parent < 0 else offsets[joint]
        yield f"{inside}OFFSET " + " ".join(f"{number:.{digits}f}" for number in (offset + 0.0).tolist())
        if not bone.is_end:
            channels = [f"{axis}position" for axis in bone.shifts] + [f"{axis}rotation" for axis in bone.turns]
            yield f"{inside}CHANNELS {' '.join([str(len(channels)), *channels])}"
        if bone.has_end:
            nowhere = " ".join([f"{0.0:.{digits}f}"] * 3)
            yield from (f"{inside}End Site", f"{inside}{{", f"{inside}\tOFFSET {nowhere}", f"{inside}}}")
        open_bones.append(joint)
    while open_bones:
        yield "\t" * depth[open_bones.pop()] + "}"
