"""The scenes of the control step: arms that move their tool, humanoids that keep their feet where they are.

The path of a scene is what one smooth motion of the robot does, so that all its tasks can be met at once. Robots come
from the package `example-robot-data`; where it is not installed there are no scenes.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import pantin.kinematics as kin
from pantin import Problem
from pantin.arrays import Array
from pantin.kinematics.batch import center_of_mass, frame_placements
from peers.step_scene import Scene, Wish
from robots import DATA, Robot

#: Duration of a step, s, and steps of a path.
DT, STEPS = 0.005, 400

#: Humanoids may not turn their joints faster, rad/s, so that velocity limits matter.
_HUMANOID_SPEED = 2.0

#: Distance that a humanoid's reference motion keeps to the limits, rad.
_MARGIN = 0.05


@dataclass(frozen=True)
class Plain(Robot):
    """A robot whose joints all move on their own, none faster than its speed, rad/s."""

    speed: float = np.inf

    @cached_property
    def urdf(self) -> str:
        """The file's text without shapes and followers."""
        robot = ET.fromstring(super().urdf)
        for joint in robot.iter("joint"):
            for mimic in joint.findall("mimic"):
                joint.remove(mimic)
            for limit in joint.findall("limit"):
                limit.set("velocity", repr(min(self.speed, float(limit.get("velocity", "inf")))))
        return ET.tostring(robot, encoding="unicode")


@dataclass(frozen=True)
class Arm:
    """An arm, its tool, and where it starts."""

    file: str
    tool: str
    start: tuple[float, ...]
    locked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Humanoid:
    """A humanoid, its frames, how it stands, and parts of the names of the joints that swing its arms."""

    file: str
    base: str
    feet: tuple[str, str]
    hands: tuple[str, str]
    stance: dict[str, float]
    arms: tuple[str, ...]


_ARMS = {
    "Panda": Arm(
        "panda_description/urdf/panda.urdf",
        "panda_hand_tcp",
        (0.0, -0.5, 0.0, -2.0, 0.0, 1.6, 0.8),
        ("panda_finger_joint1", "panda_finger_joint2"),
    ),
    "UR5": Arm("ur_description/urdf/ur5_robot.urdf", "tool0", (0.3, -1.2, 1.5, -1.8, -1.5, 0.2)),
}

_BENT_LEG = {"hip_pitch": -0.4, "knee": 0.8, "ankle_pitch": -0.4}
_G1 = Humanoid(
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "pelvis",
    ("left_ankle_roll_link", "right_ankle_roll_link"),
    ("left_rubber_hand", "right_rubber_hand"),
    {
        **{f"{side}_{joint}_joint": angle for side in ("left", "right") for joint, angle in _BENT_LEG.items()},
        **{f"{side}_shoulder_pitch_joint": 0.2 for side in ("left", "right")},
        **{f"{side}_elbow_joint": 0.8 for side in ("left", "right")},
        "left_shoulder_roll_joint": 0.3,
        "right_shoulder_roll_joint": -0.3,
    },
    ("shoulder", "elbow"),
)
_TALOS = Humanoid(
    "talos_data/robots/talos_full_v2.urdf",
    "base_link",
    ("left_sole_link", "right_sole_link"),
    ("gripper_left_base_link", "gripper_right_base_link"),
    {
        **{
            f"leg_{side}_{k}_joint": angle
            for side in ("left", "right")
            for k, angle in ((3, -0.4), (4, 0.8), (5, -0.4))
        },
        **{f"arm_left_{k + 1}_joint": angle for k, angle in enumerate((0.3, 0.4, -0.5, -1.5))},
        **{f"arm_right_{k + 1}_joint": angle for k, angle in enumerate((-0.3, -0.4, 0.5, -1.5))},
    },
    ("arm_left_", "arm_right_"),
)


def scenes() -> list[Scene]:
    """All scenes whose robots are installed."""
    if not DATA.is_dir():
        return []
    g1, talos = _humanoid("G1", _G1), _humanoid("Talos", _TALOS)
    return [*(_arm(name, arm) for name, arm in _ARMS.items()), _without_hands(g1), g1, talos]


