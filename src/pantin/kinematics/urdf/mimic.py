"""Joints of a URDF that follow other joints, each brought back to the one that moves by itself."""

from __future__ import annotations

from pantin.errors import ModelFileError
from pantin.kinematics.urdf.elements import nearest
from pantin.kinematics.urdf.records import UrdfJoint, UrdfMimic, UrdfRobot
from pantin.kinematics.urdf.xml import LARGEST, child, fault

__all__ = ["resolve_mimics"]

_ANGLES = ("revolute", "continuous", "prismatic")


def resolve_mimics(robot: UrdfRobot) -> dict[str, UrdfMimic]:
    """Mimic of each joint that has one, with chains resolved.

    If a follows b and b follows c, then a = m1 b + o1 and b = m2 c + o2 give a = m1 m2 c + (m1 o2 + o1).
    A fixed joint follows nothing, whatever it says.

    Returns:
        Mimics whose masters move by themselves, by the name of the joint that follows.

    Raises:
        ModelFileError: If a master is not there, does not move, has more than one coordinate, or if joints
            follow each other in a circle.
    """
    resolved: dict[str, UrdfMimic] = {}
    for joint in robot.joints.values():
        chain: dict[str, UrdfJoint] = {}
        follower = joint
        while _follows(follower) and follower.name not in resolved:
            if follower.name in chain:
                circle = [*chain, follower.name]
                circle = circle[circle.index(follower.name) :]
                raise _wrong(follower, f"follows itself: {' -> '.join(map(repr, circle))}")
            chain[follower.name] = follower
            follower = _master(robot, follower)
        for link in reversed(chain.values()):
            resolved[link.name] = _through(link, resolved)
    return resolved


def _follows(joint: UrdfJoint) -> bool:
    return joint.mimic is not None and joint.kind != "fixed"


def _through(joint: UrdfJoint, resolved: dict[str, UrdfMimic]) -> UrdfMimic:
    """Mimic of a joint, through that of its master if the master follows another."""
    assert joint.mimic is not None
    master, multiplier, offset = joint.mimic
    if master not in resolved:
        return joint.mimic
    above = resolved[master]
    whole = UrdfMimic(above.master, multiplier * above.multiplier, multiplier * above.offset + offset)
    if max(abs(whole.multiplier), abs(whole.offset)) > LARGEST:
        raise _wrong(joint, f"multiplier and offset along the chain to {whole.master!r} grow too large")
    return whole


def _master(robot: UrdfRobot, joint: UrdfJoint) -> UrdfJoint:
    """The joint that a mimic joint follows; both have to have one coordinate."""
    assert joint.mimic is not None
    name = joint.mimic.master
    if name not in robot.joints:
        raise _wrong(joint, f"follows joint {name!r}, which is not there{nearest(name, robot.joints)}")
    master = robot.joints[name]
    for one in (joint, master):
        if one.kind not in _ANGLES:
            raise _wrong(joint, f"follows joint {name!r}, but {one.name!r} is {one.kind} and has no angle")
    return master


def _wrong(joint: UrdfJoint, message: str) -> ModelFileError:
    element = child(joint.element, "mimic")
    return fault(joint.element if element is None else element, message)
