"""Positions, velocities and accelerations between MuJoCo's layout and that of a `Model`.

Both list the same joints in the same order. They differ in the quaternion (MuJoCo's is wxyz), in the
free joint's velocity (MuJoCo's linear part is the velocity of the body's origin along world axes, the
angular part is along the body's own), and in coupled joints, which have no entry of their own here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pantin import arrays
from pantin.arrays import Array
from pantin.errors import InvalidArgument, InvalidModel
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_SPHERICAL,
    JointModel,
)
from pantin.kinematics.model import Model

__all__ = [
    "acceleration_from_qacc",
    "configuration_from_qpos",
    "qacc_from_acceleration",
    "qpos_from_configuration",
    "qvel_from_velocity",
    "velocity_from_qvel",
]

#: Entries of `qpos` and `qvel` for each kind of joint that MuJoCo has.
_SIZES = {JT_REVOLUTE: (1, 1), JT_PRISMATIC: (1, 1), JT_SPHERICAL: (4, 3), JT_FREEFLYER: (7, 6)}
_WXYZ_TO_XYZW = [1, 2, 3, 0]
_XYZW_TO_WXYZ = [3, 0, 1, 2]


def configuration_from_qpos(model: Model, qpos: npt.ArrayLike) -> Array:
    """Configuration of the model for a MuJoCo position vector.

    Quaternions are reordered and normalised. Coupled joints leave their entry to their master.

    Args:
        model: Model built by `build_model_from_mjcf`.
        qpos: MuJoCo positions, shape `(..., mujoco nq)`, m and rad, quaternions wxyz.

    Returns:
        Configuration, shape `(..., model.nq)`, quaternions xyzw.

    Raises:
        InvalidArgument: If the last axis has another size, a number is not finite, or a quaternion is zero.
        InvalidModel: If the model has a kind of joint that MuJoCo lacks.
    """
    given = arrays.batch("qpos", qpos, _total(model, 0))
    q = np.empty((*given.shape[:-1], model.nq))
    for joint, at, _ in _walk(model):
        if joint.mimic is not None:
            continue
        q[..., joint.idx_q : joint.idx_q + joint.nq] = given[..., at : at + joint.nq]
        if joint.nq > 1:
            quaternion = given[..., at + joint.nq - 4 : at + joint.nq]
            norm = np.linalg.norm(quaternion, axis=-1, keepdims=True)
            if not (norm > 0.0).all():
                raise InvalidArgument("qpos", f"the quaternion that starts at entry {at + joint.nq - 4} is zero")
            q[..., joint.idx_q + joint.nq - 4 : joint.idx_q + joint.nq] = (quaternion / norm)[..., _WXYZ_TO_XYZW]
    return q


def qpos_from_configuration(model: Model, q: npt.ArrayLike) -> Array:
    """MuJoCo position vector for a configuration of the model, coupled joints included.

    Args:
        model: Model built by `build_model_from_mjcf`.
        q: Configuration, shape `(..., model.nq)`, m and rad, quaternions xyzw.

    Returns:
        MuJoCo positions, shape `(..., mujoco nq)`, quaternions wxyz.

    Raises:
        InvalidArgument: If the last axis has another size, or a number is not finite.
        InvalidModel: If the model has a kind of joint that MuJoCo lacks.
    """
    given = arrays.batch("q", q, model.nq)
    qpos = np.empty((*given.shape[:-1], _total(model, 0)))
    for joint, at, _ in _walk(model):
        if joint.mimic is not None:
            qpos[..., at] = joint.mimic.multiplier * given[..., joint.idx_q] + joint.mimic.offset
            continue
        qpos[..., at : at + joint.nq] = given[..., joint.idx_q : joint.idx_q + joint.nq]
        if joint.nq > 1:
            quaternion = given[..., joint.idx_q + joint.nq - 4 : joint.idx_q + joint.nq]
            qpos[..., at + joint.nq - 4 : at + joint.nq] = quaternion[..., _XYZW_TO_WXYZ]
    return qpos


def velocity_from_qvel(model: Model, q: npt.ArrayLike, qvel: npt.ArrayLike) -> Array:
    """Tangent velocity of the model for a MuJoCo velocity vector.

    A free joint's linear velocity goes from world to body axes, `v = R' qvel`; all else is the same.
    Generalised forces of a model without coupled joints transform alike, as R is orthogonal.

    Args:
        model: Model built by `build_model_from_mjcf`.
        q: Configuration, shape `(..., model.nq)`, m and rad.
        qvel: MuJoCo velocities, shape `(..., mujoco nv)`, m/s and rad/s.

    Returns:
        Velocity, shape `(..., model.nv)`.

    Raises:
        InvalidArgument: If a last axis has another size, or a number is not finite.
        InvalidModel: If the model has a kind of joint that MuJoCo lacks.
    """
    configuration = arrays.batch("q", q, model.nq)
    v = _reduced(model, arrays.batch("qvel", qvel, _total(model, 1)), configuration)
    for joint, _, _ in _free_joints(model):
        _turn(configuration, joint, v[..., joint.idx_v : joint.idx_v + 3], inverse=True)
    return v


def qvel_from_velocity(model: Model, q: npt.ArrayLike, v: npt.ArrayLike) -> Array:
    """MuJoCo velocity vector for a tangent velocity of the model, coupled joints included.

    Args:
        model: Model built by `build_model_from_mjcf`.
        q: Configuration, shape `(..., model.nq)`, m and rad.
        v: Velocity, shape `(..., model.nv)`, m/s and rad/s.

    Returns:
        MuJoCo velocities, shape `(..., mujoco nv)`.

    Raises:
        InvalidArgument: If a last axis has another size, or a number is not finite.
        InvalidModel: If the model has a kind of joint that MuJoCo lacks.
    """
    configuration = arrays.batch("q", q, model.nq)
    qvel = _expanded(model, arrays.batch("v", v, model.nv), configuration)
    for joint, _, at in _free_joints(model):
        _turn(configuration, joint, qvel[..., at : at + 3], inverse=False)
    return qvel


def acceleration_from_qacc(model: Model, q: npt.ArrayLike, v: npt.ArrayLike, qacc: npt.ArrayLike) -> Array:
    """Tangent acceleration of the model for a MuJoCo acceleration vector.

    MuJoCo differentiates a free joint's linear velocity along fixed axes, the model along the body's
    moving ones: `a = R' qacc - omega x v`.

    Args:
        model: Model built by `build_model_from_mjcf`.
        q: Configuration, shape `(..., model.nq)`, m and rad.
        v: Velocity, shape `(..., model.nv)`, m/s and rad/s.
        qacc: MuJoCo accelerations, shape `(..., mujoco nv)`, m/s^2 and rad/s^2.

    Returns:
        Acceleration, shape `(..., model.nv)`.

    Raises:
        InvalidArgument: If a last axis has another size, or a number is not finite.
        InvalidModel: If the model has a kind of joint that MuJoCo lacks.
    """
    velocity = arrays.batch("v", v, model.nv)
    a = np.array(np.broadcast_arrays(velocity_from_qvel(model, q, arrays.array("qacc", qacc)), velocity)[0])
    for joint, _, _ in _free_joints(model):
        a[..., joint.idx_v : joint.idx_v + 3] -= _spin(velocity, joint)
    return a


def qacc_from_acceleration(model: Model, q: npt.ArrayLike, v: npt.ArrayLike, a: npt.ArrayLike) -> Array:
    """MuJoCo acceleration vector for a tangent acceleration of the model: `qacc = R (a + omega x v)`.

    Args:
        model: Model built by `build_model_from_mjcf`.
        q: Configuration, shape `(..., model.nq)`, m and rad.
        v: Velocity, shape `(..., model.nv)`, m/s and rad/s.
        a: Acceleration, shape `(..., model.nv)`, m/s^2 and rad/s^2.

    Returns:
        MuJoCo accelerations, shape `(..., mujoco nv)`.

    Raises:
        InvalidArgument: If a last axis has another size, or a number is not finite.
        InvalidModel: If the model has a kind of joint that MuJoCo lacks.
    """
    velocity = arrays.batch("v", v, model.nv)
    moving = np.array(np.broadcast_arrays(arrays.batch("a", a, model.nv), velocity)[0])
    for joint, _, _ in _free_joints(model):
        moving[..., joint.idx_v : joint.idx_v + 3] += _spin(velocity, joint)
    return qvel_from_velocity(model, q, moving)


def _walk(model: Model) -> Iterator[tuple[JointModel, int, int]]:
    """Each joint with its first entry in `qpos` and in `qvel`."""
    position = velocity = 0
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        if joint.jtype not in _SIZES:
            raise InvalidModel(f"joint {name!r} is a {joint.shortname()}, a kind of joint that MuJoCo lacks")
        yield joint, position, velocity
        position += _SIZES[joint.jtype][0]
        velocity += _SIZES[joint.jtype][1]


def _free_joints(model: Model) -> list[tuple[JointModel, int, int]]:
    return [entry for entry in _walk(model) if entry[0].jtype == JT_FREEFLYER]


def _total(model: Model, which: int) -> int:
    """Size of MuJoCo's `qpos` (0) or `qvel` (1)."""
    return sum(_SIZES[joint.jtype][which] for joint, _, _ in _walk(model))


