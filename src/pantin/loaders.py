"""Robots from URDF files and from collections of robot descriptions."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from pantin.errors import MissingExtra, ModelFileError, UnknownName
from pantin.kinematics.joints import JointModel
from pantin.kinematics.robot_wrapper import RobotWrapper, wrap_robot
from pantin.kinematics.root_joints import ROOT_JOINTS, as_root_joint
from pantin.kinematics.urdf import read_urdf
from pantin.kinematics.urdf.geometry import PackageDirs, mesh_folders

__all__ = ["ROOT_JOINTS", "UnknownDescription", "load_robot_description", "load_robot_urdf"]

#: Variable by which `robot_descriptions` takes the commit to check out.
_COMMIT_VARIABLE = "ROBOT_DESCRIPTION_COMMIT"


class UnknownDescription(UnknownName):
    """A robot description that the collection does not have."""

    kind = "robot description"


def load_robot_urdf(
    urdf_path: str | os.PathLike[str],
    root_joint: str | JointModel | None = None,
    package_dirs: PackageDirs = None,
    *,
    mimic: bool = False,
    strict: bool = False,
    xacro_args: Mapping[str, str] | None = None,
) -> RobotWrapper:
    """Robot that a URDF or xacro file describes.

    Args:
        urdf_path: Path of the file.
        root_joint: Joint between the world and the root link: "free_flyer", "planar", "spherical", a joint
            model, or None to fix it.
        package_dirs: Folders where packages of meshes are looked for.
        mimic: Let mimic joints follow their masters.
        strict: Refuse joints without limits rather than warn of them.
        xacro_args: Values of the arguments of a xacro file.

    Returns:
        The model, with its data, neutral configuration and shapes.

    Raises:
        ModelFileNotFound: If there is no such file.
        ModelFileError: If it cannot be read or describes no tree.
        InvalidArgument: If the root joint is neither of these.
    """
    return RobotWrapper.BuildFromURDF(
        urdf_path, package_dirs, as_root_joint(root_joint), mimic, strict=strict, xacro_args=xacro_args
    )


def load_robot_description(
    description_name: str,
    root_joint: str | JointModel | None = None,
    commit: str | None = None,
    *,
    mimic: bool = False,
    strict: bool = False,
) -> RobotWrapper:
    """Robot of the `robot_descriptions` collection, which fetches its files on first use.

    Args:
        description_name: Name of the description, such as "ur3_official_description".
        root_joint: Joint between the world and the root link; see `load_robot_urdf`.
        commit: Commit of the description's repository to take, rather than the one the collection names.
        mimic: Let mimic joints follow their masters.
        strict: Refuse joints without limits rather than warn of them.

    Returns:
        The model, with its data, neutral configuration and shapes.

    Raises:
        MissingExtra: If `robot_descriptions` is not installed.
        UnknownDescription: If the collection has no description of that name.
        ModelFileError: If the description has no URDF or xacro file, or it cannot be read.
        InvalidArgument: If the root joint is unknown.
    """
    joint = as_root_joint(root_joint)
    description = _import_description(description_name, commit)
    path = getattr(description, "URDF_PATH", None) or getattr(description, "XACRO_PATH", None)
    if path is None:
        mjcf = getattr(description, "MJCF_PATH", None)
        hint = "" if mjcf is None else f"; its MJCF file is {str(mjcf)!r}"
        raise ModelFileError(f"the description has neither a URDF nor a xacro file{hint}", description_name)
    packages = getattr(description, "XACRO_PACKAGE_PATHS", {})
    folders = mesh_folders(path, [*_folders(description), *packages.values()])
    robot = read_urdf(path, getattr(description, "XACRO_ARGS", None), folders, packages)
    return wrap_robot(robot, folders, joint, mimic=mimic, strict=strict)


def _folders(description: ModuleType) -> list[Path]:
    """Folders of a description that are packages, or hold them."""
    bases = [getattr(description, name, None) for name in ("PACKAGE_PATH", "REPOSITORY_PATH")]
    return [folder for base in bases if base is not None for folder in (Path(base), Path(base).parent)]


def _import_description(name: str, commit: str | None) -> ModuleType:
    """Module of a description, which fetches its files while it is imported."""
    try:
        collection = importlib.import_module("robot_descriptions")
    except ImportError:
        raise MissingExtra("robot_descriptions", "robots", f"loading {name!r}") from None
    known = sorted(file.stem for folder in collection.__path__ for file in Path(folder).glob("*_description.py"))
    if name not in known:
        raise UnknownDescription(name, known)
    module = f"{collection.__name__}.{name}"
    try:
        with _environment(_COMMIT_VARIABLE, commit):
            if module in sys.modules:
                return importlib.reload(sys.modules[module])
            return importlib.import_module(module)
    except Exception as error:  # whatever git and the network raise
        raise ModelFileError(f"the description cannot be fetched: {error}", name) from error


@contextmanager
def _environment(variable: str, value: str | None) -> Iterator[None]:
    """Set an environment variable for a while, if there is a value."""
    if value is None:
        yield
        return
    before = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before
