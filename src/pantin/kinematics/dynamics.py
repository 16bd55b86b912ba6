"""Dynamics of one configuration: torques, accelerations, inertia, energy and momentum.

Functions of a model, a data and a configuration; names and conventions are Pinocchio's in snake case. All of them are
calls of the core. `Model.gravity` acts on every body; `Model.armature` is the inertia of rotors, added to the
diagonal of the mass matrix by all functions alike (not to the centroidal momentum, which is that of the bodies).
Bodies that the universe carries count nowhere.

Forces and torques of a mimic joint count for its master, times the multiplier. `aba` refuses a model with a joint
that moves no inertia (a massless last body, say), where Pinocchio answers NaN.
"""

from __future__ import annotations

from pantin._core import (
    aba,
    ccrba,
    compute_centroidal_map,
    compute_centroidal_momentum,
    compute_generalized_gravity,
    compute_kinetic_energy,
    compute_mechanical_energy,
    compute_potential_energy,
    compute_static_torque,
    crba,
    non_linear_effects,
    rnea,
)

__all__ = [
    "aba",
    "ccrba",
    "compute_centroidal_map",
    "compute_centroidal_momentum",
    "compute_generalized_gravity",
    "compute_kinetic_energy",
    "compute_mechanical_energy",
    "compute_potential_energy",
    "compute_static_torque",
    "crba",
    "non_linear_effects",
    "rnea",
]
