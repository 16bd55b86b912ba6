"""A plan and its model are one tree: keypoints, derivatives, limits, states."""

import numpy as np
import pytest
from random_plans import random_plan, random_state

import models
from pantin.errors import InvalidArgument, InvalidModel
from pantin.fitting import BodyPlan, State
from pantin.kinematics import ReferenceFrame, clamp, integrate, random_configuration
from pantin.kinematics.batch import frame_jacobians, frame_placements

pin = pytest.importorskip("pinocchio")

SEEDS = range(12)


def example(seed, **kwargs):
    """A random plan and five states of it."""
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, **kwargs))
    return plan, random_state(plan, rng, 5)


def pinocchio_model(plan):
    """Pinocchio's model: a joint for each degree of freedom, an operational frame for each keypoint."""
    model = pin.Model()
    base = 0 if plan.fixed_base else model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "the base")
    ends = []
    for joint in range(plan.n_joints):
        parent = plan.parents[joint]
        carrier, place = ends[parent] if parent >= 0 else (base, pin.SE3.Identity())
        w, x, y, z = plan.offset_quat_wxyz[joint]
        place = place * pin.SE3(pin.Quaternion(w, x, y, z).matrix(), plan.offset_pos[joint])
        model.addFrame(pin.Frame(f"keypoint {joint}", carrier, 0, place, pin.FrameType.OP_FRAME))
        for dof in np.flatnonzero(plan.dof_joint == joint):
            kind = pin.JointModelPrismaticUnaligned if plan.dof_is_slide[dof] else pin.JointModelRevoluteUnaligned
            carrier = model.addJoint(carrier, kind(plan.dof_axis[dof]), place, f"dof {dof}")
            place = pin.SE3.Identity()
        ends.append((carrier, place))
    return model, [model.getFrameId(f"keypoint {joint}") for joint in range(plan.n_joints)]


@pytest.mark.parametrize("seed", SEEDS)
def test_keypoints_and_their_derivatives_are_pinocchios(seed):
    plan, states = example(seed)
    model, frames = pinocchio_model(plan)
    data = model.createData()
    keypoints = plan.keypoints(states)
    by_velocity = plan.keypoint_jacobian(states) @ plan.tangent_from_model(states)[:, None]
    for i, q in enumerate(plan.q(states)):
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        for joint, frame in enumerate(frames):
            placed = data.oMf[frame].translation
            assert np.abs(keypoints[i, joint] - placed).max() < 1e-12 * plan.length
            moves = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)[:3]
            assert np.abs(by_velocity[i, joint] - moves).max() < 1e-12 * max(1.0, plan.length)


@pytest.mark.parametrize("seed", SEEDS)
def test_keypoints_and_their_derivatives_are_the_models(seed):
    plan, states = example(seed, size=1e-3)
    model, q = plan.to_model(), plan.q(states)
    assert (model.nq, model.nv) == (q.shape[-1], plan.tangent_dim)
    keypoints = plan.keypoints(states)
    by_velocity = plan.keypoint_jacobian(states) @ plan.tangent_from_model(states)[:, None]
    for joint, name in enumerate(plan.joint_names):
        assert model.frames[1 + joint].name == name
        placed = frame_placements(model, name, q)[:, :3, 3]
        assert np.abs(placed - keypoints[:, joint]).max() < 1e-12 * plan.length
        moves = frame_jacobians(model, name, q, ReferenceFrame.LOCAL_WORLD_ALIGNED)[:, :3]
        assert np.abs(moves - by_velocity[:, joint]).max() < 1e-12


def test_a_short_step_of_the_model_is_the_plans_by_the_matrix():
    plan, states = example(3, joints=20, fixed_base=False)
    model, size = plan.to_model(), 1e-5
    velocity = size * np.random.default_rng(0).normal(size=(5, model.nv))
    moved = plan.state(np.stack([integrate(model, q, v) for q, v in zip(plan.q(states), velocity, strict=True)]))
    stepped = plan.step(states, (plan.tangent_from_model(states) @ velocity[..., None])[..., 0])
    # the model's base moves on a screw, the plan's straight: they part with the square of the step
    assert np.abs(plan.keypoints(moved) - plan.keypoints(stepped)).max() < 100 * size**2
    assert np.abs(plan.keypoints(moved) - plan.keypoints(states)).max() > size


@pytest.mark.parametrize("fixed_base", [False, True])
def test_states_and_configurations_are_the_same_numbers(fixed_base):
    plan, states = example(1, fixed_base=fixed_base, joints=12)
    back = plan.state(plan.q(states))
    for one, other in zip(states, back, strict=True):
        assert np.array_equal(one, other)
    alone = State(*(part[2] for part in states))
    assert np.array_equal(plan.q(alone), plan.q(states)[2])
    assert plan.state(plan.q(alone)).dofs.shape == (plan.n_dofs,)
    assert plan.q({"dofs": alone.dofs})[-plan.n_dofs :] == pytest.approx(alone.dofs)
    turned = plan.tangent_from_model(states)
    assert turned.shape == (5, plan.tangent_dim, plan.tangent_dim)
    if fixed_base:
        assert np.array_equal(turned[0], np.eye(plan.n_dofs))


