"""Where following a path has led."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.configurations import clamp
from pantin.reaching.answer import STATUS
from pantin.reaching.doors import as_target, joint_of
from pantin.reaching.remaining import remaining
from pantin.reaching.timing import joint_at, joint_steps
from pantin.solving import SolverResult, Status

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["PathCheck", "PathEvent", "PathPoints", "PathResult"]

#: What the core returns: configurations, errors, 1 where reached, blocked waypoints and why, points between
#: waypoints and their parameters, and waypoints that the way to leaves the path tolerance.
Walked: TypeAlias = tuple[Array, Array, Array, Array, list[tuple[int, int]], Array, Array, list[int]]

#: Numbers of the core for what blocks a waypoint; the solver's own answer tells more of the others.
JUMP, _DEPTH = STATUS.index(Status.JOINT_JUMP), STATUS.index(Status.RCM_DEPTH)

_STRAY = "between waypoints {} and {} no configuration keeps the frame within the path tolerance"

#: Part by which a speed may seem to exceed its limit by rounding.
_ROUNDING = 1e-9


class PathEvent(NamedTuple):
    """Something that kept a path from being followed as it was asked.

    Attributes:
        waypoint: Index of the waypoint; where the way to it is meant, it begins at the waypoint before.
        status: Why.
        why: The same in words.
    """

    waypoint: int
    status: Status
    why: str


class PathPoints(NamedTuple):
    """Configurations along a path, those between waypoints included.

    Attributes:
        q: Configurations, shape (m, nq).
        parameter: Where they stand, shape (m,): waypoint `k` at `k`, a point halfway to the next at `k + 0.5`.
    """

    q: Array
    parameter: Array


class PathCheck(NamedTuple):
    """What remains along a path, computed anew from the model and its limits as they are now.

    Attributes:
        position_error: Distances to the waypoints, m, shape (n,).
        rotation_error: Angles to the waypoints, rad, shape (n,).
        largest_step: Largest motion of one joint from a waypoint to the next, rad or m.
        within_limits: True if every configuration is within its joint limits.
        success: True if all waypoints are met within limits.
    """

    position_error: Array
    rotation_error: Array
    largest_step: float
    within_limits: bool
    success: bool


class PathResult(SolverResult):
    """Configurations that follow a path, or as much of it as can be followed.

    Attributes:
        q: Configuration at each waypoint, shape (n, nq), within limits. Where the path ended early, the last one
            that was reached is repeated: the robot stays there.
        reached: True at the waypoints that are met, shape (n,).
        position_error: Distances to the waypoints, m, shape (n,).
        rotation_error: Angles to the waypoints, rad, shape (n,).
        times: When each waypoint is passed, s, shape (n,), where times were given or asked for; else None.
        events: What kept the path from being followed as it was asked, in the order of the waypoints.
        jumps: Those of them that are jumps: from the waypoint before, no continuous motion was found.
        refined: The path with points between the waypoints, where a path tolerance was given; else None.
    """

    def __init__(
        self,
        solver: ReachSolver,
        targets: Array,
        walked: Walked,
        *,
        times: Array | None,
        paced: bool,
        jumps_allowed: bool,
        refined: bool,
    ) -> None:
        """The result of a walk as the core returned it."""
        self._solver = solver
        self._targets = targets
        self.q, self.position_error, self.rotation_error, reached, blocked, points, parameter, strays = walked
        self._jumps_allowed = jumps_allowed
        self.reached: npt.NDArray[np.bool_] = reached == 1.0
        self.times = times
        self.refined = PathPoints(points, parameter) if refined else None
        events = [self._explained(waypoint, number) for waypoint, number in blocked]
        events += [PathEvent(k, Status.NOT_FOUND, _STRAY.format(k - 1, k)) for k in strays]
        if paced and times is not None:
            events += self._too_fast(times)
        self.events = tuple(sorted(events, key=lambda event: event.waypoint))

    @property
    def jumps(self) -> tuple[PathEvent, ...]:
        """The events that are jumps."""
        return tuple(event for event in self.events if event.status is Status.JOINT_JUMP)

    @property
    def status(self) -> Status:
        """Why the walk ended, by the first event that was not allowed, or `REACHED`."""
        for event in self.events:
            if event.status is not Status.JOINT_JUMP or not self._jumps_allowed:
                return event.status
        return Status.REACHED

    def check(self) -> PathCheck:
        """What remains at q, computed by the model's own forward kinematics."""
        model = self._solver.model
        left = remaining(self._solver, self.q, self._targets)
        inside = all(bool(np.array_equal(clamp(model, q), q)) for q in self.q)
        largest = float(np.abs(joint_steps(model, self.q)).max(initial=0.0))
        return PathCheck(left.position, left.rotation, largest, inside, inside and bool(left.met.all()))

    def _explained(self, waypoint: int, number: int) -> PathEvent:
        """A blocked waypoint with what the solver's own answer to it tells."""
        if number == _DEPTH:
            why = f"waypoint {waypoint} asks for a tip too deep behind the pivot, or too little"
            return PathEvent(waypoint, Status.RCM_DEPTH, why)
        before = self.q[max(waypoint - 1, 0)]
        answer = self._solver.solve(as_target(self._solver, self._targets[waypoint]), before)
        if number != JUMP:
            nearest = f"the nearest is {answer.position_error:.3g} m and {answer.rotation_error:.3g} rad away"
            status = Status.NOT_FOUND if answer.success else answer.status
            return PathEvent(waypoint, status, f"no configuration within limits reaches waypoint {waypoint}; {nearest}")
        after = self.q[waypoint] if self._jumps_allowed else answer.q
        steps = joint_steps(self._solver.model, np.stack([before, after]))[0]
        entry = int(np.abs(steps).argmax())
        name, unit = joint_at(self._solver.model, entry)
        held = self._held(before)
        why = (
            f"no continuous motion leads from waypoint {waypoint - 1} to waypoint {waypoint}"
            f"{f', where {held}' if held else ''}; joint {name!r} would jump by {steps[entry]:.3g} {unit}"
        )
        return PathEvent(waypoint, Status.JOINT_JUMP, why)

    def _held(self, q: Array) -> str:
        """Which joints stand at a limit, in words."""
        model = self._solver.model
        limited = model.has_configuration_limit()
        at = limited & ((q <= model.lower_position_limit) | (q >= model.upper_position_limit))
        names = dict.fromkeys(joint_of(model, int(entry)) for entry in np.flatnonzero(at))
        return f"{', '.join(map(repr, names))} {'are' if len(names) > 1 else 'is'} at a limit" if names else ""

    def _too_fast(self, times: Array) -> list[PathEvent]:
        """Ways that take a joint faster than its velocity limit."""
        model = self._solver.model
        speeds = np.abs(joint_steps(model, self.q)) / np.diff(times)[:, None]
        over = speeds > model.velocity_limit * (1.0 + _ROUNDING)
        events = []
        for k in np.flatnonzero(over.any(axis=1)):
            entry = int(np.argmax(np.where(over[k], speeds[k] - model.velocity_limit, -np.inf)))
            name, unit = joint_at(model, entry)
            speed, limit = speeds[k, entry], model.velocity_limit[entry]
            why = f"on the way to waypoint {k + 1} joint {name!r} takes {speed:.3g} {unit}/s, its limit is {limit:.3g}"
            events.append(PathEvent(int(k) + 1, Status.VELOCITY, why))
        return events

    def __len__(self) -> int:
        """Number of waypoints."""
        return len(self.q)

    def __repr__(self) -> str:
        """How many waypoints were reached, and what happened on the way."""
        happened = f", {len(self.events)} events" if self.events else ""
        return f"PathResult({self.status.value}, {int(self.reached.sum())} of {len(self)} reached{happened})"
