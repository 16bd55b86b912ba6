"""Small things by Pinker's and Pink's names."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import pantin
import pantin.kinematics as pt
from models import every_kind
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
