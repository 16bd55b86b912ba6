"""Joint models: what kinds there are, and how many numbers each takes.

Configurations per joint are Pinocchio's:

- revolute, prismatic and helical joints have one number;
- continuous joints (revolute without bounds) store (cos, sin) of their angle;
- spherical joints store a unit quaternion (x, y, z, w);
- planar joints store (x, y, cos, sin);
- free flyers store (x, y, z, qx, qy, qz, qw);
- mimic joints have none of their own: they follow their master.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, scalar, vector
from pantin.errors import InvalidArgument

JT_UNIVERSE = 0
JT_REVOLUTE = 1
JT_PRISMATIC = 2
JT_REVOLUTE_UNBOUNDED = 3
JT_SPHERICAL = 4
JT_PLANAR = 5
JT_FREEFLYER = 6
JT_HELICAL = 7


class _Kind(NamedTuple):
    """What one kind of joint is.

    Attributes:
        shortname: Pinocchio's name; a kind with an axis appends X, Y or Z, or takes what follows the bar.
        neutral: Configuration at rest.
        nv: Dimension of the tangent.
        bounded: Which configuration numbers can have limits.
    """

    shortname: str
    neutral: tuple[float, ...]
    nv: int
    bounded: tuple[bool, ...]


_KINDS = {
    JT_UNIVERSE: _Kind("JointModelUniverse", (), 0, ()),
    JT_REVOLUTE: _Kind("JointModelR|JointModelRevoluteUnaligned", (0.0,), 1, (True,)),
    JT_PRISMATIC: _Kind("JointModelP|JointModelPrismaticUnaligned", (0.0,), 1, (True,)),
    JT_REVOLUTE_UNBOUNDED: _Kind("JointModelRUB|JointModelRevoluteUnboundedUnaligned", (1.0, 0.0), 1, (False, False)),
    JT_SPHERICAL: _Kind("JointModelSpherical", (0.0, 0.0, 0.0, 1.0), 3, (False,) * 4),
    JT_PLANAR: _Kind("JointModelPlanar", (0.0, 0.0, 1.0, 0.0), 3, (True, True, False, False)),
    JT_FREEFLYER: _Kind("JointModelFreeFlyer", (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0), 6, (True,) * 3 + (False,) * 4),
    JT_HELICAL: _Kind("JointModelH|JointModelHelicalUnaligned", (0.0,), 1, (True,)),
}

JOINT_NQ = {jtype: len(kind.neutral) for jtype, kind in _KINDS.items()}
JOINT_NV = {jtype: kind.nv for jtype, kind in _KINDS.items()}


class Mimic(NamedTuple):
    """How a mimic joint follows: its coordinate is multiplier * master + offset.

    Attributes:
        master: Index of the joint it follows; its name or index, until it is added to a model.
        multiplier: Factor on the master's coordinate.
        offset: Added to it, rad or m.
    """

    master: int | str
    multiplier: float = 1.0
    offset: float = 0.0


def joint_neutral(jtype: int) -> Array:
    """Configuration at rest of a joint kind, shape (nq,).

    Raises:
        InvalidArgument: If the kind is unknown.
    """
    return np.array(_KINDS[_joint_type(jtype)].neutral)


def joint_has_configuration_limit(jtype: int) -> list[bool]:
    """Which of a joint kind's configuration numbers can have limits.

    Raises:
        InvalidArgument: If the kind is unknown.
    """
    return list(_KINDS[_joint_type(jtype)].bounded)


def _joint_type(jtype: object) -> int:
    """One of the `JT_` constants."""
    if isinstance(jtype, bool) or not isinstance(jtype, int | np.integer) or jtype not in _KINDS:
        raise InvalidArgument("jtype", f"expected a JT_ constant in 0..{max(_KINDS)}, got {jtype!r}")
    return int(jtype)


class JointModel:
    """Description of a joint, before or after it is added to a model, which makes it read-only.

    Attributes:
        jtype: Kind of the joint, one of the `JT_` constants.
        axis: Unit axis in the joint frame, shape (3,), where the kind has one, else None.
        lead: Metres per turn of a helical joint, else 0.
        mimic: Master, multiplier and offset of a mimic joint, else None.
        id: Index in the model, -1 before the joint is added.
        idx_q: First entry in a configuration, -1 before; a mimic joint has its master's.
        idx_v: First entry in a velocity, -1 before; a mimic joint has its master's.
    """

    __slots__ = ("axis", "id", "idx_q", "idx_v", "jtype", "lead", "mimic")

    def __init__(
        self,
        jtype: int,
        axis: npt.ArrayLike | None = None,
        *,
        lead: float = 0.0,
        mimic: Mimic | None = None,
    ) -> None:
        """Joint of a kind, about or along x where an axis is needed and none is given.

        Raises:
            InvalidArgument: If the kind is unknown, the axis is zero or not finite, the lead is not finite or the
                joint not helical, or a mimic joint does not move by one number.
        """
        self.jtype = _joint_type(jtype)
        self.axis: Array | None = None
        if "|" in _KINDS[self.jtype].shortname:
            self.axis = unit_axis("axis", (1.0, 0.0, 0.0) if axis is None else axis)
        self.lead = scalar("lead", lead)
        if self.lead != 0.0 and self.jtype != JT_HELICAL:
            raise InvalidArgument("lead", f"only a helical joint has one, got {self.lead}")
        self.mimic = None if mimic is None else self._checked_mimic(mimic)
        if self.mimic is not None and self.jtype == JT_REVOLUTE_UNBOUNDED:
            self.jtype = JT_REVOLUTE  # its angle is one number, its master's
        self.idx_q = -1
        self.idx_v = -1
        self.id = -1

    def _checked_mimic(self, mimic: object) -> Mimic:
        if not isinstance(mimic, Mimic):
            raise InvalidArgument("mimic", f"expected a Mimic, got a {type(mimic).__name__}")
        if JOINT_NV[self.jtype] != 1:
            raise InvalidArgument(
                "mimic", f"a mimic joint moves by one number, {_KINDS[self.jtype].shortname} does not"
            )
        return Mimic(mimic.master, scalar("multiplier", mimic.multiplier), scalar("offset", mimic.offset))

    def __setattr__(self, name: str, value: object) -> None:
        if getattr(self, "id", -1) >= 0:
            raise TypeError("this joint belongs to a model and is read-only; change a copy() and add that")
        object.__setattr__(self, name, value)

    def _place(self, **attributes: object) -> None:
        """Assign attributes, also of a joint that belongs to a model."""
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, object]) -> None:
        self._place(**state)

    @property
    def nq(self) -> int:
        """Numbers of its own in a configuration; 0 for a mimic joint."""
        return 0 if self.mimic is not None else JOINT_NQ[self.jtype]

    @property
    def nv(self) -> int:
        """Numbers of its own in a velocity; 0 for a mimic joint."""
        return 0 if self.mimic is not None else JOINT_NV[self.jtype]

    def copy(self) -> JointModel:
        """Joint of the same kind that belongs to no model."""
        return JointModel(self.jtype, self.axis, lead=self.lead, mimic=self.mimic)

    def shortname(self) -> str:
        """Pinocchio's short name, such as "JointModelRZ"."""
        if self.mimic is not None:
            return "JointModelMimic"
        aligned, _, unaligned = _KINDS[self.jtype].shortname.partition("|")
        if self.axis is None:
            return aligned
        for letter, unit in zip("XYZ", np.eye(3), strict=True):
            if np.allclose(self.axis, unit):
                return aligned + letter
        return unaligned

    def __repr__(self) -> str:
        """Short name and place in the model."""
        follows = f", follows {self.mimic.master!r}" if self.mimic is not None else ""
        return f"{self.shortname()}(idx_q={self.idx_q}, idx_v={self.idx_v}{follows})"


