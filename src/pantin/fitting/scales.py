"""What misfits in pixels are relative to: the model length, as a camera sees it where the fit starts."""

from __future__ import annotations

import numpy as np

from pantin import _core
from pantin.arrays import Array
from pantin.fitting.observations import Observations
from pantin.fitting.problem import FitProblem
from pantin.fitting.tracks import Frames

__all__ = ["camera_scales"]


def camera_scales(
    problem: FitProblem, core: _core.FitCore, observed: Observations, start: Array | None
) -> Array | None:
    """Pixels L f / D for each camera: model length times mean focal length by the distance from the camera to the root.

    The root is where the given start has it, else where the cold start of the first frame that shows something does,
    so that the objective is the same in all frames.

    Args:
        problem: The fit.
        core: A core for it, with any scales.
        observed: The recording.
        start: The given start, a row, or None.

    Returns:
        Scales, shape (C,), 1 where there are no frames; None where there are no cameras.
    """
    if not problem.cameras:
        return None
    if not observed.n_frames:
        return np.ones(len(problem.cameras))
    cameras = [problem.sources[index] for index in problem.cameras]
    frame = _first_seen(observed)
    if start is None:
        start = Frames(problem, core, observed, problem.start()).aligned(frame)
    distances = [np.linalg.norm(camera.at(frame).center - start[:3]) for camera in cameras]  # type: ignore[attr-defined]
    focal = np.array([camera.mean_focal for camera in cameras])  # type: ignore[attr-defined]
    return np.asarray(problem.plan.length * focal / np.maximum(distances, problem.options.near * problem.plan.length))


def _first_seen(observed: Observations) -> int:
    """The first of T > 0 frames in which something is observed; 0 if none is."""
    seen = np.zeros(observed.n_frames, dtype=np.bool_)
    for source in range(len(observed.sources)):
        seen |= observed.seen(source).any(axis=1)
    return int(np.argmax(seen))
