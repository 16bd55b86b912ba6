"""Joints at a velocity, and at rest: steps move with the target, where Pinker's move against it."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import TOLERANCE, pinker_place, place, robot

from pantin.errors import InvalidArgument
from pantin.exceptions import TaskDefinitionError
from pantin.tasks import DampingTask, JointVelocityTask

pinker = pytest.importorskip("pinker")
NAMES = ["panda", "g1", "tree"]


def sizes(name):
    model = robot(name)
    return model, model.nv - model.get_root_joint_dim()[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_step_is_the_target_and_the_error_minus_pinkers(name):
    model, n = sizes(name)
    here, v = place(model, 0), np.linspace(-1.0, 1.0, n)
    ours, theirs = JointVelocityTask(2.0), pinker.tasks.JointVelocityTask(2.0)
    for task in (ours, theirs):
        task.set_target(v, 0.1)
    other = pinker_place(name, here)
    np.testing.assert_allclose(ours.compute_error(here), -theirs.compute_error(other), atol=TOLERANCE)
    np.testing.assert_array_equal(ours.compute_jacobian(here), theirs.compute_jacobian(other))
    H, c = ours.compute_qp_objective(here)
    step = np.linalg.lstsq(H, -c, rcond=None)[0]
    np.testing.assert_allclose(step, np.concatenate([np.zeros(model.nv - n), 0.1 * v]), atol=TOLERANCE)
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("name", NAMES)
def test_damping_is_pinkers(name):
    here = place(robot(name), 0)
    ours, theirs, other = DampingTask(0.3), pinker.tasks.DampingTask(0.3), pinker_place(name, here)
    np.testing.assert_array_equal(ours.compute_error(here), theirs.compute_error(other))
    np.testing.assert_array_equal(ours.compute_jacobian(here), theirs.compute_jacobian(other))
    assert repr(ours) == repr(theirs)


def test_targets_are_checked():
    task = JointVelocityTask(1.0)
    for v, dt in (([[0.0]], 0.1), ([np.nan], 0.1), ("fast", 0.1), ([0.0], -0.1), ([0.0], np.nan), (None, 0.1)):
        with pytest.raises(InvalidArgument):
            task.set_target(v, dt)
    task.set_target(np.zeros(3), 0.1)
    with pytest.raises(TaskDefinitionError, match=r"target: JointVelocityTask expected 29 numbers .* got 3"):
        task.compute_error(place(robot("g1"), 0))


def test_targets_are_copied():
    task, v = JointVelocityTask(1.0), np.ones(9)
    task.set_target(v, 1.0)
    v[:] = 5.0
    np.testing.assert_array_equal(task.compute_error(place(robot("panda"), 0)), -np.ones(9))
