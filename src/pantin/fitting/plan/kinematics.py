"""Forward kinematics of a body plan and its derivatives, for many states at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.fitting.plan.rotations import cross_matrix, matrix_of, normalised, product, quaternion_of_vector
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.plan.body_plan import BodyPlan

__all__ = ["Motion", "jacobian", "keypoints", "motion", "step"]

#: States that are computed at once; more of them would leave the processor's cache.
BLOCK = 2048


class Motion(NamedTuple):
    """Where a body is in B states, world axes.

    Attributes:
        keypoints: Origins of the entry frames, shape (B, K, 3).
        exit_pos: Origins of the exit frames, shape (B, K, 3).
        exit_rot: Orientations of the exit frames, shape (B, K, 3, 3).
        axes: Axis of each degree of freedom, shape (B, N, 3).
        centres: Origin just before each degree of freedom, shape (B, N, 3).
    """

    keypoints: Array
    exit_pos: Array
    exit_rot: Array
    axes: Array
    centres: Array


def motion(plan: BodyPlan, state: State) -> Motion:
    """Frames and axes of a body plan.

    A joint's entry frame is its offset from the exit frame of its parent. Each of its degrees of freedom then moves
    it on in order: a hinge turns it about the axis, a slide shifts it along the axis as it is turned by then. That
    gives the exit frame, where the children hang.

    Args:
        plan: The body plan.
        state: B states, one leading axis.
    """
    count = len(state.dofs)
    # States stand along the last axis, where numbers lie side by side; a rotation is stored column by column.
    entry_pos = np.empty((plan.n_joints, 3, count))
    exit_pos = np.empty_like(entry_pos)
    exit_rot = np.empty((plan.n_joints, 3, 3, count))
    axes = np.empty((plan.n_dofs, 3, count))
    centres = np.empty_like(axes)
    root_pos = np.ascontiguousarray(state.root_pos.T)
    root_rot = np.ascontiguousarray(matrix_of(state.root_quat_wxyz).T)
    values = np.ascontiguousarray(state.dofs.T)
    upright = (plan.offset_rot == np.eye(3)).all(axis=(1, 2))
    dofs_of = [np.flatnonzero(plan.dof_joint == joint).tolist() for joint in range(plan.n_joints)]

    for joint, parent in enumerate(plan.parents.tolist()):
        pos, rot = (root_pos, root_rot) if parent < 0 else (exit_pos[parent], exit_rot[parent])
        pos = pos + _turned(plan.offset_pos[joint], rot)
        if not upright[joint]:
            rot = _turned(plan.offset_rot[joint].T, rot)
        entry_pos[joint] = pos
        for dof in dofs_of[joint]:
            axes[dof], centres[dof] = _turned(plan.dof_axis[dof], rot), pos
            if plan.dof_is_slide[dof]:
                pos = pos + values[dof] * axes[dof]
            else:
                rot = _hinged(rot, plan.dof_axis[dof], values[dof])
        exit_pos[joint], exit_rot[joint] = pos, rot
    return Motion(
        keypoints=np.moveaxis(entry_pos, -1, 0),
        exit_pos=np.moveaxis(exit_pos, -1, 0),
        exit_rot=np.transpose(exit_rot, (3, 0, 2, 1)),
        axes=np.moveaxis(axes, -1, 0),
        centres=np.moveaxis(centres, -1, 0),
    )


def keypoints(plan: BodyPlan, state: State) -> Array:
    """Keypoints of states with any leading axes, shape (..., K, 3)."""
    points = np.empty((_count(state), plan.n_joints, 3))
    for rows, block in _blocks(state):
        points[rows] = motion(plan, block).keypoints
    return points.reshape(*state.dofs.shape[:-1], plan.n_joints, 3)


def jacobian(plan: BodyPlan, state: State) -> Array:
    """Derivatives of the keypoints by the tangent, any leading axes, shape (..., K, 3, tangent_dim).

    A keypoint p moves with a hinge of axis a and centre c upstream of it by a x (p - c), with a slide by a; with the
    root by the identity, and by e_i x (p - root_pos) for a turn of the root about the world's axis e_i.
    """
    result = np.zeros((_count(state), plan.n_joints, 3, plan.tangent_dim))
    first = plan.tangent_dim - plan.n_dofs
    moved = moved_by(plan)
    for rows, block in _blocks(state, BLOCK // 8):
        moving = motion(plan, block)
        points, axes = moving.keypoints[:, :, None], moving.axes[:, None]
        turning = np.cross(axes, points - moving.centres[:, None])
        columns = np.where(plan.dof_is_slide[:, None], axes, turning) * moved[:, :, None]
        result[rows, :, :, first:] = np.swapaxes(columns, -1, -2)
        if first:
            arm = moving.keypoints - block.root_pos[:, None]
            result[rows, :, :, :3] = np.eye(3)
            result[rows, :, :, 3:6] = np.swapaxes(np.cross(np.eye(3), arm[:, :, None]), -1, -2)
    return result.reshape(*state.dofs.shape[:-1], *result.shape[1:])


def step(plan: BodyPlan, state: State, tangent: Array) -> State:
    """States moved along tangents: root shift and root turn in world axes, then the degrees of freedom."""
    dofs = state.dofs + tangent[..., plan.tangent_dim - plan.n_dofs :]
    if plan.fixed_base:
        return State(state.root_pos.copy(), state.root_quat_wxyz.copy(), dofs)
    turn = quaternion_of_vector(tangent[..., 3:6])
    quat = product(turn, state.root_quat_wxyz)
    return State(state.root_pos + tangent[..., :3], normalised(quat), dofs)


def moved_by(plan: BodyPlan) -> Array:
    """1 where a keypoint moves with a degree of freedom, which lies on a strict ancestor, else 0; shape (K, N)."""
    below = np.zeros((plan.n_joints, plan.n_joints), dtype=bool)
    for joint, parent in enumerate(plan.parents.tolist()):
        if parent >= 0:
            below[joint] = below[parent]
            below[joint, parent] = True
    return below[:, plan.dof_joint].astype(np.float64)


def _count(state: State) -> int:
    return int(np.prod(state.dofs.shape[:-1]))


def _blocks(state: State, size: int = BLOCK) -> Iterator[tuple[slice, State]]:
    """Pieces of a state's leading axes, laid out in one."""
    flat = State(*(part.reshape(_count(state), part.shape[-1]) for part in state))
    for start in range(0, _count(state), size):
        rows = slice(start, start + size)
        yield rows, State(*(part[rows] for part in flat))


def _turned(factor: Array, columns: Array) -> Array:
    """B rotations times one vector (3,) or one matrix, which is given transposed.

    Args:
        factor: The vector, or the transposed matrix (3, 3).
        columns: Columns of the rotations, shape (3, 3, B).

    Returns:
        Vectors, shape (3, B), or columns of matrices, shape (3, 3, B).
    """
    # A library's matrix product may round a state differently beside other states; this sum does not.
    x, y, z = factor[..., 0, None, None], factor[..., 1, None, None], factor[..., 2, None, None]
    result: Array = x * columns[0] + y * columns[1] + z * columns[2]
    return result


def _hinged(columns: Array, axis: Array, angle: Array) -> Array:
    """Columns of B rotations, turned on by B angles about one local axis (Rodrigues), shape (3, 3, B)."""
    across = cross_matrix(axis)
    once, twice = _turned(across.T, columns), _turned((across @ across).T, columns)
    return columns + np.sin(angle) * once + (1.0 - np.cos(angle)) * twice
