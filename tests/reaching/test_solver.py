"""Reach finds what can be reached, within limits, for every kind of joint, mode and root."""

import numpy as np
import pytest
from questions import ROUNDING, arm, as_asked, configurations, reachable, within_limits

import models
import pantin
from pantin.kinematics import (
    SE3,
    JointModelRZ,
    Model,
    exp3,
    frames_forward_kinematics,
    neutral,
    random_configuration,
)
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachOptions, ReachSolver, reach

MODES = ("pose", "position", "orientation")


def assert_reached(solver, batch):
    """Every target is reached within tolerance and limits, by the model's own kinematics too."""
    assert batch.success.all(), batch.status
    position, rotation = batch.check()
    assert position.max() <= 1e-6 + ROUNDING
    assert rotation.max() <= 1e-6 + ROUNDING
    assert within_limits(solver.model, batch.q)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos", "planar_3r"])
@pytest.mark.parametrize("mode", MODES)
def test_every_reachable_target_of_an_arm_is_reached(name, mode):
    model, frame = arm(name)
    solver = ReachSolver(model, frame, mode=mode)
    assert_reached(solver, solver.solve_batch(as_asked(mode, reachable(model, frame, 300))))


@pytest.mark.parametrize("name", ["panda", "ur5e"])
def test_pinocchio_finds_the_answers_right(name):
    pinocchio = pytest.importorskip("pinocchio")
    theirs = pinocchio.buildModelFromUrdf(str(pantin.samples.path(name)))
    model, frame = arm(name)
    data, index = theirs.createData(), theirs.getFrameId(frame)
    targets = reachable(model, frame, 100, seed=1)
    for target, q in zip(targets, ReachSolver(model, frame).solve_batch(targets).q, strict=True):
        pinocchio.framesForwardKinematics(theirs, data, q)
        left = pinocchio.log6(data.oMf[index].actInv(pinocchio.SE3(target))).vector
        assert np.linalg.norm(left[:3]) <= 1e-6 + ROUNDING  # to first order the translation's error
        assert np.linalg.norm(left[3:]) <= 1e-6 + ROUNDING


@pytest.mark.parametrize("kind", models.KINDS)
@pytest.mark.parametrize("mode", MODES)
def test_chains_with_any_kind_of_joint_are_reached(kind, mode):
    model = models.random_tree(["RZ", kind, "RY", "RX", "RZ", "PX"], 3, chain=True)
    solver = ReachSolver(model, f"tool_{model.names[-1]}", mode=mode)
    assert_reached(solver, solver.solve_batch(as_asked(mode, reachable(model, solver.frame, 30))))


@pytest.mark.parametrize("seed", [0, 1])
def test_followers_move_with_their_masters_wherever_those_are(seed):
    model = models.mimic_tree(seed)
    for frame in (f.name for f in model.frames if "after" in f.name and f.name.startswith("tool")):
        solver = ReachSolver(model, frame)
        assert_reached(solver, solver.solve_batch(reachable(model, frame, 20, seed)))


@pytest.mark.parametrize("root", ["tool_ball_4", "tool_RX_5", "tool_H_3"])
def test_a_root_on_another_branch_is_reached_from(root):
    model = models.mimic_tree(2)
    for frame in ("tool_RUB_6", "tool_PZ_after_14"):
        solver = ReachSolver(model, frame, root=root)
        assert solver.root == root
        assert_reached(solver, solver.solve_batch(reachable(model, frame, 20, root=root)))


def test_the_root_is_the_world_by_default():
    model, frame = arm("panda")
    target = reachable(model, frame, 1)[0]
    assert np.array_equal(reach(model, frame, target).q, reach(model, frame, target, root="universe").q)


def test_a_free_flyer_brings_its_limbs_anywhere():
    model = pantin.load("biped")
    frame = model.frames[-1].name
    target = SE3(exp3([0.3, -2.0, 1.0]), [5.0, -3.0, 2.0])
    result = reach(model, frame, target)
    assert result.success
    assert result.check().position_error <= 1e-6 + ROUNDING


def test_joints_off_the_way_stay_as_the_seed_has_them():
    model = models.every_kind()
    frame = f"tool_{model.names[-1]}"
    seed = random_configuration(model, random_seed=4)
    result = reach(model, frame, reachable(model, frame, 1)[0], seed)
    still = np.ones(model.nq, dtype=bool)
    for joint in model.supports[model.frames[model.get_frame_id(frame)].parent_joint]:
        still[model.joints[joint].idx_q : model.joints[joint].idx_q + model.joints[joint].nq] = False
    assert still.any()
    assert np.array_equal(result.q[still], seed[still])


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
def test_targets_with_every_joint_at_a_limit_are_reached_from_nearby(name):
    model, frame = arm(name)
    random = np.random.default_rng(5)
    corner = np.where(random.random((50, model.nq)) < 0.5, model.lower_position_limit, model.upper_position_limit)
    seeds = np.clip(
        corner + 0.1 * random.normal(size=corner.shape), model.lower_position_limit, model.upper_position_limit
    )
    solver = ReachSolver(model, frame)
    assert_reached(solver, solver.solve_batch(frame_placements(model, frame, corner), seeds))


@pytest.mark.parametrize("axis", np.eye(3))
def test_targets_half_a_turn_from_the_seed_are_reached(axis):
    model, frame = arm("panda")
    data, seed = model.create_data(), 0.5 * (model.lower_position_limit + model.upper_position_limit)
    frames_forward_kinematics(model, data, seed)
    start = data.oMf[model.get_frame_id(frame)]
    target = SE3(exp3(np.pi * axis) @ start.rotation, [0.3, 0.2, 0.5])
    assert reach(model, frame, target, seed).success
    assert reach(model, frame, target.rotation, seed, mode="orientation").success


