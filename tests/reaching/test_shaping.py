"""Joints locked and weighted, changes that stay small, and answers drawn to a posture."""

import numpy as np
import pytest
from questions import ROUNDING, arm, configurations, reachable, within_limits
from scipy.optimize import minimize
from test_solver import straight_arm

import models
import pantin
from pantin.kinematics import SE3, Frame, FrameType, JointModelPZ, Model, difference, exp3, neutral
from pantin.kinematics.batch import frame_jacobians, frame_placements
from pantin.reaching import ReachOptions, ReachSolver, closed_form, reach

#: What two ways to an error may differ by.
TOLERANCE = 1e-6 + 10 * ROUNDING


def clipped_neutral(model):
    return np.clip(neutral(model), model.lower_position_limit, model.upper_position_limit)


def assert_reached(solver, batch):
    assert batch.success.all(), batch.status
    assert np.max(batch.check()) <= TOLERANCE
    assert within_limits(solver.model, batch.q)


# --- lock


@pytest.mark.parametrize("mode", ["pose", "axis", "position"])
def test_locked_joints_stay_exactly_and_the_others_reach(mode):
    model, frame = arm("panda")
    seed, locked = configurations(model, 1, seed=1)[0], [2, 4] if mode != "pose" else [2]
    q = configurations(model, 200)
    q[:, locked] = seed[locked]
    targets = frame_placements(model, frame, q)
    names = [model.names[k + 1] for k in locked]
    solver = ReachSolver(model, frame, mode=mode, lock=names)
    batch = solver.solve_batch(targets[:, :3, 3] if mode == "position" else targets, seed)
    assert_reached(solver, batch)
    assert (batch.q[:, locked] == seed[locked]).all()
    assert batch.starts.max() > 1  # spread starts keep them, too


def test_a_lock_is_a_weight_of_nothing():
    model, frame = arm("panda")
    targets, seed = reachable(model, frame, 30), clipped_neutral(model)
    locked = ReachSolver(model, frame, lock="panda_joint3").solve_batch(targets, seed)
    weighted = ReachSolver(model, frame, joint_weights={"panda_joint3": 0.0}).solve_batch(targets, seed)
    assert np.array_equal(locked.q, weighted.q)
    assert not locked.success.all()


def test_a_locked_free_flyer_leaves_the_limb():
    model = pantin.load("biped")
    frame, root = model.frames[-1].name, model.names[1]
    seed = neutral(model)
    q = configurations(model, 20, seed=2)
    q[:, :7] = seed[:7]
    solver = ReachSolver(model, frame, mode="position", lock=[root])
    batch = solver.solve_batch(frame_placements(model, frame, q)[:, :3, 3], seed)
    assert_reached(solver, batch)
    assert (batch.q[:, :7] == seed[:7]).all()


def test_a_locked_master_holds_its_followers():
    model = models.mimic_tree(2)
    follower = next(i for i in range(1, model.njoints) if model.joints[i].mimic is not None)
    master = model.joints[int(model.joints[follower].mimic.master)]
    frame, seed = f"tool_{model.names[follower]}", configurations(model, 1, seed=12)[0]
    own = slice(master.idx_q, master.idx_q + master.nq)
    q = configurations(model, 20, seed=13)
    q[:, own] = seed[own]
    solver = ReachSolver(model, frame, lock=[model.names[master.id]])
    batch = solver.solve_batch(frame_placements(model, frame, q), seed)
    assert_reached(solver, batch)
    assert (batch.q[:, own] == seed[own]).all()


@pytest.mark.parametrize("joint", range(4))
def test_a_straight_arm_bends_by_its_other_joints(joint):
    options, lock = ReachOptions(max_starts=1), [f"joint_{joint}"]
    result = reach(straight_arm(4), "tip", (2.0, 0.0, 0.0), np.zeros(4), mode="position", lock=lock, options=options)
    assert result.success
    assert result.q[joint] == 0.0


