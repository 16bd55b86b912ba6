"""Collision: the nearest of many pairs of shapes, and a control step that keeps them apart, beside Pink.

A humanoid moves its arms; meshes are convex hulls, and both sides measure to 1e-9 m. Pink measures all pairs whenever
the configuration changes. Where the robots of `example-robot-data` are not installed, the sample with two arms serves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import pantin.kinematics as kin
import pantin.samples
from harness import Case, Side
from pantin.arrays import Array
from pantin.barriers import SelfCollisionBarrier
from pantin.collision import collision_pairs
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.kinematics import CollisionPair, GeometryModel
from pantin.tasks import FrameTask, PostureTask
from robots import DATA, SAMPLE_COUNT, optional, pin

pink = optional("pink") and optional("pink.barriers") and optional("pink.tasks") and optional("pink")

#: Duration of a step, s; distance that is kept, m; how fast it may be approached, 1/s.
_DT, _D_MIN, _GAIN = 0.005, 0.01, 20.0


@dataclass(frozen=True)
class Scene:
    """A robot whose parts are kept apart.

    Attributes:
        name: What the table calls the robot.
        path: URDF file.
        kind: Which of its shapes count.
        floating: Whether its root is a free flyer.
        hands: Frames that are led.
        chosen: Links, and those that they are kept apart from; each tuple adds its pairs.
        count: How many pairs count.
    """

    name: str
    path: Path
    kind: Any
    floating: bool
    hands: tuple[str, str]
    chosen: tuple[tuple[list[str], list[str]], ...]
    count: int

    @cached_property
    def model(self) -> kin.Model:
        """Our model."""
        return kin.build_model_from_urdf(self.path, kin.JointModelFreeFlyer() if self.floating else None)

    @cached_property
    def every(self) -> GeometryModel:
        """Its shapes, and all pairs that could be kept apart."""
        shapes = kin.build_geom_from_urdf(self.model, self.path, geometry_type=self.kind)
        shapes.collision_pairs = collision_pairs(self.model, shapes, clear_at=kin.neutral(self.model))
        return shapes

    @cached_property
    def shapes(self) -> GeometryModel:
        """Its shapes, and the pairs that are chosen."""
        shapes = kin.build_geom_from_urdf(self.model, self.path, geometry_type=self.kind)
        pairs: dict[CollisionPair, None] = {}
        for links, others in self.chosen:
            pairs |= dict.fromkeys(collision_pairs(self.model, shapes, links=links, others=others))
        shapes.collision_pairs = list(pairs)
        return shapes

    @cached_property
    def q(self) -> Array:
        """Configurations along a smooth motion, shape (SAMPLE_COUNT, nq)."""
        phases = np.arange(self.model.nv)
        motion = [0.3 * (np.sin(phases + 0.02 * k) - np.sin(phases)) for k in range(SAMPLE_COUNT)]
        return np.array([kin.integrate(self.model, kin.neutral(self.model), v) for v in motion])

    def theirs(self, ours: GeometryModel) -> tuple[Any, Any]:
        """Pinocchio's model and the same shapes and pairs, its meshes as convex hulls."""
        assert pin is not None
        model = pin.buildModelFromUrdf(str(self.path), *([pin.JointModelFreeFlyer()] if self.floating else []))
        kind = pin.GeometryType.VISUAL if self.kind == "visual" else pin.GeometryType.COLLISION
        shapes = pin.buildGeomFromUrdf(model, str(self.path), kind, package_dirs=str(DATA.parents[1]))
        for shape in shapes.geometryObjects:
            if hasattr(shape.geometry, "buildConvexHull"):
                shape.geometry.buildConvexHull(True, "Qt")
                shape.geometry = shape.geometry.convex
        for first, second in ours.collision_pairs:
            shapes.addCollisionPair(pin.CollisionPair(first, second))
        return model, shapes


def scenes() -> list[Scene]:
    """The robots that are there."""
    if not DATA.is_dir():
        path = pantin.samples.path("dual_arm")
        across = ((["left_*"], ["right_*"]), (["left_*", "right_*"], ["column"]))
        return [Scene("arms", path, "visual", False, ("left_tool", "right_tool"), across, 30)]
    parts = ("elbow_link", "wrist_yaw_link", "hand_palm_link")
    left, right = ([f"{side}_{part}" for part in parts] for side in ("left", "right"))
    chosen = (
        (left, right),
        ([*left, *right], ["torso_link", "pelvis_contour_link"]),
        ([*left[1:], *right[1:]], ["left_hip_yaw_link", "right_hip_yaw_link"]),
        (["left_knee_link"], ["right_knee_link"]),
    )
    path = DATA / "g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf"
    return [Scene("g1", path, "collision", True, ("left_hand_palm_link", "right_hand_palm_link"), chosen, 30)]


