"""The objective of a fit, its derivatives and its minimum once more: NumPy and SciPy, nothing of the package.

A state is (position (..., 3), rotation matrix (..., 3, 3), degrees of freedom (..., N)); leading axes are frames.
"""

from __future__ import annotations

import numpy as np
from reference_tree import Tree, from_quaternion, from_rotation_vector, to_quaternion
from scipy.optimize import least_squares

#: rho(e²) and rho'(e²) of the robust losses, by e² and the squared scale.
LOSSES = {
    "linear": lambda s, d: (s, np.ones_like(s)),
    "huber": lambda s, d: (
        np.where(s <= d, s, 2.0 * np.sqrt(d * s) - d),
        np.minimum(1.0, np.sqrt(d / np.maximum(s, 1e-300))),
    ),
    "soft_l1": lambda s, d: (2.0 * d * (np.sqrt(1.0 + s / d) - 1.0), 1.0 / np.sqrt(1.0 + s / d)),
    "cauchy": lambda s, d: (d * np.log1p(s / d), 1.0 / (1.0 + s / d)),
    "geman_mcclure": lambda s, d: (s / (1.0 + s / d), 1.0 / (1.0 + s / d) ** 2),
}


def points(keypoints):
    """What a view of world positions predicts, and its derivative by the keypoints."""
    return keypoints, np.broadcast_to(np.eye(3), (*keypoints.shape, 3))


def xy_view(keypoints):
    """What a view along z predicts: x and y."""
    return keypoints[..., :2], np.broadcast_to(np.eye(3)[:2], (*keypoints.shape[:-1], 2, 3))


def camera(fx, fy, cx, cy, R, t):
    """What a pinhole camera without distortion predicts, pixels."""

    def view(keypoints):
        x, y, z = np.moveaxis(keypoints @ np.asarray(R).T + t, -1, 0)
        o = np.zeros_like(z)
        by_camera = np.stack([fx / z, o, -fx * x / z**2, o, fy / z, -fy * y / z**2], axis=-1)
        return np.stack([fx * x / z + cx, fy * y / z + cy], axis=-1), by_camera.reshape(*z.shape, 2, 3) @ np.asarray(R)

    return view


