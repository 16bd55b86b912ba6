"""All inverse-kinematics branches of six-joint arms: time per target, in the core and through Python.

    taskset -c 1 python benchmarks/closed_form.py [--once]

Targets are poses of random configurations within limits. The figures are medians in microseconds over all targets;
the worst pose error is in metres or entries of the rotation. `--once` runs few targets once, as a test.
"""

from __future__ import annotations

import argparse
import statistics
import sysconfig
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import pantin
from pantin.kinematics import random_configuration
from pantin.kinematics.batch import frame_placements
from pantin.reaching.closed_form import ClosedForm

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
ARMS = {
    "ur5e": "tool0",
    "ur10_robot": "tool0",
    "z1": "gripperStator",
    "kinova": "j2s6s200_end_effector",
    "talos_reduced": "left_sole_link",
    "alexander_v1.lowerBodyOnly": "LEFT_FOOT_IMU_LINK",
}


def median_us(call: Callable[[np.ndarray], object], targets: np.ndarray) -> float:
    durations = []
    for target in targets:
        start = time.perf_counter()
        call(target)
        durations.append(time.perf_counter() - start)
    return 1e6 * statistics.median(durations)


def report(name: str, frame: str, count: int) -> None:
    source = name if name in pantin.samples.names() else next(ROBOTS.rglob(f"{name}.urdf"), None)
    if source is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = pantin.load(source)
    form, random = ClosedForm(model, frame), np.random.default_rng(0)
    targets = frame_placements(model, frame, np.array([random_configuration(model, random) for _ in range(count)]))
    answers = [form.solutions(target) for target in targets]
    worst = max(
        float(np.abs(frame_placements(model, frame, q) - target).max())
        for q, target in zip(answers, targets, strict=True)
    )
    core = median_us(lambda target: form._core.solve(target.reshape(16), np.zeros(6)), targets)
    python = median_us(form.solutions, targets)
    branches = statistics.mean(map(len, answers))
    print(f"{name:28s}{form.kind:30s}{branches:10.2f}{core:12.1f}{python:12.1f}{worst:12.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--once", action="store_true", help="few targets, as a test")
    count = 3 if parser.parse_args().once else 2000
    print(f"{'arm':28s}{'closed form':30s}{'branches':>10s}{'core us':>12s}{'Python us':>12s}{'worst':>12s}")
    for name, frame in ARMS.items():
        report(name, frame, count)


if __name__ == "__main__":
    main()
