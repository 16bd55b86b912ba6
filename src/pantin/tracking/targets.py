"""Targets of tasks over time: where they start, and a motion away from there.

What a target is follows from what the task's `set_target` takes: a pose, a configuration, a velocity, or numbers.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pantin.arrays import Array, scalar
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3
from pantin.tasks import DampingTask, Task
from pantin.tracking import motions
from pantin.tracking.document import Section
from pantin.tracking.motions import Motion
from pantin.tracking.parts import blame, kinds, make
from pantin.tracking.spaces import Poses, Space, space_of

__all__ = ["MOTIONS", "Moving", "read_pose", "read_target"]

MOTIONS = kinds(motions, Motion)  # type: ignore[type-abstract]

#: Keys of a target that moves, beside the arguments of its motion.
OF_MOTIONS = ("kind", "about", "after", "turn")


class Moving:
    """The target of a task over time.

    Attributes:
        task: Whose target it is.
        is_still: True if it does not move, and is set once.
    """

    def __init__(self, task: Task, value: Callable[[float], Any], *, is_still: bool) -> None:
        self.task = task
        self.is_still = is_still
        self._value = value
        self._takes_dt = "dt" in inspect.signature(task.set_target).parameters  # type: ignore[attr-defined]

    def set(self, time: float, dt: float) -> None:
        """Set the target as it is at a time, s, for steps of dt seconds."""
        value = self._value(time)
        self.task.set_target(value, dt) if self._takes_dt else self.task.set_target(value)  # type: ignore[attr-defined]


def read_pose(key: str, value: object) -> SE3:
    """A pose out of a table of `position` and `quaternion` or `rpy`; what is left out is zero.

    Raises:
        InvalidArgument: If it is no such table.
    """
    return Poses().fixed(key, value, None)


def read_target(
    section: Section, task: Task, configuration: Configuration, said: Mapping[str, object]
) -> Moving | None:
    """Target of a task, out of its section.

    Args:
        section: Section of the task, whose key `target` is taken: "start", a fixed value, or a table of a motion. Where
            there is none, the target is the one that the task was made with, or else where it starts.
        task: The task; its target is set as it starts.
        configuration: Where the robot starts.
        said: Keys that the task was made of, for what it complains about.

    Returns:
        The target, None for a task that has none.

    Raises:
        ScenarioError: If it is no target for this task.
    """
    if isinstance(task, DampingTask) or not hasattr(task, "set_target"):
        if "target" in section:
            section.refuse("target", "this kind of task has no target")
        return None
    if "target" not in section and task._target is not None:
        return None
    parameter = next(iter(inspect.signature(task.set_target).parameters))
    space = space_of(parameter, configuration.model)
    start = None
    if hasattr(task, "set_target_from_configuration"):
        begin = task.set_target_from_configuration
        blame(section, said, lambda: begin(configuration))
        start = getattr(task, parameter)
    inside = section.section("target") if isinstance(section.values.get("target"), dict) else None
    moves = inside is not None and "kind" in inside
    where = section if inside is None else inside
    fixed = section.take("target", "start") if inside is None else where.values
    if moves:
        fixed = where.take("about", "start")
    if fixed == "start" and start is None:
        section.refuse("target", "this kind of task does not start anywhere; say where, as `about` if it moves")
    if fixed != "start":
        key = "about" if moves else "target"
        given = {key: fixed} if moves or inside is None else where.values
        start = blame(where, given, lambda: space.fixed(key, fixed, start))
    motion, after = _read_motion(where, space) if moves else (motions.Hold(), 0.0)
    rests = isinstance(motion, motions.Hold)

    def value(time: float) -> Any:
        return start if rests else space.moved(start, motion(max(time - after, 0.0)))

    target = Moving(task, value, is_still=rests)
    blame(where, {"target": fixed, "by": None}, lambda: target.set(0.0, 1.0))
    return target


def _read_motion(section: Section, space: Space) -> tuple[Motion, float]:
    """A motion out of its table, and when it begins, s."""
    kind = MOTIONS[section.choice("kind", MOTIONS)]
    section.take("about")
    said = {"after": section.take("after", 0.0)}
    after = blame(section, said, lambda: scalar("after", said["after"], lower=0.0))
    given = {}
    if "by" in inspect.signature(kind).parameters:
        by, turn = section.take("by"), section.take("turn")
        if by is None and turn is None:
            section.need("by")
        said |= {"by": by, "turn": turn}
        if kind is motions.Waypoints:
            given["by"] = blame(section, said, lambda: _rows(space, by, turn))
        else:
            given["by"] = blame(section, said, lambda: space.displacement(by, turn))
    return make(section, kind, getattr(space, "model", Model()), given), after


def _rows(space: Space, by: Any, turn: Any) -> Array:
    """Displacements of waypoints."""
    lists = [rows for rows in (by, turn) if rows is not None]
    if not all(isinstance(rows, list) for rows in lists) or len({len(rows) for rows in lists}) != 1:
        raise InvalidArgument("by", "expected a list of displacements, one for each time")
    count = len(lists[0])
    pairs = zip(by or [None] * count, turn or [None] * count, strict=True)
    return np.array([space.displacement(one, other) for one, other in pairs])
