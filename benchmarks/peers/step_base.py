"""What an adapter of a control step is."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from peers.step_scene import Array, Scene, Wish


class Controller(ABC):
    """How one library is asked for steps.

    Attributes:
        package: Distribution whose version is reported.
        settings: What it was asked for, in words.
        scene: The scene.
        targets: Of each task that has a path: how its target is set, and all its targets in the library's own type.
    """

    package: str
    settings: str

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.targets: list[tuple[Callable[[Any], object], Sequence[Any]]] = []
        self.prepare()
        self.reset()

    @abstractmethod
    def prepare(self) -> None:
        """Builds what is needed for the scene; not timed."""

    @abstractmethod
    def reset(self) -> None:
        """Goes to where the scene starts; not timed."""

    def aim(self, row: int) -> None:
        """Sets the targets of a step; not timed."""
        for put, values in self.targets:
            put(values[row])

    @abstractmethod
    def step(self) -> None:
        """The call that is timed: the program of all tasks and limits, its minimum, and the move to where it leads."""

    @abstractmethod
    def q(self) -> Array:
        """Configuration, as the scene has it; not timed."""

    def file(self) -> str:
        """A file of the robot, for those who cannot read a text."""
        path = Path(tempfile.mkdtemp()) / f"{self.scene.name}.urdf"
        path.write_text(self.scene.urdf, encoding="utf-8")
        return str(path)


class TaskSteps(Controller):
    """A library whose tasks hold their targets.

    Attributes:
        start: Configuration at the start, as the library has it.
        tasks: Its tasks, in the order of the scene's.
    """

    start: Array
    tasks: list[Any]

    @abstractmethod
    def task(self, wish: Wish) -> Any:
        """A task of the library, without a target."""

    @abstractmethod
    def pose(self, matrix: Array) -> object:
        """A pose (4, 4) in the library's own type."""

    def add_tasks(self) -> None:
        """Makes all tasks; those without a path of targets are to stay at the start."""
        self.tasks = [self.task(wish) for wish in self.scene.wishes]
        for task, wish in zip(self.tasks, self.scene.wishes, strict=True):
            if wish.kind == "posture":
                task.set_target(self.start)
            else:
                values = map(self.pose, wish.targets) if wish.kind == "frame" else wish.targets
                self.targets.append((task.set_target, list(values)))


class PinkSteps(TaskSteps):
    """Pink, and what has its interface.

    Attributes:
        library: The module.
        model: Its model.
        data: What belongs to it.
        limits: Its limits.
        configuration: Its configuration.
    """

    settings = "`solve_ik` with daqp, then `integrate_inplace`; configuration limits with gain 0.5, velocity limits"

    library: Any
    model: Any
    data: Any
    configuration: Any

    @abstractmethod
    def load(self) -> None:
        """Sets the model and its data."""

    def prepare(self) -> None:
        self.load()
        limits = self.library.limits
        self.limits = [limits.ConfigurationLimit(self.model, 0.5), limits.VelocityLimit(self.model)]
        self.start = self.scene.start
        self.add_tasks()

    def task(self, wish: Wish) -> Any:
        kinds = self.library.tasks
        if wish.kind == "frame":
            return kinds.FrameTask(wish.frame, position_cost=wish.cost, orientation_cost=wish.turn_cost)
        return kinds.ComTask(cost=wish.cost) if wish.kind == "com" else kinds.PostureTask(cost=wish.cost)

    def reset(self) -> None:
        self.configuration = self.library.Configuration(self.model, self.data, self.start)

    def step(self) -> None:
        v = self.library.solve_ik(
            self.configuration, self.tasks, self.scene.dt, solver="daqp", limits=self.limits, safety_break=False
        )
        self.configuration.integrate_inplace(v, self.scene.dt)

    def q(self) -> Array:
        return np.array(self.configuration.q)
