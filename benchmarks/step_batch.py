"""Many robots at once: rollouts and single steps of `BatchIK` on the scenes of the control step."""

from __future__ import annotations

from time import process_time

import numpy as np

import pantin
import pantin.kinematics as kin
from harness import Side, Stopwatch
from pantin.arrays import Array
from pantin.tasks import Task
from peers.step_scene import Scene
from peers.step_solve_ik import Adapter

ROWS, STEPS = 256, 40

#: How far starts are from the scene's own, over the tangent.
_SPREAD = 0.02


def sides(scene: Scene) -> dict[str, Side]:
    """What is timed, by its name: robots spread around the start that follow the path, and one step of each.

    Processor time counts: on one thread these are long enough for other processes to come between.
    """
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
    rolled = batch.rollout(q, scene.dt, STEPS, _rows(paths, STEPS))
    stepped = batch.step(q, scene.dt, _rows(paths, ROWS))

    def rollout() -> float:
        begin = process_time()
        batch.rollout(q, scene.dt, STEPS, _rows(paths, STEPS), out=rolled)
        return process_time() - begin

    def step() -> float:
        begin = process_time()
        batch.step(q, scene.dt, _rows(paths, ROWS), out=stepped)
        return process_time() - begin

    return {
        "rollout": Stopwatch(rollout, [()], per_call=ROWS * STEPS),
        "step": Stopwatch(step, [()] * 8, per_call=ROWS),
    }


def _rows(paths: dict[Task, Array], count: int) -> dict[Task, Array]:
    return {task: path[:count] for task, path in paths.items()}
