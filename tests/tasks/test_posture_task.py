"""Joints at a posture: Pinker's numbers, the root is left alone, steps lead there whatever the joints are."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import FILES, PINKER_KINDS, assert_same_rows, near, pinker_place, place, robot

import pantin.kinematics as pt
from pantin.errors import InvalidArgument
from pantin.exceptions import TaskDefinitionError
from pantin.tasks import PostureTask

pinker = pytest.importorskip("pinker")


@pytest.mark.parametrize("name", [*FILES, *PINKER_KINDS, "tree"])
def test_rows_are_pinkers(name):
    model = robot(name)
    here, there = place(model, 1), place(model, 2)
    ours, theirs = PostureTask(0.3, 0.1, 0.5), pinker.tasks.PostureTask(0.3, 0.1, 0.5)
    for task in (ours, theirs):
        task.set_target(there.q)
    assert_same_rows(ours, theirs, here, pinker_place(name, here))
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("name", ["every kind", "tree", "mimics", "g1"])
def test_error_is_the_way_from_the_posture_behind_the_root(name):
    model = robot(name)
    here, there = place(model, 1), place(model, 2)
    task = PostureTask(1.0)
    task.set_target_from_configuration(there)
    root = model.get_root_joint_dim()[1]
    np.testing.assert_allclose(task.compute_error(here), pt.difference(model, there.q, here.q)[root:], atol=1e-12)
    np.testing.assert_array_equal(task.compute_jacobian(here), np.eye(model.nv)[root:])


@pytest.mark.parametrize("name", ["every kind", "tree"])
def test_steps_of_its_jacobian_lead_to_the_posture(name):
    model = robot(name)
    here, there = place(model, 1), place(model, 2)
    task = PostureTask(1.0)
    task.set_target(there.q)
    for _ in range(30):
        step = np.zeros(model.nv)
        step[model.nv - len(task.compute_error(here)) :] = -task.compute_error(here)
        here = here.integrate(step, 1.0)
    assert np.abs(task.compute_error(here)).max() < 1e-9


def test_targets_are_copied_and_live():
    here = place(robot("panda"), 0)
    q = here.q.copy()
    task = PostureTask(1.0)
    task.set_target(q)
    q[:] = 9.0
    np.testing.assert_array_equal(task.target_q, here.q)
    task.target_q[2] -= 0.5
    np.testing.assert_allclose(task.compute_error(here), 0.5 * np.eye(9)[2], atol=1e-12)


def test_costs_of_each_joint():
    here = place(robot("panda"), 0)
    weights = np.arange(9)
    task = PostureTask(weights)
    task.set_target_from_configuration(near(here, 1))
    np.testing.assert_allclose(task.compute_qp_objective(here)[0], np.diag(weights**2.0))


def test_postures_of_the_wrong_size_are_refused_where_the_model_is_known():
    task = PostureTask(1.0)
    task.set_target(np.zeros(5))
    with pytest.raises(TaskDefinitionError, match="target: PostureTask expected 9 numbers for this model, got 5"):
        task.compute_error(place(robot("panda"), 0))
    for wrong in (np.zeros((2, 2)), [np.nan], "home", None):
        with pytest.raises(InvalidArgument, match=r"^target_q: "):
            task.set_target(wrong)
