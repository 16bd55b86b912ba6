"""Libraries side by side on the same steps, taking turns on one core, judged by Pinocchio."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pinocchio as pin

from peers.compare import Worker
from peers.step_scene import MODES, Array, Mode, Scene

#: Errors that count as arrived, m and rad: the posture keeps the tasks from being met exactly.
ARRIVED = 2e-3

_ROUNDING = 1e-6  # of limits, as far as solvers of programs promise


@dataclass(frozen=True)
class Row:
    """What a library did in one mode of a scene.

    Attributes:
        library: Its name.
        scene: The scene's name.
        mode: The mode.
        times: Of each step, us: the median over all passes in which no other process came between.
        all_times: Of each step of each pass, us, shape (passes, steps).
        active: For each step, whether a velocity limit held it back.
        position_error: Largest distance of a frame from its target at the end, m.
        rotation_error: Largest angle likewise, rad.
        com_error: Distance of the centre of mass from its target at the end, m; None where nothing was asked of it.
        over: How far the worst step was beyond the limits, of positions, rad, or of displacements, rad a step.
        apart: Largest distance of its path from that of the first library, over the tangent, rad or m.
    """

    library: str
    scene: str
    mode: Mode
    times: Array
    all_times: Array
    active: np.ndarray
    position_error: float
    rotation_error: float
    com_error: float | None
    over: float
    apart: float

    @property
    def median(self) -> float:
        """Median time of a step, us."""
        return float(np.nanmedian(self.times))

    @property
    def p99(self) -> float:
        """Time that 99 of 100 steps keep to, us."""
        return float(np.nanpercentile(self.times, 99))

    @property
    def active_p99(self) -> float:
        """Likewise, of the steps that a velocity limit held back; NaN where there are none."""
        return float(np.nanpercentile(self.times[self.active], 99)) if self.active.any() else np.nan

    @property
    def raw_p99(self) -> float:
        """Likewise, of all steps of all passes, disturbed or not."""
        return float(np.nanpercentile(self.all_times, 99))

    @property
    def arrived(self) -> bool:
        """Whether all targets were met within limits."""
        return max(self.position_error, self.rotation_error, self.com_error or 0.0) < ARRIVED and self.over < _ROUNDING


def compare(scenes: Sequence[Scene], hands: Sequence[Worker], passes: int) -> Iterator[Row]:
    """What each library does with each scene and mode.

    All take turns, pass by pass, so that what disturbs the machine for a while disturbs a pass of each.
    """
    for scene, hand in product(scenes, hands):
        refusal = hand("prepare", scene)
        if refusal:
            hand.refusals[scene.name] = refusal
    found: dict[tuple[str, Mode, str], list[tuple[Array, Array]]] = {}
    for turn, scene, mode, hand in product(range(passes + 1), scenes, MODES, hands):
        if scene.name in hand.refusals:
            continue
        said = hand("unroll", scene.name, mode)
        if isinstance(said, str):
            hand.refusals[scene.name] = f"{mode}: {said}"
        elif turn:  # what the first steps cost is not asked
            found.setdefault((scene.name, mode, hand.name), []).append(said)
    for scene, mode in product(scenes, MODES):
        judge = Judge(scene)
        first: Array | None = None
        for hand in hands:
            if scene.name in hand.refusals:
                continue
            each = found[scene.name, mode, hand.name]
            path, times = each[0][0], np.array([one for _, one in each])
            first = path if first is None else first
            yield Row(
                hand.name,
                scene.name,
                mode,
                np.nanmedian(times, axis=0),
                times,
                *judge(path, mode),
                judge.apart(path, first),
            )


class Judge:
    """Pinocchio's opinion of a scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._model = pin.buildModelFromXML(scene.urdf, *([pin.JointModelFreeFlyer()] * scene.floating))
        self._data = self._model.createData()

    def __call__(self, path: Array, mode: Mode) -> tuple[np.ndarray, float, float, float | None, float]:
        """Steps held back by a velocity limit, the three errors at the end, and how far limits were overstepped."""
        scene, joints = self._scene, len(self._scene.joints)
        pairs = pairwise(path)
        moves = np.abs([pin.difference(self._model, before, after)[-joints:] for before, after in pairs])
        most = scene.dt * scene.speed
        angles = path[:, -joints:]
        beyond = [moves - most, scene.lower - angles, angles - scene.upper]
        active = (moves > (1.0 - 1e-6) * most).any(axis=1)
        over = float(max(0.0, *(part.max() for part in beyond)))
        return active, *self._errors(path[-1], scene.schedule(mode)[-1]), over

    def apart(self, path: Array, other: Array) -> float:
        """Largest distance between two paths, over the tangent."""
        pairs = zip(path, other, strict=True)
        return float(max(np.abs(pin.difference(self._model, one, two)).max() for one, two in pairs))

    def _errors(self, q: Array, row: int) -> tuple[float, float, float | None]:
        pin.framesForwardKinematics(self._model, self._data, q)
        distance = angle = 0.0
        com = None
        for wish in self._scene.wishes:
            if wish.kind == "frame":
                off = self._data.oMf[self._model.getFrameId(wish.frame)].actInv(pin.SE3(wish.targets[row]))
                distance = max(distance, float(np.linalg.norm(off.translation)))
                angle = max(angle, float(np.linalg.norm(pin.log3(off.rotation))))
            elif wish.kind == "com":
                com = float(np.linalg.norm(pin.centerOfMass(self._model, self._data, q) - wish.targets[row]))
        return distance, angle, com
