"""What a URDF says about links and joints, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.kinematics.se3 import SE3
from pantin.kinematics.urdf.xml import Element

__all__ = ["UrdfJoint", "UrdfLimit", "UrdfLink", "UrdfMimic", "UrdfRobot"]


@dataclass(frozen=True, slots=True)
class UrdfLink:
    """A link.

    Attributes:
        name: Its name.
        element: The element, where its shapes are read from on demand.
        mass: Mass, kg; 0 without an `<inertial>`.
        lever: Centre of mass in the link's frame, shape (3,), m.
        inertia: Rotational inertia about the centre of mass, axes of the link's frame, shape (3, 3), kg m^2.
    """

    name: str
    element: Element
    mass: float
    lever: Array
    inertia: Array

    @property
    def massless(self) -> bool:
        """Whether the link weighs nothing and turns freely."""
        return self.mass == 0.0 and not self.inertia.any()


class UrdfLimit(NamedTuple):
    """Limits of a joint: rad or m, N m or N, and per second; infinite where there is none."""

    lower: float = -np.inf
    upper: float = np.inf
    effort: float = np.inf
    velocity: float = np.inf

    @property
    def unlimited(self) -> bool:
        """Whether neither side is limited."""
        return self.lower == -np.inf and self.upper == np.inf


class UrdfMimic(NamedTuple):
    """A joint follows another: angle = multiplier * master + offset."""

    master: str
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True)
class UrdfJoint:
    """A joint.

    Attributes:
        name: Its name.
        element: The element, for messages.
        kind: One of revolute, continuous, prismatic, fixed, floating and planar.
        parent: Name of the link it hangs on.
        child: Name of the link it moves.
        origin: Placement of the joint (and of the child at rest) in the parent link.
        axis: Unit axis in the joint's frame, shape (3,); x where the kind has none.
        limit: Its limits.
        damping: Viscous friction, N m s / rad or N s / m.
        friction: Coulomb friction, N m or N.
        mimic: The joint it follows, or None.
    """

    name: str
    element: Element
    kind: str
    parent: str
    child: str
    origin: SE3
    axis: Array
    limit: UrdfLimit
    damping: float
    friction: float
    mimic: UrdfMimic | None


@dataclass(frozen=True, slots=True)
class UrdfRobot:
    """A robot: its links and joints by name, in the order of the file.

    Attributes:
        name: Name of the robot; may be empty.
        source: Name of the file; may be empty.
        root: The `<robot>` element.
        links: Links by name.
        joints: Joints by name.
    """

    name: str
    source: str
    root: Element
    links: dict[str, UrdfLink]
    joints: dict[str, UrdfJoint]