def _reduced(model: Model, qvel: Array, q: Array) -> Array:
    """Entries of the joints that are nobody's followers, for each configuration."""
    v = np.empty((*np.broadcast_shapes(qvel.shape[:-1], q.shape[:-1]), model.nv))
    for joint, _, at in _walk(model):
        if joint.mimic is None:
            v[..., joint.idx_v : joint.idx_v + joint.nv] = qvel[..., at : at + joint.nv]
    return v


def _expanded(model: Model, v: Array, q: Array) -> Array:
    """Entries of all joints, followers at their multiple of the master's, for each configuration."""
    qvel = np.empty((*np.broadcast_shapes(v.shape[:-1], q.shape[:-1]), _total(model, 1)))
    for joint, _, at in _walk(model):
        if joint.mimic is None:
            qvel[..., at : at + joint.nv] = v[..., joint.idx_v : joint.idx_v + joint.nv]
        else:
            qvel[..., at] = joint.mimic.multiplier * v[..., joint.idx_v]
    return qvel


def _turn(q: Array, joint: JointModel, vectors: Array, *, inverse: bool) -> None:
    """Turns vectors in place by the free joint's rotation, or by its inverse.

    With the unit quaternion (u, w): `R x = x + 2 w (u x x) + 2 u x (u x x)`.
    """
    u = q[..., joint.idx_q + 3 : joint.idx_q + 6]
    w = q[..., joint.idx_q + 6 : joint.idx_q + 7]
    cross = 2.0 * np.cross(-u if inverse else u, vectors)
    vectors += w * cross + np.cross(-u if inverse else u, cross)


def _spin(v: Array, joint: JointModel) -> Array:
    """Angular times linear velocity of a free joint, along the body's axes."""
    return np.cross(v[..., joint.idx_v + 3 : joint.idx_v + 6], v[..., joint.idx_v : joint.idx_v + 3])
