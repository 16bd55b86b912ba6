"""The five arms of the comparison, cut out of the robots of `example-robot-data`, and targets for them.

Every library gets the same URDF text: the links and joints from base to tip alone, without shapes. A joint of more
than one turn is limited to half a turn either way, so that all libraries see the same limits.
"""

from __future__ import annotations

import sysconfig
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"

#: File, base and tip of each arm.
ARMS = {
    "panda": ("panda_description/urdf/panda.urdf", "panda_link0", "panda_link8"),
    "ur5": ("ur_description/urdf/ur5_joint_limited_robot.urdf", "base_link", "tool0"),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", "link_base", "link_eef"),
    "talos9": ("talos_data/robots/talos_reduced.urdf", "base_link", "gripper_left_base_link"),
    "baxter": ("baxter_description/urdf/baxter.urdf", "torso", "left_gripper"),
}


@dataclass(frozen=True)
class Arm:
    """A serial chain of hinges.

    Attributes:
        name: What the tables call it.
        urdf: Text of its file.
        base: Its first link.
        tip: Its last link.
        joints: Names of its joints.
        lower: Their lower limits, rad.
        upper: Their upper limits, rad.
    """

    name: str
    urdf: str
    base: str
    tip: str
    joints: tuple[str, ...]
    lower: Array
    upper: Array

    @property
    def middle(self) -> Array:
        """Configuration in the middle of the limits."""
        return 0.5 * (self.lower + self.upper)

    def anywhere(self, count: int, seed: int = 0) -> Array:
        """Configurations spread evenly over the limits, shape (count, n)."""
        return np.random.default_rng([seed, 1]).uniform(self.lower, self.upper, (count, len(self.joints)))

    def smooth(self, count: int, seed: int = 0) -> Array:
        """Configurations along a smooth path through 20 of `anywhere`, within limits, shape (count, n)."""
        via = np.random.default_rng([seed, 2]).uniform(self.lower, self.upper, (20, len(self.joints)))
        s = np.linspace(0.0, len(via) - 1.0, count)
        k = np.minimum(s.astype(int), len(via) - 2)
        t = (s - k)[:, None]
        # cubics without overshoot: flat at the ends and where a joint turns back (Fritsch and Butland 1984)
        rise = np.diff(via, axis=0)
        same = rise[1:] * rise[:-1] > 0.0
        total = np.where(same, rise[1:] + rise[:-1], 1.0)
        slope = np.zeros_like(via)
        slope[1:-1] = np.where(same, 2.0 * rise[1:] * rise[:-1] / total, 0.0)
        path = via[k] + t * (slope[k] + t * (3 * rise[k] - 2 * slope[k] - slope[k + 1]))
        path += t**3 * (slope[k] + slope[k + 1] - 2 * rise[k])
        return np.asarray(np.clip(path, self.lower, self.upper))


def present() -> list[str]:
    """Names of the arms whose files are installed."""
    return [name for name, (file, _, _) in ARMS.items() if (ROBOTS / file).is_file()]


def arm(name: str) -> Arm:
    """An arm by its name."""
    file, base, tip = ARMS[name]
    return cut(name, ROBOTS / file, base, tip)


def cut(name: str, path: Path, base: str, tip: str) -> Arm:
    """The chain from a base to a tip, out of a URDF file."""
    above = {child.get("link"): joint for joint in ET.parse(path).iter("joint") for child in joint.findall("child")}
    way: list[ET.Element] = []
    link = tip
    while link != base:
        way.insert(0, above[link])
        link = _parent(way[0])
    robot = ET.Element("robot", name=name)
    for link in (base, *(attribute(joint, "child", "link") for joint in way)):
        inertial = ET.SubElement(ET.SubElement(robot, "link", name=link), "inertial")
        ET.SubElement(inertial, "origin", xyz="0 0 0", rpy="0 0 0")
        ET.SubElement(inertial, "mass", value="1")
        ET.SubElement(inertial, "inertia", ixx="0.01", ixy="0", ixz="0", iyy="0.01", iyz="0", izz="0.01")
    joints, limits = [], []
    for old in way:
        hinge = old.get("type") in ("revolute", "continuous")
        joint = ET.SubElement(robot, "joint", name=old.get("name", ""), type="revolute" if hinge else "fixed")
        ET.SubElement(
            joint, "origin", xyz=attribute(old, "origin", "xyz", "0 0 0"), rpy=attribute(old, "origin", "rpy", "0 0 0")
        )
        ET.SubElement(joint, "parent", link=_parent(old))
        ET.SubElement(joint, "child", link=attribute(old, "child", "link"))
        if hinge:
            low, high = (float(attribute(old, "limit", end, "0")) for end in ("lower", "upper"))
            if old.get("type") == "continuous" or high - low > 2.0 * np.pi + 1e-6:
                low, high = -np.pi, np.pi
            # twelve digits, so that the file and the arrays hold the same numbers
            text = [f"{end:.12f}" for end in (low, high)]
            ET.SubElement(joint, "axis", xyz=attribute(old, "axis", "xyz", "1 0 0"))
            ET.SubElement(joint, "limit", lower=text[0], upper=text[1], effort="100", velocity="3.14")
            joints.append(old.get("name", ""))
            limits.append([float(end) for end in text])
    lower, upper = np.array(limits).T.copy()
    return Arm(name, ET.tostring(robot, encoding="unicode"), base, tip, tuple(joints), lower, upper)


def _parent(joint: ET.Element) -> str:
    return attribute(joint, "parent", "link")


def attribute(element: ET.Element, tag: str, name: str, default: str = "") -> str:
    """Attribute of the child with a tag."""
    child = element.find(tag)
    return default if child is None else child.get(name, default)
