"""A model out of the links and joints of a URDF."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pantin.arrays import Array
from pantin.errors import ModelFileError
from pantin.kinematics.inertia import Inertia
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_REVOLUTE_UNBOUNDED,
    JointModel,
    JointModelMimic,
)
from pantin.kinematics.model import Frame, FrameType, Model
from pantin.kinematics.root_joints import as_root_joint
from pantin.kinematics.se3 import SE3
from pantin.kinematics.urdf.mimic import resolve_mimics
from pantin.kinematics.urdf.records import UrdfJoint, UrdfLink, UrdfMimic, UrdfRobot
from pantin.kinematics.urdf.tree import order_tree
from pantin.kinematics.urdf.xml import fault
from pantin.kinematics.warn import warn_about_file

__all__ = ["build_model"]

_JOINT_TYPES = {
    "revolute": JT_REVOLUTE,
    "continuous": JT_REVOLUTE_UNBOUNDED,
    "prismatic": JT_PRISMATIC,
    "floating": JT_FREEFLYER,
    "planar": JT_PLANAR,
}

#: Name of the joint between the world and the root link.
_ROOT = "root_joint"

#: Bound of the coordinates of unit circles and quaternions, which stay within one.
_UNIT_BOUND = 1.01


@dataclass(frozen=True, slots=True)
class _Seat:
    """Where a link sits: its joint, its frame, and its placement in the joint."""

    joint: int
    frame: int
    placement: SE3


def build_model(
    robot: UrdfRobot,
    root_joint: JointModel | str | None,
    *,
    mimic: bool,
    strict: bool,
) -> Model:
    """Model of a robot, in Pinocchio's order and conventions.

    Args:
        robot: The robot as it was read.
        root_joint: Joint between the world and the root link, as a model or by name, or None to fix it.
        mimic: Let mimic joints follow their masters, rather than move by themselves.
        strict: Refuse joints without limits.

    Returns:
        The model.

    Raises:
        ModelFileError: If the links are not a tree, or a joint cannot be what it says.
        InvalidArgument: If the root joint is none of these.
    """
    tree = order_tree(robot)
    mimics = resolve_mimics(robot) if mimic else {}
    _check_limits(robot, [joint for joint in tree.joints if joint.name not in mimics], strict=strict)
    model = Model()
    model.name = robot.name
    model._announce(mimic.master for mimic in mimics.values())
    seats = {tree.root.name: _seat_root(model, robot, tree.root, root_joint)}
    for joint in tree.joints:
        link = robot.links[joint.child]
        seat = seats[joint.parent]
        if joint.kind == "fixed":
            seats[link.name] = _add_fixed(model, joint, link, seat)
        else:
            seats[link.name] = _add_moving(model, joint, link, seat, mimics.get(joint.name))
    _set_friction(model, robot, mimics)
    return model


def _check_limits(robot: UrdfRobot, joints: list[UrdfJoint], *, strict: bool) -> None:
    """Warn of joints that should have limits and have none, or refuse them."""
    free = [repr(j.name) for j in joints if j.kind in ("revolute", "prismatic") and j.limit.unlimited]
    if not free:
        return
    if strict:
        raise ModelFileError(f"joints without <limit lower=... upper=...>: {', '.join(free)}", robot.source)
    source = f"{robot.source}: " if robot.source else ""
    warn_about_file(f"{source}joints without <limit lower=... upper=...> move without limit: {', '.join(free)}")


def _seat_root(model: Model, robot: UrdfRobot, link: UrdfLink, root_joint: JointModel | str | None) -> _Seat:
    """Put the root link into the model, on a joint of its own or on the world."""
    kind = as_root_joint(root_joint)
    if kind is None:
        return _add_body(model, link, joint=0, frame=0, placement=SE3.Identity())
    if _ROOT in robot.joints:
        raise fault(robot.joints[_ROOT].element, "this is what the root joint is called; give it another name")
    joint = model.add_joint(0, kind, SE3.Identity(), _ROOT)
    frame = model.add_joint_frame(joint, 0)
    return _add_body(model, link, joint=joint, frame=frame, placement=SE3.Identity())


def _add_fixed(model: Model, joint: UrdfJoint, link: UrdfLink, seat: _Seat) -> _Seat:
    """Weld a link to the joint that its parent link hangs on."""
    placement = seat.placement * joint.origin
    frame = model.add_frame(Frame(joint.name, seat.joint, seat.frame, placement, FrameType.FIXED_JOINT))
    return _add_body(model, link, joint=seat.joint, frame=frame, placement=placement)


def _add_moving(model: Model, joint: UrdfJoint, link: UrdfLink, seat: _Seat, mimic: UrdfMimic | None) -> _Seat:
    """Add a joint and the link it moves.

    A planar joint moves in the plane of its own x and y: it is turned so that z is the axis, and the frames
    of the joint and its link are turned back.
    """
    rotation = _turn_from_z(joint.axis) if joint.kind == "planar" else np.eye(3)
    turn = SE3(rotation, np.zeros(3))
    number = model.add_joint(
        seat.joint,
        _joint_model(joint, mimic),
        seat.placement * joint.origin * turn,
        joint.name,
        **_limits(joint, mimic),
    )
    placement = turn.inverse()
    frame = model.add_frame(Frame(joint.name, number, seat.frame, placement, FrameType.JOINT))
    return _add_body(model, link, joint=number, frame=frame, placement=placement)


def _add_body(model: Model, link: UrdfLink, *, joint: int, frame: int, placement: SE3) -> _Seat:
    """Add a link's inertia and frame to a joint."""
    if not link.massless:
        model.append_body_to_joint(joint, Inertia(link.mass, link.lever, link.inertia), placement)
    return _Seat(joint, model.add_body_frame(link.name, joint, placement, frame), placement)


