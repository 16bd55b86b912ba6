"""Linear relations between joints: Pinker's numbers for every joint kind, live parts, matrices that fit."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import FILES, PINKER_KINDS, assert_same_rows, pinker_place, place, robot

from pantin.errors import InvalidArgument
from pantin.exceptions import TaskDefinitionError, TaskJacobianNotSet
from pantin.tasks import LinearHolonomicTask

pinker = pytest.importorskip("pinker")


@pytest.mark.parametrize("start", ["given", "neutral"])
@pytest.mark.parametrize("name", [*FILES, *PINKER_KINDS, "tree"])
def test_rows_are_pinkers(name, start):
    model = robot(name)
    here, there, random = place(model, 1), place(model, 2), np.random.default_rng(0)
    A, b, q_0 = random.normal(size=(3, model.nv)), random.normal(size=3), there.q if start == "given" else None
    ours = LinearHolonomicTask(A, b, q_0, np.array([1.0, 2.0, 0.5]), 0.1, 0.5)
    theirs = pinker.tasks.LinearHolonomicTask(A, b, q_0, np.array([1.0, 2.0, 0.5]), 0.1, 0.5)
    assert_same_rows(ours, theirs, here, pinker_place(name, here))
    assert repr(ours) == repr(theirs)


def test_parts_are_copied_and_live():
    here, A, b, q_0 = place(robot("panda"), 0), np.eye(9)[:2], np.array([1.0, 2.0]), place(robot("panda"), 1).q.copy()
    task = LinearHolonomicTask(A, b, q_0)
    before = task.compute_error(here)
    for given in (A, b, q_0):
        given[:] = 7.0
    np.testing.assert_array_equal(task.compute_error(here), before)
    task.b[0] -= 0.5
    np.testing.assert_allclose(task.compute_error(here), before + np.array([0.5, 0.0]))
    task.A[1] = np.eye(9)[5]
    np.testing.assert_array_equal(task.compute_jacobian(here), np.eye(9)[[0, 5]])
    task.q_0[0] = here.q[0]
    np.testing.assert_allclose(task.compute_error(here)[0], -0.5)


def test_parts_may_be_assigned():
    here = place(robot("panda"), 0)
    task = LinearHolonomicTask(np.eye(9)[:2], [1, 2], None)
    assert task.q_0 is None
    task.q_0 = here.q
    task.A = np.eye(9)[:3]
    task.b = [0.1, 0.2, 0.3]
    np.testing.assert_allclose(task.compute_error(here), [-0.1, -0.2, -0.3])
    np.testing.assert_array_equal(task.q_0, here.q)
    task.q_0 = None
    np.testing.assert_allclose(task.compute_error(here), here.q[:3] - [0.1, 0.2, 0.3])


def test_matrices_that_do_not_fit_are_refused():
    with pytest.raises(TaskDefinitionError, match=r"^b: A has 2 rows, but b has 3 entries"):
        LinearHolonomicTask(np.eye(9)[:2], np.zeros(3), None)
    for A in (np.zeros(9), np.zeros((0, 9)), np.zeros((1, 2, 3))):
        with pytest.raises(TaskDefinitionError, match=r"^A: expected a matrix"):
            LinearHolonomicTask(A, np.zeros(1), None)
    for given in ((np.full((1, 9), np.nan), [0.0], None), (np.eye(9), np.full(9, np.inf), None), ("A", [0.0], None)):
        with pytest.raises(InvalidArgument):
            LinearHolonomicTask(*given)
    here = place(robot("panda"), 0)
    for task in (LinearHolonomicTask(np.eye(8), np.zeros(8), None), LinearHolonomicTask(np.eye(9), np.zeros(9), [0.0])):
        for compute in (task.compute_error, task.compute_jacobian):
            with pytest.raises(TaskJacobianNotSet, match="9 columns, and q_0 of 9 numbers"):
                compute(here)
