"""Several residuals at once: answers are right, within limits, near, and honest where there is none."""

import numpy as np
import pytest
from problems import HUMANOIDS, anywhere, humanoid, nearby, needs_robots, pose
from questions import arm, within_limits
from scipy.optimize import minimize

import models
import pantin
from oracle import ROBOTS
from pantin import Status
from pantin.kinematics import (
    Frame,
    FrameType,
    JointModelFreeFlyer,
    JointModelPlanar,
    JointModelRZ,
    Model,
    difference,
    neutral,
)
from pantin.kinematics.batch import center_of_mass, frame_placements
from pantin.kinematics.configurations import clamp
from pantin.reaching import Problem, ReachOptions, ReachSolver


def two_hands(name, *, floating=True):
    """A problem of two hands, feet that stay where a humanoid is floating, and the residuals of the hands."""
    model, hands, feet = humanoid(name, floating)
    start = clamp(model, neutral(model))
    problem = Problem(model)
    for foot in feet if floating else ():
        problem.add_frame(foot, pose(model, foot, start))
    return problem, start, [problem.add_frame(hand, pose(model, hand, start)) for hand in hands]


def add_tip(model, joint, position):
    """A frame on a joint."""
    model.add_frame(Frame("tip", joint, 0, pantin.SE3(np.eye(3), position), FrameType.OP_FRAME))


@needs_robots
@pytest.mark.parametrize("floating", [True, False], ids=["floating", "fixed"])
@pytest.mark.parametrize("name", list(HUMANOIDS))
def test_two_hands_of_a_humanoid_as_pinocchio_sees_them(name, floating):
    pinocchio = pytest.importorskip("pinocchio")
    problem, start, hands = two_hands(name, floating=floating)
    model = problem.model
    root = [pinocchio.JointModelFreeFlyer()] if floating else []
    theirs = pinocchio.buildModelFromUrdf(str(ROBOTS / HUMANOIDS[name][0]), *root)
    data = theirs.createData()
    for seed in range(20):
        q = nearby(model, seed, 0.3)
        for hand in hands:
            # the hand as it is seen from the trunk, while the feet stay
            hand.target = pose(model, hand.frame, q, "torso_link" if name == "g1" else "torso_2_link")
            hand.target = pose(model, "torso_link" if name == "g1" else "torso_2_link", start) @ hand.target.homogeneous
        result = problem.solve(start)
        assert result.success, (seed, result)
        assert within_limits(model, result.q)
        pinocchio.framesForwardKinematics(theirs, data, result.q)
        for residual in problem.residuals:
            placed = data.oMf[theirs.getFrameId(residual.frame)]
            target = pinocchio.SE3(residual.target.homogeneous)
            assert np.linalg.norm(placed.translation - target.translation) <= 1e-6 + 1e-12
            assert np.linalg.norm(pinocchio.log3(placed.rotation.T @ target.rotation)) <= 1e-6 + 1e-12


@pytest.mark.parametrize("mode", ["pose", "position", "orientation", "axis"])
def test_one_frame_agrees_with_reach(mode):
    model, frame = arm("panda")
    for seed in range(20):
        q = anywhere(model, [7, seed])
        target = pose(model, frame, q)
        asked = {"position": target[:3, 3], "orientation": target[:3, :3]}.get(mode, target)
        problem = Problem(model)
        problem.add_frame(frame, asked, mode=mode)
        result, other = problem.solve(), pantin.reach(model, frame, asked, mode=mode)
        assert result.success
        assert other.success
        assert result.check().success


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos"])
def test_cold_poses_of_an_arm_are_found(name):
    model, frame = arm(name)
    problem = Problem(model)
    hand = problem.add_frame(frame, pose(model, frame, clamp(model, neutral(model))))
    q = np.array([anywhere(model, [11, k]) for k in range(200)])
    batch = problem.solve_batch({hand: frame_placements(model, frame, q)})
    assert batch.success.all()
    assert all(within_limits(model, answer) for answer in batch.q)


def test_a_hand_seen_from_the_other_moves_with_it():
    model = pantin.load("biped")
    left, right = "left_foot", "right_foot"
    q = nearby(model, 3, 0.2)
    problem = Problem(model)
    problem.add_frame(left, pose(model, left, q, right), root=right)
    result = problem.solve(clamp(model, neutral(model)))
    assert result.success
    assert np.allclose(pose(model, left, result.q, right), pose(model, left, q, right), rtol=0.0, atol=3e-6)


