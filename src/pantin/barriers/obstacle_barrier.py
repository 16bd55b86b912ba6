"""A robot that stays clear of things in its way."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.barriers.distance_barrier import DistanceBarrier
from pantin.collision.obstacle import Obstacle
from pantin.collision.pairs import named_shapes, neighbours
from pantin.collision.proximity import Nearest, Proximity
from pantin.collision.solids import solid
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.exceptions import InvalidCollisionPairs
from pantin.kinematics.doors import frame_index
from pantin.kinematics.se3 import SE3

__all__ = ["ObstacleBarrier"]


class ObstacleBarrier(DistanceBarrier):
    """A robot that stays clear of obstacles: h = d - d_min for each of the nearest pairs of a shape and an obstacle.

    The robot's shapes are those of the configuration's `collision_model`; meshes count as their convex hulls. What an
    obstacle is attached to, and its neighbours along the tree, may touch it. Needs the extra `collision`.

    An obstacle that tells its velocity adds it to the rates of the distances: J dq / dt + n' v + gain h >= 0.

    Attributes:
        obstacles: The obstacles; their placements and velocities are live.
        d_min: Distance that is kept, m.
        d_max: Distance from which on pairs are not looked at, m.

    Example:
        >>> import numpy as np
        >>> import pantin
        >>> from pantin.collision import Obstacle
        >>> from pantin.kinematics import build_geom_from_urdf
        >>> model = pantin.load("dual_arm")
        >>> shapes = build_geom_from_urdf(model, pantin.samples.path("dual_arm"))
        >>> q = np.zeros(model.nq)
        >>> configuration = pantin.Configuration(model, model.create_data(), q, collision_model=shapes)
        >>> ball = Obstacle("sphere", 0.1, ([0.4, 0.3, 0.5], [0.0, 0.0, 0.0, 1.0]))
        >>> barrier = ObstacleBarrier(1, [ball], d_min=0.05, links="left_*")
        >>> before = barrier.compute_barrier(configuration)[0]
        >>> ball.placement.translation[0] -= 0.1
        >>> bool(barrier.compute_barrier(configuration)[0] < before)
        True
    """

    _MEASURED = ("_compiled", "_found", "_scene")

    obstacles: list[Obstacle]

    def __init__(
        self,
        n_collision_pairs: int,
        obstacles: Iterable[Obstacle],
        gain: npt.ArrayLike = 1.0,
        safe_displacement_gain: float = 0.0,
        d_min: float = 0.02,
        *,
        d_max: float = np.inf,
        n_witnesses: int = 4,
        links: Iterable[str] | str | None = None,
        hull: bool = True,
    ) -> None:
        """Keep the nearest pairs of a shape and an obstacle apart.

        Args:
            n_collision_pairs: How many pairs count at a time.
            obstacles: What is in the way.
            gain: How fast a distance above d_min may shrink for its size, 1/s: one number, or one for each pair.
            safe_displacement_gain: Weight of the pull to no displacement.
            d_min: Distance that is kept, m.
            d_max: Distance from which on pairs are not looked at, m, so that they cost nothing.
            n_witnesses: Rows for each pair, so that flat sides and edges may face each other; 1 does for balls.
            links: Names of the links or shapes that stay clear, with `*` for anything; all by default.
            hull: Take the convex hulls of meshes; otherwise their triangles, which is slow.

        Raises:
            InvalidCollisionPairs: If the number of pairs is no whole number from 1 on.
            NegativeMinimumDistance: If d_min is negative.
            InvalidArgument: If a number is not finite, a gain is negative, d_max is not above d_min, or an entry is no
                obstacle.
        """
        super().__init__(n_collision_pairs, gain, safe_displacement_gain, d_min, d_max, n_witnesses)
        if not isinstance(obstacles, Iterable | Obstacle):
            raise InvalidArgument("obstacles", f"expected obstacles, got {obstacles!r}")
        self.obstacles = [obstacles] if isinstance(obstacles, Obstacle) else list(obstacles)
        for index, obstacle in enumerate(self.obstacles):
            if not isinstance(obstacle, Obstacle):
                raise InvalidArgument(f"obstacles[{index}]", f"expected an Obstacle, got a {type(obstacle).__name__}")
        if not isinstance(links, Iterable | None):
            raise InvalidArgument("links", f"expected names of links or shapes, got {links!r}")
        self._links = None if links is None else (links,) if isinstance(links, str) else tuple(links)
        self._hull = hull
        self._scene: tuple[object, _Scene] | None = None

    def compute_qp_inequalities(self, configuration: Configuration, dt: float = 1e-3) -> tuple[Array, Array]:
        """Which displacements are allowed, obstacles moving on as they say; see `Barrier.compute_qp_inequalities`."""
        G, h = super().compute_qp_inequalities(configuration, dt)
        if any(obstacle.velocity.any() for obstacle in self.obstacles):
            nearest = self.nearest(configuration)
            h[: len(nearest.pairs)] += self._scene_of(configuration).rates(configuration, nearest)
        return G, h

    def _placed(self, configuration: Configuration) -> Proximity:
        scene = self._scene_of(configuration)
        scene.place(configuration)
        return scene.proximity

    def _scene_of(self, configuration: Configuration) -> _Scene:
        shapes = configuration.collision_model
        if shapes is None:
            raise InvalidCollisionPairs(
                "the configuration has no shapes to keep clear of obstacles; "
                "make it with Configuration(..., collision_model=...)"
            )
        model = configuration.model
        frames = tuple(obstacle.frame for obstacle in self.obstacles)
        known = model, model.version, shapes, shapes.ngeoms, tuple(self.obstacles), frames
        if self._scene is None or self._scene[0] != known:
            self._scene = known, _Scene(configuration, self.obstacles, self._links, self._hull)
        return self._scene[1]


class _Scene:
    """A robot's shapes among obstacles."""

    def __init__(
        self, configuration: Configuration, obstacles: list[Obstacle], links: tuple[str, ...] | None, hull: bool
    ) -> None:
        model, shapes = configuration.model, configuration.collision_model
        assert shapes is not None
        self._obstacles = list(obstacles)
        self._frames = [frame_index(model, obstacle.frame) for obstacle in obstacles]
        self._placements = [model.frames[frame].placement for frame in self._frames]
        robot = shapes.geometry_objects
        joints = [shape.parent_joint for shape in robot] + [model.frames[frame].parent_joint for frame in self._frames]
        clear = range(len(robot)) if links is None else sorted(named_shapes(shapes, links, "links"))
        self._first = len(robot)
        ends = [
            (shape, self._first + index)
            for index in range(len(obstacles))
            for shape in clear
            if joints[shape] != joints[self._first + index]
            and (joints[self._first + index] == 0 or not neighbours(model, joints[shape], joints[self._first + index]))
        ]
        self._obstacle_of = np.array([second for _, second in ends], dtype=np.int64) - self._first
        self.proximity = Proximity(
            [solid(shape, hull=hull) for shape in [*robot, *obstacles]],
            joints,
            [shape.placement for shape in robot] + self._offsets(),
            ends,
        )

    def place(self, configuration: Configuration) -> None:
        """Move shapes and obstacles to where they are now."""
        places = self.proximity.places
        moved = [places.set_offset(self._first + index, pose) for index, pose in enumerate(self._offsets())]
        self.proximity.place(configuration.data, configuration.q, moved=any(moved))

    def rates(self, configuration: Configuration, nearest: Nearest) -> Array:
        """How fast distances grow by the obstacles' own velocities, shape (n,), m/s."""
        poses = configuration.data.oMf
        rotation = np.array([poses[frame].rotation for frame in self._frames])
        twist = np.array([obstacle.velocity for obstacle in self._obstacles])
        linear = np.einsum("nij,nj->ni", rotation, twist[:, :3])
        angular = np.einsum("nij,nj->ni", rotation, twist[:, 3:])
        whose = self._obstacle_of[nearest.pairs]
        arm = nearest.point + nearest.distance[:, None] * nearest.normal
        arm -= self.proximity.places.translation[self._first + whose]
        return np.asarray(np.einsum("ni,ni->n", nearest.normal, linear[whose] + np.cross(angular[whose], arm)))

    def _offsets(self) -> list[SE3]:
        """Poses of the obstacles in the frames of the joints that they move with."""
        return [
            placement * obstacle.placement
            for placement, obstacle in zip(self._placements, self._obstacles, strict=True)
        ]
