"""Steps have an answer for everything: nothing to do, nothing that moves, nothing that makes sense. It is never NaN."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin
from models import KINDS, random_tree
from models import configuration as somewhere
from pantin import Configuration, DifferentialIK, FrameTask, PostureTask
from pantin.barriers import PositionBarrier
from pantin.differential import StepStatus
from pantin.errors import InvalidArgument, StaleData
from pantin.exceptions import TargetNotSet
from pantin.kinematics import SE3, Model
from pantin.limits import AccelerationLimit, ConfigurationLimit, VelocityLimit
from pantin.tasks import ComTask, DampingTask, RelativeFrameTask, Task

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7])
DT = 0.01


def at(model, q):
    return Configuration(model, model.create_data(), q)


@pytest.fixture
def configuration():
    return at(pantin.load("panda"), START)


def pulled(configuration, shift=(0.1, -0.05, 0.1), **given):
    """Task that pulls Panda's hand away from where it is."""
    task = FrameTask("panda_hand", **({"position_cost": 1.0, "orientation_cost": 0.5} | given))
    pose = configuration.get_transform_frame_to_world("panda_hand")
    task.set_target(SE3(pose.rotation, pose.translation + shift))
    return task


def stands(ik, configuration, dt=DT):
    """Whether a step leaves the robot exactly where it is, with a velocity of zero."""
    before = configuration.q
    velocity = ik.step(configuration, dt)
    return (
        velocity.shape == (configuration.model.nv,) and not velocity.any() and np.array_equal(configuration.q, before)
    )


@pytest.mark.parametrize("dt", [0, 0.0, np.float32(0.0)])
def test_no_time_moves_nothing(configuration, dt):
    ik = DifferentialIK(configuration.model, [pulled(configuration)])
    assert stands(ik, configuration, dt)
    assert ik.status == "standing"


def test_no_tasks_move_nothing(configuration):
    ik = DifferentialIK(configuration.model, [])
    assert stands(ik, configuration)
    assert ik.status == "standing"


@pytest.mark.parametrize("cost", [0, 0.0, np.zeros(6), [0, 0, 0, 0, 0, 0]])
@pytest.mark.parametrize("damping", [0.0, 1e-12])
def test_tasks_that_cost_nothing_move_nothing(configuration, cost, damping):
    hand = pulled(configuration)
    hand.cost = cost
    ik = DifferentialIK(configuration.model, [hand], damping=damping)
    assert stands(ik, configuration)
    assert ik.status in ("solved", "standing")


def test_no_gain_moves_nothing(configuration):
    assert stands(DifferentialIK(configuration.model, [pulled(configuration, gain=0.0)]), configuration)


def test_a_robot_without_joints_has_nothing_to_move():
    model = Model()
    configuration, posture = at(model, []), PostureTask(1.0)
    posture.set_target([])
    for tasks in ([], [posture], [DampingTask(1.0)]):
        ik = DifferentialIK(model, tasks)
        assert stands(ik, configuration)
        assert ik.status == "standing"


def test_a_robot_whose_speeds_are_zero_stands(configuration):
    limit = VelocityLimit(configuration.model)
    configuration.model.velocity_limit[:] = 0.0
    assert stands(DifferentialIK(configuration.model, [pulled(configuration)], [limit]), configuration)


def test_a_robot_that_is_locked_where_it_is_stands(configuration):
    model = configuration.model
    limit = ConfigurationLimit(model)
    model.lower_position_limit[:] = model.upper_position_limit[:] = START
    ik = DifferentialIK(model, [pulled(configuration)], [limit, VelocityLimit(model)])
    for _ in range(10):
        assert np.abs(ik.step(configuration, DT)).max() < 1e-12
    np.testing.assert_allclose(configuration.q, START, atol=1e-12)


def test_one_joint_that_is_left_does_what_it_can(configuration):
    model = configuration.model
    limit = VelocityLimit(model)
    model.velocity_limit[np.arange(7) != 3] = 0.0
    ik = DifferentialIK(model, [pulled(configuration)], [limit])
    velocity = ik.step(configuration, DT)
    assert np.flatnonzero(velocity).tolist() == [3]
    assert ik.status == "solved"