def test_the_centre_of_mass_stays_above_the_feet():
    model = pantin.load("biped")
    start = nearby(model, 1, 0.1)
    problem = Problem(model)
    for foot in ("left_foot", "right_foot"):
        problem.add_frame(foot, pose(model, foot, start))
    centre = center_of_mass(model, start)
    com = problem.add_com([centre[0] + 0.01, centre[1] - 0.01, None])
    result = problem.solve(start)
    assert result.success
    moved = center_of_mass(model, result.q)
    assert np.allclose(moved[:2], centre[:2] + np.array([0.01, -0.01]), rtol=0.0, atol=1e-6)
    assert result.error(com).position <= 1e-6
    assert list(com.weights) == [1.0, 1.0, 0.0]


def test_a_shaft_stays_in_its_incision_while_its_tip_moves():
    model, frame = arm("arctos")
    start = anywhere(model, 4)
    tip = pose(model, frame, start)
    problem = Problem(model)
    problem.add_pivot(frame, tip[:3, 3] - 0.045 * tip[:3, 2])
    goal = problem.add_frame(frame, tip[:3, 3], mode="position")
    for move in ([0.003, 0.0, 0.0], [0.0, -0.002, 0.002], [0.004, 0.004, -0.004]):
        goal.target = tip[:3, 3] + move
        result = problem.solve(start)
        assert result.success
        M = pose(model, frame, result.q)
        away = tip[:3, 3] - 0.045 * tip[:3, 2] - M[:3, 3]
        assert np.linalg.norm(np.cross(away, M[:3, 2])) <= 1e-6 + 1e-12  # the point's distance from the shaft
        assert np.linalg.norm(M[:3, 3] - goal.target) <= 1e-6 + 1e-12


def test_the_worked_example_of_a_shaft():
    # R2: the shaft's distance from a pivot beside it, by two components and their norm
    degrees = np.array([20.0, 35.0, -30.0, 15.0, 40.0, -25.0])
    model, frame = arm("arctos")
    q = np.radians(degrees)
    M = pose(model, frame, q)
    pivot = M[:3, 3] - 0.045 * M[:3, 2] + [0.0015, -0.0008, 0.0010]
    problem = Problem(model)
    problem.add_pivot(frame, pivot)
    error = problem._derivatives(q)[0]
    away = M[:3, :3].T @ (pivot - M[:3, 3])
    assert error / error[0] == pytest.approx(away[:2] / away[0], abs=1e-12)
    result = problem.solve(q)
    assert result.success
    assert result.seed_distance < 0.1


@needs_robots
def test_a_hand_reaches_while_the_head_looks_at_it():
    model, hands, feet = humanoid("talos")
    start = clamp(model, neutral(model))
    problem = Problem(model)
    for foot in feet:
        problem.add_frame(foot, pose(model, foot, start))
    point = pose(model, hands[0], start)[:3, 3] + [0.25, 0.05, 0.2]
    problem.add_frame(hands[0], point, mode="position")
    gaze = problem.add_look_at("head_2_link", point, tool_axis="x")
    result = problem.solve(start)
    assert result.success, result
    M = pose(model, "head_2_link", result.q)
    away = point - M[:3, 3]
    assert np.arctan2(np.linalg.norm(np.cross(M[:3, 0], away)), M[:3, 0] @ away) <= 1e-6 + 1e-12
    assert result.error(gaze).reached


def test_locked_joints_stay_as_the_seed_has_them():
    model, frame = arm("panda")
    names = ["panda_joint2", "panda_joint5"]
    problem = Problem(model, lock=names)
    hand = problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    assert problem.locked == tuple(names)
    for seed in range(20):
        start = anywhere(model, [1, seed])
        result = problem.solve(start)
        for name in names:
            k = model.joints[model.get_joint_id(name)].idx_q
            assert result.q[k] == start[k]
    hand.target = pose(model, frame, start)[:3, 3]
    assert problem.solve(nearby(model, 0, 0.0, start)).success


def test_joints_that_move_nothing_that_is_asked_stay():
    model = pantin.load("biped")
    start = nearby(model, 2, 0.1)
    problem = Problem(model)
    problem.add_frame("left_foot", pose(model, "left_foot", nearby(model, 3, 0.1), "torso"), root="torso")
    result = problem.solve(start)
    assert result.success
    assert np.array_equal(result.q[:7], start[:7])  # the free flyer moves both
    moved = np.flatnonzero(result.q != start)
    support = model.supports[model.frames[model.get_frame_id("left_foot")].parent_joint]
    assert set(moved) <= {model.joints[i].idx_q for i in support if i > 1}


