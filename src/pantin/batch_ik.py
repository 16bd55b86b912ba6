"""Differential steps of many robots at once, for learning and planning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, apart, batch, count, output, scalar
from pantin.differential import StepStatus, all_of
from pantin.errors import InvalidArgument
from pantin.kinematics import Model
from pantin.kinematics.rows import configuration_rows, thread_count
from pantin.limits import ConfigurationLimit, Limit, VelocityLimit
from pantin.reaching.doors import read_forms
from pantin.tasks import Task

__all__ = ["BatchIK", "BatchSteps"]

#: Kinds of tasks whose targets are poses, and those whose targets are rates, which the core takes times dt.
_POSES, _RATES = ("frame", "relative_frame", "closed_loop"), ("joint_velocity", "momentum")

_WORDS = np.array([str(status) for status in StepStatus])


class BatchSteps(NamedTuple):
    """Where steps lead, and how they ended; a rollout has an axis of its steps behind the leading ones.

    Attributes:
        q: Configurations after each step, shape (..., nq).
        v: Velocities of each step, m/s or rad/s, shape (..., nv); always finite.
        ends: Numbers of the statuses, int8, shape (...): places in `StepStatus`.
    """

    q: Array
    v: Array
    ends: npt.NDArray[np.int8]

    @property
    def status(self) -> npt.NDArray[np.str_]:
        """How each step ended: the words of `StepStatus`, shape (...)."""
        return np.asarray(_WORDS[self.ends])


class BatchIK(_core.BatchCore):
    """Differential inverse kinematics of many robots of one model, which do not know of each other.

    Each row takes the step that a `DifferentialIK` of its own would take, to the bit, whatever the number of threads.
    Tasks and limits are those of the core, all of one priority; those that Python defines, barriers and constraints
    are for `DifferentialIK`. Costs and gains are read from the task objects at each call, and so are the targets of
    tasks that get none of their own.

    Attributes:
        model: The model.
        tasks: What is wanted.
        limits: What is allowed.
        threads: Threads to use.

    Example:
        >>> import numpy as np
        >>> import pantin
        >>> model = pantin.load("panda")
        >>> hand = pantin.FrameTask("panda_hand", position_cost=1.0, orientation_cost=1.0)
        >>> q = np.tile((0, -0.5, 0, -2, 0, 1.5, 0), (1000, 1))
        >>> targets = pantin.kinematics.batch.frame_placements(model, "panda_hand", q + 0.1)
        >>> result = pantin.BatchIK(model, [hand]).rollout(q, 0.01, 100, {hand: targets[:, None]})
        >>> result.q.shape, result.v.shape
        ((1000, 100, 7), (1000, 100, 7))
    """

    def __init__(
        self,
        model: Model,
        tasks: Iterable[Task],
        limits: Iterable[Limit] | None = None,
        *,
        damping: float = 1e-12,
        settle: bool = True,
        threads: int = 1,
    ) -> None:
        """Bind tasks and limits to a model.

        Args:
            model: Robot model.
            tasks: What is wanted of the motion.
            limits: What is allowed; the model's configuration and velocity limits by default.
            damping: Weight of the squared displacement, cost^2 per rad^2 or m^2.
            settle: Damp steps that move a robot to and fro, as `DifferentialIK` does; in rollouts only.
            threads: Threads to use; results do not depend on it.

        Raises:
            InvalidArgument: If a task or limit is of the wrong kind, or the damping or number of threads is.
        """
        if limits is None:
            limits = [ConfigurationLimit(model), VelocityLimit(model)]
        self.tasks, self.limits = all_of("tasks", tasks, Task), all_of("limits", limits, Limit)
        self.threads = thread_count(threads)
        super().__init__(model, self.tasks, self.limits, scalar("damping", damping, lower=0.0), bool(settle))

    def step(
        self,
        q: npt.ArrayLike,
        dt: float,
        targets: Mapping[Task, Any] | None = None,
        *,
        previous: npt.ArrayLike | None = None,
        out: BatchSteps | None = None,
    ) -> BatchSteps:
        """One step from each of many configurations.

        The interpreter lock is released, and Ctrl-C is answered within milliseconds.

        Args:
            q: Configurations, shape (..., nq).
            dt: Duration of the step, s; zero moves nothing.
            targets: Targets of some of the tasks, one for each row: poses (..., 4, 4), or vectors as `set_target` takes
                them, (..., n); of linear holonomic tasks the right side b. Leading axes broadcast with those of q.
                Others keep the target they hold.
            previous: Velocities of the steps before, shape (..., nv), for acceleration limits and low-acceleration
                tasks; what these hold by default.
            out: Arrays to fill, as of an earlier call. Its q may be the q that is given.

        Returns:
            Configurations after the step, shape (..., nq), velocities (..., nv), and statuses (...).

        Raises:
            TargetNotSet: If a task has no target.
            InvalidArgument: If shapes do not go together, a number is not finite, a task is not one of ours, or a task
                or limit is none that a batch can have.
        """
        return self._steps(q, dt, None, targets, previous, out)

    def rollout(
        self,
        q: npt.ArrayLike,
        dt: float,
        steps: int,
        targets: Mapping[Task, Any] | None = None,
        *,
        previous: npt.ArrayLike | None = None,
        out: BatchSteps | None = None,
    ) -> BatchSteps:
        """Steps one after the other from each of many configurations.

        The interpreter lock is released, and Ctrl-C is answered within milliseconds.

        Args:
            q: Configurations at the start, shape (..., nq).
            dt: Duration of a step, s.
            steps: Number of steps.
            targets: As for `step`, for each row and step: leading axes broadcast with (..., steps), so that
                (steps, 4, 4) moves the target of all rows, and (n, 1, 4, 4) gives each row one that stays.
            previous: Velocities before the first step, shape (..., nv).
            out: Arrays to fill, as of an earlier call.

        Returns:
            Configurations after each step, shape (..., steps, nq), velocities (..., steps, nv), and statuses
            (..., steps).

        Raises:
            TargetNotSet: If a task has no target.
            InvalidArgument: As for `step`, or if the number of steps is negative.
        """
        return self._steps(q, dt, count("steps", steps), targets, previous, out)

    def _steps(
        self,
        q: npt.ArrayLike,
        dt: float,
        steps: int | None,
        targets: Mapping[Task, Any] | None,
        previous: npt.ArrayLike | None,
        out: BatchSteps | None,
    ) -> BatchSteps:
        """Steps of a rollout, or one without an axis of its own."""
        duration = scalar("dt", dt, lower=0.0)
        start = configuration_rows("q", self.model, q)
        before = None if previous is None else duration * batch("previous", previous, self.model.nv)
        given = self._read_targets({} if targets is None else targets, duration)
        own = () if steps is None else (steps,)
        shape = _together(own, q=start, previous=before, **{f"targets[{i}]": one for i, one in given.items()})
        leading = shape[: len(shape) - len(own)]
        result = _results(shape, self.model, out)
        rows, columns = math.prod(leading), 1 if steps is None else steps
        aims: list[Array | None] = [None] * len(self.tasks)
        for i, numbers in given.items():
            own_memory = apart(apart(numbers, result.q), result.v)
            aims[i] = _spread(own_memory, shape).reshape(rows, columns, numbers.shape[-1])
        self._run(
            _rows(apart(start, result.q), leading).reshape(rows, self.model.nq),
            duration,
            columns,
            aims,
            None if before is None else _rows(before, leading).reshape(rows, self.model.nv),
            *result,
            self.threads,
        )
        return result

    def _read_targets(self, targets: Mapping[Task, Any], dt: float) -> dict[int, Array]:
        """Numbers of the targets of some tasks, by their places, shape (..., size)."""
        sizes, python_tasks, python_limits, levels = self._parts()
        for name, entries, places in (("tasks", self.tasks, python_tasks), ("limits", self.limits, python_limits)):
            for place in places:
                raise InvalidArgument(
                    f"{name}[{place}]",
                    f"{entries[place]!r} is defined in Python, which a batch does not ask; step it with DifferentialIK",
                )
        if levels > 1:
            raise InvalidArgument("tasks", "a batch weighs its tasks; step several priorities with DifferentialIK")
        if not isinstance(targets, Mapping):
            raise InvalidArgument("targets", f"expected a mapping of tasks to targets, got a {type(targets).__name__}")
        found: dict[int, Array] = {}
        for task, values in targets.items():
            if task not in self.tasks:
                raise InvalidArgument("targets", f"expected tasks of this batch, got {task!r}")
            place = self.tasks.index(task)
            if task._kind == "low_acceleration":
                raise InvalidArgument("targets", f"what {task!r} goes by is given as previous=")
            if sizes[place] < 0:
                raise InvalidArgument("targets", f"{task!r} has no target")
            if task._kind in _POSES:
                numbers, shape = read_forms("pose", values)
                found[place] = numbers.reshape(*shape, 12)
            elif task._kind == "posture":
                found[place] = configuration_rows("targets", self.model, values)
            else:
                rows = batch("targets", values, sizes[place])
                found[place] = rows * dt if task._kind in _RATES else rows
        return found


def _together(own: tuple[int, ...], **parts: Array | None) -> tuple[int, ...]:
    """Leading axes of all parts together, those of a rollout's steps last.

    Raises:
        InvalidArgument: If those of one do not go with those before it.
    """
    shape = own
    for name, part in parts.items():
        if part is None:
            continue
        leading = part.shape[:-1] + (() if name.startswith("targets") else own)
        if leading == shape:
            continue
        try:
            together = np.broadcast_shapes(shape, leading)
            fits = together[len(together) - len(own) :] == own
        except ValueError:
            fits = False
        if not fits:
            raise InvalidArgument(name, f"leading axes {leading} do not go with those of the others, {shape}")
        shape = together
    return shape


def _spread(values: Array, leading: tuple[int, ...]) -> Array:
    """Values with these leading axes, in the same memory."""
    return values if values.shape[:-1] == leading else np.broadcast_to(values, (*leading, values.shape[-1]))


def _rows(values: Array, leading: tuple[int, ...]) -> Array:
    """Values with these leading axes, C-ordered."""
    return np.ascontiguousarray(_spread(values, leading))


def _results(shape: tuple[int, ...], model: Model, out: BatchSteps | None) -> BatchSteps:
    """Arrays to fill.

    Raises:
        InvalidArgument: If those that were given have another shape or kind.
    """
    if out is None:
        return BatchSteps(np.empty((*shape, model.nq)), np.empty((*shape, model.nv)), np.empty(shape, np.int8))
    if not isinstance(out, BatchSteps):
        raise InvalidArgument("out", f"expected the BatchSteps of an earlier call, got a {type(out).__name__}")
    output("out.q", out.q, (*shape, model.nq))
    output("out.v", out.v, (*shape, model.nv))
    ends = out.ends
    if not (isinstance(ends, np.ndarray) and ends.dtype == np.int8 and ends.shape == shape and ends.flags.carray):
        raise InvalidArgument("out.ends", f"expected C-ordered, writable int8 numbers of shape {shape}")
    return out
