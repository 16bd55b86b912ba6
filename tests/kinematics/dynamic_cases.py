"""Trees and states of them that the tests of dynamics share."""

from __future__ import annotations

import functools

import numpy as np

import pantin.kinematics as pt
from models import KINDS, arm, every_kind, mimic_tree, random_tree
from pantin.kinematics import ReferenceFrame

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
