"""Which shapes are kept apart: Pinocchio's pairs, neighbours, names and SRDF files."""

from __future__ import annotations

import numpy as np
import pytest
from shape_scenes import loose, shaped_tree

from oracle import ROBOTS
from pantin import kinematics as kin
from pantin.collision import collision_pairs
from pantin.errors import InvalidArgument, ModelFileNotFound
from pantin.kinematics import CollisionPair, GeometryModel, GeometryObject
from pantin.kinematics.geometry import UnknownGeometry

pytest.importorskip("coal", reason="the package coal measures distances")

PANDA = ROBOTS / "panda_description"


def chain(joints=4):
    """Chain of links a, b, c, ... with a shape each, two on the second."""
    model, geometry = kin.Model(), GeometryModel()
    names = "abcdefgh"[: joints + 1]
    for joint in range(joints + 1):
        if joint:
            model.add_joint(joint - 1, kin.JointModelRX(), kin.SE3.Identity(), f"j{joint}")
        for index in range(2 if joint == 1 else 1):
            geometry.add_geometry_object(
                GeometryObject(f"{names[joint]}_{index}", joint, kin.SE3.Identity(), "sphere", [0.1], link=names[joint])
            )
    return model, geometry


def named(geometry, pairs):
    return {tuple(geometry.geometry_objects[shape].name for shape in pair) for pair in pairs}


def test_neighbours_and_shapes_of_one_body_are_left_out():
    model, geometry = chain(3)
    assert named(geometry, collision_pairs(model, geometry)) == {
        ("a_0", "c_0"),
        ("a_0", "d_0"),
        ("b_0", "d_0"),
        ("b_1", "d_0"),
    }
    every = named(geometry, collision_pairs(model, geometry, adjacent=True))
    assert ("b_0", "b_1") not in every
    assert {("a_0", "b_0"), ("a_0", "b_1"), ("b_0", "c_0"), ("c_0", "d_0")} < every


def test_what_is_free_to_go_anywhere_has_no_neighbour():
    model, geometry = loose(("sphere", [0.1]))
    geometry.add_geometry_object(GeometryObject("floor", 0, kin.SE3.Identity(), "box", [1, 1, 1]))
    assert collision_pairs(model, geometry) == [(0, 1)]


def test_pairs_are_chosen_by_the_names_of_links_and_shapes():
    model, geometry = chain(4)
    assert named(geometry, collision_pairs(model, geometry, links="a", others=["c", "e_0"])) == {
        ("a_0", "c_0"),
        ("a_0", "e_0"),
    }
    assert named(geometry, collision_pairs(model, geometry, links="b*")) == {
        ("b_0", "d_0"),
        ("b_0", "e_0"),
        ("b_1", "d_0"),
        ("b_1", "e_0"),
    }
    with pytest.raises(UnknownGeometry, match="no geometry object 'f'"):
        collision_pairs(model, geometry, others=["a", "f"])
    with pytest.raises(InvalidArgument, match="links: expected names"):
        collision_pairs(model, geometry, links=[1])


def test_an_srdf_file_lets_links_touch(tmp_path):
    model, geometry = chain(3)
    srdf = tmp_path / "r.srdf"
    srdf.write_text('<robot name="r"><disable_collisions link1="d" link2="b" reason="Never"/></robot>')
    assert named(geometry, collision_pairs(model, geometry, srdf)) == {("a_0", "c_0"), ("a_0", "d_0")}
    with pytest.raises(ModelFileNotFound):
        collision_pairs(model, geometry, tmp_path / "none.srdf")

    geometry.add_all_collision_pairs()
    before = len(geometry.collision_pairs)
    kin.remove_collision_pairs(model, geometry, srdf)
    assert len(geometry.collision_pairs) == before - 2


def test_what_touches_where_the_robot_is_clear_is_left_out():
    model, geometry = chain(3)
    for shape in geometry.geometry_objects:
        shape.placement = kin.SE3(np.eye(3), np.array([0.15 * shape.parent_joint, 0.0, 0.0]))
    pairs = collision_pairs(model, geometry, clear_at=np.zeros(3))
    assert named(geometry, pairs) == {("a_0", "c_0"), ("a_0", "d_0"), ("b_0", "d_0"), ("b_1", "d_0")}
    geometry.geometry_objects[-1].placement = kin.SE3(np.eye(3), np.array([0.3, 0.0, 0.0]))
    pairs = collision_pairs(model, geometry, clear_at=np.zeros(3))
    assert named(geometry, pairs) == {("a_0", "c_0"), ("a_0", "d_0")}
    with pytest.raises(InvalidArgument, match="clear_at: expected 3 numbers"):
        collision_pairs(model, geometry, clear_at=[0.0])


@pytest.mark.skipif(not PANDA.is_dir(), reason="needs the robots of example-robot-data")
def test_pairs_are_pinocchios_with_all_and_with_those_of_an_srdf_file():
    pin = pytest.importorskip("pinocchio")
    urdf, srdf = PANDA / "urdf/panda.urdf", PANDA / "srdf/panda.srdf"
    model = kin.build_model_from_urdf(urdf)
    ours = kin.build_geom_from_urdf(model, urdf, geometry_type="collision")
    theirs_model = pin.buildModelFromUrdf(str(urdf))
    theirs = pin.buildGeomFromUrdf(
        theirs_model, str(urdf), pin.GeometryType.COLLISION, package_dirs=str(ROBOTS.parents[1])
    )
    assert [shape.name for shape in ours.geometry_objects] == [shape.name for shape in theirs.geometryObjects]

    def alike():
        pairs = {frozenset((pair.first, pair.second)) for pair in theirs.collisionPairs}
        return {frozenset(pair) for pair in ours.collision_pairs} == pairs and pairs

    ours.add_all_collision_pairs()
    theirs.addAllCollisionPairs()
    assert alike()
    kin.remove_collision_pairs(model, ours, srdf)
    pin.removeCollisionPairs(theirs_model, theirs, str(srdf))
    assert alike()


def test_pairs_are_added_and_taken_out_one_by_one():
    _, geometry = shaped_tree(["RX", "RY"], 0)
    geometry.remove_all_collision_pairs()
    geometry.add_collision_pair((0, 1))
    geometry.add_collision_pair((1, 0))
    assert geometry.collision_pairs == [CollisionPair(0, 1)]
    assert geometry.exist_collision_pair((1, 0))
    geometry.remove_collision_pair((1, 0))
    assert geometry.collision_pairs == []
    with pytest.raises(InvalidArgument, match="two different shapes"):
        geometry.add_collision_pair((1, 1))
    with pytest.raises(UnknownGeometry, match="no geometry object 9"):
        geometry.add_collision_pair((0, 9))
