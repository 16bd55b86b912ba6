"""A frame at a pose: Pinker's numbers, costs of every form, targets that are copied and live."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from task_cases import FILES, PINKER_KINDS, assert_same_rows, frame_pair, near, pinker_place, pinker_pose, place, robot

import pantin.kinematics as pt
from models import random_pose
from pantin.errors import InvalidArgument
from pantin.exceptions import TaskDefinitionError
from pantin.tasks import FrameTask

pinker = pytest.importorskip("pinker")


@pytest.mark.parametrize("name", [*FILES, *PINKER_KINDS])
def test_rows_are_pinkers(name):
    model = robot(name)
    here = place(model, 1)
    frame, _ = frame_pair(model)
    # not at angles about 1e-3, where Pinker and Pinocchio lose half of their digits
    for target in (place(model, 2), near(here, 3, 1e-6), here):
        ours = FrameTask(frame, 2.0, [1.0, 0.5, 0.0], lm_damping=0.1, gain=0.8)
        theirs = pinker.tasks.FrameTask(frame, 2.0, [1.0, 0.5, 0.0], lm_damping=0.1, gain=0.8)
        pose = target.get_transform_frame_to_world(frame)
        ours.set_target(pose)
        theirs.set_target(pinker_pose(pose))
        assert_same_rows(ours, theirs, here, pinker_place(name, here))
        assert repr(ours) == repr(theirs)


@pytest.mark.parametrize("cost", [2, 2.0, np.float32(2.0), [2, 2, 2], (2.0, 2.0, 2.0), np.array([2, 2, 2]), [2.0]])
def test_costs_of_every_form_are_the_same(cost):
    task = FrameTask("hand", cost, cost)
    np.testing.assert_array_equal(task.cost, np.full(6, 2.0))
    task.set_position_cost(1)
    task.set_orientation_cost(np.array([3, 4, 5], dtype=np.int8))
    np.testing.assert_array_equal(task.cost, [1.0, 1.0, 1.0, 3.0, 4.0, 5.0])
    np.testing.assert_array_equal(task.position_cost, [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(task.orientation_cost, [3.0, 4.0, 5.0])


@pytest.mark.parametrize("wrong", [-1.0, np.nan, [1.0, 1.0], [1.0, -1.0, 1.0], np.ones((3, 3)), None, "stiff"])
def test_costs_that_are_none_are_refused_and_change_nothing(wrong):
    task = FrameTask("hand", 1.0, 2.0)
    for name in ("position_cost", "orientation_cost"):
        with pytest.raises(InvalidArgument, match=f"^{name}: "):
            getattr(task, f"set_{name}")(wrong)
        with pytest.raises(InvalidArgument, match=f"^{name}: "):
            FrameTask("hand", **{"position_cost": 1.0, "orientation_cost": 1.0, name: wrong})
    np.testing.assert_array_equal(task.cost, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0])


def test_a_cost_that_is_one_number_has_no_parts_to_set():
    task = FrameTask("hand", 1.0, 1.0)
    task.cost = 4
    assert (task.position_cost, task.orientation_cost) == (4.0, 4.0)
    with pytest.raises(TaskDefinitionError, match="FrameTask has a cost of six numbers here, but its cost is 4"):
        task.set_position_cost(1.0)
    task.cost = None
    assert repr(task) == "FrameTask(frame=hand, lm_damping=0.0, gain=1.0)"
    with pytest.raises(TaskDefinitionError, match="its cost is None"):
        task.set_orientation_cost(1.0)
    with pytest.raises(TaskDefinitionError, match="no cost for parts of its error"):
        task.position_cost  # noqa: B018


@pytest.mark.parametrize("form", ["SE3", "matrix", "pair", "pinocchio"])
def test_targets_of_every_form_are_copied(form):
    pose = random_pose(np.random.default_rng(0))
    given = {
        "SE3": pose.copy,
        "matrix": pose.homogeneous.copy,
        "pair": lambda: (pose.translation.copy(), Rotation.from_matrix(pose.rotation).as_quat()),
        "pinocchio": lambda: _pinocchio(pose),
    }[form]()
    task = FrameTask("hand", 1.0, 1.0)
    task.set_target(given)
    if form in ("SE3", "pinocchio"):
        given.translation = np.full(3, 9.0)
    else:
        (given if form == "matrix" else given[0])[:] = 9.0
    np.testing.assert_allclose(task.transform_target_to_world.homogeneous, pose.homogeneous, atol=1e-15)


def _pinocchio(pose):
    import pinocchio as pin

    return pin.SE3(pose.rotation.copy(), pose.translation.copy())


def test_targets_are_live():
    model = robot("panda")
    here = place(model, 0)
    task = FrameTask("panda_link7", 1.0, 1.0)
    task.set_target_from_configuration(here)
    held = task.transform_target_to_world
    assert held is task.transform_target_to_world
    task.transform_target_to_world.translation[:] += here.get_transform_frame_to_world("panda_link7").rotation[:, 0]
    np.testing.assert_allclose(task.compute_error(here), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], atol=1e-12)
    own = pt.SE3.Identity()
    task.transform_target_to_world = own
    own.translation = here.get_transform_frame_to_world("panda_link7").translation
    np.testing.assert_allclose(task.compute_error(here)[:3], np.zeros(3), atol=1e-12)
    task.transform_target_to_world = None
    assert task.transform_target_to_world is None


@pytest.mark.parametrize(
    "wrong", [np.eye(3), np.full((4, 4), np.nan), "home", None, ([0.0] * 3, [0.0] * 4), 2.0 * np.eye(4)]
)
def test_targets_that_are_no_poses_are_refused(wrong):
    task = FrameTask("hand", 1.0, 1.0)
    task.set_target(np.eye(4))
    with pytest.raises(InvalidArgument):
        task.set_target(wrong)
    np.testing.assert_array_equal(task.transform_target_to_world.homogeneous, np.eye(4))


def test_half_a_turn_is_an_error_of_pi():
    model = robot("panda")
    here = place(model, 0)
    task = FrameTask("panda_link7", 1.0, 1.0)
    turn = pt.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
    task.set_target(here.get_transform_frame_to_world("panda_link7") * turn)
    np.testing.assert_allclose(np.abs(task.compute_error(here)), [0.0, 0.0, 0.0, np.pi, 0.0, 0.0], atol=1e-7)
    assert np.isfinite(task.compute_jacobian(here)).all()
