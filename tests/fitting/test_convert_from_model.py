"""Plans of robots: every joint kind, sample robots, humanoids and MuJoCo's text; keypoints lie where frames do."""

import numpy as np
import pytest

import models
from oracle import ROBOTS
from pantin import load
from pantin.errors import InvalidArgument, InvalidModel, UnknownFrame
from pantin.fitting import BodyPlan, FitOptions, fit
from pantin.fitting.convert import configuration_of_model, state_of_model
from pantin.kinematics import (
    SE3,
    Frame,
    FrameType,
    JointModelFreeFlyer,
    JointModelRX,
    JointModelSpherical,
    Model,
    batch,
    build_model_from_mjcf,
    build_model_from_urdf,
    clamp,
    exp6,
    integrate,
    is_same_configuration,
    neutral,
    random_configuration,
)

QUADRUPED = """
<mujoco model="half a dog">
  <worldbody>
    <body name="trunk" pos="0.1 0.2 0.3" euler="10 20 30">
      <freejoint name="trunk_free"/>
      <geom size="0.1"/>
      <site name="nose" pos="0.3 0 0.1"/>
      <body name="thigh" pos="0.2 0.1 0">
        <joint name="hip" type="ball"/>
        <geom size="0.05" pos="0 0 -0.1"/>
        <body name="shank" pos="0 0 -0.2">
          <joint name="knee" axis="0 1 0" pos="0.01 0 0.02" range="-120 10" ref="20"/>
          <joint name="spring" type="slide" axis="0 0 1" range="-0.05 0.05"/>
          <geom size="0.03" pos="0 0 -0.1"/>
          <site name="paw" pos="0 0 -0.25"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def check_frames(model, plan, names, seed=0):
    """Keypoints of these names lie where the model's frames do, at random configurations."""
    q = np.stack([random_configuration(model, seed + i) for i in range(6)])
    keypoints = plan.keypoints(state_of_model(model, q))
    for name in names:
        placed = batch.frame_placements(model, name, q)[:, :3, 3]
        assert np.abs(keypoints[:, plan.joint(name)] - placed).max() < 1e-12 * max(1.0, plan.length), name
    return q


@pytest.mark.parametrize(("robot", "frames"), [
    ("panda", ["panda_hand_tcp", "panda_link8", "panda_link4", "panda_joint3"]),
    ("ur5e", ["tool0", "forearm_link", "wrist_1_link"]),
    ("biped", ["left_sole", "right_sole", "head", "torso"]),
])  # fmt: skip
def test_sample_robots(robot, frames):
    model = load(robot)
    plan = BodyPlan.from_model(model, frames)
    assert plan.fixed_base == (robot != "biped")
    assert plan.n_dofs == model.nv - (0 if plan.fixed_base else 6)
    base = 0 if plan.fixed_base else 7
    assert np.array_equal(plan.lower, model.lower_position_limit[base:])
    assert np.array_equal(plan.upper, model.upper_position_limit[base:])
    assert plan.length_unit == "m"
    assert not [f for f in plan.findings if f.code == "neutral-outside-limits"]
    check_frames(model, plan, frames)


def test_the_ends_of_the_tree_are_keypoints_by_default():
    model = load("panda")
    plan = BodyPlan.from_model(model)
    ends = {f.name for i, f in enumerate(model.frames) if i and i not in {g.parent_frame for g in model.frames[1:]}}
    assert "panda_hand_tcp" in ends <= set(plan.joint_names)
    assert set(plan.joint_names) - ends == {"root", *model.names[1:]}
    check_frames(model, plan, ends)


@pytest.mark.skipif(not ROBOTS.is_dir(), reason="example-robot-data is not installed")
@pytest.mark.parametrize("file", ["g1_description/urdf/g1_29dof_rev_1_0.urdf", "talos_data/robots/talos_reduced.urdf"])
def test_humanoids(file):
    model = build_model_from_urdf(str(ROBOTS / file), JointModelFreeFlyer())
    plan = BodyPlan.from_model(model)
    assert plan.n_dofs == model.nv - 6
    q = check_frames(model, plan, [name for name in plan.joint_names if model.exist_frame(name)])
    back = plan.to_model()
    tip = plan.joint_names[-1]
    apart = batch.frame_placements(model, tip, q) - batch.frame_placements(back, tip, plan.q(state_of_model(model, q)))
    assert np.abs(apart).max() < 1e-12


def test_mujocos_text():
    pytest.importorskip("mujoco")
    model = build_model_from_mjcf(QUADRUPED)
    plan = BodyPlan.from_model(model)
    assert not plan.fixed_base
    assert plan.dof_names == ("hip_x", "hip_y", "hip_z", "knee", "spring")
    assert plan.joint_names[0] == "trunk_free"
    assert {"nose", "paw"} < set(plan.joint_names)
    assert plan.extensions["x-pantin"]["title"] == "half a dog"
    assert plan.upper[[3, 4]] == pytest.approx([np.deg2rad(10), 0.05])
    assert np.isinf(plan.upper[:3]).all()
    check_frames(model, plan, ["nose", "paw"])


