"""Where shapes are in the world, all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.model import Data
from pantin.kinematics.se3 import SE3

__all__ = ["Places", "evenly_spaced"]


class Places:
    """World poses of shapes that move with joints.

    Attributes:
        joints: Joint that each shape moves with, shape (shapes,).
        rotation: World rotation of each, shape (shapes, 3, 3).
        translation: World position of each, shape (shapes, 3), m.
    """

    def __init__(self, joints: Sequence[int], offsets: Sequence[SE3]) -> None:
        """Shapes by their joints and their poses in the joints' frames."""
        self.joints = np.array(joints, dtype=np.int64)
        self._rotation = np.array([pose.rotation for pose in offsets]).reshape(-1, 3, 3)
        self._translation = np.array([pose.translation for pose in offsets]).reshape(-1, 3)
        self.rotation = self._rotation.copy()
        self.translation = self._translation.copy()
        self._data: Data | None = None

    def set_offset(self, shape: int, pose: SE3) -> bool:
        """Change the pose of a shape in its joint's frame.

        Returns:
            Whether it was another one.

        Raises:
            InvalidArgument: If a number of the pose is not finite.
        """
        rotation, translation = pose.rotation, pose.translation
        if (rotation == self._rotation[shape]).all() and (translation == self._translation[shape]).all():
            return False
        if not (np.isfinite(rotation).all() and np.isfinite(translation).all()):
            raise InvalidArgument("placement", "the pose of an obstacle has numbers that are not finite")
        self._rotation[shape], self._translation[shape] = rotation, translation
        return True

    def move(self, data: Data) -> None:
        """Place the shapes where joints are.

        Raises:
            InvalidArgument: If a shape moves with a joint that the model does not have.
        """
        if data is not self._data:
            if self.joints.size and self.joints.max() >= len(data.oMi):
                raise InvalidArgument(
                    "collision_model",
                    f"a shape moves with joint {self.joints.max()}, and the model has {len(data.oMi)}",
                )
            self._joint_rotation, self._joint_translation = _joint_places(data)
            self._data = data
        rotation = self._joint_rotation[self.joints]
        np.matmul(rotation, self._rotation, out=self.rotation)
        np.matmul(rotation, self._translation[:, :, None], out=self.translation[:, :, None])
        self.translation += self._joint_translation[self.joints]


def _joint_places(data: Data) -> tuple[Array, Array]:
    """Live views of the rotations (njoints, 3, 3) and translations (njoints, 3) of all joints."""
    poses = list(data.oMi[:])
    return evenly_spaced([pose.rotation for pose in poses]), evenly_spaced([pose.translation for pose in poses])


def evenly_spaced(views: Sequence[Array]) -> Array:
    """One live view of arrays that lie at even steps in one block of memory, given a view of each."""
    first = views[0]
    starts = [view.ctypes.data for view in views]
    step = starts[1] - starts[0] if len(starts) > 1 else 0
    if starts != [starts[0] + step * index for index in range(len(starts))]:
        raise AssertionError("arrays of one block that are not evenly spaced")
    return np.lib.stride_tricks.as_strided(first, (len(views), *first.shape), (step, *first.strides), writeable=False)
