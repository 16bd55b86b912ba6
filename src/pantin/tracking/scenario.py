"""Scenarios: a robot, what it is asked for over time, and what it may do, read from a TOML file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Self, cast

import numpy as np

from pantin import samples
from pantin.arrays import Array, scalar
from pantin.collision import collision_pairs
from pantin.errors import InvalidArgument
from pantin.kinematics.configurations import clamp, configuration_from_dict, neutral
from pantin.kinematics.doors import require_model
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.model import Model
from pantin.kinematics.srdf import load_reference_configurations
from pantin.kinematics.urdf import build_geom_from_urdf
from pantin.load import load
from pantin.tracking import shipped
from pantin.tracking.assembly import assemble
from pantin.tracking.document import Section, read_document, read_text
from pantin.tracking.parts import blame
from pantin.tracking.rollout import roll_out
from pantin.tracking.trajectory import Trajectory

__all__ = ["Scenario"]

#: Steps that a scenario may have; a longer one is a mistake.
MOST_STEPS = 1_000_000

#: Which of a file's shapes barriers keep apart.
SHAPES = ("collision", "visual")

KEYS = ("scenario", "solver", "task", "limit", "barrier")
SCENARIO_KEYS = ("name", "about", "model", "root_joint", "mimic", "srdf", "shapes", "dt", "duration", "start")


class Scenario:
    """A robot, its tasks with their targets over time, its limits and barriers, and how long it goes on.

    The page about scenarios tells what a file can say. It is checked whole when it is read.

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
        document = self._document()
        self._read_head(document.section("scenario"), model)
        assemble(document, self.model, self._start, self._shapes)

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
        document = self._document()
        document.take("scenario")
        return roll_out(assemble(document, self.model, self._start, self._shapes), self, progress)

    def _document(self) -> Section:
        """The document, of which all but known sections is refused."""
        document = read_document(self.text, self.source)
        document.end(KEYS, but=KEYS)
        return document

    def _read_head(self, section: Section, model: Model | str | os.PathLike[str] | None) -> None:
        """Take what stands in [scenario]."""

        def number(key: str, lower: float, upper: float) -> float:
            value = section.need(key)
            return blame(section, {key: value}, lambda: scalar(key, value, lower=lower, upper=upper))

        self.name = section.words("name", Path(self.source).stem or "scenario")
        self.about = section.words("about") if "about" in section else ""
        self.model = self._robot(section, model)
        self._srdf = self._beside(section.words("srdf")) if "srdf" in section else None
        self._drawn = cast("Literal['collision', 'visual']", section.choice("shapes", SHAPES, SHAPES[0]))
        self.dt = number("dt", 1e-9, 1e3)
        self.steps = round(number("duration", self.dt, MOST_STEPS * self.dt) / self.dt)
        self._start = self._configuration(section)
        section.end(SCENARIO_KEYS)

    def _robot(self, section: Section, model: Model | str | os.PathLike[str] | None) -> Model:
        """The robot that is given, or else the one that the section names."""
        named = section.words("model") if "model" in section else None
        root_joint = section.words("root_joint") if "root_joint" in section else None
        mimic = section.truth("mimic", default=True)
        self._file: str | os.PathLike[str] | None = None
        if isinstance(model, Model):
            require_model(model)
            return model
        if model is None and named is None:
            section.refuse("", "it names no model; give one, or write one there")
        path = self._beside(named) if model is None and named is not None else model
        self._file = path
        try:
            return load(path, root_joint, mimic=mimic)  # type: ignore[arg-type]  # it is one of both
        except InvalidArgument as error:
            section.refuse("root_joint" if error.argument == "root_joint" else "", str(error))

    def _configuration(self, section: Section) -> Array:
        """Where the robot starts: joints by name and the others neutral, or a posture with a name."""
        model = self.model
        named = {"neutral": clamp(model, neutral(model)), "middle": _middle(model)}
        if self._srdf is not None:
            named |= load_reference_configurations(model, self._srdf)
        if isinstance(section.values.get("start"), dict):
            inside = section.section("start")
            return blame(inside, dict(inside.values), lambda: configuration_from_dict(model, inside.values))
        return named[section.choice("start", named, "neutral")]

    def _shapes(self) -> GeometryModel | None:
        """The shapes of the robot's file, with the pairs that shall stay apart; None for a model without a file."""
        if self._file is None:
            return None
        is_sample = not Path(self._file).is_file() and str(self._file) in samples.names()
        path = samples.path(str(self._file)) if is_sample else Path(self._file)
        shapes = build_geom_from_urdf(self.model, path, geometry_type=self._drawn)
        shapes.collision_pairs = collision_pairs(self.model, shapes, self._srdf, clear_at=self._start)
        return shapes

    def _beside(self, name: str) -> str:
        """A file beside the scenario, or the name as it is where there is none."""
        beside = Path(self.source).parent / name
        return str(beside) if beside.is_file() else name


def _middle(model: Model) -> Array:
    """The middle of the limits, neutral where there are none."""
    lower, upper = model.lower_position_limit, model.upper_position_limit
    known = model.has_configuration_limit() & (lower > -1e10) & (upper < 1e10)
    return np.where(known, np.where(known, lower, 0.0) / 2.0 + np.where(known, upper, 0.0) / 2.0, neutral(model))
