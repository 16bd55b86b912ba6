"""Where a floating base may be, and how far it may tilt."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar
from pantin.errors import InvalidArgument
from pantin.kinematics.algorithms import get_frame_jacobian
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Model
from pantin.limits.configuration_limit import gain_of
from pantin.limits.doors import require_same_model, vector_of
from pantin.limits.floating_base import base_frame_of, floating_joint, require_base_frame
from pantin.limits.limit import Inequalities, Limit

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["FloatingBaseConfigurationLimit"]

#: Sine of a tilt below which its direction is any.
_UPRIGHT = 1e-9


class FloatingBaseConfigurationLimit(Limit):
    r"""Box in the world for a frame on a floating base, and a cone about the vertical for its z axis.

    As with joints, a step may use up a part $g$ of the way that is left, the gain. With $p$ the frame's position,
    $\theta$ the angle between its z axis and the world's, and $J$ its Jacobian along the world's axes
    (LOCAL_WORLD_ALIGNED),

    $$ g\, (p_{min} - p) \le J_{linear}\, \Delta q \le g\, (p_{max} - p), \qquad
       u^\top J_{angular}\, \Delta q \le g\, (\theta_{max} - \theta), $$

    where $u$ is the axis about which the tilt grows, $z_{world} \times z_{frame}$ scaled to unit length. The bounds are
    linear and the motion of a base is not: what a step exceeds them by is of second order in its length, and later
    steps take it back. From outside the base comes back likewise.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.limits import FloatingBaseConfigurationLimit
    >>> model = pantin.load("humanoid")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> upright = FloatingBaseConfigurationLimit(model, "pelvis", max_tilt=0.3)
    >>> G, h = upright.compute_qp_inequalities(configuration, dt=0.01)
    >>> h
    array([0.15])

    Attributes:
        model: Robot model.
        base_frame: Name of the frame.
        lower: Lowest position in the world, shape (3,), m, live; minus infinity for none.
        upper: Highest position in the world, shape (3,), m, live; infinity for none.
        max_tilt: Largest angle between the frame's z axis and the world's, rad; None for none.
        root_joint_id: Index of the base's joint.
    """

    model: Model
    base_frame: str
    lower: Array
    upper: Array
    root_joint_id: int

    def __init__(
        self,
        model: Model,
        base_frame: str | None = None,
        *,
        lower: npt.ArrayLike | None = None,
        upper: npt.ArrayLike | None = None,
        max_tilt: float | None = None,
        config_limit_gain: float = 0.5,
    ) -> None:
        """Limit where a floating base may be.

        Args:
            model: Robot model with a floating base: a joint "root_joint", or a free flyer or planar joint at its root.
            base_frame: Frame on the base; None for the first one.
            lower: Lowest position, shape (3,), or one number for all, m; minus infinity or None for none.
            upper: Highest position, shape (3,), or one number for all, m; infinity or None for none.
            max_tilt: Largest angle between the frame's z axis and the world's, rad, within (0, pi].
            config_limit_gain: Part of the remaining way that one step may use up, above 0 and at most 1.

        Raises:
            InvalidArgument: If the model has no floating base, the frame is not on it, nothing is limited, the lower
                position is above the upper one, a number is NaN, or tilt or gain are out of range.
            UnknownFrame: If there is no such frame.
            TypeError: If the model is none.
        """
        self.root_joint_id = floating_joint(model).id
        self.model = model
        self.base_frame = base_frame_of(model, self.root_joint_id, base_frame)
        self.lower = vector_of("lower", -np.inf if lower is None else lower, 3)
        self.upper = vector_of("upper", np.inf if upper is None else upper, 3)
        if (self.lower > self.upper).any():
            raise InvalidArgument("lower", f"{self.lower} is above upper, {self.upper}")
        self.max_tilt = max_tilt
        if max_tilt is None and not np.isfinite([self.lower, self.upper]).any():
            raise InvalidArgument("limit", "nothing is limited; give lower, upper or max_tilt")
        self.config_limit_gain = config_limit_gain

    @property
    def max_tilt(self) -> float | None:
        """Largest angle between the frame's z axis and the world's, rad; None for none."""
        return self._max_tilt

    @max_tilt.setter
    def max_tilt(self, angle: float | None) -> None:
        self._max_tilt = None if angle is None else scalar("max_tilt", angle, lower=1e-6, upper=math.pi)

    @property
    def config_limit_gain(self) -> float:
        """Part of the remaining way that one step may use up, within (0, 1]."""
        return self._gain

    @config_limit_gain.setter
    def config_limit_gain(self, gain: float) -> None:
        self._gain = gain_of("config_limit_gain", gain)

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> Inequalities | None:
        """Upper bounds of the finite positions, then lower ones, then the tilt.

        Args:
            configuration: Where the robot is.
            dt: Time step, s; it does not matter.

        Returns:
            Matrix G, shape (m, nv), and vector h, shape (m,), of G dq <= h; None where nothing is limited.

        Raises:
            InvalidArgument: If a position is NaN, the frame is on another joint by now, or the configuration is another
                model's.
        """
        require_same_model(self.model, configuration)
        model = configuration.model
        frame = require_base_frame(model, self.root_joint_id, self.base_frame)
        pose = configuration.data.oMf[frame]
        rows = get_frame_jacobian(model, configuration.data, frame, ReferenceFrame.LOCAL_WORLD_ALIGNED)
        upper, lower = vector_of("upper", self.upper, 3), vector_of("lower", self.lower, 3)
        above, below = np.isfinite(upper), np.isfinite(lower)
        ways = [(upper - pose.translation)[above], (pose.translation - lower)[below]]
        G = [rows[:3][above], -rows[:3][below]]
        if self.max_tilt is not None:
            tilt, axis = _tilt(pose.rotation)
            G.append((axis @ rows[3:])[None])
            ways.append(np.array([self.max_tilt - tilt]))
        h = self.config_limit_gain * np.concatenate(ways)
        return (np.concatenate(G), h) if h.size else None

    def __repr__(self) -> str:
        """Frame and bounds."""
        return f"FloatingBaseConfigurationLimit({self.base_frame!r}, {self.lower}, {self.upper}, tilt {self.max_tilt})"


def _tilt(rotation: Array) -> tuple[float, Array]:
    """Angle between the z axes of a frame and of the world, and the axis in the world about which it grows."""
    x, y, z = rotation[:, 2]
    sine = math.hypot(x, y)
    axis = np.array([-y, x, 0.0]) / sine if sine > _UPRIGHT else np.array([1.0, 0.0, 0.0])
    return math.atan2(sine, z), axis
