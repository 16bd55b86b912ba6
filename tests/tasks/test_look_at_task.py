"""An axis that aims at a point: the error is an angle, and where it has no derivative it is finite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_cases import DIFFERENCE, derivative, place, robot

from pantin.errors import InvalidArgument
from pantin.tasks import LookAtTask, gaze_task

AXES = {"x": [1, 0, 0], "-y": [0, -1, 0], "z": [0, 0, 1], "any": [0.3, -0.5, 0.8]}
COORDINATES = st.floats(-5.0, 5.0)


def aimed(here, frame, aside, distance=0.7, axis="z", about=0.0):
    """Task whose point is `aside` radians off the frame's axis."""
    task = LookAtTask(frame, axis=axis)
    pose = here.get_transform_frame_to_world(frame)
    a = np.array(task.axis)
    x = np.cross(a, [0.1, 0.9, -0.4])
    x /= np.linalg.norm(x)
    side = np.cos(about) * x + np.sin(about) * np.cross(a, x)
    task.set_target(pose.act(distance * (np.cos(aside) * a + np.sin(aside) * side)))
    return task


@pytest.mark.parametrize("aside", [0.0, 1e-9, 1e-4, 0.3, 1.5, 2.5, 3.0, np.pi - 0.011])
@pytest.mark.parametrize("axis", AXES)
def test_error_is_the_angle_and_its_derivative_exact(axis, aside):
    model = robot("panda")
    here = place(model, 1)
    task = aimed(here, "panda_link7", aside, axis=AXES[axis], about=0.8)
    np.testing.assert_allclose(np.linalg.norm(task.compute_error(here)), aside, atol=1e-12)
    J = task.compute_jacobian(here)
    np.testing.assert_allclose(
        J, derivative(task.compute_error, here), atol=DIFFERENCE * max(1.0, np.abs(J).max() ** 3)
    )


@pytest.mark.parametrize("aside", [np.pi - 0.01, np.pi - 1e-4, np.pi - 1e-9, np.pi])
def test_half_a_turn_away_it_is_finite_and_leads_back(aside):
    here = place(robot("panda"), 1)
    task = aimed(here, "panda_link7", aside)
    e, J = task.compute_error(here), task.compute_jacobian(here)
    np.testing.assert_allclose(np.linalg.norm(e), aside, atol=1e-7)
    assert np.abs(J).max() < 2.0 * np.pi / 0.01
    for _ in range(60):
        e, J = task.compute_error(here), task.compute_jacobian(here)
        step = -0.3 * np.linalg.pinv(J) @ e
        here = here.integrate(step * min(1.0, 0.3 / np.abs(step).max()), 1.0)
    assert np.linalg.norm(task.compute_error(here)) < 1e-6


@pytest.mark.parametrize("distance", [0.0, 1e-300, 1e-9, 1e-4])
def test_a_point_in_the_frame_is_finite(distance):
    here = place(robot("panda"), 1)
    task = aimed(here, "panda_link7", 1.0, distance)
    e, J = task.compute_error(here), task.compute_jacobian(here)
    assert np.isfinite(e).all()
    assert np.linalg.norm(e) <= np.pi
    assert np.abs(J).max() < 2e3
    if distance == 0.0:
        task.set_target(here.get_transform_frame_to_world("panda_link7").translation)
        np.testing.assert_array_equal(task.compute_error(here), np.zeros(2))


def test_beyond_a_millimetre_the_derivative_is_exact():
    here = place(robot("panda"), 1)
    task = aimed(here, "panda_link7", 1.0, 2e-3)
    J = task.compute_jacobian(here)
    np.testing.assert_allclose(J, derivative(task.compute_error, here), atol=2e-6 * np.abs(J).max())


