"""DifferentialIK as an object: what it says of itself, its copies, and the words of its ends."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import pantin
from pantin import Configuration, DifferentialIK
from pantin.barriers import PositionBarrier
from pantin.differential import StepStatus
from pantin.errors import InvalidArgument
from pantin.tasks import DampingTask, FrameTask, PostureTask

START = np.array([0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.0])


def question(**how):
    """An arm, the hand of which is to move by 0.1 m."""
    model = pantin.load("panda")
    here = Configuration(model, model.create_data(), START)
    hand, posture = FrameTask("panda_hand", 1.0, 1.0), PostureTask(1e-2)
    for task in (hand, posture):
        task.set_target_from_configuration(here)
    hand.transform_target_to_world.translation[2] += 0.1
    return here, DifferentialIK(model, [hand, posture], **how)


def walked(ik, here, steps=20):
    return np.array([ik.step(here, 5e-3) for _ in range(steps)])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda ik: pickle.loads(pickle.dumps(ik))])
def test_copies_take_the_same_steps(copied):
    here, ik = question(damping=1e-6, escape_singularity=True, settle=False)
    other = copied(ik)
    there = Configuration(other.model, other.model.create_data(), START)
    np.testing.assert_array_equal(walked(other, there), walked(ik, here))


def test_a_pickle_has_targets_and_a_solver_of_its_own():
    here, ik = question(solver="daqp")
    other = pickle.loads(pickle.dumps(ik))
    before = walked(other, Configuration(other.model, other.model.create_data(), START), 1)
    ik._tasks[0].transform_target_to_world.translation[2] += 1.0
    after = walked(other, Configuration(other.model, other.model.create_data(), START), 1)
    np.testing.assert_array_equal(before, after)
    assert np.abs(walked(ik, here, 1) - before).max() > 1e-3


def test_it_says_what_is_asked_and_how_the_last_step_ended():
    here, ik = question()
    assert repr(ik) == "DifferentialIK('panda', tasks=2, limits=2, barriers=0, constraints=0, status='standing')"
    ik.step(here, 5e-3)
    assert repr(ik).endswith("status='solved')")


def test_the_program_is_that_of_the_step():
    here, ik = question(limits=[])
    program = ik.problem(here, 5e-3)
    np.testing.assert_array_equal(program.H, program.H.T)
    assert program.G.shape == (0, 7)
    assert program.A.shape == (0, 7)
    assert np.isinf(program.lower).all()
    np.testing.assert_allclose(
        5e-3 * ik.solve(here, 5e-3), -np.linalg.solve(program.H, program.c), atol=1e-12
    )  # cond(H) is 1e5


def test_conflicts_name_what_cannot_hold_together():
    here, _ = question()
    frame, model = "panda_hand", here.model
    there = here.get_transform_frame_to_world(frame).translation
    barrier = PositionBarrier(frame, indices=[0], p_max=np.array([there[0] - 0.5]), gain=100.0)
    ik = DifferentialIK(model, [DampingTask(1.0)], barriers=[barrier])
    v = ik.step(here, 1e-2)
    assert ik.status is StepStatus.INFEASIBLE
    assert any(words.startswith("row 0 of barriers[0], ") for words in ik.conflicts)
    assert any(words == "the limits of joint 'panda_joint2'" for words in ik.conflicts)
    assert (np.abs(v) <= model.velocity_limit).all()
    assert here.get_transform_frame_to_world(frame).translation[0] < there[0]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tasks": [1]}, r"tasks\[0\]: expected a Task, got a int"),
        ({"tasks": 3}, "tasks: expected Tasks in a list, got a int"),
        ({"tasks": [], "limits": [DampingTask(1.0)]}, r"limits\[0\]: expected a Limit, got a DampingTask"),
        ({"tasks": [], "barriers": ["b"]}, r"barriers\[0\]: expected a Barrier, got a str"),
        ({"tasks": [], "damping": -1.0}, r"damping: expected a number in \[0, inf\], got -1"),
        (
            {"tasks": [], "solver": "gurobbi"},
            "solver: no quadratic-programming solver 'gurobbi' is installed; there is ",
        ),
    ],
)
def test_wrong_questions_are_refused(given, says):
    with pytest.raises(InvalidArgument, match=says):
        DifferentialIK(pantin.load("panda"), **given)
