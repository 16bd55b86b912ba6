"""The kinematics of a body plan once more, from its JSON alone: slow, plain, and sharing nothing with the package."""

from __future__ import annotations

import numpy as np


def turns(axis, angle):
    """Rotation matrices about unit axes (..., 3) by angles (...), by Rodrigues' formula."""
    axis, angle = np.broadcast_arrays(axis, np.asarray(angle)[..., None])
    angle = angle[..., :1, None]
    x, y, z = np.moveaxis(axis, -1, 0)
    o = np.zeros_like(x)
    K = np.stack([o, -z, y, z, o, -x, -y, x, o], axis=-1).reshape(*x.shape, 3, 3)
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def from_rotation_vector(v):
    """Rotation matrices of rotation vectors (..., 3)."""
    v = np.asarray(v, dtype=float)
    angle = np.linalg.norm(v, axis=-1)
    return turns(v / np.where(angle > 0.0, angle, 1.0)[..., None], angle)


def from_quaternion(quat_wxyz):
    """Rotation matrices of quaternions (..., 4), scalar first, of any length."""
    q = np.asarray(quat_wxyz, dtype=float)
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return np.stack(rows, axis=-1).reshape(*q.shape[:-1], 3, 3)


def to_quaternion(R):
    """Unit quaternion of a rotation matrix, scalar first and not negative (Bar-Itzhack 2000)."""
    (a, b, c), (d, e, f), (g, h, i) = R
    symmetric = [
        [a + e + i, 0, 0, 0],
        [h - f, a - e - i, 0, 0],
        [c - g, b + d, e - a - i, 0],
        [d - b, c + g, f + h, i - a - e],
    ]
    q = np.linalg.eigh(np.array(symmetric))[1][:, -1]
    return q if q[0] >= 0.0 else -q


class Tree:
    """A body plan, read from the object of its JSON file.

    Attributes:
        names: Names of the K joints.
        free: True if the root floats: 6 unknowns before the N degrees of freedom.
        size: Number of unknowns.
        moves: (K, size) bool: an unknown moves a keypoint.
        length: The model length L.
    """

    def __init__(self, plan):
        joints = plan["joints"]
        self.names = [joint["name"] for joint in joints]
        self.parent = [-1 if j["parent"] is None else self.names.index(j["parent"]) for j in joints]
        self.offset = np.array([j["offset_pos"] for j in joints], dtype=float)
        self.rest = from_quaternion([j["offset_quat"] for j in joints])
        self.weight = np.array([j.get("weight_scaler", 1.0) for j in joints], dtype=float)
        dofs = [(k, dof) for k, joint in enumerate(joints) for dof in joint["dofs"]]
        self.owner = [k for k, _ in dofs]
        self.slide = np.array([dof["type"] == "slide" for _, dof in dofs], dtype=bool)
        axes = np.array([dof["axis"] for _, dof in dofs], dtype=float).reshape(-1, 3)
        self.axis = axes / np.linalg.norm(axes, axis=1, keepdims=True)
        self.neutral = np.array([dof["neutral"] for _, dof in dofs], dtype=float)
        limits = [dof.get("limits") or (-np.inf, np.inf) for _, dof in dofs]
        self.lower, self.upper = np.array(limits, dtype=float).reshape(-1, 2).T
        self.pull = np.array([dof.get("weight_scaler", 1.0) for _, dof in dofs], dtype=float)
        self.free = not plan.get("fixed_base", False)
        self.root = 6 if self.free else 0
        self.size = self.root + len(dofs)
        self.moves = np.array([self._moves(k) for k in range(len(joints))]).reshape(len(joints), self.size)
        keypoints = self.keypoints(self.rest_state())
        self.length = np.sqrt(np.mean(np.sum((keypoints[1:] - keypoints[0]) ** 2, axis=1))) if len(joints) > 1 else 1.0

    def _moves(self, k):
        above, parent = set(), self.parent[k]
        while parent >= 0:
            above.add(parent)
            parent = self.parent[parent]
        return [True] * self.root + [owner in above for owner in self.owner]

    def rest_state(self):
        """The neutral state: position, rotation matrix, degrees of freedom."""
        return np.zeros(3), np.eye(3), self.neutral.copy()

    def within(self, dofs):
        """The nearest degrees of freedom within the limits."""
        return np.clip(dofs, self.lower, self.upper)

    def keypoints(self, state):
        """Keypoints (..., K, 3) of a state (position (..., 3), rotation (..., 3, 3), degrees of freedom (..., N))."""
        return self.frames(state)[0]

    def frames(self, state):
        """Keypoints; rotations of the exit frames (..., K, 3, 3); axes and points of the freedoms (..., N, 3)."""
        position, rotation, dofs = (np.asarray(part, dtype=float) for part in state)
        keypoints, origin, turned, axes, points = [], [], [], [], []
        for k, parent in enumerate(self.parent):
            o, R = (position, rotation) if parent < 0 else (origin[parent], turned[parent])
            o, R = o + R @ self.offset[k], R @ self.rest[k]
            keypoints.append(o)
            for j in (j for j, owner in enumerate(self.owner) if owner == k):
                axes.append(R @ self.axis[j])
                points.append(o)
                if self.slide[j]:
                    o = o + axes[-1] * dofs[..., j, None]
                else:
                    R = R @ turns(self.axis[j], dofs[..., j])
            origin.append(o)
            turned.append(R)
        lead = position.shape[:-1]
        empty = np.zeros((*lead, 0, 3))
        return (
            np.stack(keypoints, axis=-2),
            np.stack(turned, axis=-3),
            np.stack(axes, axis=-2) if axes else empty,
            np.stack(points, axis=-2) if points else empty,
        )

    def jacobian(self, state):
        """Keypoints (..., K, 3) and their derivatives (..., K, 3, size) by the tangent of section 3.1."""
        keypoints, _, axes, points = self.frames(state)
        J = np.zeros((*keypoints.shape, self.size))
        if self.free:
            arm = keypoints - np.asarray(state[0])[..., None, :]
            J[..., :3] = np.eye(3)
            J[..., 3:6] = np.swapaxes(np.cross(np.eye(3), arm[..., None, :]), -1, -2)
        turning = np.cross(axes[..., None, :, :], keypoints[..., :, None, :] - points[..., None, :, :])
        moving = np.where(self.slide[:, None], axes[..., None, :, :], turning)
        J[..., self.root :] = np.swapaxes(moving, -1, -2)
        return keypoints, J * self.moves[:, None, :]

    def step(self, state, tangent):
        """The state after a tangent step (..., size)."""
        position, rotation, dofs = state
        if not self.free:
            return position, rotation, dofs + tangent
        turned = from_rotation_vector(tangent[..., 3:6]) @ rotation
        return position + tangent[..., :3], turned, dofs + tangent[..., 6:]
