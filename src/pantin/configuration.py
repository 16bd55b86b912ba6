"""A model, a data and a configuration vector that agree."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, scalar, vector
from pantin.collision.geometry_data import GeometryData
from pantin.exceptions import NotWithinConfigurationLimits
from pantin.kinematics.algorithms import get_frame_jacobian, integrate
from pantin.kinematics.doors import frame_index, require_data, require_model
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.model import Data, Model
from pantin.kinematics.se3 import SE3
from pantin.limits import ConfigurationLimit, Limit, VelocityLimit
from pantin.utils import VectorSpace

__all__ = ["Configuration"]

_log = logging.getLogger(__name__)


class Configuration(_core.ConfigurationBase):
    """Where a robot is: its model, a configuration vector, and kinematics that belong to it.

    `q` is read-only and `update` makes a new array, so what was kept of it stays as it was. Placements and Jacobians
    are computed when they are first asked for. Threads bring a configuration each; they may share the model.

    Attributes:
        model: Robot model; its position limits are live.
        q: Configuration, shape (nq,), m or rad per joint.
        data: Data of the model, with joints, screws and frames placed for `q`.
        tangent: Space of velocities, with its identity, ones and zeros.
        default_limits: Limits that steps keep to where they are given none.
        collision_model: Shapes that must not touch, or None.
    """

    model: Model
    default_limits: list[Limit]
    collision_model: GeometryModel | None
    tangent: VectorSpace

    def __init__(
        self,
        model: Model,
        data: Data,
        q: npt.ArrayLike,
        copy_data: bool = True,
        forward_kinematics: bool = True,
        default_limits: Iterable[Limit] | None = None,
        *,
        collision_model: GeometryModel | None = None,
        collision_data: GeometryData | None = None,
    ) -> None:
        """Put a robot somewhere.

        Args:
            model: Robot model.
            data: Data of the model.
            q: Configuration, shape (nq,), m or rad per joint; copied.
            copy_data: Work on a copy of the data; otherwise on the data itself, which each update then brings up to
                date at once.
            forward_kinematics: Place joints and frames for `q`; otherwise trust that the data has them placed.
            default_limits: Limits that steps keep to where they are given none; by default those of the model's
                positions and velocities.
            collision_model: Shapes that must not touch.
            collision_data: What is measured between them; made when it is first asked for by default.

        Raises:
            InvalidArgument: If q has the wrong size, is not finite or not normalised.
            StaleData: If the data belongs to another model, or to the model before it was edited.
            TypeError: If the model or the data is none.
        """
        require_model(model)
        require_data(model, data)
        q = vector("q", q, model.nq)
        super().__init__(model, data.copy() if copy_data else data, q, not forward_kinematics, not copy_data)
        if default_limits is None:
            default_limits = (ConfigurationLimit(model), VelocityLimit(model))
        self.default_limits = list(default_limits)
        self.collision_model = collision_model
        self._collision_data = collision_data
        self._hull = True if collision_data is None else collision_data.hull
        self.tangent = VectorSpace(model.nv)
        if self._shared:
            self._place()

    @property
    def collision_data(self) -> GeometryData | None:
        """What is measured between the shapes of the collision model, which are brought to where the robot is.

        None without a collision model.

        Raises:
            MissingExtra: If `coal` is not installed.
            ModelFileError: If a mesh cannot be read.
        """
        shapes = self.collision_model
        if shapes is None:
            return None
        if self._collision_data is None or not self._collision_data.fits(shapes):
            self._collision_data = GeometryData(shapes, hull=self._hull)
        self._collision_data.place(self.data, self.q)
        return self._collision_data

    def copy(self) -> Self:
        """Configuration at the same place with data of its own; model, limits and shapes are shared."""
        other: Self = _blank(type(self))
        other.__setstate__((self.model, self.data.copy(), self.q, vars(self)))
        other.default_limits = list(self.default_limits)
        other._collision_data = None  # made when it is asked for: it serves one caller
        return other

    def update(self, q: npt.ArrayLike | None = None) -> None:
        """Go to another configuration, or place everything anew for the present one.

        Args:
            q: Configuration, shape (nq,), m or rad per joint; copied. None stays at the present one.

        Raises:
            InvalidArgument: If q has the wrong size, is not finite or not normalised; nothing changes then.
            StaleData: If the model was edited since.
        """
        self._move(self.q if q is None else q)

    def check_limits(self, tol: float = 1e-6, safety_break: bool = True) -> None:
        """Check that each entry of q behind the root joint is within the model's limits.

        Entries whose limits leave no room (upper <= lower + tol) count as unlimited, as in Pinker.

        Args:
            tol: Excess that is let pass, rad or m.
            safety_break: Raise for the first entry outside; otherwise log a warning for each.

        Raises:
            NotWithinConfigurationLimits: If an entry is outside and `safety_break` is set; it tells which.
            InvalidArgument: If `tol` is not a finite number from 0.
        """
        if not (type(tol) is float and 0.0 <= tol < np.inf):
            tol = scalar("tol", tol, lower=0.0)
        first = self._first_outside(tol)
        if first < 0:
            return
        lower, upper = self.model.lower_position_limit, self.model.upper_position_limit
        for entry in range(first, self.model.nq):
            low, high, value = float(lower[entry]), float(upper[entry]), float(self.q[entry])
            if high <= low + tol or low - tol <= value <= high + tol:
                continue
            error = NotWithinConfigurationLimits(entry, value, low, high, name=self._joint_of(entry))
            if safety_break:
                raise error
            _log.warning("%s", error)

    def get_frame_jacobian(self, frame: str | int) -> Array:
        """Jacobian of a frame in its own axes: J v is the frame's twist, linear then angular, there.

        Args:
            frame: Name of the frame, or its index.

        Returns:
            Jacobian in LOCAL, shape (6, nv).

        Raises:
            UnknownFrame: If there is no such frame; also known as `FrameNotFound`.
        """
        return get_frame_jacobian(self.model, self.data, frame_index(self.model, frame))

    def get_transform_frame_to_world(self, frame: str | int) -> SE3:
        """Pose of a frame in the world.

        Args:
            frame: Name of the frame, or its index.

        Returns:
            World from frame; a copy.

        Raises:
            UnknownFrame: If there is no such frame; also known as `FrameNotFound`.
        """
        return self.data.oMf[frame_index(self.model, frame)].copy()

    def get_transform(self, source: str | int, dest: str | int) -> SE3:
        """Pose of a frame in another one.

        Args:
            source: Frame whose pose is asked for, by name or index.
            dest: Frame it is given in, by name or index.

        Returns:
            Dest from source.

        Raises:
            UnknownFrame: If there is no such frame; also known as `FrameNotFound`.
        """
        world_from_source = self.get_transform_frame_to_world(source)
        return self.get_transform_frame_to_world(dest).act_inv(world_from_source)

    def integrate(self, velocity: npt.ArrayLike, dt: float) -> Self:
        """Configuration that a velocity leads to.

        Args:
            velocity: Velocity, shape (nv,), m/s or rad/s.
            dt: Duration, s; below zero it leads backwards.

        Returns:
            New configuration, with the limits and shapes of this one.

        Raises:
            InvalidArgument: If the velocity has the wrong size or is not finite, or the duration is not finite.
        """
        other = self.copy()
        other.integrate_inplace(velocity, dt)
        return other

    def integrate_inplace(self, velocity: npt.ArrayLike, dt: float) -> None:
        """Go where a velocity leads.

        Args:
            velocity: Velocity, shape (nv,), m/s or rad/s.
            dt: Duration, s; below zero it leads backwards.

        Raises:
            InvalidArgument: If the velocity has the wrong size or is not finite, or the duration is not finite;
                nothing changes then.
        """
        if not (type(dt) is float and 0.0 < abs(dt) < np.inf and isinstance(velocity, np.ndarray)):
            velocity, dt = self._checked(velocity, dt)
        try:
            q = integrate(self.model, self.q, velocity * dt)
        except (TypeError, ValueError):
            velocity, dt = self._checked(velocity, dt)  # which tells what is wrong with them
            q = integrate(self.model, self.q, velocity * dt)
        self._move(q)

    def __copy__(self) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _blank, (type(self),), (self.model, self.data, self.q, vars(self))

    def __setstate__(self, state: tuple[Model, Data, Array, dict[str, Any]]) -> None:
        model, data, q, attributes = state
        _core.ConfigurationBase.__init__(self, model, data, q, True, False)
        vars(self).update(attributes)

    def __repr__(self) -> str:
        return f"Configuration({self.model!r}, q={self.q.tolist()})"

    def _checked(self, velocity: npt.ArrayLike, dt: float) -> tuple[Array, float]:
        """A velocity and a duration."""
        return vector("velocity", velocity, self.model.nv), scalar("dt", dt)

    def _joint_of(self, entry: int) -> str:
        """Name of the joint that an entry of q belongs to."""
        for name, joint in zip(self.model.names, self.model.joints, strict=True):
            if joint.mimic is None and joint.idx_q <= entry < joint.idx_q + joint.nq:
                return name
        return ""


def _blank(cls: type[Configuration]) -> Any:
    """Configuration that is to be told where it is."""
    return cls.__new__(cls)
