"""States of a body plan as configurations of its model, and the two tangents of a floating root."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, batch
from pantin.errors import InvalidArgument
from pantin.fitting.plan.doors import as_state
from pantin.fitting.plan.rotations import matrix_of, normalised
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.plan import BodyPlan

__all__ = ["configuration_of", "state_of", "tangent_from_model"]

#: How far the norm of a quaternion may be from one.
UNIT_TOLERANCE = 1e-3


def configuration_of(plan: BodyPlan, state: State | Mapping[str, npt.ArrayLike]) -> Array:
    """Configurations of the plan's model: root position, quaternion (x, y, z, w) and degrees of freedom in a row.

    Args:
        plan: The body plan.
        state: A state, or a mapping of some of its parts, any leading axes, as `BodyPlan.keypoints` takes it.

    Returns:
        Configurations of `plan.to_model()`, shape (..., 7 + N), or (..., N) for a fixed base.

    Raises:
        InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
    """
    root_pos, root_quat_wxyz, dofs = as_state(plan, state)
    if plan.fixed_base:
        return dofs.copy()
    return np.concatenate([root_pos, np.roll(root_quat_wxyz, -1, axis=-1), dofs], axis=-1)


def state_of(plan: BodyPlan, q: npt.ArrayLike) -> State:
    """States of configurations of the plan's model; the inverse of `configuration_of`.

    Args:
        plan: The body plan.
        q: Configurations of `plan.to_model()`, shape (..., 7 + N), or (..., N) for a fixed base.

    Raises:
        InvalidArgument: If q has the wrong shape, is not finite, or a quaternion in it has not length 1.
    """
    base = 0 if plan.fixed_base else 7
    rows = batch("q", q, base + plan.n_dofs)
    leading, dofs = rows.shape[:-1], rows[..., base:].copy()
    if plan.fixed_base:
        return State(np.zeros((*leading, 3)), np.broadcast_to([1.0, 0.0, 0.0, 0.0], (*leading, 4)).copy(), dofs)
    quaternions = rows[..., 3:7]
    norms = np.linalg.norm(quaternions, axis=-1)
    wrong = norms[np.abs(norms - 1.0) > UNIT_TOLERANCE]
    if wrong.size:
        raise InvalidArgument("q", f"expected a unit quaternion in entries 3 to 6, got one of norm {wrong[0]:.6g}")
    return State(rows[..., :3].copy(), np.roll(normalised(quaternions), 1, axis=-1), dofs)


def tangent_from_model(plan: BodyPlan, state: State | Mapping[str, npt.ArrayLike]) -> Array:
    """Matrices that turn tangents of the plan's model into tangents of the plan.

    A model's free flyer moves by a twist in its own axes, a plan's root by a shift and a turn in those of the world;
    with R the root's orientation the matrix is diag(R, R, 1). The product of `keypoint_jacobian` with it is the
    derivative of the keypoints by the model's velocity; for a covariance C of the model, T C T' is the plan's.

    Args:
        plan: The body plan.
        state: A state, or a mapping of some of its parts, any leading axes, as `BodyPlan.keypoints` takes it.

    Returns:
        Orthogonal matrices, shape (..., 6 + N, 6 + N), or the identity (..., N, N) for a fixed base.

    Raises:
        InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
    """
    root = as_state(plan, state)
    matrix = np.zeros((*root.dofs.shape[:-1], plan.tangent_dim, plan.tangent_dim))
    matrix[...] = np.eye(plan.tangent_dim)
    if not plan.fixed_base:
        matrix[..., :3, :3] = matrix[..., 3:6, 3:6] = matrix_of(root.root_quat_wxyz)
    return matrix
