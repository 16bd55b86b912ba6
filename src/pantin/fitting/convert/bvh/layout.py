"""How a body plan is laid out as the bones of a BVH file."""

from __future__ import annotations

import dataclasses

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.fitting.convert.bvh.skeleton import carrier_name
from pantin.fitting.convert.euler import AXES
from pantin.fitting.plan import BodyPlan

__all__ = ["WrittenBone", "layout_of"]


@dataclasses.dataclass(frozen=True)
class WrittenBone:
    """A bone of a file that is going to be written.

    Attributes:
        joint: The plan's joint whose keypoint it is.
        parent: The plan's joint of the bone it hangs on, -1 for the root.
        shifts: Axes of its position channels.
        turns: Axes of its rotation channels, in order.
        hinges: Degree of freedom behind each rotation channel, and its sign; none where the angles are worked out
            of the rotation.
        is_end: Written as an end site.
        has_end: An end site has to be written into it, for it has no children.
    """

    joint: int
    parent: int
    shifts: str
    turns: str
    hinges: tuple[tuple[int, float], ...]
    is_end: bool
    has_end: bool


def layout_of(plan: BodyPlan, order: str) -> dict[int, WrittenBone]:
    """The bones that show the keypoints of a plan.

    The root has all six channels. Hinges about coordinate axes are channels as they are; what turns otherwise has
    three channels in the order asked for. Below a joint with slides bones have position channels.

    Args:
        plan: The body plan.
        order: The order of rotation channels, such as "ZXY".

    Returns:
        Bones by the plan's joints, in the order of the file; joints that are a bone's position channels have none.

    Raises:
        InvalidArgument: If a joint has a name that a BVH file cannot hold.
    """
    for name in plan.joint_names:
        if name.split() != name.split(" ") or set(name) & set("{}") or "OFFSET" in name.upper().split():
            raise InvalidArgument("plan", f"the joint name {name!r} cannot be written in a BVH file")
    carried = {child: joint for joint in range(plan.n_joints) if (child := _carried(plan, joint)) is not None}
    parents = {}
    for joint, parent in enumerate(plan.parents.tolist()):
        if joint not in carried.values():
            parents[joint] = int(plan.parents[carried[joint]]) if joint in carried else parent
    children: dict[int, list[int]] = {joint: [] for joint in parents}
    for joint, parent in parents.items():
        if parent >= 0:
            children[parent].append(joint)

    bones: dict[int, WrittenBone] = {}
    waiting = [0]
    while waiting:
        joint = waiting.pop()
        bones[joint] = _bone(plan, joint, parents[joint], children, carried, order)
        waiting += children[joint][::-1]
    return bones


def _bone(
    plan: BodyPlan, joint: int, parent: int, children: dict[int, list[int]], carried: dict[int, int], order: str
) -> WrittenBone:
    still = not (plan.dof_joint == joint).any()
    is_leaf = not children[joint]
    shifts = ""
    if parent < 0 or (plan.dof_is_slide & (plan.dof_joint == parent)).any():
        shifts = "XYZ"
    elif joint in carried:
        shifts = "".join(_letter(axis) for axis in plan.dof_axis[plan.dof_joint == carried[joint]])
    turns, hinges = ("", ()) if is_leaf and still else _turns(plan, joint, order)
    if parent < 0:
        turns, hinges = order, ()
    is_end = (
        is_leaf and still and not shifts and plan.joint_names[joint] == f"{plan.joint_names[parent]}_end"
        and len(children[parent]) == 1 and bool(plan.offset_pos[joint].any())
    )  # fmt: skip
    return WrittenBone(joint, parent, shifts, turns, hinges, is_end, is_leaf and not is_end)


def _carried(plan: BodyPlan, joint: int) -> int | None:
    """The bone that this joint carries by slides that are position channels of that bone, if it is one that does."""
    children = np.flatnonzero(plan.parents == joint)
    axes = plan.dof_axis[plan.dof_joint == joint]
    letters = [_letter(axis) for axis in axes]
    if (
        len(children) == 1
        and plan.parents[joint] >= 0
        and plan.joint_names[joint] == carrier_name(plan.joint_names[children[0]])
        and plan.dof_is_slide[plan.dof_joint == joint].all()
        and len(letters) == len(set(letters) - {""}) > 0
        and (axes >= 0.0).all()
        and not plan.offset_pos[children[0]].any()
        and not plan.offset_quat_wxyz[[joint, children[0]], 1:].any()
        and not (plan.dof_is_slide & (plan.dof_joint == plan.parents[joint])).any()
    ):
        return int(children[0])
    return None


def _turns(plan: BodyPlan, joint: int, order: str) -> tuple[str, tuple[tuple[int, float], ...]]:
    """Rotation channels of a joint, and the hinges that they are."""
    hinges = np.flatnonzero((plan.dof_joint == joint) & ~plan.dof_is_slide).tolist()
    letters = [_letter(plan.dof_axis[dof]) for dof in hinges]
    if plan.offset_quat_wxyz[joint, 1:].any() or len(letters) != len(set(letters) - {""}):
        return order, ()
    return "".join(letters), tuple((dof, float(plan.dof_axis[dof].sum())) for dof in hinges)


def _letter(axis: Array) -> str:
    """The coordinate axis that an axis is along, either way; nothing where it is none."""
    return next((letter for letter, i in AXES.items() if abs(axis[i]) == 1.0), "")
