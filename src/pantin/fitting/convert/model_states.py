"""Configurations of a model as states of the body plan made from it, and back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument, InvalidModel
from pantin.fitting.convert.euler import euler_angles, turn
from pantin.fitting.plan.rotations import matrix_of, normalised, product
from pantin.fitting.state import State
from pantin.kinematics.doors import require_model
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_HELICAL,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
    JointModel,
)
from pantin.kinematics.model import Model
from pantin.kinematics.rows import configuration_rows
from pantin.kinematics.so3 import quaternion_wxyz

__all__ = ["FREEDOMS", "configuration_of_model", "dof_count", "floating_base", "state_of_model"]

#: What a joint kind becomes: slides and hinges along and about its own axis (None) or coordinate axes.
FREEDOMS: dict[int, tuple[tuple[str, str | None], ...]] = {
    JT_REVOLUTE: (("hinge", None),),
    JT_REVOLUTE_UNBOUNDED: (("hinge", None),),
    JT_PRISMATIC: (("slide", None),),
    JT_SPHERICAL: (("hinge", "X"), ("hinge", "Y"), ("hinge", "Z")),
    JT_PLANAR: (("slide", "X"), ("slide", "Y"), ("hinge", "Z")),
    JT_FREEFLYER: (*(("slide", axis) for axis in "XYZ"), *(("hinge", axis) for axis in "XYZ")),
}


def floating_base(model: Model) -> int:
    """The free flyer that carries the whole tree, or 0 where none does."""
    roots = [joint for joint in range(1, model.njoints) if model.parents[joint] == 0]
    return roots[0] if len(roots) == 1 and model.joints[roots[0]].jtype == JT_FREEFLYER else 0


def dof_count(model: Model) -> int:
    """Degrees of freedom of the plan of a model.

    Raises:
        InvalidModel: If a joint is helical, which neither a hinge nor a slide is.
    """
    base = floating_base(model)
    for name, joint in zip(model.names, model.joints, strict=True):
        if joint.jtype == JT_HELICAL:
            raise InvalidModel(f"joint {name!r} is helical; a body plan has hinges and slides, and no screws")
    return sum(len(FREEDOMS[joint.jtype]) for i, joint in enumerate(model.joints) if i not in (0, base))


def state_of_model(model: Model, q: npt.ArrayLike) -> State:
    """States of the plan of a model at configurations of the model.

    A mimic joint's value is what its master makes of it. Ball joints give three angles, the second of them within
    a quarter turn.

    Args:
        model: The model that `BodyPlan.from_model` was given.
        q: Its configurations, shape (..., nq).

    Returns:
        States in which the keypoints lie where the model's frames do.

    Raises:
        InvalidArgument: If q has the wrong shape, is not finite, or not normalised.
        InvalidModel: If a joint is helical.
    """
    require_model(model)
    dof_count(model)
    rows, base = configuration_rows("q", model, q), floating_base(model)
    parts = [_values(model, joint, rows) for i, joint in enumerate(model.joints) if i not in (0, base)]
    dofs = np.concatenate([np.zeros((*rows.shape[:-1], 0)), *parts], axis=-1)
    if base == 0:
        rest = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*rows.shape[:-1], 4)).copy()
        return State(np.zeros((*rows.shape[:-1], 3)), rest, dofs)
    placement, own = model.joint_placements[base], _numbers_of(model.joints[base], rows)
    root_pos = own[..., :3] @ placement.rotation.T + placement.translation
    local = np.roll(normalised(own[..., 3:]), 1, axis=-1)
    return State(root_pos, normalised(product(quaternion_wxyz(placement.rotation), local)), dofs)


def configuration_of_model(model: Model, state: State) -> Array:
    """Configurations of a model at states of its plan; the inverse of `state_of_model`.

    Args:
        model: The model that `BodyPlan.from_model` was given.
        state: States of the plan. Values of mimic joints are left to their masters.

    Returns:
        Configurations, shape (..., nq).

    Raises:
        InvalidArgument: If the state has not as many degrees of freedom as the model's plan.
        InvalidModel: If a joint is helical.
    """
    require_model(model)
    count = dof_count(model)
    dofs = np.asarray(state.dofs, dtype=np.float64)
    if dofs.ndim == 0 or dofs.shape[-1] != count:
        raise InvalidArgument("state", f"expected {count} degrees of freedom, got shape {dofs.shape}")
    q, base, start = np.zeros((*dofs.shape[:-1], model.nq)), floating_base(model), 0
    for i, joint in enumerate(model.joints):
        if i in (0, base):
            continue
        width = len(FREEDOMS[joint.jtype])
        if joint.mimic is None:
            _numbers_of(joint, q)[...] = _numbers(joint.jtype, dofs[..., start : start + width])
        start += width
    if base:
        back, joint = model.joint_placements[base].inverse(), model.joints[base]
        quaternion = product(quaternion_wxyz(back.rotation), np.asarray(state.root_quat_wxyz, dtype=np.float64))
        q[..., joint.idx_q : joint.idx_q + 3] = np.asarray(state.root_pos) @ back.rotation.T + back.translation
        q[..., joint.idx_q + 3 : joint.idx_q + 7] = np.roll(normalised(quaternion), -1, axis=-1)
    return q


def _numbers_of(joint: JointModel, q: Array) -> Array:
    """A joint's own numbers in configurations."""
    return q[..., joint.idx_q : joint.idx_q + joint.nq]


def _values(model: Model, joint: JointModel, q: Array) -> Array:
    """Hinges and slides of a joint at configurations, shape (..., its degrees of freedom)."""
    if joint.mimic is not None:
        master = model.joints[int(joint.mimic.master)]
        return joint.mimic.multiplier * _values(model, master, q) + joint.mimic.offset
    own = _numbers_of(joint, q)
    if joint.jtype == JT_REVOLUTE_UNBOUNDED:
        return np.arctan2(own[..., 1:], own[..., :1])
    if joint.jtype == JT_PLANAR:
        return np.concatenate([own[..., :2], np.arctan2(own[..., 3:], own[..., 2:3])], axis=-1)
    if joint.jtype in (JT_SPHERICAL, JT_FREEFLYER):
        angles = euler_angles(matrix_of(np.roll(normalised(own[..., -4:]), 1, axis=-1)), "XYZ")
        return np.concatenate([own[..., :-4], angles], axis=-1)
    return own


def _numbers(jtype: int, values: Array) -> Array:
    """Configuration numbers of a joint whose hinges and slides have these values, shape (..., nq)."""
    if jtype in (JT_REVOLUTE_UNBOUNDED, JT_PLANAR):
        return np.concatenate([values[..., :-1], np.cos(values[..., -1:]), np.sin(values[..., -1:])], axis=-1)
    if jtype in (JT_SPHERICAL, JT_FREEFLYER):
        x, y, z = (turn(axis, values[..., axis - 3]) for axis in range(3))
        return np.concatenate([values[..., :-3], np.roll(product(product(x, y), z), -1, axis=-1)], axis=-1)
    return values
