"""MJCF models stand, move and weigh as MuJoCo's own, and what cannot be read is said."""

import sys

import numpy as np
import pytest
from mjcf_models import (
    ARM,
    CASES,
    COUPLED,
    FLOATING,
    ROUNDING,
    SEVERAL,
    SOURCES,
    Case,
    build,
    compile_source,
    mujoco,
)

from pantin.errors import (
    InvalidArgument,
    InvalidModel,
    MissingExtra,
    ModelFileError,
    ModelFileNotFound,
    ModelFileWarning,
)
from pantin.kinematics import mjcf
from pantin.kinematics.algorithms import (
    center_of_mass,
    compute_joint_jacobians,
    frames_forward_kinematics,
    get_frame_jacobian,
    update_frame_placements,
)
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PRISMATIC,
    JT_REVOLUTE,
    JT_SPHERICAL,
    JointModelFreeFlyer,
    JointModelPX,
)
from pantin.kinematics.mjcf.names import read_names
from pantin.kinematics.model import FrameType, ReferenceFrame


@pytest.fixture(params=CASES, ids=str)
def case(request) -> Case:
    name, mimic = request.param
    return Case(SOURCES[name], mimic=mimic)


def test_bodies_and_sites_stand_where_mujoco_puts_them(case):
    for q in case.states():
        frames_forward_kinematics(case.model, case.data, q)
        for name, kind, there, _, _ in case.frames():
            here = case.data.oMf[case.frame_id(name, kind)]
            np.testing.assert_allclose(here.translation, there.xpos, atol=10 * ROUNDING, err_msg=name)
            np.testing.assert_allclose(here.rotation, there.xmat.reshape(3, 3), atol=ROUNDING, err_msg=name)


def test_turning_joints_sit_at_mujocos_anchors(case):
    names = read_names(case.compiled).joints
    turning = [i for i, kind in enumerate(case.compiled.jnt_type) if kind != int(mujoco.mjtJoint.mjJNT_SLIDE)]
    for q in case.states(5):
        frames_forward_kinematics(case.model, case.data, q)
        for index in turning:
            name = names[index]
            here = case.data.oMi[case.model.get_joint_id(name)]
            np.testing.assert_allclose(here.translation, case.state.xanchor[index], atol=10 * ROUNDING, err_msg=name)


def test_frame_jacobians_are_mujocos(case):
    for q in case.states(5):
        basis = case.qvel_basis(q)
        compute_joint_jacobians(case.model, case.data, q)
        update_frame_placements(case.model, case.data)
        for name, kind, _, jacobian, index in case.frames():
            linear, angular = np.zeros((3, case.compiled.nv)), np.zeros((3, case.compiled.nv))
            jacobian(case.compiled, case.state, linear, angular, index)
            ours = get_frame_jacobian(
                case.model, case.data, case.frame_id(name, kind), ReferenceFrame.LOCAL_WORLD_ALIGNED
            )
            np.testing.assert_allclose(ours, np.vstack([linear, angular]) @ basis, atol=10 * ROUNDING, err_msg=name)


def test_centre_of_mass_is_mujocos(case):
    assert sum(inertia.mass for inertia in case.model.inertias) == pytest.approx(case.compiled.body_subtreemass[0])
    for q in case.states(5):
        found = center_of_mass(case.model, case.data, q)
        np.testing.assert_allclose(found, case.state.subtree_com[0], atol=10 * ROUNDING)


def test_joints_carry_names_kinds_limits_and_losses():
    model = build(ARM)
    assert model.name == "arm with everything"
    assert model.names == ["universe", "turn", "x", "y", "roll", "pitch", "wrist", "finger_joint", "swing"]
    kinds = [
        JT_REVOLUTE,
        JT_PRISMATIC,
        JT_PRISMATIC,
        JT_REVOLUTE,
        JT_REVOLUTE,
        JT_SPHERICAL,
        JT_REVOLUTE,
        JT_REVOLUTE,
    ]
    assert [joint.jtype for joint in model.joints[1:]] == kinds
    np.testing.assert_allclose(model.gravity, [0.3, -0.4, -9.7])
    np.testing.assert_allclose(model.lower_position_limit[:2], [np.radians(-40), -0.5])
    np.testing.assert_allclose(model.upper_position_limit[:2], [np.radians(70), 0.6])
    assert model.lower_position_limit[2] == -np.inf
    assert model.upper_position_limit[2] == np.inf
    np.testing.assert_allclose(model.armature, [0.5] + 9 * [0.02])
    np.testing.assert_allclose(model.damping, 10 * [0.3])
    np.testing.assert_allclose(model.friction, 10 * [0.1])


def test_free_joint_is_a_free_flyer_named_after_its_body():
    model = build(FLOATING)
    assert model.names[1] == "torso_joint"
    assert model.joints[1].jtype == JT_FREEFLYER
    assert (model.nq, model.nv) == (13, 11)