def test_configurations_that_are_none_are_refused():
    plan, states = example(1, fixed_base=False, joints=12)
    q = plan.q(states)
    with pytest.raises(InvalidArgument, match=rf"expected shape \(..., {7 + plan.n_dofs}\)"):
        plan.state(q[:, 1:])
    q[1, 3:7] *= 2.0
    with pytest.raises(InvalidArgument, match="unit quaternion in entries 3 to 6, got one of norm 2"):
        plan.state(q)
    with pytest.raises(InvalidArgument, match="dofs"):
        plan.tangent_from_model({"dofs": [1.0]})


def test_limits_go_over_and_locks_hold():
    document = random_plan(np.random.default_rng(4), 30, limits=0.6)
    dofs = [dof for joint in document["joints"] for dof in joint["dofs"]]
    dofs[0]["limits"] = [dofs[0]["neutral"]] * 2
    plan = BodyPlan.from_dict(document)
    model = plan.to_model()
    base = 0 if plan.fixed_base else 7
    assert np.array_equal(model.lower_position_limit[base:], plan.lower)
    assert np.array_equal(model.upper_position_limit[base:], plan.upper)
    assert np.isinf(plan.lower).any()
    assert np.isfinite(plan.lower).any()
    assert random_configuration(model, 3)[base] == pytest.approx(plan.neutral[0])
    assert clamp(model, plan.q(plan.neutral_state()))[base] == plan.neutral[0]


def test_names_that_the_model_has_taken():
    document = {
        "joints": [
            {"name": "root_joint", "parent": None, "offset_pos": [0, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
            {"name": "a", "parent": "root_joint", "offset_pos": [1, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
            {"name": "b", "parent": "a", "offset_pos": [1, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
        ]
    }
    document["joints"][1]["dofs"] = [
        {"type": "hinge", "axis": [0, 0, 1], "neutral": 0, "name": name} for name in ("universe", "root_joint")
    ]
    model = BodyPlan.from_dict(document).to_model()
    assert list(model.names) == ["universe", "root_joint_", "universe_", "root_joint"]
    document["joints"][2]["name"] = "universe"
    with pytest.raises(InvalidModel, match=r"'universe'.*rename that joint"):
        BodyPlan.from_dict(document).to_model()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plan_comes_back_from_its_model(seed):
    plan, states = example(seed)
    again = BodyPlan.from_model(plan.to_model(), length_unit=None)
    assert again.fixed_base == plan.fixed_base
    assert again.dof_names == plan.dof_names
    for name in ("dof_is_slide", "dof_axis", "lower", "upper"):
        assert np.array_equal(getattr(again, name), getattr(plan, name))
    assert np.array_equal(again.neutral, np.clip(0.0, plan.lower, plan.upper))
    places = [again.joint(name) for name in plan.joint_names]
    assert np.abs(again.keypoints(states)[:, places] - plan.keypoints(states)).max() < 1e-12 * plan.length
    # what has one degree of freedom at most is one joint again
    assert again.n_joints <= 1 + plan.n_joints + sum(np.bincount(plan.dof_joint, minlength=plan.n_joints) > 1) * 3


def test_joints_of_single_freedoms_come_back_as_the_same_keypoints():
    document = random_plan(np.random.default_rng(8), 25, dofs=1, fixed_base=True)
    document["joints"][0].update(offset_pos=[0, 0, 0], offset_quat=[1, 0, 0, 0])
    for joint in document["joints"]:
        joint.pop("weight_scaler")
        for dof in joint["dofs"]:
            dof.pop("weight_scaler")
    plan = BodyPlan.from_dict(document)
    again = BodyPlan.from_model(plan.to_model(), neutral=plan.neutral, length_unit=None)
    assert set(again.joint_names) == set(plan.joint_names)
    assert again.n_joints == plan.n_joints
    assert np.array_equal(again.neutral, plan.neutral)
    places = [again.joint(name) for name in plan.joint_names]
    apart = again.keypoints(again.neutral_state())[places] - plan.keypoints(plan.neutral_state())
    assert np.abs(apart).max() < 1e-12 * plan.length


def test_a_tree_of_the_tests_of_kinematics_goes_both_ways():
    tree = models.arm()
    plan = BodyPlan.from_model(tree)
    q = random_configuration(tree, 2)
    back = plan.to_model()
    for frame in ("tool_R_4", "tool_RZ_6"):
        one, other = frame_placements(tree, frame, q), frame_placements(back, frame, q)
        assert np.abs(one - other).max() < 1e-13
