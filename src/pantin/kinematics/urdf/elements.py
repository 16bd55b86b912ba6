"""The elements of a URDF document read into plain records, checked one by one."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np

from pantin.arrays import Array
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import quaternion_to_matrix, rpy_to_matrix
from pantin.kinematics.urdf.records import UrdfJoint, UrdfLimit, UrdfLink, UrdfMimic, UrdfRobot
from pantin.kinematics.urdf.xml import (
    Element,
    at_least_zero,
    child,
    children,
    fault,
    label,
    number,
    numbers,
    parse,
    text,
)

__all__ = [
    "find_xacro",
    "nearest",
    "read_origin",
    "read_robot",
    "read_root",
]

_KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_XACRO = ("http://www.ros.org/wiki/xacro", "http://ros.org/wiki/xacro")

_Record = TypeVar("_Record", "UrdfLink", "UrdfJoint")


def read_robot(document: str | bytes, source: str = "") -> UrdfRobot:
    """Read a URDF document; what it does not know (transmissions, sensors, namespaces, ...) is skipped.

    Args:
        document: Text of the document.
        source: Name of the file, for messages.

    Returns:
        The robot; its tree is not checked yet.

    Raises:
        ModelFileError: If an element says something that cannot be read, or a name is used twice.
    """
    return read_root(parse(document, source), source)


def read_root(root: Element, source: str = "") -> UrdfRobot:
    """Read a URDF document that is parsed already; see `read_robot`."""
    if label(root) != "robot":
        raise fault(root, f"expected a <robot>, got a <{label(root)}>: this is not a URDF file")
    if (macro := find_xacro(root)) is not None:
        raise fault(macro, "xacro has to be expanded first; loading the file by its path does so")
    return UrdfRobot(
        name=root.get("name", ""),
        source=source,
        root=root,
        links=_by_name(_read_link, children(root, "link")),
        joints=_by_name(_read_joint, children(root, "joint")),
    )


def find_xacro(root: Element) -> Element | None:
    """First xacro instruction of a document, or None."""
    return next(root.iter(*(f"{{{uri}}}*" for uri in _XACRO)), None)


def read_origin(element: Element) -> SE3:
    """Placement that the `<origin>` of an element describes; identity without one.

    `rpy` turns about the fixed axes x, y, z in this order: R = Rz(yaw) Ry(pitch) Rx(roll); `quat_xyzw` of
    newer files takes its place.

    Raises:
        ModelFileError: If it cannot be read.
    """
    origin = child(element, "origin")
    if origin is None:
        return SE3.Identity()
    translation = np.array(numbers(origin, "xyz", 3)) if "xyz" in origin.attrib else np.zeros(3)
    if "quat_xyzw" in origin.attrib:
        return SE3(_read_quaternion(origin), translation)
    if "rpy" in origin.attrib:
        return SE3(rpy_to_matrix(*numbers(origin, "rpy", 3)), translation)
    return SE3(np.eye(3), translation)


def nearest(name: str, known: Iterable[str]) -> str:
    """Hint at the name that was perhaps meant: "; did you mean ...?", or nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _by_name(read: Callable[[Element], _Record], elements: Sequence[Element]) -> dict[str, _Record]:
    """Records by their names, which have to differ."""
    records: dict[str, _Record] = {}
    for element in elements:
        record = read(element)
        if record.name in records:
            first = records[record.name].element.sourceline
            raise fault(element, f"a second {label(element)} of this name; the first is on line {first}")
        records[record.name] = record
    return records


def _read_link(element: Element) -> UrdfLink:
    name = text(element, "name")
    inertial = child(element, "inertial")
    if inertial is None:
        return UrdfLink(name, element, 0.0, np.zeros(3), np.zeros((3, 3)))
    origin = read_origin(inertial)
    weight = child(inertial, "mass")
    mass = 0.0 if weight is None else at_least_zero(weight, "value")
    moments = child(inertial, "inertia")
    inertia = np.zeros((3, 3)) if moments is None else _read_inertia(moments, mass)
    rotation = origin.rotation
    return UrdfLink(name, element, mass, origin.translation, rotation @ inertia @ rotation.T)


