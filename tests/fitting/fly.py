"""The recorded fly, for tests that may look at it: real keypoints of a walking fly, and its body plan.

The folder is that of the environment variable `PANTIN_FLY_DATA`, else `../shared/data/fly` beside the checkout. Where
it is absent a test that asks for it is skipped and says what is missing.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

_BESIDE = Path(__file__).parents[3] / "shared" / "data" / "fly"


def file(name):
    """Path of a file of the recorded fly; skips the test, or the module, where it is absent."""
    path = Path(os.environ.get("PANTIN_FLY_DATA", _BESIDE)) / name
    if not path.is_file():
        pytest.skip(f"no recorded fly: {path} is missing (PANTIN_FLY_DATA names its folder)", allow_module_level=True)
    return path


def plan_file():
    """Path of the fly's body plan: 31 joints, 42 hinges without limits, a free base, millimetres."""
    return file("body_plan.json")


@cache
def _targets(path):
    return json.loads(path.read_text(encoding="utf-8"))


def _keypoints(frames):
    """Positions in plan order, shape (T, 31, 3); the root, first, is never seen."""
    seen = np.array([frame["target_ego"] for frame in frames], dtype=float)
    return np.concatenate([np.full((len(seen), 1, 3), np.nan), seen], axis=1)


def native():
    """300 frames in a row at 330 Hz, shape (300, 31, 3)."""
    return _keypoints(_targets(file("targets.json"))["native_rate_frames"])


def sparse():
    """Every 30th frame of a recording, shape (22, 31, 3)."""
    return _keypoints(_targets(file("targets.json"))["real_frames"])


def exact():
    """Poses that the plan takes exactly with its root at the origin: keypoints (8, 31, 3) and angles (8, 42)."""
    frames = _targets(file("targets.json"))["synthetic_frames"]
    angles = [np.concatenate([np.ravel(leg) for leg in frame["ground_truth_dof_angles_per_leg"]]) for frame in frames]
    return _keypoints(frames), np.array(angles)
