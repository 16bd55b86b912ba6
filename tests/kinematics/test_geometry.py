"""Shapes of robots: those of Pinker and Pinocchio, and where mesh files are looked for."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from test_urdf_oracle import READABLE, ROBOTS, relative
from urdf_text import joint, link, robot

from pantin.errors import InvalidArgument, ModelFileError, ModelFileWarning
from pantin.kinematics.geometry import GeometryModel, GeometryObject, UnknownGeometry
from pantin.kinematics.se3 import SE3
from pantin.kinematics.urdf import build_geom_from_urdf, build_model_from_urdf, build_model_from_xml

#: Roundings of a product of two poses.
TOLERANCE = 1e-12

SHAPES = """
<link name="base">
  <visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
  <visual name="named">
    <origin xyz="1 0 0" rpy="0 0 1"/><geometry><sphere radius="0.5"/></geometry>
    <material name="own"><color rgba="0 0.25 0.5 1"/></material>
  </visual>
  <collision><geometry><cylinder radius="0.25" length="2"/></geometry></collision>
</link>
<link name="tip">
  <collision><origin xyz="0 0 1"/><geometry><capsule radius="0.1" length="0.4"/></geometry></collision>
  <visual><geometry><drake:ellipsoid a="1" b="2" c="3"/></geometry></visual>
  <visual><geometry><box size="1 1 1"/></geometry><material name="nobody"/></visual>
