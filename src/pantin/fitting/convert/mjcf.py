"""A body plan as a MuJoCo model (MJCF)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidModel
from pantin.fitting.convert.names import unique
from pantin.fitting.convert.xml import numbers, text_of
from pantin.fitting.plan.doors import as_state
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan

__all__ = ["dof_order", "mjcf_text", "qpos_of"]

#: Radii of keypoints and bones, as shares of the model length.
DOT, BONE = 0.04, 0.02


def mjcf_text(plan: BodyPlan) -> str:
    """MJCF document of a body plan.

    - Each keypoint is a body of its joint's name. What moves at a joint is a second body inside it, called
      `<joint>_moved`, with a MuJoCo joint for each degree of freedom, of its name and with its limits.
    - A free base is a body with a free joint around everything.
    - Keypoints are drawn as balls and bones as capsules, which do not collide. They give the bodies masses, made up as
      of water where the model length is one, so that MuJoCo's dynamics has something to move.

    MuJoCo lists bodies depth first: `dof_order` says how the degrees of freedom come in `qpos`, and `qpos_of` gives
    them in that order. Lengths stay in the plan's unit.

    Args:
        plan: The body plan.

    Raises:
        InvalidModel: If a joint is called "world", as MuJoCo calls its own body, or a name cannot be written in XML.
    """
    if "world" in plan.joint_names:
        raise InvalidModel("a joint is called 'world', as MuJoCo calls the body that holds all; rename that joint")
    title = plan.extensions.get("x-pantin", {}).get("title", "")
    root = Element("mujoco", model=title or "body plan")
    SubElement(root, "compiler", angle="radian")
    density = numbers([1000.0 / plan.length**4])  # in small and large units neither masses nor inertias vanish
    SubElement(SubElement(root, "default"), "geom", contype="0", conaffinity="0", density=density)
    holder = SubElement(root, "worldbody")
    taken = {"world", *plan.joint_names}
    if not plan.fixed_base:
        holder = SubElement(holder, "body", name=unique("root", taken))
        taken.add(holder.attrib["name"])
        SubElement(holder, "freejoint", name=unique("root_joint", plan.dof_names))

    holders: list[Element] = []  # the body of each exit frame
    for joint, parent in enumerate(plan.parents.tolist()):
        body = _body(plan, joint, holders[parent] if parent >= 0 else holder, is_root=parent < 0)
        moves = np.flatnonzero(plan.dof_joint == joint).tolist()
        if moves:
            body = SubElement(body, "body", name=unique(f"{plan.joint_names[joint]}_moved", taken))
            taken.add(body.attrib["name"])
            SubElement(body, "geom", type="sphere", size=numbers([DOT * plan.length]))
        for dof in moves:
            _joint(plan, dof, body)
        holders.append(body)
    return text_of(root)


def dof_order(plan: BodyPlan) -> npt.NDArray[np.intp]:
    """Degrees of freedom in the order in which MuJoCo has them: depth first, shape (N,)."""
    children: dict[int, list[int]] = {joint: [] for joint in range(-1, plan.n_joints)}
    for joint, parent in enumerate(plan.parents.tolist()):
        children[parent].append(joint)
    order: list[int] = []
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        order += np.flatnonzero(plan.dof_joint == joint).tolist()
        waiting += children[joint][::-1]
    return np.array(order, dtype=np.intp)


def qpos_of(plan: BodyPlan, state: State | Mapping[str, npt.ArrayLike]) -> Array:
    """States as MuJoCo's `qpos` in the model of `mjcf_text`.

    Args:
        plan: The body plan.
        state: A state, or a mapping of some of its parts, any leading axes, as `BodyPlan.keypoints` takes it.

    Returns:
        Root position, quaternion (w, x, y, z) and degrees of freedom in MuJoCo's order, shape (..., 7 + N), or
        (..., N) for a fixed base.

    Raises:
        InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
    """
    root_pos, root_quat_wxyz, dofs = as_state(plan, state)
    ordered = dofs[..., dof_order(plan)]
    return ordered if plan.fixed_base else np.concatenate([root_pos, root_quat_wxyz, ordered], axis=-1)


def _body(plan: BodyPlan, joint: int, holder: Element, *, is_root: bool) -> Element:
    """The body of a keypoint, and the bone that leads to it."""
    place = plan.offset_pos[joint]
    if not is_root and np.linalg.norm(place) > DOT * plan.length:
        SubElement(holder, "geom", type="capsule", size=numbers([BONE * plan.length]), fromto=f"0 0 0 {numbers(place)}")
    body = SubElement(
        holder, "body", name=plan.joint_names[joint], pos=numbers(place), quat=numbers(plan.offset_quat_wxyz[joint])
    )
    SubElement(body, "geom", type="sphere", size=numbers([DOT * plan.length]))
    return body


def _joint(plan: BodyPlan, dof: int, body: Element) -> None:
    """MuJoCo's joint of a degree of freedom; one that is locked has limits a little apart, as MuJoCo asks for."""
    joint = SubElement(
        body,
        "joint",
        name=plan.dof_names[dof],
        type="slide" if plan.dof_is_slide[dof] else "hinge",
        axis=numbers(plan.dof_axis[dof]),
    )
    lower, upper = float(plan.lower[dof]), float(plan.upper[dof])
    if np.isfinite([lower, upper]).all():
        if lower == upper:
            lower, upper = np.nextafter(lower, -np.inf), np.nextafter(upper, np.inf)
        joint.set("limited", "true")
        joint.set("range", numbers([lower, upper]))
