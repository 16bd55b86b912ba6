"""Many robots at once: rollouts and single steps of `BatchIK` on the scenes of the control step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pantin
import pantin.kinematics as kin
import pantin.limits
import pantin.tasks
from harness import Side
from pantin.arrays import Array
from peers.step_scene import Scene
from peers.step_solve_ik import Adapter

ROWS, STEPS = 256, 40

#: How far starts are from the scene's own, over the tangent.
_SPREAD = 0.02


def sides(scene: Scene) -> dict[str, Side]:
    """What is timed, by its name: robots spread around the start that follow the path, and one step of each."""
    adapter = Adapter(scene)
    random = np.random.default_rng(0)
    model = adapter.model
    q = np.array([kin.integrate(model, scene.start, _SPREAD * random.normal(size=model.nv)) for _ in range(ROWS)])
    joints = slice(model.nq - len(scene.joints), model.nq)
    q[:, joints] = np.clip(q[:, joints], scene.lower, scene.upper)
    paths = {
        task: wish.targets for task, wish in zip(adapter.tasks, scene.wishes, strict=True) if wish.kind != "posture"
    }
    batch = pantin.BatchIK(model, adapter.tasks, adapter.limits)
    return {
        "rollout": Side(_rollout(batch, q, scene, paths), [()], per_call=ROWS * STEPS),
        "step": Side(_step(batch, q, scene, paths), [()] * 4, per_call=ROWS),
    }


def _rollout(
    batch: pantin.BatchIK, q: Array, scene: Scene, paths: dict[pantin.tasks.Task, Array]
) -> Callable[[], object]:
    targets = {task: path[:STEPS] for task, path in paths.items()}
    out = batch.rollout(q, scene.dt, STEPS, targets)
    return lambda: batch.rollout(q, scene.dt, STEPS, targets, out=out)


def _step(batch: pantin.BatchIK, q: Array, scene: Scene, paths: dict[pantin.tasks.Task, Array]) -> Callable[[], object]:
    targets = {task: path[:ROWS] for task, path in paths.items()}
    out = batch.step(q, scene.dt, targets)
    return lambda: batch.step(q, scene.dt, targets, out=out)