@pytest.mark.parametrize("excess", [1e-4, 0.05, 1.0])
def test_a_joint_outside_comes_back_at_the_speed_it_may(configuration, excess):
    model = configuration.model
    outside = START.copy()
    outside[1] = model.upper_position_limit[1] + excess
    configuration.update(outside)
    ik = DifferentialIK(model, [pulled(configuration)])
    while configuration.q[1] > model.upper_position_limit[1] + 1e-7:
        before = configuration.q[1]
        velocity = ik.step(configuration, DT)
        assert -model.velocity_limit[1] - 1e-9 <= velocity[1] < 0.0
        assert ik.status in ("returning", "solved")
        if before - model.upper_position_limit[1] > 2.0 * model.velocity_limit[1] * DT + 1e-9:
            assert ik.status == "returning"
            assert velocity[1] == pytest.approx(-model.velocity_limit[1])
            assert any("panda_joint2" in one for one in ik.conflicts)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_written_into_live_numbers_stops_the_robot_and_nothing_else(configuration, bad):
    model = configuration.model
    hand, posture = pulled(configuration), PostureTask(1e-2)
    posture.set_target(START)
    ik = DifferentialIK(model, [hand, posture])
    expected = ik.solve(configuration, DT)
    for numbers in (
        hand.cost,
        posture.target_q,
        hand.transform_target_to_world.translation,
        hand.transform_target_to_world.rotation[1],
    ):
        kept = numbers[2]
        numbers[2] = bad
        assert stands(ik, configuration)
        assert ik.status == "not_finite"
        numbers[2] = kept
        np.testing.assert_array_equal(ik.solve(configuration, DT), expected)
        assert ik.status == "solved"


class Rows(Task):
    """A task of a user's own that gives what it is told."""

    def __init__(self, error, jacobian):
        super().__init__(cost=1.0)
        self.error, self.jacobian = error, jacobian

    def compute_error(self, configuration):
        return self.error

    def compute_jacobian(self, configuration):
        return self.jacobian


@pytest.mark.parametrize(
    ("error", "jacobian"),
    [
        ([np.nan], np.ones((1, 7))),
        ([1.0], np.full((1, 7), np.inf)),
        ([1.0, 2.0], np.ones((1, 7))),
        ([1.0, 2.0], np.ones((2, 6))),
        ("far", np.ones((1, 7))),
        ([1.0], None),
    ],
)
def test_a_users_own_task_that_makes_no_sense_is_refused(configuration, error, jacobian):
    ik = DifferentialIK(configuration.model, [Rows(error, jacobian)])
    with pytest.raises((InvalidArgument, TypeError)):
        ik.step(configuration, DT)
    np.testing.assert_array_equal(configuration.q, START)


def test_an_error_of_a_users_own_task_comes_through_and_the_next_step_works(configuration):
    class Broken(Rows):
        def compute_error(self, configuration):
            return 1.0 / self.error

    broken = Broken(0.0, np.ones((1, 7)))
    ik = DifferentialIK(configuration.model, [broken])
    with pytest.raises(ZeroDivisionError):
        ik.step(configuration, DT)
    np.testing.assert_array_equal(configuration.q, START)
    broken.error = np.array([10.0])
    assert ik.step(configuration, DT).any()


@pytest.mark.parametrize("dt", [-1e-3, np.nan, np.inf, -np.inf, "soon", None, [0.1, 0.2], 1e200])
def test_times_that_are_none_are_refused_and_nothing_moves(configuration, dt):
    ik = DifferentialIK(configuration.model, [pulled(configuration)])
    for call in (ik.step, ik.solve, ik.problem):
        with pytest.raises(InvalidArgument, match="dt"):
            call(configuration, dt)
    np.testing.assert_array_equal(configuration.q, START)


@pytest.mark.parametrize("dt", [1e-12, 1e-6, 1e3, 1e12])
def test_times_from_tiny_to_vast_give_finite_steps_within_limits(configuration, dt):
    ik = DifferentialIK(configuration.model, [pulled(configuration)])
    velocity = ik.step(configuration, dt)
    assert (np.abs(velocity) <= configuration.model.velocity_limit * (1.0 + 1e-9)).all()
    configuration.check_limits(1e-9)


def test_a_task_without_a_target_is_an_error_and_nothing_moves(configuration):
    ik = DifferentialIK(configuration.model, [FrameTask("panda_hand", 1.0, 1.0)])
    with pytest.raises(TargetNotSet, match="FrameTask"):
        ik.step(configuration, DT)
    np.testing.assert_array_equal(configuration.q, START)


