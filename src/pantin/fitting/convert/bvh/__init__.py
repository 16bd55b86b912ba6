"""BVH files (Biovision hierarchy): a skeleton with its motion, read as a body plan with states, and written.

A joint of the file has an offset, a constant vector in its parent's axes, and channels, of which each frame gives the
values. Its turns are multiplied in the order of the channels. Its position channels, where it has any, take the place
of its offset, as Blender and most programs mean it; `positions="add"` adds them to it, as the format's first
description has it. Where a channel stands among turns does not matter to a position. Angles are degrees; lengths have
no unit, and often are centimetres.
"""

from pantin.fitting.convert.bvh.motion import Bvh, read_bvh
from pantin.fitting.convert.bvh.skeleton import bvh_document
from pantin.fitting.convert.bvh.writer import bvh_text, write_bvh

__all__ = ["Bvh", "bvh_document", "bvh_text", "read_bvh", "write_bvh"]
