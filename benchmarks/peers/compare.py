"""Libraries side by side on the same targets, taking turns on one core, judged by Pinocchio."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
import pinocchio as pin

from peers.arms import Arm, Array

#: Distances, m, and angles, rad, that count as reached.
TOLERANCES = ((1e-6, 1e-6), (1e-4, 1e-3))

_BLOCK, _PASSES = 250, 3
_SECONDS = 1.0  # a library stops after this long in one regime, with the targets that it has done
_ROUNDING = 1e-12  # between two ways of computing an error

Regime = Literal["cold", "warm"]
Way = Literal["single", "batch", "path"]


@dataclass(frozen=True)
class Row:
    """What a library did with the targets of one arm.

    Attributes:
        library: Its name, with the level where it is not the machine's own.
        arm: The arm's name.
        tolerance: Position tolerance, m.
        regime: "cold" or "warm".
        way: "single" calls, all targets as one "batch", or as one "path".
        count: Targets.
        success: Share that it reached within limits.
        median: Time of a call, us; in a batch or path that of a target.
        mean: Likewise.
        p99: Likewise.
        jumps: How often it left its branch on the way, where it was warm.
    """

    library: str
    arm: str
    tolerance: float
    regime: Regime
    way: Way
    count: int
    success: float
    median: float
    mean: float
    p99: float
    jumps: int | None = None


class Worker:
    """A library at work in its own process.

    Attributes:
        name: Name in the tables.
        facts: Version and settings.
        refusals: Arms that it cannot do, and why.
    """

    def __init__(
        self, python: Path | str, library: str, level: str | None = None, program: str = "peers.worker"
    ) -> None:
        self.name = f"{library} at {level}" if level else library
        more = {"PANTIN_LEVEL": level} if level else {}
        command, pipe = [str(python), "-m", program, library], subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env={**_environment(), **more}
        )
        self.refusals: dict[str, str] = {}
        self.facts: dict[str, str] = self("facts")

    def __call__(self, call: str, *arguments: object) -> Any:
        """Has the worker do something, and waits for it.

        Raises:
            EOFError: If the worker has died.
        """
        assert self._process.stdin
        assert self._process.stdout
        try:
            pickle.dump((call, arguments), self._process.stdin)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise EOFError from None
        return pickle.load(self._process.stdout)

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()


def workers(
    pythons: Sequence[Path | str],
    libraries: Sequence[str],
    levels: Sequence[str] = (),
    program: str = "peers.worker",
) -> list[Worker]:
    """A worker for each library, by the first Python that has it, and for each further level of ours."""
    found: dict[str, Path | str] = {}
    for python in pythons:
        command = [str(python), "-m", program, "--installed"]
        said = subprocess.run(command, capture_output=True, text=True, check=True, env=_environment())
        for library in said.stdout.splitlines():
            found.setdefault(library, python)
    ready = []
    for library in (library for library in dict.fromkeys(libraries) if library in found):
        for level in (None, *levels) if library == "pantin" else (None,):
            try:
                ready.append(Worker(found[library], library, level, program))
            except EOFError:
                print(f"{library}{f' at {level}' if level else ''} does not start", file=sys.stderr)
    return ready


def _environment() -> dict[str, str]:
    """Ours, with the folder of the benchmarks on Python's path."""
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def compare(arm: Arm, hands: Sequence[Worker], count: int) -> Iterator[Row]:
    """What each does with an arm: cold and warm, one by one and all at once, at each tolerance."""
    judge = Judge(arm)
    paths = {"cold": arm.anywhere(count), "warm": arm.smooth(count)}
    poses = {regime: judge.poses(path) for regime, path in paths.items()}
    for tolerance in TOLERANCES:
        able = []
        for hand in hands:
            refusal = hand("prepare", arm, tolerance, paths["cold"][:20], poses["cold"][:20])
            if refusal:
                hand.refusals[arm.name] = refusal
            else:
                able.append(hand)
        for regime in cast("tuple[Regime, ...]", ("cold", "warm")):
            there, path = poses[regime], paths[regime]
            found = [(hand, "single", *those) for hand, those in _turns(able, arm, there, path[0], regime).items()]
            before = path[[0, *range(count - 1)]] if regime == "warm" else None
            found += [(hand, "batch", *those) for hand in able if (those := hand("all", "solve_batch", there, before))]
            if regime == "warm":
                found += [(hand, "path", *those) for hand in able if (those := hand("all", "follow", there, path[0]))]
            for hand, way, answers, times in found:
                reached = judge(answers, there[: len(times)], tolerance)
                moves = np.abs(np.diff(answers, axis=0)).max(axis=1)
                far = ~(moves <= 3.0 * np.abs(np.diff(path, axis=0)).max())
                yield Row(
                    hand.name,
                    arm.name,
                    tolerance[0],
                    regime,
                    cast("Way", way),
                    len(times),
                    success=float(reached.mean()),
                    median=float(np.median(times)),
                    mean=float(times.mean()),
                    p99=float(np.percentile(times, 99)),
                    jumps=int(far.sum()) if regime == "warm" else None,
                )


