"""Distances, normals and witness points: closed forms, contact, meshes, and where they belong to."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_scenes import at, box_mesh, loose, moved, placed, write_obj

from models import random_pose
from pantin import kinematics as kin
from pantin.collision import GeometryData
from pantin.errors import InvalidArgument, MissingExtra, ModelFileError, ModelFileNotFound, ModelFileWarning
from pantin.kinematics import GeometryModel, GeometryObject
from pantin.kinematics.geometry import UnknownGeometry

pytest.importorskip("coal", reason="the package coal measures distances")

#: What distances are measured to (1e-9), some roundings added.
TOLERANCE = 3e-9


def measured(model, geometry, q, **options):
    """What is measured between all pairs."""
    data = GeometryData(geometry, **options)
    data.place(placed(model, q), q)
    return data.distance_results


def between(one, other, first, second, **options):
    """What is measured between two shapes."""
    model, geometry = loose(one, other)
    return measured(model, geometry, at(first, second), **options)[0]


def closest_on_segments(a, b, c, d):
    """Distance of the segments ab and cd: the least of a convex quadratic over the unit square."""
    best = np.inf
    u, v, w = b - a, d - c, a - c
    M = np.array([[u @ u, -u @ v], [-u @ v, v @ v]])
    g = np.array([-u @ w, v @ w])
    inner = np.linalg.lstsq(M, g, rcond=None)[0]
    candidates = [inner] if ((inner >= 0) & (inner <= 1)).all() else []
    for s in (0.0, 1.0):
        candidates.append((s, np.clip((v @ w + s * (u @ v)) / (v @ v), 0, 1)))
        candidates.append((np.clip((s * (u @ v) - u @ w) / (u @ u), 0, 1), s))
    for s, t in candidates:
        best = min(best, float(np.linalg.norm(a + s * u - c - t * v)))
    return best


@given(st.integers(0, 10**6))
def test_spheres_and_capsules_are_as_far_apart_as_their_cores_less_their_radii(seed):
    random = np.random.default_rng(seed)
    first, second = random_pose(random, 0.3), random_pose(random, 0.3)
    spheres = between(("sphere", [0.1]), ("sphere", [0.25]), first, second)
    apart = np.linalg.norm(second.translation - first.translation)
    assert spheres.min_distance == pytest.approx(apart - 0.35, abs=TOLERANCE)
    np.testing.assert_allclose(spheres.normal, (second.translation - first.translation) / apart, atol=1e-7)

    capsules = between(("capsule", [0.1, 0.4]), ("capsule", [0.05, 0.6]), first, second)
    axes = [pose.rotation[:, 2] for pose in (first, second)]
    ends = [
        pose.translation + s * h * axis
        for pose, h, axis in zip((first, second), (0.2, 0.3), axes, strict=True)
        for s in (-1, 1)
    ]
    assert capsules.min_distance == pytest.approx(closest_on_segments(*ends) - 0.15, abs=TOLERANCE)


@given(st.integers(0, 10**6))
def test_witness_points_lie_on_the_shapes_a_distance_apart_along_the_normal(seed):
    random = np.random.default_rng(seed)
    first, second = random_pose(random, 0.2), random_pose(random, 0.2)
    result = between(("box", [0.2, 0.3, 0.4]), ("capsule", [0.1, 0.2]), first, second)
    assert np.linalg.norm(result.normal) == pytest.approx(1.0, abs=1e-9)
    gap = result.nearest_point_2 - result.nearest_point_1
    np.testing.assert_allclose(gap, result.min_distance * result.normal, atol=1e-12)
    inside = np.abs(first.rotation.T @ (result.nearest_point_1 - first.translation)) - (0.1, 0.15, 0.2)
    assert abs(inside.max()) < 1e-6, "on the surface of the box, as exactly as a depth is found"
    x, y, z = second.rotation.T @ (result.nearest_point_2 - second.translation)
    assert np.linalg.norm([x, y, z - np.clip(z, -0.1, 0.1)]) == pytest.approx(0.1, abs=1e-6)


def test_overlap_is_a_negative_distance_and_the_normal_still_leads_out():
    model, geometry = loose(("box", [0.2, 0.2, 0.2]), ("sphere", [0.1]))
    depths = []
    for x in (0.25, 0.2, 0.15, 0.1):
        result = measured(model, geometry, at(moved(0, 0, 0), moved(x, 0, 0)))[0]
        np.testing.assert_allclose(result.normal, [1, 0, 0], atol=1e-9)
        depths.append(result.min_distance)
    np.testing.assert_allclose(depths, [0.05, 0.0, -0.05, -0.1], atol=TOLERANCE)


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("box", [0.2, 0.3, 0.4]),
        ("box", [0.2, 0.3, 0.0]),
        ("box", [0.0, 0.0, 0.0]),
        ("sphere", [0.1]),
        ("sphere", [0.0]),
        ("cylinder", [0.1, 0.2]),
        ("cylinder", [0.0, 0.2]),
        ("cylinder", [0.1, 0.0]),
        ("capsule", [0.1, 0.2]),
        ("capsule", [0.1, 0.0]),
    ],
)
def test_shapes_in_one_place_have_a_finite_distance_and_a_normal(kind, size):
    for apart in (0.0, 1e-300, 1e-12, 1e-6):
        result = between((kind, size), (kind, size), moved(0, 0, 0), moved(0, apart, 0))
        assert np.isfinite(result.min_distance)
        assert -0.5 < result.min_distance <= 2e-6
        assert np.linalg.norm(result.normal) == pytest.approx(1.0, abs=1e-9)
        assert np.isfinite(result.nearest_point_1).all()


def test_what_touched_once_is_measured_again():
    model, geometry = loose(("box", [0.2, 0.2, 0.2]), ("box", [0.2, 0.2, 0.2]))
    data = GeometryData(geometry)
    for x in (0.5, 0.1, 0.3, 0.0, 0.4):
        q = at(moved(0, 0, 0), moved(x, 0, 0))
        data.place(placed(model, q), q)
        assert data.distance_results[0].min_distance == pytest.approx(x - 0.2, abs=TOLERANCE)


def test_a_mesh_counts_as_its_hull_or_as_its_triangles(tmp_path):
    # an L: the hull closes its inner corner
    outline = [(0, 0), (1, 0), (1, 0.2), (0.2, 0.2), (0.2, 1), (0, 1)]
    vertices = [(x, y, z) for z in (0.0, 0.1) for x, y in outline]
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    caps = faces + [tuple(6 + i for i in reversed(face)) for face in faces]
    walls = [t for i in range(6) for j in [(i + 1) % 6] for t in ((i, j, 6 + j), (i, 6 + j, 6 + i))]
    path = write_obj(tmp_path / "l.obj", vertices, caps + walls)
    model, geometry = loose(("sphere", [0.1]))
    joint = model.add_joint(0, kin.JointModelFreeFlyer(), kin.SE3.Identity(), "l")
    geometry.add_geometry_object(GeometryObject("l", joint, kin.SE3.Identity(), "mesh", mesh_path=str(path)))
    geometry.add_all_collision_pairs()
    q = at(moved(0.7, 0.7, 0.05), moved(0, 0, 0))
    from_hull = (1.4 - 1.2) / np.sqrt(2.0) - 0.1
    assert measured(model, geometry, q)[0].min_distance == pytest.approx(from_hull, abs=TOLERANCE)
    assert measured(model, geometry, q, hull=False)[0].min_distance == pytest.approx(0.4, abs=1e-6)


@given(st.integers(0, 10**6))
def test_a_mesh_of_a_box_is_as_far_as_the_box(tmp_path_factory, seed):
    random = np.random.default_rng(seed)
    path = box_mesh(tmp_path_factory.mktemp("mesh") / "box.obj", (1.0, 1.0, 1.0))
    first, second = random_pose(random, 0.3), random_pose(random, 0.3)
    model, geometry = loose(("cylinder", [0.1, 0.2]), ("box", [0.2, 0.3, 0.4]))
    box = measured(model, geometry, at(first, second))[0]
    geometry.geometry_objects[1] = GeometryObject(
        "mesh", 2, kin.SE3.Identity(), "mesh", mesh_path=str(path), mesh_scale=[0.2, 0.3, 0.4]
    )
    mesh = measured(model, geometry, at(first, second))[0]
    assert mesh.min_distance == pytest.approx(box.min_distance, abs=2e-6)


@pytest.mark.parametrize(
    "vertices",
    [[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], [(0, 0, 0), (1, 0, 0), (2, 0, 0)]],
    ids=["plane", "line"],
)
def test_a_flat_mesh_has_a_hull_all_the_same(tmp_path, vertices):
    path = write_obj(tmp_path / "flat.obj", vertices, [(0, 1, 2)] + ([(1, 2, 3)] if len(vertices) > 3 else []))
    model, geometry = loose(("sphere", [0.1]))
    joint = model.add_joint(0, kin.JointModelFreeFlyer(), kin.SE3.Identity(), "flat")
    geometry.add_geometry_object(GeometryObject("flat", joint, kin.SE3.Identity(), "mesh", mesh_path=str(path)))
    geometry.add_all_collision_pairs()
    x, y, z = np.mean(vertices, axis=0)
    result = measured(model, geometry, at(moved(x, y, z + 0.5), moved(0, 0, 0)))[0]
    assert result.min_distance == pytest.approx(0.4, abs=1e-5)


def test_meshes_that_cannot_be_read_are_told_by_name(tmp_path):
    def shapes(path):
        geometry = GeometryModel()
        geometry.add_geometry_object(GeometryObject("m", 0, kin.SE3.Identity(), "mesh", mesh_path=str(path)))
        return geometry

    with pytest.raises(ModelFileNotFound, match=r"nothing\.stl"):
        GeometryData(shapes(tmp_path / "nothing.stl"))
    (tmp_path / "garbage.stl").write_text("no mesh")
    with pytest.raises(ModelFileError, match=r"garbage\.stl: cannot be read as a mesh \(.*small"):
        GeometryData(shapes(tmp_path / "garbage.stl"))


def test_shapes_that_do_not_fit_are_told():
    _, geometry = loose(("sphere", [0.1]), ("sphere", [0.1]))
    geometry.collision_pairs = [kin.CollisionPair(0, 2)]
    with pytest.raises(UnknownGeometry, match="no geometry object 2; they are numbered 0 to 1"):
        GeometryData(geometry)
    geometry.add_all_collision_pairs()
    alone, _ = loose(("sphere", [0.1]))
    q = at(moved(0, 0, 0))
    with pytest.raises(InvalidArgument, match="collision_model: a shape moves with joint 2, and the model has 2"):
        GeometryData(geometry).place(placed(alone, q), q)
    geometry.missing_meshes.append("package://robot/arm.stl")
    with pytest.warns(ModelFileWarning, match=r"1 meshes were not found.*arm\.stl"):
        GeometryData(geometry)


def test_data_that_is_copied_or_sent_measures_the_same():
    model, geometry = loose(("sphere", [0.1]), ("box", [0.2, 0.2, 0.2]))
    q = at(moved(0, 0, 0), moved(0.3, 0.1, 0))
    data = GeometryData(geometry)
    for other in (data, copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))):
        other.place(placed(model, q), q)
        assert other.distance_results[0].min_distance == pytest.approx(0.1, abs=TOLERANCE)


def test_without_coal_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "coal", None)
    _, geometry = loose(("sphere", [0.1]), ("sphere", [0.1]))
    with pytest.raises(MissingExtra, match=r"needs the package 'coal'.*pantin\[collision\]"):
        GeometryData(geometry)