def test_a_configuration_of_another_robot_is_refused(configuration):
    other = pantin.load("ur5e")
    ik = DifferentialIK(configuration.model, [pulled(configuration)])
    with pytest.raises(StaleData):
        ik.step(at(other, np.zeros(6)), DT)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"tasks": [3]}, "tasks[0]"),
        ({"limits": [DampingTask(1.0)]}, "limits[0]"),
        ({"barriers": [3]}, "barriers[0]"),
        ({"constraints": [DampingTask(1.0), None]}, "constraints[1]"),
        ({"damping": -1e-9}, "damping"),
        ({"damping": np.nan}, "damping"),
        ({"solver": "dapq"}, "solver"),
    ],
)
def test_wrong_parts_are_refused(configuration, given, name):
    with pytest.raises(InvalidArgument) as error:
        DifferentialIK(**({"model": configuration.model, "tasks": []} | given))
    assert error.value.argument == name


def anything(seed):
    """A robot of any kind and what might be asked of it: compiled steps, and where it is."""
    random = np.random.default_rng(seed)
    model = random_tree(list(random.choice(list(KINDS), size=random.integers(1, 9))), seed)
    if random.random() < 0.3:
        model.lower_position_limit[:], model.upper_position_limit[:] = -np.inf, np.inf
    configuration, goal = at(model, somewhere(model, seed)), at(model, somewhere(model, seed + 1))
    parts = {"tasks": [], "constraints": []}
    for _ in range(random.integers(0, 5)):
        frames = [model.frames[i].name for i in random.integers(0, len(model.frames), size=2)]
        task = [
            lambda frames=frames: FrameTask(frames[0], *random.choice([0.0, 1e-3, 1.0, 1e3], (2, 3)), random.random()),
            lambda frames=frames: RelativeFrameTask(*frames, random.random(3), random.random(3)),
            lambda: ComTask(random.random(3)),
            lambda: PostureTask(random.choice([0.0, 1e-6, 1.0]), gain=random.random()),
        ][random.integers(4)]()
        task.set_target_from_configuration(goal)
        task.priority = int(random.choice([0, 0, 0, 1, 2]))
        parts["tasks" if random.random() < 0.8 else "constraints"].append(task)
    if random.random() < 0.5:
        parts["limits"] = [VelocityLimit(model, np.full(model.nv, random.choice([0.1, 1.0, 10.0])))]
        parts["limits"] += [AccelerationLimit(model, np.full(model.nv, random.choice([1.0, 100.0])))]
    if random.random() < 0.2:
        frame = model.frames[-1].name
        parts["barriers"] = [PositionBarrier(frame, p_max=random.normal(size=3), gain=random.choice([1.0, 100.0]))]
    damping, escapes = random.choice([0.0, 1e-12, 1e-3]), bool(random.random() < 0.3)
    return DifferentialIK(model, **parts, damping=damping, escape_singularity=escapes), configuration, random


@given(seed=st.integers(0, 10**6))
def test_whatever_is_asked_of_whatever_robot_the_answer_is_finite(seed):
    ik, configuration, random = anything(seed)
    for dt in random.choice([0.0, 1e-4, 1e-2, 0.1, 1.0], size=6):
        velocity = ik.step(configuration, float(dt))
        assert velocity.shape == (configuration.model.nv,)
        assert np.isfinite(velocity).all()
        assert np.isfinite(configuration.q).all()
        assert ik.status in StepStatus
        assert ik.status != "not_finite"
        assert bool(ik.conflicts) == (ik.status in ("infeasible", "returning"))


@given(seed=st.integers(0, 10**6))
def test_numbers_as_large_and_as_small_as_doors_let_in_give_finite_answers(seed):
    ik, configuration, random = anything(seed)
    for task in (*ik._tasks, *ik._constraints):
        task.cost = 10.0 ** random.uniform(-150, 150)
        task.lm_damping = 10.0 ** random.uniform(-150, 150) if random.random() < 0.2 else 0.0
        if isinstance(task, FrameTask) and random.random() < 0.3:
            task.transform_target_to_world.translation[:] *= 10.0 ** random.uniform(0, 100)
    for dt in 10.0 ** random.uniform(-12, 12, size=3):
        assert np.isfinite(ik.step(configuration, float(dt))).all()
        assert np.isfinite(configuration.q).all()


@given(seed=st.integers(0, 10**6))
def test_the_same_question_has_the_same_answer(seed):
    (one, here, _), (other, there, random) = anything(seed), anything(seed)
    for dt in random.choice([1e-4, 1e-2, 0.1], size=3):
        np.testing.assert_array_equal(one.step(here, float(dt)), other.step(there, float(dt)))
        np.testing.assert_array_equal(here.q, there.q)