class Objective:
    """E of section 3.3 for a plan and observations.

    Args:
        plan: A body plan, or the object of its file.
        positions: Observed, shape (..., K, m); a list of them where `views` is one.
        weights: Their weights, shape (..., K), or None for ones; a list likewise.
        views: What is predicted: `points`, `xy_view` or a `camera(...)`, or a list of these.
        scales: Length or pixels that a residual counts by; None for the model length, as for 3D points.
        lam: Weight of the prior.
        scale_free: Lengths relative to the model length.
        loss: Name of the robust loss.
        loss_scale: Its scale.
    """

    def __init__(
        self,
        plan,
        positions,
        weights=None,
        views=points,
        scales=None,
        *,
        lam=1e-3,
        scale_free=True,
        loss="linear",
        loss_scale=0.05,
    ):
        self.tree = tree = plan if isinstance(plan, Tree) else Tree(plan if isinstance(plan, dict) else plan.to_dict())
        if not isinstance(views, list):
            positions, weights, views, scales = [positions], [weights], [views], [scales]
        weights = [None] * len(views) if weights is None else weights
        scales = [None] * len(views) if scales is None else scales
        unit = tree.length if scale_free else 1.0
        self.sources = []
        for given, weight, view, scale in zip(positions, weights, views, scales, strict=True):
            seen, w = observed(given, weight, tree.weight)
            self.sources.append((np.where(w[..., None] > 0.0, seen, 0.0), w, view, unit if scale is None else scale))
        self.prior = lam * tree.pull / np.where(tree.slide, unit, 1.0) ** 2
        self.unit = unit
        self.loss, self.squared_scale = LOSSES[loss], loss_scale**2

    @classmethod
    def of(cls, plan, positions, weights, options, **kwargs):
        """The objective that a `FitOptions` asks for."""
        return cls(
            plan,
            positions,
            weights,
            lam=options.neutral_weight,
            scale_free=options.scale_free,
            loss=options.loss,
            loss_scale=options.loss_scale,
            **kwargs,
        )

    def frame(self, i):
        """The objective of one frame of many."""
        other = object.__new__(Objective)
        other.__dict__.update(self.__dict__)
        other.sources = [(seen[i], w[i], view, scale) for seen, w, view, scale in self.sources]
        return other

    def residuals(self, state):
        """For each source: residuals (..., K, m), weights w·s/scale², e², Jacobians (..., K, m, size)."""
        keypoints, J = self.tree.jacobian(state)
        for seen, w, view, scale in self.sources:
            predicted, by_point = view(keypoints)
            r = np.where(w[..., None] > 0.0, seen - predicted, 0.0)
            yield r, w / scale**2, np.sum(r * r, axis=-1) / scale**2, by_point @ J, scale

    def cost(self, state):
        """E, shape (...)."""
        data = sum(
            np.sum(w * scale**2 * self.loss(e2, self.squared_scale)[0], axis=-1)
            for _, w, e2, _, scale in self.residuals(state)
        )
        return data + np.sum(self.prior * (state[2] - self.tree.neutral) ** 2, axis=-1)

    def normal_equations(self, state):
        """H = J'WJ + Lambda (..., size, size) and g = J'Wr + Lambda (n - q) (..., size), weights with rho'."""
        size, root = self.tree.size, self.tree.root
        diagonal = np.concatenate([np.zeros(root), self.prior])
        H, g = np.diag(diagonal), np.zeros(size)
        g = g + np.concatenate(
            [np.zeros((*state[2].shape[:-1], root)), self.prior * (self.tree.neutral - state[2])], -1
        )
        for r, w, e2, J, _ in self.residuals(state):
            W = w * self.loss(e2, self.squared_scale)[1]
            H = H + np.einsum("...kmi,...k,...kmj->...ij", J, W, J, optimize=True)
            g = g + np.einsum("...kmi,...k,...km->...i", J, W, r, optimize=True)
        return H, g

    def gradient(self, state):
        """Gradient of E by the tangent, (..., size)."""
        return -2.0 * self.normal_equations(state)[1]

    def hessian(self, state, step=1e-6):
        """Second derivative of E of one frame by central differences of the gradient, symmetrised."""
        rows = [
            self.gradient(self.tree.step(state, d)) - self.gradient(self.tree.step(state, -d))
            for d in step * np.eye(self.tree.size)
        ]
        H = np.array(rows) / (2.0 * step)
        return 0.5 * (H + H.T)


def observed(positions, weights, scaler):
    """Positions and weights by the one rule of section 3.2: what is missing has weight 0."""
    positions = np.asarray(positions, dtype=float)
    w = np.broadcast_to(1.0 if weights is None else np.asarray(weights, dtype=float), positions.shape[:-1])
    with np.errstate(invalid="ignore"):
        seen = np.isfinite(positions).all(axis=-1) & (w > 0.0)
    return positions, np.where(seen, w, 0.0) * scaler


def state_of(result):
    """The state of a result, its rotation as a matrix."""
    return np.asarray(result.root_pos), from_quaternion(result.root_quat_wxyz), np.asarray(result.dofs)


