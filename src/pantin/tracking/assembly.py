"""What a document names, put together for a run: tasks with their targets, limits, barriers, and what takes steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pantin import barriers, limits, tasks
from pantin.arrays import Array
from pantin.barriers.distance_barrier import DistanceBarrier
from pantin.collision import Obstacle
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.kinematics.configurations import configuration_from_dict
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.model import Model
from pantin.tracking.document import Section
from pantin.tracking.parts import blame, kinds, make
from pantin.tracking.rollout import Goal, Rollout
from pantin.tracking.targets import read_pose, read_target

__all__ = ["BARRIERS", "LIMITS", "TASKS", "TASK_KEYS", "assemble"]

TASKS = kinds(tasks, tasks.Task, "Task")
LIMITS = kinds(limits, limits.Limit, "Limit")
BARRIERS = kinds(barriers, barriers.Barrier, "Barrier")

#: Barriers that ask for the robot's shapes.
SHAPED = [kind for kind, maker in BARRIERS.items() if isinstance(maker, type) and issubclass(maker, DistanceBarrier)]

TASK_KEYS = ("kind", "name", "constraint", "tolerance", "target")


def assemble(document: Section, model: Model, start: Array, shapes: Callable[[], GeometryModel | None]) -> Rollout:
    """All that takes part in a run, as it is at the start.

    Args:
        document: The document without its section [scenario]; it is used up.
        model: The robot.
        start: Where it is, shape (nq,).
        shapes: Gives the shapes that barriers keep apart; it is called where there are such barriers.

    Raises:
        ScenarioError: If the document does not fit the robot; the message names line and key.
    """
    kept = document.sections("barrier")
    shaped = any(one.values.get("kind") == kind for one in kept for kind in SHAPED)
    configuration = Configuration(model, model.create_data(), start, collision_model=shapes() if shaped else None)
    given = {"model": model, "configuration": configuration}
    goals: dict[str, Goal] = {}
    for section in document.sections("task"):
        goal = _goal(section, configuration, given)
        if goal.name in goals:
            section.refuse("name", "two tasks are called so; give one of them another name")
        goals[goal.name] = goal

    has_limits = "limit" in document
    allowed = [make(one, LIMITS[one.choice("kind", LIMITS)], model, given) for one in document.sections("limit")]
    solver = document.section("solver")
    asked = {
        "model": model,
        "tasks": [goal.task for goal in goals.values() if not goal.is_constraint],
        "limits": allowed if has_limits else None,
        "barriers": [_barrier(section, configuration, given) for section in kept],
        "constraints": [goal.task for goal in goals.values() if goal.is_constraint] or None,
    }
    ik = make(solver, DifferentialIK, model, asked)
    return Rollout(configuration, ik, list(goals.values()), allowed)


def _goal(section: Section, configuration: Configuration, given: dict[str, Any]) -> Goal:
    """A task out of its section."""
    kind = section.choice("kind", TASKS)
    name = section.words("name", kind)
    section.title = f"task {name!r}"
    is_constraint = section.truth("constraint")
    tolerance = section.take("tolerance")
    model, said = configuration.model, dict(section.values)
    if isinstance(said.get("q_0"), dict):
        inside = section.section("q_0")
        given = {**given, "q_0": blame(inside, inside.values, lambda: configuration_from_dict(model, inside.values))}
    task = make(section, TASKS[kind], model, {**given, "target": None}, others=TASK_KEYS)
    moving = read_target(section, task, configuration, said)
    goal = blame(section, said, lambda: Goal(name, task, moving, configuration, is_constraint=is_constraint))
    blame(section, {"tolerance": tolerance}, lambda: goal.allow(tolerance))
    return goal


def _barrier(section: Section, configuration: Configuration, given: dict[str, Any]) -> barriers.Barrier:
    """A barrier out of its section; what it complains about where the robot starts is raised here, not in a step."""
    maker, model = BARRIERS[section.choice("kind", BARRIERS)], configuration.model
    if "obstacles" in section:
        given = {**given, "obstacles": [_obstacle(one, model) for one in section.sections("obstacles")]}
    said = dict(section.values)
    barrier = make(section, maker, model, given)
    blame(section, said, lambda: barrier.compute_qp_inequalities(configuration))
    return barrier


def _obstacle(section: Section, model: Model) -> Obstacle:
    """Something in the way, out of its section."""
    given = {}
    if "placement" in section:
        inside = section.section("placement")
        given["placement"] = blame(inside, dict(inside.values), lambda: read_pose("placement", inside.values))
    return make(section, Obstacle, model, given)
