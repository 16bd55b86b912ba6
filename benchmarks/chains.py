"""Chains of all kinds of robots, for studies of how often reach succeeds.

All robots but the samples and the iiwa come from the package `example-robot-data`. Pinocchio poses and judges, and
nothing of ours does.
"""

from __future__ import annotations

import tempfile
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pinocchio

import pantin
from pantin.arrays import Array
from pantin.kinematics import Model, neutral
from peers.arms import ROBOTS

_TALOS, _ICUB = "talos_data/robots/talos_reduced.urdf", "icub_description/robots/icub.urdf"
_PR2, _TIAGO = "pr2_description/urdf/pr2.urdf", "tiago_description/robots/tiago_no_hand.urdf"
_DUAL, _PRO = "tiago_description/robots/tiago_dual.urdf", "tiago_pro_description/robots/tiago_pro.urdf"
_BAXTER, _ROMEO = "baxter_description/urdf/baxter.urdf", "romeo_description/urdf/romeo.urdf"
_G1, _ALEX = "g1_description/urdf/g1_29dof_rev_1_0.urdf", "alex_description/urdf/alex_nub_hands.urdf"
_SIMPLE = "simple_humanoid_description/urdf/simple_humanoid.urdf"
_HUMAN, _CENTAURO = "human_description/robots/human.urdf", "centauro_description/urdf/centauro.urdf"
_ALEXANDER = "alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf"
_ALLEGRO = "allegro_hand_description/urdf/allegro_left_hand.urdf"

#: File or sample, frame, and root where it is not the world, of the arms that the issue of success is about.
ARMS: dict[str, tuple[str, ...]] = {
    "panda": ("panda", "panda_hand_tcp"),
    "ur5e": ("ur5e", "tool0"),
    "iiwa": ("iiwa", "flange"),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", "link_eef"),
    "arctos": ("arctos", "flange"),
    "talos left": (_TALOS, "gripper_left_base_link", "torso_2_link"),
    "talos right": (_TALOS, "gripper_right_base_link", "torso_2_link"),
    "talos left, torso": (_TALOS, "gripper_left_base_link"),
    "talos right, torso": (_TALOS, "gripper_right_base_link"),
    "baxter left": (_BAXTER, "left_gripper"),
    "baxter right": (_BAXTER, "right_gripper"),
    "pr2 left": (_PR2, "l_gripper_tool_frame", "torso_lift_link"),
    "pr2 right": (_PR2, "r_gripper_tool_frame", "torso_lift_link"),
    "pr2 left, torso": (_PR2, "l_gripper_tool_frame"),
    "pr2 right, torso": (_PR2, "r_gripper_tool_frame"),
    "icub left": (_ICUB, "l_gripper", "chest"),
    "icub right": (_ICUB, "r_gripper", "chest"),
    "icub left, torso": (_ICUB, "l_gripper"),
    "icub right, torso": (_ICUB, "r_gripper"),
    "tiago": (_TIAGO, "arm_tool_link", "torso_lift_link"),
    "tiago, torso": (_TIAGO, "arm_tool_link"),
}

