"""Motions of a target away from where it starts, one class a file.

A motion gives, for a time in seconds, a displacement: an array of as many numbers as its `by`, or of three for those
that move in space. What it displaces is a matter of the target (`pantin.tracking.targets`).
"""

from pantin.tracking.motions.circle import Circle
from pantin.tracking.motions.hold import Hold
from pantin.tracking.motions.line import Line
from pantin.tracking.motions.motion import Motion
from pantin.tracking.motions.ramp import Ramp
from pantin.tracking.motions.sway import Sway
from pantin.tracking.motions.waypoints import Waypoints

__all__ = ["Circle", "Hold", "Line", "Motion", "Ramp", "Sway", "Waypoints"]
