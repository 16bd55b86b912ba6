"""Where steps lead in the end: to targets, and where there is no way, to rest at the least weighted error."""

from __future__ import annotations

import numpy as np
import pytest

import pantin
from models import random_tree
from pantin import Configuration, DifferentialIK, FrameTask, PostureTask
from pantin.kinematics import SE3, Frame, FrameType, JointModelRY, JointModelRZ, Model, exp3, neutral
from pantin.limits import ConfigurationLimit, VelocityLimit
from pantin.tasks import ComTask, DampingTask

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7])
DT = 0.01


def at(model, q):
    return Configuration(model, model.create_data(), q)


def steps(ik, configuration, most=4000, dt=DT):
    """Largest entry of each velocity, until the robot has rested for a hundred steps."""
    speeds = []
    while len(speeds) < most and not (len(speeds) > 100 and max(speeds[-100:]) < 1e-6):
        speeds.append(np.abs(ik.step(configuration, dt)).max(initial=0.0))
    return speeds


def weighted_error(tasks, model, q):
    """Half the sum of the squared weighted errors: what steps lessen."""
    configuration = at(model, q)
    return 0.5 * sum(np.sum((task.cost * task.compute_error(configuration)) ** 2) for task in tasks)


def least_error(tasks, model, q):
    """The least weighted error within limits that scipy finds from a configuration."""
    from scipy.optimize import minimize

    bounds = list(zip(model.lower_position_limit, model.upper_position_limit, strict=True))
    options = {"maxiter": 1000, "ftol": 1e-15, "gtol": 1e-9}
    return minimize(lambda q: weighted_error(tasks, model, q), q, bounds=bounds, options=options).fun


@pytest.mark.parametrize(
    ("position", "orientation_cost", "posture_cost"),
    [
        ([1.5, 0.3, 0.4], 0.0, 0.0),
        ([1.5, 0.3, 0.4], 0.5, 1e-2),
        ([0.9, -0.5, 1.2], 1.0, 1e-3),
        ([-0.2, 0.9, 1.1], 0.3, 1e-2),
        ([0.05, 0.0, 0.2], 1.0, 1e-2),
    ],
)
def test_out_of_reach_it_rests_where_the_weighted_error_is_least(position, orientation_cost, posture_cost):
    pytest.importorskip("scipy")
    model = pantin.load("panda")
    configuration = at(model, START)
    rotation = configuration.get_transform_frame_to_world("panda_hand").rotation
    hand, posture = FrameTask("panda_hand", 1.0, orientation_cost), PostureTask(posture_cost)
    hand.set_target(SE3(rotation, np.array(position)))
    posture.set_target(START)
    tasks = [hand, posture]
    speeds = steps(DifferentialIK(model, tasks), configuration)
    assert max(speeds[-100:]) < 1e-6
    configuration.check_limits(1e-9)
    # the error is flat there: a speed of 1e-6 leaves some 1e-7 of it
    assert weighted_error(tasks, model, configuration.q) <= least_error(tasks, model, configuration.q) + 1e-7


def pull_left(ik, configuration):
    """Largest slope of the weighted error along a joint that its limits leave room that way."""
    program = ik.problem(configuration, DT)
    held = ((program.upper < 1e-9) & (program.c < 0.0)) | ((program.lower > -1e-9) & (program.c > 0.0))
    return np.abs(program.c[~held]).max(initial=0.0)


@pytest.mark.parametrize("name", ["panda", "ur5e", "arctos", "planar_3r"])
@pytest.mark.parametrize("seed", range(5))
def test_it_rests_wherever_the_target_is(name, seed):
    model, random = pantin.load(name), np.random.default_rng(seed)
    low, high = np.maximum(model.lower_position_limit, -3.0), np.minimum(model.upper_position_limit, 3.0)
    configuration = at(model, low + (high - low) * random.uniform(0.1, 0.9, model.nq))
    hand = FrameTask(model.frames[-1].name, random.choice([1.0, 5.0]), random.choice([0.0, 0.1, 1.0]))
    hand.set_target(SE3(exp3(1.5 * random.normal(size=3)), random.normal(size=3) * random.choice([0.7, 1.5, 4.0])))
    posture = PostureTask(random.choice([1e-2, 0.1]))
    posture.set_target(low + (high - low) * random.uniform(0.2, 0.8, model.nq))
    tasks = [hand, posture] if random.random() < 0.5 else [hand]
    ik = DifferentialIK(model, tasks)
    assert max(steps(ik, configuration, 20_000)[-100:]) < 1e-6
    assert pull_left(ik, configuration) < 1e-5 * max(1.0, weighted_error(tasks, model, configuration.q))