#: The other arms of `example-robot-data`, and some legs, heads and fingers.
OTHERS: dict[str, tuple[str, ...]] = {
    "panda of the data": ("panda_description/urdf/panda.urdf", "panda_hand_tcp"),
    "ur3": ("ur_description/urdf/ur3_robot.urdf", "tool0"),
    "ur3, limited": ("ur_description/urdf/ur3_joint_limited_robot.urdf", "tool0"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "tool0"),
    "ur5, limited": ("ur_description/urdf/ur5_joint_limited_robot.urdf", "tool0"),
    "ur10": ("ur_description/urdf/ur10_robot.urdf", "tool0"),
    "ur10, limited": ("ur_description/urdf/ur10_joint_limited_robot.urdf", "tool0"),
    "kinova": ("kinova_description/robots/kinova.urdf", "j2s6s200_end_effector"),
    "z1": ("z1_description/urdf/z1.urdf", "gripperStator"),
    "z1 on b1": ("b1_description/urdf/b1-z1.urdf", "gripperStator"),
    "so100": ("so_arm_description/urdf/so100.urdf", "gripper"),
    "so101": ("so_arm_description/urdf/so101.urdf", "gripper_link"),
    "talos, arm alone": ("talos_data/robots/talos_left_arm.urdf", "gripper_left_base_link"),
    "tiago dual left": (_DUAL, "arm_left_tool_link"),
    "tiago dual right": (_DUAL, "arm_right_tool_link"),
    "tiago pro left": (_PRO, "arm_left_tool_link"),
    "tiago pro right": (_PRO, "arm_right_tool_link"),
    "romeo left": (_ROMEO, "l_gripper"),
    "romeo right": (_ROMEO, "r_gripper"),
    "g1 left": (_G1, "left_rubber_hand"),
    "g1 right": (_G1, "right_rubber_hand"),
    "alex left": (_ALEX, "leftNub"),
    "alex right": (_ALEX, "rightNub"),
    "centauro left": (_CENTAURO, "arm1_8"),
    "centauro right": (_CENTAURO, "arm2_8"),
    "simple humanoid left": (_SIMPLE, "l_wrist"),
    "simple humanoid right": (_SIMPLE, "r_wrist"),
    "human left": (_HUMAN, "left_hand"),
    "human right": (_HUMAN, "right_hand"),
    "hextilt arm": ("hextilt_description/urdf/hextilt_flying_arm_5.urdf", "flying_arm_5__gripper"),
    "talos leg": (_TALOS, "left_sole_link"),
    "talos head": (_TALOS, "rgbd_link"),
    "icub leg": (_ICUB, "l_sole"),
    "romeo leg": (_ROMEO, "l_sole"),
    "g1 leg": (_G1, "left_ankle_roll_link"),
    "human leg": (_HUMAN, "left_foot"),
    "simple humanoid leg": (_SIMPLE, "l_ankle"),
    "alexander leg": (_ALEXANDER, "LEFT_FOOT"),
    "alex head": (_ALEX, "Head"),
    "human head": (_HUMAN, "middle_head"),
    "centauro leg": (_CENTAURO, "wheel_1"),
    "go2 leg": ("go2_description/urdf/go2.urdf", "FL_foot"),
    "anymal leg": ("anymal_c_simple_description/urdf/anymal.urdf", "LF_FOOT"),
    "allegro finger": (_ALLEGRO, "link_3.0_tip"),
    "allegro thumb": (_ALLEGRO, "link_15.0_tip"),
}


