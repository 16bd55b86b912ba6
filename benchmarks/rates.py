"""Rates of reach on the Arctos arm by the number of starts, beside those that are required of it.

    python benchmarks/rates.py [--count 2000] [--paths 100]

Targets are poses of configurations spread over the limits, 1e-6 m and 1e-6 rad count as reached, and Pinocchio
judges. A remote centre of motion has a shaft of 0.12 m with its tip at the flange; the pivot lies 20 to 60 mm behind
it. Warm paths are 200 points of sines of all joints over half their ranges, each asked with one start from the answer
before.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

import pantin
from chains import Chain, chain
from pantin.arrays import Array
from pantin.kinematics import Model
from success import MODES, TOLERANCE

_SHAFT = 0.12


@dataclass(frozen=True)
class Rate:
    """A share of targets.

    Attributes:
        case: What was asked.
        reached: Share that was reached.
        required: Share that is required.
        note: What else is to be told.
    """

    case: str
    reached: float
    required: float
    note: str = ""


def rates(count: int, paths: int) -> Iterator[Rate]:
    """All rates."""
    arm = chain("arctos")
    q = arm.anywhere(count)
    for starts, required in ((1, 0.78), (10, 0.97), (20, 0.995), (40, 0.999)):
        yield Rate(f"pose, {starts} starts", _cold(arm, arm.model, "pose", q, starts), required)
    yield Rate("axis, 20 starts", _cold(arm, arm.model, "axis", q, 20), 0.995)
    yield Rate("position, 5 starts", _cold(arm, arm.model, "position", q, 5), 0.999)
    free = arm.model.copy()
    free.lower_position_limit[:], free.upper_position_limit[:] = -np.inf, np.inf
    for degrees, required in ((180, 0.95), (90, 0.99)):
        anywhere = np.random.default_rng(0).uniform(-1.0, 1.0, q.shape) * np.radians(degrees)
        reached = _cold(arm, free, "pose", anywhere, 1)
        yield Rate(f"pose, no limits, 1 start, +-{degrees} degrees", reached, required)
    for starts, required in ((1, 0.55), (10, 0.97), (20, 0.99), (40, 0.995)):
        yield Rate(f"rcm, {starts} starts", _pivoted(arm, q, starts), required)
    for mode in ("pose", "axis"):
        yield _warm(arm, mode, paths)


def _cold(arm: Chain, model: Model, mode: str, q: Array, starts: int) -> float:
    """Share of the targets that some configurations make that is reached; one start is that of the middle."""
    targets, options = arm.poses(q), pantin.ReachOptions(max_starts=starts)
    solver = pantin.ReachSolver(model, arm.frame, mode=mode, options=options)  # type: ignore[arg-type]
    answers = solver.solve_batch(MODES[mode].asked(targets), _middle(model) if starts == 1 else None).q
    inside = np.all((answers >= model.lower_position_limit) & (answers <= model.upper_position_limit), axis=1)
    return float((_right(arm, mode, targets, answers) & inside).mean())


def _middle(model: Model) -> Array:
    """Middle of the limits, rest where there are none."""
    ends = np.array([model.lower_position_limit, model.upper_position_limit])
    return np.asarray(np.nan_to_num(ends, posinf=0.0, neginf=0.0).mean(axis=0))


def _right(arm: Chain, mode: str, targets: Array, q: Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """True where configurations reach target poses as a mode asks."""
    poses = arm.poses(q)
    distance, angle = MODES[mode].distance(targets, poses), MODES[mode].angle(targets, poses)
    return (distance <= TOLERANCE) & (angle <= TOLERANCE)


def _pivoted(arm: Chain, q: Array, starts: int) -> float:
    """Share of tips that are reached with the shaft through a pivot."""
    targets, options = arm.poses(q), pantin.ReachOptions(max_starts=starts)
    depths, reached = np.random.default_rng(1).uniform(0.02, 0.06, len(q)), 0
    for target, depth in zip(targets, depths, strict=True):
        tip = target[:3, 3]
        pivot = tip - depth * target[:3, 2]
        solver = pantin.ReachSolver(arm.model, arm.frame, mode="rcm", pivot=pivot, shaft=_SHAFT, options=options)
        answer = solver.solve(tip, _middle(arm.model) if starts == 1 else None).q[None]
        pose = arm.poses(answer)[0]
        behind = pose[:3, :3].T @ (pivot - pose[:3, 3])
        near = np.linalg.norm(pose[:3, 3] - tip) <= TOLERANCE and np.hypot(behind[0], behind[1]) <= TOLERANCE
        reached += bool(near and 0.002 <= -behind[2] <= _SHAFT and arm.within_limits(answer)[0])
    return reached / len(q)


def _warm(arm: Chain, mode: str, paths: int) -> Rate:
    """Share of the points of smooth paths that one start reaches from the answer before."""
    low, high = arm.model.lower_position_limit, arm.model.upper_position_limit
    solver = pantin.ReachSolver(
        arm.model,
        arm.frame,
        mode=mode,  # type: ignore[arg-type]
        options=pantin.ReachOptions(max_starts=1),
    )
    random, s = np.random.default_rng(2), np.linspace(0.0, 1.0, 200)[:, None]
    right, steps = [], []
    for _ in range(paths):
        rate, phase = random.uniform(0.05, 0.3, arm.model.nq), random.uniform(0.0, 1.0, arm.model.nq)
        path = 0.5 * (low + high) + 0.25 * (high - low) * np.sin(2.0 * np.pi * (rate * s + phase))
        targets, q = arm.poses(path), [path[0]]
        for target in MODES[mode].asked(targets):
            q.append(solver.solve(target, q[-1]).q)
        answers = np.array(q[1:])
        right.append(_right(arm, mode, targets, answers))
        steps.append(np.abs(np.diff(answers, axis=0)).max() / np.abs(np.diff(path, axis=0)).max())
    share = float(np.mean(right))
    calm = sum(step <= 1.2 for step in steps)
    note = f"largest step {max(steps):.3f} of the path's own, at most 1.2 on {calm} of {paths} paths"
    return Rate(f"{mode}, warm, 1 start", share, 0.999, note)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="targets of each case")
    parser.add_argument("--paths", type=int, default=100, help="paths of each warm case")
    options = parser.parse_args()
    below = 0
    print(f"{'':45}{'reached %':>10}{'required':>10}")
    for rate in rates(options.count, options.paths):
        below += rate.reached < rate.required
        print(f"{rate.case:45}{100 * rate.reached:10.2f}{100 * rate.required:10.1f}  {rate.note}", flush=True)
    return int(below > 0)


if __name__ == "__main__":
    sys.exit(main())
