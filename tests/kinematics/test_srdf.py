"""SRDF files: named configurations and pairs of links that are not checked."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from test_urdf_oracle import ROBOTS, relative
from urdf_text import LIMIT, joint, link, robot

from pantin.errors import ModelFileError, ModelFileNotFound, ModelFileWarning
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import JointModelFreeFlyer
from pantin.kinematics.srdf import (
    load_disabled_collision_pairs,
    load_disabled_collision_pairs_from_xml,
    load_reference_configurations,
    load_reference_configurations_from_xml,
)
from pantin.kinematics.urdf import build_model_from_urdf, build_model_from_xml

#: The files normalise quaternions to some eight digits; here they are normalised to the last.
TOLERANCE = 1e-6

FILES = sorted(ROBOTS.rglob("*.srdf"))


@pytest.fixture
def model():
    return build_model_from_xml(
        robot(
            *map(link, "abcd"),
            joint("arm", "revolute", "a", "b", LIMIT),
            joint("wheel", "continuous", "b", "c"),
            joint("body", "floating", "c", "d"),
        )
    )


def state(name, *joints, group="all"):
    inside = "".join(f'<joint name="{joint}" value="{value}"/>' for joint, value in joints)
    return f'<group_state name="{name}" group="{group}">{inside}</group_state>'


def read(model, *states):
    return load_reference_configurations_from_xml(model, robot(*states))


def test_a_state_sets_the_joints_it_names_and_leaves_the_rest_neutral(model):
    poses = read(model, state("up", ("arm", " 0.5\t"), ("wheel", "0.6 0.8"), ("body", "1 2 3 0 0 0 2")))
    assert list(poses) == ["up"]
    assert np.array_equal(poses["up"], [0.5, 0.6, 0.8, 1, 2, 3, 0, 0, 0, 1])
    assert np.array_equal(read(model, state("rest"))["rest"], neutral(model))


def test_a_continuous_joint_may_be_given_by_its_angle(model):
    q = read(model, state("turned", ("wheel", "0.25")))["turned"]
    assert np.array_equal(q[1:3], [np.cos(0.25), np.sin(0.25)])


def test_joints_that_the_model_does_not_have_are_skipped(model):
    assert np.array_equal(read(model, state("s", ("root_joint", "1 2 3"), ("arm", "1")))["s"][0], 1)


def test_mimic_joints_are_skipped():
    text = robot(
        *map(link, "abc"),
        joint("j", "continuous", "a", "b"),
        joint("k", "continuous", "b", "c", '<mimic joint="j"/>'),
    )
    model = build_model_from_xml(text, mimic=True)
    assert np.array_equal(read(model, state("s", ("k", "2")))["s"], neutral(model))


def test_states_of_one_name_in_several_groups_make_one_configuration(model):
    poses = read(model, state("home", ("arm", "1"), group="one"), state("home", ("wheel", "0 1"), group="two"))
    assert np.array_equal(poses["home"][:3], [1, 0, 1])


def test_configurations_share_no_memory(model):
    poses = read(model, state("a", ("arm", "1")), state("b"))
    poses["a"][:] = 9.0
    assert np.array_equal(poses["b"], neutral(model))


@pytest.mark.parametrize(
    ("element", "complaint"),
    [
        (state("s", ("arm", "1 2")), "group_state 's', <joint>: value='1 2': expected 1 number, got 2"),
        (state("s", ("body", "1 2 3")), "expected 7 numbers, got 3"),
        (state("s", ("wheel", "nan")), "'nan' is not a finite number"),
        (state("s", ("wheel", "0 0")), "cos, sin or quaternion are all zero"),
        ("<group_state/>", "line 2, <group_state>: no attribute 'name'"),
        ('<group_state name="s"><joint name="arm"/></group_state>', "no attribute 'value'"),
    ],
)
def test_states_that_cannot_be_read_are_refused_by_line(model, element, complaint):
    with pytest.raises(ModelFileError, match=complaint):
        read(model, element)


def test_disabled_pairs_come_once_and_in_order():
    pair = '<disable_collisions link1="{}" link2="{}" reason="Adjacent"/>'
    text = robot(*(pair.format(*names) for names in ("ab", "cb", "ba", "ab")))
    assert load_disabled_collision_pairs_from_xml(text) == [("a", "b"), ("c", "b")]


@pytest.mark.parametrize("text", ['<disable_collisions link1="a"/>', '<disable_collisions link2="a"/>'])
def test_a_pair_needs_two_links(text):
    with pytest.raises(ModelFileError, match="no attribute 'link"):
        load_disabled_collision_pairs_from_xml(robot(text))


def test_other_files_are_refused(model, tmp_path):
    with pytest.raises(ModelFileNotFound):
        load_reference_configurations(model, tmp_path / "no.srdf")
    with pytest.raises(ModelFileError, match="this is not an SRDF file"):
        load_disabled_collision_pairs_from_xml("<sdf/>")
    with pytest.raises(ModelFileError, match="not well-formed"):
        load_reference_configurations_from_xml(model, "<robot>")


def srdf_and_urdf():
    """SRDF files of the collection with the URDF file of the same robot."""
    pairs = []
    for srdf in FILES:
        folder = srdf.parent.parent
        same = [file for file in folder.rglob("*.urdf") if file.stem == srdf.stem]
        pairs.extend((srdf, urdf) for urdf in same[:1])
    return pairs


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize(("srdf", "urdf"), srdf_and_urdf(), ids=relative)
def test_reference_configurations_equal_pinocchios(srdf, urdf):
    pin = pytest.importorskip("pinocchio")
    theirs = pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())
    pin.loadReferenceConfigurations(theirs, str(srdf), False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        model = build_model_from_urdf(urdf, JointModelFreeFlyer())
    ours = load_reference_configurations(model, srdf)
    expected = {item.key(): item.data() for item in theirs.referenceConfigurations}
    assert ours.keys() == expected.keys()
    for name, q in expected.items():
        np.testing.assert_allclose(ours[name], q, atol=TOLERANCE, err_msg=name)


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize("path", FILES, ids=relative)
def test_every_srdf_file_of_the_collection_can_be_read(path):
    assert all(one and two for one, two in load_disabled_collision_pairs(path))
