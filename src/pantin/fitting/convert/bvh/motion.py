"""The second half of a BVH file: the values of the channels in each frame, as states of the plan."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

import numpy as np

from pantin.arrays import LARGEST, Array
from pantin.fitting.convert.bvh.hierarchy import Bone, Text, read_hierarchy, read_number, read_text
from pantin.fitting.convert.bvh.skeleton import Positions, check_reading, skeleton_of
from pantin.fitting.convert.euler import AXES, turn
from pantin.fitting.plan import BodyPlan
from pantin.fitting.plan.rotations import normalised, product
from pantin.fitting.state import State

__all__ = ["Bvh", "read_bvh"]

#: What stands before the frames, and how it may be written.
HEADER = {"MOTION": "MOTION", "Frames:": r"Frames\s*:\s*(\S+)", "Frame Time:": r"Frame\s*Time\s*:\s*(\S+)"}


class Bvh(NamedTuple):
    """A BVH file that was read.

    Attributes:
        plan: The skeleton as a body plan.
        state: The motion: T states.
        frame_time: Time from frame to frame, s.
    """

    plan: BodyPlan
    state: State
    frame_time: float

    @property
    def time(self) -> Array:
        """Time of each frame, shape (T,), s."""
        return np.arange(len(self.state.dofs)) * np.float64(self.frame_time)


def read_bvh(
    source: str | os.PathLike[str],
    *,
    scale: float = 1.0,
    positions: Positions = "replace",
    length_unit: str | None = None,
) -> Bvh:
    """Skeleton and motion of a BVH file.

    Args:
        source: The file, or its text.
        scale: Factor on lengths: 0.01 makes metres of centimetres.
        positions: Whether position channels take the place of a joint's offset or are added to it.
        length_unit: Unit of the lengths in the plan, as a label.

    Raises:
        InvalidArgument: If an argument is not of its kind.
        ModelFileNotFound: If there is no such file.
        ModelFileError: If the file cannot be read; the message names the line.
        BodyPlanError: If the skeleton is no body plan, for instance by an unknown unit.
    """
    scale = check_reading(scale, positions)
    text = read_text(source)
    bones, line = read_hierarchy(text)
    skeleton = skeleton_of(bones, scale, positions, length_unit)
    plan = BodyPlan.from_dict(skeleton.document)
    frame_time, values = _frames(text, line, sum(len(bone.channels) for bone in bones))
    return Bvh(plan, _state(bones, skeleton.dofs, scale, positions, values), frame_time)


def _frames(text: Text, line: int, channels: int) -> tuple[float, Array]:
    """Time from frame to frame, and the values as they stand in the file, shape (T, channels)."""
    lines = ((number, content) for number, content in enumerate(text.lines) if number >= line and content.strip())
    found: list[str] = []
    last = max(0, len(text.lines) - 1)
    for what, pattern in HEADER.items():
        number, content = next(lines, (last, ""))
        match = re.fullmatch(pattern, content.strip(), flags=re.IGNORECASE)
        if match is None:
            raise text.fault(number, f"expected {what}, got {content.strip()[:40]!r}")
        found += match.groups()
        last = number
    if not re.fullmatch(r"[0-9]{1,15}", found[0]):
        raise text.fault(last, f"expected the number of frames, got {found[0][:40]!r}")
    count, frame_time = int(found[0]), read_number(text, last, found[1])
    if frame_time < 0.0 or (frame_time == 0.0 and count > 1):
        raise text.fault(last, f"expected a positive Frame Time, got {found[1]}")

    rows: list[list[float]] = []
    for number, content in lines if channels else ():
        words = content.split()
        if len(words) != channels:
            raise text.fault(number, f"expected {channels} numbers, one for each channel, got {len(words)}")
        if len(rows) == count:
            raise text.fault(number, f"the file says that it has {count} frames, and this is one more")
        rows.append(_numbers(text, number, words))
        last = number
    if len(rows) != count and channels:
        raise text.fault(last, f"the file says that it has {count} frames, and ends after {len(rows)}")
    return frame_time, np.array(rows, dtype=np.float64).reshape(count if channels else 0, channels)


def _numbers(text: Text, line: int, words: list[str]) -> list[float]:
    """The numbers of a frame."""
    try:
        numbers = [float(word) for word in words]
        if all(-LARGEST <= number <= LARGEST for number in numbers):
            return numbers
    except ValueError:
        pass
    return [read_number(text, line, word) for word in words]  # finds the one that is none


def _state(bones: list[Bone], dofs_of: list[int], scale: float, positions: Positions, values: Array) -> State:
    """States of the plan where the channels have these values, which are degrees of freedom or the free root's."""
    channels = [channel for bone in bones for channel in bone.channels]
    dofs = np.zeros((len(values), max(dofs_of, default=-1) + 1))
    offset = scale * np.array(bones[0].offset) if bones[0].channels else np.zeros(3)
    root_pos = np.tile(offset, (len(values), 1))
    root_quat = np.tile([1.0, 0.0, 0.0, 0.0], (len(values), 1))
    for channel, dof, column in zip(channels, dofs_of, values.T, strict=True):
        axis, turns = AXES[channel[0]], channel.endswith("rotation")
        value = np.deg2rad(column) if turns else scale * column
        if dof >= 0:
            dofs[:, dof] = value
        elif turns:
            root_quat = product(root_quat, turn(axis, value))
        else:
            root_pos[:, axis] = value + (offset[axis] if positions == "add" else 0.0)
    return State(root_pos, _continuous(normalised(root_quat)), dofs)


def _continuous(quaternions: Array) -> Array:
    """The same rotations with signs such that the first scalar is not negative and neighbours are near each other."""
    if len(quaternions) == 0:
        return quaternions
    flips = np.einsum("ti,ti->t", quaternions[1:], quaternions[:-1]) < 0.0
    signs = np.cumprod(np.where(np.concatenate([[quaternions[0, 0] < 0.0], flips]), -1.0, 1.0))
    return quaternions * signs[:, None]