def straight_arm(links=3):
    """Planar arm of unit links whose joints turn freely, straight along x at rest."""
    model = Model()
    for i in range(links):
        model.add_joint(i, JointModelRZ(), SE3(np.eye(3), [1.0 if i else 0.0, 0.0, 0.0]), f"joint_{i}")
    model.add_frame(
        pantin.Frame("tip", links, 0, SE3(np.eye(3), [1.0, 0.0, 0.0]), pantin.kinematics.FrameType.OP_FRAME)
    )
    return model


@pytest.mark.parametrize("target", [(2.0, 0.0, 0.0), (0.5, 0.0, 0.0), (-1.5, 0.0, 0.0)])
def test_a_straight_arm_leaves_its_singularity_with_one_start(target):
    options = ReachOptions(max_starts=1)
    result = reach(straight_arm(), "tip", target, np.zeros(3), mode="position", options=options)
    assert result.success


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
def test_arms_at_rest_leave_their_singularities(name):
    model, frame = arm(name)
    solver = ReachSolver(model, frame)
    seed = np.clip(neutral(model), model.lower_position_limit, model.upper_position_limit)
    assert_reached(solver, solver.solve_batch(reachable(model, frame, 50, seed=2), seed))


def test_a_warm_arm_follows_a_smooth_path_without_another_start():
    model, frame = arm("arctos")
    middle = 0.5 * (model.lower_position_limit + model.upper_position_limit)
    time = np.linspace(0.0, 1.0, 200)[:, None]
    path = middle + 0.7 * (model.upper_position_limit - middle) * np.sin(time * [1.0, 2.0, 1.5, 3.0, 2.0, 1.0] + 0.3)
    solver, q = ReachSolver(model, frame, options=ReachOptions(max_starts=1)), path[0]
    for target in frame_placements(model, frame, path):
        result = solver.solve(target, q)
        assert result.success
        q = result.q
    assert np.abs(q - path[-1]).max() < 1e-3  # no branch was left; tolerances let it stray a little


def test_a_hinge_of_many_turns_answers_with_the_turn_nearest_to_the_seed():
    model, frame = arm("ur5e")
    model.lower_position_limit[:], model.upper_position_limit[:] = -20.0, 20.0
    for target in reachable(model, frame, 50):
        result = reach(model, frame, target, np.full(6, 0.1))
        assert result.success
        assert result.seed_distance <= 2.0 * np.pi


def test_limits_are_read_at_each_solve():
    model, frame = arm("panda")
    solver, target = ReachSolver(model, frame), reachable(model, frame, 1)[0]
    free = solver.solve(target)
    model.lower_position_limit[0], model.upper_position_limit[0] = free.q[0] + 0.2, free.q[0] + 0.3
    bound = solver.solve(target)
    assert bound.success
    assert free.q[0] + 0.2 <= bound.q[0] <= free.q[0] + 0.3


def test_a_solver_follows_edits_of_its_model():
    model, frame = arm("panda")
    solver = ReachSolver(model, frame)
    target = reachable(model, frame, 1)[0]
    solver.solve(target)
    model.joint_placements[1] = SE3(np.eye(3), [10.0, 0.0, 0.0])
    assert solver.solve(target).status == "out_of_workspace"
    target[:3, 3] += (10.0, 0.0, -0.333)
    assert solver.solve(target).success
    assert reach(model, frame, target).success


def test_a_copied_model_has_questions_of_its_own():
    model, frame = arm("panda")
    target = reachable(model, frame, 1)[0]
    reach(model, frame, target)
    other = model.copy()
    other.upper_position_limit[:] = other.lower_position_limit
    assert np.array_equal(reach(other, frame, target).q, other.lower_position_limit)
    assert reach(model, frame, target).success


def test_seeds_may_be_one_for_all_or_one_for_each_target():
    model, frame = arm("panda")
    targets, seeds = reachable(model, frame, 6).reshape(2, 3, 4, 4), configurations(model, 6, seed=3).reshape(2, 3, -1)
    solver = ReachSolver(model, frame)
    assert np.array_equal(
        solver.solve_batch(targets, seeds[0, 1]).q,
        solver.solve_batch(targets, np.broadcast_to(seeds[0, 1], seeds.shape)).q,
    )
    for target, seed, q in zip(
        targets.reshape(6, 4, 4), seeds.reshape(6, -1), solver.solve_batch(targets, seeds).q.reshape(6, -1), strict=True
    ):
        assert np.array_equal(solver.solve(target, seed).q, q)


def test_hinges_with_room_for_a_whole_turn_wrap_but_not_from_a_seed():
    """A start may leave through one limit and come in at the other; a seed's own branch never does."""
    model, frame = arm("ur5e")
    q = configurations(model, 300, seed=31)
    near = np.clip(q, model.upper_position_limit - 0.02, model.upper_position_limit)
    targets = frame_placements(model, frame, near)
    solver = ReachSolver(model, frame)
    cold, warm = solver.solve_batch(targets), solver.solve_batch(targets, near - 0.05)
    assert cold.success.all()
    assert warm.success.all()
    assert within_limits(model, cold.q)
    assert within_limits(model, warm.q)
    assert (warm.seed_distance[warm.starts == 1] < 1.0).all()
    assert (warm.starts == 1).mean() > 0.9
