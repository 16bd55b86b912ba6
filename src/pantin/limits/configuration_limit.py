"""Position limits of joints."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray, scalar
from pantin.errors import InvalidArgument
from pantin.kinematics.model import Model
from pantin.limits.entry_limit import EntryLimit
from pantin.limits.positions import distances, leave_room

__all__ = ["ConfigurationLimit", "gain_of"]


class ConfigurationLimit(EntryLimit):
    r"""Position limits of the joints that move by one number.

    A step may use up a part $g$ of the way that is left to a limit, the gain (Kanoun 2012):

    $$ g\, (q_{min} - q) \le \Delta q \le g\, (q_{max} - q). $$

    From inside, any such step ends inside. From outside the bounds ask the joint to come back by the same part of the
    way that it is outside, which may be faster than a velocity limit allows; `DifferentialIK` then comes back at the
    allowed speed.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.limits import ConfigurationLimit
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> limit = ConfigurationLimit(model, config_limit_gain=0.5)
    >>> G, h = limit.compute_qp_inequalities(configuration, dt=0.01)
    >>> G.shape, bool((h[:7] == 0.5 * model.upper_position_limit).all())
    ((14, 7), True)

    Limits from 1e20 on are none. A joint whose limits are equal when this object is made counts as not limited, as in
    Pinker; limits that become equal later hold it. Continuous, ball, planar and floating joints have no box in their
    tangent and are not limited here. A follower's limits are part of its master's.

    Attributes:
        model: Robot model, whose position limits are live.
    """

    _kind_name: ClassVar[str] = "configuration"

    def __init__(self, model: Model, config_limit_gain: float = 0.5) -> None:
        """Limit the positions of a model's joints.

        Args:
            model: Robot model.
            config_limit_gain: Part of the remaining way to a limit that one step may use up, above 0 and at most 1.

        Raises:
            InvalidArgument: If the gain is not within (0, 1].
            TypeError: If the model is none.
        """
        self.config_limit_gain = config_limit_gain
        super().__init__(model)

    @property
    def config_limit_gain(self) -> float:
        """Part of the remaining way to a limit that one step may use up, within (0, 1]."""
        return self._gain

    @config_limit_gain.setter
    def config_limit_gain(self, gain: float) -> None:
        self._gain = gain_of("config_limit_gain", gain)

    def _room(self) -> BoolArray:
        return leave_room(self.model, self._numbers)

    def _candidates(self) -> npt.NDArray[np.intp]:
        return np.flatnonzero(self._numbers >= 0)

    def _bounds(self, entries: npt.NDArray[np.intp], q: Array, dt: float) -> tuple[Array, Array]:
        below, above = distances(self.model, self._numbers[entries], q)
        return -self._gain * below, self._gain * above

    def _refresh(self) -> None:
        super()._refresh()
        self._hold("_lower", self.model._vectors["lower_position_limit"])
        self._hold("_upper", self.model._vectors["upper_position_limit"])


def gain_of(name: str, gain: float) -> float:
    """Gain of a limit.

    Raises:
        InvalidArgument: If it is not within (0, 1].
    """
    gain = scalar(name, gain)
    if not 0.0 < gain <= 1.0:
        raise InvalidArgument(name, f"expected a number above 0 and at most 1, got {gain:g}")
    return gain
