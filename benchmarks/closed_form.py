"""Closed forms: every branch of a target, through Python and in the core, for arms of each kind.

Targets are poses of random configurations within limits. A run in which one of these configurations is not among its
target's branches ends before anything is timed.
"""

from __future__ import annotations

import warnings

import numpy as np

import pantin
from harness import Case, Disagreement, Side
from pantin.kinematics import random_configuration
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ClosedForm
from robots import DATA, SAMPLE_COUNT

_TIPS = {
    "ur5e": "tool0",
    "kinova": "j2s6s200_end_effector",
    "talos_reduced": "left_sole_link",
}


def cases() -> list[Case]:
    """All cases of this floor; arms whose files are not installed are left out."""
    sources = {name: name if name in pantin.samples.names() else _file(name) for name in _TIPS}
    return [case for name, frame in _TIPS.items() if (source := sources[name]) for case in _arm(name, source, frame)]


def _file(name: str) -> str | None:
    return next((str(path) for path in sorted(DATA.rglob(f"{name}.urdf"))), None)


def _arm(name: str, source: str, frame: str) -> list[Case]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = pantin.load(source)
    form = ClosedForm(model, frame)
    q = np.array([random_configuration(model, random_seed=k) for k in range(SAMPLE_COUNT)])
    targets = frame_placements(model, frame, q)
    for one, target in zip(q, targets, strict=True):
        if not np.abs(form.solutions(target, one)[0] - one).max() < 1e-6:
            raise Disagreement(f"{name}: a configuration is not among the branches of its own pose")
    rows, rest = [target.reshape(16) for target in targets], np.zeros(6)
    robot = name.split("_", maxsplit=1)[0]
    return [
        Case(robot, "every branch", {"pantin": Side(form.solutions, [(target,) for target in targets])}),
        Case(robot, "every branch, in the core", {"pantin": Side(form._core.solve, [(row, rest) for row in rows])}),
    ]
