"""How distances change with the motion of joints."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.algorithms import get_joint_jacobian
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Data, Model

__all__ = ["Gradient"]


class Gradient:
    """Gradients of distances between points of bodies, all rows at once.

    With the normal n from the first witness point p to the second p + d n, the distance grows at

        n . (v2(p + d n) - v1(p)) = n . (v2 - v1) + (p x n) . (w2 - w1),

    where v and w are the bodies' linear velocity at the world's origin and their angular velocity: the second point may
    be taken for the first, since it lies along n. So a row is (n, p x n)' (J2 - J1) with Jacobians of joints in the
    world, and these have the columns of `data.J` of those joints that carry them.
    """

    def __init__(self, model: Model, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64]) -> None:
        """Gradients of the distances of pairs, given the joints that carry the first and the second body of each."""
        self._first, self._second = first, second
        self._carries = _carriers(model)
        self._moves = self._carries[second] - self._carries[first]
        self._mimics = any(joint.mimic is not None for joint in model.joints)

    def rows(self, model: Model, data: Data, pairs: npt.NDArray[np.int64], normal: Array, point: Array) -> Array:
        """Gradients of some distances.

        Args:
            model: The model.
            data: Data with joints and screws placed.
            pairs: Which pairs, shape (n,).
            normal: Directions from the first body to the second, in the world, shape (n, 3).
            point: Witness points of the first, in the world, shape (n, 3), m.

        Returns:
            Rows, shape (n, nv), m per unit of each entry of v.
        """
        pull = _pull(normal, point)
        if not self._mimics:
            return np.asarray((pull @ data.J) * self._moves.take(pairs, axis=0))
        return self._carried(model, data, self._second[pairs], pull) - self._carried(
            model, data, self._first[pairs], pull
        )

    def rows_between(
        self, model: Model, data: Data, pairs: npt.NDArray[np.int64], normal: Array, first: Array, second: Array
    ) -> Array:
        """Gradients of n . (b - a) for any points a of the first bodies and b of the second ones, n standing still.

        Args:
            model: The model.
            data: Data with joints and screws placed.
            pairs: Which pairs, shape (n,).
            normal: Directions, in the world, shape (n, 3).
            first: Points of the first bodies, in the world, shape (n, 3), m.
            second: Points of the second bodies, in the world, shape (n, 3), m.

        Returns:
            Rows, shape (n, nv), m per unit of each entry of v.
        """
        return self._carried(model, data, self._second[pairs], _pull(normal, second)) - self._carried(
            model, data, self._first[pairs], _pull(normal, first)
        )

    def _carried(self, model: Model, data: Data, joints: npt.NDArray[np.int64], pull: Array) -> Array:
        """How fast points move along directions that are given as pulls, shape (n, nv)."""
        if not self._mimics:
            return np.asarray((pull @ data.J) * self._carries.take(joints, axis=0))
        # The columns of a follower are in its master's, so that no choice of columns gives one joint's Jacobian.
        world = ReferenceFrame.WORLD
        jacobian = {joint: get_joint_jacobian(model, data, joint, world) for joint in set(joints.tolist())}
        rows = [row @ jacobian[joint] for row, joint in zip(pull, joints.tolist(), strict=True)]
        return np.array(rows).reshape(-1, model.nv)


def _pull(normal: Array, point: Array) -> Array:
    """What a unit along a direction through a point pulls with at the world's origin: (n, p x n), shape (n, 6)."""
    return np.concatenate([normal, _cross(point, normal)], axis=1)


def _cross(a: Array, b: Array) -> Array:
    """Cross products of rows; NumPy's takes three times as long."""
    up, down = [1, 2, 0], [2, 0, 1]
    return a.take(up, axis=1) * b.take(down, axis=1) - a.take(down, axis=1) * b.take(up, axis=1)


def _carriers(model: Model) -> Array:
    """1 where an entry of v moves a joint, 0 elsewhere, shape (njoints, nv)."""
    carries = np.zeros((model.njoints, model.nv))
    for number, joint in enumerate(model.joints):
        if number:
            carries[number] = carries[model.parents[number]]
            carries[number, joint.idx_v : joint.idx_v + joint.nv] = 1.0
    return carries
