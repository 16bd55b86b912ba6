"""Masses and torques of MJCF models are MuJoCo's."""

import numpy as np
import pytest
from mjcf_models import ARM, CASES, DYNAMICS_ROUNDING, ROUNDING, SOURCES, Case, build, compile_source, mujoco

from pantin.kinematics import mjcf
from pantin.kinematics.algorithms import frames_forward_kinematics
from pantin.kinematics.dynamics import crba, rnea


@pytest.fixture(params=CASES, ids=str)
def case(request) -> Case:
    name, mimic = request.param
    return Case(SOURCES[name], mimic=mimic)


def full_mass_matrix(case: Case) -> np.ndarray:
    matrix = np.zeros((case.compiled.nv, case.compiled.nv))
    if hasattr(case.state, "qM"):
        mujoco.mj_fullM(case.compiled, matrix, case.state.qM)
    else:
        mujoco.mj_fullM(case.compiled, case.state, matrix)
    return matrix


def test_mass_matrix_is_mujocos_armature_included(case):
    for q in case.states(5):
        basis = case.qvel_basis(q)
        expected = basis.T @ full_mass_matrix(case) @ basis
        found = crba(case.model, case.data, q)
        np.testing.assert_allclose(found, expected, atol=DYNAMICS_ROUNDING * max(1.0, np.abs(expected).max()))


def test_inverse_dynamics_is_mujocos_mass_matrix_and_bias(case):
    for q in case.states(5):
        v, a = case.rng.normal(size=(2, case.model.nv))
        case.state.qvel[:] = mjcf.qvel_from_velocity(case.model, q, v)
        mujoco.mj_forward(case.compiled, case.state)
        qacc = mjcf.qacc_from_acceleration(case.model, q, v, a)
        force = full_mass_matrix(case) @ qacc + case.state.qfrc_bias
        expected = case.qvel_basis(q).T @ force
        found = rnea(case.model, case.data, q, v, a)
        np.testing.assert_allclose(found, expected, atol=DYNAMICS_ROUNDING * max(1.0, np.abs(expected).max()))


def test_rotors_of_actuators_weigh_in_the_mass_matrix():
    actuators = '<actuator><motor joint="turn" gear="3" armature="0.5"/></actuator></mujoco>'
    if not hasattr(compile_source(ARM), "actuator_armature"):
        pytest.skip("this MuJoCo has no armature of actuators")
    case = Case(ARM.replace("</mujoco>", actuators))
    assert case.model.armature[0] == pytest.approx(0.5 + 9 * 0.5)
    test_mass_matrix_is_mujocos_armature_included(case)


def test_pinocchio_reads_the_same_tree(tmp_path):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the second reader of MJCF")
    if not hasattr(pin, "buildModelFromMJCF"):
        pytest.skip("this Pinocchio reads no MJCF")
    # one moving tree, one joint a body, no ref and no free joint: there both read the same
    text = """<mujoco><worldbody><body name="a" pos="0.1 0.2 0.3" quat="0.9 0.1 -0.3 0.2">
        <joint name="1" axis="0.3 1 0" pos="0.05 0 0.1" armature="0.2"/><geom type="box" size="0.1 0.2 0.3"/>
        <site name="s" pos="0.1 0 0"/>
        <body name="b" pos="0 0 0.4"><joint name="2" type="slide" axis="0 1 1"/><geom size="0.1" pos="0 0 0.1"/>
        <body name="c" pos="0 0.1 0.4"><joint name="3" type="ball"/><geom type="capsule" size="0.1 0.2"/>
        </body></body></body></worldbody></mujoco>"""
    file = tmp_path / "tree.xml"
    file.write_text(text)
    theirs, ours = pin.buildModelFromMJCF(str(file)), build(file)
    assert ours.names == list(theirs.names)
    assert (ours.nq, ours.nv) == (theirs.nq, theirs.nv)
    their_data, our_data = theirs.createData(), ours.create_data()
    rng = np.random.default_rng(3)
    for _ in range(10):
        q = mjcf.configuration_from_qpos(ours, rng.normal(size=6))
        v, a = rng.normal(size=(2, 5))
        pin.framesForwardKinematics(theirs, their_data, q)
        frames_forward_kinematics(ours, our_data, q)
        for frame in theirs.frames[1:]:
            there, here = their_data.oMf[theirs.getFrameId(frame.name)], our_data.oMf[ours.get_frame_id(frame.name)]
            np.testing.assert_allclose(here.homogeneous, there.homogeneous, atol=10 * ROUNDING, err_msg=frame.name)
        torque = pin.rnea(theirs, their_data, q, v, a)
        np.testing.assert_allclose(rnea(ours, our_data, q, v, a), torque, atol=DYNAMICS_ROUNDING * 100)
