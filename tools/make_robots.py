"""Make the sample robots that stand for a kind: `python tools/make_robots.py` writes `src/pantin/samples/*.urdf`.

A humanoid, a quadruped, a biped on wheels, two arms on a column and a five-bar linkage. All numbers are ours: each
link is one solid of uniform density, and its inertia follows from its shape and mass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "src" / "pantin" / "samples"

Vector = tuple[float, float, float]

COLORS = {"body": "0.3 0.45 0.65 1", "limb": "0.85 0.85 0.85 1", "joint": "0.3 0.3 0.33 1", "face": "0.9 0.75 0.6 1"}
AXES = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
TURNS = {"x": "0 1.5707963267948966 0", "y": "1.5707963267948966 0 0", "z": "0 0 0"}


class Solid(NamedTuple):
    """What a link is made of.

    Attributes:
        sizes: Edges of a box; or radius, length and axis of a cylinder; or radius of a sphere (m).
        mass: kg.
        centre: Where its centre is in the link (m).
        color: One of `COLORS`.
    """

    sizes: tuple[float, float, float] | tuple[float, float, str] | tuple[float]
    mass: float
    centre: Vector = (0.0, 0.0, 0.0)
    color: str = "limb"

    def moments(self) -> Vector:
        """Principal moments about the centre (kg m^2), along x, y and z."""
        match self.sizes:
            case (radius,):
                return (0.4 * self.mass * radius**2,) * 3
            case (radius, length, str(axis)):
                along, across = self.mass * radius**2 / 2, self.mass * (3 * radius**2 + length**2) / 12
                x, y, z = (along if letter == axis else across for letter in "xyz")
            case (a, b, c):
                x, y, z = (self.mass * (p**2 + q**2) / 12 for p, q in ((b, c), (a, c), (a, b)))
        return x, y, z

    def lines(self) -> Iterator[str]:
        """Elements of its link."""
        x, y, z = (f"{moment:.6g}" for moment in self.moments())
        turn, shape = "", f'<sphere radius="{self.sizes[0]:g}"/>'
        match self.sizes:
            case (radius, length, str(axis)):
                turn, shape = TURNS[axis], f'<cylinder radius="{radius:g}" length="{length:g}"/>'
            case (_, _, _):
                shape = f'<box size="{words(self.sizes)}"/>'
        rpy = f' rpy="{turn}"' if turn not in ("", TURNS["z"]) else ""
        place = f'xyz="{words(self.centre)}"'
        yield from (
            "  <inertial>",
            f"    <origin {place}/>",
            f'    <mass value="{self.mass:g}"/>',
            f'    <inertia ixx="{x}" ixy="0" ixz="0" iyy="{y}" iyz="0" izz="{z}"/>',
            "  </inertial>",
            "  <visual>",
            f"    <origin {place}{rpy}/>",
            f"    <geometry>{shape}</geometry>",
            f'    <material name="{self.color}"/>',
            "  </visual>",
        )


class Part(NamedTuple):
    """A link, and the joint that carries it.

    Attributes:
        link: Name of the link.
        place: Where the joint is in its parent's link (m).
        joint: Name of the joint; the link's where it is fixed.
        axis: Letter of its axis, or "" where it is fixed.
        limits: Lower and upper (rad), none where it turns on and on.
        speed: Largest speed (rad/s).
        effort: Largest torque (N m).
        solid: What it is made of; a frame has none.
        parts: What it carries.
    """

    link: str
    place: Vector
    joint: str = ""
    axis: str = ""
    limits: tuple[float, float] | None = None
    speed: float = 0.0
    effort: float = 0.0
    solid: Solid | None = None
    parts: tuple[Part, ...] = ()

    def named(self, side: str) -> Part:
        """The same with the side before each name."""
        return self._replace(
            link=side + self.link,
            joint=self.joint and side + self.joint,
            parts=tuple(part.named(side) for part in self.parts),
        )

    def mirrored(self) -> Part:
        """The same on the other side: y, and turns about x and z, change their signs."""
        swap = self.limits is not None and self.axis in "xz"
        return self._replace(
            place=mirror(self.place),
            limits=(-self.limits[1], -self.limits[0]) if swap else self.limits,
            solid=self.solid and self.solid._replace(centre=mirror(self.solid.centre)),
            parts=tuple(part.mirrored() for part in self.parts),
        )

    def lines(self, parent: str) -> Iterator[str]:
        """Elements of joint and link, and of all that it carries."""
        kind = "fixed" if not self.axis else "revolute" if self.limits else "continuous"
        yield from (
            "",
            f'<joint name="{self.joint or f"{self.link}_fixed"}" type="{kind}">',
            f'  <parent link="{parent}"/>',
            f'  <child link="{self.link}"/>',
            f'  <origin xyz="{words(self.place)}"/>',
        )
        if self.axis:
            bounds = 'lower="{:g}" upper="{:g}" '.format(*self.limits) if self.limits else ""
            yield f'  <axis xyz="{AXES[self.axis]}"/>'
            yield f'  <limit {bounds}velocity="{self.speed:g}" effort="{self.effort:g}"/>'
        yield "</joint>"
        yield from link_lines(self.link, self.solid)
        for part in self.parts:
            yield from part.lines(self.link)


def link_lines(name: str, solid: Solid | None) -> Iterator[str]:
    """A link; one without a solid is a frame."""
    if solid is None:
        yield f'<link name="{name}"/>'
        return
    yield from ("", f'<link name="{name}">', *solid.lines(), "</link>")


def words(numbers: tuple[float, ...]) -> str:
    """Numbers with blanks between."""
    return " ".join(f"{number:g}" for number in numbers)


def mirror(place: Vector) -> Vector:
    """A place on the other side of the plane of x and z."""
    return place[0], -place[1] or 0.0, place[2]


def chain(*parts: Part) -> Part:
    """Parts of which each carries the next, and the last what it has."""
    *before, whole = parts
    for part in reversed(before):
        whole = part._replace(parts=(whole, *part.parts))
    return whole


def both(part: Part) -> tuple[Part, Part]:
    """A part on the left, and its mirror image on the right."""
    return part.named("left_"), part.mirrored().named("right_")


def box(x: float, y: float, z: float, mass: float, at: Vector = (0, 0, 0), color: str = "limb") -> Solid:
    """A box."""
    return Solid((x, y, z), mass, at, color)


def rod(radius: float, length: float, axis: str, mass: float, at: Vector = (0, 0, 0), color: str = "joint") -> Solid:
    """A cylinder."""
    return Solid((radius, length, axis), mass, at, color)


def ball(radius: float, mass: float, at: Vector = (0, 0, 0), color: str = "joint") -> Solid:
    """A sphere."""
    return Solid((radius,), mass, at, color)


def leg() -> Part:
    """Six joints, as the biped's: 0.73 m from the hip to the sole."""
    return chain(
        Part("hip", (0, 0.09, -0.08), "hip_yaw", "z", (-0.5, 0.7), 8, 60, rod(0.045, 0.05, "z", 0.8)),
        Part("pelvis", (0, 0, -0.04), "hip_roll", "x", (-0.4, 0.7), 8, 90, rod(0.04, 0.08, "x", 0.9)),
        Part("thigh", (0, 0, 0), "hip_pitch", "y", (-2.2, 0.8), 10, 140, box(0.09, 0.09, 0.32, 2.9, (0, 0, -0.16))),
        Part("shank", (0, 0, -0.32), "knee", "y", (0, 2.4), 12, 140, box(0.07, 0.07, 0.32, 2.0, (0, 0, -0.16))),
        Part("ankle", (0, 0, -0.32), "ankle_pitch", "y", (-1.2, 0.8), 10, 80, rod(0.035, 0.07, "y", 0.4)),
        Part("foot", (0, 0, 0), "ankle_roll", "x", (-0.5, 0.5), 10, 50, box(0.2, 0.09, 0.03, 0.6, (0.03, 0, -0.035))),
        Part("sole", (0, 0, -0.05)),
    )


