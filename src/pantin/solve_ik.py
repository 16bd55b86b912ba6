"""One step of differential inverse kinematics with Pinker's words: a velocity, or the quadratic program behind it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pantin._core import ConfigurationBase
from pantin.arrays import LARGEST, Array, scalar
from pantin.errors import InvalidArgument
from pantin.exceptions import NoSolutionFound
from pantin.programs import require_solver

if TYPE_CHECKING:
    import qpsolvers

    from pantin.barriers import Barrier
    from pantin.configuration import Configuration
    from pantin.differential import DifferentialIK
    from pantin.limits import Limit
    from pantin.tasks import Task

__all__ = ["build_ik", "solve_ik"]

# Tasks, limits and solvers are imported when they are first needed, so that the face can offer both functions at once.

#: Excess over a limit that is let pass, rad or m.
_TOLERANCE = 1e-6

#: How many sets of tasks, limits, barriers and constraints are kept compiled with one task, those of all threads.
_KEPT = 8

#: Number of the status "solved" in the core, which is quicker to read than its word.
_SOLVED = 0


def build_ik(
    configuration: Configuration,
    tasks: Iterable[Task],
    dt: float,
    damping: float = 1e-12,
    limits: Iterable[Limit] | None = None,
    barriers: Iterable[Barrier] | None = None,
    constraints: Iterable[Task] | None = None,
) -> qpsolvers.Problem:
    r"""Quadratic program of a step: minimise $\tfrac12 x^\top P x + q^\top x$ where $G x \le h$ and $A x = b$.

    The unknown $x = v\,dt$ is the displacement, shape (nv,). P and q are the sums over tasks and barriers of what their
    `compute_qp_objective` gives, with the damping on the diagonal. G and h are the rows of limits, then those of
    barriers; A and b the Jacobians and the errors, times minus the gain, of constraints. Each comes in the order in
    which it was given, as in Pinker.

    Where tasks have different priorities, the program is that of those that come first.

    Args:
        configuration: Where the robot is.
        tasks: What is wanted of the motion.
        dt: Time step, s.
        damping: Weight of $|x|^2$, cost^2 per rad^2 or m^2.
        limits: What is allowed; the default limits of the configuration where there are none, [] for no limits.
        barriers: What is kept at a distance.
        constraints: Tasks that are held exactly.

    Returns:
        The program, with None for G and h, or A and b, where there are no rows.

    Raises:
        InvalidArgument: If dt is not a finite number above 0, the damping is negative or not finite, or an entry is no
            task, limit or barrier.
        TargetNotSet: If a task has no target.
        UnknownFrame: If the model has no frame of a task.
    """
    dt = _time_step(dt)
    return _pinkers(_compiled(configuration, tasks, damping, limits, barriers, constraints), configuration, dt)


def solve_ik(
    configuration: Configuration,
    tasks: Iterable[Task],
    dt: float,
    solver: str,
    damping: float = 1e-12,
    limits: Iterable[Limit] | None = None,
    barriers: Iterable[Barrier] | None = None,
    constraints: Iterable[Task] | None = None,
    safety_break: bool = True,
    *,
    solver_policy: str = "auto",
    **kwargs: Any,
) -> Array:
    """Velocity that does best at all tasks within what is allowed; see `build_ik` for the program that it solves.

    Args:
        configuration: Where the robot is.
        tasks: What is wanted of the motion.
        dt: Time step, s.
        solver: Name of an installed solver of quadratic programs, such as "daqp".
        damping: Weight of the squared displacement, cost^2 per rad^2 or m^2.
        limits: What is allowed; the default limits of the configuration where there are none, [] for no limits.
        barriers: What is kept at a distance.
        constraints: Tasks that are held exactly.
        safety_break: Raise where the configuration is outside its limits; otherwise log a warning.
        solver_policy: "auto" leaves problems that have only bounds on single joints to the core, which needs no
            solver; "always" gives them to the solver, too.
        **kwargs: What the solver is given besides.

    Returns:
        Velocity, shape (nv,), m/s or rad/s.

    Raises:
        NotWithinConfigurationLimits: If the configuration is outside its limits and `safety_break` is set.
        NoSolutionFound: If nothing satisfies all limits, barriers and constraints.
        InvalidArgument: If dt is not a finite number above 0, the damping is negative or not finite, an entry is no
            task, limit or barrier, or the solver is not installed.
        TargetNotSet: If a task has no target.
        UnknownFrame: If the model has no frame of a task.
    """
    require_solver(solver)
    if solver_policy not in ("auto", "always"):
        raise InvalidArgument("solver_policy", f"expected 'auto' or 'always', got {solver_policy!r}")
    if type(dt) is not float or not 0.0 < dt <= LARGEST:
        dt = _time_step(dt)
    step = _compiled(configuration, tasks, damping, limits, barriers, constraints)
    if configuration._first_outside(_TOLERANCE) >= 0:
        configuration.check_limits(_TOLERANCE, safety_break)
    if step.bounds_only and solver_policy == "auto":
        velocity = step.ik.solve(configuration, dt)
        if step.ik._status == _SOLVED:
            return velocity
    return _by_solver(step, configuration, dt, solver, solver_policy, kwargs)


class _Step(NamedTuple):
    """A compiled step, and what it was compiled of.

    Attributes:
        of: Model, tasks, limits, barriers, constraints, damping and thread.
        ik: The step.
        damping: Weight of the squared displacement.
        standard: No task has an own way to make its objective, which the core would not ask.
        bounds_only: The core can do all of it by bounds on single joints.
    """

    of: tuple[Any, ...]
    ik: DifferentialIK
    damping: float
    standard: bool
    bounds_only: bool


class _Steps(list[_Step]):
    """Steps that are kept with their first task, so that they go when it goes; copies of the task begin without."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _Steps, ()


