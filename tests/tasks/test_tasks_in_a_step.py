"""Tasks inside of a compiled step: the program they make there is the one that their rows make."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import MAKERS, frame_pair, near, place, robot

import pantin
import pantin.kinematics as pt
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK, StepStatus
from pantin.tasks import (
    CentroidalMomentumTask,
    ClosedLoopTask,
    DampingTask,
    FrameTask,
    LookAtTask,
    PivotTask,
    PostureTask,
    Task,
)

DAMPING = 1e-3
NAMES = ["tree", "every kind", "mimics", "g1"]


def summed(tasks, here):
    """H and c of all tasks, by Python."""
    parts = [task.compute_qp_objective(here) for task in tasks]
    return sum(H for H, _ in parts) + DAMPING * np.eye(here.model.nv), sum(c for _, c in parts)


def assert_same_program(tasks, here):
    program = DifferentialIK(here.model, tasks, [], damping=DAMPING).problem(here, 1e-2)
    H, c = summed(tasks, here)
    np.testing.assert_allclose(program.H, H, rtol=1e-9, atol=1e-9 * np.abs(H).max())
    np.testing.assert_allclose(program.c, c, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(c).max()))


@pytest.mark.parametrize("robot_name", NAMES)
@pytest.mark.parametrize("name", MAKERS)
def test_the_program_of_one_task_is_its_objective(name, robot_name):
    model = robot(robot_name)
    there = place(model, 0)
    task = MAKERS[name](there, *frame_pair(model, 0))
    task.gain, task.lm_damping = 0.7, 0.01
    here = near(there, 1)
    assert_same_program([task], here)
    task.cost = 3.0
    assert_same_program([task], here)
    task.cost = None
    assert_same_program([task], here)


@pytest.mark.parametrize("robot_name", NAMES)
def test_the_program_of_all_tasks_is_their_sum(robot_name):
    model = robot(robot_name)
    there = place(model, 1)
    tasks = [make(there, *frame_pair(model, i)) for i, make in enumerate(MAKERS.values())]
    assert_same_program(tasks, near(there, 2))


@pytest.mark.parametrize("name", MAKERS)
def test_steps_see_what_is_edited(name):
    model = robot("tree")
    there = place(model, 0)
    task = MAKERS[name](there, *frame_pair(model, 0))
    here = near(there, 1)
    ik = DifferentialIK(model, [task, DampingTask(0.1)], [])
    before = ik.problem(here, 1e-2)
    task.cost = 3.0 * np.ones(len(task.compute_error(here)))
    task.gain = 0.5
    if isinstance(task._target, np.ndarray) and task._target.size != model.nq:
        task._target[:] += 0.25
    if task._numbers is not None and name != "manipulability" and "loop" not in name:
        task._numbers[0] += 0.125
    after = ik.problem(here, 1e-2)
    assert np.abs(after.H - before.H).max() > 0.0
    H, c = (
        sum(parts)
        for parts in zip(task.compute_qp_objective(here), DampingTask(0.1).compute_qp_objective(here), strict=True)
    )
    np.testing.assert_allclose(after.H, H, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(H).max()))
    np.testing.assert_allclose(after.c, c, rtol=1e-9, atol=1e-9 * max(1.0, np.abs(c).max()))


class Same(FrameTask):
    """A frame task by Python."""

    def compute_error(self, configuration):
        return super().compute_error(configuration)


class Follow(Task):
    """A user's own."""

    def compute_error(self, configuration):
        return configuration.q[:1] - 0.25

    def compute_jacobian(self, configuration):
        return np.eye(configuration.model.nv)[:1]


def test_tasks_by_python_take_part():
    model = robot("panda")
    here, there = place(model, 0), place(model, 1)
    steps = []
    for kind in (FrameTask, Same):
        task = kind("panda_link8", 1.0, [1, 2, 3], lm_damping=1e-4)
        task.set_target_from_configuration(there)
        tasks = [task, Follow(0.1), DampingTask(1e-2)]
        assert_same_program(tasks, here)
        steps.append(DifferentialIK(model, tasks).step(here.copy(), 1e-2))
    np.testing.assert_allclose(*steps, atol=1e-9)


