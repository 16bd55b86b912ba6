"""Problems that the tests of several residuals share."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import models
import pantin
from oracle import ROBOTS
from pantin.kinematics import (
    JointModelFreeFlyer,
    build_model_from_urdf,
    integrate,
    neutral,
    random_configuration,
)
from pantin.kinematics.batch import center_of_mass, frame_placements
from pantin.kinematics.configurations import clamp

#: Hands and feet of humanoids of `example-robot-data`.
HUMANOIDS = {
    "g1": (
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        ("left_rubber_hand", "right_rubber_hand"),
        ("left_ankle_roll_link", "right_ankle_roll_link"),
    ),
    "talos": (
        "talos_data/robots/talos_reduced.urdf",
        ("gripper_left_base_link", "gripper_right_base_link"),
        ("left_sole_link", "right_sole_link"),
    ),
}

needs_robots = pytest.mark.skipif(not ROBOTS.is_dir(), reason="example-robot-data is not installed")


@functools.cache
def humanoid(name, floating=True):
    """A humanoid, the names of its hands and those of its feet."""
    file, hands, feet = HUMANOIDS[name]
    return build_model_from_urdf(str(ROBOTS / file), JointModelFreeFlyer() if floating else None), hands, feet


def nearby(model, seed, size, q=None):
    """A configuration within limits, some radians from another one, the neutral one by default."""
    random = np.random.default_rng(seed)
    start = clamp(model, neutral(model) if q is None else q)
    return clamp(model, integrate(model, start, size * random.normal(size=model.nv)))


def pose(model, frame, q, root=None):
    """Pose of a frame seen from another one, shape (4, 4)."""
    placed = frame_placements(model, frame, q)
    return placed if root is None else np.linalg.inv(frame_placements(model, root, q)) @ placed


def every_aim(model, goal, random, *, weighted=False):
    """A problem with a residual of every kind, on frames and roots anywhere, all met by the configuration `goal`."""
    problem = pantin.Problem(model)
    frames = [f.name for f in model.frames if f.parent_joint > 0]

    def choice():
        while True:
            frame, root = random.choice(frames, 2, replace=False)
            root = None if random.random() < 0.4 else str(root)
            at = None if root is None else model.frames[model.get_frame_id(root)].parent_joint
            if model.frames[model.get_frame_id(str(frame))].parent_joint != at:
                return str(frame), root

    def weights(count):
        if not weighted:
            return None
        drawn = random.uniform(0.3, 2.0, count) * (random.random(count) < 0.7)
        return drawn if drawn.any() else np.ones(count)

    axis = random.normal(size=3)
    axis /= np.linalg.norm(axis)
    for mode, count in (("pose", 6), ("position", 3), ("orientation", 3)):
        frame, root = choice()
        seen = pose(model, frame, goal, root)
        target = {"pose": seen, "position": seen[:3, 3], "orientation": seen[:3, :3]}[mode]
        problem.add_frame(frame, target, mode=mode, root=root, weights=weights(count))
    frame, root = choice()
    factors = None if not weighted else [*random.uniform(0.3, 2.0, 4) * [1.0, 0.0, 1.0, 1.0]]
    problem.add_frame(frame, pose(model, frame, goal, root), mode="axis", root=root, tool_axis=axis, weights=factors)
    frame, root = choice()
    direction = pose(model, frame, goal, root)[:3, :3] @ axis
    problem.add_frame(frame, direction, mode="direction", root=root, tool_axis=axis)
    frame, root = choice()
    seen = pose(model, frame, goal, root)
    problem.add_look_at(frame, seen[:3, 3] + 0.7 * seen[:3, :3] @ axis, root=root, tool_axis=axis, weight=1.5)
    frame, root = choice()
    seen = pose(model, frame, goal, root)
    problem.add_pivot(frame, seen[:3, 3] - 0.2 * seen[:3, :3] @ axis, root=root, tool_axis=axis, weight=0.8)
    centre = center_of_mass(model, goal)
    problem.add_com([centre[0], None, centre[2]] if weighted else centre)
    return problem


def trees():
    """Models of every kind of joint, with and without followers."""
    return {"every kind": models.every_kind(3), "mimics": models.mimic_tree(2)}


def anywhere(model, seed):
    """A configuration within limits."""
    return random_configuration(model, random_seed=seed)
