"""Models from MuJoCo: MJCF files, MJCF text, or a compiled `mujoco.MjModel`.

MuJoCo itself reads the file, so defaults, includes, angle units, orientation forms and frames mean here
what they mean there. The tree is then taken over body by body:

- joints keep their order and names, so `qpos` and a configuration list the same joints (see
  `configuration_from_qpos`); a hinge or slide has the number that MuJoCo gives it, `ref` included;
- several joints of one body become a chain of joints, the massless ones first;
- bodies become BODY frames, the world too; sites OP_FRAME, or SENSOR where a sensor sits on one;
- joint equalities become mimic joints on request; armature, damping, friction loss, ranges, effort
  limits of the actuators and gravity are taken over.

What a tree cannot hold stays behind, with a warning that names it: other equalities, gravity
compensation, the range of a ball joint. Springs, tendons, contacts and fluids stay behind silently.
Lengths are metres, angles radians.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidModel, ModelFileError
from pantin.kinematics.joints import JT_FREEFLYER, JointModel
from pantin.kinematics.mjcf.actuation import reflected
from pantin.kinematics.mjcf.couplings import Coupling, read_couplings
from pantin.kinematics.mjcf.names import Names, read_names
from pantin.kinematics.mjcf.source import compile_source, import_mujoco
from pantin.kinematics.mjcf.state import (
    acceleration_from_qacc,
    configuration_from_qpos,
    qacc_from_acceleration,
    qpos_from_configuration,
    qvel_from_velocity,
    velocity_from_qvel,
)
from pantin.kinematics.mjcf.tree import TreeBuilder
from pantin.kinematics.model import Model
from pantin.kinematics.root_joints import as_root_joint
from pantin.kinematics.warn import warn_about_file

if TYPE_CHECKING:
    import mujoco

__all__ = [
    "acceleration_from_qacc",
    "build_model_from_mjcf",
    "configuration_from_qpos",
    "qacc_from_acceleration",
    "qpos_from_configuration",
    "qvel_from_velocity",
    "velocity_from_qvel",
]


def build_model_from_mjcf(
    source: str | os.PathLike[str] | mujoco.MjModel,
    root_joint: JointModel | str | None = None,
    *,
    mimic: bool = False,
    strict: bool = False,
) -> Model:
    """Model of a MuJoCo file, text or compiled model.

    Args:
        source: Path of an MJCF file, MJCF text, or a `mujoco.MjModel` (read as it stands, edits included).
        root_joint: Joint between the world and everything in the file, or its name ("free_flyer", "planar",
            "spherical"); it is called "root_joint". A free flyer is taken as given where the file's only tree
            already has a free joint at its root.
        mimic: Make followers of joints that linear joint equalities couple: they lose their entry in the
            configuration, and the first joint of a coupled group leads.
        strict: Refuse what a tree cannot hold instead of warning.

    Returns:
        The model.

    Raises:
        InvalidArgument: If the source is none of the three, or the root joint is unknown.
        ModelFileNotFound: If there is no such file.
        ModelFileError: If MuJoCo cannot read the source, or `strict` refuses it.
        InvalidModel: If a root joint meets free joints, or couplings contradict each other.
        MissingExtra: If the package `mujoco` is not installed.
    """
    module = import_mujoco()
    compiled, origin = compile_source(module, source)
    names = read_names(compiled)
    couplings, left_out = read_couplings(module, compiled)
    left_out += _left_out(module, compiled, names)
    if left_out:
        sentence = f"a tree cannot hold {', '.join(left_out)}"
        if strict:
            raise ModelFileError(sentence, origin)
        warn_about_file(f"{origin}: {sentence}; left out")
    if not mimic:
        couplings = {}

    tree = TreeBuilder(module, compiled, names, couplings)
    tree.build(_root(module, compiled, names, as_root_joint(root_joint)))
    model = tree.model
    model.name = compiled.names.split(b"\0", 1)[0].decode()
    model.gravity = _gravity(module, compiled)
    _fill_joint_vectors(module, compiled, model, tree.joint_ids, couplings)
    return model


def _gravity(module: Any, source: mujoco.MjModel) -> Array:
    """Gravity of the model's options, m/s^2, zero where it is switched off."""
    off = source.opt.disableflags & int(module.mjtDisableBit.mjDSBL_GRAVITY)
    return np.zeros(3) if off else np.array(source.opt.gravity)


def _root(module: Any, source: mujoco.MjModel, names: Names, root_joint: JointModel | None) -> JointModel | None:
    """The root joint to add, which is none where the file brings its own free flyer.

    Raises:
        InvalidModel: If free joints of the file would escape the root joint.
    """
    free = np.flatnonzero(source.jnt_type == int(module.mjtJoint.mjJNT_FREE))
    if root_joint is None or free.size == 0:
        return root_joint
    body = int(source.jnt_bodyid[free[0]])
    if root_joint.jtype == JT_FREEFLYER and np.count_nonzero(source.body_parentid[1:] == 0) == 1:
        return None
    raise InvalidModel(
        f"root_joint: body {names.bodies[body]!r} already has a free joint, which ties it to the world and "
        "not to another root; leave root_joint out"
    )


def _left_out(module: Any, source: mujoco.MjModel, names: Names) -> list[str]:
    """What of the joints and bodies a tree cannot hold, one phrase each."""
    balls = (source.jnt_type == int(module.mjtJoint.mjJNT_BALL)) & (source.jnt_limited != 0)
    return [
        *(f"the range of ball joint {names.joints[j]!r}" for j in np.flatnonzero(balls)),
        *(f"the gravity compensation of body {names.bodies[b]!r}" for b in np.flatnonzero(source.body_gravcomp)),
    ]


def _fill_joint_vectors(
    module: Any, source: mujoco.MjModel, model: Model, ids: dict[int, int], couplings: dict[int, Coupling]
) -> None:
    """Armature, damping and friction of each entry of the velocity.

    A follower that moves m times as fast adds m^2 of its armature and damping to its master, and |m|
    of its friction.
    """
    rotor, drag = reflected(module, source, "armature"), reflected(module, source, "damping")
    armature, damping, friction = (np.zeros(model.nv) for _ in range(3))
    for dof in range(source.nv):
        joint = int(source.dof_jntid[dof])
        leader, ratio, _ = couplings.get(joint, Coupling(joint, 1.0, 0.0))
        entry = model.joints[ids[leader]].idx_v + dof - int(source.jnt_dofadr[joint])
        armature[entry] += ratio**2 * (source.dof_armature[dof] + rotor[joint])
        damping[entry] += ratio**2 * (source.dof_damping[dof] + drag[joint])
        friction[entry] += abs(ratio) * source.dof_frictionloss[dof]
    model.armature, model.damping, model.friction = armature, damping, friction
