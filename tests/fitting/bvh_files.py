"""BVH texts, and an evaluator of its own for any of them."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

#: An arm with a sliding wrist. Frame 1 turns the shoulder by 90 degrees about z, frame 2 the elbow too.
ARM = """HIERARCHY
ROOT Hips
{
\tOFFSET 0.0 0.0 0.0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Shoulder
\t{
\t\tOFFSET 0.0 10.0 0.0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation
\t\tJOINT Elbow
\t\t{
\t\t\tOFFSET 5.0 0.0 0.0
\t\t\tCHANNELS 1 Yrotation
\t\t\tJOINT Wrist
\t\t\t{
\t\t\t\tOFFSET 4.0 0.0 0.0
\t\t\t\tCHANNELS 4 Xposition Zposition Yrotation Xrotation
\t\t\t\tEnd Site
\t\t\t\t{
\t\t\t\t\tOFFSET 1.0 0.0 2.0
\t\t\t\t}
\t\t\t}
\t\t}
\t}
\tJOINT Tail
\t{
\t\tOFFSET 0.0 0.0 -3.0
\t\tCHANNELS 3 Xrotation Yrotation Zrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 0.0 0.0
\t\t}
\t}
}
MOTION
Frames: 3
Frame Time: 0.0083333
0 0 0 0 0 0 0 0 0 0 4 0 0 0 0 0 0
1 2 3 0 0 0 90 0 0 0 4 0 0 0 0 0 0
1 2 3 90 0 0 90 0 0 90 6 0.5 90 0 10 20 30
"""

#: Where its joints are, worked out by hand. In frame 2 the root turns z by 90 degrees and so does the shoulder, so
#: that the arm points to -x; the elbow then bends by 90 degrees about y, which takes the forearm's x to -z.
ARM_KEYPOINTS = {
    "Hips": [(0, 0, 0), (1, 2, 3), (1, 2, 3)],
    "Shoulder": [(0, 10, 0), (1, 12, 3), (-9, 2, 3)],
    "Elbow": [(5, 10, 0), (1, 17, 3), (-14, 2, 3)],
    "Wrist": [(9, 10, 0), (1, 21, 3), (-14.5, 2, -3)],
    "Wrist_end": [(10, 10, 2), (1, 22, 5), (-13.5, 2, -5)],
    "Tail": [(0, 0, -3), (1, 2, 0), (1, 2, 0)],
}


def evaluated(text, add=False):
    """Positions of joints and end sites in each frame, in the order of a plain BVH text, shape (T, joints, 3)."""
    hierarchy, motion = text.split("MOTION")
    rows = np.array([line.split() for line in motion.strip().splitlines()[2:]], dtype=float)
    stack, points, column = [], [], 0
    words = hierarchy.split()
    for at, word in enumerate(words):
        if word in ("ROOT", "JOINT", "End"):
            stack.append([stack[-1] if stack else None])
        elif word == "OFFSET":
            offset = np.tile([float(number) for number in words[at + 1 : at + 4]], (len(rows), 1))
            place, turn, names = offset.copy(), Rotation.identity(len(rows)), []
            if words[at + 4] == "CHANNELS":
                names = words[at + 6 : at + 6 + int(words[at + 5])]
            for name in names:
                value = rows[:, column]
                column += 1
                if name.endswith("position"):
                    axis = "XYZ".index(name[0])
                    place[:, axis] = value + (offset[:, axis] if add else 0.0)
                else:
                    turn = turn * Rotation.from_euler(name[0], value[:, None], degrees=True)
            parent = stack[-1][0]
            if parent is not None:
                place, turn = parent[1] + parent[2].apply(place), parent[2] * turn
            stack[-1] = [parent, place, turn]
            points.append(place)
        elif word == "}":
            stack.pop()
    assert column == rows.shape[1]
    return np.stack(points, axis=1)
