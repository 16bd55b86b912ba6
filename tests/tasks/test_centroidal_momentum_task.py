"""The robot's momentum: Pinocchio's centroidal map, and steps with the momentum that was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import TOLERANCE, place, robot

import pantin.kinematics as pt
from oracle import to_pinocchio
from pantin.errors import InvalidArgument
from pantin.tasks import CentroidalMomentumTask

pin = pytest.importorskip("pinocchio")


@pytest.mark.parametrize("name", ["g1", "anymal", "every kind", "panda"])
def test_jacobian_is_pinocchios_centroidal_map(name):
    model = robot(name)
    here, theirs = place(model, 0), to_pinocchio(model)
    data = theirs.createData()
    J = CentroidalMomentumTask().compute_jacobian(here)
    np.testing.assert_allclose(J, pin.computeCentroidalMap(theirs, data, here.q), atol=TOLERANCE * np.abs(J).max())


def test_mimics_move_with_their_masters():
    model = robot("mimics")
    here, v = place(model, 0), np.random.default_rng(0).normal(size=model.nv)
    h = pt.compute_centroidal_momentum(model, model.create_data(), here.q, v)
    np.testing.assert_allclose(CentroidalMomentumTask().compute_jacobian(here) @ v, np.asarray(h).ravel(), atol=1e-9)


def test_a_step_has_the_momentum():
    model = robot("g1")
    here, h = place(model, 0), np.array([1.0, 2.0, 0.0, 0.1, -0.1, 0.3])
    task = CentroidalMomentumTask()
    np.testing.assert_array_equal(task.compute_error(here), np.zeros(6))
    task.set_target(h, 0.01)
    np.testing.assert_allclose(task.compute_error(here), -0.01 * h)
    v = np.linalg.lstsq(task.compute_jacobian(here), -task.compute_error(here), rcond=None)[0] / 0.01
    np.testing.assert_allclose(
        np.asarray(pt.compute_centroidal_momentum(model, model.create_data(), here.q, v)).ravel(), h, atol=1e-9
    )


def test_targets_are_copied_live_and_checked():
    task, h = CentroidalMomentumTask(), np.ones(6)
    task.set_target(h, 1)
    h[:] = 4.0
    np.testing.assert_array_equal(task.target_impulse, np.ones(6))
    task.target_impulse[0] = 2.0
    np.testing.assert_array_equal(task.compute_error(place(robot("g1"), 0)), [-2.0, *[-1.0] * 5])
    for given in ((np.ones(3), 0.1), (np.full(6, np.nan), 0.1), (np.ones(6), -0.1), (np.ones(6), np.inf)):
        with pytest.raises(InvalidArgument):
            task.set_target(*given)
