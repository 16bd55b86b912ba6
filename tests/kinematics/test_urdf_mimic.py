"""Mimic joints of URDF files: a model with them equals the model without, at q = S q' + c."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from lxml import etree
from test_urdf_oracle import FILES, ROBOTS, relative
from urdf_text import LIMIT, frame_poses, joint, link, one_joint, robot

from pantin.errors import InvalidModel, ModelFileError, ModelFileWarning
from pantin.kinematics.algorithms import compute_joint_jacobians
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import JointModelFreeFlyer
from pantin.kinematics.urdf import build_model_from_urdf, build_model_from_xml

#: A few roundings of a chain of thirty joints, lengths of a metre.
TOLERANCE = 1e-12

#: Files in which mimic joints name masters that are not there.
WITHOUT_MASTERS = {"alex_description/urdf/alex_psyonic_hands.urdf": "index_q1"}

WITH_MIMIC = [
    path
    for path in FILES
    if relative(path) not in WITHOUT_MASTERS and etree.parse(path).xpath("//joint[mimic][@type != 'fixed']")
]


def mimic(master, multiplier=1.0, offset=0.0):
    return f'<mimic joint="{master}" multiplier="{multiplier}" offset="{offset}"/>'


def hand(*kinds, mimics):
    """A row of joints j0, j1, ..., each of a kind, with mimics by number."""
    links = [link(f"l{i}", 1.0) for i in range(len(kinds) + 1)]
    joints = [joint(f"j{i}", kind, f"l{i}", f"l{i + 1}", LIMIT + mimics.get(i, "")) for i, kind in enumerate(kinds)]
    return robot(*links, *joints)


def read_both(load, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelFileWarning)
        return load(mimic=True, **options), load(**options)


def expand(coupled, free, q):
    """Configuration of the model without mimics, and matrix S that gives its velocity from the other's."""
    full, matrix = neutral(free), np.zeros((free.nv, coupled.nv))
    for name, one in zip(coupled.names[1:], coupled.joints[1:], strict=True):
        other = free.joints[free.get_joint_id(name)]
        numbers, rows = slice(other.idx_q, other.idx_q + other.nq), slice(other.idx_v, other.idx_v + other.nv)
        if one.mimic is None:
            full[numbers] = q[one.idx_q : one.idx_q + one.nq]
            matrix[rows, one.idx_v : one.idx_v + one.nv] = np.eye(one.nv)
            continue
        master, multiplier, offset = one.mimic
        master = coupled.joints[master]
        own = q[master.idx_q : master.idx_q + master.nq]
        angle = multiplier * (own[0] if own.size == 1 else np.arctan2(own[1], own[0])) + offset
        full[numbers] = [angle] if other.nq == 1 else [np.cos(angle), np.sin(angle)]
        matrix[rows, master.idx_v] = multiplier
    return full, matrix


def assert_same_motion(coupled, free, rng):
    q = neutral(coupled)
    for one in coupled.joints[1:]:
        if one.nq == 1:
            q[one.idx_q] = rng.uniform(-1.0, 1.0)
        elif one.nq == 2:
            angle = rng.uniform(-3.0, 3.0)
            q[one.idx_q : one.idx_q + 2] = np.cos(angle), np.sin(angle)
    full, matrix = expand(coupled, free, q)
    ours, theirs = frame_poses(coupled, q), frame_poses(free, full)
    assert ours.keys() == theirs.keys()
    for frame, pose in ours.items():
        np.testing.assert_allclose(pose, theirs[frame], atol=TOLERANCE, err_msg=frame[0])
    jacobian = compute_joint_jacobians(coupled, coupled.create_data(), q)
    expected = compute_joint_jacobians(free, free.create_data(), full) @ matrix
    np.testing.assert_allclose(jacobian, expected, atol=10 * TOLERANCE)


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize("free_root", [False, True], ids=["fixed", "free"])
@pytest.mark.parametrize("path", WITH_MIMIC, ids=relative)
def test_robots_with_mimic_joints_move_as_their_joints_say(path, free_root):
    root = JointModelFreeFlyer() if free_root else None
    coupled, free = read_both(lambda **options: build_model_from_urdf(path, root, **options))
    assert list(coupled.names) == list(free.names)
    assert [f.name for f in coupled.frames] == [f.name for f in free.frames]
    followers = [joint for joint in coupled.joints if joint.mimic is not None]
    assert followers
    assert all(joint.nq == joint.nv == 0 for joint in followers)
    assert coupled.nv == free.nv - len(followers)
    rng = np.random.default_rng(7)
    for _ in range(5):
        assert_same_motion(coupled, free, rng)


@pytest.mark.parametrize(
    ("kinds", "mimics"),
    [
        (("revolute", "revolute"), {1: mimic("j0", -0.5, 0.25)}),
        (("revolute", "revolute"), {0: mimic("j1", 2.0, 0.1)}),
        (("prismatic", "revolute", "continuous"), {1: mimic("j0", 1.5), 2: mimic("j0", -1, 1)}),
        (("continuous", "continuous"), {1: mimic("j0", 0.5, 0.3)}),
        (("revolute", "continuous", "prismatic"), {0: mimic("j1", 0.3), 1: mimic("j2", -2, 0.5)}),
        (("revolute",) * 4, {3: mimic("j2", 2, 1), 2: mimic("j1", 0.5, 1), 1: mimic("j0", -1, 1)}),
        (("revolute", "revolute"), {1: mimic("j0", 0, 0.7)}),
    ],
)
def test_a_joint_follows_its_master_wherever_the_master_is(kinds, mimics):
    text = hand(*kinds, mimics=mimics).replace(LIMIT, '<limit lower="-99" upper="99"/>')
    coupled, free = read_both(lambda **options: build_model_from_xml(text, **options))
    assert coupled.nv == free.nv - len(mimics)
    rng = np.random.default_rng(11)
    for _ in range(10):
        assert_same_motion(coupled, free, rng)