def _turns(
    hands: Sequence[Worker], arm: Arm, poses: Array, first: Array, regime: Regime
) -> dict[Worker, tuple[Array, Array]]:
    """Answers and times of each, of the pass that was disturbed least; they take turns, block by block."""
    passes: dict[Worker, list[tuple[Array, Array]]] = {hand: [] for hand in hands}
    for _ in range(_PASSES):
        done: dict[Worker, list[tuple[Array, Array]]] = {hand: [] for hand in hands if _spent(passes[hand]) < _SECONDS}
        for start, hand in product(range(0, len(poses), _BLOCK), done):
            if _spent(done[hand]) > _SECONDS:
                continue
            seed = arm.middle if regime == "cold" else first
            if regime == "warm" and done[hand]:
                known = np.concatenate([answers for answers, _ in done[hand]])
                known = known[np.isfinite(known).all(axis=1)]
                seed = known[-1] if len(known) else first
            done[hand].append(hand("solve", poses[start : start + _BLOCK], seed, regime == "warm"))
        for hand, blocks in done.items():
            answers, times = zip(*blocks, strict=True)
            passes[hand].append((np.concatenate(answers), np.concatenate(times)))
    return {hand: min(those, key=lambda one: float(np.median(one[1]))) for hand, those in passes.items()}


def _spent(blocks: Sequence[tuple[Array, Array]]) -> float:
    """Seconds that some blocks took."""
    return 1e-6 * sum(float(times.sum()) for _, times in blocks)


class Judge:
    """Pinocchio's opinion of an arm."""

    def __init__(self, arm: Arm) -> None:
        self._arm = arm
        self._model = pin.buildModelFromXML(arm.urdf)
        self._data = self._model.createData()
        self._frame = self._model.getFrameId(arm.tip)

    def poses(self, q: Array) -> Array:
        """Poses of the tip, shape (count, 4, 4)."""
        return np.array([self._pose(one).homogeneous for one in q])

    def __call__(self, q: Array, poses: Array, tolerance: tuple[float, float]) -> npt.NDArray[np.bool_]:
        """True where a configuration is within limits, exactly, and its tip within the tolerance of a pose."""
        right = np.all((q >= self._arm.lower) & (q <= self._arm.upper), axis=1)
        for k in np.flatnonzero(right):
            found, wanted = self._pose(q[k]), pin.SE3(poses[k])
            distance = np.linalg.norm(found.translation - wanted.translation)
            angle = np.linalg.norm(pin.log3(found.rotation.T @ wanted.rotation))
            right[k] = distance <= tolerance[0] + _ROUNDING and angle <= tolerance[1] + _ROUNDING
        return np.asarray(right)

    def _pose(self, q: Array) -> pin.SE3:
        pin.framesForwardKinematics(self._model, self._data, q)
        return self._data.oMf[self._frame]
