"""Frames: named poses that joints carry."""

from __future__ import annotations

from enum import IntEnum

from pantin.arrays import count
from pantin.errors import InvalidArgument
from pantin.kinematics.parts import Part
from pantin.kinematics.poses import as_se3
from pantin.kinematics.se3 import SE3

__all__ = ["Frame", "FrameType", "ReferenceFrame"]


class ReferenceFrame(IntEnum):
    """Where a twist or Jacobian is expressed: see the conventions page."""

    WORLD = 0
    LOCAL = 1
    LOCAL_WORLD_ALIGNED = 2


class FrameType(IntEnum):
    """What a frame stands for."""

    OP_FRAME = 1
    JOINT = 2
    FIXED_JOINT = 4
    BODY = 8
    SENSOR = 16


class Frame(Part):
    """Named pose carried by a joint. Attributes may be assigned, also on a frame of a model.

    Attributes:
        name: Name of the frame.
        parent_joint: Index of the joint that carries it.
        parent_frame: Index of the previous frame in the tree.
        placement: Pose in the frame of that joint; read-only, assign a new one to change it.
        type: What the frame stands for.
    """

    __slots__ = _PARTS = ("name", "parent_frame", "parent_joint", "placement", "type")

    name: str
    parent_joint: int
    parent_frame: int
    placement: SE3
    type: FrameType

    def __init__(
        self,
        name: str,
        parent_joint: int,
        parent_frame: int,
        placement: SE3,
        type: FrameType,
    ) -> None:
        """Frame from its parts.

        Raises:
            InvalidArgument: If a part is not of its kind.
        """
        self.name = name
        self.parent_joint = parent_joint
        self.parent_frame = parent_frame
        self.placement = placement
        self.type = type

    def _checked(self, name: str, value: object) -> object:
        if name == "name":
            if not isinstance(value, str):
                raise InvalidArgument("name", f"expected a text, got {value!r}")
            return value
        if name == "placement":
            return as_se3("placement", value)._frozen()
        if name == "type":
            try:
                return FrameType(value)  # type: ignore[arg-type]  # the enumeration refuses what it is not
            except ValueError:
                raise InvalidArgument("type", f"expected a FrameType, got {value!r}") from None
        return count(name, value)

    def __repr__(self) -> str:
        """Name, type and joint."""
        return f"Frame({self.name!r}, {self.type.name}, joint={self.parent_joint})"