def test_every_joint_kind_but_screws():
    kinds = [kind for kind in models.KINDS if kind[0] != "H"]
    model = models.random_tree(["free", *kinds, "free"], 5)  # free flyers within the tree, too
    plan = BodyPlan.from_model(model)
    frames = [f.name for f in model.frames if f.name.startswith("tool")]
    assert set(frames) <= set(plan.joint_names)
    q = check_frames(model, plan, frames)
    for one, other in zip(q, configuration_of_model(model, state_of_model(model, q)), strict=True):
        assert is_same_configuration(model, one, other, 1e-9)
    planar = [i for i, name in enumerate(plan.dof_names) if name.startswith("planar")]
    assert [plan.dof_names[i].rpartition("_")[2] for i in planar] == ["x", "y", "z"]
    assert plan.dof_is_slide[planar].tolist() == [True, True, False]
    assert np.isfinite(plan.lower[planar]).tolist() == [True, True, False]
    assert np.isinf(plan.lower[[i for i, name in enumerate(plan.dof_names) if name.startswith("RUB")]]).all()


def test_a_base_may_be_placed():
    model = Model()
    rng = np.random.default_rng(1)
    base = model.add_joint(0, JointModelFreeFlyer(), SE3(exp6(rng.normal(size=6))), "body")
    ball = model.add_joint(base, JointModelSpherical(), SE3(exp6(rng.normal(size=6))), "ball")
    model.add_frame(Frame("tip", ball, 0, SE3(exp6(rng.normal(size=6))), FrameType.OP_FRAME))
    plan = BodyPlan.from_model(model)
    assert plan.joint_names == ("body", "ball", "tip")
    q = check_frames(model, plan, ["tip"])
    back = configuration_of_model(model, state_of_model(model, q))
    assert np.abs(np.abs(back) - np.abs(q)).max() < 1e-13  # a quaternion may change its sign


def test_two_free_bodies_stand_on_a_fixed_base():
    model = Model()
    for name in ("one", "other"):
        joint = model.add_joint(0, JointModelFreeFlyer(), SE3.Identity(), name)
        model.add_frame(Frame(f"{name} tip", joint, 0, SE3(np.eye(3), np.ones(3)), FrameType.OP_FRAME))
    plan = BodyPlan.from_model(model)
    assert plan.fixed_base
    assert plan.dof_is_slide.tolist() == [True] * 3 + [False] * 3 + [True] * 3 + [False] * 3
    check_frames(model, plan, ["one tip", "other tip"])


def test_followers_are_refused_or_held():
    model = models.random_tree(["RZ", "PX", "RUBY", "ball"], 2)
    follower = models.JointModelMimic(models.KINDS["RY"](), "RZ_0", -1.5, 0.2)
    models.add_body(model, model.add_joint(1, follower, SE3.Identity(), "follower"), np.random.default_rng(0))
    turning = models.JointModelMimic(models.KINDS["RX"](), "RUBY_2", 2.0, 0.4)
    models.add_body(model, model.add_joint(2, turning, SE3.Identity(), "turning"), np.random.default_rng(0))
    with pytest.raises(InvalidModel, match=r"'follower' follows 'RZ_0'.*mimic=False.*mimic='lock'"):
        BodyPlan.from_model(model)
    plan = BodyPlan.from_model(model, mimic="lock", neutral={"RZ_0": 0.1, "RUBY_2": 0.3})
    for name, value in [("follower", -1.5 * 0.1 + 0.2), ("turning", 2.0 * 0.3 + 0.4)]:
        dof = plan.dof(name)
        assert [plan.lower[dof], plan.neutral[dof], plan.upper[dof]] == pytest.approx([value] * 3)
    assert [f.code for f in plan.findings].count("locked-dof") == 2
    # the state of a configuration has them where their masters put them
    q = check_frames(model, plan, ["tool_follower", "tool_turning", "tool_ball_3"])
    for one, other in zip(q, configuration_of_model(model, state_of_model(model, q)), strict=True):
        assert is_same_configuration(model, one, other)
    with pytest.raises(InvalidArgument, match="mimic: expected 'refuse' or 'lock', got 'weld'"):
        BodyPlan.from_model(model, mimic="weld")


def test_screws_are_refused():
    with pytest.raises(InvalidModel, match="'HX_1' is helical; a body plan has hinges and slides, and no screws"):
        BodyPlan.from_model(models.random_tree(["RZ", "HX"], 0))


