"""Following a path: configurations that lead a frame from waypoint to waypoint without a jump."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin import _core
from pantin.arrays import Array, array, scalar, vector
from pantin.errors import InvalidArgument
from pantin.kinematics.rows import configuration_rows
from pantin.reaching.doors import as_target, read_targets
from pantin.reaching.path_result import JUMP, PathResult, Walked
from pantin.reaching.timing import shortest_durations

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["follow_path"]

Jumps = Literal["refuse", "allow"]

#: Answers to the first waypoint that are tried where no start is given.
_STARTS = 16


class _Request(NamedTuple):
    """What `follow` was asked beside targets and start, checked."""

    most: Array | None
    time: Array | None
    retime: bool
    jumps: bool
    tolerance: tuple[float, float]


def follow_path(
    solver: ReachSolver,
    targets: object,
    q0: npt.ArrayLike | None,
    *,
    max_joint_step: npt.ArrayLike | None,
    time: npt.ArrayLike | None,
    retime: bool,
    jumps: Jumps,
    path_tolerance: npt.ArrayLike | None,
) -> PathResult:
    """What `ReachSolver.follow` does; its arguments and errors are there."""
    model = solver.model
    rows, shape = read_targets(solver, targets)
    if len(shape) != 1 or shape[0] == 0:
        raise InvalidArgument("targets", f"expected one waypoint or more along one axis, got a batch of shape {shape}")
    start = None if q0 is None else configuration_rows("q0", model, vector("q0", q0, model.nq))
    request = _Request(
        most=_steps(max_joint_step, model.nv),
        time=_times(time, len(rows)),
        retime=_flag("retime", retime),
        jumps=_jumps(jumps),
        tolerance=_tolerance(path_tolerance),
    )
    paced = request.time is not None and not request.retime
    walk = functools.partial(
        _core._follow,
        solver,
        rows,
        most=request.most,
        speed=model.velocity_limit.copy() if paced else None,
        times=request.time if paced else None,
        jumps=request.jumps,
        position=request.tolerance[0],
        rotation=request.tolerance[1],
    )
    anywhere = start is None and not request.jumps
    walked = _from_anywhere(solver, rows, walk) if anywhere else walk(start, thorough=True)
    return PathResult(
        solver,
        rows,
        walked,
        times=_retimed(solver, walked[0], request.time) if request.retime else request.time,
        paced=paced,
        jumps_allowed=request.jumps,
        refined=path_tolerance is not None,
    )


def _from_anywhere(solver: ReachSolver, rows: Array, walk: Callable[..., Walked]) -> Walked:
    """A walk from the solver's own answer to the first waypoint, or else from another that leads farther."""
    best = walk(None, thorough=False)
    if not _jumps_first(best):
        return best
    starts = [None, *solver.all(as_target(solver, rows[0]), count=_STARTS).q]
    for thorough in (False, True):
        for start in starts[not thorough :]:
            tried = walk(start, thorough=thorough)
            if not _jumps_first(tried):
                return tried
            best = max(best, tried, key=lambda each: int(each[3].sum()))
    return best


def _jumps_first(walked: Walked) -> bool:
    """True if a walk ended before a jump."""
    return any(number == JUMP for _, number in walked[4])


def _retimed(solver: ReachSolver, q: Array, time: Array | None) -> Array:
    """The shortest times within velocity limits: of each segment, or in the proportions of the times given."""
    durations = shortest_durations(solver.model, q)
    if time is None:
        return np.concatenate([[0.0], np.cumsum(durations)])
    factor = float((durations / np.diff(time)).max(initial=0.0))
    return np.asarray(time[0] + factor * (time - time[0]))


def _steps(given: npt.ArrayLike | None, nv: int) -> Array | None:
    if given is None:
        return None
    steps = array("max_joint_step", given, finite=False)
    if steps.shape not in ((), (nv,)) or not (steps > 0.0).all():
        raise InvalidArgument(
            "max_joint_step", f"expected a positive number, or one for each velocity, shape {(nv,)}, got {given!r}"
        )
    return np.ascontiguousarray(np.broadcast_to(steps, (nv,)))


def _times(given: npt.ArrayLike | None, n: int) -> Array | None:
    if given is None:
        return None
    times = vector("time", given, n).copy()
    late = np.flatnonzero(np.diff(times) <= 0.0)
    if late.size:
        k = int(late[0]) + 1
        raise InvalidArgument(
            "time", f"expected times that increase; time[{k}] = {times[k]:g} follows {times[k - 1]:g}"
        )
    return times


def _flag(name: str, given: object) -> bool:
    if not isinstance(given, bool | np.bool_):
        raise InvalidArgument(name, f"expected True or False, got {given!r}")
    return bool(given)


def _jumps(given: object) -> bool:
    if not isinstance(given, str) or given not in ("refuse", "allow"):
        raise InvalidArgument("jumps", f"expected 'refuse' or 'allow', got {given!r}")
    return given == "allow"


def _tolerance(given: npt.ArrayLike | None) -> tuple[float, float]:
    """Tolerances in m and rad; zeros where the ways between waypoints do not matter."""
    if given is None:
        return 0.0, 0.0
    if np.ndim(given) == 0:
        both = scalar("path_tolerance", given, lower=1e-9)
        return both, both
    position, rotation = vector("path_tolerance", given, 2, finite=False)
    if not (position >= 1e-9 and rotation >= 1e-9):
        raise InvalidArgument("path_tolerance", f"expected a distance and an angle of at least 1e-9, got {given!r}")
    return float(position), float(rotation)
