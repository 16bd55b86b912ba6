"""Tasks that come first are served as if there were no others; the others get what is left, to the last of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin
from models import configuration as somewhere
from models import random_tree
from pantin import Configuration, DifferentialIK, FrameTask, PostureTask
from pantin.kinematics import SE3
from pantin.tasks import ComTask, RelativeFrameTask, Task

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7])
DT = 0.01


def at(model, q):
    return Configuration(model, model.create_data(), q)


def rows(tasks, configuration):
    """Weighted Jacobian and weighted wish of tasks, below each other; rows that cost nothing are left out."""
    pairs = []
    for task in tasks:
        J, e = task.compute_jacobian(configuration), task.compute_error(configuration)
        weights = np.broadcast_to(1.0 if task.cost is None else task.cost, e.shape)
        pairs.append(((weights[:, None] * J)[weights > 0], (-task.gain * weights * e)[weights > 0]))
    return np.vstack([J for J, _ in pairs]), np.hstack([e for _, e in pairs])


def level_by_level(tasks, configuration):
    """Smallest displacement that serves each level at best within the null space of those before it.

    With Z a basis of what is free, a level asks for |J (x + Z y) - w| to be least: y = pinv(J Z) (w - J x) (Siciliano
    and Slotine 1991).
    """
    n = configuration.model.nv
    x, Z = np.zeros(n), np.eye(n)
    for level in sorted({task.priority for task in tasks}):
        J, wish = rows([task for task in tasks if task.priority == level], configuration)
        x = x + Z @ np.linalg.lstsq(J @ Z, wish - J @ x, rcond=1e-8)[0]
        _, values, right = np.linalg.svd(J @ Z, full_matrices=True)
        rank = int((values > 1e-8 * max(1.0, values.max(initial=0.0))).sum())
        Z = Z @ right[rank:].T
        if Z.shape[1] == 0:
            break
    return x


def pulled(frame, configuration, shift, **given):
    """Task that pulls a frame away from where it is."""
    task = FrameTask(frame, **({"position_cost": 1.0, "orientation_cost": 0.5} | given))
    pose = configuration.get_transform_frame_to_world(frame)
    task.set_target(SE3(pose.rotation, pose.translation + shift))
    return task


@given(seed=st.integers(0, 10_000))
def test_levels_are_those_of_null_spaces(seed):
    random = np.random.default_rng(seed)
    model = random_tree(["free", *random.choice(["RX", "RY", "PZ", "R", "ball", "RUBY"], size=8)], seed)
    configuration, goal = at(model, somewhere(model, seed)), at(model, somewhere(model, seed + 1))
    frames = [frame.name for frame in model.frames if frame.name.startswith("tool")]
    first = FrameTask(frames[1], random.uniform(0.5, 2.0, 3), random.uniform(0.5, 2.0, 3), gain=0.3)
    second = FrameTask(frames[-1], 1.0, 0.0, priority=1)
    third = PostureTask(1.0, gain=0.5)
    third.priority = 4
    tasks = [third, first, second]
    for task in tasks:
        task.set_target_from_configuration(goal)
    ik = DifferentialIK(model, tasks, [], settle=False)
    np.testing.assert_allclose(
        ik.solve(configuration, DT) * DT, level_by_level(tasks, configuration), rtol=1e-5, atol=1e-5
    )
    assert ik.status == "solved"


@pytest.mark.parametrize("strength", [1e-3, 1.0, 1e3])
def test_what_comes_later_never_disturbs_what_comes_first(strength):
    model = pantin.load("panda")
    configuration = at(model, START)
    first = pulled("panda_hand", configuration, [0.02, -0.05, 0.03], orientation_cost=0.0)
    later = PostureTask(strength, priority=1)
    later.set_target(START + np.array([0.5, 0.4, -0.6, 0.3, 1.0, -0.5, 0.2]))
    alone, both = DifferentialIK(model, [first], settle=False), DifferentialIK(model, [first, later], settle=False)
    for _ in range(60):
        expected, found = alone.solve(configuration, 0.1), both.solve(configuration, 0.1)
        J = first.compute_jacobian(configuration)[:3]
        np.testing.assert_allclose(J @ found, J @ expected, atol=1e-9)
        both.step(configuration, DT)
    assert np.abs(later.compute_error(configuration)).max() > 1e-3  # they do exclude each other


def test_weights_between_levels_do_not_matter():
    model = pantin.load("panda")
    configuration = at(model, START)
    first, second = pulled("panda_hand", configuration, [0.02, 0.0, 0.01]), PostureTask(1.0, priority=1)
    second.set_target(np.zeros(7))
    ik = DifferentialIK(model, [first, second], settle=False)
    before = ik.solve(configuration, 0.5)
    second.cost = 0.03  # damping is 1e-12 beside its square
    np.testing.assert_allclose(ik.solve(configuration, 0.5), before, atol=1e-7)


def test_numbers_of_levels_need_not_follow_each_other_and_order_does_not_matter():
    model = pantin.load("panda")
    configuration = at(model, START)
    first, second = pulled("panda_hand", configuration, [0.02, 0.0, 0.01]), PostureTask(1.0, priority=1)
    second.set_target(np.zeros(7))
    before = DifferentialIK(model, [first, second]).solve(configuration, 0.5)
    first.priority, second.priority = 3, 7000
    np.testing.assert_array_equal(DifferentialIK(model, [second, first]).solve(configuration, 0.5), before)


def test_levels_may_change_while_it_runs():
    model = pantin.load("panda")
    configuration = at(model, START)
    hand, posture = pulled("panda_hand", configuration, [0.02, 0.0, 0.01]), PostureTask(1.0)
    posture.set_target(np.zeros(7))
    ik = DifferentialIK(model, [hand, posture], settle=False)
    for levels in ((0, 0), (0, 1), (1, 0), (2, 2), (0, 0)):
        hand.priority, posture.priority = levels
        fresh = DifferentialIK(model, [hand, posture], settle=False).solve(configuration, 0.5)
        np.testing.assert_array_equal(ik.solve(configuration, 0.5), fresh)


def test_a_target_is_reached_whatever_later_levels_pull_at():
    model = pantin.load("panda")
    configuration = at(model, START)
    hand = pulled("panda_hand", configuration, [0.1, -0.2, 0.1])
    elbow = pulled("panda_link4", configuration, [0.0, 0.5, 0.5], orientation_cost=0.0, priority=1)
    posture = PostureTask(1.0, priority=2)
    posture.set_target(START)
    ik = DifferentialIK(model, [hand, elbow, posture])
    for _ in range(600):
        ik.step(configuration, DT)
        configuration.check_limits(1e-9)
    assert np.abs(hand.compute_error(configuration)).max() < 1e-6


def test_bounds_come_before_every_level():
    model = pantin.load("panda")
    configuration = at(model, START)
    hand = pulled("panda_hand", configuration, [1.0, 0.0, 0.0])
    posture = PostureTask(1.0, priority=1)
    posture.set_target(np.zeros(7))
    ik = DifferentialIK(model, [hand, posture])
    alone = DifferentialIK(model, [hand])
    for _ in range(50):
        expected = alone.solve(configuration, DT)
        velocity = ik.step(configuration, DT)
        assert (np.abs(velocity) <= model.velocity_limit + 1e-9).all()
        assert np.isfinite(expected).all()
        configuration.check_limits(1e-9)


def test_bounds_leave_the_first_level_what_it_would_have_alone():
    model = pantin.load("panda")
    model.velocity_limit[:] = 0.3
    configuration = at(model, START)
    hand = pulled("panda_hand", configuration, [0.3, 0.0, 0.1], orientation_cost=0.2)
    posture = PostureTask(1.0, priority=1)
    posture.set_target(np.zeros(7))
    both, alone = DifferentialIK(model, [hand, posture], settle=False), DifferentialIK(model, [hand], settle=False)

    def error(velocity):
        J, wish = rows([hand], configuration)
        return np.linalg.norm(J @ velocity * DT - wish)

    for _ in range(30):
        assert error(both.solve(configuration, DT)) == pytest.approx(error(alone.solve(configuration, DT)), abs=1e-8)
        both.step(configuration, DT)


def test_levels_of_centres_and_relative_frames_and_of_a_users_own():
    class Level(Task):
        """The third joint at zero."""

        def compute_error(self, configuration):
            return configuration.q[2:3]

        def compute_jacobian(self, configuration):
            return np.eye(configuration.model.nv)[2:3]

    model = pantin.load("panda")
    configuration = at(model, START + 0.1)
    com, relative = ComTask([1.0, 1.0, 0.0]), RelativeFrameTask("panda_hand", "panda_link3", 1.0, 0.0, priority=2)
    own = Level(cost=2.0, priority=1)
    com.set_target(np.array([0.1, 0.05, 0.0]))
    relative.set_target_from_configuration(at(model, START))
    tasks = [relative, own, com]
    ik = DifferentialIK(model, tasks, [], settle=False)
    np.testing.assert_allclose(
        ik.solve(configuration, DT) * DT, level_by_level(tasks, configuration), rtol=1e-5, atol=1e-5
    )
