"""The engine's model of a body plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pantin.errors import InvalidModel
from pantin.fitting.convert.names import unique
from pantin.kinematics.frames import Frame, FrameType
from pantin.kinematics.joints import JT_PRISMATIC, JT_REVOLUTE, JointModel, JointModelFreeFlyer
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan

__all__ = ["model_of"]


def model_of(plan: BodyPlan) -> Model:
    """Model of a body plan: the same tree for reaching, tasks and dynamics.

    - A free base is a free flyer called `root_joint`; a fixed one is the universe.
    - Each degree of freedom is a revolute or prismatic joint of its name, in plan order, with its limits (infinite
      where there are none, equal where it is locked). A configuration is therefore the state in a row, with the
      quaternion turned to (x, y, z, w): see `configuration_of`.
    - Each keypoint is an OP_FRAME of its joint's name; they are frames 1 to K, in plan order.

    Lengths stay in the plan's unit. Bodies have no mass.

    Args:
        plan: The body plan.

    Raises:
        InvalidModel: If a keypoint is called "universe", as the world's frame is.
    """
    if "universe" in plan.joint_names:
        raise InvalidModel("a keypoint is called 'universe', which is the world's frame in a model; rename that joint")
    model = Model()
    taken = {"universe"}
    title = plan.extensions.get("x-pantin", {}).get("title", "")
    model.name = title if isinstance(title, str) else ""
    base = 0
    if not plan.fixed_base:
        base = model.add_joint(
            0, JointModelFreeFlyer(), SE3.Identity(), unique("root_joint", {*taken, *plan.dof_names})
        )
        taken.add(model.names[base])

    exits: list[tuple[int, SE3]] = []  # the model's joint that carries each exit frame, and its pose there
    for joint, parent in enumerate(plan.parents.tolist()):
        carrier, placement = exits[parent] if parent >= 0 else (base, SE3.Identity())
        placement = placement * SE3(plan.offset_rot[joint], plan.offset_pos[joint])
        model.add_frame(Frame(plan.joint_names[joint], carrier, 0, placement, FrameType.OP_FRAME))
        for dof in np.flatnonzero(plan.dof_joint == joint).tolist():
            kind = JT_PRISMATIC if plan.dof_is_slide[dof] else JT_REVOLUTE
            name = unique(plan.dof_names[dof], taken)
            taken.add(name)
            carrier = model.add_joint(
                carrier,
                JointModel(kind, plan.dof_axis[dof]),
                placement,
                name,
                min_config=plan.lower[[dof]],
                max_config=plan.upper[[dof]],
            )
            placement = SE3.Identity()
        exits.append((carrier, placement))
    return model
