"""Reach: one target from the middle of the limits, one from nearby, one out of reach, and many at once.

Every target but those out of reach is a pose that the arm takes within its limits; tolerances are 1e-6 m and
1e-6 rad. A run in which one is missed ends before anything is timed.
"""

from __future__ import annotations

import numpy as np

import pantin
from harness import Case, Disagreement, Side
from pantin.arrays import Array
from pantin.kinematics.batch import frame_placements
from robots import SAMPLE_COUNT

_TIPS = {"panda": "panda_hand_tcp", "ur5e": "tool0", "arctos": "flange"}


def cases() -> list[Case]:
    """All cases of this floor."""
    return [case for name, frame in _TIPS.items() for case in _arm(name, frame)]


def _arm(name: str, frame: str) -> list[Case]:
    model = pantin.load(name)
    low, high = model.lower_position_limit, model.upper_position_limit
    random = np.random.default_rng(0)
    q = random.uniform(low, high, size=(SAMPLE_COUNT, model.nq))
    seeds = np.clip(q + random.normal(scale=0.02, size=q.shape), low, high)
    targets = frame_placements(model, frame, q)
    far = targets.copy()
    far[:, :3, 3] += 10.0
    solver = pantin.ReachSolver(model, frame)
    many = np.concatenate([targets] * 16)
    if not (solver.solve_batch(targets).success.all() and solver.solve_batch(targets, seeds).success.all()):
        raise Disagreement(f"{name}: a pose that the arm takes was not reached")

    def found(i: int) -> Array:
        return solver.solve(targets[i]).q

    cold = Side(solver.solve, [(target,) for target in targets], found)
    warm = Side(solver.solve, list(zip(targets, seeds, strict=True)))
    lost = Side(solver.solve, [(target,) for target in far])
    batch = Side(solver.solve_batch, [(many,)], per_call=len(many))
    return [
        Case(name, "reach, cold", {"pantin": cold}),
        Case(name, "reach, from nearby", {"pantin": warm}),
        Case(name, "reach, out of the workspace", {"pantin": lost}),
        Case(name, "reach, cold in a batch", {"pantin": batch}),
    ]
