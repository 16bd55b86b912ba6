"""Dynamics per Python call, and per configuration in batch, beside Pinocchio in the same run.

    taskset -c 1 python benchmarks/dynamics.py [--once]

Both sides take turns; the figures are medians in microseconds. `--once` runs each call once, unmeasured.
"""

from __future__ import annotations

import argparse
import statistics
import sysconfig
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pinocchio as pin

import pantin.kinematics as pt

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
PANDA = ROBOTS / "panda_description/urdf/panda.urdf"
G1 = ROBOTS / "g1_description/urdf/g1_29dof_rev_1_0.urdf"
TALOS = ROBOTS / "talos_data/robots/talos_full_v2.urdf"

Pair = tuple[str, Callable[[], object], Callable[[], object]]


def single_calls(ours: pt.Model, theirs: pin.Model) -> Iterator[Pair]:
    """Each function at one state, by us and by Pinocchio."""
    random = np.random.default_rng(0)
    q = pt.random_configuration(ours, random)
    v, a = random.normal(size=(2, ours.nv))
    forces = random.normal(size=(ours.njoints, 6))
    pushes = pin.StdVec_Force()
    pushes.extend([pin.Force(force) for force in forces])
    m, d, n, e = ours, ours.create_data(), theirs, theirs.createData()
    yield "rnea", lambda: pt.rnea(m, d, q, v, a), lambda: pin.rnea(n, e, q, v, a)
    yield "rnea, forces", lambda: pt.rnea(m, d, q, v, a, forces), lambda: pin.rnea(n, e, q, v, a, pushes)
    yield "crba", lambda: pt.crba(m, d, q), lambda: pin.crba(n, e, q)
    yield "aba", lambda: pt.aba(m, d, q, v, a), lambda: pin.aba(n, e, q, v, a)
    yield "bias", lambda: pt.non_linear_effects(m, d, q, v), lambda: pin.nonLinearEffects(n, e, q, v)
    yield "gravity", lambda: pt.compute_generalized_gravity(m, d, q), lambda: pin.computeGeneralizedGravity(n, e, q)
    yield "kinetic energy", lambda: pt.compute_kinetic_energy(m, d, q, v), lambda: pin.computeKineticEnergy(n, e, q, v)
    yield "potential energy", lambda: pt.compute_potential_energy(m, d, q), lambda: pin.computePotentialEnergy(n, e, q)
    yield (
        "mechanical energy",
        lambda: pt.compute_mechanical_energy(m, d, q, v),
        lambda: pin.computeMechanicalEnergy(n, e, q, v),
    )
    yield (
        "centroidal momentum",
        lambda: pt.compute_centroidal_momentum(m, d, q, v),
        lambda: pin.computeCentroidalMomentum(n, e, q, v),
    )
    yield "centroidal map", lambda: pt.compute_centroidal_map(m, d, q), lambda: pin.computeCentroidalMap(n, e, q)
    yield "ccrba", lambda: pt.ccrba(m, d, q, v), lambda: pin.ccrba(n, e, q, v)


def batch_calls(ours: pt.Model, theirs: pin.Model, n: int) -> Iterator[Pair]:
    """Many states at once, and a loop over Pinocchio."""
    random = np.random.default_rng(0)
    q = np.array([pt.random_configuration(ours, random) for _ in range(n)])
    v, a = random.normal(size=(2, n, ours.nv))
    vectors, matrices, e = np.empty((n, ours.nv)), np.empty((n, ours.nv, ours.nv)), theirs.createData()
    states = list(zip(q, v, a, strict=True))
    yield (
        "rnea",
        lambda: pt.batch.rnea(ours, q, v, a, out=vectors),
        lambda: [pin.rnea(theirs, e, *state) for state in states],
    )
    yield "crba", lambda: pt.batch.crba(ours, q, out=matrices), lambda: [pin.crba(theirs, e, each) for each in q]
    yield (
        "aba",
        lambda: pt.batch.aba(ours, q, v, a, out=vectors),
        lambda: [pin.aba(theirs, e, *state) for state in states],
    )


def microseconds(call: Callable[[], object], repeats: int) -> float:
    """Time of one call, over some in a row."""
    start = time.perf_counter_ns()
    for _ in range(repeats):
        call()
    return (time.perf_counter_ns() - start) / repeats / 1e3


def report(title: str, pairs: Iterator[Pair], repeats: int, rounds: int, per_call: int = 1) -> None:
    """Run both sides of each pair in turn and print medians and their ratio."""
    print(f"\n{title:26}{'pantin':>10}{'pin':>10}{'ratio':>8}")
    for name, ours, theirs in pairs:
        times = [(microseconds(ours, repeats), microseconds(theirs, repeats)) for _ in range(rounds)]
        mine, other = (statistics.median(side) / per_call for side in zip(*times, strict=True))
        print(f"  {name:24}{mine:10.3f}{other:10.3f}{mine / other:8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--once", action="store_true", help="run each call once, unmeasured")
    once = parser.parse_args().once
    warnings.simplefilter("ignore")
    rounds, repeats, rows = (1, 1, 16) if once else (41, 200, 512)
    for path, root in ((PANDA, False), (G1, False), (G1, True), (TALOS, True)):
        ours = pt.build_model_from_urdf(path, pt.JointModelFreeFlyer() if root else None)
        theirs = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if root else []))
        title = f"{path.stem[:12]}, nv {ours.nv}"
        report(title, single_calls(ours, theirs), repeats, rounds)
        report(f"{title}, batch", batch_calls(ours, theirs, rows), 1 if once else 10, min(rounds, 9), rows)


if __name__ == "__main__":
    main()
