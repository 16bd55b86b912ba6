"""Plans as MJCF and URDF documents, read by MuJoCo, Pinocchio and pantin."""

import numpy as np
import pytest
from random_plans import random_plan, random_state

from pantin.errors import InvalidModel
from pantin.fitting import BodyPlan
from pantin.fitting.convert import dof_order, qpos_of
from pantin.kinematics import batch, build_model_from_mjcf, build_model_from_xml, configuration_from_dict

SEEDS = range(10)


def example(seed, **kwargs):
    """A random plan and three states of it."""
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, **kwargs))
    return plan, random_state(plan, rng, 3)


def document(name="knee", **dof):
    """Three joints, the middle one with a degree of freedom."""
    joint = {"offset_pos": [0.5, 0.1, 0.0], "offset_quat": [1, 0, 0, 0], "dofs": []}
    hinge = {"type": "hinge", "axis": [0, 0, 1], "neutral": 0.0, **dof}
    return {
        "joints": [
            {**joint, "name": "hip", "parent": None},
            {**joint, "name": name, "parent": "hip", "dofs": [hinge]},
            {**joint, "name": "foot", "parent": name},
        ]
    }


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("seed", SEEDS)
def test_mujoco_places_the_keypoints_there(seed, size):
    mujoco = pytest.importorskip("mujoco")
    plan, states = example(seed, size=size)
    model = mujoco.MjModel.from_xml_string(plan.to_mjcf())
    data = mujoco.MjData(model)
    assert model.nv == plan.tangent_dim
    names = [model.joint(i).name for i in range(model.njnt)]
    assert names[len(names) - plan.n_dofs :] == [plan.dof_names[dof] for dof in dof_order(plan)]
    for qpos, keypoints in zip(qpos_of(plan, states), plan.keypoints(states), strict=True):
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        placed = [data.body(name).xpos for name in plan.joint_names]
        assert np.abs(placed - keypoints).max() < 1e-12 * plan.length


@pytest.mark.parametrize("seed", SEEDS)
def test_our_reader_of_mjcf_takes_them_back(seed):
    pytest.importorskip("mujoco")
    plan, states = example(seed, joints=12)
    model = build_model_from_mjcf(plan.to_mjcf())
    again = BodyPlan.from_model(model, plan.joint_names)
    order = [plan.dof(name) for name in again.dof_names]
    assert again.lower == pytest.approx(plan.lower[order], abs=1e-12)
    assert again.upper == pytest.approx(plan.upper[order], abs=1e-12)
    keypoints = again.keypoints(states._replace(dofs=states.dofs[:, order]))
    places = [again.joint(name) for name in plan.joint_names]
    assert np.abs(keypoints[:, places] - plan.keypoints(states)).max() < 1e-12 * plan.length


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_mujocos_dynamics_takes_such_a_body(size, tmp_path, monkeypatch):
    mujoco = pytest.importorskip("mujoco")
    monkeypatch.chdir(tmp_path)  # where MuJoCo writes its warnings
    plan, _ = example(1, joints=25, size=size)
    model = mujoco.MjModel.from_xml_string(plan.to_mjcf())
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert np.isfinite(data.qacc).all()
    assert data.ncon == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", SEEDS)
def test_pinocchio_places_the_links_there(seed):
    pin = pytest.importorskip("pinocchio")
    plan, states = example(seed)
    model = pin.buildModelFromXML(plan.to_urdf(), *([] if plan.fixed_base else [pin.JointModelFreeFlyer()]))
    data = model.createData()
    frames = [model.getFrameId(name, pin.FrameType.BODY) for name in plan.joint_names]
    for own, dofs, keypoints in zip(plan.q(states), states.dofs, plan.keypoints(states), strict=True):
        q = pin.neutral(model)
        q[: len(own) - plan.n_dofs] = own[: len(own) - plan.n_dofs]
        for name, value in zip(plan.dof_names, dofs, strict=True):
            joint = model.joints[model.getJointId(name)]
            q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
        pin.framesForwardKinematics(model, data, q)
        placed = [data.oMf[frame].translation for frame in frames]
        assert np.abs(placed - keypoints).max() < 1e-12 * plan.length


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", SEEDS)
def test_our_reader_of_urdf_takes_them_back(seed):
    plan, states = example(seed, joints=12, fixed_base=True)
    model = build_model_from_xml(plan.to_urdf(), strict=True)
    again = BodyPlan.from_model(model, plan.joint_names)
    order = [plan.dof(name) for name in again.dof_names]
    assert np.array_equal(again.lower, plan.lower[order])
    assert np.array_equal(again.upper, plan.upper[order])
    q = configuration_from_dict(model, dict(zip(plan.dof_names, states.dofs[0], strict=True)))
    for name, keypoint in zip(plan.joint_names, plan.keypoints(states)[0], strict=True):
        place = batch.frame_placements(model, name, q)[:3, 3]
        assert np.abs(place - keypoint).max() < 1e-12 * plan.length


def test_locked_degrees_of_freedom_stay_locked():
    mujoco = pytest.importorskip("mujoco")
    plan = BodyPlan.from_dict(document(neutral=0.3, limits=[0.3, 0.3]))
    knee = build_model_from_xml(plan.to_urdf()).lower_position_limit
    assert knee.tolist() == [0.3]
    model = mujoco.MjModel.from_xml_string(plan.to_mjcf())
    assert model.jnt_limited[1] == 1
    assert model.jnt_range[1] == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("name", ["a & b", 'the "knee" <left>', "Knie, änderbar", "root", "base", "hip_moved", "関節"])
def test_names_of_all_kinds(name):
    mujoco = pytest.importorskip("mujoco")
    plan = BodyPlan.from_dict(document(name))
    model = mujoco.MjModel.from_xml_string(plan.to_mjcf())
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    assert data.body(name).xpos == pytest.approx([1.0, 0.2, 0.0])
    urdf = build_model_from_xml(plan.to_urdf())
    assert batch.frame_placements(urdf, name, [1.0, 0.0])[:3, 3] == pytest.approx([1.0, 0.2, 0.0])


def test_names_that_cannot_be_written_are_told():
    with pytest.raises(InvalidModel, match=r"'world'.*rename that joint"):
        BodyPlan.from_dict(document("world")).to_mjcf()
    plan = BodyPlan.from_dict(document("bell\x07"))
    with pytest.raises(InvalidModel, match=r"'bell\\x07' has a character that XML cannot hold"):
        plan.to_mjcf()
    with pytest.raises(InvalidModel, match=r"'bell\\x07"):
        plan.to_urdf()