def arm() -> Part:
    """Seven joints of a humanoid: 0.5 m from the shoulder to the palm."""
    return chain(
        Part("shoulder", (0, 0.17, 0.3), "shoulder_pitch", "y", (-2.8, 1.2), 8, 40, rod(0.04, 0.06, "y", 0.7)),
        Part(
            "collar", (0, 0.03, 0), "shoulder_roll", "x", (-0.2, 2.6), 8, 40, box(0.07, 0.07, 0.12, 0.8, (0, 0, -0.06))
        ),
        Part("arm", (0, 0, -0.12), "shoulder_yaw", "z", (-1.6, 1.6), 8, 30, box(0.06, 0.06, 0.12, 0.6, (0, 0, -0.06))),
        Part("forearm", (0, 0, -0.12), "elbow", "y", (-2.3, 0), 10, 30, box(0.055, 0.055, 0.14, 0.5, (0, 0, -0.07))),
        Part("wrist", (0, 0, -0.14), "wrist_yaw", "z", (-1.6, 1.6), 12, 15, rod(0.028, 0.05, "z", 0.2, (0, 0, -0.02))),
        Part("cuff", (0, 0, -0.05), "wrist_pitch", "y", (-1.2, 1.2), 12, 12, rod(0.025, 0.05, "y", 0.15)),
        Part("palm", (0, 0, 0), "wrist_roll", "x", (-1, 1), 12, 12, box(0.03, 0.07, 0.1, 0.3, (0, 0, -0.05))),
        Part("hand", (0, 0, -0.07)),
    )


