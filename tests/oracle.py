"""Outside witnesses: a model of ours as Pinocchio's or Pinker's, and Pinocchio's as ours."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import numpy as np

from pantin.kinematics import SE3, Frame, FrameType, Inertia, JointModel, Model
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_HELICAL,
    JT_PLANAR,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
)

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"

#: Our joint kind and axis (None: the joint's own) of Pinocchio's short names.
_FROM_PIN = {
    **{f"JointModelR{a}": (JT_REVOLUTE, i) for i, a in enumerate("XYZ")},
    **{f"JointModelP{a}": (JT_PRISMATIC, i) for i, a in enumerate("XYZ")},
    **{f"JointModelRUB{a}": (JT_REVOLUTE_UNBOUNDED, i) for i, a in enumerate("XYZ")},
    **{f"JointModelH{a}": (JT_HELICAL, i) for i, a in enumerate("XYZ")},
    "JointModelRevoluteUnaligned": (JT_REVOLUTE, None),
    "JointModelPrismaticUnaligned": (JT_PRISMATIC, None),
    "JointModelRevoluteUnboundedUnaligned": (JT_REVOLUTE_UNBOUNDED, None),
    "JointModelHelicalUnaligned": (JT_HELICAL, None),
    "JointModelSpherical": (JT_SPHERICAL, None),
    "JointModelPlanar": (JT_PLANAR, None),
    "JointModelFreeFlyer": (JT_FREEFLYER, None),
}


def from_pinocchio(theirs):
    """Our model of a `pinocchio.Model`, joint by joint and frame by frame; composite joints are not ours."""
    ours = Model()
    ours.name = theirs.name
    for i in range(1, theirs.njoints):
        joint = theirs.joints[i]
        q, v = slice(joint.idx_q, joint.idx_q + joint.nq), slice(joint.idx_v, joint.idx_v + joint.nv)
        ours.add_joint(
            theirs.parents[i],
            _our_joint(joint),
            _our_pose(theirs.jointPlacements[i]),
            theirs.names[i],
            theirs.effortLimit[v],
            theirs.velocityLimit[v],
            theirs.lowerPositionLimit[q],
            theirs.upperPositionLimit[q],
        )
    for i in range(theirs.njoints):
        body = theirs.inertias[i]
        ours.inertias[i] = Inertia(body.mass, body.lever, body.inertia)
    for frame in list(theirs.frames)[1:]:
        kind = FrameType(int(frame.type))
        pose = _our_pose(frame.placement)
        ours.add_frame(Frame(frame.name, frame.parentJoint, frame.parentFrame, pose, kind))
    ours.armature = theirs.armature
    ours.gravity = theirs.gravity.linear
    return ours


def _our_joint(joint):
    kind, along = _FROM_PIN[joint.shortname()]
    own = joint.extract()
    axis = getattr(own, "axis", None) if along is None else np.eye(3)[along]
    if kind == JT_REVOLUTE_UNBOUNDED and axis is None:
        axis = _axis_of(joint)
    lead = own.pitch * 2.0 * np.pi if kind == JT_HELICAL else 0.0  # Pinocchio's pitch is per radian
    return JointModel(kind, axis, lead=lead)


def _axis_of(joint):
    """Axis of a joint whose class does not tell it, from its motion subspace."""
    data = joint.createData()
    joint.calc(data, np.array([1.0, 0.0]))
    return np.asarray(data.S).reshape(6)[3:]


def _our_pose(pose):
    return SE3(pose.rotation, pose.translation)


def to_pinocchio(ours):
    """`pinocchio.Model` of our model, which has no mimic joints."""
    import pinocchio as pin

    def pose(ours):
        return pin.SE3(ours.rotation.copy(), ours.translation.copy())

    def joint(ours):
        name = ours.shortname()
        if ours.jtype == JT_REVOLUTE_UNBOUNDED and name.endswith("Unaligned"):
            return _pin_continuous(ours.axis)
        if ours.jtype == JT_HELICAL:
            pitch = ours.lead / (2.0 * np.pi)
            return pin.JointModelHelicalUnaligned(ours.axis, pitch)
        return getattr(pin, name)(*([ours.axis] if name.endswith("Unaligned") else []))

    theirs = pin.Model()
    theirs.name = ours.name
    for i in range(1, ours.njoints):
        own = ours.joints[i]
        q, v = slice(own.idx_q, own.idx_q + own.nq), slice(own.idx_v, own.idx_v + own.nv)
        theirs.addJoint(
            ours.parents[i],
            joint(own),
            pose(ours.joint_placements[i]),
            ours.names[i],
            ours.effort_limit[v].copy(),
            ours.velocity_limit[v].copy(),
            ours.lower_position_limit[q].copy(),
            ours.upper_position_limit[q].copy(),
        )
    for i in range(ours.njoints):
        body = ours.inertias[i]
        theirs.inertias[i] = pin.Inertia(body.mass, body.lever.copy(), body.inertia.copy())
    for frame in ours.frames[1:]:
        kind = pin.FrameType.values[int(frame.type)]
        theirs.addFrame(
            pin.Frame(frame.name, frame.parent_joint, frame.parent_frame, pose(frame.placement), kind), False
        )
    theirs.armature = ours.armature.copy()
    theirs.gravity.linear = ours.gravity.copy()
    return theirs


def _pin_continuous(axis):
    """Pinocchio's continuous joint about any axis, which its Python makes from URDF only."""
    import pinocchio as pin

    x, y, z = (repr(float(component)) for component in axis)
    return pin.buildModelFromXML(
        f"""<robot name="r"><link name="a"/><link name="b"/>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="{x} {y} {z}"/></joint>
        </robot>"""
    ).joints[1]


def to_pinker(ours):
    """`pinker.kinematics.Model` of our model, which has neither mimic nor helical joints."""
    import pinker.kinematics as pk
    from pinker.kinematics.joints import JointModel as PinkerJoint

    def pose(ours):
        return pk.SE3(ours.rotation.copy(), ours.translation.copy())

    theirs = pk.Model()
    theirs.name = ours.name
    for i in range(1, ours.njoints):
        own = ours.joints[i]
        q, v = slice(own.idx_q, own.idx_q + own.nq), slice(own.idx_v, own.idx_v + own.nv)
        theirs.add_joint(
            ours.parents[i],
            PinkerJoint(own.jtype, None if own.axis is None else own.axis.copy()),
            pose(ours.joint_placements[i]),
            ours.names[i],
            ours.effort_limit[v].copy(),
            ours.velocity_limit[v].copy(),
            ours.lower_position_limit[q].copy(),
            ours.upper_position_limit[q].copy(),
        )
        body = ours.inertias[i]
        theirs.append_body_to_joint(i, pk.Inertia(body.mass, body.lever.copy(), body.inertia.copy()))
    for frame in ours.frames[1:]:
        kind = pk.FrameType(int(frame.type))
        theirs.add_frame(pk.Frame(frame.name, frame.parent_joint, frame.parent_frame, pose(frame.placement), kind))
    return theirs