def _joint_model(joint: UrdfJoint, mimic: UrdfMimic | None) -> JointModel:
    axis = None if joint.kind in ("floating", "planar") else joint.axis
    own = JointModel(_JOINT_TYPES[joint.kind], axis)
    return own if mimic is None else JointModelMimic(own, mimic.master, mimic.multiplier, mimic.offset)


def _limits(joint: UrdfJoint, mimic: UrdfMimic | None) -> dict[str, Array]:
    """The four limits of a joint, in the order of its configuration and its velocity."""
    nv = {"floating": 6, "planar": 3}.get(joint.kind, 1)
    if joint.kind == "floating":
        upper = np.array([np.inf] * 3 + [_UNIT_BOUND] * 4)
    elif joint.kind == "planar":
        upper = np.array([np.inf] * 2 + [_UNIT_BOUND] * 2)
    elif joint.kind == "continuous" and mimic is None:
        upper = np.full(2, _UNIT_BOUND)
    else:
        upper = np.array([joint.limit.upper])
    bounded = joint.kind in ("revolute", "prismatic")
    return {
        "max_effort": np.full(nv, joint.limit.effort),
        "max_velocity": np.full(nv, joint.limit.velocity),
        "min_config": np.array([joint.limit.lower]) if bounded else -upper,
        "max_config": upper,
    }


def _set_friction(model: Model, robot: UrdfRobot, mimics: dict[str, UrdfMimic]) -> None:
    """Fill the model's damping and friction; those of a mimic joint act on its master through its lever."""
    for joint in robot.joints.values():
        if joint.kind == "fixed" or (joint.damping == 0.0 and joint.friction == 0.0):
            continue
        mimic = mimics.get(joint.name)
        mover = model.joints[model.get_joint_id(mimic.master if mimic else joint.name)]
        lever = abs(mimic.multiplier) if mimic else 1.0
        rows = slice(mover.idx_v, mover.idx_v + mover.nv)
        model.damping[rows] += joint.damping * lever**2
        model.friction[rows] += joint.friction * lever


def _turn_from_z(axis: Array) -> Array:
    """The shortest rotation that takes z to an axis, shape (3, 3); if it points down, half a turn first."""
    down = axis[2] < 0.0
    x, y, z = -axis if down else axis
    turn = np.array(
        [
            [1.0 - x * x / (1.0 + z), -x * y / (1.0 + z), x],
            [-x * y / (1.0 + z), 1.0 - y * y / (1.0 + z), y],
            [-x, -y, z],
        ]
    )
    return turn @ np.diag([1.0, -1.0, -1.0]) if down else turn