def test_every_body_and_site_is_a_frame_even_without_a_name():
    model = build(ARM)
    kinds = {frame.name: frame.type for frame in model.frames}
    bodies = ["world", "base", "stage", "rigid", "body4", "finger", "other"]
    assert [kinds[name] for name in bodies] == 7 * [FrameType.BODY]
    assert kinds["origin"] == kinds["finger_site0"] == kinds["finger_site1"] == FrameType.OP_FRAME
    assert kinds["gauge"] == FrameType.SENSOR
    # a site named as its body is told apart from it
    assert kinds["stage_site"] == FrameType.OP_FRAME
    assert model.frames[model.get_frame_id("gauge")].parent_joint == model.get_joint_id("pitch")


def test_generated_names_avoid_given_ones():
    model = build(
        "<mujoco><worldbody><body name='body2'><joint name='body2_2_joint'/><geom size='1'/></body>"
        "<body><joint/><geom size='1'/></body></worldbody></mujoco>"
    )
    assert model.names[1:] == ["body2_2_joint", "body2_2_joint_2"]
    assert [f.name for f in model.frames if f.type == FrameType.BODY] == ["world", "body2", "body2_2"]


def test_a_name_that_body_joint_and_site_share_is_the_bodys_frame():
    model = build(
        "<mujoco><worldbody><body name='x'><joint name='x' pos='1 2 3'/><geom size='1'/><site name='x'/></body>"
        "</worldbody></mujoco>"
    )
    assert model.names == ["universe", "x"]
    kinds = {frame.name: frame.type for frame in model.frames}
    assert kinds["x"] == FrameType.BODY
    assert kinds["x_joint"] == FrameType.JOINT
    assert kinds["x_site"] == FrameType.OP_FRAME


def test_mimic_keeps_names_and_frees_the_configuration_of_followers():
    plain, coupled = build(COUPLED), build(COUPLED, mimic=True)
    assert plain.nv == 4
    assert coupled.nv == 2
    assert coupled.names == plain.names
    assert [f.name for f in coupled.frames] == [f.name for f in plain.frames]


def test_mimic_configurations_satisfy_mujocos_equalities():
    case = Case(COUPLED, mimic=True)
    for _ in case.states():
        equalities = case.state.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
        assert np.count_nonzero(equalities) == 2
        np.testing.assert_allclose(case.state.efc_pos[equalities], 0.0, atol=10 * ROUNDING)


def test_mimic_masters_take_the_losses_of_their_followers():
    model = build(COUPLED, mimic=True)
    # driver = -2 slave_first + ..., slide = 0.3 driver = -0.6 slave_first + ...
    np.testing.assert_allclose(model.armature, [0.1 + 4 * 0.4 + 0.36 * 0.7, 0.0])
    np.testing.assert_allclose(model.damping, [0.2 + 4 * 0.5 + 0.36 * 0.8, 0.0])
    np.testing.assert_allclose(model.friction, [0.3 + 2 * 0.6 + 0.6 * 0.9, 0.0])


def with_equality(*equalities: str) -> str:
    return COUPLED[: COUPLED.index("<equality>")] + f"<equality>{''.join(equalities)}</equality></mujoco>"


def test_contradicting_equalities_name_the_joints():
    text = with_equality(
        '<joint joint1="driver" joint2="slide" polycoef="0 1 0 0 0"/>',
        '<joint joint1="slide" joint2="driver" polycoef="0 2 0 0 0"/>',
    )
    with pytest.raises(InvalidModel, match=r"'slide'.*'driver'"):
        build(text, mimic=True)


def test_equalities_that_say_the_same_twice_are_one():
    text = with_equality(
        '<joint joint1="driver" joint2="slide" polycoef="0 2 0 0 0"/>',
        '<joint joint1="slide" joint2="driver" polycoef="0 0.5 0 0 0"/>',
    )
    assert build(text, mimic=True).nv == 3


@pytest.mark.parametrize(
    ("equality", "phrase"),
    [
        ('<joint name="bent" joint1="driver" joint2="slide" polycoef="0 1 0.1 0 0"/>', "joint 'bent'"),
        ('<joint joint1="driver" polycoef="0.3 0 0 0 0"/>', "joint 0"),
        ('<connect name="loop" body1="a" body2="c" anchor="0 0 0"/>', "connect 'loop'"),
        ('<weld body1="a" body2="c"/>', "weld 0"),
    ],
)
def test_what_a_tree_cannot_hold_is_warned_of_and_refused_when_strict(equality, phrase):
    with pytest.warns(ModelFileWarning, match=phrase) as caught:
        model = mjcf.build_model_from_mjcf(with_equality(equality), mimic=True)
    assert model.nv == 4
    assert caught[0].filename == __file__
    with pytest.raises(ModelFileError, match=phrase):
        build(with_equality(equality), strict=True)


