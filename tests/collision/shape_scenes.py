"""Robots with shapes, for tests of distances."""

from __future__ import annotations

import numpy as np

from models import random_pose, random_tree
from pantin import kinematics as kin
from pantin.kinematics import GeometryModel, GeometryObject

SIZES = {"box": (0.2, 0.3, 0.1), "sphere": (0.15,), "cylinder": (0.1, 0.3), "capsule": (0.08, 0.3)}


def loose(*shapes):
    """Shapes that are free in space, each (kind, size); and the model that they move with."""
    model, geometry = kin.Model(), GeometryModel()
    for index, (kind, size) in enumerate(shapes):
        joint = model.add_joint(0, kin.JointModelFreeFlyer(), kin.SE3.Identity(), f"free_{index}")
        geometry.add_geometry_object(GeometryObject(f"shape_{index}", joint, kin.SE3.Identity(), kind, size))
    geometry.add_all_collision_pairs()
    return model, geometry


def at(*poses):
    """Configuration of loose shapes."""
    return np.concatenate([np.concatenate([pose.translation, quaternion(pose.rotation)]) for pose in poses])


def quaternion(rotation):
    return kin.matrix_to_quaternion(rotation)


def moved(x, y, z):
    """Pose that is turned by nothing."""
    return kin.SE3(np.eye(3), np.array([x, y, z], dtype=float))


def shaped_tree(kinds, seed):
    """Tree of joints of these kinds with a shape or two on each, and all pairs."""
    random = np.random.default_rng(seed)
    model, geometry = random_tree(kinds, seed), GeometryModel()
    for joint in range(1, model.njoints):
        for kind in random.choice(list(SIZES), random.integers(1, 3), replace=False):
            geometry.add_geometry_object(
                GeometryObject(f"{kind}_{joint}", joint, random_pose(random, 0.2), str(kind), SIZES[str(kind)])
            )
    geometry.add_all_collision_pairs()
    return model, geometry


def placed(model, q):
    """Data with joints and screws placed."""
    data = model.create_data()
    kin.compute_joint_jacobians(model, data, q)
    return data


def write_obj(path, vertices, triangles):
    """Mesh file of triangles."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices, dtype=float).tolist()]
    path.write_text("\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles)]) + "\n")
    return path


def box_mesh(path, size):
    """Mesh file of a box, its corners in the order of their binary numbers."""
    corners = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return write_obj(path, corners, [t for a, b, c, d in sides for t in ((a, b, c), (a, c, d))])
