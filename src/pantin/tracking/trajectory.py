"""What a robot did in a scenario: where it was, how fast it moved, what was left of each error, and how steps ended."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, BoolArray
from pantin.differential import StepStatus
from pantin.kinematics.labels import joint_values, velocity_values
from pantin.kinematics.model import Model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Measure", "Trajectory"]

#: Statuses of steps that did all that could be asked of them.
GOOD = frozenset({StepStatus.SOLVED, StepStatus.RETURNING, StepStatus.STANDING})

#: How near to a limit counts as at it: a part of the velocity limit, and rad or m.
AT_VELOCITY_LIMIT, AT_POSITION_LIMIT = 1e-6, 1e-6
#: A limit from here on stands for none.
UNLIMITED = 1e10


class Measure(NamedTuple):
    """One error of a task.

    Attributes:
        task: Name of the task.
        part: "position" or "rotation" of poses, "" where the error is one thing.
        unit: Of its length.
        tolerance: What may be left of it at the end.
    """

    task: str
    part: str
    unit: str
    tolerance: float = np.inf

    @property
    def label(self) -> str:
        """Task and part in words."""
        return f"{self.task} {self.part}".rstrip()


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Trajectory:
    """A run of a scenario: its start, and the end of each of N steps.

    Attributes:
        model: The robot.
        name: Name of the scenario.
        scenario: Its document.
        dt: Time of a step, s.
        velocity_limit: Largest velocities, by the model and the scenario, shape (nv,).
        time: Shape (N + 1,), s.
        q: Configurations, shape (N + 1, nq), rad or m per joint.
        v: Velocities of the steps that lead there, shape (N + 1, nv), rad/s or m/s; zero at the start.
        measures: What the columns of `errors` are.
        errors: Lengths of errors, by the targets at that time, shape (N + 1, measures).
        status: How steps ended, shape (N + 1,); "start" for the start.
        conflicts: In how many steps something, such as "task 'hand'" or "limit 2", was part of what could not go
            together.
        seconds: Time that all steps took together.
    """

    model: Model
    name: str
    scenario: str
    dt: float
    velocity_limit: Array
    time: Array
    q: Array
    v: Array
    measures: list[Measure]
    errors: Array
    status: npt.NDArray[np.str_]
    conflicts: dict[str, int]
    seconds: float

    def __repr__(self) -> str:
        """What was run, and how steps ended."""
        ends = ", ".join(f"{count} {word}" for word, count in self.statuses.items())
        return f"Trajectory({self.name} of {self.model.name}, {len(self)} steps: {ends})"

    def __len__(self) -> int:
        """Number of steps."""
        return len(self.time) - 1

    @property
    def success(self) -> bool:
        """True if no step ended badly, and at the end each error is within its tolerance."""
        return self.statuses.keys() <= GOOD and bool((self.errors[-1] <= self.tolerances).all())

    @property
    def statuses(self) -> dict[str, int]:
        """How many steps ended with each status."""
        return dict(Counter(self.status[1:].tolist()).most_common())

    @property
    def tolerances(self) -> Array:
        """What may be left of each error at the end."""
        return np.array([measure.tolerance for measure in self.measures])

    @property
    def velocity_ratio(self) -> Array:
        """Speeds as parts of their limits, shape (N + 1, nv); 0 where there is no limit."""
        limit = self.velocity_limit
        limited = (limit > 0.0) & (limit < UNLIMITED)
        return np.where(limited, np.abs(self.v) / np.where(limited, limit, 1.0), 0.0)

    @property
    def limited(self) -> npt.NDArray[np.intp]:
        """Entries of a configuration that have limits."""
        lower, upper = self.model.lower_position_limit, self.model.upper_position_limit
        return np.flatnonzero(self.model.has_configuration_limit() & ((lower > -UNLIMITED) | (upper < UNLIMITED)))

    @property
    def limited_names(self) -> list[str]:
        """Joints of those entries, with their components."""
        model = self.model
        names = {
            model.joints[model.get_joint_id(value.joint)].idx_q + value.offset: value.label
            for value in joint_values(model, self.q)
            if model.joints[model.get_joint_id(value.joint)].mimic is None
        }
        return [names[entry] for entry in self.limited]

    @property
    def margin(self) -> Array:
        """Distance from the nearer position limit, shape (N + 1, len(limited)), rad or m; negative beyond it."""
        lower, upper = self.model.lower_position_limit, self.model.upper_position_limit
        q = self.q[:, self.limited]
        return np.minimum(q - lower[self.limited], upper[self.limited] - q)

    @property
    def at_limit(self) -> BoolArray:
        """Where a joint is at a limit of its position or of its velocity, shape (N + 1,)."""
        fast = (self.velocity_ratio > 1.0 - AT_VELOCITY_LIMIT).any(axis=1)
        return np.asarray(fast | (self.margin < AT_POSITION_LIMIT).any(axis=1))

    @property
    def worst_velocity(self) -> tuple[float, str, float]:
        """Largest part of a velocity limit, the joint that moved so, and when, s."""
        ratio = self.velocity_ratio
        if not ratio.size:
            return 0.0, "", 0.0
        step, entry = np.unravel_index(np.argmax(ratio), ratio.shape)
        return float(ratio[step, entry]), velocity_values(self.model, self.v)[entry].label, float(self.time[step])

    @property
    def steps_per_second(self) -> float:
        """Steps in a second of the time that they took, targets and notes aside."""
        return len(self) / max(self.seconds, 1e-9)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write a Parquet file, which appears whole or not at all.

        Its columns are `time` (s), `status`, and numbers by name: `q.JOINT` (rad or m; of joints with several numbers
        `q.JOINT.x` and so on), `v.JOINT`, `error.TASK` or `error.TASK.position` and `.rotation`, and `margin.JOINT`,
        the distance from the nearer position limit. Its metadata has `pantin.version`, `pantin.model`, `pantin.name`,
        and the document under `pantin.scenario`.

        Args:
            path: The file.

        Raises:
            MissingExtra: If pyarrow is not installed (extra `fit`).
            InvalidArgument: If the file cannot be written.
        """
        from pantin.tracking.parquet import write  # noqa: PLC0415  # it needs what a trajectory is

        write(self, path)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Draw errors, velocities and the room that limits leave, over time.

        Args:
            path: File to write, which appears whole or not at all; its ending chooses the format: png, pdf, svg.

        Returns:
            The figure, which belongs to no window.

        Raises:
            MissingExtra: If matplotlib is not installed (extra `plot`).
            InvalidArgument: If the file cannot be written.
        """
        from pantin.tracking.plot import plot_trajectory  # noqa: PLC0415

        return plot_trajectory(self, path)
