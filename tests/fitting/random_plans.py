"""Random body plans, as their files hold them, and random states of them."""

from __future__ import annotations

import numpy as np

from pantin.fitting.state import State


def direction(rng, size=3):
    """Unit vector of any direction."""
    vector = rng.normal(size=size)
    return vector / np.linalg.norm(vector)


def random_plan(rng, joints=None, *, dofs=3, slides=True, limits=0.5, fixed_base=None, size=1.0, chain=False):
    """Content of a plan file: a random tree that passes every check.

    Args:
        rng: Random generator.
        joints: Number of joints, 1 to 60 by default.
        dofs: Degrees of freedom of a joint, at most.
        slides: Slides occur among the hinges.
        limits: Share of degrees of freedom with limits.
        fixed_base: Whether the root is the world; any by default.
        size: Length of the bones, about.
        chain: Each joint hangs on the one before instead of on any.

    Returns:
        A dictionary for `BodyPlan.from_dict`; leaves have no degrees of freedom, so that each one can be seen.
    """
    count = int(rng.integers(1, 61)) if joints is None else joints
    parents = [-1, *(child - 1 if chain else int(rng.integers(max(0, child - 6), child)) for child in range(1, count))]
    plan = {"fixed_base": bool(rng.integers(2)) if fixed_base is None else fixed_base, "joints": []}
    for joint, parent in enumerate(parents):
        amount = int(rng.integers(dofs + 1)) if joint in parents else 0
        plan["joints"].append(
            {
                "name": f"joint {joint}",
                "parent": None if parent < 0 else f"joint {parent}",
                "offset_pos": (size * rng.normal(size=3)).tolist(),
                "offset_quat": direction(rng, 4).tolist(),
                "weight_scaler": float(rng.uniform(0.5, 2.0)),
                "dofs": [random_dof(rng, slides, limits, size) for _ in range(amount)],
            }
        )
    return plan


def random_dof(rng, slides, limits, size):
    """A hinge or slide whose neutral value is within its limits."""
    slide = slides and rng.random() < 0.3
    reach = 0.3 * size if slide else 1.5
    neutral = reach * rng.uniform(-0.5, 0.5)
    ends = [neutral - reach * rng.uniform(0.3, 1.0), neutral + reach * rng.uniform(0.3, 1.0)]
    return {
        "type": "slide" if slide else "hinge",
        "axis": direction(rng).tolist(),
        "neutral": neutral,
        "limits": ends if rng.random() < limits else None,
        "weight_scaler": float(rng.uniform(0.5, 2.0)),
    }


def random_state(plan, rng, frames=None):
    """A state within limits, anywhere in space; with a leading axis where `frames` says how many."""
    leading = () if frames is None else (frames,)
    reach = np.where(plan.dof_is_slide, 0.5 * plan.length, 2.0)
    low = np.where(np.isfinite(plan.lower), plan.lower, plan.neutral - reach)
    high = np.where(np.isfinite(plan.upper), plan.upper, plan.neutral + reach)
    dofs = low + rng.random((*leading, plan.n_dofs)) * (high - low)
    if plan.fixed_base:
        return State(np.zeros((*leading, 3)), np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*leading, 4)).copy(), dofs)
    quaternions = rng.normal(size=(*leading, 4))
    quaternions /= np.linalg.norm(quaternions, axis=-1, keepdims=True)
    return State(plan.length * rng.normal(size=(*leading, 3)), quaternions, dofs)
