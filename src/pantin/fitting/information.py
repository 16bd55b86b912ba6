"""What the observations of a fit say of each coordinate: the curvature J'WJ of the data at a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.fitting.plan.kinematics import motion
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.options import FitOptions
    from pantin.fitting.result import FitResult

__all__ = ["free_coordinates", "information", "prior_curvature", "slope"]


def information(result: FitResult, rows: slice) -> tuple[Array, Array]:
    """Curvature by the data, and how many numbers were observed.

    Args:
        result: A fit with an axis of frames, and with what it was fitted to.
        rows: Which frames, B of them.

    Returns:
        J'WJ over all coordinates of the plan's tangent, shape (B, D, D), where W holds weights times the slope of the
        robust loss over the squared scale of the residuals; NaN where the result is. And the number of coordinates
        that were observed, shape (B,).

    Raises:
        InvalidArgument: If the result does not hold what it was fitted to.
    """
    if result.observations is None:
        raise InvalidArgument("result", "it does not hold the observations it was fitted to; fit anew, or attach them")
    plan = result.plan
    state, broken = _whole(result, rows)
    keypoints, jacobian = plan.keypoints(state), plan.keypoint_jacobian(state)
    total = np.zeros((len(keypoints), plan.tangent_dim, plan.tangent_dim))
    count = np.zeros(len(keypoints))
    for index, source in enumerate(result.source):
        weight = _weights(result, index, rows)
        match source.kind:
            case "points":
                J = jacobian
            case "xy":
                J = jacobian[..., :2, :]
            case "camera":
                J = _pixels(source.at(rows), keypoints, jacobian)
            case "distance":
                J = _distances(plan, source.pairs, keypoints, jacobian)
            case _:
                J = _rotations(plan, source.joints, state)
        seen = weight > 0.0
        count += J.shape[-2] * seen.sum(axis=1)
        J = np.where(seen[..., None, None], J, 0.0) * np.sqrt(weight)[..., None, None]
        J = J.reshape(len(J), J.shape[1] * J.shape[2], plan.tangent_dim)
        total += np.swapaxes(J, 1, 2) @ J
    total[broken] = np.nan
    return total, count


def prior_curvature(plan: Any, options: FitOptions) -> Array:
    """Curvature by the pull to neutral values, lambda s / m², shape (D,); zero for the root."""
    unit = plan.length if options.scale_free else 1.0
    pull = options.neutral_weight * plan.dof_weight / np.where(plan.dof_is_slide, unit, 1.0) ** 2
    return np.concatenate([np.zeros(plan.tangent_dim - plan.n_dofs), pull])


def free_coordinates(result: FitResult, rows: slice) -> npt.NDArray[np.bool_]:
    """Coordinates that neither a limit, nor a lock, nor a prescription held, shape (B, D)."""
    plan = result.plan
    held = plan.lower >= plan.upper
    for name in (*result.options.lock, *result.options.prescribe):
        held = held | (np.arange(plan.n_dofs) == plan.dof(name))
    dofs = (result.at_limit[rows] == 0) & ~held
    root = np.ones((len(dofs), plan.tangent_dim - plan.n_dofs), dtype=bool)
    return np.concatenate([root, dofs], axis=1)


def slope(loss: str, squared: Array, scale: float) -> Array:
    """Slope rho'(e²) of a robust loss.

    Args:
        loss: Its name.
        squared: Squared misfits e², relative.
        scale: Misfit from which the loss eases off.
    """
    ratio = squared / scale**2
    match loss:
        case "huber":
            return np.asarray(1.0 / np.sqrt(np.maximum(ratio, 1.0)))
        case "soft_l1":
            return np.asarray(1.0 / np.sqrt(1.0 + ratio))
        case "cauchy":
            return np.asarray(1.0 / (1.0 + ratio))
        case "geman_mcclure":
            return np.asarray(1.0 / (1.0 + ratio) ** 2)
    return np.ones_like(ratio)


def _whole(result: FitResult, rows: slice) -> tuple[State, npt.NDArray[np.bool_]]:
    """The poses, and where there is none; degrees of freedom that a gap left without a value take their neutral one."""
    plan = result.plan
    position, quaternion = result.root_pos[rows], result.root_quat_wxyz[rows]
    broken: npt.NDArray[np.bool_] = ~np.isfinite(np.concatenate([position, quaternion], axis=1)).all(axis=1)
    home = plan.neutral_state()
    dofs = result.dofs[rows]
    return State(
        np.where(broken[:, None], home.root_pos, position),
        np.where(broken[:, None], home.root_quat_wxyz, quaternion),
        np.where(np.isfinite(dofs), dofs, plan.neutral),
    ), broken


def _weights(result: FitResult, index: int, rows: slice) -> Array:
    """What each observation of a source counts in H, shape (B, observations); 0 where nothing was observed."""
    options, source = result.options, result.source[index]
    misfit = result.residuals[index][rows]
    weights = result.observations.weights[index]
    given = np.ones_like(misfit) if weights is None else weights[rows]
    if source.kind == "orientation":
        given = given * result.plan.joint_weight[[result.plan.joint(name) for name in source.joints]]
    elif source.kind == "distance":
        given = given * np.sqrt(
            [np.prod(result.plan.joint_weight[[*map(result.plan.joint, pair)]]) for pair in source.pairs]
        )
    else:
        given = given * result.plan.joint_weight
    unit = np.asarray(result.scales[rows, index])
    usual = result.plan.length if options.scale_free and source.kind != "orientation" else 1.0
    unit = np.where(np.isfinite(unit), unit, usual)[:, None]
    seen = (given > 0.0) & ~np.isnan(misfit)
    squared = (np.where(seen, misfit, 0.0) / unit) ** 2
    return np.where(seen, given * slope(options.loss, squared, options.loss_scale) / unit**2, 0.0)


def _pixels(camera: Any, keypoints: Array, jacobian: Array) -> Array:
    """Derivatives of the pixels of keypoints, shape (B, K, 2, D)."""
    return np.asarray(camera.jacobian(keypoints) @ jacobian)


def _distances(plan: Any, pairs: Any, keypoints: Array, jacobian: Array) -> Array:
    """Derivatives of distances between keypoints, shape (B, P, 1, D)."""
    first, second = np.array([[plan.joint(name) for name in pair] for pair in pairs]).T
    between = keypoints[:, second] - keypoints[:, first]
    length = np.linalg.norm(between, axis=-1, keepdims=True)
    along = between / np.where(length > 0.0, length, 1.0)
    return np.asarray(along[:, :, None, :] @ (jacobian[:, second] - jacobian[:, first]))


def _rotations(plan: Any, joints: tuple[str, ...], state: State) -> Array:
    """Derivatives of the rotations of joints' exit frames in the world, shape (B, J, 3, D), for small misfits."""
    axes = motion(plan, state).axes
    root = plan.tangent_dim - plan.n_dofs
    turning = np.zeros((len(axes), len(joints), 3, plan.tangent_dim))
    if root:
        turning[..., 3:6] = np.eye(3)
    for row, joint in enumerate(joints):
        place = plan.joint(joint)
        while place >= 0:
            for dof in np.flatnonzero((plan.dof_joint == place) & ~plan.dof_is_slide):
                turning[:, row, :, root + dof] = axes[:, dof]
            place = int(plan.parents[place])
    return turning
