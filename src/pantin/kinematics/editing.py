"""Models made of models: some joints held still, or one robot mounted on another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import NamedTuple

import numpy.typing as npt

from pantin.arrays import vector
from pantin.errors import InvalidArgument, InvalidModel
from pantin.kinematics.algorithms import forward_kinematics
from pantin.kinematics.doors import frame_index, joint_index
from pantin.kinematics.joints import JointModel, JointModelMimic
from pantin.kinematics.model import Frame, FrameType, Model
from pantin.kinematics.se3 import SE3

__all__ = ["append_model", "build_reduced_model"]


class _Seat(NamedTuple):
    """Where a joint of a model sits in another model: on which joint, and where in its frame."""

    joint: int
    placement: SE3


def build_reduced_model(model: Model, joints_to_lock: Iterable[str | int] | str | int, q: npt.ArrayLike) -> Model:
    """Model in which some joints are held at a configuration.

    All frames are kept in their order; those of the held joints become FIXED_JOINT frames, and what hung on
    a held joint hangs on the joint before it. Mimic joints are held with their master.

    Args:
        model: The model; it stays as it is.
        joints_to_lock: Names or ids of joints.
        q: Configuration at which they are held, shape (nq,), rad or m.

    Returns:
        A model without the held joints.

    Raises:
        UnknownJoint: If a name or id is not a joint of the model.
        InvalidArgument: If the universe is to be held, or `q` has the wrong size.
    """
    wanted = [joints_to_lock] if isinstance(joints_to_lock, (str, int)) else joints_to_lock
    locked = {_joint_id(model, joint) for joint in wanted}
    locked |= {j.id for j in model.joints if j.mimic is not None and j.mimic.master in locked}
    data = model.create_data()
    forward_kinematics(model, data, vector("q", q, model.nq))
    poses = {number: data.oMi[model.parents[number]].inverse() * data.oMi[number] for number in sorted(locked)}
    reduced = Model()
    reduced.name = model.name
    reduced.gravity = model.gravity
    _graft(reduced, model, _Seat(0, SE3.Identity()), 0, poses)
    return reduced


def append_model(model: Model, other: Model, frame: str | int, placement: SE3 | None = None, prefix: str = "") -> Model:
    """Model of one robot with another mounted on one of its frames, as an arm on a mobile base.

    Joints and frames of the first keep their ids; those of the second follow. The gravity is the first
    model's.

    Args:
        model: The robot that carries; it stays as it is.
        other: The robot that is mounted; it stays as it is.
        frame: Name or id of the frame of `model` that it is mounted on.
        placement: Pose of the world of `other` in that frame; identity if left out.
        prefix: Text before the names of the joints and frames of `other`, to keep names apart.

    Returns:
        A model of both.

    Raises:
        UnknownFrame: If `model` has no such frame.
        InvalidModel: If both have a joint, or a frame of one type, of the same name.
    """
    number = frame_index(model, frame)
    _check_names(model, other, prefix)
    both = model.copy()
    base = model.frames[number]
    mount = base.placement if placement is None else base.placement * placement
    _graft(both, other, _Seat(base.parent_joint, mount), number, {}, prefix)
    return both


def _graft(
    target: Model, source: Model, base: _Seat, frame_id: int, locked: Mapping[int, SE3], prefix: str = ""
) -> None:
    """Add joints, inertias and frames of a model to another.

    Args:
        target: The model that grows.
        source: The model that is added.
        base: Where the world of `source` sits in `target`.
        frame_id: Frame of `target` at which it sits.
        locked: Pose of each held joint of `source` in its parent joint, by id.
        prefix: Text before the names.
    """
    masters = {int(joint.mimic.master) for joint in source.joints if joint.mimic is not None}
    target._announce(prefix + source.names[master] for master in masters)
    seats = [base]
    for number in range(1, source.njoints):
        parent = seats[source.parents[number]]
        if number in locked:
            seats.append(_Seat(parent.joint, parent.placement * locked[number]))
        else:
            seats.append(_Seat(_add_joint(target, source, number, parent, prefix), SE3.Identity()))
    _copy_constants(target, source, [n for n in range(1, source.njoints) if n not in locked])
    for seat, inertia in zip(seats, source.inertias, strict=True):
        if inertia.mass != 0.0 or inertia.inertia.any():
            target.append_body_to_joint(seat.joint, inertia, seat.placement)
    shift = target.nframes - 1
    for frame in source.frames[1:]:
        seat = seats[frame.parent_joint]
        held = frame.type == FrameType.JOINT and frame.parent_joint in locked
        target.add_frame(
            Frame(
                prefix + frame.name,
                seat.joint,
                frame.parent_frame + shift if frame.parent_frame else frame_id,
                seat.placement * frame.placement,
                FrameType.FIXED_JOINT if held else frame.type,
            )
        )


def _add_joint(target: Model, source: Model, number: int, parent: _Seat, prefix: str) -> int:
    """Add a joint of a model to another, with its limits."""
    joint = source.joints[number]
    placement = parent.placement * source.joint_placements[number]
    name = prefix + source.names[number]
    if joint.mimic is not None:
        # Its own limits are in its master's already.
        follower = JointModel(joint.jtype, joint.axis, lead=joint.lead)
        master, multiplier, offset = joint.mimic
        follower = JointModelMimic(follower, prefix + source.names[int(master)], multiplier, offset)
        return target.add_joint(parent.joint, follower, placement, name, [inf], [inf], [-inf], [inf])
    positions = slice(joint.idx_q, joint.idx_q + joint.nq)
    velocities = slice(joint.idx_v, joint.idx_v + joint.nv)
    return target.add_joint(
        parent.joint,
        joint.copy(),
        placement,
        name,
        max_effort=source.effort_limit[velocities],
        max_velocity=source.velocity_limit[velocities],
        min_config=source.lower_position_limit[positions],
        max_config=source.upper_position_limit[positions],
    )


def _copy_constants(target: Model, source: Model, joints: list[int]) -> None:
    """Give the last joints of a model the rotor inertia, friction and damping of joints of another."""
    added = [source.joints[number] for number in joints]
    rows = [row for joint in added for row in range(joint.idx_v, joint.idx_v + joint.nv)]
    for name in ("armature", "friction", "damping"):
        values = getattr(target, name).copy()
        values[target.nv - len(rows) :] = getattr(source, name)[rows]
        setattr(target, name, values)


def _joint_id(model: Model, joint: str | int) -> int:
    number = joint_index(model, joint)
    if number == 0:
        raise InvalidArgument("joints_to_lock", "joint 0 is the universe, which does not move")
    return number


def _check_names(model: Model, other: Model, prefix: str) -> None:
    """Refuse names that both models have."""
    joints = set(model.names[1:]) & {prefix + name for name in other.names[1:]}
    frames = {(frame.name, frame.type) for frame in model.frames} & {
        (prefix + frame.name, frame.type) for frame in other.frames[1:]
    }
    shared = sorted(joints | {name for name, _ in frames})
    if shared:
        names = ", ".join(repr(name) for name in shared[:8]) + (", ..." if len(shared) > 8 else "")
        raise InvalidModel(f"both models have {names}; give a prefix to keep them apart")
