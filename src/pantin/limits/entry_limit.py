"""Limits on single entries of a displacement, which the core reads as a box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.kinematics.doors import require_model
from pantin.kinematics.joints import JointModel
from pantin.kinematics.model import Model
from pantin.limits.doors import require_same_model, time_step
from pantin.limits.limit import Inequalities, Limit

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["FAR", "NARROW", "EntryLimit", "Limited"]

#: A limit from here on is none: files write 1e20 or the largest double.
FAR = 1e20
#: Limits that leave less room than this leave none.
NARROW = 1e-10


class Limited:
    """Which entries count as limited: those whose limits leave room now, or did when they were first seen.

    Files write equal limits and speeds of zero where nothing is known, so at first these count as no limits, as in
    Pinker. Written later, they hold the joint.
    """

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self.at_first: BoolArray = np.zeros(0, dtype=bool)

    def __call__(self, room: BoolArray) -> BoolArray:
        """Which entries count, given which have limits that leave room."""
        if self.at_first.size < room.size:
            self.at_first = np.concatenate([self.at_first, room[self.at_first.size :]])
        return self.at_first | room


class EntryLimit(Limit):
    """Base of limits that bound single entries of a displacement.

    Values of limits are read at each call. Joints that are added to the model are followed.

    Attributes:
        model: Robot model.
    """

    _rows_of_kind: ClassVar[bool] = True
    model: Model

    def __init__(self, model: Model) -> None:
        """Limit of a model; a class that has parts sets them first."""
        require_model(model)
        self.model = model
        self._limited_entries = Limited()
        self._of_joints = np.zeros(0, dtype=np.intp)
        self._refresh()

    @property
    def indices(self) -> npt.NDArray[np.intp]:
        """Entries of a velocity that are limited, in ascending order; read-only."""
        entries = np.flatnonzero(self._limited_entries(self._room()))
        entries.setflags(write=False)
        return entries

    @property
    def joints(self) -> list[JointModel]:
        """Joints with limited entries."""
        entries = set(self.indices.tolist())
        return [
            joint
            for joint in self.model.joints
            if joint.mimic is None and not entries.isdisjoint(range(joint.idx_v, joint.idx_v + joint.nv))
        ]

    @property
    def projection_matrix(self) -> Array | None:
        """Matrix that picks the limited entries of a displacement, shape (k, nv); None where there are none."""
        entries = self.indices
        return np.eye(self.model.nv)[entries] if entries.size else None

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> Inequalities | None:
        """Upper bounds of the limited entries, then lower ones; the sides that have none are left out.

        Args:
            configuration: Where the robot is.
            dt: Time step, s.

        Returns:
            Matrix G, shape (m, nv), and vector h, shape (m,), of G dq <= h; None where nothing is limited.

        Raises:
            InvalidArgument: If the time step is negative, a limit is NaN, or the configuration is another model's.
        """
        require_same_model(self.model, configuration)
        entries = self.indices
        lower, upper = self._bounds(entries, configuration.q, time_step(dt))
        above, below = np.flatnonzero(upper < np.inf), np.flatnonzero(lower > -np.inf)
        if not above.size + below.size:
            return None
        G = np.zeros((above.size + below.size, self.model.nv))
        G[np.arange(above.size), entries[above]] = 1.0
        G[np.arange(above.size, len(G)), entries[below]] = -1.0
        return G, np.concatenate([upper[above], -lower[below]])

    @property
    def _numbers(self) -> npt.NDArray[np.intp]:
        """For each entry of a velocity that of a configuration, -1 where the joint does not move by one number."""
        if self._of_joints.size != self.model.nv:  # joints are only ever added
            self._of_joints = np.full(self.model.nv, -1, dtype=np.intp)
            for joint in self.model.joints:
                if joint.nq == joint.nv == 1:
                    self._of_joints[joint.idx_v] = joint.idx_q
        return self._of_joints

    def _room(self) -> BoolArray:
        """Which entries of a velocity have limits that leave room, shape (nv,)."""
        raise NotImplementedError

    def _bounds(self, entries: npt.NDArray[np.intp], q: Array, dt: float) -> tuple[Array, Array]:
        """Lower and upper bounds of some entries of a displacement; infinite where there are none."""
        raise NotImplementedError

    def _candidates(self) -> npt.NDArray[np.intp]:
        """Entries that the core looks at: those that are limited or may come to be."""
        raise NotImplementedError

    def _kept(self) -> Limited:
        """Which of these count even where they are left no room."""
        return self._limited_entries

    def _refresh(self) -> None:
        self._limited_entries(self._room())
        candidates = self._candidates()
        self._hold("_indices", candidates.astype(np.int32))
        self._hold("_limited", self._kept().at_first[candidates].astype(np.int32))

    def _hold(self, part: str, value: Any) -> None:
        """Give the core a part, if it is another one: steps are compiled anew for it."""
        held = getattr(self, part)
        same = held is not None and np.array_equal(held, value) if isinstance(value, np.ndarray) else held is value
        if not same:
            setattr(self, part, value)

    def _packed(self, vector: Array) -> Array:
        """Limited entries of a vector: a view where they lie side by side, else a read-only copy."""
        entries = self.indices
        if entries.size and entries[-1] - entries[0] + 1 == entries.size:
            return vector[entries[0] : entries[-1] + 1]
        values: Array = vector[entries]
        values.setflags(write=False)
        return values

    def __repr__(self) -> str:
        """How much is limited."""
        return f"{type(self).__name__}({len(self.indices)} of {self.model.nv} entries)"