def _arm(name: str, arm: Arm) -> Scene:
    """The tool follows a swing of all joints; the posture is what little else there is to choose."""
    robot = Plain(name, DATA / arm.file, arm.tool, locked=arm.locked)
    reach = 0.35 * np.linspace(0.7, 1.3, robot.model.nq)
    q = np.array(arm.start) + np.outer(_swing(), reach)
    return _scene(name, robot, q, (_frame(robot, q, arm.tool, 1.0, 1.0), Wish("posture", 1e-3)))


def _humanoid(name: str, humanoid: Humanoid) -> Scene:
    """Feet stay, the base sways, sinks and turns, the arms swing; the centre of mass and the hands go along."""
    robot = Plain(name, DATA / humanoid.file, humanoid.base, floating=True, speed=_HUMANOID_SPEED)
    q = _sway(robot.model, humanoid)
    com = np.array([center_of_mass(robot.model, one) for one in q])
    wishes = (
        _frame(robot, q, humanoid.base, 1.0, 1.0),
        *(_frame(robot, q, foot, 10.0, 10.0) for foot in humanoid.feet),
        Wish("com", 5.0, targets=com),
        *(_frame(robot, q, hand, 2.0, 1.0) for hand in humanoid.hands),
        Wish("posture", 1e-2),
    )
    return _scene(f"{name} + hands", robot, q, wishes)


def _without_hands(scene: Scene) -> Scene:
    """The same robot and motion, with nothing asked of the hands."""
    wishes = tuple(wish for wish in scene.wishes if wish.frame not in _G1.hands)
    return replace(scene, name="G1 feet + CoM", wishes=wishes)


def _sway(model: kin.Model, humanoid: Humanoid) -> Array:
    """Configurations of the whole motion, shape (STEPS, nq)."""
    low, high = model.lower_position_limit[7:] + _MARGIN, model.upper_position_limit[7:] - _MARGIN
    low, high = np.minimum(low, 0.5 * (low + high)), np.maximum(high, 0.5 * (low + high))
    q = kin.neutral(model)
    for joint, angle in humanoid.stance.items():
        q[model.joints[model.get_joint_id(joint)].idx_q] = angle
    q[7:] = np.clip(q[7:], low, high)
    swung = [
        joint.idx_q
        for joint_name, joint in zip(model.names, model.joints, strict=True)
        if any(part in joint_name for part in humanoid.arms) and "gripper" not in joint_name
    ]
    problem = Problem(model)
    for foot in humanoid.feet:
        problem.add_frame(foot, frame_placements(model, foot, q))
    middle = kin.SE3(frame_placements(model, humanoid.base, q))
    base = problem.add_frame(humanoid.base, middle)
    posture = problem.add_posture(q)
    first, found = q, []
    for part in _swing():
        turn = kin.exp3(part * np.array([0.03, 0.08, 0.1]))
        shift = np.array([0.02 * part, 0.04 * part, -0.05 * part * part])
        base.target = kin.SE3(turn @ middle.rotation, middle.translation + shift)
        wanted = first.copy()
        wanted[swung] += 0.4 * part * np.cos(np.arange(len(swung)))
        wanted[7:] = np.clip(wanted[7:], low, high)
        posture.target = wanted
        q = problem.solve(q).q
        found.append(q)
    return np.array(found)


def _swing() -> Array:
    """From 0 to 1, over 0 to -1 and back on the way, starting and ending at rest, shape (STEPS,)."""
    s = np.linspace(0.0, 1.0, STEPS)
    return np.sin(1.5 * np.pi * (s - np.sin(2.0 * np.pi * s) / (2.0 * np.pi)))


def _frame(robot: Robot, q: Array, frame: str, cost: float, turn_cost: float) -> Wish:
    return Wish("frame", cost, turn_cost, frame, frame_placements(robot.model, frame, q))


def _scene(name: str, robot: Robot, q: Array, wishes: tuple[Wish, ...]) -> Scene:
    model = robot.model
    joints = tuple(joint for joint in model.names[1:] if joint != "root_joint")
    count = len(joints)
    limits = (model.lower_position_limit, model.upper_position_limit, model.velocity_limit)
    lower, upper, speed = (np.array(limit[-count:]) for limit in limits)
    return Scene(name, robot.urdf, robot.floating, joints, lower, upper, speed, q[0], wishes, DT)
