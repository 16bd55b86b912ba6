"""All answers to one target: every branch, or a sample of what there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.arrays import count as whole_number
from pantin.kinematics.rows import configuration_rows
from pantin.reaching.doors import read_target
from pantin.reaching.remaining import remaining
from pantin.reaching.search import Found, search_of

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["ReachSolutions", "all_solutions"]

#: Starts of a sample: at least so many, and so many times as many as are asked for.
_LEAST_STARTS, _STARTS_EACH = 256, 4


class ReachSolutions:
    """Configurations that bring a frame to one target, those nearest to the seed first.

    Attributes:
        q: Configurations, shape (n, nq), within limits; all meet the tolerances. Joints that do not move the frame
            stay as the seed has them.
        complete: True if there are no others, whole turns aside; False if this is a sample.
        method: How they were found, in words: which closed form, or why there is none.
        distances: Largest motion of one joint from the seed, rad or m, shape (n,).
        position_error: Distances to the target, m, shape (n,); 0 where the mode asks for no position.
        rotation_error: Angles to the target, rad, shape (n,); 0 where the mode asks for no rotation.
    """

    def __init__(
        self, solver: ReachSolver, target: Array, found: Found, distances: Array, method: str, *, complete: bool
    ) -> None:
        """Solutions in the order they are given."""
        self._solver = solver
        self._target = target
        self.q, self.position_error, self.rotation_error = found
        self.distances = distances
        self.method = method
        self.complete = complete

    def check(self) -> tuple[Array, Array]:
        """Position errors, m, and rotation errors, rad, computed by the model's own forward kinematics."""
        left = remaining(self._solver, self.q, np.tile(self._target, (len(self), 1)))
        return left.position, left.rotation

    def __len__(self) -> int:
        """How many there are."""
        return len(self.q)

    def __iter__(self) -> Iterator[Array]:
        """The configurations, shape (nq,) each."""
        return iter(self.q)

    def __getitem__(self, index: int) -> Array:
        """One configuration, shape (nq,)."""
        row: Array = self.q[index]
        return row

    def __repr__(self) -> str:
        """How many there are, and how they were found."""
        return f"ReachSolutions({len(self)}, {'complete' if self.complete else 'a sample'}; {self.method})"


def all_solutions(
    solver: ReachSolver, target: object, seed: npt.ArrayLike | None, *, whole_turns: bool, count: int
) -> ReachSolutions:
    """What `ReachSolver.all` gives."""
    most = whole_number("count", count, lower=1, upper=10_000)
    search = search_of(solver)
    given = None if seed is None else configuration_rows("seed", solver.model, seed).reshape(solver.model.nq)
    numbers, start = read_target(solver, target), search.seed(given)
    if search.form is not None:
        found = search.branches(numbers, start, whole_turns=whole_turns)
    else:
        starts = search.starts(start, max(_LEAST_STARTS, _STARTS_EACH * most))
        found = search.sample(numbers, starts, start)
        found = found.at(_nearest_first(found.q, search.moving.distances(found.q, start)))
        found = found.at(search.moving.apart(found.q, most))
        if whole_turns:
            found, reached = search.judged(numbers, search.moving.unwound(found.q, start, whole_turns=True))
            found = found.at(reached)
    distances = search.moving.distances(found.q, start)
    allowed = distances <= solver.question.get("max_joint_change", np.inf)
    found, distances = found.at(allowed), distances[allowed]
    order = _nearest_first(found.q, distances)
    return ReachSolutions(
        solver, numbers, found.at(order), distances[order], search.method, complete=search.form is not None
    )


def _nearest_first(q: Array, distances: Array) -> npt.NDArray[np.intp]:
    """Rows by distance; where distances are equal but for rounding, the numbers decide."""
    return np.lexsort((*q.T[::-1], np.round(distances, 9)))
