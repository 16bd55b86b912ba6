"""Shapes as `coal` knows them, and balls around them."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pantin.arrays import Array
from pantin.errors import MissingExtra, ModelFileError, ModelFileNotFound
from pantin.kinematics.geometry import GeometryObject

__all__ = ["Solid", "coal", "solid"]

#: Thickness that the convex hull of a flat mesh is given, m; more where the mesh is larger than 10 m.
THICKNESS = 1e-5


class Solid(NamedTuple):
    """A shape that distances are measured to.

    Attributes:
        shape: The shape, a `coal` collision geometry.
        centre: Centre of a ball around it, in the shape's frame, shape (3,), m.
        radius: Radius of the ball, m.
    """

    shape: Any
    centre: Array
    radius: float


def coal() -> Any:
    """The package `coal`.

    Raises:
        MissingExtra: If it is not installed.
    """
    try:
        import coal as package  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("coal", "collision", "measuring distances between shapes") from None
    return package


def solid(shape: GeometryObject, *, hull: bool = True) -> Solid:
    """A shape of a geometry model as one that distances are measured to.

    Args:
        shape: The shape; files of meshes are read once.
        hull: Take the convex hull of a mesh; otherwise its triangles, which is slow.

    Raises:
        MissingExtra: If `coal` is not installed.
        ModelFileError: If a mesh cannot be read.
    """
    if shape.shape == "mesh":
        return _mesh(shape, hull)
    sizes = shape.size.tolist()
    made = getattr(coal(), shape.shape.capitalize())(*sizes)
    made.computeLocalAABB()
    return Solid(made, np.zeros(3), _radius(shape.shape, sizes))


def _radius(kind: str, sizes: list[float]) -> float:
    """Radius of the ball around a box, sphere, cylinder or capsule, with the same centre."""
    if kind == "box":
        return 0.5 * float(np.linalg.norm(sizes))
    radius, length = sizes[0], sizes[1] if len(sizes) > 1 else 0.0
    return float(np.hypot(radius, 0.5 * length)) if kind == "cylinder" else radius + 0.5 * length


def _mesh(shape: GeometryObject, hull: bool) -> Solid:
    path = shape.mesh_path
    try:
        changed = os.stat(path).st_mtime_ns
    except OSError:
        raise ModelFileNotFound(Path(path)) from None
    return _read_mesh(path, changed, tuple(shape.mesh_scale.tolist()), hull)


@lru_cache(maxsize=512)
def _read_mesh(path: str, _changed: int, scale: tuple[float, ...], hull: bool) -> Solid:
    """Mesh of a file, as it was changed last."""
    try:
        mesh = coal().MeshLoader().load(path, np.array(scale))
    except ValueError as error:
        reason = ", ".join(line for line in str(error).split("\n")[4:] if line and "Hint" not in line)
        raise ModelFileError(f"cannot be read as a mesh ({reason or error})", path) from None
    vertices = np.array(mesh.vertices())
    if not len(vertices) or not np.isfinite(vertices).all():
        raise ModelFileError("the mesh has no vertices" if not len(vertices) else "a vertex is not finite", path)
    centre = 0.5 * (vertices.min(axis=0) + vertices.max(axis=0))
    radius = float(np.linalg.norm(vertices - centre, axis=1).max())
    made = _hull(vertices) if hull else mesh
    made.computeLocalAABB()
    return Solid(made, centre, radius * (1.0 + 1e-6) + THICKNESS)


def _hull(vertices: Array) -> Any:
    """Convex hull of points; flat ones are given a thickness, since Qhull ends the process where it finds none."""
    largest = np.ptp(vertices, axis=0).max()
    thickness = max(THICKNESS, 1e-6 * largest, 1e-9 * np.abs(vertices).max())
    spread = vertices - vertices.mean(axis=0)
    axes = np.linalg.eigh(spread.T @ spread)[1].T
    for axis in axes[np.ptp(vertices @ axes.T, axis=0) < 0.5 * thickness]:
        step = 0.5 * thickness * axis
        vertices = np.concatenate([vertices - step, vertices + step])
    points = coal().StdVec_Vec3s()
    points.extend(list(vertices))
    return coal().Convex.convexHull(points, True, "Qt")