def test_chains_multiply_and_offsets_add_up():
    text = hand("continuous", "revolute", "revolute", mimics={2: mimic("j1", 2, 3), 1: mimic("j0", 5, 7)})
    model = build_model_from_xml(text, mimic=True)
    assert model.joints[3].mimic == (1, 10.0, 2 * 7 + 3)


def test_without_the_option_mimics_are_joints_of_their_own():
    text = hand("revolute", "revolute", mimics={1: mimic("nobody")})
    assert build_model_from_xml(text).nv == 2


def test_limits_of_a_mimic_joint_tighten_those_of_its_master():
    text = hand("revolute", "revolute", mimics={1: mimic("j0", -2, 0)})
    model = build_model_from_xml(text, mimic=True)
    # -1 <= q <= 2 and -1 <= -2 q <= 2; both move at most 4 per second.
    assert np.array_equal(model.lower_position_limit, [-1.0])
    assert np.array_equal(model.upper_position_limit, [0.5])
    assert np.array_equal(model.velocity_limit, [2.0])


def test_limits_that_leave_a_master_no_room_are_an_error_that_names_both():
    text = hand("revolute", "revolute", mimics={1: mimic("j0", 1, 9)})
    with pytest.raises(InvalidModel, match=r"j1.*j0"):
        build_model_from_xml(text, mimic=True)


def test_a_mimic_joint_without_limits_is_not_warned_of():
    text = hand("revolute", "revolute", mimics={1: '<mimic joint="j0"/>'})
    head, _, tail = text.rpartition(LIMIT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = build_model_from_xml(head + tail, mimic=True, strict=True)
    assert np.array_equal(model.upper_position_limit, [2.0])


def test_friction_of_a_mimic_joint_acts_on_its_master():
    text = hand("revolute", "revolute", mimics={1: mimic("j0", -3)})
    text = text.replace("</joint>", '<dynamics damping="2" friction="5"/></joint>')
    model = build_model_from_xml(text, mimic=True)
    assert np.array_equal(model.damping, [2 + 9 * 2])
    assert np.array_equal(model.friction, [5 + 3 * 5])


def test_a_fixed_joint_follows_nothing():
    text = one_joint("fixed", mimic("nobody"))
    assert build_model_from_xml(text, mimic=True).njoints == 1


@pytest.mark.parametrize(
    ("kinds", "mimics", "complaint"),
    [
        (
            ("revolute",),
            {0: mimic("j")},
            r"joint 'j0', <mimic>: follows joint 'j', which is not there; did you mean",
        ),
        (("revolute",), {0: mimic("j0")}, r"joint 'j0', <mimic>: follows itself: 'j0' -> 'j0'"),
        (
            ("revolute",) * 4,
            {0: mimic("j1"), 1: mimic("j2"), 2: mimic("j1")},
            r"joint 'j1', <mimic>: follows itself: 'j1' -> 'j2' -> 'j1'",
        ),
        (("fixed", "revolute"), {1: mimic("j0")}, r"follows joint 'j0', but 'j0' is fixed and has no angle"),
        (
            ("floating", "revolute"),
            {1: mimic("j0")},
            r"follows joint 'j0', but 'j0' is floating and has no angle",
        ),
        (
            ("planar", "revolute"),
            {0: mimic("j1")},
            r"follows joint 'j1', but 'j0' is planar and has no angle",
        ),
        (("revolute", "revolute"), {1: "<mimic/>"}, r"joint 'j1', <mimic>: no attribute 'joint'"),
        (("revolute", "revolute"), {1: mimic("j0", "x")}, r"multiplier='x': 'x' is not a finite number"),
        (
            ("revolute",) * 3,
            {1: mimic("j0", 1e40), 2: mimic("j1", 1e40)},
            r"multiplier and offset along the chain to 'j0' grow too large",
        ),
    ],
)
def test_mimics_that_make_no_sense_are_refused_by_name(kinds, mimics, complaint):
    with pytest.raises(ModelFileError, match=complaint):
        build_model_from_xml(hand(*kinds, mimics=mimics), mimic=True)


def test_long_chains_of_mimics_are_resolved_without_recursion():
    count = 3000
    links = [f'<link name="l{i}"/>' for i in range(count + 1)]
    joints = [
        f'<joint name="j{i}" type="continuous"><parent link="l0"/><child link="l{i + 1}"/>'
        + (f'<mimic joint="j{i + 1}"/>' if i < count - 1 else "")
        + "</joint>"
        for i in range(count)
    ]
    model = build_model_from_xml(robot(*links, *joints), mimic=True)
    assert model.nv == 1
    assert model.joints[1].mimic.master == model.get_joint_id(f"j{count - 1}")


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize(("name", "master"), WITHOUT_MASTERS.items())
def test_files_that_name_no_master_are_refused_and_can_be_read_without(name, master):
    with pytest.raises(ModelFileError, match=f"follows joint '{master}', which is not there"):
        build_model_from_urdf(ROBOTS / name, mimic=True)
    assert build_model_from_urdf(ROBOTS / name).nv > 0


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
def test_talos_opens_each_gripper_with_one_joint():
    model = build_model_from_urdf(ROBOTS / "talos_data/robots/talos_full_v2.urdf", mimic=True)
    followers = {model.names[j.id]: model.names[j.mimic.master] for j in model.joints if j.mimic is not None}
    assert set(followers.values()) == {"gripper_left_joint", "gripper_right_joint"}
    assert len(followers) == 12
