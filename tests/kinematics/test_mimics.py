"""Mimic joints follow the end of their chain, and what limits them limits their master."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pantin.kinematics as pt
from models import SINGLE, mimic_tree, random_tree
from pantin.errors import InvalidModel, UnknownJoint
from pantin.kinematics import SE3, JointModelMimic, JointModelRX, Mimic, Model
from pantin.kinematics.mimics import master_interval

numbers = st.floats(-10.0, 10.0)
factors = st.floats(0.01, 10.0) | st.floats(-10.0, -0.01)


def pair(kind="RX", low=-1.0, high=2.0, speed=3.0):
    """A model of one joint that others can follow."""
    model = Model()
    model.add_joint(0, random_tree([kind], 0).joints[1], SE3.Identity(), "master", [9.0], [speed], [low], [high])
    return model


def follow(model, name="follower", master="master", multiplier=1.0, offset=0.0, **limits):
    return model.add_joint(
        0, JointModelMimic(JointModelRX(), master, multiplier, offset), SE3.Identity(), name, **limits
    )


def test_a_follower_points_at_its_master():
    model = pair()
    joint = model.joints[follow(model, multiplier=-2.0, offset=0.5)]
    assert joint.mimic == Mimic(1, -2.0, 0.5)
    assert (joint.idx_q, joint.idx_v, joint.nq, joint.nv) == (0, 0, 0, 0)
    assert (model.nq, model.nv) == (1, 1)
    assert model.get_joint_tangent_id("follower") == 0


@given(factors, numbers, factors, numbers)
def test_chains_end_at_the_last_master(a, b, c, d):
    model = pair(low=-1e6, high=1e6)
    follow(model, "one", "master", a, b)
    follow(model, "two", "one", c, d)
    mimic = model.joints[3].mimic
    assert mimic.master == 1
    np.testing.assert_allclose([mimic.multiplier, mimic.offset], [c * a, c * b + d], rtol=1e-14, atol=1e-14)


def test_masters_go_by_index_or_name():
    for master in (1, "master", np.int64(1)):
        model = pair()
        follow(model, master=master)
        assert model.joints[2].mimic.master == 1


@given(factors, numbers, numbers, numbers)
def test_limits_tighten_the_masters(multiplier, offset, one, other):
    low, high = sorted((one, other))
    model = pair()
    ends = sorted(((low - offset) / multiplier, (high - offset) / multiplier))
    least, most = max(-1.0, ends[0]), min(2.0, ends[1])
    assume(abs(least - most) > 1e-9)
    if least > most:
        with pytest.raises(InvalidModel, match=r"'follower' leave no room for its master 'master'"):
            follow(model, multiplier=multiplier, offset=offset, min_config=[low], max_config=[high])
        assert model.njoints == 2
        assert (model.lower_position_limit[0], model.upper_position_limit[0]) == (-1.0, 2.0)
        return
    follow(model, multiplier=multiplier, offset=offset, min_config=[low], max_config=[high])
    np.testing.assert_allclose(
        [model.lower_position_limit[0], model.upper_position_limit[0]], [least, most], rtol=1e-14
    )
    # within the master's limits the follower is within its own
    for q in (model.lower_position_limit[0], model.upper_position_limit[0]):
        assert low - 1e-9 <= multiplier * q + offset <= high + 1e-9


@pytest.mark.parametrize("multiplier", [0.5, -0.5, 2.0, 1e-300, -1e140])
def test_followers_without_limits_limit_nothing(multiplier):
    model = pair()
    follow(model, multiplier=multiplier, offset=3.0)
    # the largest double is no limit, scaled or not
    np.testing.assert_array_equal(model.lower_position_limit, [-1.0])
    np.testing.assert_array_equal(model.upper_position_limit, [2.0])
    np.testing.assert_array_equal(model.velocity_limit, [3.0])
    model = pair()
    follow(model, multiplier=multiplier, min_config=[-np.inf], max_config=[np.inf], max_velocity=[np.inf])
    np.testing.assert_array_equal(model.lower_position_limit, [-1.0])
    np.testing.assert_array_equal(model.upper_position_limit, [2.0])
    np.testing.assert_array_equal(model.velocity_limit, [3.0])


def test_a_follower_that_stands_still_must_be_within_its_limits():
    model = pair()
    follow(model, multiplier=0.0, offset=0.5, min_config=[0.0], max_config=[1.0], max_velocity=[0.0])
    np.testing.assert_array_equal(model.upper_position_limit, [2.0])
    np.testing.assert_array_equal(model.velocity_limit, [3.0])
    with pytest.raises(InvalidModel, match="leave no room"):
        follow(model, "other", multiplier=0.0, offset=5.0, min_config=[0.0], max_config=[1.0])
    data = model.create_data()
    pt.forward_kinematics(model, data, [1.7])
    np.testing.assert_allclose(data.oMi[2].rotation, pt.exp3([0.5, 0, 0]), atol=1e-16)


def test_speeds_tighten_the_masters():
    model = pair(speed=3.0)
    follow(model, "fast", multiplier=-2.0, max_velocity=[4.0])
    np.testing.assert_array_equal(model.velocity_limit, [2.0])
    follow(model, "slow", multiplier=0.5, max_velocity=[4.0])
    np.testing.assert_array_equal(model.velocity_limit, [2.0])


def test_limits_of_a_chain_reach_the_last_master():
    model = pair(low=-10.0, high=10.0)
    follow(model, "one", "master", 2.0, 1.0)
    follow(model, "two", "one", -1.0, 0.0, min_config=[-3.0], max_config=[5.0])
    # two = -(2 q + 1) within [-3, 5]
    np.testing.assert_allclose([model.lower_position_limit[0], model.upper_position_limit[0]], [-3.0, 1.0])


@pytest.mark.parametrize("kind", SINGLE)
def test_every_joint_of_one_number_leads(kind):
    model = random_tree([kind, "PY"], 0)
    follow(model, master=f"{kind}_0", multiplier=0.7, offset=0.1)
    q = pt.configuration_from_dict(model, {f"{kind}_0": 0.3})
    data = model.create_data()
    pt.forward_kinematics(model, data, q)
    np.testing.assert_allclose(data.oMi[3].rotation, pt.exp3([0.7 * 0.3 + 0.1, 0, 0]), atol=1e-15)


@pytest.mark.parametrize("kind", ["ball", "planar", "free"])
def test_joints_of_several_numbers_do_not_lead(kind):
    model = random_tree([kind], 0)
    with pytest.raises(InvalidModel, match="does not move by one number"):
        follow(model, master=1)
    assert model.njoints == 2


def test_unknown_masters_are_refused():
    model = pair()
    for master in ("nobody", 99, -1, None, "follower"):
        with pytest.raises(UnknownJoint):
            follow(model, master=master)
    assert model.njoints == 2


def test_names_and_frames_of_followers_stay():
    model = mimic_tree()
    followers = [joint for joint in model.joints if joint.mimic is not None]
    assert len(followers) == 7
    for joint in followers:
        assert model.exist_joint_name(model.names[joint.id])
        assert model.exist_frame(model.names[joint.id])
    data = model.create_data()
    assert data.J.shape == (6, model.nv)


def test_intervals_of_the_master():
    assert master_interval((-1.0, 1.0), (-4.0, 2.0), 2.0, 1.0) == (-1.0, 0.5)
    assert master_interval((-1.0, 1.0), (-4.0, 2.0), -2.0, 0.0) == (-1.0, 1.0)
    assert master_interval((-9.0, 9.0), (-4.0, 2.0), -2.0, 0.0) == (-1.0, 2.0)
    low, high = master_interval((-1.0, 1.0), (5.0, 6.0), 1.0, 0.0)
    assert low > high
