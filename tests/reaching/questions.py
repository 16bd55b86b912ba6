"""Questions that the tests of reach share: frames, reachable targets, and judges of answers."""

from __future__ import annotations

import numpy as np

import pantin
from pantin.kinematics import random_configuration
from pantin.kinematics.batch import frame_placements

#: The frame at the end of each sample arm.
TIPS = {"panda": "panda_hand_tcp", "ur5e": "tool0", "arctos": "flange", "planar_3r": None}

#: Where two ways of computing an error may differ: a few roundings of a product of ten placements of a metre.
ROUNDING = 1e-14


def arm(name):
    """A sample arm and the name of its last frame."""
    model = pantin.load(name)
    return model, TIPS[name] or model.frames[-1].name


def configurations(model, count, seed=0):
    """Configurations anywhere within limits, shape (count, nq)."""
    return np.array([random_configuration(model, random_seed=[seed, k]) for k in range(count)])


def reachable(model, frame, count, seed=0, root=None):
    """Poses that a frame takes within limits, seen from the root, shape (count, 4, 4)."""
    q = configurations(model, count, seed)
    poses = frame_placements(model, frame, q)
    return poses if root is None else np.linalg.inv(frame_placements(model, root, q)) @ poses


def as_asked(mode, poses, unit=1.0):
    """What of some poses a mode asks for; the points to aim at are 0.3 m ahead, in metres of so many units."""
    if mode == "orientation":
        return poses[..., :3, :3]
    if mode == "direction":
        return poses[..., :3, 2]
    if mode == "position":
        return poses[..., :3, 3]
    return poses[..., :3, 3] + 0.3 * unit * poses[..., :3, 2] if mode == "pointing" else poses


def within_limits(model, q):
    """True if every number that can be limited is within its limits, exactly."""
    limited = model.has_configuration_limit()
    inside = (q >= model.lower_position_limit) & (q <= model.upper_position_limit)
    return bool((inside | ~limited).all())