def test_a_linkage_stays_closed():
    model = pantin.load("five_bar")
    here = Configuration(model, model.create_data(), pt.neutral(model) + 0.2)
    loop, posture = ClosedLoopTask("right_rod_end", "pin", mode="position"), PostureTask(1.0, gain=0.05)
    loop.cost = [1.0, 1.0, 1.0]
    posture.set_target(here.q)
    closing = DifferentialIK(model, [loop, DampingTask(1e-3)], [])
    for _ in range(100):
        closing.step(here, 1.0)
    posture.set_target(here.q + np.array([0.3, 0.0, 0.0, 0.1, 0.0][: model.nq]))
    error = loop.compute_error(here)
    flat = np.linalg.matrix_rank(loop.compute_jacobian(here), tol=1e-9)
    assert flat == 2  # it is planar: nothing moves the third row
    np.testing.assert_allclose(error, np.zeros(3), atol=1e-6)
    ik = DifferentialIK(model, [posture], [], constraints=[loop])
    moved = here.q.copy()
    for _ in range(50):
        ik.step(here, 1e-2)
        assert np.linalg.norm(loop.compute_error(here)) < 1e-3
    assert np.abs(here.q - moved).max() > 0.05


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "frame"), [("panda", "panda_link8"), ("ur5", "tool0"), ("g1", "torso_link")])
def test_a_gaze_turns_to_what_is_straight_behind(name, frame, seed):
    here = place(robot(name), seed)
    gaze, hold = LookAtTask(frame, axis="x"), PostureTask(1e-3)
    gaze.set_target(here.get_transform_frame_to_world(frame).act(np.array([-0.5, 0.0, 0.0])))
    hold.set_target_from_configuration(here)
    np.testing.assert_allclose(np.linalg.norm(gaze.compute_error(here)), np.pi, atol=1e-6)
    ik = DifferentialIK(here.model, [gaze, hold])
    for _ in range(1000):
        ik.step(here, 1e-2)
    assert np.linalg.norm(gaze.compute_error(here)) < 1e-4


def test_a_robot_in_flight_keeps_its_momentum():
    model = robot("g1")
    here, hold = place(model, 0), PostureTask(1.0, gain=0.05)
    hold.set_target(place(model, 1).q)
    ik = DifferentialIK(model, [hold], constraints=[CentroidalMomentumTask()])
    data, error = model.create_data(), np.linalg.norm(hold.compute_error(here))
    for _ in range(100):
        q = here.q
        v = ik.step(here, 1e-2)
        h = np.asarray(pt.compute_centroidal_momentum(model, data, q, v)).ravel()
        np.testing.assert_allclose(h, np.zeros(6), atol=1e-8 * max(1.0, np.abs(v).max()))
    assert np.linalg.norm(hold.compute_error(here)) < 0.1 * error


def test_an_instrument_turns_about_its_pivot_while_the_camera_looks_on():
    model = robot("g1")
    here = place(model, 0)
    q = np.zeros(model.nq)
    q[6] = 1.0
    q[model.joints[model.get_joint_id("left_elbow_joint")].idx_q] = 0.8
    here.update(q)
    tool, head = "left_rubber_hand", "torso_link"
    hold, base = PostureTask(1e-3), FrameTask("pelvis", 10.0, 10.0)
    pivot, gaze = PivotTask(tool, axis="x"), LookAtTask(head, axis="x", root=tool, gain=0.05)
    tip = FrameTask(tool, 1.0, 0.0, gain=0.05)
    for task in (hold, base, tip):
        task.set_target_from_configuration(here)
    pivot.set_target_from_configuration(here, depth=0.1)
    tip.transform_target_to_world.translation[:] += [0.02, 0.0, 0.02]
    ik = DifferentialIK(model, [hold, base, gaze, tip], constraints=[pivot])
    for _ in range(1000):
        ik.step(here, 2e-3)
        assert np.linalg.norm(pivot.compute_error(here)) < 1e-3  # what a step of first order is off
    assert ik.status == StepStatus.SOLVED
    assert np.linalg.norm(pivot.compute_error(here)) < 1e-6
    assert np.linalg.norm(gaze.compute_error(here)) < 1e-4
    assert np.linalg.norm(tip.compute_error(here)[:3]) < 1e-4