@pytest.mark.parametrize("kind", ["ball", "RUB", "RUBX"])
def test_numbers_of_locked_balls_and_continuous_joints_keep_every_bit(kind):
    model = models.random_tree(["RZ", kind, "RY", "RX", kind, "RZ"], 4, chain=True)
    seeds, targets = configurations(model, 50, seed=15), reachable(model, model.frames[-1].name, 50)
    words = {"lock": [model.names[2]], "posture_weight": 0.5}
    batch = ReachSolver(model, model.frames[-1].name, mode="position", **words).solve_batch(targets[:, :3, 3], seeds)
    own = slice(model.joints[2].idx_q, model.joints[2].idx_q + model.joints[2].nq)
    assert batch.success.mean() > 0.5
    assert np.array_equal(batch.q[:, own], seeds[:, own])


def test_with_every_joint_locked_nothing_moves():
    model, frame = arm("ur5e")
    seed = configurations(model, 1, seed=3)[0]
    result = reach(model, frame, reachable(model, frame, 1)[0], seed, lock=model.names[1:])
    assert result.status == "not_found"
    assert np.array_equal(result.q, seed)
    here = frame_placements(model, frame, seed)
    assert reach(model, frame, here, seed, lock=model.names[1:]).success


# --- joint weights


def sliders():
    """Two slides along z, one on the other."""
    model = Model()
    for parent, name in enumerate(("lower", "upper")):
        model.add_joint(parent, JointModelPZ(), SE3.Identity(), name, min_config=[-5.0], max_config=[10.0])
    model.add_frame(Frame("tip", 2, 0, SE3.Identity(), FrameType.OP_FRAME))
    return model


def test_two_sliders_share_a_way_by_their_weights():
    model = sliders()
    for weights in ({"upper": 0.25}, [1.0, 0.25], {"lower": 4.0}, [40.0, 10.0]):
        q = reach(model, "tip", (0.0, 0.0, 1.0), np.zeros(2), mode="position", joint_weights=weights).q
        assert q == pytest.approx([0.8, 0.2], abs=1e-6)
    locked = reach(model, "tip", (0.0, 0.0, 1.0), np.zeros(2), mode="position", joint_weights={"lower": 0.0})
    assert locked.q == pytest.approx([0.0, 1.0], abs=1e-6)


def test_a_small_step_is_that_of_the_least_weighted_norm():
    model, frame = arm("panda")
    weights = np.array([1.0, 4.0, 0.5, 2.0, 0.1, 1.0, 3.0])
    differ = []
    for one in configurations(model, 20, seed=4):
        J = frame_jacobians(model, frame, one, pantin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3]
        error = 1e-4 * np.array([0.6, 0.0, -0.8])
        target = frame_placements(model, frame, one)[:3, 3] + error
        options = ReachOptions(position_tolerance=1e-10)
        moved = reach(model, frame, target, one, mode="position", joint_weights=weights, options=options).q - one
        least = weights * (J.T @ np.linalg.solve(J * weights @ J.T, error))
        # to first order: the second is about the square of a step of 1e-3
        assert np.abs(moved - least).max() <= 0.02 * np.abs(least).max()
        differ.append(np.abs(moved - J.T @ np.linalg.solve(J @ J.T, error)).max() / np.abs(least).max())
    assert np.median(differ) > 0.1  # from the step without weights


def test_weighted_joints_reach_all_they_can():
    model, frame = arm("panda")
    targets = reachable(model, frame, 200)
    for weights in ({"panda_joint1": 100.0}, {"panda_joint2": 0.01}, np.geomspace(0.01, 100.0, 7)):
        solver = ReachSolver(model, frame, joint_weights=weights)
        assert_reached(solver, solver.solve_batch(targets))