def humanoid() -> Part:
    """Legs, a waist, arms, and a head that turns."""
    head = chain(
        Part("neck", (0, 0, 0.4), "neck_yaw", "z", (-1.4, 1.4), 6, 10, rod(0.03, 0.05, "z", 0.3, (0, 0, 0.02))),
        Part("head", (0, 0, 0.06), "neck_pitch", "y", (-0.7, 1.0), 6, 10, ball(0.09, 1.6, (0, 0, 0.06), "face")),
        Part("eyes", (0.09, 0, 0.07)),
    )
    trunk = box(0.16, 0.28, 0.36, 10.5, (0, 0, 0.19), "body")
    torso = Part("torso", (0, 0, 0.02), "waist_yaw", "z", (-1.2, 1.2), 6, 80, trunk, (*both(arm()), head))
    base = box(0.14, 0.24, 0.1, 4.5, (0, 0, -0.04), "body")
    return Part("pelvis", (0, 0, 0), solid=base, parts=(*both(leg()), torso))


def quadruped() -> Part:
    """A trunk and four legs of three joints."""

    def legs(end: str, x: float) -> tuple[Part, Part]:
        thigh, shank = box(0.05, 0.035, 0.22, 1.0, (0, 0, -0.11)), box(0.03, 0.025, 0.2, 0.25, (0, 0, -0.1))
        leg = chain(
            Part("_hip", (x, 0.06, 0), "_hip_roll", "x", (-0.8, 0.9), 20, 24, rod(0.045, 0.06, "x", 0.7)),
            Part("_thigh", (0, 0.08, 0), "_hip_pitch", "y", (-0.8, 2.6), 20, 24, thigh),
            Part("_shank", (0, 0, -0.22), "_knee", "y", (-2.6, -0.5), 20, 36, shank),
            Part("_toe", (0, 0, -0.2), solid=ball(0.02, 0.05)),
            Part("_foot", (0, 0, -0.02)),
        )
        return both(leg.named(end))

    head = Part("head", (0.26, 0, 0.03), solid=box(0.08, 0.12, 0.08, 0.6, color="face"))
    trunk = box(0.42, 0.16, 0.11, 7.0, color="body")
    return Part("trunk", (0, 0, 0), solid=trunk, parts=(*legs("front", 0.19), *legs("hind", -0.19), head))


def wheeled_biped() -> Part:
    """A trunk on two legs that end in wheels, which turn about the y axes of their hubs."""
    leg = chain(
        Part("thigh", (0, 0.12, 0), "hip", "y", (-1.6, 1.6), 10, 30, box(0.05, 0.03, 0.24, 0.9, (0, 0, -0.12))),
        Part("shank", (0, 0, -0.24), "knee", "y", (-2.4, 2.4), 10, 30, box(0.04, 0.03, 0.24, 0.6, (0, 0, -0.12))),
        Part("tire", (0, 0.04, -0.24), "wheel", "y", None, 40, 8, rod(0.08, 0.03, "y", 0.5)),
    )
    return Part("trunk", (0, 0, 0), solid=box(0.14, 0.2, 0.24, 4.0, (0, 0, 0.1), "body"), parts=both(leg))


