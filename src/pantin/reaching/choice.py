"""Which of many answers to take: the nearest, the one farthest from limits, one that a callback accepts, and so on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.reaching.answer import STATUS
from pantin.reaching.preferences import Preference, cost_of, improved
from pantin.reaching.search import Found, Search, search_of
from pantin.solving import Status

if TYPE_CHECKING:
    from pantin.reaching.result import ReachResult
    from pantin.reaching.solver import ReachSolver

__all__ = ["choose", "chosen_columns", "is_plain", "single_targets"]

#: A callback that is given a configuration, shape (nq,), and tells whether it may be the answer.
Validate = Callable[[Array], bool]

#: Most starts whose answers are compared, and how many of the best answers are improved along the null space.
_MOST_STARTS, _IMPROVED = 512, 4


def is_plain(prefer: object, validate: object, question: Any) -> bool:
    """True where the core chooses by itself.

    Raises:
        InvalidArgument: If the preference or the callback is none, or the posture to be near is missing.
    """
    if prefer == "nearest" and validate is None:
        return True
    if prefer not in get_args(Preference):
        words = ", ".join(map(repr, get_args(Preference)))
        raise InvalidArgument("prefer", f"expected one of {words}, got {prefer!r}")
    if validate is not None and not callable(validate):
        raise InvalidArgument("validate", f"expected a callback that takes a configuration, got {validate!r}")
    if prefer == "posture" and question.get("posture") is None:
        raise InvalidArgument("posture", "prefer='posture' takes the configuration to be near, posture=q")
    return False


def choose(
    solver: ReachSolver,
    prefer: Preference,
    validate: Validate | None,
    target: object,
    seed: npt.ArrayLike | None = None,
) -> ReachResult:
    """Answer to one target by a preference.

    Args:
        solver: The question, which the core answers by itself.
        prefer: Which answer is the best.
        validate: May refuse answers; the best come first.
        target: As `ReachSolver.solve` takes it.
        seed: Likewise.
    """
    result = solver.solve(target, seed)
    if not result.success:
        return result
    at_once = prefer == "nearest" or (prefer == "first" and result.starts == 1)
    if at_once and _accepts(validate, result.q):
        return result
    search = search_of(solver)
    start = search.seed(None if seed is None else np.asarray(seed, dtype=float))
    found, starts = _ranked(solver, search, result, start, prefer)
    standing = np.ones(len(found.q), dtype=bool)
    if at_once:
        found, standing = _own(result).and_also(found), np.append(False, search.moving.apart_from(found.q, result.q))
    chosen = _first_accepted(validate, search, found.q, standing)
    taken = 0 if chosen is None else chosen
    result.q[:] = found.q[taken]
    result._amend(
        status=STATUS.index(Status.REFUSED if chosen is None else Status.REACHED),
        starts=starts,
        position_error=found.position_error[taken],
        rotation_error=found.rotation_error[taken],
        seed_distance=float(search.moving.distances(result.q, start)),
    )
    return result


def chosen_columns(solver: ReachSolver, targets: Sequence[object], seeds: Array | None, q: Array) -> tuple[Array, ...]:
    """Answers to many targets, one after the other, as the core's batches give them.

    Args:
        solver: Solver with a preference.
        targets: Single targets that its doors have let in.
        seeds: One seed, or rows of them.
        q: Where the configurations go, row by row, shape (n, nq).
    """
    every = [None] * len(targets) if seeds is None else np.broadcast_to(seeds, q.shape)
    columns = np.empty((6, len(targets)))
    for k, (target, seed) in enumerate(zip(targets, every, strict=True)):
        r = solver.solve(target, seed)
        q[k] = r.q
        columns[:, k] = r._status, r.position_error, r.rotation_error, r.seed_distance, r.iterations, r.starts
    return tuple(columns)


def single_targets(targets: object, shape: tuple[int, ...]) -> Sequence[object]:
    """Targets of a batch one by one, as `ReachSolver.solve` takes them.

    Args:
        targets: What doors have let in.
        shape: Shape of their batch.
    """
    if isinstance(targets, Sequence) and any(hasattr(target, "rotation") for target in targets):
        return targets
    numbers = np.array(targets, dtype=float)
    return list(numbers.reshape(-1, *numbers.shape[len(shape) :]))


def _accepts(validate: Validate | None, q: Array) -> bool:
    """Whether a configuration may be the answer."""
    if validate is None:
        return True
    verdict = validate(q.copy())
    if verdict is None:
        raise InvalidArgument("validate", "the callback returned None; expected True or False for a configuration")
    return bool(verdict)


def _first_accepted(validate: Validate | None, search: Search, q: Array, standing: npt.NDArray[np.bool_]) -> int | None:
    """Row of the first configuration that is accepted; of several that are the same one is shown."""
    while standing.any():
        row = int(standing.argmax())
        if _accepts(validate, q[row]):
            return row
        standing = standing & search.moving.apart_from(q, q[row])
    return None


def _own(result: ReachResult) -> Found:
    """The core's own answer."""
    return Found(result.q[None].copy(), np.array([result.position_error]), np.array([result.rotation_error]))


def _ranked(
    solver: ReachSolver, search: Search, result: ReachResult, seed: Array, prefer: Preference
) -> tuple[Found, int]:
    """Answers, the best first, and how many starts were compared."""
    target, moving, question = result._target, search.moving, solver.question
    bound = question.get("max_joint_change", np.inf)
    near = seed  # whole turns bring answers next to it
    if prefer == "posture":
        near = moving.within(np.asarray(question["posture"], dtype=float))
    elif prefer == "limits" and bound == np.inf:
        near = search.seed(None)
    near = np.where(moving.entries, near, seed)
    starts = np.zeros((0, solver.model.nq))
    if search.form is not None:
        found = search.branches(target, near)
    else:
        starts = search.starts(seed, min(solver.options.max_starts, _MOST_STARTS))
        if prefer in ("nearest", "posture") or bound < np.inf:
            starts = np.concatenate([search.around(near, starts), starts])
        found = search.sample(target, starts, near)
    found = found.at(moving.distances(found.q, seed) <= bound)
    compared = result.starts + len(starts)
    if prefer == "first" and len(found.q):
        return found, compared
    cost = cost_of(prefer, solver, search, target, seed)

    def best_first(found: Found) -> Found:
        return found.at(np.lexsort((moving.distances(found.q, seed), cost(found.q))))

    found = best_first(_own(result).and_also(found))
    if prefer not in ("nearest", "first"):
        best = found.at(np.arange(min(_IMPROVED, len(found.q))))
        better = improved(solver, search, target, best, cost, lambda q: moving.distances(q, seed) <= bound)
        found = best_first(better.and_also(found))
    return found, compared
