"""Velocity limits of a floating base."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.algorithms import get_frame_jacobian
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Model
from pantin.limits.doors import refuse_bad_bounds, require_same_model, time_step, vector_of
from pantin.limits.floating_base import base_frame_of, floating_joint, require_base_frame
from pantin.limits.limit import Inequalities, Limit

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["FloatingBaseVelocityLimit"]


class FloatingBaseVelocityLimit(Limit):
    r"""Largest velocities of a floating base along and about the axes of one of its frames.

    $$ -dt\, v_{max} \le J\, \Delta q \le dt\, v_{max} $$

    with $J$ the frame's Jacobian in its own axes (LOCAL).

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.limits import FloatingBaseVelocityLimit
    >>> model = pantin.load("quadruped")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> limit = FloatingBaseVelocityLimit(model, "trunk", [0.5, 0.3, 0.1], 1.0)
    >>> G, h = limit.compute_qp_inequalities(configuration, dt=0.01)
    >>> h[:6]
    array([0.005, 0.003, 0.001, 0.01 , 0.01 , 0.01 ])

    Attributes:
        model: Robot model.
        base_frame: Name of the frame.
        twist_max: Largest linear and angular velocities, shape (6,), m/s and rad/s, live; infinity for none.
        root_joint_id: Index of the base's joint.
        root_idx_v: Its first entry in a velocity.
        root_nv: Number of its entries.
    """

    model: Model
    base_frame: str
    twist_max: Array
    root_joint_id: int
    root_idx_v: int
    root_nv: int

    def __init__(
        self,
        model: Model,
        base_frame: str | None,
        max_linear_velocity: npt.ArrayLike,
        max_angular_velocity: npt.ArrayLike,
    ) -> None:
        """Limit the velocities of a floating base.

        Args:
            model: Robot model with a floating base: a joint "root_joint", or a free flyer or planar joint at its root.
            base_frame: Frame on the base whose axes count; None for the first one.
            max_linear_velocity: Largest velocities along its axes, shape (3,), or one for all, m/s.
            max_angular_velocity: Largest velocities about its axes, shape (3,), or one for all, rad/s.

        Raises:
            InvalidArgument: If the model has no floating base, the frame is not on it, or a velocity is NaN or negative
                or there are not three.
            UnknownFrame: If there is no such frame.
            TypeError: If the model is none.
        """
        joint = floating_joint(model)
        self.model = model
        self.root_joint_id, self.root_idx_v, self.root_nv = joint.id, joint.idx_v, joint.nv
        self.base_frame = base_frame_of(model, joint.id, base_frame)
        bounds = {"max_linear_velocity": max_linear_velocity, "max_angular_velocity": max_angular_velocity}
        for name, values in bounds.items():
            refuse_bad_bounds(name, vector_of(name, values, 3))
        self.twist_max = np.concatenate([vector_of(name, values, 3) for name, values in bounds.items()])

    @property
    def linear_max(self) -> Array:
        """Largest linear velocities, shape (3,), m/s, live."""
        return self.twist_max[:3]

    @property
    def angular_max(self) -> Array:
        """Largest angular velocities, shape (3,), rad/s, live."""
        return self.twist_max[3:]

    @property
    def frame_id(self) -> int:
        """Index of the frame."""
        return self.model.get_frame_id(self.base_frame)

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> Inequalities | None:
        """Upper bounds of the finite velocities, then lower ones.

        Args:
            configuration: Where the robot is.
            dt: Time step, s.

        Returns:
            Matrix G, shape (2 k, nv), and vector h, shape (2 k,), of G dq <= h; None where nothing is limited.

        Raises:
            InvalidArgument: If the time step is negative, a velocity is negative or NaN, the frame is on another joint
                by now, or the configuration is another model's.
        """
        require_same_model(self.model, configuration)
        dt = time_step(dt)
        refuse_bad_bounds("twist_max", self.twist_max)
        limited = np.isfinite(self.twist_max)
        if not limited.any():
            return None
        frame = require_base_frame(configuration.model, self.root_joint_id, self.base_frame)
        rows = get_frame_jacobian(configuration.model, configuration.data, frame, ReferenceFrame.LOCAL)[limited]
        most = dt * self.twist_max[limited]
        return np.concatenate([rows, -rows]), np.concatenate([most, most])

    def __repr__(self) -> str:
        """Frame and bounds."""
        return f"FloatingBaseVelocityLimit({self.base_frame!r}, {self.linear_max}, {self.angular_max})"
