"""Robots and trees that we and Pinocchio hold both, states of them, and comparisons of what both say."""

from __future__ import annotations

import functools
import warnings

import numpy as np

import pantin.kinematics as pt
from models import every_kind, random_tree
from oracle import ROBOTS, to_pinocchio
from pantin.errors import ModelFileWarning

FILES = sorted(ROBOTS.rglob("*.urdf"))
#: The robot has no links: Pinocchio cannot read it, and neither do we.
UNREADABLE = {"ur_description/urdf/ur3.urdf"}

#: Roundings of products along the longest chains, about thirty joints of metres and radians.
TOLERANCE = 1e-10


def robot_name(path):
    return path.relative_to(ROBOTS).as_posix()


ROBOT_FILES = [path for path in FILES if robot_name(path) not in UNREADABLE]


def robot_twins(path, free, mimic=False):
    """A robot read by us, and by Pinocchio; with mimic joints where we shall have them."""
    import pinocchio as pin

    theirs = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if free else []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        ours = pt.build_model_from_urdf(path, pt.JointModelFreeFlyer() if free else None, mimic=mimic)
    return ours, theirs


@functools.cache
def tree_twins(name):
    ours = every_kind() if name == "every kind" else random_tree([name, "R", name, "P"], 5, chain=True)
    return ours, to_pinocchio(ours)


class Sample:
    """A random configuration with velocities and accelerations, the same for both."""

    def __init__(self, ours, seed):
        random = np.random.default_rng(seed)
        self.q = pt.random_configuration(ours, random)
        self.q1 = pt.random_configuration(ours, random)
        self.v, self.a = random.normal(size=ours.nv), random.normal(size=ours.nv)


class Comparison:
    """Collects pairs of results and compares each kind at once, relative to its largest number."""

    def __init__(self):
        self.pairs = {}

    def add(self, name, mine, theirs):
        self.pairs.setdefault(name, []).append((np.array(mine), np.array(theirs)))

    def check(self):
        for name, pairs in self.pairs.items():
            for mine, theirs in pairs:
                assert mine.shape == theirs.shape, name
            scale = max(1.0, *(np.abs(theirs).max(initial=0.0) for _, theirs in pairs))
            gap = max(np.abs(mine - theirs).max(initial=0.0) for mine, theirs in pairs)
            assert gap <= TOLERANCE * scale, f"{name}: {gap:.3g} beside numbers up to {scale:.3g}"
