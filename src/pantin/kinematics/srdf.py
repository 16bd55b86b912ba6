"""What an SRDF file adds to a robot: named configurations, and pairs of links that may touch."""

from __future__ import annotations

import os
import re

import numpy as np

from pantin.arrays import Array
from pantin.kinematics.configurations import neutral
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PLANAR,
    JT_REVOLUTE_UNBOUNDED,
    JT_SPHERICAL,
    JointModel,
)
from pantin.kinematics.model import Model
from pantin.kinematics.urdf.xml import Element, children, fault, label, number, numbers, parse, read_file, text

__all__ = [
    "load_disabled_collision_pairs",
    "load_disabled_collision_pairs_from_xml",
    "load_reference_configurations",
    "load_reference_configurations_from_xml",
    "remove_collision_pairs",
    "remove_collision_pairs_from_xml",
]

#: The coordinates of a joint's configuration that lie on a unit circle or sphere.
_UNIT_COORDINATES = {
    JT_REVOLUTE_UNBOUNDED: slice(0, 2),
    JT_SPHERICAL: slice(0, 4),
    JT_PLANAR: slice(2, 4),
    JT_FREEFLYER: slice(3, 7),
}


def load_reference_configurations(model: Model, filename: str | os.PathLike[str]) -> dict[str, Array]:
    """Configurations that the `<group_state>` elements of an SRDF file name.

    A state gives the coordinates of some joints, in their order in the configuration (a continuous joint
    may be given by its angle); the others are neutral. Joints that the model does not have, or that follow
    others, are skipped. States of one name in several groups make up one configuration.

    Args:
        model: Model of the robot.
        filename: Path of the SRDF file.

    Returns:
        Configurations, each of shape (nq,), by the names of their states.

    Raises:
        ModelFileNotFound: If there is no such file.
        ModelFileError: If it cannot be read, or a joint has other coordinates than the state gives.
    """
    return load_reference_configurations_from_xml(model, read_file(filename), str(filename))


def load_reference_configurations_from_xml(model: Model, xml_string: str | bytes, source: str = "") -> dict[str, Array]:
    """Configurations that an SRDF string names; see `load_reference_configurations`."""
    configurations: dict[str, Array] = {}
    for state in children(_read_robot(xml_string, source), "group_state"):
        q = configurations.setdefault(text(state, "name"), neutral(model))
        for element in children(state, "joint"):
            name = text(element, "name")
            if not model.exist_joint_name(name):
                continue
            joint = model.joints[model.get_joint_id(name)]
            if joint.nq:
                q[joint.idx_q : joint.idx_q + joint.nq] = _read_coordinates(element, joint)
    return configurations


def load_disabled_collision_pairs(filename: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Pairs of links that an SRDF file takes out of collision checks (`<disable_collisions>`).

    Args:
        filename: Path of the SRDF file.

    Returns:
        Pairs of link names, each once, in the order of the file.

    Raises:
        ModelFileNotFound: If there is no such file.
        ModelFileError: If it cannot be read.
    """
    return load_disabled_collision_pairs_from_xml(read_file(filename), str(filename))


def load_disabled_collision_pairs_from_xml(xml_string: str | bytes, source: str = "") -> list[tuple[str, str]]:
    """Pairs of links that an SRDF string disables; see `load_disabled_collision_pairs`."""
    pairs: dict[frozenset[str], tuple[str, str]] = {}
    for element in children(_read_robot(xml_string, source), "disable_collisions"):
        pair = (text(element, "link1"), text(element, "link2"))
        pairs.setdefault(frozenset(pair), pair)
    return list(pairs.values())


def remove_collision_pairs(model: Model, geometry_model: GeometryModel, filename: str | os.PathLike[str]) -> None:
    """Let those links touch that an SRDF file takes out of collision checks.

    Args:
        model: Model of the robot.
        geometry_model: Its shapes; those of the links lose their pairs.
        filename: Path of the SRDF file.

    Raises:
        ModelFileNotFound: If there is no such file.
        ModelFileError: If it cannot be read.
    """
    remove_collision_pairs_from_xml(model, geometry_model, read_file(filename), str(filename))


def remove_collision_pairs_from_xml(
    model: Model, geometry_model: GeometryModel, xml_string: str | bytes, source: str = ""
) -> None:
    """Let those links touch that an SRDF string disables; see `remove_collision_pairs`."""
    disabled = {frozenset(pair) for pair in load_disabled_collision_pairs_from_xml(xml_string, source)}
    links = [shape.link for shape in geometry_model.geometry_objects]
    geometry_model.collision_pairs = [
        pair
        for pair in geometry_model.collision_pairs
        if frozenset((links[pair.first], links[pair.second])) not in disabled
    ]


def _read_robot(xml_string: str | bytes, source: str) -> Element:
    root = parse(xml_string, source)
    if label(root) != "robot":
        raise fault(root, f"expected a <robot>, got a <{label(root)}>: this is not an SRDF file")
    return root


def _read_coordinates(element: Element, joint: JointModel) -> Array:
    """Coordinates of a joint that a state gives, shape (nq,), those on a circle or sphere normalised."""
    given = len(re.findall(r"[^ \t\r\n]+", text(element, "value")))
    if joint.jtype == JT_REVOLUTE_UNBOUNDED and given == 1:
        angle = number(element, "value")
        return np.array([np.cos(angle), np.sin(angle)])
    values = np.array(numbers(element, "value", joint.nq))
    if joint.jtype in _UNIT_COORDINATES:
        unit = values[_UNIT_COORDINATES[joint.jtype]]
        length = np.linalg.norm(unit)
        if length == 0.0:
            raise fault(element, f"value={element.get('value')!r}: cos, sin or quaternion are all zero")
        unit /= length
    return values