def cases() -> list[Case]:
    """All cases of this floor; none without `coal`."""
    if optional("coal") is None:
        return []
    found = []
    for scene in scenes():
        for shapes, most in ((scene.shapes, scene.count), (scene.every, 10)):
            count = min(most, len(shapes.collision_pairs))
            what = f"collision: rows, {count} of {len(shapes.collision_pairs)} pairs"
            found.append(Case(scene.name, what, _rows(scene, shapes, count), tolerance=1e-6))
        # A step of Pink's from all pairs ends where some touch: its rows lead into contact there.
        count = min(scene.count, len(scene.shapes.collision_pairs))
        what = f"collision: step, {count} of {len(scene.shapes.collision_pairs)} pairs"
        found.append(Case(scene.name, what, _steps(scene, count), tolerance=1e-4))
    return found


def _rows(scene: Scene, shapes: GeometryModel, count: int) -> dict[str, Side]:
    """Going to a configuration and asking for the rows of the barrier; the answers are their bounds."""
    ours = Configuration(scene.model, scene.model.create_data(), scene.q[0], collision_model=shapes)
    barrier = SelfCollisionBarrier(count, gain=_GAIN, d_min=_D_MIN)
    sides = {"pantin": _rows_side(ours, barrier, scene.q)}
    if pink is not None:
        barrier = pink.barriers.SelfCollisionBarrier(count, gain=_GAIN, d_min=_D_MIN)
        sides["pin-pink"] = _rows_side(_theirs(scene, shapes), barrier, scene.q)
    return sides


def _rows_side(configuration: Any, barrier: Any, q: Array) -> Side:
    def rows(at: Array) -> tuple[Array, Array]:
        configuration.update(at)
        found: tuple[Array, Array] = barrier.compute_qp_inequalities(configuration, _DT)
        return found

    return Side(rows, [(at,) for at in q], lambda i: np.sort(rows(q[i])[1]))


def _steps(scene: Scene, count: int) -> dict[str, Side]:
    """Steps of a control loop that leads both hands across; the answers are velocities."""
    ours = Configuration(scene.model, scene.model.create_data(), scene.q[0], collision_model=scene.shapes)
    tasks = [FrameTask(name, 1.0, 0.0) for name in scene.hands] + [PostureTask(1e-2)]
    barrier = SelfCollisionBarrier(count, gain=_GAIN, d_min=_D_MIN)
    ik = DifferentialIK(scene.model, tasks, limits=[], barriers=[barrier])
    sides = {"pantin": _steps_side(ours, tasks, scene.q[0], lambda: ik.step(ours, _DT))}
    if pink is not None:
        theirs = _theirs(scene, scene.shapes)
        their_tasks = [pink.tasks.FrameTask(name, 1.0, 0.0) for name in scene.hands] + [pink.tasks.PostureTask(1e-2)]
        their_barrier = pink.barriers.SelfCollisionBarrier(count, gain=_GAIN, d_min=_D_MIN)

        def step() -> Array:
            v: Array = pink.solve_ik(theirs, their_tasks, _DT, "daqp", limits=[], barriers=[their_barrier])
            theirs.integrate_inplace(v, _DT)
            return v

        sides["pin-pink"] = _steps_side(theirs, their_tasks, scene.q[0], step)
    return sides


def _steps_side(configuration: Any, tasks: list[Any], start: Array, step: Any) -> Side:
    left, right, _ = tasks
    configuration.update(start)
    for task in tasks:
        task.set_target_from_configuration(configuration)
    held = [task.transform_target_to_world.copy() for task in (left, right)]

    def led(k: int) -> Array:
        if k == 0:
            configuration.update(start)
        for task, pose, side in zip((left, right), held, (-1.0, 1.0), strict=True):
            moved = pose.copy()
            moved.translation = pose.translation + 0.005 * k * np.array([0.5, side, 0.2])
            task.set_target(moved)
        v: Array = step()
        return v

    def answer(i: int) -> Array:
        for k in range(10 * i):
            led(k)
        return led(10 * i)

    return Side(led, [(k,) for k in range(SAMPLE_COUNT)], answer)


def _theirs(scene: Scene, shapes: GeometryModel) -> Any:
    """Pink's configuration, whose distances are measured as closely as ours."""
    assert pink is not None
    model, geometry = scene.theirs(shapes)
    data = pin.GeometryData(geometry)  # type: ignore[union-attr]
    for request in data.distanceRequests:
        request.gjk_tolerance = 1e-9
    q = scene.q[0]
    return pink.Configuration(model, model.createData(), q, collision_model=geometry, collision_data=data)
