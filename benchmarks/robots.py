"""The robots of the benchmarks, as one URDF text each that every library reads, and their models.

Panda (7 joints, fixed) and Unitree G1 (29 joints, floating) come from the package `example-robot-data`. Where it
is not installed, the sample robots of pantin serve.
"""

from __future__ import annotations

import importlib
import sysconfig
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

import numpy as np

import pantin.kinematics as kin
import pantin.samples
from pantin.arrays import Array

DATA = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
_SAMPLES = Path(pantin.samples.__file__).parent
SAMPLE_COUNT = 64


def optional(name: str) -> ModuleType | None:
    """A module, or None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


pin = optional("pinocchio")
pinker = optional("pinker.kinematics")
mujoco = optional("mujoco")


@dataclass(frozen=True)
class Robot:
    """A robot and configurations to try it in.

    Attributes:
        name: What the table calls it.
        path: URDF file.
        frame: Link whose pose and Jacobian are asked.
        floating: Whether its root is a free flyer.
        locked: Joints that are held at zero.
    """

    name: str
    path: Path
    frame: str
    floating: bool = False
    locked: tuple[str, ...] = ()

    @cached_property
    def urdf(self) -> str:
        """The file's text without shapes; locked joints are fixed."""
        robot = ET.parse(self.path).getroot()
        for link in robot.iter("link"):
            for shape in [*link.findall("visual"), *link.findall("collision")]:
                link.remove(shape)
        for joint in robot.iter("joint"):
            if joint.get("name") in self.locked:
                joint.set("type", "fixed")
                for tag in ("mimic", "limit", "axis"):
                    for element in joint.findall(tag):
                        joint.remove(element)
        for tag in ("gazebo", "transmission", "material"):
            for element in robot.findall(tag):
                robot.remove(element)
        return ET.tostring(robot, encoding="unicode")

    @cached_property
    def model(self) -> kin.Model:
        """Our model."""
        return kin.build_model_from_xml(self.urdf, kin.JointModelFreeFlyer() if self.floating else None)

    @cached_property
    def pin_model(self) -> object:
        """Pinocchio's model."""
        assert pin is not None
        return pin.buildModelFromXML(self.urdf, *([pin.JointModelFreeFlyer()] if self.floating else []))

    @cached_property
    def pinker_model(self) -> object:
        """Pinker's model."""
        assert pinker is not None
        root = pinker.JointModelFreeFlyer() if self.floating else None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            path.write_text(self.urdf, encoding="utf-8")
            return pinker.build_model_from_urdf(str(path), root)

    @cached_property
    def mujoco_model(self) -> object:
        """MuJoCo's model; every link stays a body, so that frames are the same."""
        assert mujoco is not None
        options = '<mujoco><compiler fusestatic="false" boundmass="0" autolimits="true"/></mujoco>'
        spec = mujoco.MjSpec.from_string(self.urdf.replace("</robot>", options + "</robot>"))
        if self.floating:
            spec.worldbody.first_body().add_freejoint()
        return spec.compile()

    @cached_property
    def q(self) -> Array:
        """Configurations, shape (SAMPLE_COUNT, nq)."""
        return np.array([kin.random_configuration(self.model, random_seed=i) for i in range(SAMPLE_COUNT)])

    @cached_property
    def v(self) -> Array:
        """Velocities, shape (SAMPLE_COUNT, nv)."""
        return np.random.default_rng(0).uniform(-1.0, 1.0, (SAMPLE_COUNT, self.model.nv))

    def mujoco_order(self) -> tuple[Array, Array]:
        """Where MuJoCo's numbers stand among ours: indices into q and into v."""
        assert mujoco is not None
        theirs = self.mujoco_model
        q, v = np.zeros(theirs.nq, dtype=int), np.zeros(theirs.nv, dtype=int)  # type: ignore[attr-defined]
        if self.floating:
            q[:7], v[:6] = (0, 1, 2, 6, 3, 4, 5), range(6)
        for name, joint in zip(self.model.names, self.model.joints, strict=True):
            if joint.nv == 1:
                at = theirs.joint(name)  # type: ignore[attr-defined]
                q[at.qposadr[0]], v[at.dofadr[0]] = joint.idx_q, joint.idx_v
        return q, v


def robots() -> Sequence[Robot]:
    """The fixed arm and the floating humanoid."""
    if DATA.is_dir():
        fingers = ("panda_finger_joint1", "panda_finger_joint2")
        panda = DATA / "panda_description/urdf/panda.urdf"
        g1 = DATA / "g1_description/urdf/g1_29dof_rev_1_0.urdf"
        return (
            Robot("panda", panda, "panda_hand_tcp", locked=fingers),
            Robot("g1", g1, "left_ankle_roll_link", floating=True),
        )
    arm, biped = _SAMPLES / "panda.urdf", _SAMPLES / "biped.urdf"
    return Robot("panda", arm, _last_link(arm)), Robot("biped", biped, _last_link(biped), floating=True)


def _last_link(path: Path) -> str:
    return [link.get("name", "") for link in ET.parse(path).getroot().iter("link")][-1]
