"""Acceleration limits of joints, and braking before position limits."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray, scalar, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import require_model
from pantin.kinematics.model import Model
from pantin.limits.configuration_limit import gain_of
from pantin.limits.doors import refuse_bad_bounds, refuse_nan, vector_of
from pantin.limits.entry_limit import FAR, NARROW, EntryLimit, Limited
from pantin.limits.positions import distances, leave_room

__all__ = ["AccelerationLimit"]


class AccelerationLimit(EntryLimit):
    r"""Largest accelerations of single entries of a velocity, and braking before position limits.

    With the last displacement, which `DifferentialIK` or `set_last_integration` tells,

    $$ -a_{max}\, dt^2 \le \Delta q - \Delta q_{prev} \le a_{max}\, dt^2. $$

    Each entry counts for itself, those of ball, planar and floating joints too. A joint that has position limits also
    stays slow enough to stop before them. How fast it may be at a distance $d$ depends on `braking`:

    - "continuous", Pinker's: $\Delta q \le dt \sqrt{2\, a_{max}\, d}$ (Flacco 2015; Del Prete 2018). A motion that
      brakes without pause stops just in time. One that holds its velocity for whole steps covers more way, and at the
      end the bounds ask for more deceleration than there is: the set of steps is empty.
    - "discrete": $\Delta q \le v\, dt$ where $v\, dt + v^2 / 2b = d$, so that after the step there is room to stop.
      With $b = a_{max} \min(1, 2g)$, $g$ being the gain of the `ConfigurationLimit` beside it, a motion that has obeyed
      this limit, the position and the velocity limits always has a next step that does, for any steps of time.

    Outside of a position limit $d$ counts as zero: the joint must not go farther out. Accelerations from 1e20 on, and
    of zero, are no limits.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.limits import AccelerationLimit
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> limit = AccelerationLimit(model, 10.0, braking="discrete")
    >>> limit.set_last_integration([0.2] * 7, dt=0.01)
    >>> G, h = limit.compute_qp_inequalities(configuration, dt=0.01)
    >>> round(float(h[0]), 6), round(float(h[7]), 6)
    (0.003, -0.001)

    Attributes:
        model: Robot model, whose position limits are live.
    """

    _kind_name: ClassVar[str] = "acceleration"

    def __init__(
        self,
        model: Model,
        acceleration_limit: npt.ArrayLike,
        *,
        braking: Literal["continuous", "discrete"] = "continuous",
        config_limit_gain: float = 0.5,
    ) -> None:
        """Limit the accelerations of a model's joints.

        Args:
            model: Robot model.
            acceleration_limit: Largest accelerations, shape (nv,), or one for all, m/s^2 or rad/s^2; copied.
            braking: How fast a joint may be near its position limits.
            config_limit_gain: Smallest gain of a `ConfigurationLimit` beside this limit, within (0, 1]; it matters for
                discrete braking and below 0.5, where joints have to brake earlier.

        Raises:
            InvalidArgument: If the limits have the wrong size, are NaN or negative, or braking or gain are none.
            TypeError: If the model is none.
        """
        require_model(model)
        if not isinstance(braking, str) or braking not in ("continuous", "discrete"):
            raise InvalidArgument("braking", f"expected 'continuous' or 'discrete', got {braking!r}")
        share = min(1.0, 2.0 * gain_of("config_limit_gain", config_limit_gain))
        self._gain = share if braking == "discrete" else 0.0
        self._take(model, acceleration_limit)
        super().__init__(model)

    @property
    def acceleration_limit(self) -> Array:
        """Largest accelerations, shape (nv,), m/s^2 or rad/s^2; read-only, assign to change them."""
        accelerations: Array = self._vector.view()
        accelerations.setflags(write=False)
        return accelerations

    @acceleration_limit.setter
    def acceleration_limit(self, acceleration_limit: npt.ArrayLike) -> None:
        self._take(self.model, acceleration_limit)
        super().__init__(self.model)

    @property
    def a_max(self) -> Array:
        """Largest accelerations of the limited entries; live where these lie side by side, else read-only."""
        return self._packed(self._vector)

    @a_max.setter
    def a_max(self, a_max: npt.ArrayLike) -> None:
        entries = self.indices
        given = vector_of("a_max", a_max, entries.size)
        refuse_bad_bounds("a_max", given)
        self._vector[entries] = given

    @property
    def Delta_q_prev(self) -> Array:
        """Last displacement of the limited entries; live where they lie side by side, else read-only."""
        return self._packed(self._previous)

    @Delta_q_prev.setter
    def Delta_q_prev(self, displacement: npt.ArrayLike) -> None:
        entries = self.indices
        self._previous[entries] = vector("Delta_q_prev", displacement, entries.size)
        self._previous_dt = 0.0

    @property
    def has_configuration_limit(self) -> BoolArray:
        """For each limited entry whether it brakes before position limits."""
        return self._brakes(self.indices)

    @property
    def braking(self) -> str:
        """How fast joints may be near their position limits: "continuous" or "discrete"."""
        return "discrete" if self._gain > 0.0 else "continuous"

    def set_last_integration(self, v_prev: npt.ArrayLike, dt: float) -> None:
        """Tell the last velocity, and for how long it was held.

        Where time steps differ, velocities are compared: the displacement that is told by assigning `Delta_q_prev`
        alone counts as one of the same time as the next.

        Args:
            v_prev: Velocity, shape (nv,).
            dt: Time step, s.

        Raises:
            InvalidArgument: If the velocity has the wrong size or is not finite, or the time step is negative.
        """
        dt = scalar("dt", dt, lower=0.0)
        self._previous[:] = vector("v_prev", v_prev, self.model.nv) * dt
        self._previous_dt = dt

    def _take(self, model: Model, acceleration_limit: npt.ArrayLike) -> None:
        """Hold limits; the last displacement stays, and is zero of joints that are new."""
        accelerations = vector_of("acceleration_limit", acceleration_limit, model.nv)
        refuse_bad_bounds("acceleration_limit", accelerations)
        self._vector = accelerations
        before = np.zeros(0) if self._previous is None else self._previous
        self._previous = np.concatenate([before, np.zeros(model.nv - before.size)])
        self._limited_positions = Limited()

    def _room(self) -> BoolArray:
        accelerations = self._vector
        if accelerations.size != self.model.nv:
            raise InvalidArgument(
                "acceleration_limit",
                f"it has {accelerations.size} numbers and the model {self.model.nv} by now; assign it anew",
            )
        room: BoolArray = (accelerations > NARROW) & (accelerations < FAR)
        return room

    def _candidates(self) -> npt.NDArray[np.intp]:
        return self.indices

    def _kept(self) -> Limited:
        self._limited_positions(leave_room(self.model, self._numbers))
        return self._limited_positions

    def _brakes(self, entries: npt.NDArray[np.intp]) -> BoolArray:
        """Which of some entries brake before position limits."""
        brakes: BoolArray = self._limited_positions(leave_room(self.model, self._numbers))[entries]
        return brakes

    def _bounds(self, entries: npt.NDArray[np.intp], q: Array, dt: float) -> tuple[Array, Array]:
        pace = dt / self._previous_dt if self._previous_dt > 0.0 else 1.0
        most, before = self._vector[entries], pace * self._previous[entries]
        refuse_bad_bounds("a_max", most)
        refuse_nan("Delta_q_prev", before)
        gained = np.where(most < FAR, most * dt * dt, np.inf)
        braking = np.full((2, entries.size), np.inf)
        limited = self._brakes(entries) & (most < FAR)
        ways = distances(self.model, self._numbers[entries[limited]], q)
        braking[:, limited] = self._braking(most[limited], np.array(ways), dt)
        return -np.minimum(gained - before, braking[0]), np.minimum(gained + before, braking[1])

    def _braking(self, most: Array, distance: Array, dt: float) -> Array:
        """Largest displacements towards limits at some distances."""
        room = np.maximum(distance, 0.0)
        b, pause = (self._gain or 1.0) * most, self._gain * most * dt  # what a held velocity loses
        way: Array = dt * np.maximum(np.sqrt(pause * pause + 2.0 * b * room) - pause, 0.0)
        return way

    def _refresh(self) -> None:
        super()._refresh()
        self._hold("_lower", self.model._vectors["lower_position_limit"])
        self._hold("_upper", self.model._vectors["upper_position_limit"])