@pytest.mark.parametrize("angle", [0.4, 2.0, -3.0])
@pytest.mark.parametrize("distance", [2.6, 4.0, 100.0])
def test_a_chain_points_at_what_it_cannot_reach(angle, distance):
    model = pantin.load("planar_3r")
    model.lower_position_limit[:], model.upper_position_limit[:] = -np.inf, np.inf
    configuration = at(model, [0.3, -0.8, 0.5])
    turn = exp3(np.array([0.0, 0.0, angle]))
    towards = turn[:, 0]
    tip = FrameTask("tip", 1.0, 1e-3)
    tip.set_target(SE3(turn, distance * towards))
    speeds = steps(DifferentialIK(model, [tip]), configuration)
    assert max(speeds[-100:]) < 1e-6
    np.testing.assert_allclose(configuration.get_transform_frame_to_world("tip").translation, 2.5 * towards, atol=1e-3)


def test_a_humanoid_of_a_sort_rests_with_its_centre_out_of_reach():
    model = random_tree(["free", "RX", "RY", "RZ", "RX", "RY"], 4)
    configuration = at(model, neutral(model))
    com, root, posture = ComTask(1.0), FrameTask(model.frames[2].name, 2.0, 2.0), PostureTask(0.02)
    root.set_target_from_configuration(configuration)
    posture.set_target_from_configuration(configuration)
    com.set_target(np.array([5.0, -3.0, 2.0]))
    assert max(steps(DifferentialIK(model, [com, root, posture]), configuration)[-100:]) < 1e-6


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, -1), (0.3, -0.5, 0.8)])
@pytest.mark.parametrize("damped", [False, True])
def test_a_half_turn_is_reached(axis, damped):
    model = random_tree(["free"], 3)
    configuration = at(model, neutral(model))
    frame = model.frames[-1].name
    task = FrameTask(frame, 1.0, 1.0, lm_damping=1e-3 if damped else 0.0)
    pose = configuration.get_transform_frame_to_world(frame)
    task.set_target(SE3(pose.rotation @ exp3(np.pi * np.array(axis) / np.linalg.norm(axis)), pose.translation))
    steps(DifferentialIK(model, [task], [VelocityLimit(model)]), configuration)
    assert np.abs(task.compute_error(configuration)).max() < 1e-8


@pytest.mark.parametrize("angle", [np.pi, -np.pi])
def test_a_hand_makes_a_half_turn(angle):
    model = pantin.load("panda")
    configuration = at(model, START)
    pose = configuration.get_transform_frame_to_world("panda_hand")
    hand = FrameTask("panda_hand", 1.0, 1.0)
    hand.set_target(SE3(pose.rotation @ exp3(np.array([0.0, 0.0, angle])), pose.translation))
    steps(DifferentialIK(model, [hand, DampingTask(1e-3)]), configuration)
    assert np.abs(hand.compute_error(configuration)).max() < 1e-6
    configuration.check_limits(1e-9)


def stick(joints):
    """Straight arm along x of so many joints, by turns about y and z, and its last frame."""
    model = Model()
    for i in range(joints):
        placement = SE3(np.eye(3), np.array([0.4 if i else 0.0, 0.0, 0.0]))
        kind = (JointModelRY, JointModelRZ)[i % 2]()
        model.add_joint(i, kind, placement, f"joint_{i}", max_velocity=np.array([2.0]))
    tip = SE3(np.eye(3), np.array([0.4, 0.0, 0.0]))
    model.add_frame(Frame("tip", joints, 0, tip, FrameType.OP_FRAME))
    return model


STRAIGHT = {"planar_3r": lambda: pantin.load("planar_3r"), "four joints": lambda: stick(4), "seven": lambda: stick(7)}


