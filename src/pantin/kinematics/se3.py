"""Rigid transforms, twists and inertias: the classes, and exponential and logarithm with their Jacobians."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin._core import SE3, Motion, exp6, log6
from pantin.arrays import Array, vector
from pantin.kinematics.inertia import Inertia
from pantin.kinematics.poses import as_se3
from pantin.kinematics.so3 import Side, side_sign

__all__ = ["SE3", "Inertia", "Jexp6", "Jlog6", "Motion", "as_se3", "exp6", "log6"]


def Jexp6(nu: Motion | npt.ArrayLike, side: Side = "right") -> Array:
    """Jacobian of `exp6`: exp6(nu + d) = exp6(nu) exp6(Jexp6(nu) d) to first order.

    Barfoot 2017, eq. 7.85 and 7.86.

    Args:
        nu: Twist (linear, angular), m and rad.
        side: "right" as above; "left" for exp6(nu + d) = exp6(J d) exp6(nu).

    Returns:
        Jacobian, shape (6, 6), rows and columns linear then angular.

    Raises:
        InvalidArgument: If `nu` is not six finite numbers, or the side is unknown.
    """
    numbers = nu.vector if isinstance(nu, Motion) else vector("nu", nu, 6)
    return _core._Jexp6(side_sign(side) * numbers).reshape(6, 6)


def Jlog6(M: SE3, side: Side = "right") -> Array:
    """Jacobian of `log6`, the inverse of `Jexp6` at log6(M).

    The left one is the right one times the adjoint of the inverse of M.

    Args:
        M: Transform, or what `as_se3` accepts in its place.
        side: "right" for log6(M exp6(d)), "left" for log6(exp6(d) M).

    Returns:
        Jacobian, shape (6, 6), rows and columns linear then angular.

    Raises:
        InvalidArgument: If `M` is not a transform, or the side is unknown.
    """
    pose = as_se3("M", M)
    sign = side_sign(side)
    right = _core._Jlog6(np.concatenate([pose.rotation.ravel(), pose.translation])).reshape(6, 6)
    return right if sign > 0 else right @ pose.action_inverse
