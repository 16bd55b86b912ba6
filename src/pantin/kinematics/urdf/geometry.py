"""The `<visual>` and `<collision>` elements of a URDF as shapes of a model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.geometry import GeometryModel, GeometryObject
from pantin.kinematics.model import FrameType, Model
from pantin.kinematics.se3 import SE3
from pantin.kinematics.urdf.elements import read_origin
from pantin.kinematics.urdf.records import UrdfRobot
from pantin.kinematics.urdf.xml import Element, as_path, at_least_zero, child, children, fault, label, numbers, text

__all__ = ["MeshFolders", "PackageDirs", "build_geometry", "mesh_folders", "resolve_mesh"]

#: Folders that hold packages, or are packages; one, several, or none.
PackageDirs: TypeAlias = Sequence[str | os.PathLike[str]] | str | os.PathLike[str] | None

_SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")


def build_geometry(robot: UrdfRobot, model: Model, folders: MeshFolders, kind: str) -> GeometryModel:
    """Shapes of a robot, named `link_0`, `link_1`, ... as Pinocchio does, in the order of the model's links.

    Args:
        robot: The robot as it was read.
        model: The model that was made of it.
        folders: Where its meshes are looked for.
        kind: "visual" or "collision".

    Returns:
        The shapes; meshes that were not found are listed in `missing_meshes`.

    Raises:
        InvalidArgument: If the kind is neither, or the model has not the robot's links.
        ModelFileError: If a shape cannot be read.
    """
    if kind not in ("visual", "collision"):
        raise InvalidArgument("geometry_type", f"expected 'visual' or 'collision', got {kind!r}")
    colors = _read_colors(robot.root)
    geometry = GeometryModel()
    for name, joint, placement in _links(robot, model):
        for index, element in enumerate(children(robot.links[name].element, kind)):
            shape = _read_shape(element)
            if shape is None:
                continue
            color = _read_color(element, colors)
            mesh_path, scale = "", None
            if label(shape) == "mesh":
                filename = text(shape, "filename")
                mesh_path = resolve_mesh(filename, folders)
                scale = np.array(numbers(shape, "scale", 3)) if "scale" in shape.attrib else None
                if not mesh_path:
                    geometry.missing_meshes.append(filename)
                    continue
            geometry.geometry_objects.append(
                GeometryObject(
                    f"{name}_{index}",
                    joint,
                    placement * read_origin(element),
                    label(shape),
                    _read_size(shape),
                    mesh_path,
                    scale,
                    color,
                    link=name,
                )
            )
    return geometry


class MeshFolders(NamedTuple):
    """Where meshes are looked for.

    Attributes:
        robot: Folder of the robot file.
        packages: Folders that hold packages, or are packages.
    """

    robot: Path
    packages: tuple[Path, ...]


def mesh_folders(filename: str | os.PathLike[str], package_dirs: PackageDirs) -> MeshFolders:
    """Where the meshes of a robot file are looked for."""
    if package_dirs is None:
        package_dirs = ()
    elif isinstance(package_dirs, (str, os.PathLike)):
        package_dirs = (package_dirs,)
    try:
        packages = tuple(Path(folder) for folder in package_dirs)
    except TypeError:
        raise InvalidArgument("package_dirs", f"expected folders, got {package_dirs!r}") from None
    return MeshFolders(as_path(filename).absolute().parent, packages)


def resolve_mesh(filename: str, folders: MeshFolders) -> str:
    """Path of a mesh file, or an empty string if it is not found.

    `package://name/rest` is looked for as `name/rest` and, where the folder is the package itself, as `rest`, in
    the package folders, then in the folders above the robot file, then in those of `ROS_PACKAGE_PATH`.
    Other names are taken relative to the robot file, then to the package folders.
    """
    scheme, separator, rest = filename.partition("://")
    if not separator:
        candidates = (folder / filename for folder in (folders.robot, *folders.packages))
    elif scheme == "file":
        candidates = (folder / rest for folder in (folders.robot,))
    elif scheme in ("package", "model"):
        package, _, inside = rest.partition("/")
        candidates = (path for path in _in_package(package, inside, folders))
    else:
        return ""
    return next((str(path) for path in candidates if _is_file(path)), "")


def _in_package(package: str, inside: str, folders: MeshFolders) -> Iterator[Path]:
    """Places where a file of a package may be."""
    for folder in folders.packages:
        yield folder / package / inside
        yield folder / inside
    ros = [Path(entry) for entry in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if entry]
    for folder in (folders.robot, *folders.robot.parents, *ros):
        if folder.name == package:
            yield folder / inside
        yield folder / package / inside


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _links(robot: UrdfRobot, model: Model) -> list[tuple[str, int, SE3]]:
    """Name, joint and placement of each of the robot's links, in the order of the model's frames."""
    links = [
        (frame.name, frame.parent_joint, frame.placement)
        for frame in model.frames
        if frame.type == FrameType.BODY and frame.name in robot.links
    ]
    if len(links) < len(robot.links):
        absent = set(robot.links) - {name for name, _, _ in links}
        raise InvalidArgument("model", f"not made from this file: it has no link {sorted(absent)[0]!r}")
    return links


def _read_shape(element: Element) -> Element | None:
    """The shape of a `<visual>` or `<collision>`, or None if it is of a kind that URDF does not know."""
    geometry = child(element, "geometry")
    if geometry is None:
        raise fault(element, "no <geometry>")
    for tag in _SHAPES:
        if (shape := child(geometry, tag)) is not None:
            return shape
    if len(geometry) == 0:
        raise fault(geometry, f"no shape; expected one of {', '.join(f'<{tag}>' for tag in _SHAPES)}")
    return None


def _read_size(shape: Element) -> Array:
    """Sizes of a shape, as `GeometryObject.size`."""
    if label(shape) == "box":
        size = np.array(numbers(shape, "size", 3))
        if (size < 0.0).any():
            raise fault(shape, "an edge of the box is negative")
        return size
    names = {"sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}
    return np.array([at_least_zero(shape, name) for name in names.get(label(shape), ())])


def _read_colors(root: Element) -> dict[str, Array]:
    """Colors of the materials that any element of the file names."""
    colors: dict[str, Array] = {}
    for material in root.iter("{*}material"):
        element = child(material, "color")
        name = material.get("name", "")
        if name and element is not None and name not in colors:
            colors[name] = _read_rgba(element)
    return colors


def _read_color(element: Element, colors: dict[str, Array]) -> Array | None:
    """Color of a shape, its own or that of the material it names; None without one."""
    material = child(element, "material")
    if material is None:
        return None
    own = child(material, "color")
    return colors.get(material.get("name", "")) if own is None else _read_rgba(own)


def _read_rgba(element: Element) -> Array:
    """Red, green, blue and opacity, shape (4,), brought into 0 to 1."""
    return np.clip(numbers(element, "rgba", 4), 0.0, 1.0)
