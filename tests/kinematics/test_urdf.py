"""URDF files: Pinocchio's conventions, what a file may leave out, and what is refused by name and line."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from urdf_text import LIMIT, TREE, about, frame_poses, joint, link, one_joint, robot, turn

from pantin.errors import (
    InvalidArgument,
    InvalidModel,
    ModelFileError,
    ModelFileNotFound,
    ModelFileWarning,
)
from pantin.kinematics.algorithms import integrate
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import JointModelFreeFlyer, JointModelPlanar
from pantin.kinematics.model import FrameType
from pantin.kinematics.urdf import build_model_from_urdf, build_model_from_xml

#: A few roundings.
TOLERANCE = 1e-13


def pin_model(text, *root):
    pin = pytest.importorskip("pinocchio")
    return pin.buildModelFromXML(text, *root)


def assert_equals_pinocchios(ours, theirs):
    assert list(ours.names) == list(theirs.names)
    assert list(ours.parents) == list(theirs.parents)
    assert [(f.name, f.type.name, f.parent_joint, f.parent_frame) for f in ours.frames] == [
        (f.name, f.type.name, f.parentJoint, f.parentFrame) for f in theirs.frames
    ]
    for one, other in zip(ours.frames, theirs.frames, strict=True):
        np.testing.assert_allclose(one.placement.homogeneous, other.placement.homogeneous, atol=TOLERANCE)
    for one, other in zip(ours.joint_placements, theirs.jointPlacements, strict=True):
        np.testing.assert_allclose(one.homogeneous, other.homogeneous, atol=TOLERANCE)
    for one, other in zip(ours.inertias, theirs.inertias, strict=True):
        assert one.mass == pytest.approx(other.mass, rel=TOLERANCE)
        np.testing.assert_allclose(one.lever, other.lever, atol=TOLERANCE)
        np.testing.assert_allclose(one.inertia, other.inertia, atol=1e2 * TOLERANCE)
    assert np.array_equal(ours.lower_position_limit, theirs.lowerPositionLimit)
    assert np.array_equal(ours.upper_position_limit, theirs.upperPositionLimit)
    assert np.array_equal(ours.velocity_limit, theirs.velocityLimit)
    assert np.array_equal(ours.effort_limit, theirs.effortLimit)
    assert np.array_equal(ours.damping, theirs.damping)
    assert np.array_equal(ours.friction, theirs.upperDryFrictionLimit)


@pytest.mark.parametrize("root", ["fixed", "free flyer", "planar"])
def test_every_kind_of_joint_equals_pinocchios(root):
    pin = pytest.importorskip("pinocchio")
    ours = {"fixed": None, "free flyer": JointModelFreeFlyer(), "planar": JointModelPlanar()}[root]
    theirs = {"fixed": (), "free flyer": (pin.JointModelFreeFlyer(),), "planar": (pin.JointModelPlanar(),)}[root]
    text = robot(*TREE)
    assert_equals_pinocchios(build_model_from_xml(text, ours), pin_model(text, *theirs))


def test_the_order_of_the_file_does_not_matter():
    shuffled = TREE[:]
    random.Random(5).shuffle(shuffled)
    one, other = build_model_from_xml(robot(*TREE)), build_model_from_xml(robot(*shuffled))
    assert list(one.names) == list(other.names)
    assert [frame.name for frame in one.frames] == [frame.name for frame in other.frames]


def test_siblings_come_in_the_order_of_the_bytes_of_their_names():
    names = ["b", "B", "a10", "a9", "é", "z", "_", "\N{GRINNING FACE}", "\N{FULLWIDTH LATIN SMALL LETTER A}"]
    links = [link("base"), *(link(f"l{i}") for i in range(len(names)))]
    joints = [joint(name, "continuous", "base", f"l{i}") for i, name in enumerate(names)]
    text = robot(*links, *joints)
    model = build_model_from_xml(text)
    assert list(model.names)[1:] == sorted(names, key=str.encode)
    assert list(model.names) == list(pin_model(text).names)


def test_a_link_and_a_joint_may_share_a_name():
    model = build_model_from_xml(robot(link("a"), link("b"), joint("b", "continuous", "a", "b")))
    assert [(f.name, f.type) for f in model.frames[1:]] == [
        ("a", FrameType.BODY),
        ("b", FrameType.JOINT),
        ("b", FrameType.BODY),
    ]


def test_a_robot_of_one_link_has_no_joints():
    model = build_model_from_xml(robot(link("only", 2.0)))
    assert (model.njoints, model.nq, model.nframes) == (1, 0, 2)
    assert model.inertias[0].mass == 2.0


def test_the_mass_of_welded_links_is_that_of_their_joint():
    text = robot(
        link("base", 1.0),
        link("a", 2.0),
        link("b", 4.0),
        joint("j", "continuous", "base", "a"),
        joint("w", "fixed", "a", "b"),
    )
    model = build_model_from_xml(text)
    assert [inertia.mass for inertia in model.inertias] == [1.0, 6.0]


def test_the_root_joint_is_a_joint_model_or_its_name():
    assert build_model_from_xml(robot(link("a")), "free_flyer").nq == 7
    with pytest.raises(InvalidArgument, match=r"root_joint: .*'freeflyer'; did you mean 'free_flyer'"):
        build_model_from_xml(robot(link("a")), "freeflyer")


def test_a_root_joint_cannot_take_a_name_of_the_file():
    text = robot(link("a"), link("b"), joint("root_joint", "continuous", "a", "b"))
    with pytest.raises(InvalidModel, match="line 4, joint 'root_joint': this is what the root joint is called"):
        build_model_from_xml(text, JointModelFreeFlyer())
    assert build_model_from_xml(text).names[1] == "root_joint"


@pytest.mark.parametrize(
    ("given_axis", "unit"),
    [
        ("", [1, 0, 0]),
        ("<axis/>", [1, 0, 0]),
        ('<axis xyz="0 0 2"/>', [0, 0, 1]),
        ('<axis xyz="0 -3e200 4e-200"/>'.replace("e200", "e40"), [0, -1, 0]),
        ('<axis xyz="3e-40 0 4e-40"/>', [0.6, 0, 0.8]),
        ('<axis xyz="1 1 0"/>', [2**-0.5, 2**-0.5, 0]),
    ],
)
@pytest.mark.parametrize("kind", ["continuous", "revolute", "prismatic"])
def test_axes_are_normalised_and_x_where_they_are_missing(kind, given_axis, unit):
    model = build_model_from_xml(one_joint(kind, given_axis + LIMIT))
    np.testing.assert_allclose(model.joints[1].axis, unit, rtol=0, atol=4e-16)


@pytest.mark.parametrize("kind", ["continuous", "revolute", "prismatic", "planar"])
def test_a_zero_axis_of_a_moving_joint_is_an_error(kind):
    with pytest.raises(ModelFileError, match=f"line 4, joint 'j', <axis>: the axis of a {kind} joint is zero"):
        build_model_from_xml(one_joint(kind, '<axis xyz="0 -0 0e5"/>'))


@pytest.mark.parametrize("kind", ["fixed", "floating"])
def test_a_zero_axis_of_a_joint_without_axis_is_ignored(kind):
    assert build_model_from_xml(one_joint(kind, '<axis xyz="0 0 0"/>')).nq in (0, 7)


@pytest.mark.parametrize(
    ("origin", "translation", "angles"),
    [
        ("", [0, 0, 0], [0, 0, 0]),
        ("<origin/>", [0, 0, 0], [0, 0, 0]),
        ('<origin xyz="1 2 3"/>', [1, 2, 3], [0, 0, 0]),
        ('<origin rpy="0.1 0.2 0.3"/>', [0, 0, 0], [0.1, 0.2, 0.3]),
        ('<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>', [1, 2, 3], [0.1, 0.2, 0.3]),
    ],
)
def test_an_origin_may_leave_out_either_attribute(origin, translation, angles):
    placement = build_model_from_xml(one_joint("continuous", origin=origin)).joint_placements[1]
    roll, pitch, yaw = angles
    expected = turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)
    assert np.array_equal(placement.translation, translation)
    np.testing.assert_allclose(placement.rotation, expected, atol=TOLERANCE)


def test_a_quaternion_origin_is_normalised():
    placement = build_model_from_xml(one_joint("fixed", origin='<origin quat_xyzw="0 0 2 2"/>')).frames[-1].placement
    np.testing.assert_allclose(placement.rotation, turn(2, np.pi / 2), atol=TOLERANCE)


@pytest.mark.parametrize(
    "words",
    [
        "1 -2.5 0.125",
        "  1\t-2.5\n0.125 ",
        "1&#10;-2.5&#9;&#13;0.125",
        "+1. -.25e1 12.5E-2",
        "0001 -2.50000 1.25e-001",
        "1e0 -2.5e+0 .125",
    ],
)
def test_numbers_may_be_written_in_any_decimal_way_with_any_white_space(words):
    placement = build_model_from_xml(one_joint("continuous", origin=f'<origin xyz="{words}"/>')).joint_placements[1]
    assert np.array_equal(placement.translation, [1, -2.5, 0.125])


COMMA = """
import locale
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.str(1.5) == "1,5"
from pantin.kinematics.urdf import build_model_from_xml
text = '''{}'''
assert build_model_from_xml(text).joint_placements[1].translation[0] == 1.5
"""


def test_numbers_do_not_depend_on_the_locale(tmp_path):
    made = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")]
    if shutil.which("localedef") is None or subprocess.run(made, check=False, capture_output=True).returncode:
        pytest.skip("no locale with a decimal comma can be made")
    code = COMMA.format(one_joint("continuous", origin='<origin xyz="1.5 0 0"/>'))
    environment = {**os.environ, "LOCPATH": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, timeout=60)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("1 2", "expected 3 numbers, got 2"),
        ("1 2 3 4", "expected 3 numbers, got 4"),
        ("", "empty attribute 'xyz'"),
        ("1 nan 3", "'nan' is not a finite number"),
        ("1 inf 3", "'inf' is not a finite number"),
        ("1 1e999 3", "1e999 is too large"),
        ("1 1e51 3", "1e51 is too large"),
        ("1 1_0 3", "'1_0' is not a finite number"),
        ("1 0x10 3", "'0x10' is not a finite number"),
        ("1,5 2 3", "a decimal point is '.'"),
        ("1 2\N{NO-BREAK SPACE}3 4", "is not a finite number"),
        ("1 \N{FULLWIDTH DIGIT TWO} 3", "is not a finite number"),
        ("1 - 3", "'-' is not a finite number"),
        ("1 e5 3", "'e5' is not a finite number"),
    ],
)
def test_what_is_not_a_number_is_refused_with_element_attribute_and_line(words, complaint):
    text = one_joint("continuous", origin=f'\n\n<origin xyz="{words}"/>')
    with pytest.raises(ModelFileError) as caught:
        build_model_from_xml(text, source="robot.urdf")
    message = str(caught.value)
    assert complaint in message
    assert "xyz" in message
    assert message.startswith("robot.urdf: line 6, joint 'j', <origin>: ")


def test_a_long_string_of_digits_takes_no_more_than_its_length():
    words = "1" * 200_000 + "x"
    start = time.perf_counter()
    with pytest.raises(ModelFileError):
        build_model_from_xml(one_joint("continuous", origin=f'<origin xyz="0 0 {words}"/>'))
    assert time.perf_counter() - start < 5.0  # a quadratic matcher takes minutes


@pytest.mark.parametrize("axis", [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, -1], [1, -2, 3], [1e-9, 0, -1]])
def test_a_planar_joint_moves_its_link_perpendicular_to_its_axis(axis):
    words = " ".join(map(repr, map(float, axis)))
    unit = np.array(axis) / np.linalg.norm(axis)
    model = build_model_from_xml(one_joint("planar", f'<axis xyz="{words}"/>'))
    joint_in_world = turn(2, 0.3) @ turn(1, 0.2) @ turn(0, 0.1)
    q = neutral(model)
    rest = frame_poses(model, q)["tip", FrameType.BODY]
    np.testing.assert_allclose(rest[:3, :3], joint_in_world, atol=TOLERANCE)
    np.testing.assert_allclose(rest[:3, 3], [1, 2, 3], atol=TOLERANCE)
    for velocity in np.eye(3):
        moved = frame_poses(model, integrate(model, q, 0.5 * velocity))["tip", FrameType.BODY]
        in_joint = joint_in_world.T @ (moved[:3, 3] - rest[:3, 3])
        assert abs(in_joint @ unit) < TOLERANCE
        turned = joint_in_world.T @ moved[:3, :3]
        np.testing.assert_allclose(turned @ unit, unit, atol=TOLERANCE)
        np.testing.assert_allclose(turned, about(unit, 0.5 * velocity[2]), atol=TOLERANCE)


def test_a_planar_joint_about_z_equals_pinocchios():
    text = robot(
        link("base"),
        link("a", 1.0),
        link("b", 2.0),
        joint("j", "planar", "base", "a", '<axis xyz="0 0 1"/>' + LIMIT),
        joint("k", "continuous", "a", "b"),
    )
    assert_equals_pinocchios(build_model_from_xml(text), pin_model(text))


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_frames_beyond_a_joint_with_many_axes_rest_where_pinocchio_puts_them(kind):
    pin = pytest.importorskip("pinocchio")
    text = robot(
        link("base"),
        link("a", 1.0),
        link("b", 2.0),
        link("c"),
        joint("j", kind, "base", "a", '<axis xyz="1 2 -3"/>'),
        joint("k", "continuous", "a", "b"),
        joint("w", "fixed", "a", "c"),
    )
    model, theirs = build_model_from_xml(text), pin_model(text)
    data = theirs.createData()
    pin.framesForwardKinematics(theirs, data, pin.neutral(theirs))
    poses = frame_poses(model, neutral(model))
    assert [name for name, _ in poses] == [frame.name for frame in theirs.frames]
    for ours, other in zip(poses.values(), data.oMf, strict=True):
        np.testing.assert_allclose(ours, other.homogeneous, atol=TOLERANCE)


@pytest.mark.parametrize(
    ("limit", "lower", "upper"),
    [
        (LIMIT, -1, 2),
        ('<limit lower="-1" effort="3" velocity="4"/>', -1, 0),
        ('<limit upper="1" effort="3" velocity="4"/>', 0, 1),
        ('<limit lower="-INF" upper="+infinity" effort="inf" velocity="1e300"/>', -np.inf, np.inf),
        ('<limit lower="-1e308" upper="1"/>', -1e308, 1),
        ('<limit lower="0" upper="0"/>', 0, 0),
    ],
)
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_side_that_is_missing_is_zero(kind, limit, lower, upper):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        model = build_model_from_xml(one_joint(kind, limit))
    assert (model.lower_position_limit[0], model.upper_position_limit[0]) == (lower, upper)


@pytest.mark.parametrize("limit", ["", '<limit effort="3" velocity="4"/>'])
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_joints_without_limits_are_unlimited_and_named_in_one_warning(kind, limit):
    text = robot(
        link("a"),
        link("b"),
        link("c"),
        link("d"),
        joint("one", kind, "a", "b", limit),
        joint("two", kind, "b", "c", limit),
        joint("three", kind, "c", "d", LIMIT),
    )
    with pytest.warns(ModelFileWarning, match="move without limit: 'one', 'two'$") as caught:
        model = build_model_from_xml(text)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert np.array_equal(model.upper_position_limit, [np.inf, np.inf, 2])
    assert np.array_equal(model.lower_position_limit, [-np.inf, -np.inf, -1])


def test_strict_refuses_joints_without_limits():
    with pytest.raises(ModelFileError, match=r"robot.urdf: joints without <limit lower=... upper=...>: 'j'"):
        build_model_from_xml(one_joint("revolute"), strict=True, source="robot.urdf")
    assert build_model_from_xml(one_joint("continuous"), strict=True).nq == 2


def test_a_continuous_joint_has_no_limits_whatever_the_file_says():
    model = build_model_from_xml(one_joint("continuous", '<limit lower="2" upper="1" effort="3" velocity="4"/>'))
    assert np.array_equal(model.upper_position_limit, [1.01, 1.01])
    assert (model.effort_limit[0], model.velocity_limit[0]) == (3, 4)


@pytest.mark.parametrize(
    ("limit", "complaint"),
    [
        ('<limit lower="2" upper="-1"/>', "no position lies between lower=2 and upper=-1$"),
        ('<limit lower="2"/>', "between lower=2 and upper=0 .a missing 'upper' counts as 0."),
        ('<limit upper="-2"/>', "between lower=0 and upper=-2 .a missing 'lower' counts as 0."),
        ('<limit lower="inf" upper="inf"/>', "no position"),
        ('<limit lower="nan" upper="1"/>', "lower='nan': 'nan' is not a finite number"),
        ('<limit lower="-1" upper="1" effort="-1"/>', "effort=-1 is negative"),
        ('<limit lower="-1" upper="1" velocity="-inf"/>', "velocity=-inf is negative"),
        ('<limit lower="-1" upper="1e999"/>', "1e999 is too large"),
    ],
)
def test_limits_that_make_no_sense_are_errors(limit, complaint):
    with pytest.raises(ModelFileError, match=f"line 4, joint 'j', <limit>: .*{complaint}"):
        build_model_from_xml(one_joint("revolute", limit))


@pytest.mark.parametrize(
    ("inertial", "mass", "moments"),
    [
        ("", 0, [0, 0, 0]),
        ("<inertial/>", 0, [0, 0, 0]),
        ('<inertial><mass value="2"/></inertial>', 2, [0, 0, 0]),
        ('<inertial><inertia ixx="1" iyy="2" izz="3"/></inertial>', 0, [1, 2, 3]),
        ('<inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0"/></inertial>', 0, [0, 0, 0]),
    ],
)
def test_links_may_have_no_mass_or_no_inertia(inertial, mass, moments):
    text = robot(link("a"), f'<link name="b">{inertial}</link>', joint("j", "continuous", "a", "b"))
    inertia = build_model_from_xml(text).inertias[1]
    assert inertia.mass == mass
    assert np.array_equal(np.diag(inertia.inertia), moments)
    assert np.isfinite(inertia.lever).all()


@pytest.mark.parametrize(
    ("inertial", "complaint"),
    [
        ('<mass value="-1"/>', "<mass>: value=-1 is negative"),
        ('<mass value="NaN"/>', "<mass>: value='NaN': 'NaN' is not a finite number"),
        ("<mass/>", "<mass>: no attribute 'value'"),
        ('<mass value="1"/><inertia ixx="1" iyy="1"/>', "<inertia>: no attribute 'izz'"),
        (
            '<mass value="1"/><inertia ixx="1" iyy="-1" izz="1"/>',
            "<inertia>: a moment of inertia is negative: -1",
        ),
        ('<mass value="1"/>\n<mass value="2"/>', "<mass>: a second <mass>; the first is on line 3"),
    ],
)
def test_impossible_masses_are_errors(inertial, complaint):
    text = robot(link("a"), f'<link name="b"><inertial>{inertial}</inertial></link>')
    with pytest.raises(ModelFileError, match=f"line [34], link 'b', {complaint}"):
        build_model_from_xml(text)


def test_what_urdf_does_not_know_is_ignored():
    noise = robot(
        "<!-- a comment with <joint name='x'> in it -->",
        "<?some processing instruction?>",
        '<transmission name="t"><joint name="nothing"/></transmission>',
        '<gazebo reference="base"><material>Gazebo/Grey</material><link name="inner"/></gazebo>',
        '<ros2_control name="c" type="system"><joint name="j"><param/></joint></ros2_control>',
        '<drake:joint name="j" type="ball"><drake:parent link="no"/></drake:joint>',
        '<undeclared:link name="base"/>',
        '<link name="base"><visual><nonsense/></visual><ns:inertial><mass value="-1"/></ns:inertial></link>',
        '<link name="Spitze é \N{GRINNING FACE}" undeclared:attribute="1"/>',
        joint(
            "j ö",
            "continuous",
            "base",
            "Spitze é \N{GRINNING FACE}",
            "<calibration rising='x'/>text<unknown/>",
        ),
        attributes='name="rôle" xmlns:drake="http://drake.mit.edu" xmlns:ns="urn:ns"',
    )
    model = build_model_from_xml(noise)
    assert list(model.names) == ["universe", "j ö"]
    assert [frame.name for frame in model.frames[1:]] == ["base", "j ö", "Spitze é \N{GRINNING FACE}"]


def test_a_default_namespace_changes_nothing():
    model = build_model_from_xml(robot(*TREE, attributes='name="r" xmlns="http://www.ros.org"'))
    assert list(model.names) == list(build_model_from_xml(robot(*TREE)).names)


def test_a_file_that_is_not_there_is_named_with_the_nearest_one(tmp_path):
    (tmp_path / "robot.urdf").write_text(robot(link("a")))
    with pytest.raises(ModelFileNotFound, match=r"robots.urdf: there is no such file; did you mean 'robot.urdf'?"):
        build_model_from_urdf(tmp_path / "robots.urdf")
    with pytest.raises(FileNotFoundError, match="no folder"):
        build_model_from_urdf(tmp_path / "nowhere" / "robot.urdf")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be read: Is a directory"):
        build_model_from_urdf(tmp_path)


def test_an_error_in_a_file_names_the_file(tmp_path):
    file = tmp_path / "robot.urdf"
    file.write_text(robot(link("a"), link("b")))
    with pytest.raises(ModelFileError, match=r"robot\.urdf: line 1, robot 'test'"):
        build_model_from_urdf(str(file))
