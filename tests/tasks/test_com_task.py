"""The centre of mass at a point: Pinker's numbers, a target that is copied and live."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import FILES, assert_same_rows, pinker_place, place, robot

from pantin.errors import InvalidArgument
from pantin.exceptions import TaskDefinitionError
from pantin.tasks import ComTask

pinker = pytest.importorskip("pinker")


@pytest.mark.parametrize("name", [*FILES, "tree"])
def test_rows_are_pinkers(name):
    here = place(robot(name), 1)
    ours, theirs = ComTask([1.0, 2.0, 0.0], 0.1, 0.7), pinker.tasks.ComTask([1.0, 2.0, 0.0], 0.1, 0.7)
    target = np.array([0.1, -0.2, 0.9])
    ours.set_target(target)
    theirs.set_target(target)
    assert_same_rows(ours, theirs, here, pinker_place(name, here))
    assert repr(ours) == repr(theirs)


def test_targets_are_copied_and_live():
    here, point = place(robot("g1"), 0), np.array([1, 2, 3])
    task = ComTask(1)
    task.set_target(point)
    point[:] = 0
    np.testing.assert_array_equal(task.target_com, [1.0, 2.0, 3.0])
    task.set_target_from_configuration(here)
    np.testing.assert_allclose(task.compute_error(here), np.zeros(3), atol=1e-12)
    task.target_com += [0.0, 0.1, 0.0]
    np.testing.assert_allclose(task.compute_error(here), [0.0, -0.1, 0.0], atol=1e-12)


@pytest.mark.parametrize("wrong", [[1.0, 2.0], [np.nan, 0.0, 0.0], "there", np.zeros((3, 3)), None])
def test_targets_that_are_no_points_are_refused(wrong):
    task = ComTask(1.0)
    with pytest.raises(InvalidArgument, match=r"^target_com: "):
        task.set_target(wrong)
    assert task.target_com is None


def test_costs_are_three():
    task = ComTask(2)
    np.testing.assert_array_equal(task.cost, [2.0, 2.0, 2.0])
    task.set_cost([1, 2, 3])
    np.testing.assert_array_equal(task.cost, [1.0, 2.0, 3.0])
    for wrong in ([1.0, 2.0], -1.0, np.nan):
        with pytest.raises(InvalidArgument, match=r"^cost: "):
            task.set_cost(wrong)
    task.cost = 2.0
    with pytest.raises(TaskDefinitionError, match="three numbers"):
        task.set_cost(1.0)
