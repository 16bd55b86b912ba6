"""Quadratic programs solved by packages that `qpsolvers` knows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument

__all__ = ["require_solver", "solver_of"]

#: Solvers that were found installed; pantin requires the first.
_INSTALLED = ["daqp"]

#: Displacement, or None, for H, c, G, h, A, b and bounds; matrices without rows stand for none.
Solve = Callable[[Array, Array, Array, Array, Array, Array, Array, Array], Array | None]


def require_solver(solver: str) -> None:
    """Refuse a solver that is not installed.

    Raises:
        InvalidArgument: If it is not; the message lists those that are.
    """
    if solver not in _INSTALLED:
        import qpsolvers  # noqa: PLC0415  # slow to import

        _INSTALLED[:] = qpsolvers.available_solvers
        if solver not in _INSTALLED:
            names = ", ".join(map(repr, _INSTALLED)) or "none"
            raise InvalidArgument(
                "solver", f"no quadratic-programming solver {solver!r} is installed; there is {names}"
            )


def solver_of(name: str) -> Solve:
    """What solves programs by a solver of this name.

    Raises:
        InvalidArgument: If it is not installed.
    """
    require_solver(name)
    import qpsolvers  # noqa: PLC0415  # slow to import

    def solve(H: Array, c: Array, G: Array, h: Array, A: Array, b: Array, lower: Array, upper: Array) -> Array | None:
        problem = qpsolvers.Problem(
            H,
            c,
            G if h.size else None,
            h if h.size else None,
            A if b.size else None,
            b if b.size else None,
            lower if np.isfinite(lower).any() else None,
            upper if np.isfinite(upper).any() else None,
        )
        results = qpsolvers.solve_problem(problem, solver=name)
        return results.x if results.found else None

    return solve
