"""Constraints are held exactly, loops stay closed, and what cannot be satisfied together is named."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import pantin
from models import configuration as somewhere
from models import random_tree
from pantin import Configuration, DifferentialIK, FrameTask, JointCouplingTask, LinearHolonomicTask, PostureTask
from pantin.barriers import PositionBarrier
from pantin.kinematics import SE3
from pantin.limits import Limit, VelocityLimit
from pantin.tasks import ClosedLoopTask, ComTask, RelativeFrameTask

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7])
DT = 0.01


def at(model, q):
    return Configuration(model, model.create_data(), q)


def pulled(configuration, shift, **given):
    """Task that pulls Panda's hand away from where it is."""
    task = FrameTask("panda_hand", **({"position_cost": 1.0, "orientation_cost": 0.5} | given))
    pose = configuration.get_transform_frame_to_world("panda_hand")
    task.set_target(SE3(pose.rotation, pose.translation + shift))
    return task


def unsatisfied(constraint, configuration, velocity, dt=DT):
    """By how much a step misses J x = -gain e."""
    error = constraint.compute_error(configuration)
    return np.abs(constraint.compute_jacobian(configuration) @ velocity * dt + constraint.gain * error).max()


@given(seed=st.integers(0, 10_000), gain=st.sampled_from([0.0, 0.1, 1.0]))
def test_constraints_hold_to_rounding_whatever_they_cost(seed, gain):
    random = np.random.default_rng(seed)
    model = random_tree(["free", *random.choice(["RX", "RY", "PZ", "R", "RUBY"], size=7)], seed)
    configuration, goal = at(model, somewhere(model, seed)), at(model, somewhere(model, seed + 1))
    frame = model.frames[-1].name
    held = [FrameTask(frame, 1e-6, 1e-6, gain=gain), LinearHolonomicTask(np.eye(model.nv)[8:9], [0.1], goal.q)]
    com, posture = ComTask(100.0), PostureTask(1e3)
    for task in (held[0], com, posture):
        task.set_target_from_configuration(goal)
    ik = DifferentialIK(model, [com, posture], [], constraints=held, settle=False)
    velocity = ik.solve(configuration, DT)
    if ik.status == "solved":
        assert max(unsatisfied(one, configuration, velocity) for one in held) < 1e-8
    else:  # the holonomic row may ask what the pose excludes
        assert ik.status == "infeasible"
        assert ik.conflicts


def test_a_constraint_that_costs_nothing_is_held_all_the_same():
    model = pantin.load("panda")
    configuration = at(model, START)
    hand, posture = pulled(configuration, [0.0, 0.0, 0.0], position_cost=0.0, orientation_cost=0.0), PostureTask(1.0)
    posture.set_target(np.zeros(7))
    ik = DifferentialIK(model, [posture], constraints=[hand])
    for _ in range(300):
        velocity = ik.step(configuration, DT)
        assert np.isfinite(velocity).all()
    assert np.abs(hand.compute_error(configuration)).max() < 1e-7
    assert np.linalg.norm(configuration.q - START) > 0.05  # it moves in what the hand leaves free


def test_coupled_joints_stay_coupled_along_the_way():
    model = pantin.load("panda")
    configuration = at(model, START)
    coupling = JointCouplingTask(["panda_joint1", "panda_joint3"], [1.0, -2.0], 1.0, configuration)
    hand = pulled(configuration, [-0.1, 0.3, 0.1])
    ik = DifferentialIK(model, [hand], constraints=[coupling])
    for _ in range(300):
        ik.step(configuration, DT)
        assert abs(configuration.q[0] - 2.0 * configuration.q[2]) < 1e-9
        configuration.check_limits(1e-9)
    assert abs(configuration.q[0]) > 0.1


def closed(model):
    """Five-bar linkage whose rods meet, its loop, and the task on the point where they do."""
    configuration = at(model, [0.9, -1.2, 0.0, -0.9, 1.2])
    loop = ClosedLoopTask("right_rod_end", "pin", mode="position")
    ik = DifferentialIK(model, [], [VelocityLimit(model)], constraints=[loop])
    for _ in range(300):
        ik.step(configuration, DT)
    return configuration, loop


def test_a_closed_loop_stays_closed_while_the_point_where_it_closes_goes_round():
    model = pantin.load("five_bar")
    configuration, loop = closed(model)
    centre = configuration.get_transform_frame_to_world("pin")
    point = FrameTask("pin", [1.0, 1.0, 0.0], 0.0)
    ik = DifferentialIK(model, [point, PostureTask(1e-4)], constraints=[loop])
    ik._tasks[1].set_target_from_configuration(configuration)
    gaps, misses = [], []
    for step in range(600):
        angle = 2.0 * np.pi * step / 300
        shift = 0.03 * np.array([np.sin(angle), 1.0 - np.cos(angle), 0.0])
        rotation = configuration.get_transform_frame_to_world("pin").rotation
        point.set_target(SE3(rotation, centre.translation + shift))
        ik.step(configuration, DT)
        gaps.append(np.abs(loop.compute_error(configuration)).max())
        here = configuration.get_transform_frame_to_world("pin").translation
        misses.append(np.abs(here - centre.translation - shift).max())
    assert max(gaps) < 1e-5  # a step opens it by its square, and the next one closes that
    assert max(misses[100:]) < 1e-3


