"""Mimic joints: who follows whom, and what that leaves of the master's limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pantin.errors import InvalidModel
from pantin.kinematics.doors import joint_index
from pantin.kinematics.joints import JointModel, Mimic

if TYPE_CHECKING:
    from pantin.kinematics.model import Model

__all__ = ["Follower", "follow", "master_interval"]


class Follower(NamedTuple):
    """A mimic joint on its way into a model.

    Attributes:
        joint: The joint.
        name: Its name.
        lower: Its lower limit, rad or m.
        upper: Its upper limit, rad or m.
        speed: Its largest speed, rad/s or m/s.
    """

    joint: JointModel
    name: str
    lower: float
    upper: float
    speed: float


def follow(model: Model, follower: Follower) -> None:
    """Point a mimic joint at the end of its chain of masters and tighten that one's limits.

    A master that is announced but not there yet is followed once it comes.

    Args:
        model: Model that the joint is being added to.
        follower: The mimic joint.

    Raises:
        UnknownJoint: If the master does not exist.
        InvalidModel: If the master does not move by one number, or is left no room.
    """
    joint, name = follower.joint, follower.name
    assert joint.mimic is not None
    if joint.mimic.master in model._announced:
        model._announced[str(joint.mimic.master)].append(follower)
        return
    master_id = joint_index(model, joint.mimic.master)
    multiplier, offset = joint.mimic.multiplier, joint.mimic.offset
    chained = model.joints[master_id].mimic
    if chained is not None:
        multiplier, offset = multiplier * chained.multiplier, multiplier * chained.offset + offset
        master_id = joint_index(model, chained.master)
    master = model.joints[master_id]
    if master.nv != 1:
        raise InvalidModel(
            f"mimic joint {name!r} follows {model.names[master_id]!r}, which does not move by one number"
        )
    if master.nq == 1:
        q = master.idx_q
        low, high = master_interval(
            (model.lower_position_limit[q], model.upper_position_limit[q]),
            (follower.lower, follower.upper),
            multiplier,
            offset,
        )
        if low > high:
            raise InvalidModel(
                f"the limits of mimic joint {name!r} leave no room for its master {model.names[master_id]!r}"
            )
        model.lower_position_limit[q], model.upper_position_limit[q] = low, high
    if multiplier != 0.0:
        v = master.idx_v
        with np.errstate(over="ignore"):
            speed = np.float64(follower.speed) / abs(multiplier)
        model.velocity_limit[v] = min(model.velocity_limit[v], speed)
    joint._place(mimic=Mimic(master_id, multiplier, offset), idx_q=master.idx_q, idx_v=master.idx_v)


def master_interval(
    master: tuple[float, float], follower: tuple[float, float], multiplier: float, offset: float
) -> tuple[float, float]:
    """Interval of a master's coordinate in which it and its follower are within limits.

    Args:
        master: Limits of the master.
        follower: Limits of multiplier * master + offset.
        multiplier: Factor of the follower.
        offset: Offset of the follower.

    Returns:
        Lower and upper limit; lower above upper where there is no room.
    """
    if multiplier == 0.0:
        return master if follower[0] <= offset <= follower[1] else (np.inf, -np.inf)
    with np.errstate(over="ignore"):
        ends = sorted((np.float64(end) - offset) / multiplier for end in follower)
    return max(master[0], float(ends[0])), min(master[1], float(ends[1]))
