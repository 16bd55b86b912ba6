"""What barriers about distances between shapes share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, count, scalar
from pantin.barriers.barrier import Barrier, identity
from pantin.collision.gradient import Gradient
from pantin.collision.memory import Memory
from pantin.collision.proximity import Nearest, Proximity
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.exceptions import InvalidCollisionPairs, NegativeMinimumDistance

__all__ = ["DistanceBarrier"]

#: Distance that rows without a pair tell, m, where there is no d_max.
_FAR = 1e3
#: Distance above d_min within which earlier witnesses count, m.
_NEAR = 0.1
#: What distances of convex shapes may be off, m.
_ALIKE = 2e-6


class DistanceBarrier(Barrier):
    """Base of barriers about the smallest of many distances: h = d - d_min for each of the nearest pairs of shapes.

    The nearest pairs are found anew at each configuration, and their rows come in the order of their distances. A
    distance below zero is how deep two shapes are in each other, so that its row leads out again. Where fewer pairs
    than `n_collision_pairs` are nearer than `d_max`, the rows of the others are zero, and their values d_max - d_min.

    With `n_witnesses` above 1, the rows of these pairs are followed by as many again for each earlier place where they
    were nearest, n . (b - a) - d_min with the present normal n and points a and b of the first and the second shape;
    for pairs that are farther apart, or have none, they are zero.
    These hold still what flat sides and long edges would else trade: that one end comes nearer as the other goes.

    Attributes:
        n_collision_pairs: Number of pairs that count.
        n_witnesses: Number of rows for each of them.
        d_min: Distance that is kept, m.
        d_max: Distance from which on pairs are not looked at, m.
    """

    #: Attributes that hold what was measured, and are filled anew where they are None.
    _MEASURED: tuple[str, ...] = ("_compiled", "_found")

    n_collision_pairs: int
    n_witnesses: int
    d_min: float
    d_max: float

    def __init__(
        self,
        n_collision_pairs: int,
        gain: npt.ArrayLike,
        safe_displacement_gain: float,
        d_min: float,
        d_max: float,
        n_witnesses: int,
    ) -> None:
        """Barrier of so many pairs; see those that derive from it."""
        whole = isinstance(n_collision_pairs, int | np.integer) and not isinstance(n_collision_pairs, bool)
        if not whole or n_collision_pairs < 1:
            raise InvalidCollisionPairs(
                f"n_collision_pairs: expected how many pairs count, from 1 on, got {n_collision_pairs!r}"
            )
        if isinstance(d_min, int | float) and d_min < 0.0:
            raise NegativeMinimumDistance(f"d_min: expected a distance from 0 on, got {d_min:g} m")
        self.n_collision_pairs = int(n_collision_pairs)
        self.n_witnesses = count("n_witnesses", n_witnesses, lower=1)
        gains = array("gain", gain)
        if gains.shape == (self.n_collision_pairs,):
            gains = np.tile(gains, self.n_witnesses)
        super().__init__(
            self.n_collision_pairs * self.n_witnesses, gain=gains, safe_displacement_gain=safe_displacement_gain
        )
        self.d_min = scalar("d_min", d_min, lower=0.0)
        self.d_max = np.inf if isinstance(d_max, float) and d_max == np.inf else scalar("d_max", d_max)
        if self.d_max <= self.d_min:
            raise InvalidArgument("d_max", f"expected more than d_min, {self.d_min:g} m, got {self.d_max:g}")
        self._compiled: tuple[object, Gradient, Memory] | None = None
        self._found: tuple[Nearest, Array, Array] | None = None

    def __getstate__(self) -> dict[str, object]:
        """What is copied and sent: not what was measured."""
        return {**vars(self), **dict.fromkeys(self._MEASURED)}

    def nearest(self, configuration: Configuration) -> Nearest:
        """The pairs that count, with their distances, normals and witness points; the nearest first.

        Args:
            configuration: Where the robot is.

        Raises:
            InvalidCollisionPairs: If there are no shapes, or fewer pairs than are to count.
            MissingExtra: If `coal` is not installed.
        """
        return self._nearest(self._placed(configuration))

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Distances above the one that is kept.

        Args:
            configuration: Where the robot is.

        Returns:
            d - d_min of the nearest pairs, the smallest first, then those of earlier places, shape (dim,), m.

        Raises:
            InvalidCollisionPairs: If there are no shapes, or fewer pairs than are to count.
            MissingExtra: If `coal` is not installed.
        """
        return self._look(configuration)[1] - self.d_min

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Derivatives of the distances.

        Args:
            configuration: Where the robot is.

        Returns:
            Rows n' (J2 - J1) with the normal n and the Jacobians of the points, shape (dim, nv); read-only.

        Raises:
            InvalidCollisionPairs: If there are no shapes, or fewer pairs than are to count.
            MissingExtra: If `coal` is not installed.
        """
        return self._look(configuration)[2]

    def compute_qp_inequalities(self, configuration: Configuration, dt: float = 1e-3) -> tuple[Array, Array]:
        """Which displacements are allowed; see `Barrier.compute_qp_inequalities`, which takes longer to say the same.

        Args:
            configuration: Where the robot is.
            dt: Time step, s, above 0.

        Returns:
            Matrix G = -J / dt, shape (dim, nv), and vector h = gain * (d - d_min), shape (dim,), of G dq <= h.

        Raises:
            InvalidArgument: If the time step is not above 0, or a gain is negative.
            InvalidCollisionPairs: If there are no shapes, or fewer pairs than are to count.
            MissingExtra: If `coal` is not installed.
        """
        plain = type(dt) is float and 0.0 < dt < np.inf and self.gain.min() >= 0.0
        if not plain or self.gain_function is not identity:
            return super().compute_qp_inequalities(configuration, dt)
        return self.compute_jacobian(configuration) * (-1.0 / dt), self.gain * self.compute_barrier(configuration)

    def _jacobian(self, configuration: Configuration) -> Array:
        """The Jacobian, whose numbers need no check."""
        return self.compute_jacobian(configuration)

    def _placed(self, configuration: Configuration) -> Proximity:
        """The shapes and their pairs, where the robot is."""
        raise NotImplementedError

    def _nearest(self, proximity: Proximity) -> Nearest:
        if proximity.npairs < self.n_collision_pairs and self.d_max == np.inf:
            raise InvalidCollisionPairs(
                f"n_collision_pairs: {self.n_collision_pairs} pairs shall count, and there are {proximity.npairs}; "
                "ask for fewer, add pairs, or set d_max"
            )
        return proximity.nearest(self.n_collision_pairs, self.d_max)

    def _look(self, configuration: Configuration) -> tuple[Nearest, Array, Array]:
        """The nearest pairs, distances (dim,) and their derivatives (dim, nv), once for each configuration."""
        proximity = self._placed(configuration)
        nearest = self._nearest(proximity)
        if self._found is None or self._found[0] is not nearest:
            distance, rows = self._measure(configuration, proximity, nearest)
            rows.flags.writeable = False
            self._found = nearest, distance, rows
        return self._found

    def _measure(self, configuration: Configuration, proximity: Proximity, nearest: Nearest) -> tuple[Array, Array]:
        model, data = configuration.model, configuration.data
        known = proximity, model, model.version
        if self._compiled is None or self._compiled[0] != known:
            memory = Memory(proximity.npairs, self.n_witnesses - 1)
            self._compiled = known, Gradient(model, *proximity.joints), memory
        _, gradient, memory = self._compiled
        pairs, distance, normal, point = nearest
        rows = gradient.rows(model, data, pairs, normal, point)
        if self.dim == len(pairs):
            return distance, rows
        distances, every = np.full(self.dim, min(self.d_max, _FAR)), np.zeros((self.dim, model.nv))
        distances[: len(pairs)], every[: len(pairs)] = distance, rows
        near = int(np.searchsorted(distance, self.d_min + _NEAR))
        if self.n_witnesses > 1 and near:
            pairs, distance, normal, point = pairs[:near], distance[:near], normal[:near], point[:near]
            before = memory.recall(pairs, *proximity.frames(pairs), (point, point + distance[:, None] * normal))
            along = np.einsum("ni,nsi->ns", normal, before.second - before.first)
            # Shapes that are not convex have points that are nearer: these tell nothing.
            which, slot = np.nonzero(before.known & (along >= distance[:, None] - _ALIKE))
            into = self.n_collision_pairs + which * (self.n_witnesses - 1) + slot
            first, second = before.first[which, slot], before.second[which, slot]
            distances[into] = along[which, slot]
            every[into] = gradient.rows_between(model, data, pairs[which], normal[which], first, second)
        return distances, every