def _read_inertia(element: Element, mass: float) -> Array:
    """Inertia matrix, shape (3, 3), in the axes of its `<inertial>`; a rounding below zero is let in."""
    moments = [number(element, attribute) for attribute in ("ixx", "iyy", "izz")]
    if min(moments) < -1e-9 * max(mass, *moments):
        raise fault(element, f"a moment of inertia is negative: {min(moments):g}")
    xx, yy, zz = moments
    xy, xz, yz = (number(element, attribute, 0.0) for attribute in ("ixy", "ixz", "iyz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _read_joint(element: Element) -> UrdfJoint:
    name = text(element, "name")
    kind = text(element, "type")
    if kind not in _KINDS:
        hint = nearest(kind, _KINDS) or f"; there are {', '.join(_KINDS)}"
        raise fault(element, f"no joint type {kind!r}{hint}")
    dynamics = child(element, "dynamics")
    return UrdfJoint(
        name=name,
        element=element,
        kind=kind,
        parent=_read_end(element, "parent"),
        child=_read_end(element, "child"),
        origin=read_origin(element),
        axis=np.array([1.0, 0.0, 0.0]) if kind in ("fixed", "floating") else _read_axis(element),
        limit=_read_limit(element, kind),
        damping=0.0 if dynamics is None else at_least_zero(dynamics, "damping", 0.0),
        friction=0.0 if dynamics is None else at_least_zero(dynamics, "friction", 0.0),
        mimic=_read_mimic(element),
    )


def _read_end(joint: Element, tag: str) -> str:
    """Link at one end of a joint."""
    end = child(joint, tag)
    if end is None:
        raise fault(joint, f"no <{tag} link=...>")
    return text(end, "link")


def _read_axis(joint: Element) -> Array:
    """Unit axis of a joint, shape (3,); x where none is given."""
    element = child(joint, "axis")
    if element is None or "xyz" not in element.attrib:
        return np.array([1.0, 0.0, 0.0])
    axis = np.array(numbers(element, "xyz", 3))
    largest = np.abs(axis).max()
    if largest == 0.0:
        raise fault(element, f"the axis of a {joint.get('type')} joint is zero")
    scaled = axis / largest
    unit: Array = scaled / np.linalg.norm(scaled)
    return unit


def _read_limit(joint: Element, kind: str) -> UrdfLimit:
    """Limits of a joint that moves by one number; one missing side of two counts as 0, as the format says."""
    element = child(joint, "limit")
    if element is None or kind in ("fixed", "floating", "planar"):
        return UrdfLimit()
    effort = at_least_zero(element, "effort", np.inf, limit=True)
    velocity = at_least_zero(element, "velocity", np.inf, limit=True)
    if kind == "continuous" or ("lower" not in element.attrib and "upper" not in element.attrib):
        return UrdfLimit(effort=effort, velocity=velocity)
    lower = number(element, "lower", 0.0, limit=True)
    upper = number(element, "upper", 0.0, limit=True)
    if lower > upper or lower == np.inf or upper == -np.inf:
        missing = [side for side in ("lower", "upper") if side not in element.attrib]
        hint = f" (a missing '{missing[0]}' counts as 0)" if missing else ""
        raise fault(element, f"no position lies between lower={lower:g} and upper={upper:g}{hint}")
    return UrdfLimit(lower, upper, effort, velocity)


def _read_mimic(joint: Element) -> UrdfMimic | None:
    element = child(joint, "mimic")
    if element is None:
        return None
    multiplier = number(element, "multiplier", 1.0)
    return UrdfMimic(text(element, "joint"), multiplier, number(element, "offset", 0.0))


def _read_quaternion(origin: Element) -> Array:
    """Rotation matrix, shape (3, 3), of a `quat_xyzw`, which need not be normalised."""
    if "rpy" in origin.attrib:
        raise fault(origin, "both 'rpy' and 'quat_xyzw'; leave one out")
    quaternion = np.array(numbers(origin, "quat_xyzw", 4))
    largest = np.abs(quaternion).max()
    if largest == 0.0:
        raise fault(origin, "the quaternion 'quat_xyzw' is zero")
    scaled = quaternion / largest
    return quaternion_to_matrix(scaled / np.linalg.norm(scaled))
