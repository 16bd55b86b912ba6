"""What the neutral pose of a body plan gives away: hinges that nothing or not everything can be seen of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pantin.fitting.plan.kinematics import Motion, motion, moved_by
from pantin.fitting.plan.report import Path, Report
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.plan.body_plan import BodyPlan

__all__ = ["check_geometry"]

#: Distance from an axis, in model lengths, at which a point still lies on it.
ON_AXIS = 1e-9

#: Sine of the angle between axes that are still parallel: axes are often written with seven digits.
PARALLEL = 1e-6


def check_geometry(plan: BodyPlan, report: Report) -> None:
    """Tell hinges that move no keypoint in the neutral pose, and hinges that do the same as one before.

    Args:
        plan: A plan without errors.
        report: Takes the warnings.
    """
    neutral = State(*(part[None] for part in plan.neutral_state()))
    moving = motion(plan, neutral)
    moved = moved_by(plan).astype(bool)
    for dof in np.flatnonzero(~plan.dof_is_slide).tolist():
        arms = np.cross(moving.axes[0, dof], moving.keypoints[0, moved[:, dof]] - moving.centres[0, dof])
        if len(arms) and np.linalg.norm(arms, axis=-1).max() <= ON_AXIS * plan.length:
            message = "every keypoint below lies on the axis of this hinge in the neutral pose, so none shows its angle"
            hint = "move a keypoint off the axis, or choose a neutral pose that is bent"
            report.warning("on-axis", _path(plan, dof), message, hint)
        _check_repeated(plan, moving, dof, report)


def _check_repeated(plan: BodyPlan, moving: Motion, dof: int, report: Report) -> None:
    """Tell a hinge that turns about the same line as an earlier one of its joint."""
    axes, centres = moving.axes[0], moving.centres[0]
    for before in range(_first(plan, dof), dof):
        if plan.dof_is_slide[before]:
            continue
        apart = np.linalg.norm(np.cross(axes[dof], centres[dof] - centres[before]))
        if np.linalg.norm(np.cross(axes[dof], axes[before])) <= PARALLEL and apart <= ON_AXIS * plan.length:
            name = plan.dof_names[before]
            message = f"it turns about the same line as {name!r} in the neutral pose, so only their sum can be seen"
            report.warning("repeated-axis", _path(plan, dof), message, "leave one of them out, or give it another axis")
            return


def _first(plan: BodyPlan, dof: int) -> int:
    """The first degree of freedom of the same joint."""
    return int(np.searchsorted(plan.dof_joint, plan.dof_joint[dof]))


def _path(plan: BodyPlan, dof: int) -> Path:
    """Where a degree of freedom stands in the source."""
    return ("joints", int(plan.source_order[plan.dof_joint[dof]]), "dofs", dof - _first(plan, dof))