@pytest.mark.parametrize("mode", ["pose", "position", "axis"])
def test_only_the_ratios_of_joint_weights_count(mode):
    model, frame = arm("panda")
    poses, weights = reachable(model, frame, 30), np.array([1.0, 4.0, 0.5, 2.0, 0.25, 1.0, 8.0])
    targets = poses[:, :3, 3] if mode == "position" else poses
    answers = [
        ReachSolver(model, frame, mode=mode, joint_weights=scale * weights).solve_batch(targets).q
        for scale in (1.0, 2.0**-10, 2.0**10)
    ]
    assert np.array_equal(answers[0], answers[1])
    assert np.array_equal(answers[0], answers[2])
    named = dict(zip(model.names[1:], weights, strict=True))
    assert np.array_equal(ReachSolver(model, frame, mode=mode, joint_weights=named).solve_batch(targets).q, answers[0])


# --- how far joints move at once


def test_a_jump_is_told_exactly_where_every_branch_is_farther_than_allowed():
    model, frame = arm("ur5e")
    every = closed_form(model, frame)
    targets, seeds = reachable(model, frame, 40, seed=5), configurations(model, 40, seed=6)
    told = set()
    for change in (0.3, 1.0, 2.0):
        batch = ReachSolver(model, frame, max_joint_change=change).solve_batch(targets, seeds)
        for target, seed, status in zip(targets, seeds, batch.status, strict=True):
            nearest = np.abs(every.solutions(target, seed, whole_turns=True) - seed).max(axis=1).min()
            if abs(nearest - change) > 1e-4:
                assert status == ("reached" if nearest < change else "joint_jump"), (nearest, change)
                told.add(str(status))
    assert told == {"reached", "joint_jump"}


@pytest.mark.parametrize("change", [0.1, 0.5, 1.5])
@pytest.mark.parametrize("mode", ["pose", "position"])
def test_what_is_nearer_than_allowed_is_reached(mode, change):
    model, frame = arm("panda")
    seeds = configurations(model, 100, seed=14)
    near = seeds + np.random.default_rng(14).uniform(-0.98 * change, 0.98 * change, seeds.shape)
    poses = frame_placements(model, frame, np.clip(near, model.lower_position_limit, model.upper_position_limit))
    solver = ReachSolver(model, frame, mode=mode, max_joint_change=change)
    assert_reached(solver, solver.solve_batch(poses[:, :3, 3] if mode == "position" else poses, seeds))


@pytest.mark.parametrize("change", [0.1, 0.5, 2.0])
@pytest.mark.parametrize(
    "kinds",
    [
        ["RUBZ", "RUBY", "RZ", "RUBX", "RUB", "RY"],
        ["ball", "RY", "ball", "PX"],
        ["RZ"] * 2 + ["RY", "PX", "RX", "RY", "RZ"],
    ],
)
def test_no_joint_of_any_kind_moves_farther_than_allowed(kinds, change):
    model = models.random_tree(kinds, 1, chain=True)
    frame = model.frames[-1].name
    targets, seeds = reachable(model, frame, 40), configurations(model, 40, seed=7)
    for words in ({}, {"posture": neutral(model), "posture_weight": 1.0}):
        for options in (ReachOptions(), ReachOptions(time_limit_ms=0.01)):
            solver = ReachSolver(model, frame, max_joint_change=change, options=options, **words)
            batch = solver.solve_batch(targets, seeds)
            for joint in model.joints[1:]:
                own = slice(joint.idx_v, joint.idx_v + joint.nv)
                ways = [difference(model, seed, q)[own] for seed, q in zip(seeds, batch.q, strict=True)]
                assert np.linalg.norm(ways, axis=1).max() <= change * (1.0 + 1e-12)  # of a ball the angle
            assert batch.seed_distance.max() <= change
            assert np.array_equal(batch.success, batch.status == "reached")
            position, rotation = batch.check()
            assert position[batch.success].max(initial=0.0) <= TOLERANCE
            assert rotation[batch.success].max(initial=0.0) <= TOLERANCE
            # what is told of those that were not reached is true as well
            assert batch.position_error == pytest.approx(position, abs=1e-12)
            assert batch.rotation_error == pytest.approx(rotation, abs=1e-12)