@dataclass(frozen=True)
class Chain:
    """A frame of a robot, seen from a root.

    Attributes:
        name: What the tables call it.
        path: URDF file.
        frame: Frame that is moved.
        root: Frame that it is seen from; the world where None.
    """

    name: str
    path: Path
    frame: str
    root: str | None = None

    @cached_property
    def model(self) -> Model:
        """Our model."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return pantin.load(self.path)

    @cached_property
    def joints(self) -> list[int]:
        """Joints between the root and the frame, lowest first."""
        ways = []
        for frame in (self.frame, self.root or "universe"):
            parent = self.model.frames[self.model.get_frame_id(frame)].parent_joint
            ways.append({joint for joint in self.model.supports[parent] if joint})
        return sorted(ways[0] ^ ways[1])

    def anywhere(self, count: int, seed: int = 0) -> Array:
        """Configurations anywhere within limits, other joints at rest, shape (count, nq)."""
        random, q = np.random.default_rng(seed), np.tile(neutral(self.model), (count, 1))
        for joint in (self.model.joints[index] for index in self.joints):
            at = joint.idx_q
            low, high = self.model.lower_position_limit[at], self.model.upper_position_limit[at]
            if joint.nq == 1:
                low, high = (low, high) if np.isfinite(high - low) else (-np.pi, np.pi)
                q[:, at] = random.uniform(low, high, count)
            else:
                angle = random.uniform(-np.pi, np.pi, count)
                q[:, at : at + 2] = np.column_stack([np.cos(angle), np.sin(angle)])
        return q

    def within_limits(self, q: Array) -> npt.NDArray[np.bool_]:
        """True where every number is within its limits, exactly, shape (count,)."""
        inside = (q >= self.model.lower_position_limit) & (q <= self.model.upper_position_limit)
        return np.asarray(np.all(inside | ~self.model.has_configuration_limit(), axis=1))

    @cached_property
    def _judge(self) -> tuple[pinocchio.Model, list[int], list[int]]:
        """Pinocchio's model, of these joints alone where it can, and where their numbers stand in its q and in ours."""
        whole = pinocchio.buildModelFromUrdf(str(self.path))
        names = [self.model.names[index] for index in self.joints]
        others = [index for index in range(1, whole.njoints) if whole.names[index] not in names]
        try:
            model = pinocchio.buildReducedModel(whole, others, pinocchio.neutral(whole))
        except ValueError:  # where a link has a joint's name
            model = whole
        theirs: list[int] = []
        ours: list[int] = []
        for index, name in zip(self.joints, names, strict=True):
            joint, same = self.model.joints[index], model.getJointId(name)
            assert joint.mimic is None
            assert joint.nq == model.nqs[same]
            ours += range(joint.idx_q, joint.idx_q + joint.nq)
            theirs += range(model.idx_qs[same], model.idx_qs[same] + joint.nq)
        return model, theirs, ours

    def poses(self, q: Array) -> Array:
        """Poses of the frame seen from the root, by Pinocchio, shape (count, 4, 4)."""
        model, theirs, ours = self._judge
        data, numbers = model.createData(), np.tile(pinocchio.neutral(model), (len(q), 1))
        numbers[:, theirs] = q[:, ours]
        frame = model.getFrameId(self.frame, pinocchio.BODY)
        root = model.getFrameId(self.root, pinocchio.BODY) if self.root else 0
        found = np.empty((len(q), 4, 4))
        for row, configuration in zip(found, numbers, strict=True):
            pinocchio.framesForwardKinematics(model, data, configuration)
            row[:] = data.oMf[root].actInv(data.oMf[frame]).homogeneous
        return found


def chain(name: str) -> Chain:
    """A chain by its name."""
    source, *frames = {**ARMS, **OTHERS}[name]
    if source == "iiwa":
        return Chain(name, _iiwa(), *frames)
    path = pantin.samples.path(source) if source in pantin.samples.names() else ROBOTS / source
    return Chain(name, path, *frames)


def _iiwa() -> Path:
    """A file of KUKA's LBR iiwa 14 R820, by the lengths and limits of its data sheet."""
    lengths = (0.1575, 0.2025, 0.2045, 0.2155, 0.1845, 0.2155, 0.081)
    limits = np.radians((170, 120, 170, 120, 170, 120, 175))
    axes = ("0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 1 0", "0 0 1")
    text = ['<robot name="iiwa"><link name="link_0"/>']
    for k, (length, limit, axis) in enumerate(zip(lengths, limits, axes, strict=True)):
        text.append(
            f'<link name="link_{k + 1}"/><joint name="joint_{k + 1}" type="revolute"><origin xyz="0 0 {length}"/>'
            f'<parent link="link_{k}"/><child link="link_{k + 1}"/><axis xyz="{axis}"/>'
            f'<limit lower="{-limit}" upper="{limit}" effort="100" velocity="1.5"/></joint>'
        )
    text.append(
        '<link name="flange"/><joint name="end" type="fixed"><origin xyz="0 0 0.045"/>'
        '<parent link="link_7"/><child link="flange"/></joint></robot>'
    )
    path = Path(tempfile.gettempdir()) / "pantin-iiwa.urdf"
    path.write_text("".join(text), encoding="utf-8")
    return path
