"""Velocity limits of joints."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import require_model
from pantin.kinematics.model import Model
from pantin.limits.doors import refuse_bad_bounds, vector_of
from pantin.limits.entry_limit import FAR, NARROW, EntryLimit

__all__ = ["VelocityLimit"]


class VelocityLimit(EntryLimit):
    r"""Largest speeds of single entries of a velocity.

    $$ -dt\, v_{max} \le \Delta q \le dt\, v_{max} $$

    Each entry counts for itself, those of ball, planar and floating joints too. Limits from 1e20 on are none. An entry
    whose limit is zero when this object is made counts as not limited, as in Pinker, since files write zero for
    unknown; a limit that becomes zero later holds it. A follower's limit is part of its master's.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.limits import VelocityLimit
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> slow = VelocityLimit(model, 0.5)
    >>> G, h = slow.compute_qp_inequalities(configuration, dt=0.01)
    >>> float(h.max())
    0.005

    Attributes:
        model: Robot model.
    """

    _kind_name: ClassVar[str] = "velocity"

    def __init__(self, model: Model, velocity_limit: npt.ArrayLike | None = None) -> None:
        """Limit the speeds of a model's joints.

        Args:
            model: Robot model.
            velocity_limit: Largest speeds, shape (nv,), or one for all, m/s or rad/s; copied. By default they are the
                model's, and stay so when those are written.

        Raises:
            InvalidArgument: If the limits have the wrong size, are NaN, or negative.
            TypeError: If the model is none.
        """
        require_model(model)
        self._take(model, velocity_limit)
        super().__init__(model)

    @property
    def velocity_limit(self) -> Array:
        """Largest speeds, shape (nv,), m/s or rad/s, live: those of its own, or the model's."""
        speeds = self._vector
        return speeds if isinstance(speeds, np.ndarray) else self.model.velocity_limit

    @velocity_limit.setter
    def velocity_limit(self, velocity_limit: npt.ArrayLike | None) -> None:
        self._take(self.model, velocity_limit)
        super().__init__(self.model)

    def _take(self, model: Model, velocity_limit: npt.ArrayLike | None) -> None:
        """Hold limits of its own, or the model's."""
        speeds = (
            model.velocity_limit if velocity_limit is None else vector_of("velocity_limit", velocity_limit, model.nv)
        )
        refuse_bad_bounds("velocity_limit", speeds)
        self._vector = model._vectors["velocity_limit"] if velocity_limit is None else speeds

    def _room(self) -> BoolArray:
        speeds = self.velocity_limit
        if speeds.size != self.model.nv:
            raise InvalidArgument(
                "velocity_limit", f"it has {speeds.size} numbers and the model {self.model.nv} by now; assign it anew"
            )
        room: BoolArray = (speeds > NARROW) & (speeds < FAR)
        return room

    def _candidates(self) -> npt.NDArray[np.intp]:
        return np.arange(self.model.nv)

    def _bounds(self, entries: npt.NDArray[np.intp], q: Array, dt: float) -> tuple[Array, Array]:
        speeds = self.velocity_limit[entries]
        refuse_bad_bounds("velocity_limit", speeds)
        most = np.where(speeds < FAR, dt * speeds, np.inf)
        return -most, most

    def _refresh(self) -> None:
        if not isinstance(self._vector, np.ndarray):
            self._hold("_vector", self.model._vectors["velocity_limit"])
        super()._refresh()
