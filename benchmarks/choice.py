"""Many answers: all solutions of a target, and the best of them by a preference or a callback.

The UR5e has a closed form; of the Panda, which has a joint more, solutions are sampled. A run in which a pose that the
arm takes is missed ends before anything is timed.
"""

from __future__ import annotations

import numpy as np

import pantin
from harness import Case, Disagreement, Side
from pantin.kinematics.batch import frame_placements

_TIPS = {"ur5e": "tool0", "panda": "panda_hand_tcp"}
_COUNT = 16


def cases() -> list[Case]:
    """All cases of this floor."""
    return [case for name, frame in _TIPS.items() for case in _arm(name, frame)]


def _arm(name: str, frame: str) -> list[Case]:
    model = pantin.load(name)
    random = np.random.default_rng(0)
    q = random.uniform(model.lower_position_limit, model.upper_position_limit, size=(_COUNT, model.nq))
    targets = frame_placements(model, frame, q)
    calls = {
        "all solutions": pantin.ReachSolver(model, frame).all,
        "farthest from limits": pantin.ReachSolver(model, frame, prefer="limits").solve,
        "best manipulability": pantin.ReachSolver(model, frame, prefer="manipulability").solve,
        "nearest of some": pantin.ReachSolver(model, frame, validate=lambda q: q[0] > 0.0).solve,
    }
    if not all(len(calls["all solutions"](target)) for target in targets):
        raise Disagreement(f"{name}: a pose that the arm takes was not reached")
    asked = [(target,) for target in targets]
    return [Case(name, work, {"pantin": Side(call, asked)}) for work, call in calls.items()]