@pytest.mark.parametrize("weighted", [False, True])
def test_a_posture_is_as_near_as_the_targets_allow(weighted):
    model, frame = arm("panda")
    random = np.random.default_rng(3)
    weights = random.uniform(0.2, 3.0, model.nv) if weighted else np.ones(model.nv)
    for seed in range(5):
        q = anywhere(model, [2, seed])
        posture = anywhere(model, [3, seed])
        point = pose(model, frame, q)[:3, 3]
        problem = Problem(model)
        problem.add_frame(frame, point, mode="position")
        free = problem.solve(q)
        problem.add_posture(posture, weights)
        result = problem.solve(q)
        assert result.success

        def distance2(x, posture=posture):
            return float(weights @ difference(model, posture, x) ** 2)

        assert distance2(result.q) <= distance2(free.q) + 1e-12
        # another optimiser finds nothing nearer around
        limits = list(zip(model.lower_position_limit, model.upper_position_limit, strict=True))
        reaches = {"type": "eq", "fun": lambda x, point=point: frame_placements(model, frame, x)[:3, 3] - point}
        other = minimize(distance2, result.q, bounds=limits, constraints=[reaches], method="SLSQP", tol=1e-12)
        assert distance2(result.q) <= other.fun + 1e-5 * max(1.0, other.fun)


def test_an_answer_near_a_posture_is_its_own_answer():
    model = pantin.load("biped")
    start = nearby(model, 0, 0.1)
    for seed in range(5):
        problem = Problem(model)
        for foot in ("left_foot", "right_foot"):
            problem.add_frame(foot, pose(model, foot, start))
        problem.add_posture(nearby(model, seed, 0.5))
        result = problem.solve(start)
        assert result.success
        # a part in 1e12 of the squared distance counts as none, which is about 1e-6 of a joint's
        assert np.allclose(problem.solve(result.q).q, result.q, rtol=0.0, atol=1e-5)


@needs_robots
@pytest.mark.parametrize("name", list(HUMANOIDS))
def test_hands_come_to_wherever_a_standing_humanoid_can_hold_them(name):
    problem, start, hands = two_hands(name)
    model = problem.model
    standing = Problem(model)
    for residual in problem.residuals[:2]:
        standing.add_frame(residual.frame, residual.target)
    posture = standing.add_posture(start)
    goals = []
    for seed in range(40):
        posture.target = nearby(model, seed, 0.7)
        goals.append(standing.solve(start))
    assert all(goal.success for goal in goals)
    targets = {hand: np.array([pose(model, hand.frame, goal.q) for goal in goals]) for hand in hands}
    batch = problem.solve_batch(targets, start)
    assert batch.success.all()
    assert all(within_limits(model, q) for q in batch.q)
    for residual in problem.residuals:
        reached = frame_placements(model, residual.frame, batch.q)
        wanted = targets.get(residual, pose(model, residual.frame, start))
        assert np.abs(reached - wanted).max() < 2e-6


def test_a_posture_leaves_a_determined_target_alone():
    model, frame = arm("ur5e")
    q = anywhere(model, 5)
    problem = Problem(model)
    problem.add_frame(frame, pose(model, frame, q))
    start = nearby(model, 1, 0.05, q)
    before = problem.solve(start)
    problem.add_posture(neutral(model))
    after = problem.solve(start)
    assert np.allclose(after.q, before.q, rtol=0.0, atol=1e-5)  # both within 1e-6 of the target


def test_a_posture_moves_what_nothing_else_does():
    model = pantin.load("biped")
    start, posture = (nearby(model, k, 0.1) for k in range(2))
    problem = Problem(model)
    problem.add_frame("left_foot", pose(model, "left_foot", start))
    problem.add_posture(posture)
    result = problem.solve(start)
    assert result.success
    right = [j.idx_q for j, name in zip(model.joints, model.names, strict=True) if name.startswith("right")]
    assert np.allclose(result.q[right], posture[right], rtol=0.0, atol=1e-9)


def test_answers_at_limits_are_within_them_exactly():
    model, frame = arm("panda")
    problem = Problem(model)
    hand = problem.add_frame(frame, [0.4, 0.1, 0.5], mode="position")
    stands = 0
    for seed in range(40):
        q = anywhere(model, [4, seed])
        low = np.random.default_rng(seed).random(model.nv) < 0.3
        q = np.where(low, model.lower_position_limit, q)
        hand.target = pose(model, frame, q)[:3, 3]
        result = problem.solve(anywhere(model, [5, seed]))
        assert result.success
        assert within_limits(model, result.q)
        stands += bool(result.at_limit)
    assert stands


