"""A model with its data, its neutral configuration and its shapes."""

from __future__ import annotations

import os
from collections.abc import Mapping

from pantin.arrays import Array
from pantin.kinematics.configurations import neutral
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.joints import JointModel
from pantin.kinematics.model import Data, Model
from pantin.kinematics.urdf import read_urdf
from pantin.kinematics.urdf.build import build_model
from pantin.kinematics.urdf.geometry import MeshFolders, PackageDirs, build_geometry, mesh_folders
from pantin.kinematics.urdf.records import UrdfRobot

__all__ = ["RobotWrapper"]


class RobotWrapper:
    """Robot model with its data and neutral configuration.

    Attributes:
        model: The model.
        data: Data of the model.
        q0: Neutral configuration, shape (nq,).
        visual_model: Shapes to draw, or None.
        collision_model: Shapes that must not collide, or None.
    """

    model: Model
    data: Data
    q0: Array
    visual_model: GeometryModel | None
    collision_model: GeometryModel | None

    def __init__(
        self,
        model: Model,
        visual_model: GeometryModel | None = None,
        collision_model: GeometryModel | None = None,
    ) -> None:
        self.model = model
        self.data = model.create_data()
        self.q0 = neutral(model)
        self.visual_model = visual_model
        self.collision_model = collision_model

    @staticmethod
    def BuildFromURDF(
        filename: str | os.PathLike[str],
        package_dirs: PackageDirs = None,
        root_joint: JointModel | str | None = None,
        mimic: bool = False,
        *,
        strict: bool = False,
        xacro_args: Mapping[str, str] | None = None,
    ) -> RobotWrapper:
        """Robot that a URDF or xacro file describes, with both kinds of its shapes.

        Args:
            filename: Path of the file.
            package_dirs: Folders where packages of meshes are looked for; see `build_geom_from_urdf`.
            root_joint: Joint between the world and the root link, or its name; None fixes it.
            mimic: Let mimic joints follow their masters.
            strict: Refuse joints without limits rather than warn of them.
            xacro_args: Values of the arguments of a xacro file.

        Returns:
            The robot.

        Raises:
            ModelFileError: If the file cannot be read or describes no tree.
            MissingExtra: If it is a xacro file and `xacrodoc` is not installed.
            InvalidArgument: If `root_joint` is none of these.
        """
        folders = mesh_folders(filename, package_dirs)
        robot = read_urdf(filename, xacro_args, folders)
        return wrap_robot(robot, folders, root_joint, mimic=mimic, strict=strict)

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return self.model.nq

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return self.model.nv

    def __repr__(self) -> str:
        return f"RobotWrapper({self.model!r})"


def wrap_robot(
    robot: UrdfRobot, folders: MeshFolders, root_joint: JointModel | str | None, *, mimic: bool, strict: bool
) -> RobotWrapper:
    """Robot with its shapes, out of the links and joints of a URDF; see `RobotWrapper.BuildFromURDF`."""
    model = build_model(robot, root_joint, mimic=mimic, strict=strict)
    visual, collision = (build_geometry(robot, model, folders, kind) for kind in ("visual", "collision"))
    return RobotWrapper(model, visual, collision)
