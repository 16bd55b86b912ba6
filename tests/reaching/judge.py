"""Pinocchio as a judge of answers: where a frame is, and angles and distances from there, without a call of ours."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

import pantin
from oracle import ROBOTS
from twins import robot_twins

#: Robots by a short name: their file (None: a sample of that name), the frame that is moved, and the root.
ARMS = {
    "panda": (None, "panda_hand_tcp", None),
    "ur5e": (None, "tool0", None),
    "arctos": (None, "bench_tool", None),
    "planar_3r": (None, "tip", None),
    "kinova": ("kinova_description/robots/kinova.urdf", "j2s6s200_end_effector", None),
    "baxter": ("baxter_description/urdf/baxter.urdf", "left_gripper", "torso"),
    "pr2": ("pr2_description/urdf/pr2.urdf", "l_gripper_palm_link", "torso_lift_link"),
    "talos": ("talos_data/robots/talos_reduced.urdf", "gripper_left_base_link", "torso_2_link"),
}


class Judge:
    """A robot as we have it, and Pinocchio's poses of its frame, seen from the root.

    Attributes:
        model: Our model.
        frame: Name of the frame that is moved.
        root: Name of the root, or None for the world.
    """

    def __init__(self, name):
        file, self.frame, self.root = ARMS[name]
        self.model, self._theirs = robot_twins(ROBOTS / file if file else pantin.samples.path(name), free=False)
        self._data = self._theirs.createData()

    def pose(self, q):
        """Rotation (3, 3) and position (3,) of the frame at a configuration."""
        pin.framesForwardKinematics(self._theirs, self._data, q)
        pose = self._data.oMf[self._theirs.getFrameId(self.frame)]
        if self.root is not None:
            pose = self._data.oMf[self._theirs.getFrameId(self.root)].actInv(pose)
        return pose.rotation.copy(), pose.translation.copy()

    def poses(self, q):
        """The same for many, shape (n, 4, 4)."""
        out = np.tile(np.eye(4), (len(q), 1, 1))
        for M, one in zip(out, q, strict=True):
            M[:3, :3], M[:3, 3] = self.pose(one)
        return out


def angle(a, b):
    """Angle between two vectors, exact for small and large ones."""
    return np.arctan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b))


def turn(target, R):
    """Rotation vector from R to the target, along the root's axes."""
    return pin.log3(target @ R.T)


def twist(target, R):
    """Signed turn about the tool's z that is left of the way from R to the target after the smallest tilt."""
    z, w = pin.Quaternion(R.T @ target).coeffs()[2:]
    return (2.0 * np.arctan2(z, w) + np.pi) % (2.0 * np.pi) - np.pi