def optimality(objective, state, fixed=()):
    """How far frames are from the conditions of section 3.5, shape (...): at most 1 where they hold.

    The largest projected gradient, per rad and per length that the objective counts by, over its tolerance
    1e-6·max(1, E). Degrees of freedom outside the limits give infinity.

    Args:
        objective: The objective.
        state: Where.
        fixed: Indices of degrees of freedom that are no unknowns.
    """
    tree = objective.tree
    g, q = objective.gradient(state), state[2]
    g[..., : tree.root // 2] *= objective.unit
    g[..., tree.root :] *= np.where(tree.slide, objective.unit, 1.0)
    dofs = g[..., tree.root :]
    outwards = ((q <= tree.lower) & (dofs > 0.0)) | ((q >= tree.upper) & (dofs < 0.0))
    dofs[outwards] = 0.0
    dofs[..., list(fixed)] = 0.0
    outside = np.any((q < tree.lower) | (q > tree.upper), axis=-1)
    worst = np.max(np.abs(g), axis=-1, initial=0.0) / (1e-6 * np.maximum(1.0, objective.cost(state)))
    return np.where(outside, np.inf, worst)


def left_jacobian(v):
    """Matrix J with exp(v + d) = exp(J d) exp(v) to first order."""
    angle = np.linalg.norm(v)
    K = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    if angle < 1e-5:
        return np.eye(3) + K / 2.0 + K @ K / 6.0
    return np.eye(3) + (1.0 - np.cos(angle)) / angle**2 * K + (angle - np.sin(angle)) / angle**3 * K @ K


def minimum(objective, start):
    """State and E of the minimum that bounded trust-region least squares find from a start, to 1e-12.

    Robust losses are minimised by weights that are set anew, keypoint by keypoint, until E stays (each round lowers E,
    since the losses are concave in e²). The root is a rotation vector about the last round's orientation.
    """
    tree = objective.tree
    state = (np.asarray(start[0], float), np.asarray(start[1], float), tree.within(np.asarray(start[2], float)))
    last, best = np.inf, objective.cost(state)
    rounds = 0
    while last - best > 1e-13 * best and rounds < 400:
        state, last, rounds = _descend(objective, state), best, rounds + 1
        best = objective.cost(state)
    return state, best


def _descend(objective, state):
    """The minimum for the weights of a state."""
    tree, loss = objective.tree, objective.loss
    open_ = np.concatenate([np.ones(tree.root, bool), tree.lower < tree.upper])
    if not open_.any():
        return state
    lower = np.concatenate([np.full(tree.root, -np.inf), tree.lower])[open_]
    upper = np.concatenate([np.full(tree.root, np.inf), tree.upper])[open_]
    at = [np.sqrt(w * loss(e2, objective.squared_scale)[1]) for _, w, e2, _, _ in objective.residuals(state)]
    pull = np.sqrt(objective.prior)
    first = np.concatenate([np.zeros(tree.root), state[2]])

    def state_at(x):
        full = first.copy()
        full[open_] = x
        if not tree.free:
            return state[0], state[1], full
        return state[0] + full[:3], from_rotation_vector(full[3:6]) @ state[1], full[6:]

    def residuals(x):
        there = state_at(x)
        parts = [(s[..., None] * r[0]).ravel() for s, r in zip(at, objective.residuals(there), strict=True)]
        return np.concatenate([*parts, pull * (there[2] - tree.neutral)])

    def jacobian(x):
        there = state_at(x)
        parts = [
            -(s[..., None, None] * r[3]).reshape(-1, tree.size)
            for s, r in zip(at, objective.residuals(there), strict=True)
        ]
        J = np.concatenate([*parts, np.concatenate([np.zeros((len(pull), tree.root)), np.diag(pull)], axis=1)])
        if tree.free:
            J[:, 3:6] = J[:, 3:6] @ left_jacobian(x[3:6])
        return J[:, open_]

    found = least_squares(
        residuals, first[open_], jacobian, bounds=(lower, upper), method="trf", xtol=1e-12, ftol=1e-12, gtol=1e-12,
        max_nfev=500,
    )  # fmt: skip
    position, rotation, dofs = state_at(found.x)
    for limit in (tree.lower, tree.upper):  # the method comes near to limits from inside
        dofs = np.where(np.abs(dofs - limit) < 1e-12, limit, dofs)
    return position, rotation, dofs


def reference_minimum(plan, positions, weights, options, start, **kwargs):
    """State and E of the minimum of one frame from a start (a `State`), as `FitOptions` ask for it."""
    objective = Objective.of(plan, positions, weights, options, **kwargs)
    position, quaternion, dofs = start
    return minimum(objective, (position, from_quaternion(quaternion), dofs))


__all__ = ["Objective", "Tree", "camera", "minimum", "optimality", "points", "reference_minimum", "to_quaternion"]