@given(st.lists(COORDINATES, min_size=3, max_size=3), st.lists(COORDINATES, min_size=3, max_size=3))
def test_wherever_the_point_is_all_is_finite(point, axis):
    here = place(robot("panda"), 0)
    task = LookAtTask("panda_link7")
    task.set_target(point)
    task.axis[:] = axis  # of any length, even none
    e, J = task.compute_error(here), task.compute_jacobian(here)
    assert np.isfinite(e).all()
    assert np.isfinite(J).all()
    assert np.linalg.norm(e) <= np.pi + 1e-12


def test_the_length_of_the_axis_does_not_count():
    here = place(robot("panda"), 0)
    task = LookAtTask("panda_link7", axis=[3.0, -4.0, 12.0])
    np.testing.assert_allclose(task.axis, np.array([3.0, -4.0, 12.0]) / 13.0)
    task.set_target([1.0, 0.0, 0.5])
    before = task.compute_error(here)
    task.axis[:] *= 5.0
    np.testing.assert_allclose(task.compute_error(here), before, atol=1e-12)


def test_targets_in_a_frame_move_with_it():
    model = robot("g1")
    frame, root = "torso_link", "left_rubber_hand"
    here, there = place(model, 0), place(model, 1)
    task, fixed = LookAtTask(frame, axis="x", root=root), LookAtTask(frame, axis="x")
    np.testing.assert_array_equal(task.target_point, np.zeros(3))
    for configuration in (here, there):
        fixed.set_target(configuration.get_transform_frame_to_world(root).translation)
        np.testing.assert_allclose(task.compute_error(configuration), fixed.compute_error(configuration), atol=1e-12)
    np.testing.assert_allclose(task.compute_jacobian(here)[:, :6], np.zeros((2, 6)), atol=1e-9)
    task.root = None
    assert task.root is None
    task.set_target_from_configuration(here, distance=2.0)
    np.testing.assert_allclose(task.compute_error(here), np.zeros(2), atol=1e-12)
    np.testing.assert_allclose(
        np.linalg.norm(task.target_point - here.get_transform_frame_to_world(frame).translation), 2.0
    )


def test_the_roll_is_free():
    here = place(robot("panda"), 1)
    task = aimed(here, "panda_link7", 0.4)
    roll = np.linalg.pinv(here.get_frame_jacobian("panda_link7")) @ np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    e, de = task.compute_error(here), task.compute_jacobian(here) @ roll
    np.testing.assert_allclose(e @ de, 0.0, atol=1e-9)  # the angle stays, its direction turns


def test_what_it_is_made_of_is_checked():
    for axis in ("w", "--x", "", [0.0, 0.0, 0.0], [1.0, 2.0], [np.nan, 0.0, 0.0], None):
        with pytest.raises(InvalidArgument, match=r"^axis: "):
            LookAtTask("head", axis=axis)
    task = LookAtTask("head")
    for point in ([1.0], [np.inf, 0.0, 0.0], "there"):
        with pytest.raises(InvalidArgument, match=r"^target_point: "):
            task.set_target(point)
    with pytest.raises(InvalidArgument, match=r"^root: "):
        LookAtTask("head", root=3)
    with pytest.raises(InvalidArgument, match=r"^distance: "):
        LookAtTask("panda_link7").set_target_from_configuration(place(robot("panda"), 0), distance=-1.0)


def test_gaze_is_a_look_at_a_point():
    here = place(robot("g1"), 0)
    task = gaze_task("torso_link", [1.0, 2.0, 0.5], 3, axis="x", gain=0.5, priority=1)
    plain = LookAtTask("torso_link", 3.0, axis="x")
    plain.set_target([1.0, 2.0, 0.5])
    np.testing.assert_array_equal(task.compute_error(here), plain.compute_error(here))
    assert (task.cost, task.gain, task.priority) == (3.0, 0.5, 1)
    assert gaze_task("torso_link").target_point is None
    np.testing.assert_array_equal(gaze_task("torso_link", root="pelvis").target_point, np.zeros(3))
