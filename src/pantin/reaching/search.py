"""Many answers to one question, from starts spread over the limits or from a closed form.

Everything goes through the core's batches, whose bits depend on nothing but the question; so equal questions have
equal candidates.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.kinematics.batch import difference, integrate
from pantin.kinematics.se3 import SE3
from pantin.reaching.closed_form import ClosedForm, closed_form, no_closed_form
from pantin.reaching.moving import moving_of

if TYPE_CHECKING:
    from pantin.reaching.options import ReachOptions
    from pantin.reaching.solver import ReachSolver

__all__ = ["Found", "Search", "search_of"]

#: Part of the tolerances that a search goes for, so that starts with the same answer end at the same place.
_CLOSER = 1e-4

#: Smallest tolerance that options take.
_CLOSEST = 1e-12

#: What a search does without, so that it finds all there is.
_SHAPING = ("posture", "posture_weight", "max_joint_change")

#: What leaves a pose without a closed form.
_RESTRICTING = ("mask", "weights", "tolerances", "lock", "joint_weights")


class Found(NamedTuple):
    """Configurations with their errors.

    Attributes:
        q: Configurations, shape (n, nq).
        position_error: Distances to the target, m, shape (n,).
        rotation_error: Angles to the target, rad, shape (n,).
    """

    q: Array
    position_error: Array
    rotation_error: Array

    def at(self, rows: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> Found:
        """Some of them."""
        return Found(self.q[rows], self.position_error[rows], self.rotation_error[rows])

    def and_also(self, others: Found) -> Found:
        """These, then others."""
        return Found(*(np.concatenate(columns) for columns in zip(self, others, strict=True)))


class Search:
    """A solver's question with many answers.

    Attributes:
        moving: The joints that it may move.
        form: The closed form that answers it, or None.
        method: Whether and why, in words.
    """

    def __init__(self, solver: ReachSolver) -> None:
        """The search for a solver's model as it is now."""
        self.moving = moving_of(solver)
        why_not = _why_no_closed_form(solver)
        self.form = None if why_not else ClosedForm(solver.model, solver._frame, solver._root)
        self.method = f"no closed form: {why_not}" if self.form is None else f"closed form: {self.form.kind}"
        question: dict[str, Any] = {key: value for key, value in solver.question.items() if key not in _SHAPING}
        once = dataclasses.replace(solver.options, max_starts=1, time_limit_ms=None)
        self.judge = _again(solver, once, question)
        self._probe = _again(solver, *_closer(once, question))
        self._solver = solver

    def seed(self, given: Array | None) -> Array:
        """The seed, the middle of the limits by default, within limits."""
        return self.moving.within(self._solver._starts(1)[0] if given is None else given)

    def starts(self, seed: Array, count: int) -> Array:
        """The seed and configurations spread over the limits, shape (count, nq); other joints stay."""
        return np.concatenate([seed[None], np.where(self.moving.entries, self._solver._starts(count)[1:], seed)])

    def around(self, centre: Array, starts: Array) -> Array:
        """Starts drawn towards a configuration, the earlier the nearer."""
        ways = difference(self._solver.model, centre, starts)
        return integrate(self._solver.model, centre, ways * np.linspace(0.0, 1.0, len(starts))[:, None])

    def settled(self, target: Array, starts: Array) -> tuple[Found, npt.NDArray[np.bool_]]:
        """Where starts end, row by row, and which of them reach."""
        return self.judged(target, self._probe._solve_batch(np.tile(target, (len(starts), 1)), starts, 1)[0])

    def judged(self, target: Array, q: Array) -> tuple[Found, npt.NDArray[np.bool_]]:
        """Configurations, carried to the solver's tolerances where they do not meet them, and which of them reach."""
        answers, status, position, rotation, *_ = self.judge._solve_batch(np.tile(target, (len(q), 1)), q, 1)
        return Found(answers, position, rotation), status == 0.0

    def sample(self, target: Array, starts: Array, seed: Array) -> Found:
        """What starts reach, in their order, each hinge in the turn next to the seed's."""
        ends, reached = self.settled(target, starts)
        found, reached = self.judged(target, self.moving.unwound(ends.q[reached], seed))
        return found.at(reached)

    def branches(self, target: Array, seed: Array, *, whole_turns: bool = False) -> Found:
        """Every configuration that the closed form gives."""
        assert self.form is not None
        pose = SE3(target[:9].reshape(3, 3), target[9:])
        found, reached = self.judged(target, self.form.solutions(pose, seed, whole_turns=whole_turns))
        return found.at(reached)


def search_of(solver: ReachSolver) -> Search:
    """The search of a solver for its model as it is now; the solver keeps it."""
    kept: tuple[int, Search] | None = solver._search
    if kept is None or kept[0] != solver.model.version:
        solver._search = kept = (solver.model.version, Search(solver))
    return kept[1]


def _why_no_closed_form(solver: ReachSolver) -> str:
    """Why a solver's question has no closed form, "" where it has one."""
    if solver.mode != "pose":
        return f"the mode is {solver.mode!r}"
    for name in _RESTRICTING:
        if name in solver.question:
            return f"{name} was given"
    if closed_form(solver.model, solver._frame, solver._root) is None:
        return no_closed_form(solver.model, solver._frame, solver._root)
    return ""


def _closer(options: ReachOptions, question: dict[str, Any]) -> tuple[ReachOptions, dict[str, Any]]:
    """Options and question with smaller tolerances."""
    names = ("position_tolerance", "rotation_tolerance")
    smaller = {name: max(_CLOSEST, _CLOSER * getattr(options, name)) for name in names}
    if "tolerances" in question:
        question = {**question, "tolerances": np.maximum(_CLOSEST, _CLOSER * np.asarray(question["tolerances"], float))}
    return dataclasses.replace(options, **smaller), question


def _again(solver: ReachSolver, options: ReachOptions, question: dict[str, Any]) -> ReachSolver:
    """The same question with other options."""
    return type(solver)(solver.model, solver._frame, mode=solver.mode, root=solver._root, options=options, **question)
