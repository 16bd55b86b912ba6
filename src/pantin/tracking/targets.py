"""Targets of tasks over time: where they start, and a motion away from there.

What a target is follows from what the task's `set_target` takes: a pose, a configuration, a velocity, or numbers.
"""

from __future__ import annotations

import abc
import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pantin.arrays import Array, array, scalar, vector
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.kinematics.algorithms import integrate
from pantin.kinematics.configurations import configuration_from_dict, configuration_to_dict
from pantin.kinematics.model import Model
from pantin.kinematics.poses import as_rotation
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import exp3, rpy_to_matrix
from pantin.tasks import DampingTask, Task
from pantin.tracking import motions
from pantin.tracking.document import Section
from pantin.tracking.motions import Motion
from pantin.tracking.parts import blame, joint_vector, kinds, make

__all__ = ["MOTIONS", "Moving", "read_pose", "read_target"]

MOTIONS = kinds(motions, Motion)  # type: ignore[type-abstract]

#: Keys of a target that moves, beside the arguments of its motion.
OF_MOTIONS = ("kind", "about", "after", "turn")


class Space(abc.ABC):
    """Values that a target can take, and displacements between them."""

    @abc.abstractmethod
    def fixed(self, key: str, value: Any, start: Any) -> Any:
        """A value out of what a document says under a key; what it leaves open is as at the start, if there is one."""

    @abc.abstractmethod
    def displacement(self, by: Any, turn: Any) -> Array:
        """A displacement out of what a document says."""

    @abc.abstractmethod
    def moved(self, value: Any, displacement: Array) -> Any:
        """A value, displaced."""


class Poses(Space):
    """Poses, moved and turned about the axes of the frame that they are given in: 3 numbers, or 6 with a turn."""

    def fixed(self, key: str, value: Any, start: Any) -> SE3:
        """A pose out of `position` and `quaternion` or `rpy`."""
        known = ("position", "quaternion", "rpy")
        if not isinstance(value, dict) or not value or value.keys() - set(known):
            raise InvalidArgument(key, f"expected a pose of {', '.join(known)}, got {value!r}")
        if {"quaternion", "rpy"} <= value.keys():
            raise InvalidArgument(key, "give a quaternion or rpy, not both")
        rotation, place = (np.eye(3), np.zeros(3)) if start is None else (start.rotation, start.translation)
        if "position" in value:
            place = vector("position", value["position"], 3)
        if "quaternion" in value:
            rotation = as_rotation("quaternion", vector("quaternion", value["quaternion"], 4))
        if "rpy" in value:
            rotation = rpy_to_matrix(*vector("rpy", value["rpy"], 3))
        return SE3(rotation, place)

    def displacement(self, by: Any, turn: Any) -> Array:
        """Metres and radians of a rotation vector."""
        moved = np.zeros(3) if by is None else vector("by", by, 3)
        return moved.copy() if turn is None else np.concatenate([moved, vector("turn", turn, 3)])

    def moved(self, value: SE3, displacement: Array) -> SE3:
        """The pose, moved and turned."""
        turned = value.rotation if displacement.size == 3 else exp3(displacement[3:]) @ value.rotation
        return SE3(turned, value.translation + displacement[:3])


class Numbers(Space):
    """Numbers such as points; one of them may stand alone."""

    def fixed(self, key: str, value: Any, start: Any) -> Array:
        """Numbers, as many as at the start."""
        given = np.atleast_1d(array(key, value))
        return given if start is None else vector(key, given, np.size(start))

    def displacement(self, by: Any, turn: Any) -> Array:
        """As many numbers."""
        if by is None or turn is not None:
            raise InvalidArgument("turn" if by is not None else "by", "this target is moved by numbers; give `by`")
        return np.atleast_1d(array("by", by))

    def moved(self, value: Array, displacement: Array) -> Array:
        """The sum."""
        value = np.atleast_1d(value)
        if displacement.shape != value.shape:
            raise InvalidArgument("by", f"this target has {value.size} numbers, got {displacement.size}")
        return np.asarray(value + displacement)


class Velocities(Numbers):
    """Velocities behind the root joint by the names of joints; the others are at rest."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def fixed(self, key: str, value: Any, start: Any) -> Array:
        """Numbers by the names of joints, or all of them."""
        return self._vector(value) if isinstance(value, dict) else super().fixed(key, value, start)

    def displacement(self, by: Any, turn: Any) -> Array:
        """Numbers by the names of joints, or all of them."""
        return self._vector(by) if isinstance(by, dict) else super().displacement(by, turn)

    def _vector(self, values: dict[str, Any]) -> Array:
        return joint_vector(self.model, values, np.zeros(self.model.nv))[self.model.get_root_joint_dim()[1] :]


class Configurations(Velocities):
    """Configurations by the names of joints; the others are as at the start."""

    def _vector(self, values: dict[str, Any]) -> Array:
        return joint_vector(self.model, values, np.zeros(self.model.nv))

    def fixed(self, key: str, value: Any, start: Any) -> Array:
        """Angles by the names of joints."""
        if not isinstance(value, dict):
            raise InvalidArgument(key, f"expected joints by name, such as {{elbow = 0.1}}, got {value!r}")
        for name in value:
            self.model.get_joint_id(name)
        return configuration_from_dict(self.model, {**configuration_to_dict(self.model, start), **value})

    def moved(self, value: Array, displacement: Array) -> Array:
        """The configuration, integrated."""
        return integrate(self.model, value, vector("by", displacement, self.model.nv))


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
    space = _space(parameter, configuration.model)
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
    motion = _read_motion(where, space) if moves else motions.Hold()

    def value(time: float) -> Any:
        return space.moved(start, motion(time)) if moves else start

    target = Moving(task, value, is_still=not moves)
    blame(where, {"target": fixed, "by": None}, lambda: target.set(0.0, 1.0))
    return target


def _space(parameter: str, model: Model) -> Space:
    """What a task takes as its target, by what its `set_target` calls it."""
    if parameter.startswith("transform"):
        return Poses()
    if parameter == "target_q":
        return Configurations(model)
    return Velocities(model) if parameter == "target_v" else Numbers()


def _read_motion(section: Section, space: Space) -> Callable[[float], Array]:
    """A motion out of its table."""
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
    motion = make(section, kind, getattr(space, "model", Model()), given)
    return lambda time: motion(max(time - after, 0.0))


def _rows(space: Space, by: Any, turn: Any) -> Array:
    """Displacements of waypoints."""
    lists = [rows for rows in (by, turn) if rows is not None]
    if not all(isinstance(rows, list) for rows in lists) or len({len(rows) for rows in lists}) != 1:
        raise InvalidArgument("by", "expected a list of displacements, one for each time")
    count = len(lists[0])
    pairs = zip(by or [None] * count, turn or [None] * count, strict=True)
    return np.array([space.displacement(one, other) for one, other in pairs])
