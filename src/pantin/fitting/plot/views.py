"""How three-dimensional poses become flat: from above one shoulder, from straight above, or as a camera has them."""

from __future__ import annotations

import abc
import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.sources import Source

__all__ = ["Above", "Oblique", "Through", "View", "view_of"]

#: How far one looks down, and past the side of the body, deg.
ELEVATION, ASIDE = 28.0, 30.0

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


class View(abc.ABC):
    """A way of looking at points in the world.

    Attributes:
        downwards: True if the second coordinate of the picture grows downwards.
        caption: What one looks through, in words.
    """

    downwards = False
    caption = ""

    @abc.abstractmethod
    def flat(self, points: Array) -> Array:
        """Where points, shape (..., 3), are in the picture, shape (..., 2)."""

    @abc.abstractmethod
    def depth(self, points: Array) -> Array:
        """How far behind each other points are, shape (...,)."""

    def targets(self, observed: Array) -> Array:
        """Where observed keypoints, as the source has them, are in the picture, shape (..., 2)."""
        return observed

    def at(self, frame: int) -> View:
        """The view in one frame."""
        return self


class Oblique(View):
    """From above one shoulder, without perspective.

    Attributes:
        axes: Directions in the world of right, up and towards the eye in the picture, shape (3, 3).
        up: The vertical, shape (3,).
    """

    def __init__(self, axes: Array, up: Array) -> None:
        self.axes = axes
        self.up = up

    def flat(self, points: Array) -> Array:
        """Where points are in the picture."""
        return np.asarray(points @ self.axes[:2].T)

    def depth(self, points: Array) -> Array:
        """How far behind each other points are."""
        return np.asarray(-points @ self.axes[2])

    def targets(self, observed: Array) -> Array:
        """Where observed keypoints are in the picture."""
        return self.flat(observed)

    def shadow(self, points: Array) -> Array:
        """Where points are if they fall down on the ground below the lowest of them, shape (K, 3)."""
        heights = points @ self.up
        return np.asarray(points + (np.nanmin(heights) - heights)[:, None] * self.up)


class Above(View):
    """From straight above, as an `XYView` sees it."""

    caption = "seen from above"

    def flat(self, points: Array) -> Array:
        """Where points are in the picture."""
        return points[..., :2]

    def depth(self, points: Array) -> Array:
        """How far below each other points are."""
        return np.asarray(-points[..., 2])


class Through(View):
    """As a camera has it, in pixels.

    Attributes:
        camera: The camera.
    """

    downwards = True

    def __init__(self, camera: Camera, caption: str) -> None:
        self.camera = camera
        self.caption = caption

    def flat(self, points: Array) -> Array:
        """The pixels of points."""
        return self.camera.project(points)

    def depth(self, points: Array) -> Array:
        """How far from the camera points are."""
        return np.asarray(points @ self.camera.R[2] + self.camera.t[2])

    def at(self, frame: int) -> Through:
        """The view in one frame, of a camera that moves."""
        return Through(self.camera.at(frame), self.caption)


def view_of(sources: Sequence[Source], keypoints: Array, up: str | npt.ArrayLike) -> tuple[View, int | None]:
    """The view that suits some sources, and which of them has its targets, if any has.

    Args:
        sources: What saw the keypoints.
        keypoints: The poses to be seen, shape (frames, K, 3).
        up: The vertical of the world: "x", "y", "z", or a direction, shape (3,).
    """
    kinds = [source.kind for source in sources]
    if "points" in kinds:
        return oblique(keypoints, up), kinds.index("points")
    if "xy" in kinds:
        return Above(), kinds.index("xy")
    cameras = [(place, source) for place, source in enumerate(sources) if isinstance(source, Camera)]
    if cameras:
        place, camera = cameras[0]
        return Through(camera, f"camera 1 of {len(cameras)}" if len(cameras) > 1 else "as the camera sees it"), place
    return oblique(keypoints, up), None


def oblique(keypoints: Array, up: str | npt.ArrayLike) -> Oblique:
    """The view from above one shoulder: the long side of the body lies across, a little turned.

    Args:
        keypoints: Poses, shape (T, K, 3).
        up: "x", "y", "z", or a direction, shape (3,).
    """
    vertical = _direction(up)
    about = keypoints - np.nanmean(keypoints, axis=1, keepdims=True)
    level = about - (about @ vertical)[..., None] * vertical
    spread = level.reshape(-1, 3)[np.isfinite(level).all(axis=-1).reshape(-1)]
    across = np.linalg.eigh(spread.T @ spread)[1][:, -1]
    across = across - (across @ vertical) * vertical
    if np.linalg.norm(across) < 1e-9:  # a body on a vertical line has no side
        across = np.cross(vertical, AXES["x"] if abs(vertical[0]) < 0.9 else AXES["y"])
    across /= np.linalg.norm(across)
    across *= np.sign(across[np.argmax(np.abs(across))])
    ahead = np.cross(vertical, across)
    aside, down = math.radians(ASIDE), math.radians(ELEVATION)
    right = math.cos(aside) * across + math.sin(aside) * ahead
    away = np.cross(vertical, right)
    eye = math.sin(down) * vertical - math.cos(down) * away
    return Oblique(np.stack([right, np.cross(eye, right), eye]), vertical)


def _direction(up: str | npt.ArrayLike) -> Array:
    """A unit vector from an axis's letter or a vector."""
    if isinstance(up, str) and up in AXES:
        return np.array(AXES[up])
    try:
        vector = np.asarray(up, dtype=float)
    except (TypeError, ValueError):
        vector = np.zeros(0)
    norm = np.linalg.norm(vector)
    if vector.shape != (3,) or not np.isfinite(norm) or norm == 0.0:
        raise InvalidArgument("up", f"expected 'x', 'y', 'z' or a direction of shape (3,), got {up!r}")
    return np.asarray(vector / norm)
