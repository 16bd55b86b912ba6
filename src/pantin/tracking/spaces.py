"""What targets can be: values, and displacements between them."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from pantin.arrays import Array, array, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.algorithms import integrate
from pantin.kinematics.configurations import configuration_from_dict, configuration_to_dict
from pantin.kinematics.model import Model
from pantin.kinematics.poses import as_rotation
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import exp3, rpy_to_matrix
from pantin.tracking.parts import joint_vector

__all__ = ["Poses", "Space", "space_of"]


class Space(abc.ABC):
    """Values that a target can take, and displacements between them."""

    @abc.abstractmethod
    def fixed(self, key: str, value: Any, start: Any) -> Any:
        """A value out of what a document says under a key; what it leaves open is as at the start, if there is one."""

    @abc.abstractmethod
    def displacement(self, by: Any, turn: Any) -> Array:
        """A displacement out of what a document says."""

    @abc.abstractmethod
    def moved(self, value: Any, displacement: Array) -> Any:
        """A value, displaced."""


class Poses(Space):
    """Poses, moved and turned about the axes of the frame that they are given in: 3 numbers, or 6 with a turn."""

    def fixed(self, key: str, value: Any, start: Any) -> SE3:
        """A pose out of `position` and `quaternion` or `rpy`."""
        known = ("position", "quaternion", "rpy")
        if not isinstance(value, dict) or not value or value.keys() - set(known):
            raise InvalidArgument(key, f"expected a pose of {', '.join(known)}, got {value!r}")
        if {"quaternion", "rpy"} <= value.keys():
            raise InvalidArgument(key, "give a quaternion or rpy, not both")
        rotation, place = (np.eye(3), np.zeros(3)) if start is None else (start.rotation, start.translation)
        if "position" in value:
            place = vector("position", value["position"], 3)
        if "quaternion" in value:
            rotation = as_rotation("quaternion", vector("quaternion", value["quaternion"], 4))
        if "rpy" in value:
            rotation = rpy_to_matrix(*vector("rpy", value["rpy"], 3))
        return SE3(rotation, place)

    def displacement(self, by: Any, turn: Any) -> Array:
        """Metres and radians of a rotation vector."""
        moved = np.zeros(3) if by is None else vector("by", by, 3)
        return moved.copy() if turn is None else np.concatenate([moved, vector("turn", turn, 3)])

    def moved(self, value: SE3, displacement: Array) -> SE3:
        """The pose, moved and turned."""
        turned = value.rotation if displacement.size == 3 else exp3(displacement[3:]) @ value.rotation
        return SE3(turned, value.translation + displacement[:3])


class Numbers(Space):
    """Numbers such as points; one of them may stand alone."""

    def fixed(self, key: str, value: Any, start: Any) -> Array:
        """Numbers, as many as at the start."""
        given = np.atleast_1d(array(key, value))
        return given if start is None else vector(key, given, np.size(start))

    def displacement(self, by: Any, turn: Any) -> Array:
        """As many numbers."""
        if by is None or turn is not None:
            raise InvalidArgument("turn" if by is not None else "by", "this target is moved by numbers; give `by`")
        return np.atleast_1d(array("by", by))

    def moved(self, value: Array, displacement: Array) -> Array:
        """The sum."""
        value = np.atleast_1d(value)
        if displacement.shape != value.shape:
            raise InvalidArgument("by", f"this target has {value.size} numbers, got {displacement.size}")
        return np.asarray(value + displacement)


class Velocities(Numbers):
    """Velocities behind the root joint by the names of joints; the others are at rest."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def fixed(self, key: str, value: Any, start: Any) -> Array:
        """Numbers by the names of joints, or all of them."""
        return self._vector(value) if isinstance(value, dict) else super().fixed(key, value, start)

    def displacement(self, by: Any, turn: Any) -> Array:
        """Numbers by the names of joints, or all of them."""
        return self._vector(by) if isinstance(by, dict) else super().displacement(by, turn)

    def _vector(self, values: dict[str, Any]) -> Array:
        return joint_vector(self.model, values, np.zeros(self.model.nv))[self.model.get_root_joint_dim()[1] :]


class Configurations(Velocities):
    """Configurations by the names of joints; the others are as at the start."""

    def _vector(self, values: dict[str, Any]) -> Array:
        return joint_vector(self.model, values, np.zeros(self.model.nv))

    def fixed(self, key: str, value: Any, start: Any) -> Array:
        """Angles by the names of joints."""
        if not isinstance(value, dict):
            raise InvalidArgument(key, f"expected joints by name, such as {{elbow = 0.1}}, got {value!r}")
        for name in value:
            self.model.get_joint_id(name)
        return configuration_from_dict(self.model, {**configuration_to_dict(self.model, start), **value})

    def moved(self, value: Array, displacement: Array) -> Array:
        """The configuration, integrated."""
        return integrate(self.model, value, vector("by", displacement, self.model.nv))


def space_of(parameter: str, model: Model) -> Space:
    """What a task takes as its target, by what its `set_target` calls it.

    Args:
        parameter: Name of that argument.
        model: Model of the robot.
    """
    if parameter.startswith("transform"):
        return Poses()
    if parameter == "target_q":
        return Configurations(model)
    return Velocities(model) if parameter == "target_v" else Numbers()