def dual_arm() -> Part:
    """A column with two arms of seven joints."""
    arm = chain(
        Part("link1", (0, 0.12, 1.1), "joint1", "y", (-2.6, 1.6), 2.5, 90, rod(0.06, 0.12, "y", 3.0)),
        Part("link2", (0, 0.1, 0), "joint2", "x", (-0.3, 2.4), 2.5, 90, box(0.1, 0.1, 0.22, 2.8, (0, 0, -0.11))),
        Part("link3", (0, 0, -0.22), "joint3", "z", (-2.6, 2.6), 2.5, 60, box(0.09, 0.09, 0.14, 1.9, (0, 0, -0.07))),
        Part("link4", (0, 0, -0.14), "joint4", "y", (-2.4, 0.1), 2.5, 60, box(0.08, 0.08, 0.2, 1.7, (0, 0, -0.1))),
        Part("link5", (0, 0, -0.2), "joint5", "z", (-2.8, 2.8), 3.5, 25, box(0.07, 0.07, 0.13, 1.1, (0, 0, -0.065))),
        Part("link6", (0, 0, -0.13), "joint6", "y", (-1.9, 1.9), 3.5, 20, rod(0.035, 0.07, "y", 0.6)),
        Part("link7", (0, 0, 0), "joint7", "x", (-1.7, 1.7), 3.5, 20, box(0.04, 0.09, 0.12, 0.7, (0, 0, -0.06))),
        Part("tool", (0, 0, -0.15)),
    )
    return Part("column", (0, 0, 0), solid=box(0.18, 0.18, 1.2, 30.0, (0, 0, 0.6), "body"), parts=both(arm))


def five_bar() -> Part:
    """Two cranks and two rods on a table, which meet at a pin: their ends are to coincide."""
    pin = Part("pin", (0.22, 0, 0), "pin_joint", "z", (-3.1, 3.1), 20, 4, rod(0.012, 0.03, "z", 0.03, color="face"))
    ends = {"left_": pin, "right_": Part("right_rod_end", (0.22, 0, 0))}
    sides = []
    for side, end in ends.items():
        crank = Part(
            "crank", (0, 0.06, 0.03), "motor", "z", (-2.8, 2.8), 6, 4, box(0.16, 0.02, 0.012, 0.1, (0.08, 0, 0))
        )
        link = Part("rod", (0.16, 0, 0), "elbow", "z", (-2.6, 2.6), 12, 4, box(0.22, 0.016, 0.01, 0.09, (0.11, 0, 0)))
        crank, link = (part.named(side) if side == "left_" else part.mirrored().named(side) for part in (crank, link))
        sides.append(chain(crank, link, end))
    return Part("plate", (0, 0, 0), solid=box(0.1, 0.2, 0.02, 0.8, color="body"), parts=tuple(sides))


#: What the file of each robot says of it.
STORIES = {
    humanoid: """
        A small floating humanoid, ours: 1.4 m tall, with six joints a leg, seven an arm, a waist, and a neck of two. x
        points ahead, y to the left, z up; at zero it stands with straight legs and hanging arms. Frames "left_sole" and
        "right_sole" lie on the ground, "left_hand" and "right_hand" in the palms, and "eyes" looks along its x.""",
    quadruped: """
        A small floating quadruped, ours: four legs of three joints, 0.44 m from the hip to the ground. x points ahead,
        y to the left, z up. Frames such as "left_front_foot" lie below the toes on the ground.""",
    wheeled_biped: """
        A small floating biped on wheels, ours: two legs of hip, knee and a wheel of radius 0.08 m. x points ahead, y to
        the left, z up. Frames "left_tire" and "right_tire" turn with the wheels about their y axes.""",
    dual_arm: """
        Two arms of seven joints on a column, ours: 0.84 m from the shoulder to the tool. x points ahead, y to the left,
        z up; at zero the arms hang down. Frames "left_tool" and "right_tool" lie between the fingers.""",
    five_bar: """
        A five-bar linkage on a table, ours: two motors turn cranks of 0.16 m, and two rods of 0.22 m meet at a pin. A
        URDF file is a tree, so here the loop is open: "pin" hangs on the left rod, and "right_rod_end" is where the
        right one is to meet it.""",
}
FLOATING = " It has no joint to the ground in this file: load it with a free flyer at its root."


def document(build: Callable[[], Part]) -> str:
    """URDF file of a robot."""
    root, told = build(), " ".join(STORIES[build].split())
    told += FLOATING if "floating" in told else ""
    lines = [
        '<?xml version="1.0"?>',
        "<!--",
        *textwrap.wrap(f"{told} Made by tools/make_robots.py.", 118, initial_indent="  ", subsequent_indent="  "),
        "-->",
        f'<robot name="{build.__name__}">',
    ]
    inside = [f'<material name="{name}"><color rgba="{color}"/></material>' for name, color in COLORS.items()]
    inside += link_lines(root.link, root.solid)
    for part in root.parts:
        inside += part.lines(root.link)
    return "\n".join([*lines, *(f"  {line}" if line else "" for line in inside), "</robot>", ""])


if __name__ == "__main__":
    for robot in STORIES:
        (FOLDER / f"{robot.__name__}.urdf").write_text(document(robot), encoding="utf-8")
