"""Bodies and recordings that fits are timed on: made by us, and the recorded fly where it is at hand."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from humanoid_data import humanoid, person
from pantin import samples
from pantin.arrays import Array
from pantin.fitting import BodyPlan, Camera, FitOptions

#: Poses that are fitted one by one.
POSES = 64
#: Frames of a stream, and of a recording in segments; a shorter recording is told again and again.
STREAM, RECORDING = 1200, 24_000


@dataclass(frozen=True)
class Problem:
    """A body plan and a recording of it.

    Attributes:
        name: What the table calls it.
        plan: The body plan.
        positions: Keypoints, shape (T, K, 3), NaN where they are not seen.
        options: How to fit.
        cameras: What sees them, where it is not points in space.
        pixels: What the cameras see, shape (T, C, K, 2).
    """

    name: str
    plan: BodyPlan
    positions: Array
    options: FitOptions = field(default_factory=FitOptions)
    cameras: Sequence[Camera] = ()
    pixels: Array | None = None

    @property
    def observed(self) -> Array:
        """What a fit is given."""
        return self.positions if self.pixels is None else self.pixels

    def frames(self, count: int) -> Array:
        """So many frames of what a fit is given: the recording forth and back, again and again."""
        there_and_back = np.concatenate([self.observed, self.observed[-2:0:-1]])
        return np.ascontiguousarray(there_and_back[np.arange(count) % len(there_and_back)])

    def poses(self) -> Array:
        """Frames from all over the recording."""
        return self.observed[:: max(1, len(self.observed) // POSES)][:POSES]


def walker() -> Problem:
    """The sample walker as it was recorded, but for its two mistakes."""
    plan = BodyPlan.load(samples.body_plan("walker"))
    with samples.recording("walker").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    table = np.array([[float(cell or "nan") for cell in row] for row in rows])
    columns = [[names.index(f"{name}_{axis}") for axis in "xyz"] for name in plan.joint_names]
    return Problem("walker", plan, np.ascontiguousarray(table[:, columns]))


def without_limits(problem: Problem) -> Problem:
    """The same body without limits."""
    content = problem.plan.to_dict()
    for joint in content["joints"]:
        for dof in joint["dofs"]:
            dof["limits"] = None
    return replace(problem, name=f"{problem.name}, no limits", plan=BodyPlan.from_dict(content))


def with_loss(problem: Problem, loss: Any) -> Problem:
    """The same with a robust loss."""
    return replace(problem, name=f"{problem.name}, {loss}", options=FitOptions(loss=loss))


def seen_by_cameras(problem: Problem) -> Problem:
    """The same, seen by three cameras around it."""
    points = problem.positions
    centre, away = np.nanmean(points, axis=(0, 1)), 12.0 * problem.plan.length
    cameras = []
    for angle in (0.0, 2.1, 4.2):
        forward = -np.array([np.cos(angle), np.sin(angle), 0.5]) / np.sqrt(1.25)
        right = np.cross(forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        R = np.stack([right, np.cross(forward, right), forward])
        cameras.append(Camera(900.0, 900.0, 640.0, 480.0, R, -R @ (centre - away * forward)))
    pixels = np.stack([camera.project(points) for camera in cameras], axis=1)
    return replace(problem, name=f"{problem.name}, three cameras", cameras=cameras, pixels=pixels)


def follower() -> Problem:
    """The humanoid that follows a person of other proportions."""
    plan = humanoid()
    return Problem("humanoid", plan, person(plan))


def fly() -> Problem | None:
    """The recorded fly, or None where it is not at hand; see `tests/fitting/fly.py`."""
    beside = Path(__file__).parents[2] / "shared" / "data" / "fly"
    folder = Path(os.environ.get("PANTIN_FLY_DATA", beside))
    if not (folder / "targets.json").is_file():
        return None
    plan = BodyPlan.load(folder / "body_plan.json")
    frames = json.loads((folder / "targets.json").read_text(encoding="utf-8"))["native_rate_frames"]
    seen = np.array([frame["target_ego"] for frame in frames], dtype=float)
    positions = np.concatenate([np.full((len(seen), 1, 3), np.nan), seen], axis=1)
    return Problem("fly", plan, positions)


def tree(joints: int) -> Problem:
    """A tree of limbs of 20 joints each, one hinge a joint, in a wave."""
    axes = np.eye(3)
    content = [
        {"name": "root", "parent": None, "offset_pos": [0.0] * 3, "offset_quat": [1.0, 0.0, 0.0, 0.0], "dofs": []}
    ]
    for k in range(1, joints):
        limb, place = divmod(k - 1, 20)
        hinge = {"type": "hinge", "axis": axes[k % 3].tolist(), "neutral": 0.1 * (-1.0) ** k}
        angle = 2.4 * limb
        start = [0.5 * np.cos(angle), 0.5 * np.sin(angle), 0.1 * limb]
        content.append(
            {
                "name": f"joint {k}",
                "parent": "root" if place == 0 else f"joint {k - 1}",
                "offset_pos": start if place == 0 else [0.2 * np.cos(angle), 0.2 * np.sin(angle), 0.05],
                "offset_quat": [1.0, 0.0, 0.0, 0.0],
                "dofs": [] if place == 19 or k == joints - 1 else [hinge],
            }
        )
    plan = BodyPlan.from_dict({"fixed_base": False, "joints": content})
    rng = np.random.default_rng(0)
    time, rate, phase = np.arange(200)[:, None] / 100.0, *rng.uniform(0.5, 1.5, (2, plan.n_dofs))
    positions = plan.keypoints({"dofs": plan.neutral + 0.2 * np.sin(2.0 * np.pi * (rate * time + phase))})
    positions += 0.002 * plan.length * rng.normal(size=positions.shape)
    return Problem(f"{joints} joints", plan, positions)
