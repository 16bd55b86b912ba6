"""Small things by Pinker's and Pink's names."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import pantin
import pantin.kinematics as pt
from models import every_kind
from oracle import ROBOTS
from pantin import utils
from pantin.errors import InvalidArgument, UnknownJoint
from pantin.exceptions import ConfigurationError, PinkError

pinker_utils = pytest.importorskip("pinker.utils")


@pytest.mark.parametrize("dim", [0, 1, 7])
@pytest.mark.parametrize("duplicate", [lambda space: space, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_vector_space_is_pinkers(dim, duplicate):
    ours, theirs = duplicate(utils.VectorSpace(dim)), pinker_utils.VectorSpace(dim)
    for name in ("eye", "ones", "zeros"):
        values = getattr(ours, name)
        np.testing.assert_array_equal(values, getattr(theirs, name))
        assert not values.flags.writeable
        with pytest.raises(AttributeError):
            setattr(ours, name, values)
    assert ours.dim == dim
    assert repr(ours) == f"VectorSpace({dim})"


@pytest.mark.parametrize("dim", [-1, 2.5, "three", None, np.nan])
def test_a_dimension_is_a_whole_number(dim):
    with pytest.raises(InvalidArgument, match="dim"):
        utils.VectorSpace(dim)


def test_configurations_by_pinks_name_take_robots_and_models():
    model = pantin.load("panda")
    wanted = pt.custom_configuration(model, panda_joint2=0.3)
    for robot in (model, pt.RobotWrapper(model)):
        np.testing.assert_array_equal(utils.custom_configuration_vector(robot, panda_joint2=0.3), wanted)
    with pytest.raises(ConfigurationError, match="panda_joint2"):
        utils.custom_configuration_vector(model, panda_joint2=[1.0, 2.0])
    with pytest.raises(PinkError, match="panda_joint1"):
        utils.custom_configuration_vector(model, panda_jint1=0.0)


def test_joints_are_found_where_they_are():
    model = every_kind()
    for name, joint in zip(model.names[1:], model.joints[1:], strict=True):
        assert utils.get_joint_idx(model, name) == (joint.idx_q, joint.idx_v)
    with pytest.raises(UnknownJoint, match="RX_1"):
        utils.get_joint_idx(model, "RX")


def test_the_root_is_the_joint_of_that_name():
    model = every_kind()
    assert utils.get_root_joint_dim(model) == (0, 0)
    floating = pt.build_model_from_xml("<robot name='r'><link name='base'/></robot>", pt.JointModelFreeFlyer())
    assert utils.get_root_joint_dim(floating) == (7, 6)


@pytest.mark.parametrize("srdf", ["", ROBOTS / "panda_description/srdf/panda.srdf"], ids=["all", "srdf"])
def test_collision_pairs_are_pinocchios(srdf):
    pytest.importorskip("coal", reason="the package coal measures distances")
    pin = pytest.importorskip("pinocchio")
    urdf = ROBOTS / "panda_description/urdf/panda.urdf"
    theirs = pin.buildModelFromUrdf(str(urdf))
    their_shapes = pin.buildGeomFromUrdf(theirs, str(urdf), pin.COLLISION, package_dirs=[str(ROBOTS.parents[1])])
    their_shapes.addAllCollisionPairs()
    if srdf:
        pin.removeCollisionPairs(theirs, their_shapes, str(srdf))
    robot = pantin.load_robot_urdf(urdf)
    shapes = robot.collision_model
    measured = utils.process_collision_pairs(robot.model, shapes, srdf)

    def named(pairs, names):
        return {frozenset((names[first], names[second])) for first, second in pairs}

    mine = named(shapes.collision_pairs, [shape.name for shape in shapes.geometry_objects])
    their = named(
        [(p.first, p.second) for p in their_shapes.collisionPairs], [g.name for g in their_shapes.geometryObjects]
    )
    assert mine == their
    assert measured.npairs == len(mine) > 10
