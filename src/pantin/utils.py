"""Small things that scripts written for Pinker and Pink ask for by these names."""

from __future__ import annotations

import os

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, count
from pantin.collision import GeometryData, collision_pairs
from pantin.kinematics.configurations import configuration_from_dict
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.model import Model
from pantin.kinematics.robot_wrapper import RobotWrapper

__all__ = [
    "VectorSpace",
    "custom_configuration_vector",
    "get_joint_idx",
    "get_root_joint_dim",
    "process_collision_pairs",
]


class VectorSpace:
    """A vector space by its dimension, with its characteristic arrays, which are read-only.

    Raises:
        InvalidArgument: If the dimension is not a whole number from 0.
    """

    __slots__ = ("_eye", "_ones", "_zeros")

    def __init__(self, dim: int) -> None:
        size = count("dim", dim)
        self._eye, self._ones, self._zeros = np.eye(size), np.ones(size), np.zeros(size)
        for values in (self._eye, self._ones, self._zeros):
            values.setflags(write=False)

    @property
    def dim(self) -> int:
        """Dimension of the space."""
        return len(self._ones)

    @property
    def eye(self) -> Array:
        """Identity, shape (dim, dim)."""
        return self._eye

    @property
    def ones(self) -> Array:
        """Vector of ones, shape (dim,)."""
        return self._ones

    @property
    def zeros(self) -> Array:
        """Zero vector, shape (dim,)."""
        return self._zeros

    def __reduce__(self) -> tuple[type[VectorSpace], tuple[int]]:
        return type(self), (self.dim,)

    def __repr__(self) -> str:
        return f"VectorSpace({self.dim})"


def custom_configuration_vector(robot: RobotWrapper | Model, **kwargs: npt.ArrayLike) -> Array:
    """Configuration with named joints at given values and the others at rest, by Pink's name.

    Args:
        robot: Robot, or its model.
        kwargs: Values by joint name, as in `kinematics.configuration_from_dict`.

    Returns:
        Configuration, shape (nq,).

    Raises:
        UnknownJoint: If the model has no joint of a name.
        InvalidArgument: If a value has the wrong size or is not finite; also known as `ConfigurationError`.
    """
    return configuration_from_dict(robot.model if isinstance(robot, RobotWrapper) else robot, kwargs)


def get_root_joint_dim(model: Model) -> tuple[int, int]:
    """Sizes (nq, nv) of the joint called "root_joint", or (0, 0)."""
    return model.get_root_joint_dim()


def get_joint_idx(model: Model, joint_name: str) -> tuple[int, int]:
    """First entries of a joint in a configuration and in a velocity.

    Raises:
        UnknownJoint: If there is no such joint.
    """
    joint = model.joints[model.get_joint_id(joint_name)]
    return joint.idx_q, joint.idx_v


def process_collision_pairs(
    model: Model, collision_model: GeometryModel, srdf_path: str | os.PathLike[str] = ""
) -> GeometryData:
    """Keep all shapes of different bodies apart, but for those that an SRDF file lets touch, by Pink's name.

    Neighbours count, too, as in Pink; `collision.collision_pairs` leaves them out, or chooses by names of links.

    Args:
        model: Robot model.
        collision_model: Its shapes; their `collision_pairs` are replaced.
        srdf_path: SRDF file with pairs of links that may touch; none where empty.

    Returns:
        What measures the pairs, for `Configuration(..., collision_model=..., collision_data=...)`.

    Raises:
        ModelFileError: If the SRDF file or a mesh cannot be read.
        MissingExtra: If `coal` is not installed (extra `collision`).
    """
    collision_model.collision_pairs = collision_pairs(model, collision_model, srdf_path or None, adjacent=True)
    return GeometryData(collision_model)
