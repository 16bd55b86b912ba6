"""States go between MuJoCo's layout and a model's without loss."""

import numpy as np
import pytest
from mjcf_models import ARM, CASES, FLOATING, ROUNDING, SOURCES, Case, build, mujoco, random_qpos

from pantin.errors import (
    InvalidArgument,
    InvalidModel,
)
from pantin.kinematics import mjcf
from pantin.kinematics.algorithms import integrate
from pantin.kinematics.configurations import neutral
from pantin.kinematics.joints import JointModelPlanar


@pytest.fixture(params=CASES, ids=str)
def case(request) -> Case:
    name, mimic = request.param
    return Case(SOURCES[name], mimic=mimic)


def test_configuration_and_qpos_are_two_readings_of_one_state(case):
    qpos = np.array([random_qpos(case.compiled, case.rng) for _ in range(6)]).reshape(2, 3, -1)
    q = mjcf.configuration_from_qpos(case.model, qpos)
    assert q.shape == (2, 3, case.model.nq)
    again = mjcf.qpos_from_configuration(case.model, q)
    np.testing.assert_allclose(mjcf.configuration_from_qpos(case.model, again), q, atol=ROUNDING)
    if all(joint.mimic is None for joint in case.model.joints[1:]):
        np.testing.assert_allclose(again, qpos, atol=ROUNDING)
    np.testing.assert_array_equal(mjcf.qpos_from_configuration(case.model, q[1, 2]), again[1, 2])


def test_velocities_and_accelerations_return_from_mujocos_layout(case):
    q = mjcf.configuration_from_qpos(case.model, random_qpos(case.compiled, case.rng))
    v, a = case.rng.normal(size=(2, 4, case.model.nv))
    qvel = mjcf.qvel_from_velocity(case.model, q, v)
    assert qvel.shape == (4, case.compiled.nv)
    np.testing.assert_allclose(mjcf.velocity_from_qvel(case.model, q, qvel), v, atol=10 * ROUNDING)
    qacc = mjcf.qacc_from_acceleration(case.model, q, v, a)
    np.testing.assert_allclose(mjcf.acceleration_from_qacc(case.model, q, v, qacc), a, atol=10 * ROUNDING)


def test_small_steps_lead_to_the_same_place(case):
    step = 1e-6
    for q in case.states(5):
        v = case.rng.normal(size=case.model.nv)
        moved = case.state.qpos.copy()
        mujoco.mj_integratePos(case.compiled, moved, mjcf.qvel_from_velocity(case.model, q, v), step)
        found = mjcf.qpos_from_configuration(case.model, integrate(case.model, q, v * step))
        # the free flyer moves on a screw here and on a line there: they part with the square of the step
        np.testing.assert_allclose(found, moved, atol=100 * step**2)


def test_joints_that_mujoco_lacks_have_no_qpos():
    model = build(ARM, root_joint=JointModelPlanar())
    with pytest.raises(InvalidModel, match=r"'root_joint'.*MuJoCo lacks"):
        mjcf.qpos_from_configuration(model, neutral(model))


@pytest.mark.parametrize(
    ("qpos", "message"),
    [
        (np.zeros(10), "qpos: expected shape"),
        (np.full(13, np.nan), "qpos: .*finite"),
        (np.zeros(13), "entry 3 is zero"),
    ],
)
def test_bad_qpos_is_refused(qpos, message):
    with pytest.raises(InvalidArgument, match=message):
        mjcf.configuration_from_qpos(build(FLOATING), qpos)


def test_bad_velocities_are_refused():
    model = build(FLOATING)
    q = neutral(model)
    for function in (mjcf.velocity_from_qvel, mjcf.qvel_from_velocity):
        with pytest.raises(InvalidArgument, match="expected shape"):
            function(model, q, np.zeros(3))
        with pytest.raises(InvalidArgument, match="q: expected shape"):
            function(model, q[1:], np.zeros(model.nv))