def test_an_unreachable_answer_rests_and_is_its_own_answer():
    model = pantin.load("biped")
    start = clamp(model, neutral(model))
    problem = Problem(model, lock=["root_joint"], options=ReachOptions(max_starts=9))
    for foot, away in (("left_foot", [0.5, 0.3, 0.4]), ("right_foot", [-0.4, -0.3, 0.6])):
        problem.add_frame(foot, pose(model, foot, start)[:3, 3] + away, mode="position")
    result = problem.solve(start)
    assert not result.success
    assert result.status in (Status.NOT_FOUND, Status.LIMITS)
    assert not result.check().success
    assert within_limits(model, result.q)
    again = problem.solve(result.q)
    assert np.array_equal(again.q, result.q)
    assert again.position_error == result.position_error
    # no direction within the limits leads lower
    error, columns = problem._derivatives(result.q)
    slope = columns @ error
    for k in range(len(slope)):
        u = np.zeros(len(slope))
        u[k] = 1e-4 * np.sign(slope[k])
        after = problem._derivatives(problem._displaced(result.q, u))[0]
        assert after @ after >= (error @ error) * (1.0 - 1e-9)


@needs_robots
def test_unreachable_answers_of_a_humanoid_rest():
    problem, start, hands = two_hands("g1")
    model = problem.model
    rested = 0
    for seed in range(6):
        random = np.random.default_rng(seed)
        for hand in hands:
            target = pose(model, hand.frame, anywhere(model, [seed, 2]))
            target[:3, 3] = pose(model, hand.frame, start)[:3, 3] + 0.5 * random.normal(size=3)
            hand.target = target
        result = problem.solve(start)
        if result.success:
            continue
        rested += 1
        assert np.array_equal(problem.solve(result.q).q, result.q)
        error, columns = problem._derivatives(result.q)
        low, high = (
            limit[model.joints[2].idx_q :] for limit in (model.lower_position_limit, model.upper_position_limit)
        )
        q, slope = result.q[7:], columns[6:] @ error
        free = ~(((q <= low) & (slope < 0.0)) | ((q >= high) & (slope > 0.0)))
        # what is left to gain is a small part of the error: a Gauss-Newton step's gain is about the squared slope
        assert np.linalg.norm([*slope[free], *(columns[:6] @ error)]) <= 1e-4 * np.linalg.norm(error)
    assert rested >= 3


def test_a_target_beyond_limits_is_told_from_one_beyond_reach():
    model, frame = arm("arctos")
    beyond = model.upper_position_limit.copy()
    beyond[1] += 0.3
    target = pose(model, frame, beyond * [0.1, 1.0, 0.1, 0.1, 0.1, 0.1])
    problem = Problem(model, options=ReachOptions(max_starts=17))
    hand = problem.add_frame(frame, target)
    result = problem.solve()
    if not result.success:
        assert result.status is Status.LIMITS
        assert any("outside the limits" in note for note in result.notes)
    hand.target = np.block([[np.eye(3), np.array([[9.0], [0.0], [0.0]])], [0.0, 0.0, 0.0, 1.0]])
    assert problem.solve().status is Status.OUT_OF_WORKSPACE


def test_out_of_the_workspace_is_said_only_where_it_is_proven():
    model, frame = arm("panda")
    problem = Problem(model, options=ReachOptions(max_starts=9))
    hand = problem.add_frame(frame, [0.0, 0.0, 3.0], mode="position")
    elbow = problem.add_frame("panda_link4", [0.0, 0.0, 0.6], mode="position")
    assert problem.solve().status is Status.OUT_OF_WORKSPACE
    hand.target, elbow.target = [0.65, 0.0, 0.5], [-0.25, 0.0, 0.55]  # each alone is near enough
    assert problem.solve().status is Status.NOT_FOUND
    free = Problem(model)
    free.add_frame(frame, [9.0, 0.0, 0.5], mode="position", weights=[0.0, 1.0, 1.0])
    assert free.solve().success


def test_a_straight_chain_folds():
    # four hinges in a line are singular: no first-order motion brings the tip nearer
    model = Model()
    parent = 0
    for k in range(4):
        placement = pantin.SE3(np.eye(3), [0.3 if k else 0.0, 0.0, 0.0])
        parent = model.add_joint(parent, JointModelRZ(), placement, f"hinge_{k}")
    add_tip(model, parent, [0.3, 0.0, 0.0])
    problem = Problem(model)
    problem.add_frame("tip", [0.6, 0.0, 0.0], mode="position")
    assert problem.solve(neutral(model)).success


