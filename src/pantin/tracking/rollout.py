"""One run of a scenario: targets are set, a step is taken, and what came of it is noted."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin import tasks
from pantin.arrays import Array, scalar
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.errors import InvalidArgument
from pantin.limits import Limit, VelocityLimit
from pantin.tasks import Task
from pantin.tracking.targets import Moving
from pantin.tracking.trajectory import Measure, Trajectory

if TYPE_CHECKING:
    from pantin.tracking.scenario import Scenario

__all__ = ["Goal", "Rollout", "roll_out"]

#: Tasks whose error is a position and, where it goes on, a rotation.
POSES = (tasks.FrameTask, tasks.RelativeFrameTask, tasks.ClosedLoopTask)
#: Tasks whose error is a length; those of others are angles.
LENGTHS = (tasks.ComTask, tasks.DistanceTask, tasks.PivotTask, tasks.RollingTask)
#: Tasks that ask for a manner of moving; they have no error that should vanish.
MANNERS = (
    tasks.CentroidalMomentumTask,
    tasks.DampingTask,
    tasks.JointVelocityTask,
    tasks.LowAccelerationTask,
    tasks.ManipulabilityTask,
)

#: How a step names the rows that do not go together.
_ROW = re.compile(r"row \d+ of (constraint|task|limit|barrier)s\[(\d+)\]")

#: Steps between two calls of `progress`.
BETWEEN = 64


class Goal:
    """A task with its target over time, and how its errors are measured.

    Attributes:
        name: What it is called.
        task: The task.
        moving: Its target, None for a task without.
        is_constraint: True if it is held exactly.
        measures: Its errors, part by part.
    """

    def __init__(
        self, name: str, task: Task, moving: Moving | None, configuration: Configuration, *, is_constraint: bool
    ) -> None:
        """Look at a task where the robot starts; what it complains about is raised here rather than in a step."""
        self.name, self.task, self.moving, self.is_constraint = name, task, moving, is_constraint
        error = np.asarray(task.compute_error(configuration))
        task.compute_jacobian(configuration)
        cost = 1.0 if task.cost is None or is_constraint else task.cost  # a constraint holds all of it
        weights = np.broadcast_to(cost, error.shape)
        parts = [("position", "m", slice(0, 3)), ("rotation", "rad", slice(3, 6))]
        if not isinstance(task, POSES):
            unit = "m" if isinstance(task, LENGTHS) else "rad"
            parts = [] if isinstance(task, MANNERS) else [("", unit, slice(None))]
        counted = [(part, unit, np.arange(error.size)[rows][weights[rows] > 0.0]) for part, unit, rows in parts]
        self._rows = [rows for _, _, rows in counted if rows.size]
        self.measures = [Measure(name, part, unit) for part, unit, rows in counted if rows.size]

    def allow(self, tolerance: object) -> None:
        """Set how much of each error may be left at the end: one number for all, or one for each.

        Raises:
            InvalidArgument: If they are no such numbers, or too many.
        """
        if tolerance is None:
            return
        given = tolerance if isinstance(tolerance, list) else [tolerance] * len(self.measures)
        if len(given) != len(self.measures) or not given:
            parts = ", ".join(measure.label for measure in self.measures) or "no errors"
            raise InvalidArgument("tolerance", f"this task has {parts}, got {len(given)} numbers")
        numbers = [scalar("tolerance", number, lower=0.0) for number in given]
        self.measures = [one._replace(tolerance=number) for one, number in zip(self.measures, numbers, strict=True)]

    def errors(self, configuration: Configuration) -> list[float]:
        """Length of each error."""
        if not self._rows:
            return []
        error = self.task.compute_error(configuration)
        return [float(np.linalg.norm(error[rows])) for rows in self._rows]


class Rollout(NamedTuple):
    """All that takes part in a run.

    Attributes:
        configuration: Where the robot is.
        ik: What takes the steps.
        goals: What is wanted.
        limits: Limits that the scenario names.
    """

    configuration: Configuration
    ik: DifferentialIK
    goals: list[Goal]
    limits: list[Limit]


def roll_out(rollout: Rollout, scenario: Scenario, progress: Callable[[int, int], object] | None) -> Trajectory:
    """Take all steps of a scenario.

    Args:
        rollout: What takes part, as it is at the start; it is moved along.
        scenario: Whose steps they are.
        progress: Is called from time to time with the steps that are done and those there are.
    """
    configuration, ik, dt, count = rollout.configuration, rollout.ik, scenario.dt, scenario.steps
    targets = [goal.moving for goal in rollout.goals if goal.moving is not None]
    moving = [target for target in targets if not target.is_still]
    for target in targets:
        target.set(0.0, dt)

    def errors() -> list[float]:
        return [error for goal in rollout.goals for error in goal.errors(configuration)]

    measures = [measure for goal in rollout.goals for measure in goal.measures]
    q, v = np.empty((count + 1, configuration.model.nq)), np.zeros((count + 1, configuration.model.nv))
    left = np.empty((count + 1, len(measures)))
    status: npt.NDArray[np.object_] = np.full(count + 1, "start", dtype=object)
    conflicts: dict[str, int] = {}
    q[0], left[0], spent = configuration.q, errors(), 0.0
    for k in range(1, count + 1):
        for target in moving:
            target.set(k * dt, dt)
        begin = time.perf_counter()
        v[k] = ik.step(configuration, dt)
        spent += time.perf_counter() - begin
        q[k], left[k], status[k] = configuration.q, errors(), str(ik.status)
        for name in {_culprit(words, rollout.goals) for words in ik.conflicts}:
            conflicts[name] = conflicts.get(name, 0) + 1
        if progress is not None and (k % BETWEEN == 0 or k == count):
            progress(k, count)
    return Trajectory(
        model=configuration.model,
        name=scenario.name,
        scenario=scenario.text,
        dt=dt,
        velocity_limit=_velocity_limit(rollout),
        time=np.asarray(dt * np.arange(count + 1), dtype=np.float64),
        q=q,
        v=v,
        measures=measures,
        errors=left,
        status=status.astype(np.str_),
        conflicts=conflicts,
        seconds=spent,
    )


def _culprit(words: str, goals: list[Goal]) -> str:
    """Who is part of a conflict, by the name of a task or the place of a section."""
    found = _ROW.match(words)
    if found is None:
        return words
    kind, place = found[1], int(found[2])
    if kind in ("limit", "barrier"):
        return f"{kind} {place + 1}"
    named = [goal.name for goal in goals if goal.is_constraint == (kind == "constraint")]
    return f"task {named[place]!r}"


def _velocity_limit(rollout: Rollout) -> Array:
    """Largest velocities by the model and by the limits that are named, shape (nv,)."""
    named = [limit.velocity_limit for limit in rollout.limits if isinstance(limit, VelocityLimit)]
    return np.asarray(np.minimum.reduce([np.asarray(rollout.configuration.model.velocity_limit), *named]))
