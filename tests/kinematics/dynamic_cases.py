"""Trees and states of them that the tests of dynamics share."""

from __future__ import annotations

import functools

import numpy as np

import pantin.kinematics as pt
from models import KINDS, arm, every_kind, mimic_tree, random_tree
from pantin.kinematics import JointModel, Model, ReferenceFrame

#: Some hundred roundings of sums over trees of up to 27 joints.
ROUNDING = 1e-11


def armed():
    """Every joint kind, with rotors."""
    model = every_kind(3)
    model.armature = np.random.default_rng(3).uniform(0.1, 2.0, model.nv)
    return model


def armed_mimics():
    """Followers whose masters have rotors."""
    model = mimic_tree(4)
    model.armature = np.random.default_rng(4).uniform(0.1, 2.0, model.nv)
    return model


TREES = {
    "every kind": every_kind,
    "every kind with rotors": armed,
    "arm": arm,
    "mimics": mimic_tree,
    "mimics with rotors": armed_mimics,
    **{f"two {kind}": functools.partial(random_tree, [kind, kind], 7, chain=True) for kind in KINDS},
}


class Case:
    """A model with its data, and one state of it: configuration, velocity, acceleration, forces on the bodies."""

    def __init__(self, model, seed=0):
        random = np.random.default_rng(seed)
        self.model, self.data = model, model.create_data()
        self.q = pt.random_configuration(model, random)
        self.v, self.a = random.normal(size=model.nv), random.normal(size=model.nv)
        self.forces = random.normal(size=(model.njoints, 6))

    @property
    def at_q(self):
        return self.model, self.data, self.q

    def after(self, dt):
        """Configuration and velocity a time later, to second order."""
        return pt.integrate(self.model, self.q, dt * self.v + 0.5 * dt * dt * self.a), self.v + dt * self.a

    def torques_of_forces(self):
        """J' f summed over the bodies."""
        total = np.zeros(self.model.nv)
        pt.compute_joint_jacobians(*self.at_q)
        for joint in range(1, self.model.njoints):
            total += pt.get_joint_jacobian(self.model, self.data, joint, ReferenceFrame.LOCAL).T @ self.forces[joint]
        return total


def close(mine, other, tolerance=ROUNDING):
    scale = max(1.0, np.abs(other).max(initial=0.0))
    np.testing.assert_allclose(mine, other, rtol=0.0, atol=tolerance * scale)


def freed(model):
    """The tree without mimics, and the map q = Q q' + c of its one-number coordinates, v = S v'."""
    free = Model()
    for i in range(1, model.njoints):
        joint = model.joints[i]
        own = JointModel(joint.jtype, joint.axis, lead=joint.lead)
        free.add_joint(model.parents[i], own, model.joint_placements[i], model.names[i])
        free.inertias[i] = model.inertias[i]
    S = np.zeros((free.nv, model.nv))
    for mine, theirs in zip(model.joints[1:], free.joints[1:], strict=True):
        factor = 1.0 if mine.mimic is None else mine.mimic.multiplier
        S[theirs.idx_v : theirs.idx_v + theirs.nv, mine.idx_v : mine.idx_v + theirs.nv] = factor * np.eye(theirs.nv)
    return free, S


def freed_configuration(model, free, q):
    """The configuration of the tree without mimics that looks like q."""
    angles = pt.configuration_to_dict(model, q)
    result = pt.neutral(free)
    for mine, theirs in zip(model.joints[1:], free.joints[1:], strict=True):
        own = q[mine.idx_q : mine.idx_q + theirs.nq]
        if mine.mimic is not None:
            own = mine.mimic.multiplier * angles[model.names[mine.mimic.master]] + mine.mimic.offset
        result[theirs.idx_q : theirs.idx_q + theirs.nq] = own
    return result
