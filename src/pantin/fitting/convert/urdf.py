"""A body plan as a URDF document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from pantin.arrays import Array
from pantin.fitting.convert.euler import euler_angles
from pantin.fitting.convert.names import unique
from pantin.fitting.convert.xml import numbers, text_of

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan

__all__ = ["urdf_text"]

#: What stands for "no limit" where URDF wants a number; readers take numbers of this size so.
NO_LIMIT = "1e20"


def urdf_text(plan: BodyPlan) -> str:
    """URDF document of a body plan.

    - Each keypoint is a link of its joint's name, fixed to the link where its parent's motion ends.
    - Each degree of freedom is a joint of its name with a link behind it: revolute where a hinge has limits and
      continuous where not, prismatic where it slides. There are no speed and effort limits.
    - The root link is `base`. A document cannot say that the base is free: load it with
      `root_joint="free_flyer"`.

    Lengths stay in the plan's unit. Links have no mass.

    Args:
        plan: The body plan.

    Raises:
        InvalidModel: If a name has a character that XML cannot hold.
    """
    title = plan.extensions.get("x-pantin", {}).get("title", "")
    robot = Element("robot", name=title or "body_plan")
    links, joints = set(plan.joint_names), set(plan.dof_names)

    def link(wanted: str) -> str:
        name = unique(wanted, links)
        links.add(name)
        SubElement(robot, "link", name=name)
        return name

    base = link("base")
    exits: list[str] = []  # the link of each exit frame
    for joint, parent in enumerate(plan.parents.tolist()):
        keypoint = plan.joint_names[joint]
        SubElement(robot, "link", name=keypoint)
        mount = unique(f"{keypoint}_mount", joints)
        joints.add(mount)
        fixed = _connect(robot, mount, "fixed", exits[parent] if parent >= 0 else base, keypoint)
        _place(fixed, plan.offset_pos[joint], plan.offset_rot[joint])
        end = keypoint
        for number, dof in enumerate(np.flatnonzero(plan.dof_joint == joint).tolist(), start=1):
            moved = link(f"{keypoint}_moved_{number}")
            _move(robot, plan, dof, end, moved)
            end = moved
        exits.append(end)
    return text_of(robot)


def _connect(robot: Element, name: str, kind: str, parent: str, child: str) -> Element:
    joint = SubElement(robot, "joint", name=name, type=kind)
    SubElement(joint, "parent", link=parent)
    SubElement(joint, "child", link=child)
    return joint


def _place(joint: Element, position: Array, rotation: Array) -> None:
    """Origin of a joint; URDF's roll, pitch and yaw are Rz(yaw) Ry(pitch) Rx(roll)."""
    yaw, pitch, roll = euler_angles(rotation, "ZYX").tolist()
    SubElement(joint, "origin", xyz=numbers(position), rpy=numbers([roll, pitch, yaw]))


def _move(robot: Element, plan: BodyPlan, dof: int, parent: str, child: str) -> None:
    """Joint of a degree of freedom."""
    lower, upper = float(plan.lower[dof]), float(plan.upper[dof])
    limited = math.isfinite(lower) and math.isfinite(upper)
    kind = "prismatic" if plan.dof_is_slide[dof] else "revolute" if limited else "continuous"
    joint = _connect(robot, plan.dof_names[dof], kind, parent, child)
    SubElement(joint, "axis", xyz=numbers(plan.dof_axis[dof]))
    limit = SubElement(joint, "limit", effort=NO_LIMIT, velocity=NO_LIMIT)
    if limited:
        limit.set("lower", numbers([lower]))
        limit.set("upper", numbers([upper]))
    elif kind == "prismatic":
        limit.set("lower", f"-{NO_LIMIT}")
        limit.set("upper", NO_LIMIT)
