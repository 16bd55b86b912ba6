"""Scenarios: a robot, what it is asked for over time, and what it may do, read from a TOML file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from pantin import barriers, limits, tasks
from pantin.arrays import Array, scalar
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.errors import InvalidArgument
from pantin.kinematics.configurations import clamp, configuration_from_dict, neutral
from pantin.kinematics.doors import require_model
from pantin.kinematics.model import Model
from pantin.load import load
from pantin.tracking import shipped
from pantin.tracking.document import Section, read_document, read_text
from pantin.tracking.parts import blame, kinds, make
from pantin.tracking.rollout import Goal, Rollout, roll_out
from pantin.tracking.targets import read_target
from pantin.tracking.trajectory import Trajectory

__all__ = ["Scenario"]

TASKS = kinds(tasks, tasks.Task, "Task")
LIMITS = kinds(limits, limits.Limit, "Limit")
BARRIERS = kinds(barriers, barriers.Barrier, "Barrier")

#: Steps that a scenario may have; a longer one is a mistake.
MOST_STEPS = 1_000_000

KEYS = ("scenario", "solver", "task", "limit", "barrier")
SCENARIO_KEYS = ("name", "about", "model", "root_joint", "mimic", "dt", "duration", "start")
TASK_KEYS = ("kind", "name", "constraint", "tolerance")


class Header(NamedTuple):
    """The section [scenario].

    Attributes:
        name: Name of the scenario.
        about: What is seen, in a sentence; "" where it does not say.
        model: The robot.
        dt: Time of a step, s.
        steps: How many.
        start: Where the robot starts, shape (nq,).
    """

    name: str
    about: str
    model: Model
    dt: float
    steps: int
    start: Array


class Scenario:
    """A robot, its tasks with their targets over time, its limits and barriers, and how long it goes on.

    [Scenarios](../scenarios.md) tells what a file can say. It is checked whole when it is read.

    Attributes:
        text: The document.
        source: Where it comes from.
        model: The robot.
        name: Name of the scenario.
        about: What is seen, in a sentence; "" where it does not say.
        dt: Time of a step, s.
        steps: How many.
    """

    def __init__(self, text: str, source: str = "", model: Model | str | os.PathLike[str] | None = None) -> None:
        """Read a scenario.

        Args:
            text: The document.
            source: Where it comes from, for messages; files that it names are relative to its folder.
            model: The robot, or what `pantin.load` takes; what the document says by default.

        Raises:
            ScenarioError: If the document is none, or does not fit the robot; the message names line and key.
            ModelFileNotFound: If there is no such robot.
            ModelFileError: If its file cannot be read.
        """
        self.text, self.source = text, source
        self._given = model
        self._header = header = self._read_header(self._document().section("scenario"), model)
        self.name, self.about, self.dt, self.steps = header.name, header.about, header.dt, header.steps
        self.model = header.model
        self._assemble()

    @classmethod
    def load(cls, path: str | os.PathLike[str], model: Model | str | os.PathLike[str] | None = None) -> Self:
        """Read a scenario from a file.

        Args:
            path: The file, or the name of a scenario that ships with pantin (see `pantin.tracking.shipped.names`).
            model: The robot, or what `pantin.load` takes; what the document says by default.

        Raises:
            ScenarioError: If the file cannot be read, is no scenario, or does not fit the robot; the message names
                line and key.
            ModelFileNotFound: If there is no such robot.
            ModelFileError: If its file cannot be read.
        """
        place = shipped.find(path)
        return cls(read_text(place, shipped.names()), str(place), model)

    @property
    def duration(self) -> float:
        """Time from the first step to the end of the last, s."""
        return self.steps * self.dt

    def run(self, progress: Callable[[int, int], object] | None = None) -> Trajectory:
        """Run the scenario from its start.

        Args:
            progress: Is called from time to time with the steps that are done and those there are.

        Returns:
            What the robot did. It is the same each time, but for the time that it took.
        """
        return roll_out(self._assemble(), self, progress)

    def _document(self) -> Section:
        """The document, of which all but known sections is refused."""
        document = read_document(self.text, self.source)
        for key in document.values.keys() - set(KEYS):
            Section({key: 0}, text=self.text, source=self.source).end(KEYS)
        return document

    def _read_header(self, section: Section, model: Model | str | os.PathLike[str] | None) -> Header:
        """What stands in [scenario]."""
        stem = Path(self.source).stem or "scenario"
        name, about = section.words("name", stem), section.words("about", " ") if "about" in section else ""
        robot = self._robot(section, model)

        def number(key: str, lower: float, upper: float) -> float:
            value = section.need(key)
            return blame(section, {key: value}, lambda: scalar(key, value, lower=lower, upper=upper))

        dt = number("dt", 1e-9, 1e3)
        duration = number("duration", dt, MOST_STEPS * dt)
        start = _configuration(section, robot)
        section.end(SCENARIO_KEYS)
        return Header(name, about, robot, dt, round(duration / dt), start)

    def _robot(self, section: Section, model: Model | str | os.PathLike[str] | None) -> Model:
        """The robot that is given, or else the one that the section names."""
        options = {"root_joint": section.take("root_joint"), "mimic": section.take("mimic", True)}
        named = section.words("model") if "model" in section else None
        if isinstance(model, Model):
            require_model(model)
            return model
        if not isinstance(options["mimic"], bool):
            section.refuse("mimic", f"expected true or false, got {options['mimic']!r}")
        if not isinstance(options["root_joint"], (str, type(None))):
            section.refuse("root_joint", f"expected words in quotes, got {options['root_joint']!r}")
        if model is None:
            if named is None:
                section.refuse("", "it names no model; give one, or write one there")
            beside = Path(self.source).parent / named
            model = beside if beside.is_file() else named
        path = model
        try:
            return load(path, options["root_joint"], mimic=options["mimic"])
        except InvalidArgument as error:
            section.refuse("root_joint" if error.argument == "root_joint" else "", str(error))

    def _assemble(self) -> Rollout:
        """All that takes part in a run, as it is at the start."""
        document, model = self._document(), self.model
        configuration = Configuration(model, model.create_data(), self._header.start)
        given = {"model": model, "configuration": configuration}
        goals = [_goal(section, configuration, given) for section in document.sections("task")]
        named = [goal.name for goal in goals]
        for name in named:
            if named.count(name) > 1:
                document.refuse("task", f"two tasks are called {name!r}; give one of them another `name`")

        def parts(key: str, known: dict[str, Any]) -> list[Any]:
            sections = document.sections(key)
            return [make(one, known[one.choice("kind", known)], model, given) for one in sections]

        limited = parts("limit", LIMITS) if "limit" in document else None
        kept = parts("barrier", BARRIERS)
        solver = document.section("solver")
        asked = {
            "model": model,
            "tasks": [goal.task for goal in goals if not goal.is_constraint],
            "limits": limited,
            "barriers": kept or None,
            "constraints": [goal.task for goal in goals if goal.is_constraint] or None,
        }
        ik = make(solver, DifferentialIK, model, asked)
        return Rollout(configuration, ik, goals, limited or [])


def _configuration(section: Section, model: Model) -> Array:
    """Where the robot starts: neutral, the middle of its limits, or joints by name and the others neutral."""
    if isinstance(section.values.get("start"), dict):
        inside = section.section("start", "start")
        return blame(inside, inside.values, lambda: configuration_from_dict(model, inside.values))
    word = section.choice("start", ("neutral", "middle"), "neutral")
    rest = neutral(model)
    if word == "neutral":
        return clamp(model, rest)
    lower, upper = model.lower_position_limit, model.upper_position_limit
    known = model.has_configuration_limit() & (upper - lower < 1e10)
    return np.where(known, (np.where(known, lower, 0.0) + np.where(known, upper, 0.0)) / 2.0, rest)


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
    task = make(section, TASKS[kind], model, {**given, "target": None}, others=(*TASK_KEYS, "target"))
    moving = read_target(section, task, configuration, said)
    goal = blame(section, said, lambda: Goal(name, task, moving, configuration, is_constraint=is_constraint))
    blame(section, {"tolerance": tolerance}, lambda: goal.allow(tolerance))
    return goal
