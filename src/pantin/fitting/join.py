"""Where two segments of a recording, fitted each by itself, were joined."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Join"]


class Join(NamedTuple):
    """A place where segments meet.

    Attributes:
        frame: First frame that comes from the later segment.
        angle: Largest difference of a hinge or of the root's rotation between both at the frame before, rad.
        position: Largest difference of a slide or of the root's position there, relative to the plan's length.
        action: What was done about it, in one word.
    """

    frame: int
    angle: float
    position: float
    action: str