@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("name", STRAIGHT)
def test_a_straight_arm_is_left_only_where_that_is_asked_for(name, share):
    left = {}
    for escape in (False, True):
        model = STRAIGHT[name]()
        configuration = at(model, neutral(model))
        pose = configuration.get_transform_frame_to_world("tip")
        arm = FrameTask("tip", 1.0, 0.0)
        arm.set_target(SE3(pose.rotation, share * pose.translation))
        steps(DifferentialIK(model, [arm], escape_singularity=escape), configuration)
        left[escape] = np.abs(arm.compute_error(configuration)[:3]).max()
    assert left[True] < 1e-6
    assert left[False] > 0.1


def test_leaving_straight_arms_changes_nothing_elsewhere():
    model = pantin.load("panda")
    random = np.random.default_rng(5)
    low, high = model.lower_position_limit, model.upper_position_limit
    for _ in range(15):
        configuration, goal = (at(model, low + (high - low) * random.uniform(0.2, 0.8, 7)) for _ in range(2))
        hand = FrameTask("panda_hand", 1.0, 1.0)
        hand.set_target_from_configuration(goal)
        plain = DifferentialIK(model, [hand])
        leaving = DifferentialIK(model, [hand], escape_singularity=True)
        for _ in range(10):
            np.testing.assert_array_equal(leaving.solve(configuration, 0.005), plain.solve(configuration, 0.005))
            plain.step(configuration, 0.005)


@pytest.mark.parametrize("q", [(-1.57, 1.57, 1.57, -0.08, 0.0, 0.0, 0.0), (1.57, 1.57, 1.57, -0.08, -1.57, 1.57, 1.57)])
def test_who_would_leave_straight_arms_rests_at_limits_all_the_same(q):
    """The curvature of joints that are pressed against their limits leads inwards, up the slope."""
    model, left = pantin.load("panda"), []
    for escape in (False, True):
        configuration = at(model, np.array(q))
        pose = configuration.get_transform_frame_to_world("panda_hand")
        hand = FrameTask("panda_hand", 1.0, 0.0)
        hand.set_target(SE3(pose.rotation, 0.6 * pose.translation))
        speeds = steps(DifferentialIK(model, [hand], escape_singularity=escape), configuration, dt=0.005)
        assert speeds[-1] < 1e-6
        left.append(np.linalg.norm(hand.compute_error(configuration)[:3]))
    assert left[1] == pytest.approx(left[0], abs=1e-8)


def test_looking_for_a_way_out_changes_nothing_where_there_is_none():
    """The objective is looked at from other places, and is that of the step again when promises are judged."""
    model = pantin.load("panda")
    hand = FrameTask("panda_hand", 1.0, 0.0)
    hand.set_target(SE3(np.eye(3), np.array([1.5, 0.3, 0.4])))
    plain, leaving = at(model, START), at(model, START)
    one, other = DifferentialIK(model, [hand]), DifferentialIK(model, [hand], escape_singularity=True)
    for _ in range(600):
        np.testing.assert_array_equal(other.step(leaving, DT), one.step(plain, DT))


def test_it_stays_where_it_is_wanted():
    model = pantin.load("panda")
    configuration = at(model, START)
    hand, posture = FrameTask("panda_hand", 1.0, 1.0), PostureTask(0.1)
    for task in (hand, posture):
        task.set_target_from_configuration(configuration)
    ik = DifferentialIK(model, [hand, posture])
    for _ in range(200):
        assert np.abs(ik.step(configuration, 1e-3)).max() < 1e-9
    np.testing.assert_allclose(configuration.q, START, atol=1e-12)


def test_a_reachable_target_is_reached_and_kept_within_limits_and_speeds():
    model = pantin.load("panda")
    low, high = model.lower_position_limit, model.upper_position_limit
    random = np.random.default_rng(2)
    for _ in range(10):
        goal = at(model, low + (high - low) * random.uniform(0.3, 0.7, 7))
        configuration = at(model, goal.q + random.uniform(-0.4, 0.4, 7) * np.minimum(1.0, (high - low) / 4))
        hand = FrameTask("panda_hand", 1.0, 1.0)
        hand.set_target_from_configuration(goal)
        ik = DifferentialIK(model, [hand, DampingTask(1e-4)], [ConfigurationLimit(model, 0.9), VelocityLimit(model)])
        for _ in range(400):
            velocity = ik.step(configuration, 0.01)
            assert (np.abs(velocity) <= model.velocity_limit + 1e-9).all()
            configuration.check_limits(1e-9)
        assert np.abs(hand.compute_error(configuration)).max() < 1e-6
