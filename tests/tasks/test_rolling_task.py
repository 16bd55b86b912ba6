"""A wheel on a floor: Pinker's numbers, rows that are the contact's velocity, and a wheel that rolls."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import DIFFERENCE, TOLERANCE, assert_same_rows, derivative, frame_pair, pinker_place, place, robot

import pantin
import pantin.kinematics as pt
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.tasks import OmniwheelTask, RollingTask

pinker = pytest.importorskip("pinker")

WHEELS = {"g1": "left_ankle_roll_link", "tiago": "wheel_left_link", "anymal": "LF_FOOT", "tree": None}
TASKS = [RollingTask, OmniwheelTask]


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("name", WHEELS)
def test_rows_are_pinkers_on_a_floor_at_rest(name, kind):
    model = robot(name)
    here, hub = place(model, 0), WHEELS[name] or frame_pair(model)[0]
    theirs = getattr(pinker.tasks, kind.__name__)(hub, "universe", 0.09, 2.0, 0.7, 0.1)
    ours = kind(hub, "universe", 0.09, 2.0, 0.7, 0.1)
    assert_same_rows(ours, theirs, here, pinker_place(name, here))
    assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["every kind", "mimics", "g1"])
def test_rows_are_the_velocity_of_the_contact_against_the_floor(name, seed):
    model = robot(name)
    here = place(model, seed)
    hub, floor = frame_pair(model, seed)
    task = RollingTask(hub, floor, 0.3, None)
    contact = here.get_transform(hub, floor).translation - [0.0, 0.0, 0.3]
    on_wheel = here.get_transform(floor, hub).act(contact)
    J = derivative(lambda there: there.get_transform(hub, floor).act(on_wheel), here)
    np.testing.assert_allclose(task.compute_jacobian(here), J, atol=DIFFERENCE * max(1.0, np.abs(J).max()))
    height = derivative(task.compute_error, here)[2]
    np.testing.assert_allclose(J[2], height, atol=DIFFERENCE * max(1.0, np.abs(J).max()))
    omni = OmniwheelTask(hub, floor, 0.3, None)
    np.testing.assert_array_equal(omni.compute_jacobian(here), task.compute_jacobian(here)[[0, 2]])
    np.testing.assert_array_equal(omni.compute_error(here), task.compute_error(here)[[0, 2]])


def test_a_turn_of_the_wheel_moves_the_robot_by_its_radius():
    model = pantin.load("wheeled_biped")
    here = Configuration(model, model.create_data(), pt.neutral(model))
    radius = 0.08
    q = here.q.copy()
    q[2] = radius - here.get_transform_frame_to_world("left_wheel").translation[2]
    here.update(q)
    tasks = [RollingTask(hub, "universe", radius, 1.0) for hub in ("left_wheel", "right_wheel")]
    J = np.vstack([task.compute_jacobian(here) for task in tasks])
    v = np.zeros(model.nv)
    v[0] = radius  # ahead
    for wheel in ("left_wheel", "right_wheel"):
        v[model.joints[model.get_joint_id(wheel)].idx_v] = 1.0  # about y
    np.testing.assert_allclose(J @ v, np.zeros(6), atol=1e-12)
    np.testing.assert_allclose(np.concatenate([task.compute_error(here) for task in tasks]), np.zeros(6), atol=1e-12)
    v[0] = -radius
    assert np.abs(J @ v).max() > radius


def test_parts_are_live():
    here = place(robot("g1"), 0)
    task = RollingTask("left_ankle_roll_link", "universe", 0.1, 1)
    before = task.compute_error(here)
    task.wheel_radius = 0.3
    np.testing.assert_allclose(task.compute_error(here), before - [0.0, 0.0, 0.2], atol=TOLERANCE)
    task.hub_frame = "right_ankle_roll_link"
    assert task.hub_frame == "right_ankle_roll_link"
    assert task.compute_error(here)[2] != before[2] - 0.2
    task.floor_frame = "pelvis"
    np.testing.assert_allclose(task.compute_jacobian(here)[:, :6], np.zeros((3, 6)), atol=1e-12)


@pytest.mark.parametrize("wrong", [-0.1, np.nan, "small", None])
def test_radii_are_lengths(wrong):
    with pytest.raises(InvalidArgument, match=r"^wheel_radius: "):
        RollingTask("wheel", "universe", wrong, 1.0)
    task = OmniwheelTask("wheel", "universe", 0.1, 1.0)
    with pytest.raises(InvalidArgument, match=r"^wheel_radius: "):
        task.wheel_radius = wrong
    assert task.wheel_radius == 0.1


@pytest.mark.parametrize("names", [(None, "universe"), ("wheel", 0)])
def test_frames_are_names(names):
    with pytest.raises(InvalidArgument, match=r"_frame: expected the name of a frame"):
        RollingTask(*names, 0.1, 1.0)
