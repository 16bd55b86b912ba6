"""Models and shapes from URDF files.

Joints and frames come in Pinocchio's order and by its conventions, so that indices of one hold in the other:

- Joints are numbered depth first; joints that hang on one link come in the order of their names' bytes.
- A moving joint brings a JOINT frame and a BODY frame of its child link. A fixed joint brings a FIXED_JOINT
  and a BODY frame on the joint that carries it, and its link's inertia is added to that joint's.
- A root joint is called `root_joint`. Continuous joints store (cos, sin), bounded by 1.01 in size.

Three things differ from Pinocchio, for a reason:

- A revolute or prismatic joint without `<limit>`, or whose `<limit>` has neither `lower` nor `upper`, moves
  without limit, and a warning names it (`strict=True` refuses it); Pinocchio refuses the first and locks
  the second at 0.
- Limits that leave no position are an error.
- A planar joint moves perpendicular to its axis, not always to z; its x and y are those of the joint's
  frame turned the shortest way that brings z onto the axis.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.joints import JointModel
from pantin.kinematics.model import Model
from pantin.kinematics.urdf.build import build_model
from pantin.kinematics.urdf.elements import find_xacro, read_robot, read_root
from pantin.kinematics.urdf.geometry import MeshFolders, PackageDirs, build_geometry, mesh_folders
from pantin.kinematics.urdf.records import UrdfRobot
from pantin.kinematics.urdf.xacro import expand_xacro
from pantin.kinematics.urdf.xml import parse, read_file

__all__ = ["build_geom_from_urdf", "build_model_from_urdf", "build_model_from_xml"]


def build_model_from_xml(
    xml_string: str | bytes,
    root_joint: JointModel | str | None = None,
    *,
    mimic: bool = False,
    strict: bool = False,
    source: str = "",
) -> Model:
    """Model of a robot that a URDF string describes.

    Args:
        xml_string: The URDF document. Bytes are decoded as their XML declaration says.
        root_joint: Joint between the world and the root link, such as `JointModelFreeFlyer()`, or its name
            ("free_flyer", "planar", "spherical"); None fixes it.
        mimic: Let joints with a `<mimic>` follow their masters (they keep their names and frames and have no
            coordinates of their own), rather than move by themselves.
        strict: Refuse joints without limits rather than warn of them.
        source: Where the string comes from, for messages.

    Returns:
        The model.

    Raises:
        ModelFileError: If the document cannot be read or describes no tree; the message names line and
            element.
        InvalidModel: If the limits of a mimic joint and its master leave no position.
        InvalidArgument: If `root_joint` is none of these.
    """
    return build_model(read_robot(xml_string, source), root_joint, mimic=mimic, strict=strict)


def build_model_from_urdf(
    filename: str | os.PathLike[str],
    root_joint: JointModel | str | None = None,
    *,
    mimic: bool = False,
    strict: bool = False,
    xacro_args: Mapping[str, str] | None = None,
) -> Model:
    """Model of a robot that a URDF or xacro file describes.

    Expanding xacro evaluates the expressions in the file: give it only files that you trust.

    Args:
        filename: Path of the file; one that ends in `.xacro`, or uses xacro, is expanded first.
        root_joint: Joint between the world and the root link, its name, or None; see `build_model_from_xml`.
        mimic: Let mimic joints follow their masters.
        strict: Refuse joints without limits rather than warn of them.
        xacro_args: Values of the arguments of a xacro file.

    Returns:
        The model.

    Raises:
        ModelFileNotFound: If there is no such file.
        ModelFileError: If the file cannot be read or describes no tree.
        MissingExtra: If it is a xacro file and `xacrodoc` is not installed.
        InvalidModel: If the limits of a mimic joint and its master leave no position.
        InvalidArgument: If `root_joint` is none of these.
    """
    return build_model(read_urdf(filename, xacro_args), root_joint, mimic=mimic, strict=strict)


def build_geom_from_urdf(
    model: Model,
    filename: str | os.PathLike[str],
    package_dirs: PackageDirs = None,
    geometry_type: Literal["visual", "collision"] = "visual",
    *,
    xacro_args: Mapping[str, str] | None = None,
) -> GeometryModel:
    """Shapes of a robot that a URDF or xacro file describes.

    Args:
        model: Model that was made from the same file.
        filename: Path of the file.
        package_dirs: Folders that hold the packages of `package://name/...` meshes, or are them; the
            folders above the file and those of `ROS_PACKAGE_PATH` are searched after them.
        geometry_type: Which of the file's shapes to take.
        xacro_args: Values of the arguments of a xacro file.

    Returns:
        One object per shape, named `link_0`, `link_1`, ...; the meshes that were not found are listed in
        `missing_meshes`.

    Raises:
        ModelFileError: If the file or a shape cannot be read.
        InvalidArgument: If the model was not made from this file, or the geometry type is unknown.
    """
    folders = mesh_folders(filename, package_dirs)
    return build_geometry(read_urdf(filename, xacro_args, folders), model, folders, geometry_type)


def read_urdf(
    filename: str | os.PathLike[str],
    xacro_args: Mapping[str, str] | None = None,
    folders: MeshFolders | None = None,
    packages: Mapping[str, str] | None = None,
) -> UrdfRobot:
    """Links and joints of a URDF or xacro file.

    Args:
        filename: Path of the file.
        xacro_args: Values of the arguments of a xacro file.
        folders: Where the packages of a xacro file are looked for.
        packages: Folders of packages of a xacro file, by name.

    Raises:
        ModelFileError: If it cannot be read.
    """
    source = str(filename)
    document = read_file(filename)
    if not source.endswith(".xacro"):
        root = parse(document, source)
        if find_xacro(root) is None:
            return read_root(root, source)
    text = expand_xacro(filename, xacro_args, folders.packages if folders else (), packages)
    return read_robot(text, f"{source} (expanded)")