def _compiled(
    configuration: Configuration,
    tasks: Iterable[Task],
    damping: float,
    limits: Iterable[Limit] | None,
    barriers: Iterable[Barrier] | None,
    constraints: Iterable[Task] | None,
) -> _Step:
    """Step of these tasks, limits, barriers and constraints; the one of an earlier call where there was one."""
    if not isinstance(configuration, ConfigurationBase):
        raise InvalidArgument("configuration", f"expected a Configuration, got a {type(configuration).__name__}")
    try:
        wanted = tuple(tasks)
        allowed = tuple(configuration.default_limits if limits is None else limits)
        kept = () if barriers is None else tuple(barriers)
        held = () if constraints is None else tuple(constraints)
    except TypeError as error:
        raise InvalidArgument("tasks", f"expected lists of tasks, limits, barriers and constraints ({error})") from None
    of = (configuration.model, wanted, allowed, kept, held, damping, threading.get_ident())
    steps: _Steps | None = getattr(wanted[0], "_steps", None) if wanted else None
    if steps:
        for step in steps:
            if step.of == of:
                return step
    return _compile(of, steps)


def _compile(of: tuple[Any, ...], steps: _Steps | None) -> _Step:
    """Step of what `_compiled` was given, kept with the first task."""
    from pantin.differential import DifferentialIK  # noqa: PLC0415
    from pantin.tasks import Task  # noqa: PLC0415

    model, wanted, allowed, kept, held, damping, _ = of
    ik = DifferentialIK(model, wanted, allowed, kept, constraints=held, damping=damping, settle=False)
    standard = all(type(task).compute_qp_objective is Task.compute_qp_objective for task in wanted)
    bounds_only = bool(wanted) and standard and not (kept or held) and all(limit._native for limit in allowed)
    step = _Step(of, ik, float(damping), standard, bounds_only)
    if wanted:
        steps = _Steps() if steps is None else steps
        steps.insert(0, step)
        del steps[_KEPT:]
        wanted[0]._steps = steps
    return step