def unit_axis(name: str, axis: npt.ArrayLike) -> Array:
    """Axis scaled to unit length; an axis along x, y or z, or one that was scaled before, comes out exact.

    Raises:
        InvalidArgument: If the axis is not three finite numbers, or zero.
    """
    given = vector(name, axis, 3)
    norm = math.hypot(*given)
    if norm == 0.0:
        raise InvalidArgument(name, "expected a direction, got the zero vector")
    if norm < 2.0**-500:  # down to numbers of few digits
        return unit_axis(name, given * 2.0**600)
    axis = given.copy() if abs(norm - 1.0) <= 4.0 * np.finfo(np.float64).eps else given / norm
    axis.setflags(write=False)
    return axis


def named_axis(name: str, axis: str | npt.ArrayLike) -> Array:
    """Unit vector along an axis that is called "x", "-z" and the like, or given as three numbers.

    Raises:
        InvalidArgument: If it is neither.
    """
    if not isinstance(axis, str):
        return unit_axis(name, axis)
    letter = axis.removeprefix("-")
    if letter not in ("x", "y", "z"):
        raise InvalidArgument(name, f"expected 'x', 'y', 'z', one of them with a minus, or 3 numbers, got {axis!r}")
    unit = np.eye(3)["xyz".index(letter)]
    return unit_axis(name, unit if axis == letter else 0.0 - unit)


