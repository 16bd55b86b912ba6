"""Names and units for the numbers of configurations and velocities, joint by joint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
)
from pantin.kinematics.model import Model

__all__ = ["COMPONENTS", "JointValue", "joint_values", "velocity_values"]

_QUATERNION = (("qx", ""), ("qy", ""), ("qz", ""), ("qw", ""))

#: Names and units of the numbers of a joint that has several.
COMPONENTS: Mapping[int, tuple[tuple[str, str], ...]] = {
    JT_SPHERICAL: _QUATERNION,
    JT_PLANAR: (("x", "m"), ("y", "m"), ("cos", ""), ("sin", "")),
    JT_FREEFLYER: (("x", "m"), ("y", "m"), ("z", "m"), *_QUATERNION),
}


#: The same for its velocity.
_LINEAR, _ANGULAR = (tuple((f"{kind}{axis}", unit) for axis in "xyz") for kind, unit in (("v", "m/s"), ("w", "rad/s")))
TANGENT_COMPONENTS: Mapping[int, tuple[tuple[str, str], ...]] = {
    JT_SPHERICAL: _ANGULAR,
    JT_PLANAR: (*_LINEAR[:2], _ANGULAR[2]),
    JT_FREEFLYER: (*_LINEAR, *_ANGULAR),
}


class JointValue(NamedTuple):
    """One number of a configuration or of a velocity, or of many.

    Attributes:
        joint: Name of its joint.
        component: Which number of the joint, empty where the joint has one.
        offset: The same, counted from 0.
        value: The number, shape (...); of a configuration the angle of a continuous joint.
        unit: "rad", "m", or the like for velocities; "" for a number without unit.
    """

    joint: str
    component: str
    offset: int
    value: Array
    unit: str

    @property
    def label(self) -> str:
        """Joint and component in one word."""
        return f"{self.joint}.{self.component}" if self.component else self.joint


def joint_values(model: Model, q: Array) -> list[JointValue]:
    """Numbers of configurations with names and units, mimic joints included.

    Args:
        model: Model of the configurations.
        q: Configurations, shape (..., nq).

    Returns:
        One entry per number; continuous joints give their angle instead of cosine and sine.
    """
    values: list[JointValue] = []
    for joint_id in range(1, model.njoints):
        joint = model.joints[joint_id]
        name = model.names[joint_id]
        if joint.jtype in COMPONENTS:
            values += [
                JointValue(name, component, index, q[..., joint.idx_q + index], unit)
                for index, (component, unit) in enumerate(COMPONENTS[joint.jtype])
            ]
        else:
            unit = "m" if joint.jtype == JT_PRISMATIC else "rad"
            values.append(JointValue(name, "", 0, _single(model, joint_id, q), unit))
    return values


def velocity_values(model: Model, v: Array) -> list[JointValue]:
    """Numbers of velocities with names and units; mimic joints have none of their own.

    Args:
        model: Model of the velocities.
        v: Velocities, shape (..., nv).

    Returns:
        One entry per number, in their order.
    """
    values: list[JointValue] = []
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.mimic is None:
            single = (("", "m/s" if joint.jtype == JT_PRISMATIC else "rad/s"),)
            values += [
                JointValue(name, component, index, v[..., joint.idx_v + index], unit)
                for index, (component, unit) in enumerate(TANGENT_COMPONENTS.get(joint.jtype, single))
            ]
    return values


def _single(model: Model, joint_id: int, q: Array) -> Array:
    """Angle or displacement of a joint of one freedom, shape (...)."""
    joint = model.joints[joint_id]
    if joint.mimic is not None:
        return np.asarray(joint.mimic.multiplier * _single(model, int(joint.mimic.master), q) + joint.mimic.offset)
    if joint.jtype == JT_REVOLUTE_UNBOUNDED:
        return np.asarray(np.arctan2(q[..., joint.idx_q + 1], q[..., joint.idx_q]))
    return np.asarray(q[..., joint.idx_q])