</link>
<link name="welded"><collision><geometry><sphere radius="1"/></geometry></collision></link>
<material name="red"><color rgba="1 0 0 0.5"/></material>
"""


@pytest.fixture
def shapes(tmp_path):
    file = tmp_path / "shapes.urdf"
    file.write_text(
        robot(
            SHAPES,
            joint("j", "continuous", "base", "tip"),
            joint("w", "fixed", "tip", "welded", origin='<origin xyz="1 2 3"/>'),
            attributes='name="r" xmlns:drake="urn:drake"',
        )
    )
    return file


def test_shapes_are_read_with_size_color_joint_and_placement(shapes):
    model = build_model_from_urdf(shapes)
    visual = build_geom_from_urdf(model, shapes)
    assert [(g.name, g.parent_joint, g.shape) for g in visual.geometry_objects] == [
        ("base_0", 0, "box"),
        ("base_1", 0, "sphere"),
        ("tip_1", 1, "box"),
    ]
    box, sphere, plain = visual.geometry_objects
    assert np.array_equal(box.size, [1, 2, 3])
    assert np.array_equal(box.mesh_color, [1, 0, 0, 0.5])
    assert np.array_equal(sphere.size, [0.5])
    assert np.array_equal(sphere.mesh_color, [0, 0.25, 0.5, 1])
    assert np.array_equal(sphere.placement.translation, [1, 0, 0])
    assert np.array_equal(plain.mesh_color, [0.7, 0.7, 0.7, 1])


def test_collision_shapes_are_read_with_capsules_and_welded_links(shapes):
    model = build_model_from_urdf(shapes)
    cylinder, capsule, sphere = build_geom_from_urdf(model, shapes, None, "collision").geometry_objects
    assert (cylinder.shape, cylinder.size.tolist()) == ("cylinder", [0.25, 2])
    assert (capsule.shape, capsule.size.tolist(), capsule.parent_joint) == ("capsule", [0.1, 0.4], 1)
    assert np.array_equal(capsule.placement.translation, [0, 0, 1])
    assert (sphere.name, sphere.parent_joint) == ("welded_0", 1)
    assert np.array_equal(sphere.placement.translation, [1, 2, 3])


@pytest.mark.parametrize(
    ("geometry", "complaint"),
    [
        ("<visual/>", "<visual>: no <geometry>"),
        ("<visual><geometry/></visual>", "<geometry>: no shape; expected one of <box>"),
        ("<visual><geometry><box/></geometry></visual>", "<box>: no attribute 'size'"),
        ('<visual><geometry><box size="1 -2 3"/></geometry></visual>', "<box>: an edge of the box is negative"),
        ('<visual><geometry><sphere radius="-1"/></geometry></visual>', "<sphere>: radius=-1 is negative"),
        ("<visual><geometry><mesh/></geometry></visual>", "<mesh>: no attribute 'filename'"),
        (
            '<visual><geometry><sphere radius="1"/></geometry><material><color rgba="1 0 0"/></material></visual>',
            "<color>: rgba='1 0 0': expected 4 numbers",
        ),
    ],
)
def test_shapes_that_cannot_be_read_are_refused_by_line(tmp_path, geometry, complaint):
    file = tmp_path / "robot.urdf"
    file.write_text(robot(f'<link name="a">{geometry}</link>'))
    model = build_model_from_urdf(file)
    with pytest.raises(ModelFileError, match=f"line 2, link 'a', {complaint}"):
        build_geom_from_urdf(model, file)


def test_a_model_of_another_file_is_refused(shapes):
    other = build_model_from_xml(robot(link("base"), link("x"), joint("j", "fixed", "base", "x")))
    with pytest.raises(InvalidArgument, match="model: not made from this file: it has no link 'tip'"):
        build_geom_from_urdf(other, shapes)


def test_an_unknown_kind_of_geometry_is_refused(shapes):
    with pytest.raises(InvalidArgument, match="geometry_type: expected 'visual' or 'collision', got 'VISUAL'"):
        build_geom_from_urdf(build_model_from_urdf(shapes), shapes, None, "VISUAL")


# ------------------------------------------------------------------------------------------------------------- meshes


@pytest.fixture
def packages(tmp_path):
    for name in ("one/meshes/a.stl", "two/one/meshes/b.stl", "two/urdf/c.stl", "two/d.stl", "far/three/e.stl"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


def mesh_path(packages, filename, package_dirs):
    file = packages / "two/urdf/robot.urdf"
    mesh = f'<visual><geometry><mesh filename="{filename}" scale="1 2 3"/></geometry></visual>'
    file.write_text(robot(f'<link name="a">{mesh}</link>'))
    geometry = build_geom_from_urdf(build_model_from_urdf(file), file, package_dirs)
    assert len(geometry.missing_meshes) + geometry.ngeoms == 1
    if geometry.missing_meshes:
        assert geometry.missing_meshes == [filename]
        return None
    (shape,) = geometry.geometry_objects
    assert (shape.name, shape.shape, shape.mesh_scale.tolist()) == ("a_0", "mesh", [1, 2, 3])
    return os.path.relpath(shape.mesh_path, packages)


@pytest.mark.parametrize(
    ("filename", "package_dirs", "found"),
    [
        ("package://one/meshes/a.stl", ["."], "one/meshes/a.stl"),
        ("package://one/meshes/a.stl", ["one"], "one/meshes/a.stl"),
        ("package://one/meshes/b.stl", [".", "two"], "two/one/meshes/b.stl"),
        ("package://three/e.stl", ["far"], "far/three/e.stl"),
        ("package://three/e.stl", None, None),
        ("package://one/meshes/a.stl", None, "one/meshes/a.stl"),
        ("package://two/d.stl", None, "two/d.stl"),
        ("model://two/d.stl", None, "two/d.stl"),
        ("c.stl", None, "two/urdf/c.stl"),
        ("../d.stl", None, "two/d.stl"),
        ("d.stl", ["two"], "two/d.stl"),
        ("file://{}/two/d.stl", None, "two/d.stl"),
        ("{}/two/d.stl", None, "two/d.stl"),
        ("http://example.org/d.stl", ["two"], None),
        ("nowhere.stl", ["two"], None),
        ("package://one", ["."], None),
        ("a" * 5000, ["."], None),
    ],
)
def test_meshes_are_found_where_packages_are(packages, filename, package_dirs, found):
    folders = None if package_dirs is None else [packages / folder for folder in package_dirs]
    assert mesh_path(packages, filename.format(packages), folders) == found


def test_meshes_are_found_in_the_package_path_of_ros(packages, monkeypatch):
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{packages / 'far'}")
    assert mesh_path(packages, "package://three/e.stl", None) == "far/three/e.stl"


def test_one_package_folder_may_stand_for_a_list(packages):
    assert mesh_path(packages, "package://three/e.stl", str(packages / "far")) == "far/three/e.stl"


@pytest.mark.skipif(not ROBOTS.is_dir(), reason="example-robot-data is not installed")
@pytest.mark.parametrize("path", READABLE[::3], ids=relative)
def test_visuals_of_robots_equal_those_of_pinker(path):
    urdf = pytest.importorskip("pinker.kinematics.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        ours = build_geom_from_urdf(build_model_from_urdf(path), path, [ROBOTS.parent.parent])
    theirs = urdf.build_geom_from_urdf(urdf.build_model_from_urdf(str(path)), str(path), [str(ROBOTS.parent.parent)])
    found = {shape.name: shape for shape in ours.geometry_objects}
    assert {shape.name for shape in theirs.geometry_objects} <= found.keys()
    for other in theirs.geometry_objects:
        one = found[other.name]
        assert (one.parent_joint, one.shape) == (other.parent_joint, other.shape)
        assert os.path.normpath(one.mesh_path) == os.path.normpath(other.mesh_path)
        assert np.array_equal(one.mesh_scale, other.mesh_scale)
        np.testing.assert_allclose(one.placement.homogeneous, other.placement.homogeneous, atol=TOLERANCE)
        if other.size is not None and other.shape != "mesh":
            assert np.array_equal(one.size, other.size)


# ----------------------------------------------------------------------------------------------------------- objects


def test_objects_own_what_they_are_given():
    placement, size, color = SE3.Identity(), np.ones(3), np.full(4, 0.5)
    shape = GeometryObject("a", 1, placement, "box", size, mesh_color=color)
    placement.translation[0], size[0], color[0] = 5.0, 5.0, 1.0
    assert (shape.placement.translation[0], shape.size[0], shape.mesh_color[0]) == (0, 1, 0.5)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"shape": "cone"}, "shape: expected one of box, sphere"),
        ({"shape": "box", "size": [1, 2]}, "size: expected 3 numbers"),
        ({"shape": "box"}, "size: expected 3 numbers"),
        ({"shape": "sphere", "size": [-1]}, "size: expected sizes that are not negative"),
        ({"shape": "sphere", "size": [np.nan]}, "size: expected finite numbers"),
        ({"shape": "mesh", "mesh_scale": [1, 2]}, "mesh_scale: expected 3 numbers"),
        ({"shape": "mesh", "mesh_color": [0, 0, 0, 2]}, "mesh_color: expected four numbers from 0 to 1"),
        ({"shape": "mesh", "parent_joint": -1}, "parent_joint: expected a whole number"),
    ],
)
def test_objects_that_make_no_sense_are_refused(arguments, complaint):
    with pytest.raises(InvalidArgument, match=complaint):
        GeometryObject(**{"name": "a", "parent_joint": 0, "placement": SE3.Identity(), **arguments})


def test_objects_have_ids_and_names():
    geometry = GeometryModel()
    assert geometry.add_geometry_object(GeometryObject("arm", 0, SE3.Identity(), "sphere", [1])) == 0
    assert geometry.add_geometry_object(GeometryObject("b", 0, SE3.Identity(), "mesh", mesh_path="x.stl")) == 1
    assert (geometry.ngeoms, geometry.get_geometry_id("b")) == (2, 1)
    assert geometry.exist_geometry_name("arm")
    assert not geometry.exist_geometry_name("c")
    assert "2 shapes" in repr(geometry)
    assert "x.stl" in repr(geometry.geometry_objects[1])
    with pytest.raises(UnknownGeometry, match="no geometry object 'arms'; did you mean 'arm'"):
        geometry.get_geometry_id("arms")
    with pytest.raises(InvalidArgument, match="there is a shape 'arm' already"):
        geometry.add_geometry_object(GeometryObject("arm", 0, SE3.Identity(), "mesh"))
