"""Nodes of a viser scene: shapes, meshes and poses."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np

from pantin.errors import MissingExtra, ModelFileError
from pantin.kinematics.geometry import GeometryObject
from pantin.kinematics.se3 import SE3
from pantin.kinematics.so3 import quaternion_wxyz

if TYPE_CHECKING:
    import viser

__all__ = ["add_shape", "load_package", "move_node", "node_name"]


def load_package(package: str) -> Any:
    """A package of the extra `view`.

    Raises:
        MissingExtra: If it is not installed.
    """
    try:
        return importlib.import_module(package)
    except ImportError:
        raise MissingExtra(package, "view", "showing a robot in a browser") from None


def node_name(name: str) -> str:
    """Name that makes one node; a slash would make several, one moving with the other."""
    return name.replace("/", "_")


def move_node(node: viser.SceneNodeHandle, pose: SE3) -> None:
    """Put a node where a pose says, in the node above it."""
    node.position = pose.translation
    node.wxyz = quaternion_wxyz(pose.rotation)


def add_shape(scene: viser.SceneApi, name: str, shape: GeometryObject) -> viser.SceneNodeHandle:
    """Add a shape to a scene, about the origin.

    Raises:
        MissingExtra: If a package that reads meshes is not installed (extra `view`).
        ModelFileError: If its mesh cannot be read.
    """
    red, green, blue, opacity = (float(part) for part in shape.mesh_color)
    paint: dict[str, Any] = {"color": (red, green, blue), "opacity": opacity if opacity < 1.0 else None}
    if shape.shape == "box":
        return scene.add_box(name, dimensions=shape.size, **paint)
    if shape.shape == "sphere":
        return scene.add_icosphere(name, radius=float(shape.size[0]), **paint)
    if shape.shape == "mesh":
        mesh = _read_mesh(shape)
        if hasattr(mesh, "geometry"):  # a scene of parts, which have colours of their own
            return scene.add_mesh_trimesh(name, mesh)
        return scene.add_mesh_simple(name, np.asarray(mesh.vertices), np.asarray(mesh.faces), **paint)
    radius, length = (float(size) for size in shape.size)
    round_body = getattr(load_package("trimesh").creation, shape.shape)(radius=radius, height=length)
    return scene.add_mesh_simple(name, np.asarray(round_body.vertices), np.asarray(round_body.faces), **paint)


def _read_mesh(shape: GeometryObject) -> Any:
    """Mesh of a file at its scale; of a Collada file a scene, whose parts have colours."""
    trimesh = load_package("trimesh")
    coloured = shape.mesh_path.lower().endswith(".dae")
    if coloured:
        load_package("collada")
    try:
        mesh = (trimesh.load_scene if coloured else trimesh.load_mesh)(shape.mesh_path)
        mesh.apply_scale(shape.mesh_scale)
    except Exception as error:  # readers of meshes raise what they like
        raise ModelFileError(f"cannot be read as a mesh ({error})", shape.mesh_path) from error
    if mesh.is_empty:
        raise ModelFileError("holds no mesh", shape.mesh_path)
    return mesh
