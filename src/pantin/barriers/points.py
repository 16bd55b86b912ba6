"""Positions of frames in the world, and how they move with the robot."""

from __future__ import annotations

from pantin.arrays import Array
from pantin.configuration import Configuration
from pantin.kinematics.algorithms import get_frame_jacobian
from pantin.kinematics.frames import ReferenceFrame

__all__ = ["position_jacobian", "position_of"]


def position_of(configuration: Configuration, frame: str) -> Array:
    """Position of a frame's origin in the world, shape (3,), m.

    Raises:
        UnknownFrame: If there is no such frame.
    """
    return configuration.get_transform_frame_to_world(frame).translation


def position_jacobian(configuration: Configuration, frame: str) -> Array:
    """Derivative of that position, shape (3, nv).

    Raises:
        UnknownFrame: If there is no such frame.
    """
    model, data = configuration.model, configuration.data
    return get_frame_jacobian(model, data, model.get_frame_id(frame), ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3]