def test_a_change_that_is_never_exceeded_changes_nothing():
    model, frame = arm("panda")
    targets, seeds = reachable(model, frame, 50), configurations(model, 50, seed=8)
    free = ReachSolver(model, frame).solve_batch(targets, seeds)
    bound = ReachSolver(model, frame, max_joint_change=10.0).solve_batch(targets, seeds)
    assert np.array_equal(free.q, bound.q)


def test_a_target_out_of_limits_is_no_jump():
    model, frame = arm("arctos")
    q = np.radians([20.0, 35.0, -30.0, 15.0, 100.0, -25.0])  # 11 degrees beyond the fifth joint's limit
    target, seed = frame_placements(model, frame, q), np.zeros(6)
    assert reach(model, frame, target, seed).status == "limits"
    assert reach(model, frame, target, seed, max_joint_change=0.2).status == "limits"


# --- posture


def to_posture(model, count, seed=9):
    """Seeds near the configurations that make the targets, and the middle of the limits as a posture."""
    q = configurations(model, count, seed)
    near = q + 0.2 * np.random.default_rng(seed).normal(size=q.shape)
    limits = model.lower_position_limit, model.upper_position_limit
    return q, np.clip(near, *limits), 0.5 * sum(limits)


@pytest.mark.parametrize("mode", ["pose", "axis", "position"])
def test_an_answer_drawn_with_all_weight_is_the_nearest_of_its_branch(mode):
    model, frame = arm("panda")
    q, seeds, posture = to_posture(model, 12)
    tight = {"position_tolerance": 1e-9, "rotation_tolerance": 1e-9}
    bounds = list(zip(model.lower_position_limit, model.upper_position_limit, strict=True))
    for pose, seed in zip(frame_placements(model, frame, q), seeds, strict=True):
        target = pose[:3, 3] if mode == "position" else pose
        numbers = np.concatenate([pose[:3, :3].ravel(), pose[:3, 3]])
        for iterations, near in ((100, 5e-3), (2000, 2e-6)):  # a tenth of the way each time
            options = ReachOptions(max_iterations=iterations, **tight)
            solver = ReachSolver(model, frame, mode=mode, posture=posture, posture_weight=1.0, options=options)
            result = solver.solve(target, seed)
            assert result.success
            nearest = minimize(
                lambda q: 0.5 * ((q - posture) ** 2).sum(),
                result.q,
                jac=lambda q: q - posture,
                bounds=bounds,
                constraints={
                    "type": "eq",
                    "fun": lambda q, s=solver, n=numbers: s._derivatives(q, n)[0],
                    "jac": lambda q, s=solver, n=numbers: -s._derivatives(q, n)[1].T,
                },
                method="SLSQP",
                options={"ftol": 1e-14, "maxiter": 300},
            )
            distance = np.linalg.norm(result.q - posture)
            assert distance <= np.linalg.norm(nearest.x - posture) + near


@pytest.mark.parametrize("mode", ["pose", "axis", "position", "orientation", "direction"])
def test_more_weight_draws_nearer(mode):
    model, frame = arm("panda")
    q, seeds, posture = to_posture(model, 100)
    poses = frame_placements(model, frame, q)
    targets = {"position": poses[:, :3, 3], "orientation": poses[:, :3, :3], "direction": poses[:, :3, 2]}.get(
        mode, poses
    )
    far = []
    for weight in (0.0, 0.01, 0.1, 0.3, 1.0):
        solver = ReachSolver(model, frame, mode=mode, posture=posture, posture_weight=weight)
        batch = solver.solve_batch(targets, seeds)
        assert_reached(solver, batch)
        far.append(np.linalg.norm(batch.q - posture, axis=1))
    means = np.mean(far, axis=1)
    assert (np.diff(means) < 0.0).all()
    assert np.diff(far, axis=0).max() < 2e-3  # where a lighter weight has come to rest, too
    assert means[0] - means[-1] > 0.2