class Apart(Limit):
    """Rows that no step satisfies: the first joint goes both ways."""

    def compute_qp_inequalities(self, configuration, dt):
        row = np.eye(configuration.model.nv)[:1]
        return np.vstack([row, -row]), np.array([-1e-3, -1e-3])


def conflicts_of(configuration, tasks=(), limits=(), barriers=(), constraints=()):
    ik = DifferentialIK(configuration.model, tasks, limits, barriers, constraints=constraints)
    velocity = ik.step(configuration, DT)
    assert np.isfinite(velocity).all()
    assert np.isfinite(configuration.q).all()
    return ik, velocity


def test_constraints_that_exclude_each_other_are_named_and_missed_alike():
    configuration = at(pantin.load("panda"), START)
    forward, backward = pulled(configuration, [0.01, 0.0, 0.0]), pulled(configuration, [-0.03, 0.0, 0.0])
    ik, velocity = conflicts_of(configuration, constraints=[forward, backward])
    assert ik.status == "infeasible"
    assert all("constraint" in one and "FrameTask" in one for one in ik.conflicts)
    # the least violating step goes to the middle of both
    configuration.update(START)
    moved = forward.compute_jacobian(configuration) @ velocity * DT
    wished = -0.5 * (forward.compute_error(configuration) + backward.compute_error(configuration))
    np.testing.assert_allclose(moved, wished, atol=1e-6)


def test_bounds_that_exclude_a_constraint_are_named_by_their_joints_and_stay_hard():
    model = pantin.load("panda")
    configuration = at(model, START)
    limit = VelocityLimit(model)
    ik, velocity = conflicts_of(configuration, limits=[limit], constraints=[pulled(configuration, [1.0, 0.0, 0.0])])
    assert ik.status == "infeasible"
    assert any("panda_joint" in one for one in ik.conflicts)
    assert any("constraint" in one for one in ik.conflicts)
    assert (np.abs(velocity) <= model.velocity_limit + 1e-9).all()


def test_rows_of_limits_and_barriers_are_named():
    configuration = at(pantin.load("panda"), START)
    ik, _ = conflicts_of(configuration, [pulled(configuration, [0.1, 0.0, 0.0])], [Apart()])
    assert ik.status == "infeasible"
    assert any("Apart" in one for one in ik.conflicts)
    wall = PositionBarrier("panda_hand", indices=[0], p_min=np.array([5.0]), gain=100.0)
    ik, _ = conflicts_of(at(configuration.model, START), limits=[VelocityLimit(configuration.model)], barriers=[wall])
    assert ik.status == "infeasible"
    assert any("PositionBarrier" in one for one in ik.conflicts)


def test_what_conflicted_is_forgotten_when_it_is_over():
    configuration = at(pantin.load("panda"), START)
    one, other = pulled(configuration, [0.01, 0.0, 0.0]), pulled(configuration, [-0.01, 0.0, 0.0])
    ik = DifferentialIK(configuration.model, [], [], constraints=[one, other])
    ik.solve(configuration, DT)
    assert ik.conflicts
    other.set_target(one.transform_target_to_world)
    velocity = ik.solve(configuration, DT)
    assert (ik.status, ik.conflicts) == ("solved", ())
    assert max(unsatisfied(task, configuration, velocity) for task in (one, other)) < 1e-9


def test_a_constraint_twice_is_no_conflict():
    configuration = at(pantin.load("panda"), START)
    hand = pulled(configuration, [0.005, 0.0, 0.0])
    once = DifferentialIK(configuration.model, [], constraints=[hand]).solve(configuration, DT)
    ik = DifferentialIK(configuration.model, [], constraints=[hand, hand])
    np.testing.assert_allclose(ik.solve(configuration, DT), once, atol=1e-8)
    assert ik.status == "solved"


def test_a_relative_frame_as_a_constraint_holds_a_rod_between_two_hands():
    model = random_tree(["RZ", "RY", "RX", "RY", "RZ", "RX", "RY", "RZ", "RX", "RY", "RZ", "RX"], 8)
    configuration = at(model, somewhere(model, 8))
    hands = [frame.name for frame in model.frames if frame.name.startswith("tool")][-2:]
    rod = RelativeFrameTask(*hands, 1.0, 1.0)
    rod.set_target_from_configuration(configuration)
    com = ComTask(1.0)
    com.set_target_from_configuration(at(model, somewhere(model, 9)))
    ik = DifferentialIK(model, [com, *damped(configuration)], constraints=[rod])
    for _ in range(200):
        ik.step(configuration, DT)
        assert np.abs(rod.compute_error(configuration)).max() < 1e-3
    assert np.abs(rod.compute_error(configuration)).max() < 1e-6


def damped(configuration):
    """A posture that is held a little."""
    posture = PostureTask(1e-2)
    posture.set_target_from_configuration(configuration)
    return [posture]