def test_ball_ranges_and_gravity_compensation_are_warned_of():
    text = FLOATING.replace('type="ball"', 'type="ball" range="0 50"').replace(
        'name="shin"', 'name="shin" gravcomp="1"'
    )
    with pytest.warns(ModelFileWarning, match="range of ball joint 'hip', the gravity compensation of body 'shin'"):
        mjcf.build_model_from_mjcf(text)


def test_disabled_gravity_and_equalities_are_off():
    text = COUPLED.replace("<worldbody>", '<option><flag gravity="disable" equality="disable"/></option><worldbody>', 1)
    model = build(text, mimic=True)
    np.testing.assert_array_equal(model.gravity, 0.0)
    assert model.nv == 4


def test_effort_limits_come_from_the_actuators():
    actuators = """<actuator>
        <motor joint="turn" gear="-10" ctrlrange="-1 2" ctrllimited="true"/>
        <position joint="turn" kp="5" forcerange="-3 1" gear="2"/>
        <motor joint="x" ctrlrange="-7 7" ctrllimited="true"/>
        <position joint="y" kp="5"/>
        <motor joint="roll" ctrlrange="-7 7" ctrllimited="true"/>
    </actuator></mujoco>"""
    text = ARM.replace("</mujoco>", actuators).replace('name="roll"', 'name="roll" actuatorfrcrange="-2 3"')
    model = build(text)
    np.testing.assert_allclose(model.effort_limit[:2], [10 * 2 + 2 * 3, 7])
    assert model.effort_limit[2] == np.inf
    assert model.effort_limit[3] == 3


def test_a_live_model_is_read_as_it_stands():
    compiled = compile_source(ARM)
    compiled.body_pos[1] = [7, 8, 9]
    model = build(compiled)
    data = model.create_data()
    q = mjcf.configuration_from_qpos(model, compiled.qpos0)
    frames_forward_kinematics(model, data, q)
    np.testing.assert_allclose(data.oMf[model.get_frame_id("base")].translation, [7, 8, 9], atol=ROUNDING)


def test_a_file_its_text_and_its_compiled_model_are_one_model(tmp_path):
    file = tmp_path / "roboter-ä.xml"
    file.write_text(ARM, encoding="utf-8")
    models = [build(source) for source in (file, str(file), ARM, compile_source(ARM))]
    for model in models[1:]:
        assert model.names == models[0].names
        for ours, theirs in zip(model.joint_placements, models[0].joint_placements, strict=True):
            assert ours.is_approx(theirs, 1e-15)


def test_includes_are_found_beside_the_file(tmp_path):
    (tmp_path / "part.xml").write_text(
        "<mujoco><worldbody><body name='part'><joint name='j'/><geom size='1'/></body></worldbody></mujoco>"
    )
    (tmp_path / "all.xml").write_text("<mujoco><include file='part.xml'/></mujoco>")
    assert build(tmp_path / "all.xml").names == ["universe", "j"]


def test_root_joint_carries_the_whole_file():
    model = build(ARM, root_joint=JointModelPX())
    fixed = build(ARM)
    assert model.names == ["universe", "root_joint", *fixed.names[1:]]
    data = model.create_data()
    q = neutral(model)
    q[0] = 2.0
    frames_forward_kinematics(model, data, q)
    np.testing.assert_allclose(data.oMf[model.get_frame_id("origin")].translation, [2.1, 0.2, 0.3], atol=ROUNDING)
    assert mjcf.qpos_from_configuration(model, q)[0] == 2.0


def test_a_free_flyer_root_is_the_files_own_free_joint():
    for root_joint in (JointModelFreeFlyer(), "free_flyer"):
        assert build(FLOATING, root_joint=root_joint).names == build(FLOATING).names


@pytest.mark.parametrize(
    ("source", "root"),
    [(FLOATING, JointModelPX()), (SEVERAL, JointModelFreeFlyer())],
    ids=["slide", "several trees"],
)
def test_a_root_joint_above_free_joints_is_refused(source, root):
    with pytest.raises(InvalidModel, match=r"root_joint: body '(torso|ball)' already has a free joint"):
        build(source, root_joint=root)


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (
            "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>",
            ModelFileError,
            "MJCF text: MuJoCo cannot",
        ),
        ("<mujoco>", ModelFileError, "MJCF text: MuJoCo cannot"),
        ("<robot name='r'><link name='l'/></robot>", ModelFileError, "URDF.*build_model_from_urdf"),
        ("nowhere/robot.xml", ModelFileNotFound, r"robot\.xml: there is no such file"),
        (12, InvalidArgument, "source: expected a path, MJCF text or a mujoco.MjModel, got a int"),
    ],
)
def test_unreadable_sources_say_why(source, error, message):
    with pytest.raises(error, match=message):
        mjcf.build_model_from_mjcf(source)


def test_without_mujoco_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtra, match=r"pantin\[mjcf\]"):
        mjcf.build_model_from_mjcf(ARM)
