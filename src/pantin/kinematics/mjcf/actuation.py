"""What the actuators of a MuJoCo model say of its joints: effort limits, rotor inertia, damping."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pantin.arrays import Array

if TYPE_CHECKING:
    import mujoco

__all__ = ["joint_efforts", "reflected"]


def joint_efforts(mujoco_module: Any, source: mujoco.MjModel) -> Array:
    """Largest effort that the actuators can put on each hinge and slide.

    It is the joint's `actuatorfrcrange` where there is one, and the sum over the joint's actuators
    of gear times force range otherwise; a motor without force range has gain times control range.

    Returns:
        Shape `(njnt,)`, N m or N; infinite where nothing bounds it.
    """
    efforts = np.full(source.njnt, np.inf)
    for joint in range(source.njnt):
        if source.jnt_actfrclimited[joint]:
            efforts[joint] = np.abs(source.jnt_actfrcrange[joint]).max()
    bounded = np.isfinite(efforts)
    sums = np.zeros(source.njnt)
    for actuator, joint in _joint_actuators(mujoco_module, source):
        gear = abs(source.actuator_gear[actuator, 0])
        sums[joint] += gear * _largest_force(mujoco_module, source, actuator)
    driven = sums > 0.0
    efforts[driven & ~bounded] = sums[driven & ~bounded]
    return efforts


def reflected(mujoco_module: Any, source: mujoco.MjModel, field: str) -> Array:
    """Rotor inertia or damping of the actuators, seen from the hinges and slides they drive.

    Args:
        mujoco_module: The module `mujoco`.
        source: Compiled model.
        field: `"armature"` or `"damping"`, in the actuator's own unit; older MuJoCo has neither.

    Returns:
        Sum of gear squared times the field, shape `(njnt,)`.
    """
    sums = np.zeros(source.njnt)
    values = getattr(source, f"actuator_{field}", None)
    if values is not None:
        for actuator, joint in _joint_actuators(mujoco_module, source):
            sums[joint] += source.actuator_gear[actuator, 0] ** 2 * values[actuator]
    return sums


def _joint_actuators(mujoco_module: Any, source: mujoco.MjModel) -> list[tuple[int, int]]:
    """Pairs of an actuator and the hinge or slide that it drives."""
    transmissions = (int(mujoco_module.mjtTrn.mjTRN_JOINT), int(mujoco_module.mjtTrn.mjTRN_JOINTINPARENT))
    scalar = (int(mujoco_module.mjtJoint.mjJNT_HINGE), int(mujoco_module.mjtJoint.mjJNT_SLIDE))
    return [
        (actuator, int(source.actuator_trnid[actuator, 0]))
        for actuator in range(source.nu)
        if source.actuator_trntype[actuator] in transmissions
        and source.jnt_type[source.actuator_trnid[actuator, 0]] in scalar
    ]


def _largest_force(mujoco_module: Any, source: mujoco.MjModel, actuator: int) -> float:
    """Largest force of an actuator before its gear, infinite where nothing bounds it."""
    if source.actuator_forcelimited[actuator]:
        return float(np.abs(source.actuator_forcerange[actuator]).max())
    is_motor = (
        source.actuator_gaintype[actuator] == int(mujoco_module.mjtGain.mjGAIN_FIXED)
        and source.actuator_biastype[actuator] == int(mujoco_module.mjtBias.mjBIAS_NONE)
        and source.actuator_dyntype[actuator] == int(mujoco_module.mjtDyn.mjDYN_NONE)
    )
    if is_motor and source.actuator_ctrllimited[actuator]:
        gain = abs(float(source.actuator_gainprm[actuator, 0]))
        return gain * float(np.abs(source.actuator_ctrlrange[actuator]).max())
    return np.inf
