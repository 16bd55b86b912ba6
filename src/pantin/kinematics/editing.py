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
from pantin.kinematics.se3 import SE3, as_se3

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
    wanted = joints_to_lock if isinstance(joints_to_lock, Iterable) else [joints_to_lock]
    if isinstance(joints_to_lock, str):
        wanted = [joints_to_lock]
    locked = {_joint_id(model, joint) for joint in wanted}
    locked |= {j.id for j in model.joints if j.mimic is not None and j.mimic.master in locked}
    data = model.create_data()
    forward_kinematics(model, data, vector("q", q, model.nq))
    poses = {number: data.oMi[model.parents[number]].inverse() * data.oMi[number] for number in sorted(locked)}
    reduced = _empty_like(model)
    _announce_masters(reduced, [(model, "")])
    seats = [_Seat(0, SE3.Identity())]
    _add_joints(reduced, model, range(1, model.njoints), seats, poses, "")
    _add_bodies(reduced, model, seats, poses)
    _add_frames(reduced, model, seats, poses, 0, "")
    return reduced


def append_model(model: Model, other: Model, frame: str | int, placement: SE3 | None = None, prefix: str = "") -> Model:
    """Model of one robot with another mounted on one of its frames, as an arm on a mobile base.

    As in Pinocchio, the joints of the second come after those of the first that hang on the joint of the
    frame. Its frames come last. The gravity is the first model's.

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
    base = model.frames[number]
    both = _empty_like(model)
    _announce_masters(both, [(model, ""), (other, prefix)])
    last = _last_below(model, base.parent_joint)
    seats = [_Seat(0, SE3.Identity())]
    _add_joints(both, model, range(1, last + 1), seats, {}, "")
    mount = base.placement if placement is None else base.placement * as_se3("placement", placement)
    mounted = [_Seat(seats[base.parent_joint].joint, mount)]
    _add_joints(both, other, range(1, other.njoints), mounted, {}, prefix)
    _add_joints(both, model, range(last + 1, model.njoints), seats, {}, "")
    for source, places in ((model, seats), (other, mounted)):
        _add_bodies(both, source, places, {})
    _add_frames(both, model, seats, {}, 0, "")
    _add_frames(both, other, mounted, {}, number, prefix)
    return both


def _empty_like(model: Model) -> Model:
    """Model with the name and gravity of another, and nothing in it."""
    empty = Model()
    empty.name = model.name
    empty.gravity = model.gravity
    return empty


def _announce_masters(target: Model, sources: Iterable[tuple[Model, str]]) -> None:
    """Tell a model the masters of the mimic joints it will get from others, whose names get a prefix."""
    target._announce(
        prefix + source.names[int(joint.mimic.master)]
        for source, prefix in sources
        for joint in source.joints
        if joint.mimic is not None
    )


def _last_below(model: Model, joint: int) -> int:
    """Largest id of a joint and those that hang on it."""
    below = {joint}
    for number in range(joint + 1, model.njoints):
        if model.parents[number] in below:
            below.add(number)
    return max(below)


def _add_joints(
    target: Model,
    source: Model,
    numbers: Iterable[int],
    seats: list[_Seat],
    locked: Mapping[int, SE3],
    prefix: str,
) -> None:
    """Add joints of a model to another.

    Args:
        target: The model that grows.
        source: The model they are from.
        numbers: Their ids in it.
        seats: Where the joints of `source` before them sit in `target`; grows by these.
        locked: Pose of each held joint of `source` in its parent joint, by id.
        prefix: Text before the names.
    """
    for number in numbers:
        parent = seats[source.parents[number]]
        if number in locked:
            seats.append(_Seat(parent.joint, parent.placement * locked[number]))
        else:
            seats.append(_Seat(_add_joint(target, source, number, parent, prefix), SE3.Identity()))


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


def _add_bodies(target: Model, source: Model, seats: list[_Seat], locked: Mapping[int, SE3]) -> None:
    """Give the joints that a model got from another their inertias, rotor inertia, friction and damping."""
    for seat, inertia in zip(seats, source.inertias, strict=True):
        if inertia.mass != 0.0 or inertia.inertia.any():
            target.append_body_to_joint(seat.joint, inertia, seat.placement)
    rows: list[int] = []
    places: list[int] = []
    for seat, joint in zip(seats, source.joints, strict=True):
        if joint.id not in locked:
            first = target.joints[seat.joint].idx_v
            rows.extend(range(joint.idx_v, joint.idx_v + joint.nv))
            places.extend(range(first, first + joint.nv))
    for name in ("armature", "friction", "damping"):
        values = getattr(target, name).copy()
        values[places] = getattr(source, name)[rows]
        setattr(target, name, values)


def _add_frames(
    target: Model,
    source: Model,
    seats: list[_Seat],
    locked: Mapping[int, SE3],
    base_frame: int,
    prefix: str,
) -> None:
    """Add the frames of a model to another, in their order; those of held joints become fixed.

    Args:
        target: The model that grows.
        source: The model they are from.
        seats: Where its joints sit in `target`.
        locked: Its held joints, by id.
        base_frame: Frame of `target` that takes the place of its universe.
        prefix: Text before the names.
    """
    shift = target.nframes - 1
    for frame in source.frames[1:]:
        seat = seats[frame.parent_joint]
        held = frame.type == FrameType.JOINT and frame.parent_joint in locked
        target.add_frame(
            Frame(
                prefix + frame.name,
                seat.joint,
                frame.parent_frame + shift if frame.parent_frame else base_frame,
                seat.placement * frame.placement,
                FrameType.FIXED_JOINT if held else frame.type,
            )
        )


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
