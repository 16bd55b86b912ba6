"""How often reach succeeds: random reachable targets, without a seed, judged by Pinocchio.

    python benchmarks/success.py [--count 10000] [--modes pose,position] [--failures FOLDER] [NAME ...]

Targets are what Pinocchio says a frame takes in configurations spread over the limits. An answer counts when it is
within limits exactly and Pinocchio finds it within 1e-6 m and 1e-6 rad. With `--failures` the configurations and
targets that were missed are saved. The exit code tells whether the goals hold: all targets for the arms that have
names in the goal, 99.9 % for all others, 99.99 % in the modes that leave something free.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
import pinocchio

import pantin
from chains import ARMS, OTHERS, Chain, chain
from pantin.arrays import Array
from pantin.reaching import ReachBatch

#: What counts as reached, m and rad.
TOLERANCE = 1e-6 + 1e-12  # two ways of computing an error of a metre-long arm differ by less than the second


@dataclass(frozen=True)
class Mode:
    """What a mode asks for, and how far a pose is from it.

    Attributes:
        asked: Targets of the solver, from target poses.
        distance: Distances between target poses and poses, m.
        angle: Angles between target poses and poses, rad.
    """

    asked: Callable[[Array], Array]
    distance: Callable[[Array, Array], Array]
    angle: Callable[[Array, Array], Array]


def _apart(targets: Array, poses: Array) -> Array:
    return np.asarray(np.linalg.norm(targets[:, :3, 3] - poses[:, :3, 3], axis=1))


def _turned(targets: Array, poses: Array) -> Array:
    turns = np.swapaxes(targets[:, :3, :3], 1, 2) @ poses[:, :3, :3]
    return np.array([np.linalg.norm(pinocchio.log3(turn)) for turn in turns])


def _between(a: Array, b: Array) -> Array:
    """Angles between rows of vectors."""
    return np.asarray(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.einsum("ij,ij->i", a, b)))


def _points(targets: Array) -> Array:
    """A point on the tool's axis, 0.3 m ahead of the target's origin."""
    return targets[:, :3, 3] + 0.3 * targets[:, :3, 2]


def _none(targets: Array, poses: Array) -> Array:
    return np.zeros(len(poses))


def _leaning(targets: Array, poses: Array) -> Array:
    return _between(targets[:, :3, 2], poses[:, :3, 2])


MODES = {
    "pose": Mode(lambda T: T, _apart, _turned),
    "position": Mode(lambda T: T[:, :3, 3], _apart, _none),
    "orientation": Mode(lambda T: T[:, :3, :3], _none, _turned),
    "axis": Mode(lambda T: T, _apart, _leaning),
    "direction": Mode(lambda T: T[:, :3, 2], _none, _leaning),
    "pointing": Mode(_points, _none, lambda T, P: _between(_points(T) - P[:, :3, 3], P[:, :3, 2])),
}


@dataclass(frozen=True)
class Outcome:
    """What became of the targets of one chain in one mode.

    Attributes:
        q: Configurations that the targets were made by, shape (count, nq).
        targets: Target poses, shape (count, 4, 4).
        answers: What the solver said.
        right: True where the judge agrees that a target is reached, shape (count,).
        seconds: Time of the whole batch on one thread.
    """

    q: Array
    targets: Array
    answers: ReachBatch
    right: npt.NDArray[np.bool_]
    seconds: float

    @property
    def missed(self) -> int:
        """Number of targets that were not reached."""
        return int((~self.right).sum())

    @property
    def false_claims(self) -> int:
        """Number of answers that call themselves a success and are none."""
        return int((self.answers.success & ~self.right).sum())


def study(one: Chain, name: str, q: Array, targets: Array) -> Outcome:
    """Asks for what some configurations make of a chain, and has Pinocchio judge the answers."""
    mode = MODES[name]
    solver = pantin.ReachSolver(one.model, one.frame, mode=name, root=one.root)  # type: ignore[arg-type]
    asked = mode.asked(targets)
    begin = perf_counter()
    answers = solver.solve_batch(asked, threads=1)
    seconds = perf_counter() - begin
    poses = one.poses(answers.q)
    near = (mode.distance(targets, poses) <= TOLERANCE) & (mode.angle(targets, poses) <= TOLERANCE)
    return Outcome(q, targets, answers, near & one.within_limits(answers.q), seconds)


def goal(name: str, mode: str) -> float:
    """Share of targets that must be reached."""
    if mode not in ("pose", "orientation"):
        return 0.9999
    return 1.0 if name in ARMS else 0.999


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="words that a chain's name must contain one of")
    parser.add_argument("--count", type=int, default=10_000, help="targets of each chain and mode")
    parser.add_argument("--modes", default=",".join(MODES), help="modes to try, with commas")
    parser.add_argument("--failures", type=Path, metavar="FOLDER", help="where to save what was missed")
    options = parser.parse_args()
    print(f"{'':24}{'':12}{'joints':>6}{'reached %':>11}{'missed':>8}{'starts: 1 %':>12}{'p99':>5}{'max':>6}{'us':>7}")
    below = []
    for name in (name for name in {**ARMS, **OTHERS} if not options.names or any(w in name for w in options.names)):
        one = chain(name)
        q = one.anywhere(options.count)
        targets = one.poses(q)
        for mode in options.modes.split(","):
            outcome = study(one, mode, q, targets)
            print(_line(one, mode, outcome), flush=True)
            if outcome.right.mean() < goal(name, mode) or outcome.false_claims:
                below.append(f"{name} {mode}")
            if options.failures and outcome.missed:
                file = options.failures / f"failures-{name.replace(', ', '-').replace(' ', '-')}-{mode}.npz"
                wrong = ~outcome.right
                np.savez(file, q=outcome.q[wrong], targets=outcome.targets[wrong], answers=outcome.answers.q[wrong])
    print(f"below the goal: {', '.join(below) or 'none'}")
    return 1 if below else 0


def _line(one: Chain, mode: str, outcome: Outcome) -> str:
    starts, count = outcome.answers.starts, len(outcome.q)
    false = f"  {outcome.false_claims} claimed wrongly" if outcome.false_claims else ""
    return (
        f"{one.name:24}{mode:12}{len(one.joints):6}{100 * outcome.right.mean():11.3f}{outcome.missed:8}"
        f"{100 * (starts == 1).mean():12.1f}{np.percentile(starts, 99):5.0f}{starts.max():6}"
        f"{1e6 * outcome.seconds / count:7.2f}{false}"
    )


if __name__ == "__main__":
    sys.exit(main())
