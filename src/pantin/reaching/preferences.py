"""What makes one answer better than another, and the way to better ones along the null space."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.reaching.diagnostics import rows, singular_values
from pantin.reaching.search import Found, Search

if TYPE_CHECKING:
    from pantin.reaching.solver import ReachSolver

__all__ = ["cost_of", "improved"]

Preference = Literal["nearest", "posture", "limits", "manipulability", "first"]

#: Cost of each of some configurations, shape (n, nq) to (n,); less is better.
Cost = Callable[[Array], Array]

#: Steps along the null space, and how far the first one goes, rad and m; later ones grow or shrink by what they bring.
_STEPS, _FIRST_STEP, _GROWTH, _SHRINKAGE = 8, 0.2, 1.5, 0.4

#: Step of the central differences that show the way, rad and m.
_DIFFERENCE = 1e-4

#: A row of a Jacobian whose singular value is this part of the largest moves nothing.
_NOTHING = 1e-9


def cost_of(prefer: Preference, solver: ReachSolver, search: Search, target: Array, seed: Array) -> Cost:
    """What a preference makes small.

    "nearest" and "posture": the largest motion of one joint from the seed or the posture. "limits": how near the
    joint nearest to one of its limits is, as a part of its range, negated. "manipulability": the product of the
    singular values of what is asked for, negated (Yoshikawa 1985); lengths and angles are as in `diagnostics.rows`.
    """
    if prefer == "limits":
        return _nearness_to_limits(solver, search)
    if prefer == "manipulability":
        return lambda q: -singular_values(solver, q, target).prod(axis=-1)
    near = np.asarray(solver.question["posture"], dtype=float) if prefer == "posture" else seed
    return lambda q: search.moving.distances(q, near)


def improved(
    solver: ReachSolver,
    search: Search,
    target: Array,
    found: Found,
    cost: Cost,
    allowed: Callable[[Array], npt.NDArray[np.bool_]],
) -> Found:
    """Answers after some steps down the cost in the null space, each brought back to the target (Liegeois 1977).

    A step that does not reach, does not help or is not allowed is not taken, so that no answer gets worse.

    Args:
        solver: The question.
        search: Its search.
        target: Twelve numbers, as the solver's doors read them.
        found: Answers to begin with.
        cost: What to make small.
        allowed: Which configurations may be answers.
    """
    q, value, size = found.q.copy(), cost(found.q), np.full(len(found.q), _FIRST_STEP)
    for _ in range(_STEPS):
        way = _downhill(solver, search, target, q, cost)
        if way is None:
            break
        ends, reached = search.settled(target, search.moving.moved(q, size[:, None] * way))
        better = reached & allowed(ends.q) & (cost(ends.q) < value)
        q[better] = ends.q[better]
        value = cost(q)
        size *= np.where(better, _GROWTH, _SHRINKAGE)
    return search.judged(target, q)[0]


def _downhill(solver: ReachSolver, search: Search, target: Array, q: Array, cost: Cost) -> Array | None:
    """Unit steps of the moving joints, shape (n, k), that change no row and lower the cost; None where none can."""
    _, sizes, ways = np.linalg.svd(rows(solver, q, target))
    rank = (sizes > _NOTHING * sizes[:, :1]).sum(axis=1).min(initial=ways.shape[-1])
    free = ways[:, rank:]
    if not free.size:
        return None
    steps = _DIFFERENCE * np.stack([free, -free])
    ahead, back = cost(search.moving.moved(q[:, None], steps).reshape(-1, q.shape[1])).reshape(steps.shape[:-1])
    way: Array = ((back - ahead)[..., None] * free).sum(axis=1)
    length = np.linalg.norm(way, axis=1, keepdims=True)
    return way / np.where(length > 0.0, length, 1.0)


def _nearness_to_limits(solver: ReachSolver, search: Search) -> Cost:
    """How near the joint nearest to one of its limits is, as a part of its range: -1/2 in the middle, 0 at a limit."""
    low, high = solver.model.lower_position_limit, solver.model.upper_position_limit
    limited = search.moving.entries & solver.model.has_configuration_limit() & (low > -1e10) & (high < 1e10)
    limited &= high > low
    low, high = low[limited], high[limited]
    return lambda q: (
        -np.minimum((q[:, limited] - low) / (high - low), (high - q[:, limited]) / (high - low)).min(
            axis=1, initial=0.5
        )
    )
