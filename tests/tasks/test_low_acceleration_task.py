"""Joints that go on as they went: Pinker's numbers on the ground, and sizes that agree behind a free root."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import assert_same_rows, pinker_place, place, robot

from pantin.errors import InvalidArgument
from pantin.exceptions import TaskDefinitionError
from pantin.tasks import LowAccelerationTask

pinker = pytest.importorskip("pinker")


def test_rows_are_pinkers_without_a_root():
    model = robot("panda")
    here = place(model, 0)
    ours, theirs = LowAccelerationTask(2.0), pinker.tasks.LowAccelerationTask(2.0)
    assert_same_rows(ours, theirs, here, pinker_place("panda", here))
    for task in (ours, theirs):
        task.set_last_integration(np.arange(9.0), 0.01)
    assert_same_rows(ours, theirs, here, pinker_place("panda", here))
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("name", ["g1", "tree"])
def test_a_step_is_the_last_one_behind_the_root(name):
    model = robot(name)
    here, v = place(model, 0), np.linspace(-1.0, 1.0, model.nv)
    root = model.get_root_joint_dim()[1]
    task = LowAccelerationTask(1.0)
    task.set_last_integration(v, 0.1)
    H, c = task.compute_qp_objective(here)
    step = np.linalg.lstsq(H, -c, rcond=None)[0]
    np.testing.assert_allclose(step, np.concatenate([np.zeros(root), 0.1 * v[root:]]), atol=1e-12)


def test_the_last_displacement_is_copied_and_live():
    task, v, here = LowAccelerationTask(1.0), np.ones(9), place(robot("panda"), 0)
    assert task.Delta_q_prev is None
    task.set_last_integration(v, 1.0)
    v[:] = 3.0
    np.testing.assert_array_equal(task.Delta_q_prev, np.ones(9))
    task.Delta_q_prev[0] = 2.0
    np.testing.assert_array_equal(task.compute_error(here), [-2.0, *[-1.0] * 8])
    task.Delta_q_prev = None
    np.testing.assert_array_equal(task.compute_error(here), np.zeros(9))


def test_displacements_are_checked():
    task = LowAccelerationTask(1.0)
    for v, dt in (([[0.0]], 0.1), ([np.inf], 0.1), ([0.0], -1.0)):
        with pytest.raises(InvalidArgument):
            task.set_last_integration(v, dt)
    task.set_last_integration(np.zeros(29), 0.1)
    with pytest.raises(TaskDefinitionError, match="expected 35 numbers"):
        task.compute_error(place(robot("g1"), 0))