def test_half_turns_are_made():
    model, frame = arm("panda")
    for seed in range(10):
        q = anywhere(model, [6, seed])
        target = pose(model, frame, q)
        target[:3, :3] = target[:3, :3] @ np.diag([1.0, -1.0, -1.0])
        problem = Problem(model)
        problem.add_frame(frame, target[:3, :3], mode="orientation")
        assert problem.solve(q).success


def test_every_kind_of_joint_takes_part():
    kinds = [kind for kind in models.KINDS if kind not in ("free",)]
    for kind in kinds:
        model = models.random_tree(["free", kind, "RX", kind, "ball", "PY"], 5, chain=True)
        tip = model.frames[-1].name
        inner = model.frames[len(model.frames) // 2].name
        for seed in range(3):
            q = anywhere(model, [seed, 1])
            problem = Problem(model)
            problem.add_frame(tip, pose(model, tip, q))
            problem.add_frame(inner, pose(model, inner, q))
            result = problem.solve(anywhere(model, [seed, 2]))
            assert result.success, (kind, seed, result)
            assert within_limits(model, result.q)


def test_a_model_in_millimetres_takes_the_same_steps():
    def chain(scale):
        random = np.random.default_rng(2)
        model, parent = Model(), 0
        for k in range(8):
            placement = models.random_pose(random, 0.3)
            parent = model.add_joint(
                parent,
                JointModelRZ(),
                pantin.SE3(placement.rotation, scale * placement.translation),
                f"j{k}",
                min_config=[-2.5],
                max_config=[2.5],
            )
            model.add_joint_frame(parent)
        return model

    answers = []
    for scale in (1.0, 1000.0):
        model = chain(scale)
        problem = Problem(model, options=ReachOptions(position_tolerance=1e-6 * scale))
        q = np.linspace(-1.0, 1.0, 8)
        problem.add_frame("j7", pose(model, "j7", q))
        problem.add_frame("j4", pose(model, "j4", q)[:3, 3], mode="position")
        answers.append(problem.solve(q + 0.3))
    assert answers[0].iterations == answers[1].iterations
    assert np.allclose(answers[0].q, answers[1].q, rtol=0.0, atol=1e-9)


def test_a_planar_base_drives_to_where_the_arm_reaches():
    model = Model()
    base = model.add_joint(0, JointModelPlanar(), pantin.SE3.Identity(), "base")
    placement = pantin.SE3(np.eye(3), [0.2, 0.0, 0.0])
    hinge = model.add_joint(base, JointModelRZ(), placement, "arm", min_config=[-1.0], max_config=[1.0])
    add_tip(model, hinge, [0.5, 0.0, 0.0])
    q = neutral(model)
    q[:2] = 3.0, -4.0
    problem = Problem(model)
    problem.add_frame("tip", pose(model, "tip", q))
    assert problem.solve(neutral(model)).success


def test_a_free_body_is_placed_at_once():
    model = Model()
    body = model.add_joint(0, JointModelFreeFlyer(), pantin.SE3.Identity(), "body")
    add_tip(model, body, [0.3, -0.2, 0.1])
    for seed in range(10):
        target = models.random_pose(np.random.default_rng(seed), 3.0)
        problem = Problem(model)
        problem.add_frame("tip", target)
        result = problem.solve(neutral(model))
        assert result.success
        assert result.starts == 1


def test_it_agrees_with_reach_on_what_reach_solves_from_the_seed():
    model, frame = arm("ur5e")
    solver = ReachSolver(model, frame)
    for seed in range(30):
        q = anywhere(model, [8, seed])
        problem = Problem(model)
        problem.add_frame(frame, pose(model, frame, q))
        start = nearby(model, seed, 0.02, q)
        assert np.allclose(problem.solve(start).q, solver.solve(pose(model, frame, q), start).q, rtol=0.0, atol=1e-4)


def test_a_success_is_within_its_tolerances_however_far_the_joints_go():
    model = models.random_tree(["PY", "R", "RUBY", "R-", "P", "ball", "RUB", "planar"], 229, chain=True)
    model.lower_position_limit[:], model.upper_position_limit[:] = -1e7, 1e7  # where numbers are spaced by 2e-9
    problem = Problem(model, options=ReachOptions(max_starts=9))
    problem.add_frame(model.frames[-1].name, [0.1, 0.2, 0.3], mode="position")
    results = [problem.solve(anywhere(model, k)) for k in range(40)]
    assert all(result.errors[0].reached for result in results if result.success)
    assert any(result.success for result in results)
