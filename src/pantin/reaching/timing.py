"""How fast joints move along a path of configurations, and how fast they may."""

from __future__ import annotations

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidModel
from pantin.kinematics.batch import difference
from pantin.kinematics.joints import JT_FREEFLYER, JT_PLANAR, JT_PRISMATIC
from pantin.kinematics.model import Model

__all__ = ["joint_at", "joint_steps", "shortest_durations"]


def joint_steps(model: Model, q: Array) -> Array:
    """Joint motions from one configuration to the next, shape (n - 1, nv), from configurations (n, nq)."""
    return difference(model, q[:-1], q[1:])


def shortest_durations(model: Model, q: Array) -> Array:
    """Shortest time of each segment within the velocity limits, shape (n - 1,), s.

    Joints move straight from one configuration to the next, so a segment takes as long as its slowest joint:
    the largest of `|dq| / velocity_limit`.

    Raises:
        InvalidModel: If a joint moves whose velocity limit is zero.
    """
    steps = np.abs(joint_steps(model, q))
    limits = model.velocity_limit
    stuck = np.flatnonzero((steps > 0.0).any(axis=0) & (limits <= 0.0))
    if stuck.size:
        name, _ = joint_at(model, int(stuck[0]))
        raise InvalidModel(
            f"joint {name!r} moves along the path, but its velocity limit is 0; set model.velocity_limit"
        )
    moving = limits > 0.0
    return np.asarray((steps[:, moving] / limits[moving]).max(axis=1, initial=0.0))


def joint_at(model: Model, entry: int) -> tuple[str, str]:
    """Name of the joint that an entry of a velocity belongs to, and the entry's unit without the time."""
    for name, joint in zip(model.names, model.joints, strict=True):
        if joint.idx_v <= entry < joint.idx_v + joint.nv:
            slides = {JT_PRISMATIC: 1, JT_PLANAR: 2, JT_FREEFLYER: 3}.get(joint.jtype, 0)
            return name, "m" if entry < joint.idx_v + slides else "rad"
    raise AssertionError(f"entry {entry} belongs to no joint")