def _pinkers(step: _Step, configuration: Configuration, dt: float) -> qpsolvers.Problem:
    """Program of a step with all rows of all limits, in Pinker's order."""
    import qpsolvers  # noqa: PLC0415

    ik = step.ik
    program = ik.problem(configuration, dt)
    given = [limit.compute_qp_inequalities(configuration, dt) for limit in ik._limits]
    limits = [pair for pair in given if pair is not None]
    seen = sum(len(pair[1]) for limit, pair in zip(ik._limits, given, strict=True) if pair and not limit._native)
    G = np.vstack([*(matrix for matrix, _ in limits), program.G[seen:]])
    h = np.hstack([*(right for _, right in limits), program.h[seen:]])
    P, q = (program.H, program.c) if step.standard else _objective(step, configuration)
    return qpsolvers.Problem(P, q, *_rows(G, h), *_rows(program.A, program.b))


def _bounded(step: _Step, configuration: Configuration, dt: float) -> qpsolvers.Problem:
    """Program of a step with one row for each bound, as the core has it."""
    import qpsolvers  # noqa: PLC0415

    H, c, G, h, A, b, lower, upper = step.ik.problem(configuration, dt)
    if (lower == upper).any() or not step.standard:
        # where bounds contradict each other the core has an answer, which solvers and Pinker have not
        return _pinkers(step, configuration, dt)
    above, below, eye = upper < np.inf, lower > -np.inf, configuration.tangent.eye
    G = np.vstack([eye[above], -eye[below], G])
    h = np.hstack([upper[above], -lower[below], h])
    return qpsolvers.Problem(H, c, *_rows(G, h), *_rows(A, b))


def _objective(step: _Step, configuration: Configuration) -> tuple[Array, Array]:
    """Matrix and vector of the objective, where a user's task has its own way to make them."""
    tasks = step.ik._tasks
    first = min(task.priority for task in tasks)
    P, q = step.damping * np.eye(configuration.model.nv), np.zeros(configuration.model.nv)
    for part in (*(task for task in tasks if task.priority == first), *step.ik._barriers):
        H, c = part.compute_qp_objective(configuration)
        P += H
        q += c
    return P, q


def _rows(matrix: Array, right: Array) -> tuple[Array | None, Array | None]:
    """A matrix and its right side; None where there are no rows."""
    return (matrix, right) if right.size else (None, None)


def _with_bounding_rows(problem: qpsolvers.Problem) -> qpsolvers.Problem:
    """The program without rows whose right side is infinite, as a user's limit may have them: they bound nothing."""
    if problem.G is not None and problem.h is not None and (idle := problem.h == np.inf).any():
        problem.G, problem.h = _rows(problem.G[~idle], problem.h[~idle])
    return problem


def _by_solver(
    step: _Step, configuration: Configuration, dt: float, solver: str, policy: str, options: dict[str, Any]
) -> Array:
    """Velocity that a solver finds by its name."""
    import qpsolvers  # noqa: PLC0415

    levels = len({task.priority for task in step.ik._tasks}) > 1
    if levels and policy == "always":
        raise InvalidArgument("solver_policy", "solvers know of no priorities, which the core keeps; expected 'auto'")
    if levels:
        velocity = step.ik.solve(configuration, dt)
        if step.ik.status == "solved":
            return velocity
    problem = _with_bounding_rows(_bounded(step, configuration, dt))
    numbers = (problem.P, problem.q, problem.G, problem.h, problem.A, problem.b)
    if not all(part is None or np.isfinite(part).all() for part in numbers):
        raise InvalidArgument("tasks", "an error, Jacobian, cost or limit is not finite")
    results = qpsolvers.Solution(problem) if levels else qpsolvers.solve_problem(problem, solver=solver, **options)
    if not results.found or results.x is None:
        raise NoSolutionFound(problem, results)
    displacement: Array = results.x
    return displacement / dt


def _time_step(dt: float) -> float:
    """Time step that velocities can be made with.

    Raises:
        InvalidArgument: If it is not a finite number above 0.
    """
    step = scalar("dt", dt)
    if step <= 0.0:
        raise InvalidArgument("dt", f"expected a time above 0 s to make velocities of displacements, got {step:g}")
    return step
