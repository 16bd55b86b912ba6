"""Quadratic programs to solve, and what makes an answer right."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from pantin import _core
from pantin.arrays import Array


@dataclass(frozen=True)
class Program:
    """Minimise x'Hx / 2 + c'x where A x = b, G x <= h, lower <= x <= upper."""

    H: Array
    c: Array
    lower: Array | None = None
    upper: Array | None = None
    G: Array | None = None
    h: Array | None = None
    A: Array | None = None
    b: Array | None = None
    rows: Array = field(init=False)  # of A, then of G
    right: Array = field(init=False)

    def __post_init__(self):
        pairs = [(M, v) for M, v in ((self.A, self.b), (self.G, self.h)) if M is not None]
        object.__setattr__(self, "rows", np.vstack([M for M, _ in pairs] or [np.zeros((0, len(self.c)))]))
        object.__setattr__(self, "right", np.concatenate([v for _, v in pairs] or [np.zeros(0)]))

    @property
    def nequal(self) -> int:
        return 0 if self.A is None else len(self.A)

    def arguments(self) -> dict[str, Array | None]:
        return {name: getattr(self, name) for name in ("H", "c", "lower", "upper", "G", "h", "A", "b")}

    def solve(self, held=None) -> _core.QpOutcome:
        return _core.solve_qp(**self.arguments(), held=held)

    def objective(self, x) -> float:
        return float(x @ self.H @ x / 2 + self.c @ x)

    def but(self, **changes) -> Program:
        return replace(self, **changes)


def optimality(program: Program, outcome: _core.QpOutcome) -> float:
    """Largest misfit in the Karush-Kuhn-Tucker conditions, of the numbers they are made of."""
    n, k = len(program.c), program.nequal
    x, y = outcome.x, outcome.multipliers
    scale = 1 + np.abs(program.c).max(initial=0) + np.abs(y).max(initial=0)
    slope = (program.H @ x + program.c + y[:n] + program.rows.T @ y[n:]) / scale
    lengths = 1 + np.linalg.norm(program.rows, axis=1)
    above = np.where(np.isfinite(program.right), program.rows @ x - program.right, -1.0) / lengths
    above[:k] = np.abs(above[:k])
    push = y[n + k :] * lengths[k:] / scale
    misfits = [np.abs(slope), above, -push, np.abs(push * above[k:])]
    if program.lower is not None:
        assert (x >= program.lower).all()
        assert (x <= program.upper).all()
        misfits += [np.where(y[:n] > 0, y[:n] * np.minimum(program.upper - x, 1), 0) / scale]
        misfits += [np.where(y[:n] < 0, -y[:n] * np.minimum(x - program.lower, 1), 0) / scale]
    else:
        misfits += [np.abs(y[:n])]
    return max(float(np.max(misfit, initial=0)) for misfit in misfits)


def random_bounded(rng: np.random.Generator, n: int, *, rank: int | None = None, room: float = 0.3) -> Program:
    """A program within bounds of which some are infinite, and some leave no room."""
    rank = n if rank is None else rank
    J = rng.normal(size=(rank, n))
    H = J.T @ J + (1e-3 * np.eye(n) if rank == n else 0)
    lower, upper = (-room * np.abs(rng.normal(size=n)), room * np.abs(rng.normal(size=n)))
    lower[rng.random(n) < 0.2] = -np.inf
    upper[rng.random(n) < 0.2] = np.inf
    tight = rng.random(n) < 0.05
    lower[tight] = upper[tight] = 0.1
    return Program(H, J.T @ rng.normal(size=rank), lower, upper)


def random_general(rng: np.random.Generator, n: int, *, rank: int | None = None) -> Program:
    """A program that some x satisfies; rows may repeat, be idle, or touch that x."""
    program = random_bounded(rng, n, rank=rank)
    inside = np.clip(rng.normal(size=n) * 0.1, program.lower, program.upper)
    m, k = int(rng.integers(0, 30)), int(rng.integers(0, n // 2 + 1))
    G = rng.normal(size=(m, n)) * 10 ** rng.uniform(-2, 2, size=(m, 1))
    h = G @ inside + np.abs(rng.normal(size=m)) * 0.1 * (rng.random(m) < 0.7)
    A = rng.normal(size=(k, n))
    if rng.random() < 0.3:
        G[m // 2 :], h[m // 2 :] = G[: m - m // 2], h[: m - m // 2]
        A[k // 2 :] = A[: k - k // 2]
    h[rng.random(m) < 0.1] = np.inf
    return program.but(G=G, h=h, A=A, b=A @ inside)