@pytest.mark.parametrize("name", ["ur5e", "arctos"])
def test_a_posture_changes_nothing_that_is_determined(name):
    model, frame = arm(name)
    targets = reachable(model, frame, 200)
    plain = ReachSolver(model, frame).solve_batch(targets)
    drawn = ReachSolver(model, frame, posture=0.3 * np.ones(6), posture_weight=1.0).solve_batch(targets)
    assert np.abs(plain.q - drawn.q).max() < 1e-12


def test_no_weight_changes_no_bit():
    model, frame = arm("panda")
    targets = reachable(model, frame, 50)
    drawn = ReachSolver(model, frame, posture=np.ones(7) * 0.2, posture_weight=0.0).solve_batch(targets)
    assert np.array_equal(drawn.q, ReachSolver(model, frame).solve_batch(targets).q)


def test_the_seed_is_the_posture_by_default():
    model, frame = arm("panda")
    _, seeds, _ = to_posture(model, 20)
    targets = reachable(model, frame, 20, seed=10)
    drawn = ReachSolver(model, frame, mode="position", posture_weight=1.0).solve_batch(targets[:, :3, 3], seeds)
    for target, seed, q in zip(targets[:, :3, 3], seeds, drawn.q, strict=True):
        given = reach(model, frame, target, seed, mode="position", posture=seed, posture_weight=1.0)
        assert np.array_equal(given.q, q)
        plain = reach(model, frame, target, seed, mode="position").q
        assert np.linalg.norm(q - seed) <= np.linalg.norm(plain - seed) + 1e-6


def test_a_posture_leaves_locked_joints():
    model, frame = arm("panda")
    q, seeds, posture = to_posture(model, 30)
    solver = ReachSolver(model, frame, mode="position", lock=["panda_joint2"], posture=posture, posture_weight=1.0)
    batch = solver.solve_batch(frame_placements(model, frame, q)[:, :3, 3], seeds)
    assert (batch.q[:, 1] == seeds[:, 1]).all()


@pytest.mark.parametrize(("weight", "same"), [(-3.0, 0.0), (1.5, 1.0), (1e100, 1.0)])
def test_weights_of_postures_are_clamped_and_noted(weight, same):
    model, frame = arm("panda")
    target, seed = reachable(model, frame, 1)[0], clipped_neutral(model)
    clamped = reach(model, frame, target, seed, posture_weight=weight)
    assert any("clamped" in note for note in clamped.notes)
    inside = reach(model, frame, target, seed, posture_weight=same)
    assert inside.notes == ()
    assert np.array_equal(clamped.q, inside.q)


def test_a_posture_of_a_ball_and_of_continuous_joints_is_neared():
    model = models.random_tree(["RUBZ", "ball", "RY", "RUBX", "PX", "RZ"], 3, chain=True)
    frame = model.frames[-1].name
    q, posture = configurations(model, 30, seed=11), neutral(model)
    targets = frame_placements(model, frame, q)[:, :3, 3]
    far = []
    for weight in (0.0, 1.0):
        solver = ReachSolver(model, frame, mode="position", posture=posture, posture_weight=weight)
        batch = solver.solve_batch(targets, q)
        assert_reached(solver, batch)
        far.append([np.linalg.norm(difference(model, posture, one)) for one in batch.q])
    assert np.mean(far[1]) < 0.6 * np.mean(far[0])


def test_a_turned_tool_is_drawn_about_its_axis():
    model, frame = arm("panda")
    q, _, posture = to_posture(model, 1)
    pose = frame_placements(model, frame, q[0])
    pose[:3, :3] = pose[:3, :3] @ exp3([0.0, 0.0, 1.0])
    free = reach(model, frame, pose, q[0], mode="axis", posture=posture, posture_weight=1.0)
    assert free.success
    assert abs(free.q[6] - posture[6]) < abs(q[0][6] - posture[6])
