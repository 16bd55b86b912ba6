"""Kinematics of one configuration.

Functions of a model, a data and a configuration; the names and conventions are Pinocchio's in snake case.
Those imported from the core are its hottest calls.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin._core import (
    Data,
    center_of_mass,
    compute_frame_jacobian,
    compute_joint_jacobians,
    difference,
    exp3,
    exp6,
    forward_kinematics,
    frames_forward_kinematics,
    get_acceleration,
    get_classical_acceleration,
    get_frame_acceleration,
    get_frame_classical_acceleration,
    get_frame_jacobian,
    get_frame_velocity,
    get_joint_jacobian,
    get_velocity,
    integrate,
    jacobian_center_of_mass,
    log6,
    update_frame_placements,
)
from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.configurations import custom_configuration, neutral
from pantin.kinematics.doors import compiled_tree, frame_index, joint_index, reference_frame_index, require_data
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3, Jexp6, Jlog6
from pantin.kinematics.so3 import Jexp3, Jlog3, log3

__all__ = [
    "ARG0",
    "ARG1",
    "Jexp3",
    "Jexp6",
    "Jlog3",
    "Jlog6",
    "center_of_mass",
    "compute_frame_jacobian",
    "compute_joint_jacobians",
    "compute_joint_jacobians_time_variation",
    "custom_configuration",
    "d_difference",
    "d_integrate",
    "difference",
    "exp3",
    "exp6",
    "forward_kinematics",
    "frames_forward_kinematics",
    "get_acceleration",
    "get_classical_acceleration",
    "get_frame_acceleration",
    "get_frame_classical_acceleration",
    "get_frame_jacobian",
    "get_frame_jacobian_time_variation",
    "get_frame_velocity",
    "get_joint_jacobian",
    "get_joint_jacobian_time_variation",
    "get_velocity",
    "integrate",
    "jacobian_center_of_mass",
    "log3",
    "log6",
    "neutral",
    "update_frame_placements",
]

#: First argument of `d_difference` (q0) and `d_integrate` (q).
ARG0: Literal[0] = 0
#: Second argument of `d_difference` (q1) and `d_integrate` (v).
ARG1: Literal[1] = 1


def d_difference(model: Model, q0: npt.ArrayLike, q1: npt.ArrayLike, arg: int = ARG0) -> Array:
    """Derivative of `difference` with respect to one of its configurations.

    Sola, Deray, Atchuthan 2018, eq. 79 to 83: the inverse Jacobians of the exponential.

    Args:
        model: Robot model.
        q0: Configuration to start from, shape (nq,).
        q1: Configuration to go to, shape (nq,).
        arg: `ARG0` for q0, `ARG1` for q1.

    Returns:
        Jacobian in the tangent of that configuration, shape (nv, nv).

    Raises:
        InvalidArgument: If a configuration has the wrong size, is not finite or not normalised, or `arg` is unknown.
    """
    return _core._d_difference(compiled_tree(model), q0, q1, _argument(arg))


def d_integrate(model: Model, q: npt.ArrayLike, v: npt.ArrayLike, arg: int = ARG0) -> Array:
    """Derivative of `integrate` with respect to the configuration or the displacement.

    Args:
        model: Robot model.
        q: Configuration, shape (nq,).
        v: Displacement in the tangent at q, shape (nv,).
        arg: `ARG0` for q, `ARG1` for v.

    Returns:
        Jacobian into the tangent at the result, shape (nv, nv).

    Raises:
        InvalidArgument: If a vector has the wrong size or is not finite, or `arg` is unknown.
    """
    tree = compiled_tree(model)
    vector("q", q, model.nq)
    return _core._d_integrate(tree, v, _argument(arg))


def compute_joint_jacobians_time_variation(model: Model, data: Data, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
    """Rate of the joint screws about the world's origin.

    Args:
        model: Robot model.
        data: Data of the model; placements, velocities, `J` and `dJ` are updated.
        q: Configuration, shape (nq,).
        v: Velocity, shape (nv,).

    Returns:
        Copy of `data.dJ`, shape (6, nv).

    Raises:
        InvalidArgument: If a vector has the wrong size, is not finite, or q is not normalised.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """
    require_data(model, data)
    forward_kinematics(model, data, q, vector("v", v, model.nv))
    _core._screw_rates(data)
    return data.dJ.copy()


def get_frame_jacobian_time_variation(
    model: Model, data: Data, frame_id: int | str, reference_frame: ReferenceFrame = ReferenceFrame.LOCAL
) -> Array:
    """Rate of a frame's Jacobian, after `compute_joint_jacobians_time_variation`.

    Args:
        model: Robot model.
        data: Data with screw rates.
        frame_id: Index or name of the frame.
        reference_frame: Frame the Jacobian is expressed in.

    Returns:
        Rate, shape (6, nv); times v it is what the acceleration lacks beside J dv: the spatial one, in
        LOCAL_WORLD_ALIGNED the classical one, since that Jacobian follows the point.
    """
    joint, pose = _frame_pose(model, data, frame_id)
    return _core._jacobian_rate(data, joint, pose, reference_frame_index(reference_frame))


def get_joint_jacobian_time_variation(
    model: Model, data: Data, joint_id: int | str, reference_frame: ReferenceFrame = ReferenceFrame.LOCAL
) -> Array:
    """Rate of a joint frame's Jacobian, after `compute_joint_jacobians_time_variation`.

    Args:
        model: Robot model.
        data: Data with screw rates.
        joint_id: Index or name of the joint.
        reference_frame: Frame the Jacobian is expressed in.

    Returns:
        Rate, shape (6, nv).
    """
    joint, pose = _joint_pose(model, data, joint_id)
    return _core._jacobian_rate(data, joint, pose, reference_frame_index(reference_frame))


def _argument(arg: int) -> int:
    if isinstance(arg, bool) or not isinstance(arg, int | np.integer) or arg not in (ARG0, ARG1):
        raise InvalidArgument("arg", f"expected ARG0 or ARG1, got {arg!r}")
    return int(arg)


def _frame_pose(model: Model, data: Data, frame_id: int | str) -> tuple[int, SE3]:
    """Joint that carries a frame, and the frame's pose from that joint's."""
    require_data(model, data)
    frame = model.frames[frame_index(model, frame_id)]
    return frame.parent_joint, data.oMi[frame.parent_joint] * frame.placement


def _joint_pose(model: Model, data: Data, joint_id: int | str) -> tuple[int, SE3]:
    """A joint and its pose."""
    require_data(model, data)
    joint = joint_index(model, joint_id)
    return joint, data.oMi[joint]
