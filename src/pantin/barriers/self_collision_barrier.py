"""A robot whose parts stay apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pantin.barriers.distance_barrier import DistanceBarrier
from pantin.collision.proximity import Proximity
from pantin.configuration import Configuration
from pantin.exceptions import InvalidCollisionPairs

__all__ = ["SelfCollisionBarrier"]


class SelfCollisionBarrier(DistanceBarrier):
    """Parts of the robot that stay apart: h = d - d_min for each of its nearest pairs of shapes.

    Shapes and pairs are those of the configuration's `collision_model`; meshes count as their convex hulls. Needs the
    extra `collision`.

    Attributes:
        d_min: Distance that is kept, m.
        d_max: Distance from which on pairs are not looked at, m.

    Example:
        >>> import numpy as np
        >>> import pantin
        >>> from pantin.collision import collision_pairs
        >>> from pantin.kinematics import build_geom_from_urdf
        >>> model = pantin.load("dual_arm")
        >>> shapes = build_geom_from_urdf(model, pantin.samples.path("dual_arm"))
        >>> shapes.collision_pairs = collision_pairs(model, shapes, links="left_*", others="right_*")
        >>> q = np.zeros(model.nq)
        >>> configuration = pantin.Configuration(model, model.create_data(), q, collision_model=shapes)
        >>> barrier = SelfCollisionBarrier(3, gain=10.0, d_min=0.02)
        >>> barrier.compute_barrier(configuration).round(3).tolist()
        [0.1, 0.21, 0.21]
    """

    def __init__(
        self,
        n_collision_pairs: int,
        gain: npt.ArrayLike = 1.0,
        safe_displacement_gain: float = 1.0,
        d_min: float = 0.02,
        *,
        d_max: float = np.inf,
        n_witnesses: int = 1,
    ) -> None:
        """Keep the nearest pairs of shapes apart.

        Args:
            n_collision_pairs: How many pairs count at a time.
            gain: How fast a distance above d_min may shrink for its size, 1/s: one number, or one for each pair.
            safe_displacement_gain: Weight of the pull to no displacement.
            d_min: Distance that is kept, m.
            d_max: Distance from which on pairs are not looked at, m, so that they cost nothing.
            n_witnesses: Rows for each pair: 1 as in Pink; 4 where flat sides or edges may come to face each other.

        Raises:
            InvalidCollisionPairs: If the number of pairs is no whole number from 1 on.
            NegativeMinimumDistance: If d_min is negative.
            InvalidArgument: If a number is not finite, a gain is negative, or d_max is not above d_min.
        """
        super().__init__(n_collision_pairs, gain, safe_displacement_gain, d_min, d_max, n_witnesses)

    def _placed(self, configuration: Configuration) -> Proximity:
        data = configuration.collision_data
        if data is None:
            raise InvalidCollisionPairs(
                "the configuration has no shapes to keep apart; make it with Configuration(..., collision_model=...)"
            )
        return data
