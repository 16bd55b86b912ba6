"""The links and joints of a URDF put in the order of a tree, or the reason why they are none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pantin.errors import ModelFileError
from pantin.kinematics.urdf.elements import nearest
from pantin.kinematics.urdf.records import UrdfJoint, UrdfLink, UrdfRobot
from pantin.kinematics.urdf.xml import fault

__all__ = ["UrdfTree", "order_tree"]


class UrdfTree(NamedTuple):
    """A robot's links from the root outwards.

    Attributes:
        root: The link that no joint moves.
        joints: All joints, depth first, joints of one link by name.
    """

    root: UrdfLink
    joints: list[UrdfJoint]


def order_tree(robot: UrdfRobot) -> UrdfTree:
    """Tree of a robot, without recursion, in time linear in its size (but for sorting siblings).

    Names are compared by their bytes, as Pinocchio does; the order of the file does not matter.

    Args:
        robot: The robot as it was read.

    Returns:
        Its root and its joints in depth-first order.

    Raises:
        ModelFileError: If a joint names a link that is not there, a link has two parents, there is no root or
            more than one, or links go round in a circle. Each message names them.
    """
    movers = _movers(robot)
    roots = [link for name, link in robot.links.items() if name not in movers]
    if not robot.links:
        raise fault(robot.root, "the robot has no <link>")
    if len(roots) > 1:
        raise fault(
            robot.root,
            f"{len(roots)} links have no parent joint: {_names(link.name for link in roots)}; "
            "there can be one root, so join them",
        )
    joints = _depth_first(robot, roots[0].name) if roots else []
    if len(joints) < len(robot.joints):
        raise _circle(movers, {joint.name for joint in joints})
    return UrdfTree(roots[0], joints)


def _movers(robot: UrdfRobot) -> dict[str, UrdfJoint]:
    """The joint that moves each link, by the link's name."""
    movers: dict[str, UrdfJoint] = {}
    for joint in robot.joints.values():
        for end, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in robot.links:
                raise fault(joint.element, f"its {end} link {name!r} is not there{nearest(name, robot.links)}")
        if joint.child in movers:
            other = movers[joint.child]
            raise fault(
                joint.element,
                f"link {joint.child!r} has two parents: joint {other.name!r} on line "
                f"{other.element.sourceline} moves it too; a link hangs on one joint",
            )
        movers[joint.child] = joint
    return movers


def _depth_first(robot: UrdfRobot, root: str) -> list[UrdfJoint]:
    """Joints that can be reached from a link, depth first, siblings by name."""
    hanging: dict[str, list[UrdfJoint]] = {}
    for joint in robot.joints.values():
        hanging.setdefault(joint.parent, []).append(joint)
    for siblings in hanging.values():
        siblings.sort(key=lambda joint: joint.name, reverse=True)
    ordered = []
    waiting = hanging.get(root, [])[:]
    while waiting:
        joint = waiting.pop()
        ordered.append(joint)
        waiting.extend(hanging.get(joint.child, ()))
    return ordered


def _circle(movers: dict[str, UrdfJoint], reached: set[str]) -> ModelFileError:
    """Error that names the joints of a circle, given the joints that hang on the root."""
    joint = next(joint for joint in movers.values() if joint.name not in reached)
    passed: dict[str, UrdfJoint] = {}
    while joint.name not in passed:
        passed[joint.name] = joint
        joint = movers[joint.parent]
    names = list(passed)
    circle = names[names.index(joint.name) :][::-1]
    return fault(joint.element, f"the joints go round in a circle: {_names(circle)}; a robot is a tree")


def _names(names: Iterable[str]) -> str:
    """Names for a message, the first eight of them."""
    quoted = [repr(name) for name in names]
    return ", ".join(quoted[:8]) + (", ..." if len(quoted) > 8 else "")
