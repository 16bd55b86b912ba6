"""Scenes that Pinker and pantin play alike: robots of `example-robot-data`, and what is asked of them.

A scene is written once, in Pinker's words; `words` gives these words the meaning of either package.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from oracle import ROBOTS
from pantin.errors import ModelFileWarning

DT = 0.005


@functools.cache
def words(package):
    """Every name of a package that scenes use."""
    names = {}
    for part in ("kinematics", "tasks", "limits", "barriers"):
        module = importlib.import_module(f"{package}.{part}")
        names |= {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
    face = importlib.import_module(package)
    tops = ("Configuration", "build_ik", "solve_ik", "load_robot_urdf")
    return SimpleNamespace(**names | {name: getattr(face, name) for name in tops}, package=package)


@dataclasses.dataclass
class Stage:
    """What a scene asks of one package's robot.

    Attributes:
        configuration: Where the robot starts.
        tasks, limits, barriers, constraints: What `solve_ik` takes.
        drive: Sets the targets for a time, s.
        after: Tells tasks and limits the velocity of the last step.
    """

    configuration: object
    tasks: list
    limits: list | None = None
    barriers: list | None = None
    constraints: list | None = None
    drive: object = lambda time: None
    after: object = lambda velocity: None


SCENES = {}


def scene(file, root=None, **bends):
    """Register a scene on a robot, whose joints of some names start at some angles."""

    def register(play):
        SCENES[play.__name__] = lambda package: _play(play, words(package), ROBOTS / file, root, bends)
        return play

    return register


def _play(play, lib, path, root, bends):
    if not path.is_file():
        pytest.skip("example-robot-data is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        robot = lib.load_robot_urdf(str(path), root_joint=root)
    return play(lib, lib.Configuration(robot.model, robot.data, start(robot.model, lib.neutral(robot.model), bends)))


def start(model, q, bends):
    """A neutral q, off the limits, with each joint whose name ends as told at its angle."""
    for joint in model.joints[1:]:
        low, high = (limit[joint.idx_q] for limit in (model.lower_position_limit, model.upper_position_limit))
        if joint.nq == 1 and high - low < 1e3:
            q[joint.idx_q] = np.clip(0.0, low + 0.1 * (high - low), high - 0.1 * (high - low))
    for name, angle in bends.items():
        found = [i for i in range(1, model.njoints) if model.names[i].endswith(name)]
        assert found, name
        for i in found:
            q[model.joints[i].idx_q] = angle
    return q


def circling(lib, task, configuration, radius=0.08, turn=0.4, period=1.0, away=0.0):
    """Function of time that leads a frame task about where its frame is, and away from there over the time."""
    if hasattr(task, "root"):
        origin = configuration.get_transform(task.frame, task.root)
    else:
        origin = configuration.get_transform_frame_to_world(task.frame)

    def drive(time):
        angle = 2.0 * np.pi * time / period
        shift = [radius * np.sin(angle) + away * time, radius * (1.0 - np.cos(angle)), 0.5 * radius * np.sin(2 * angle)]
        task.set_target(origin * lib.exp6(np.array([*shift, turn * np.sin(angle), 0.0, 0.5 * turn * np.sin(angle)])))

    return drive


def still(configuration, *tasks):
    """The tasks, with where things are as their targets."""
    for task in tasks:
        task.set_target_from_configuration(configuration)
    return list(tasks)


def together(*drives):
    """One function of several."""

    def drive(value):
        for one in drives:
            one(value)

    return drive


def swaying(task, configuration, amplitude, period=1.0):
    """Function of time that leads the centre of mass about where it is."""
    task.set_target_from_configuration(configuration)
    origin = np.array(task.target_com)

    def drive(time):
        angle = 2.0 * np.pi * time / period
        task.set_target(origin + amplitude * np.array([0.3 * np.sin(angle), np.sin(2 * angle), np.cos(angle) - 1.0]))

    return drive


@scene("panda_description/urdf/panda.urdf", panda_joint2=-0.5, panda_joint4=-2.0, panda_joint6=1.6)
def panda_circles(lib, configuration):
    hand = lib.FrameTask("panda_hand_tcp", position_cost=1.0, orientation_cost=0.75)
    posture = lib.PostureTask(cost=1e-2)
    return Stage(
        configuration, [hand, *still(configuration, posture)], drive=circling(lib, hand, configuration, radius=0.15)
    )


@scene("ur_description/urdf/ur5_robot.urdf", shoulder_lift_joint=-1.2, elbow_joint=1.5, wrist_2_joint=0.8)
def ur5_reaches_too_far(lib, configuration):
    hand = lib.FrameTask("ee_link", position_cost=[10.0, 5.0, 8.0], orientation_cost=1.0, lm_damping=0.5, gain=0.6)
    limits = [
        lib.ConfigurationLimit(configuration.model, config_limit_gain=0.3),
        lib.VelocityLimit(configuration.model, np.linspace(0.4, 0.9, 6)),
    ]
    return Stage(
        configuration,
        [hand, lib.DampingTask(cost=0.05)],
        limits,
        drive=circling(lib, hand, configuration, away=0.5),
    )


@scene("ur_description/urdf/ur10_robot.urdf", shoulder_lift_joint=-1.0, elbow_joint=1.2, wrist_2_joint=-0.7)
def ur10_accelerates_gently(lib, configuration):
    hand = lib.FrameTask("tool0", position_cost=2.0, orientation_cost=0.0)
    smooth = lib.LowAccelerationTask(cost=0.02)
    acceleration = lib.AccelerationLimit(configuration.model, np.full(6, 3.0))

    def after(velocity):
        smooth.set_last_integration(velocity, DT)
        acceleration.set_last_integration(velocity, DT)

    return Stage(
        configuration,
        [hand, smooth, *still(configuration, lib.PostureTask(cost=0.05, gain=0.1))],
        [acceleration, *configuration.default_limits],
        drive=circling(lib, hand, configuration, radius=0.12, period=2.0),
        after=after,
    )


@scene("kinova_description/robots/kinova.urdf", joint_2=2.5, joint_3=1.5, joint_5=2.0)
def kinova_behind_a_wall(lib, configuration):
    hand = lib.FrameTask("j2s6s200_end_effector", position_cost=5.0, orientation_cost=1.0)
    height = configuration.get_transform_frame_to_world("j2s6s200_end_effector").translation[2]
    wall = lib.PositionBarrier(
        "j2s6s200_end_effector", indices=[2], p_max=np.array([height + 0.03]), gain=np.array([20.0])
    )
    return Stage(
        configuration,
        [hand, *still(configuration, lib.PostureTask(cost=0.02))],
        [lib.VelocityLimit(configuration.model, np.full(6, 2.0)), lib.ConfigurationLimit(configuration.model)],
        [wall],
        drive=circling(lib, hand, configuration, radius=0.1),
    )


@scene("xarm_description/urdf/xarm7.urdf", joint2=-0.6, joint4=1.2, joint6=1.0)
def xarm7_keeps_dexterous(lib, configuration):
    hand = lib.FrameTask("link_eef", position_cost=1.0, orientation_cost=0.3, lm_damping=1e-3)
    dexterity = lib.ManipulabilityTask("link_eef", configuration.model, cost=0.3, manipulability_rate=0.02)
    return Stage(
        configuration,
        [hand, dexterity, lib.DampingTask(cost=0.03)],
        drive=circling(lib, hand, configuration, radius=0.1),
    )


@scene("baxter_description/urdf/baxter.urdf", s1=-0.5, e1=1.2, w1=0.9, left_s0=-0.3, right_s0=0.3)
def baxter_holds_a_box(lib, configuration):
    left = lib.FrameTask("left_gripper", position_cost=3.0, orientation_cost=1.0)
    right = lib.RelativeFrameTask("right_gripper", "left_gripper", position_cost=5.0, orientation_cost=1.0)
    elbows = lib.BodySphericalBarrier(("left_lower_elbow", "right_lower_elbow"), d_min=0.4, gain=5.0)
    return Stage(
        configuration,
        [left, *still(configuration, right, lib.PostureTask(cost=0.03))],
        barriers=[elbows],
        drive=circling(lib, left, configuration, radius=0.1),
    )


@scene("baxter_description/urdf/baxter.urdf", s1=-0.5, e1=1.2, w1=0.9, left_s0=-0.3, right_s0=0.3)
def baxter_holds_a_rod(lib, configuration):
    left = lib.FrameTask("left_gripper", position_cost=3.0, orientation_cost=0.2)
    rod = lib.RelativeFrameTask("right_gripper", "left_gripper", position_cost=1.0, orientation_cost=1.0, gain=0.5)
    return Stage(
        configuration,
        [left, *still(configuration, lib.PostureTask(cost=0.03))],
        constraints=still(configuration, rod),
        drive=circling(lib, left, configuration, radius=0.06, turn=0.1),
    )


@scene(
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "free_flyer",
    hip_pitch_joint=-0.3,
    knee_joint=0.6,
    ankle_pitch_joint=-0.3,
)
def g1_sways(lib, configuration):
    feet = [
        lib.FrameTask(f"{side}_ankle_roll_link", 10.0 * np.ones(3), 10.0 * np.ones(3)) for side in ("left", "right")
    ]
    com = lib.ComTask(cost=5.0)
    return Stage(
        configuration,
        [*still(configuration, *feet, lib.PostureTask(cost=0.1)), com],
        drive=swaying(com, configuration, 0.06),
    )


@scene(
    "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "free_flyer",
    hip_pitch_joint=-0.4,
    knee_joint=0.8,
    ankle_pitch_joint=-0.4,
)
def g1_works_with_its_hands(lib, configuration):
    feet = [lib.FrameTask(f"{side}_ankle_roll_link", 1.0, 1.0, gain=0.8) for side in ("left", "right")]
    hands = [lib.FrameTask(f"{side}_rubber_hand", 2.0, [0.5, 0.0, 0.2]) for side in ("left", "right")]
    com = lib.ComTask(cost=[3.0, 3.0, 0.5], lm_damping=0.1)
    return Stage(
        configuration,
        [*hands, com, *still(configuration, lib.PostureTask(cost=0.1, gain=0.5))],
        constraints=still(configuration, *feet),
        drive=together(
            swaying(com, configuration, 0.03),
            circling(lib, hands[0], configuration, radius=0.1),
            circling(lib, hands[1], configuration, radius=0.06, period=0.7),
        ),
    )


@scene(
    "talos_data/robots/talos_reduced.urdf",
    "free_flyer",
    leg_left_3_joint=-0.5,
    leg_right_3_joint=-0.5,
    leg_left_4_joint=0.9,
    leg_right_4_joint=0.9,
    leg_left_5_joint=-0.4,
    leg_right_5_joint=-0.4,
    arm_left_4_joint=-1.0,
    arm_right_4_joint=-1.0,
)
def talos_looks_and_reaches(lib, configuration):
    feet = [lib.FrameTask(f"{side}_sole_link", 5.0, 5.0) for side in ("left", "right")]
    hand = lib.FrameTask("gripper_left_base_link", position_cost=4.0, orientation_cost=0.4)
    gaze = lib.FrameTask("head_2_link", position_cost=0.0, orientation_cost=1.0)
    com = lib.ComTask(cost=2.0)
    elbows = lib.JointCouplingTask(["arm_left_4_joint", "arm_right_4_joint"], [1.0, -1.0], 1.0, configuration)
    limits = [*configuration.default_limits, lib.FloatingBaseVelocityLimit(configuration.model, "base_link", 0.2, 0.3)]
    return Stage(
        configuration,
        [*still(configuration, *feet, lib.PostureTask(cost=0.05)), com, hand, gaze, elbows],
        limits,
        drive=together(
            swaying(com, configuration, 0.05),
            circling(lib, hand, configuration, radius=0.15),
            circling(lib, gaze, configuration, radius=0.0, turn=0.6),
        ),
    )


@scene("icub_description/robots/icub_reduced.urdf", "free_flyer", hip_pitch=0.4, knee=-0.8, ankle_pitch=-0.4, elbow=0.8)
def icub_squats(lib, configuration):
    model = configuration.model
    feet = [lib.FrameTask(f"{side}_sole", 1.0, 1.0) for side in "lr"]
    com = lib.ComTask(cost=1.0)
    rows = np.zeros((3, model.nv))
    for row, name in enumerate(("hip_pitch", "knee", "elbow")):  # left and right alike
        for side, sign in (("l", 1.0), ("r", -1.0)):
            rows[row, model.joints[model.get_joint_id(f"{side}_{name}")].idx_v] = sign
    alike = lib.LinearHolonomicTask(rows, np.zeros(3), configuration.q.copy(), cost=[0.5, 0.5, 0.1])
    hand = lib.FrameTask("l_gripper", 1.0, 0.1)
    return Stage(
        configuration,
        [com, alike, hand, *still(configuration, lib.PostureTask(cost=0.05))],
        constraints=still(configuration, *feet),
        drive=together(swaying(com, configuration, 0.05), circling(lib, hand, configuration, radius=0.05)),
    )


@scene("anymal_b_simple_description/robots/anymal.urdf", "free_flyer", F_HFE=0.7, H_HFE=-0.7, F_KFE=-1.3, H_KFE=1.3)
def anymal_sways(lib, configuration):
    feet = [lib.FrameTask(f"{leg}_FOOT", 4.0, 0.0) for leg in ("LF", "LH", "RF", "RH")]
    base = lib.FrameTask("base", position_cost=1.0, orientation_cost=2.0)
    limits = [
        lib.FloatingBaseVelocityLimit(configuration.model, "base", [0.4, 0.3, 0.2], 0.5),
        lib.VelocityLimit(configuration.model),
    ]
    return Stage(
        configuration,
        [*still(configuration, *feet), base, lib.DampingTask(cost=0.02)],
        limits,
        drive=circling(lib, base, configuration, radius=0.08),
    )


@scene("solo_description/robots/solo12.urdf", "free_flyer", HFE=0.8, KFE=-1.6)
def solo12_lifts_a_foot(lib, configuration):
    feet = [lib.FrameTask(f"{leg}_FOOT", 2.0, 0.0) for leg in ("FL", "FR", "HL", "HR")]
    com = lib.ComTask(cost=[2.0, 2.0, 1.0])
    base = lib.FrameTask("base_link", position_cost=0.0, orientation_cost=1.0)
    limit = lib.AccelerationLimit(configuration.model, np.r_[np.full(6, np.inf), np.full(12, 8.0)])
    return Stage(
        configuration,
        [*still(configuration, *feet[1:], base, lib.PostureTask(cost=0.02)), com, feet[0]],
        [lib.ConfigurationLimit(configuration.model), limit],
        drive=together(swaying(com, configuration, 0.01), circling(lib, feet[0], configuration, radius=0.05)),
        after=lambda velocity: limit.set_last_integration(velocity, DT),
    )


@scene("go1_description/urdf/go1.urdf", "free_flyer", thigh_joint=0.8, calf_joint=-1.6)
def go1_swings_its_hips(lib, configuration):
    feet = [lib.FrameTask(f"{leg}_foot", 4.0, 0.0) for leg in ("FL", "FR", "RL", "RR")]
    trunk = lib.FrameTask("trunk", position_cost=1.0, orientation_cost=1.0)
    swing = lib.JointVelocityTask(cost=0.1)
    sign = -1.0 if lib.package == "pinker" else 1.0  # Pinker's robot moves against the velocity that is asked for

    def drive(time):
        swing.set_target(sign * 0.5 * np.sin(7.0 * time + np.arange(12)), DT)

    return Stage(
        configuration,
        [*still(configuration, *feet), trunk, swing],
        drive=together(drive, circling(lib, trunk, configuration, radius=0.04, turn=0.2)),
    )


@scene(
    "tiago_description/robots/tiago_no_hand.urdf", "free_flyer", arm_1_joint=0.6, arm_4_joint=1.2, torso_lift_joint=0.15
)
def tiago_rolls(lib, configuration):
    wheels = [lib.RollingTask(f"wheel_{side}_link", "universe", 0.0985, cost=2.0) for side in ("left", "right")]
    hand = lib.FrameTask("arm_tool_link", position_cost=1.0, orientation_cost=0.3)
    base = lib.FrameTask("base_link", position_cost=[0.0, 0.0, 1.0], orientation_cost=[1.0, 1.0, 0.0])
    return Stage(
        configuration,
        [*wheels, hand, *still(configuration, base, lib.PostureTask(cost=0.03))],
        drive=circling(lib, hand, configuration, radius=0.2, away=0.2),
    )


@scene("tiago_description/robots/tiago_no_hand.urdf", "planar", arm_1_joint=0.6, arm_4_joint=1.2, torso_lift_joint=0.15)
def tiago_drives_on_a_plane(lib, configuration):
    hand = lib.FrameTask("arm_tool_link", position_cost=1.0, orientation_cost=0.3)
    base = lib.FrameTask("base_link", position_cost=[0.0, 0.3, 0.0], orientation_cost=0.0)
    return Stage(
        configuration,
        [hand, *still(configuration, base), lib.DampingTask(cost=0.05)],
        drive=circling(lib, hand, configuration, radius=0.3, away=0.5),
    )


@scene(
    "pr2_description/urdf/pr2.urdf", "free_flyer", shoulder_lift_joint=0.3, elbow_flex_joint=-1.2, wrist_flex_joint=-0.6
)
def pr2_slides_on_omniwheels(lib, configuration):
    wheels = [
        lib.OmniwheelTask(f"{corner}_caster_l_wheel_link", "universe", 0.08, cost=[1.0, 2.0]) for corner in ("bl", "fr")
    ]
    hands = [lib.FrameTask(f"{side}_gripper_tool_frame", 2.0, 0.5) for side in "lr"]
    torso = lib.PositionBarrier(
        "torso_lift_link", indices=[0, 1], p_min=np.array([-0.1, -0.1]), p_max=np.array([0.05, 0.1])
    )
    return Stage(
        configuration,
        [*wheels, *hands, *still(configuration, lib.PostureTask(cost=0.04))],
        barriers=[torso],
        drive=together(
            circling(lib, hands[0], configuration, radius=0.15, away=0.1),
            circling(lib, hands[1], configuration, radius=0.1),
        ),
    )


@scene("centauro_description/urdf/centauro.urdf", "free_flyer", arm1_2=0.6, arm2_2=-0.6, arm1_4=-1.2, arm2_4=-1.2)
def centauro_kneels(lib, configuration):
    contacts = [lib.FrameTask(f"contact_{i}", 3.0, 0.0) for i in (1, 2, 3)]
    pelvis = lib.FrameTask("pelvis", position_cost=1.0, orientation_cost=1.0)
    ball = lib.RelativeFrameTask("ball1", "pelvis", position_cost=1.0, orientation_cost=0.0)
    hands = lib.BodySphericalBarrier(("ball1", "ball2"), d_min=0.2, gain=10.0, safe_displacement_gain=0.5)
    corner = lib.RollingTask("wheel_4", "universe", 0.078, cost=[1.0, 1.0, 0.0])
    return Stage(
        configuration,
        [*still(configuration, *contacts, lib.PostureTask(cost=0.05)), pelvis, ball, corner],
        barriers=[hands],
        drive=together(
            circling(lib, pelvis, configuration, radius=0.04), circling(lib, ball, configuration, radius=0.1)
        ),
    )
