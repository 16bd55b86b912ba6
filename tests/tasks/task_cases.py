"""Tasks of every kind on any model, twins of them in Pinker, and differences on the manifold."""

from __future__ import annotations

import functools
import warnings

import numpy as np

import pantin.kinematics as pt
from models import KINDS, every_kind, mimic_tree, random_tree
from oracle import ROBOTS, to_pinker
from pantin import tasks
from pantin.configuration import Configuration
from pantin.errors import ModelFileWarning

#: Roundings along a chain of thirty joints, of metres and radians.
TOLERANCE = 1e-9

#: Step of central differences and what is left of their second order and of rounding: h^2 and 1e-16 / h.
STEP, DIFFERENCE = 1e-6, 2e-8

FILES = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
    "anymal": "anymal_b_simple_description/robots/anymal.urdf",
    "tiago": "tiago_description/robots/tiago_no_hand.urdf",
}
FREE = {"g1", "talos", "anymal"}

#: Kinds that Pinker has, too.
PINKER_KINDS = [kind for kind in KINDS if not kind.startswith("H")]


@functools.cache
def robot(name):
    """A robot of example-robot-data, or a tree."""
    if name == "every kind":
        return every_kind()
    if name == "mimics":
        return mimic_tree()
    if name == "tree":
        return rooted(["free", *(kind for kind in PINKER_KINDS if kind != "free")], 3)
    if name in KINDS:
        return random_tree([name, "R", name, "P"], 5, chain=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        return pt.build_model_from_urdf(ROBOTS / FILES[name], pt.JointModelFreeFlyer() if name in FREE else None)


def rooted(kinds, seed):
    """Random tree whose first joint is the root of a robot."""
    plain, model = random_tree(kinds, seed), pt.Model()
    for i in range(1, plain.njoints):
        joint, name = plain.joints[i].copy(), "root_joint" if i == 1 else plain.names[i]
        model.add_joint(plain.parents[i], joint, plain.joint_placements[i], name)
        model.append_body_to_joint(i, plain.inertias[i])
    for frame in plain.frames[1:]:
        model.add_frame(frame)
    return model


def place(model, seed):
    """The robot somewhere within its limits."""
    return Configuration(model, model.create_data(), pt.random_configuration(model, seed))


def near(configuration, seed, size=0.3):
    """The robot a little farther."""
    v = np.random.default_rng(seed).normal(size=configuration.model.nv)
    return configuration.integrate(size * v, 1.0)


@functools.cache
def pinker_robot(name):
    return to_pinker(robot(name))


def pinker_place(name, configuration):
    import pinker

    model = pinker_robot(name)
    return pinker.Configuration(model, model.create_data(), configuration.q)


def pinker_pose(pose):
    import pinker.kinematics as pk

    return pk.SE3(pose.rotation.copy(), pose.translation.copy())


def depth(model, frame):
    """How many joints carry a frame."""
    joint, count = frame.parent_joint, 0
    while joint > 0:
        joint, count = model.parents[joint], count + 1
    return count


def frame_pair(model, seed=0):
    """Two frames on different joints, the first one far from the root."""
    frames = sorted(model.frames[1:], key=lambda frame: depth(model, frame))
    others = [frame for frame in frames if 0 < frame.parent_joint != frames[-1].parent_joint]
    return frames[-1].name, others[np.random.default_rng(seed).integers(len(others))].name


def centre(configuration, frame):
    return configuration.get_transform_frame_to_world(frame).translation


def aimed(kind, there, frame, root):
    task = kind(frame, cost=[1.0, 2.0], axis=(0.3, -0.5, 0.8), root=root)
    task.set_target(np.random.default_rng(7).normal(size=3))
    return task


def closing(mode):
    def make(there, frame, root):
        task = tasks.ClosedLoopTask(frame, root, cost=2.0, mode=mode, axis="-x")
        task.set_target_from_configuration(there)
        return task

    return make


def with_target(make):
    def made(there, frame, root):
        task = make(there, frame, root)
        task.set_target_from_configuration(there)
        return task

    return made


def relations(there, frame, root):
    random, nv = np.random.default_rng(4), there.model.nv
    return tasks.LinearHolonomicTask(random.normal(size=(3, nv)), random.normal(size=3), there.q, cost=[1.0, 2.0, 3.0])


#: Tasks whose Jacobian is the derivative of their error: (a place of the robot, frame, other frame) to task.
DERIVED = {
    "frame": with_target(lambda there, frame, root: tasks.FrameTask(frame, 1.0, [0.5, 1.0, 2.0])),
    "relative frame": with_target(
        lambda there, frame, root: tasks.RelativeFrameTask(frame, root, [1.0, 2.0, 0.5], 2.0)
    ),
    "com": with_target(lambda there, frame, root: tasks.ComTask([1.0, 2.0, 3.0])),
    "holonomic": relations,
    "look at": lambda there, frame, root: aimed(tasks.LookAtTask, there, frame, None),
    "look at a frame": lambda there, frame, root: aimed(tasks.LookAtTask, there, frame, root),
    "pivot": lambda there, frame, root: aimed(tasks.PivotTask, there, frame, None),
    "pivot on a frame": lambda there, frame, root: aimed(tasks.PivotTask, there, frame, root),
    "distance": with_target(lambda there, frame, root: tasks.DistanceTask(frame, root, 2.0)),
    "loop": closing("pose"),
    "loop, position": closing("position"),
    "loop, axis": closing("axis"),
}


def momentum(there, frame, root):
    task = tasks.CentroidalMomentumTask([1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
    task.set_target([1.0, 2.0, 3.0, -1.0, 0.5, 0.0], 0.01)
    return task


def velocity(there, frame, root):
    task = tasks.JointVelocityTask(1.5)
    task.set_target(np.linspace(-1.0, 1.0, there.model.nv - there.model.get_root_joint_dim()[1]), 0.01)
    return task


def going_on(there, frame, root):
    task = tasks.LowAccelerationTask(1.5)
    task.set_last_integration(np.linspace(-1.0, 1.0, there.model.nv), 0.01)
    return task


#: All tasks.
MAKERS = {
    **DERIVED,
    "posture": with_target(lambda there, frame, root: tasks.PostureTask(0.5)),
    "damping": lambda there, frame, root: tasks.DampingTask(0.5),
    "joint velocity": velocity,
    "low acceleration": going_on,
    "momentum": momentum,
    "rolling": lambda there, frame, root: tasks.RollingTask(frame, root, 0.1, [1.0, 2.0, 3.0]),
    "omniwheel": lambda there, frame, root: tasks.OmniwheelTask(frame, root, 0.1, [1.0, 2.0]),
    "manipulability": lambda there, frame, root: tasks.ManipulabilityTask(frame, there.model, mask="position"),
}


def derivative(function, configuration):
    """Central differences of a function of a configuration on the manifold, shape (k, nv)."""

    def along(v):
        return np.asarray(function(configuration.integrate(v, STEP))) - function(configuration.integrate(-v, STEP))

    return np.column_stack([along(v) for v in np.eye(configuration.model.nv)]) / (2.0 * STEP)


def assert_same_rows(ours, theirs, configuration, other):
    """Error and Jacobian of two tasks are the same, and so is what they add to an objective."""
    np.testing.assert_allclose(
        ours.compute_error(configuration), theirs.compute_error(other), rtol=TOLERANCE, atol=TOLERANCE
    )
    np.testing.assert_allclose(
        ours.compute_jacobian(configuration), theirs.compute_jacobian(other), rtol=TOLERANCE, atol=TOLERANCE
    )
    for mine, pinkers in zip(ours.compute_qp_objective(configuration), theirs.compute_qp_objective(other), strict=True):
        np.testing.assert_allclose(mine, pinkers, rtol=TOLERANCE, atol=TOLERANCE * max(1.0, np.abs(pinkers).max()))
