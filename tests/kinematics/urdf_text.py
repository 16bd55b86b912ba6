"""Small URDF documents for the tests, and where their frames are."""

from __future__ import annotations

import numpy as np

from pantin.kinematics.algorithms import forward_kinematics, update_frame_placements

LIMIT = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'


def robot(*parts, attributes='name="test"'):
    return f"<robot {attributes}>\n" + "\n".join(parts) + "\n</robot>"


def link(name, mass=None):
    if mass is None:
        return f'<link name="{name}"/>'
    return (
        f'<link name="{name}"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><mass value="{mass}"/>'
        '<inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="3"/></inertial></link>'
    )


def joint(name, kind, parent, child, inside="", origin='<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{origin}{inside}</joint>'


def one_joint(kind, inside="", **more):
    return robot(link("base"), link("tip", 1.0), joint("j", kind, "base", "tip", inside, **more))


def chain(count, kind="continuous"):
    links = [f'<link name="l{i}"/>' for i in range(count + 1)]
    joints = [
        f'<joint name="j{i}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/></joint>' for i in range(count)
    ]
    return robot(*links, *joints)


def star(count, kind="continuous"):
    links = [f'<link name="l{i}"/>' for i in range(count + 1)]
    joints = [
        f'<joint name="j{i}" type="{kind}"><parent link="l0"/><child link="l{i + 1}"/></joint>' for i in range(count)
    ]
    return robot(*links, *joints)


def frame_poses(model, q):
    data = model.create_data()
    forward_kinematics(model, data, q)
    update_frame_placements(model, data)
    return {(frame.name, frame.type): data.oMf[i].homogeneous.copy() for i, frame in enumerate(model.frames)}


def turn(axis, angle):
    return about(np.eye(3)[axis], angle)


def about(axis, angle):
    """Rotation about a unit axis (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


TREE = [
    link("torso", 3.0),
    link("Arm", 1.0),
    link("hand"),
    link("tool", 0.5),
    link("leg", 2.0),
    link("fuß", 0.25),
    link("camera", 0.1),
    joint("shoulder", "revolute", "torso", "Arm", f'<axis xyz="0 1 0"/>{LIMIT}<dynamics damping="0.5"/>'),
    joint("wrist", "continuous", "Arm", "hand", '<axis xyz="0 3 4"/><dynamics friction="0.25"/>'),
    joint("weld", "fixed", "hand", "tool", '<axis xyz="0 0 0"/>'),
    joint("Hip", "prismatic", "torso", "leg", f'<axis xyz="0 0 -2"/>{LIMIT}'),
    joint("über", "floating", "leg", "fuß", LIMIT),
    joint("mount", "fixed", "torso", "camera"),
]
