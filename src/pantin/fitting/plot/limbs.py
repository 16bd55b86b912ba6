"""A colour for each limb of a body plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pantin.drawing import INK

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan

__all__ = ["limb_colors"]

#: Colours that can be told apart, and from the red that means trouble.
COLORS = ("#2f6fde", "#12908e", "#6b8e23", "#b07d12", "#7a4fb5", "#3d4f9f", "#a0569a", "#8a5a44")


def limb_colors(plan: BodyPlan) -> tuple[str, ...]:
    """A colour for each joint: a joint with one child goes on in it, one with several starts a limb in each."""
    children = np.bincount(plan.parents[plan.parents >= 0], minlength=plan.n_joints)
    limbs: list[int] = []
    for parent in plan.parents:
        if parent < 0:
            limbs.append(0)
        elif children[parent] == 1:
            limbs.append(limbs[parent])
        else:
            limbs.append(max(limbs) + 1)
    return tuple(COLORS[(limb - 1) % len(COLORS)] if limb else INK for limb in limbs)