def JointModelRX() -> JointModel:
    """Revolute joint about x."""
    return JointModel(JT_REVOLUTE, (1.0, 0.0, 0.0))


def JointModelRY() -> JointModel:
    """Revolute joint about y."""
    return JointModel(JT_REVOLUTE, (0.0, 1.0, 0.0))


def JointModelRZ() -> JointModel:
    """Revolute joint about z."""
    return JointModel(JT_REVOLUTE, (0.0, 0.0, 1.0))


def JointModelRevoluteUnaligned(x: float = 1.0, y: float = 0.0, z: float = 0.0) -> JointModel:
    """Revolute joint about the axis (x, y, z)."""
    return JointModel(JT_REVOLUTE, (x, y, z))


def JointModelPX() -> JointModel:
    """Prismatic joint along x."""
    return JointModel(JT_PRISMATIC, (1.0, 0.0, 0.0))


def JointModelPY() -> JointModel:
    """Prismatic joint along y."""
    return JointModel(JT_PRISMATIC, (0.0, 1.0, 0.0))


def JointModelPZ() -> JointModel:
    """Prismatic joint along z."""
    return JointModel(JT_PRISMATIC, (0.0, 0.0, 1.0))


def JointModelPrismaticUnaligned(x: float = 1.0, y: float = 0.0, z: float = 0.0) -> JointModel:
    """Prismatic joint along the axis (x, y, z)."""
    return JointModel(JT_PRISMATIC, (x, y, z))


def JointModelRUBX() -> JointModel:
    """Continuous joint about x."""
    return JointModel(JT_REVOLUTE_UNBOUNDED, (1.0, 0.0, 0.0))


def JointModelRUBY() -> JointModel:
    """Continuous joint about y."""
    return JointModel(JT_REVOLUTE_UNBOUNDED, (0.0, 1.0, 0.0))


def JointModelRUBZ() -> JointModel:
    """Continuous joint about z."""
    return JointModel(JT_REVOLUTE_UNBOUNDED, (0.0, 0.0, 1.0))


def JointModelRevoluteUnboundedUnaligned(x: float = 1.0, y: float = 0.0, z: float = 0.0) -> JointModel:
    """Continuous joint about the axis (x, y, z)."""
    return JointModel(JT_REVOLUTE_UNBOUNDED, (x, y, z))


def JointModelHX(lead: float) -> JointModel:
    """Helical joint about x that advances `lead` metres per turn."""
    return JointModel(JT_HELICAL, (1.0, 0.0, 0.0), lead=lead)


def JointModelHY(lead: float) -> JointModel:
    """Helical joint about y that advances `lead` metres per turn."""
    return JointModel(JT_HELICAL, (0.0, 1.0, 0.0), lead=lead)


def JointModelHZ(lead: float) -> JointModel:
    """Helical joint about z that advances `lead` metres per turn."""
    return JointModel(JT_HELICAL, (0.0, 0.0, 1.0), lead=lead)


def JointModelHelicalUnaligned(x: float, y: float, z: float, lead: float) -> JointModel:
    """Helical joint about the axis (x, y, z) that advances `lead` metres per turn."""
    return JointModel(JT_HELICAL, (x, y, z), lead=lead)


def JointModelSpherical() -> JointModel:
    """Ball joint, stored as a unit quaternion (x, y, z, w)."""
    return JointModel(JT_SPHERICAL)


def JointModelPlanar() -> JointModel:
    """Planar joint: translation in the xy plane and rotation about z, stored as (x, y, cos, sin)."""
    return JointModel(JT_PLANAR)


def JointModelFreeFlyer() -> JointModel:
    """Free-flyer joint, stored as (x, y, z, qx, qy, qz, qw)."""
    return JointModel(JT_FREEFLYER)


def JointModelMimic(
    joint_model: JointModel, master: int | str, multiplier: float = 1.0, offset: float = 0.0
) -> JointModel:
    """Joint that follows another: coordinate = multiplier * master + offset.

    Args:
        joint_model: The kind of motion: revolute, continuous, prismatic or helical.
        master: Joint it follows, by index or name; it may be a mimic joint itself.
        multiplier: Factor on the master's coordinate.
        offset: Added to it, rad or m.

    Raises:
        InvalidArgument: If the joint does not move by one number, or a number is not finite.
    """
    if not isinstance(joint_model, JointModel):
        raise InvalidArgument("joint_model", f"expected a JointModel, got a {type(joint_model).__name__}")
    mimic = Mimic(master, multiplier, offset)
    return JointModel(joint_model.jtype, joint_model.axis, lead=joint_model.lead, mimic=mimic)
