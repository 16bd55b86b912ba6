"""Robots in both packages, and laws of rows, that tests of limits and barriers share."""

from __future__ import annotations

import functools
import warnings

import numpy as np

import pantin.kinematics as kin
from models import random_tree
from oracle import ROBOTS, to_pinker
from pantin.configuration import Configuration
from pantin.errors import ModelFileWarning

#: Robots of files: name, path, and whether they float.
ROBOT_FILES = {
    "panda": ("panda_description/urdf/panda.urdf", False),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", False),
    "solo": ("solo_description/robots/solo12.urdf", True),
    "bolt": ("bolt_description/robots/bolt.urdf", True),
    "tiago": ("tiago_description/robots/tiago.urdf", False),
    "talos": ("talos_data/robots/talos_reduced.urdf", True),
    "iris": ("iris_description/robots/iris.urdf", True),
    "double pendulum": ("double_pendulum_description/urdf/double_pendulum.urdf", False),
}
#: Trees of every joint kind that Pinker has.
TREES = {
    "arm": ["RZ", "RY", "PX", "R", "RX"],
    "every kind": ["free", "RX", "RUBY", "ball", "planar", "P", "RUB", "RZ"],
}
EVERYTHING = [*ROBOT_FILES, *TREES]


@functools.cache
def pairs(name):
    """A model of ours and Pinker's of the same robot; tests that edit it take copies."""
    import pinker.kinematics as pk

    if name in TREES:
        ours = random_tree(TREES[name], 7)
        return ours, to_pinker(ours)
    path, free = ROBOT_FILES[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        ours = kin.build_model_from_urdf(ROBOTS / path, kin.JointModelFreeFlyer() if free else None)
    return ours, pk.build_model_from_urdf(str(ROBOTS / path), pk.JointModelFreeFlyer() if free else None)


def both(name, q):
    """The robot at q, ours and Pinker's."""
    import pinker

    ours, theirs = pairs(name)
    return placed(ours, q), pinker.Configuration(theirs, theirs.create_data(), q)


def placed(model, q):
    """The robot at q."""
    return Configuration(model, model.create_data(), q)


def same_rows(ours, theirs, tolerance=1e-9):
    """Compare two pairs (G, h), or two absences of them."""
    if theirs is None or ours is None:
        assert ours is None
        assert theirs is None
        return
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def allowed(rows, random, size=10.0):
    """A displacement anywhere that rows on single entries allow, and at most `size` where nothing bounds it."""
    G, h = rows
    nv = G.shape[1]
    lower, upper = np.full(nv, -size), np.full(nv, size)
    for row, most in zip(G, h, strict=True):
        (entry,) = np.flatnonzero(row)
        if row[entry] > 0.0:
            upper[entry] = min(upper[entry], most)
        else:
            lower[entry] = max(lower[entry], -most)
    assert (lower <= upper + 1e-15).all()
    # often at a bound, where limits matter
    return lower + np.clip(random.uniform(-0.5, 1.5, nv), 0.0, 1.0) * (upper - lower)


def outside(model, q):
    """How far a configuration is outside of its model's position limits."""
    limited = model.has_configuration_limit()
    low, high = model.lower_position_limit[limited], model.upper_position_limit[limited]
    return float(np.maximum(low - q[limited], q[limited] - high).max(initial=0.0))
