"""Following a path: 1000 waypoints that a smooth joint motion within limits makes, per waypoint.

The other side is the loop that people write by hand on top of Pinocchio: differential inverse kinematics from the last
answer, clipped to the limits. A run in which we miss a waypoint or make a jump ends before anything is timed.

As a program it compares with a loop over `solve`, seeded with the last answer, too, and counts jumps: steps of more
than three times the longest of the motion that made the path. Paths are of two kinds: sums of sines, and cubics
through twenty configurations from anywhere within the limits.

    python benchmarks/follow.py [--paths 20]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import process_time

import numpy as np

import pantin
from harness import Case, Disagreement, Side, on_cores, one_thread_each
from pantin.arrays import Array
from pantin.kinematics import Model
from pantin.kinematics.batch import frame_placements, log3
from robots import optional, pin

_TIPS = {"panda": "panda_hand_tcp", "ur5e": "tool0", "arctos": "flange"}
_COUNT = 1000
_TOLERANCE = 1e-6

Motion = Callable[[Model, int], Array]
Follow = Callable[[Array, Array], Array]


def cases() -> list[Case]:
    """All cases of this floor."""
    return [_case(name, frame) for name, frame in _TIPS.items()]


def _case(name: str, frame: str) -> Case:
    model = pantin.load(name)
    paths = [_path(model, frame, waves, seed) for seed in range(4)]
    solver = pantin.ReachSolver(model, frame)
    for q, targets in paths:
        result = solver.follow(targets, q[0])
        if not result.success or _jumps(result.q, q):
            raise Disagreement(f"{name}: a path of smooth joint motions was not followed without a jump")
    arguments = [(targets, q[0]) for q, targets in paths]
    sides = {"pantin": Side(lambda targets, q0: solver.follow(targets, q0).q, arguments, per_call=_COUNT)}
    if pin is not None:
        sides["pin"] = Side(by_hand(name, frame), arguments, per_call=_COUNT)
    return Case(name, "follow 1000 waypoints, each", sides)


def waves(model: Model, seed: int) -> Array:
    """Sums of sines that use a good part of the limits, shape (1000, nq)."""
    random = np.random.default_rng([seed, 7])
    low, high = _limits(model)
    t = np.linspace(0.0, 1.0, _COUNT)[:, None]
    y = np.zeros((_COUNT, model.nq))
    for frequency in random.uniform(0.3, 4.0, size=4):
        y += random.normal(size=model.nq) * np.sin(2.0 * np.pi * (frequency * t + random.uniform(size=model.nq)))
    y = (y - y.min(axis=0)) / np.ptp(y, axis=0)
    width = random.uniform(0.3, 1.0, size=model.nq)
    shift = (1.0 - width) * random.uniform(size=model.nq)
    return np.clip(low + (high - low) * (shift + width * y), low, high)


def cubics(model: Model, seed: int) -> Array:
    """Monotone cubics through configurations from anywhere, shape (1000, nq)."""
    interpolate = optional("scipy.interpolate")
    if interpolate is None:
        raise SystemExit("install scipy, which makes the paths")
    low, high = _limits(model)
    through = np.random.default_rng([seed, 7]).uniform(low, high, size=(20, model.nq))
    cubic = interpolate.PchipInterpolator(np.linspace(0.0, 1.0, 20), through)
    return np.clip(cubic(np.linspace(0.0, 1.0, _COUNT)), low, high)


def _limits(model: Model) -> tuple[Array, Array]:
    return np.maximum(model.lower_position_limit, -np.pi), np.minimum(model.upper_position_limit, np.pi)


def _path(model: Model, frame: str, motion: Motion, seed: int) -> tuple[Array, Array]:
    q = motion(model, seed)
    return q, frame_placements(model, frame, q)


def by_hand(name: str, frame: str) -> Follow:
    """Differential inverse kinematics with Pinocchio, at most 50 iterations a waypoint."""
    model = pin.buildModelFromUrdf(str(pantin.samples.path(name)))
    data, index = model.createData(), model.getFrameId(frame)
    low, high = model.lowerPositionLimit, model.upperPositionLimit

    def follow(targets: Array, q0: Array) -> Array:
        q = q0.copy()
        answers = np.empty((len(targets), len(q0)))
        for k, target in enumerate(targets):
            goal = pin.SE3(target)
            for _ in range(50):
                pin.framesForwardKinematics(model, data, q)
                error = pin.log6(data.oMf[index].actInv(goal)).vector
                if np.linalg.norm(error[:3]) < _TOLERANCE and np.linalg.norm(error[3:]) < _TOLERANCE:
                    break
                J = pin.computeFrameJacobian(model, data, q, index, pin.LOCAL)
                step = J.T @ np.linalg.solve(J @ J.T + 1e-9 * np.eye(6), error)
                q = np.clip(q + step, low, high)
            answers[k] = q
        return answers

    return follow


def _jumps(q: Array, made: Array) -> int:
    """Steps of more than three times the longest step of the motion that made a path."""
    return int((np.abs(np.diff(q, axis=0)).max(axis=1) > 3.0 * np.abs(np.diff(made, axis=0)).max()).sum())


def _missed(model: Model, frame: str, q: Array, targets: Array) -> int:
    poses = frame_placements(model, frame, q)
    far = np.linalg.norm(poses[:, :3, 3] - targets[:, :3, 3], axis=1) > 1.01 * _TOLERANCE
    turned = np.linalg.norm(log3(np.swapaxes(poses[:, :3, :3], 1, 2) @ targets[:, :3, :3]), axis=1) > 1.01 * _TOLERANCE
    return int((far | turned).sum())


def _in_a_loop(solver: pantin.ReachSolver) -> Follow:
    def follow(targets: Array, q0: Array) -> Array:
        answers = []
        for target in targets:
            q0 = solver.solve(target, q0).q
            answers.append(q0)
        return np.array(answers)

    return follow


def main() -> int:
    parser = argparse.ArgumentParser(description="Paths of smooth joint motions: time, misses and jumps.")
    parser.add_argument("--paths", type=int, default=20, help="paths of each kind and arm")
    count = parser.parse_args().paths
    one_thread_each()
    print("processor time per waypoint (us), median and mean over paths; waypoints missed; jumps")
    with on_cores(1):
        for name, frame in _TIPS.items():
            model = pantin.load(name)
            solver = pantin.ReachSolver(model, frame)
            sides: dict[str, Follow] = {
                "follow": lambda targets, q0, solver=solver: solver.follow(targets, q0).q,  # type: ignore[misc]
                "solve in a loop": _in_a_loop(solver),
            }
            if pin is not None:
                sides["pinocchio by hand"] = by_hand(name, frame)
            for motion in (waves, cubics):
                paths = [_path(model, frame, motion, seed) for seed in range(count)]
                for side, follow in sides.items():
                    _report(f"{name:8}{motion.__name__:8}{side:20}", model, frame, follow, paths)
    return 0


def _report(title: str, model: Model, frame: str, follow: Follow, paths: list[tuple[Array, Array]]) -> None:
    times, missed, jumps = [], 0, 0
    for q, targets in paths:
        start = process_time()
        answers = follow(targets, q[0])
        times.append(1e6 * (process_time() - start) / _COUNT)
        missed += _missed(model, frame, answers, targets)
        jumps += _jumps(answers, q)
    print(f"{title}{np.median(times):9.2f}{np.mean(times):9.2f}{missed:9}{jumps:9}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