def test_neutral_is_moved_within_limits_or_given():
    model = load("panda")
    plan = BodyPlan.from_model(model)
    assert plan.neutral == pytest.approx(np.clip(0.0, plan.lower, plan.upper))
    assert plan.neutral[plan.dof("panda_joint4")] < 0.0
    assert BodyPlan.from_model(model, neutral={"panda_joint2": 0.4}).neutral[1] == 0.4
    q = random_configuration(model, 3)
    assert np.array_equal(BodyPlan.from_model(model, neutral=q).neutral, q)
    with pytest.raises(InvalidArgument, match="neutral: expected 7 numbers"):
        BodyPlan.from_model(model, neutral=q[1:])


def test_a_limit_on_one_side_stays():
    model = Model()
    joint = model.add_joint(0, JointModelRX(), SE3.Identity(), "crank", max_config=[1.0])
    model.add_frame(Frame("tip", joint, 0, SE3(np.eye(3), np.ones(3)), FrameType.OP_FRAME))
    plan = BodyPlan.from_model(model)
    assert plan.upper[0] == 1.0
    assert -np.inf < plan.lower[0] <= -1e9
    assert np.isinf(BodyPlan.from_model(load("biped")).lower).sum() == 0


def test_keypoints_are_chosen_by_name_index_or_mapping():
    model = load("panda")
    tcp = model.get_frame_id("panda_hand_tcp")
    plan = BodyPlan.from_model(model, {"tool": "panda_hand_tcp", "elbow": "panda_joint4", "base": "panda_link0"})
    q = random_configuration(model, 1)
    points = plan.keypoints(state_of_model(model, q))
    for name, frame in [("tool", "panda_hand_tcp"), ("elbow", "panda_joint4"), ("base", "panda_link0")]:
        placed = batch.frame_placements(model, frame, q)[:3, 3]
        assert points[plan.joint(name)] == pytest.approx(placed, abs=1e-13)
    assert plan.joint_names[0] == "base"
    assert "panda_hand_tcp" in BodyPlan.from_model(model, [tcp]).joint_names
    assert BodyPlan.from_model(model, []).joint_names == ("root", *model.names[1:])


def test_a_frame_keeps_its_name_where_a_joint_has_it_too():
    model = Model()
    crank = model.add_joint(0, JointModelRX(), SE3(np.eye(3), [1.0, 0.0, 0.0]), "crank")
    model.add_frame(Frame("crank", crank, 0, SE3(np.eye(3), [0.0, 2.0, 0.0]), FrameType.OP_FRAME))
    plan = BodyPlan.from_model(model)
    assert plan.joint_names == ("root", "crank_", "crank")
    assert plan.dof_names == ("crank",)
    assert plan.keypoints(plan.neutral_state())[2].tolist() == [1.0, 2.0, 0.0]


@pytest.mark.parametrize(("keypoints", "error", "message"), [
    (["panda_hand_tpc"], UnknownFrame, "did you mean 'panda_hand_tcp'"),
    ("panda_hand_tcp", InvalidArgument, "expected names of frames in a list, got the text 'panda_hand_tcp'"),
    (["panda_link8", "panda_link8"], InvalidArgument, "'panda_link8' would stand for several keypoints"),
    (3, InvalidArgument, "expected names of frames, got 3"),
])  # fmt: skip
def test_wrong_choices_are_named(keypoints, error, message):
    with pytest.raises(error, match=message):
        BodyPlan.from_model(load("panda"), keypoints)


def test_what_stands_in_the_world_is_not_moved_by_a_free_base():
    model = load("biped")
    model.add_frame(Frame("lamp", 0, 0, SE3.Identity(), FrameType.OP_FRAME))
    assert "lamp" not in BodyPlan.from_model(model).joint_names
    with pytest.raises(InvalidArgument, match="'lamp' stands still while the free base moves"):
        BodyPlan.from_model(model, ["lamp"])


def test_a_robots_plan_is_fitted_to_where_its_frames_were_seen():
    model = load("biped")
    names = ["torso", "head", "left_sole", "right_sole"]
    plan = BodyPlan.from_model(model, names)
    q = clamp(model, integrate(model, neutral(model), 0.4 * np.random.default_rng(2).normal(size=model.nv)))
    result = fit(plan, plan.keypoints(state_of_model(model, q)), options=FitOptions(neutral_weight=1e-9))
    found = configuration_of_model(model, result.state)
    for name in names:
        apart = batch.frame_placements(model, name, found) - batch.frame_placements(model, name, q)
        assert np.abs(apart[:3, 3]).max() < 1e-4


def test_states_of_another_model_are_refused():
    with pytest.raises(InvalidArgument, match="expected 7 degrees of freedom"):
        configuration_of_model(load("panda"), BodyPlan.from_model(load("ur5e")).neutral_state())
    with pytest.raises(InvalidArgument, match="expected shape"):
        state_of_model(load("panda"), np.zeros(3))
