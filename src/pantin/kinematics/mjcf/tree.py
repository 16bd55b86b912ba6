"""Bodies, joints and sites of a MuJoCo model, put one by one into a `Model`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.kinematics.frames import Frame, FrameType
from pantin.kinematics.inertia import Inertia
from pantin.kinematics.joints import (
    JT_PRISMATIC,
    JT_REVOLUTE,
    JointModel,
    JointModelFreeFlyer,
    JointModelMimic,
    JointModelSpherical,
)
from pantin.kinematics.mjcf.actuation import joint_efforts
from pantin.kinematics.mjcf.couplings import Coupling
from pantin.kinematics.mjcf.names import Names
from pantin.kinematics.model import Model
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import exp3, quaternion_to_matrix

if TYPE_CHECKING:
    import mujoco

__all__ = ["TreeBuilder"]


class _Place(NamedTuple):
    """A MuJoCo body's frame as it hangs on a joint of the model, and the last frame on the way to it."""

    joint: int
    placement: SE3
    frame: int


class TreeBuilder:
    """Fills a model from a compiled MuJoCo model.

    Attributes:
        model: The model, filled by `build`.
        joint_ids: Model joint of each MuJoCo joint.
    """

    def __init__(self, module: Any, source: mujoco.MjModel, names: Names, couplings: dict[int, Coupling]) -> None:
        self.model = Model()
        self.joint_ids: dict[int, int] = {}
        self._mujoco = module
        self._source = source
        self._names = names
        self._couplings = couplings
        self._efforts = joint_efforts(module, source)
        self._sites = _site_types(module, source)
        self._places: list[_Place] = []

    def build(self, root_joint: JointModel | None) -> None:
        """Adds everything, below a root joint where one is given."""
        place = _Place(0, SE3.Identity(), 0)
        if root_joint is not None:
            joint = self.model.add_joint(0, root_joint, SE3.Identity(), "root_joint")
            place = _Place(joint, SE3.Identity(), self.model.add_joint_frame(joint, 0))
        for body in range(self._source.nbody):
            self._add_body(body, place if body == 0 else self._places[self._source.body_parentid[body]])

    def _add_body(self, body: int, parent: _Place) -> None:
        """Adds a body with its joints, inertia and sites below its parent body."""
        source = self._source
        local = SE3(_rotation(source.body_quat[body]), source.body_pos[body].copy())
        place = _Place(parent.joint, parent.placement * local, parent.frame)
        first = int(source.body_jntadr[body])
        for joint in range(first, first + int(source.body_jntnum[body])):
            place = self._add_joint(joint, place)

        frame = self.model.add_body_frame(self._names.bodies[body], place.joint, place.placement, place.frame)
        self._places.append(place._replace(frame=frame))
        if source.body_mass[body] > 0.0:
            axes = _rotation(source.body_iquat[body])
            inertia = axes @ np.diag(source.body_inertia[body]) @ axes.T
            lever = source.body_ipos[body].copy()
            self.model.append_body_to_joint(
                place.joint, Inertia(float(source.body_mass[body]), lever, inertia), place.placement
            )
        for site in np.flatnonzero(source.site_bodyid == body):
            local = SE3(_rotation(source.site_quat[site]), source.site_pos[site].copy())
            name, kind = self._names.sites[site], self._sites[site]
            self.model.add_frame(Frame(name, place.joint, frame, place.placement * local, kind))

    def _add_joint(self, joint: int, body: _Place) -> _Place:
        """Adds a joint of a body, and returns where the body's frame then sits.

        The joint's frame is the body's, moved to the joint's anchor. A hinge or slide is moved back by
        `ref`, its number in the pose of the file, so that its number here is MuJoCo's.
        """
        source, kinds = self._source, self._mujoco.mjtJoint
        kind = source.jnt_type[joint]
        if kind == int(kinds.mjJNT_FREE):
            return self._put(joint, JointModelFreeFlyer(), body, SE3.Identity(), SE3.Identity())
        anchor = SE3(np.eye(3), source.jnt_pos[joint].copy())
        placement = body.placement * anchor
        if kind == int(kinds.mjJNT_BALL):
            return self._put(joint, JointModelSpherical(), body, placement, anchor.inverse())
        axis = source.jnt_axis[joint] / np.linalg.norm(source.jnt_axis[joint])
        back = -float(source.qpos0[source.jnt_qposadr[joint]]) * axis
        if kind == int(kinds.mjJNT_HINGE):
            moved_back, model_joint = SE3(exp3(back), np.zeros(3)), JointModel(JT_REVOLUTE, axis)
        else:
            moved_back, model_joint = SE3(np.eye(3), back), JointModel(JT_PRISMATIC, axis)
        return self._put(joint, model_joint, body, placement * moved_back, anchor.inverse())

    def _put(self, joint: int, model_joint: JointModel, body: _Place, placement: SE3, body_in_joint: SE3) -> _Place:
        """Adds a joint to the model, with its limits, its master where it has one, and its frame."""
        bounds: dict[str, Array] = {}
        if model_joint.nq == 1:
            limited = bool(self._source.jnt_limited[joint])
            lower, upper = self._source.jnt_range[joint] if limited else (-np.inf, np.inf)
            bounds = {
                "max_effort": np.array([self._efforts[joint]]),
                "min_config": np.array([lower]),
                "max_config": np.array([upper]),
            }
        coupling = self._couplings.get(joint)
        if coupling is not None:
            master = self.joint_ids[coupling.master]
            model_joint = JointModelMimic(model_joint, master, coupling.multiplier, coupling.offset)
        index = self.model.add_joint(body.joint, model_joint, placement, self._names.joints[joint], **bounds)
        self.joint_ids[joint] = index
        frame = Frame(self._names.joint_frames[joint], index, body.frame, SE3.Identity(), FrameType.JOINT)
        return _Place(index, body_in_joint, self.model.add_frame(frame))


def _rotation(quaternion_wxyz: Array) -> Array:
    """Rotation matrix of a MuJoCo quaternion of any length."""
    return quaternion_to_matrix(np.roll(quaternion_wxyz / np.linalg.norm(quaternion_wxyz), -1))


def _site_types(module: Any, source: mujoco.MjModel) -> list[FrameType]:
    """SENSOR for a site that a sensor sits on, OP_FRAME for any other."""
    on_site = source.sensor_objtype == int(module.mjtObj.mjOBJ_SITE)
    sensing = set(source.sensor_objid[on_site].tolist())
    return [FrameType.SENSOR if site in sensing else FrameType.OP_FRAME for site in range(source.nsite)]
