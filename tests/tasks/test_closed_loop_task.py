"""Two frames that are one: rows as of a relative frame, a linkage that closes, and a foot that lies flat."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from task_cases import frame_pair, place, robot

import pantin
import pantin.kinematics as pt
from models import random_pose
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument
from pantin.tasks import ClosedLoopTask, RelativeFrameTask, foot_flat_task


@pytest.mark.parametrize("name", ["g1", "every kind", "mimics"])
def test_a_weld_is_a_relative_frame_task(name):
    model = robot(name)
    here, (frame, root) = place(model, 0), frame_pair(model, 1)
    task, witness = ClosedLoopTask(frame, root), RelativeFrameTask(frame, root, 1.0, 1.0)
    for pose in (np.eye(4), random_pose(np.random.default_rng(0))):
        task.set_target(pose)
        witness.set_target(pose)
        np.testing.assert_array_equal(task.compute_error(here), witness.compute_error(here))
        np.testing.assert_array_equal(task.compute_jacobian(here), witness.compute_jacobian(here))


def test_a_ball_joint_is_the_frame_in_its_root():
    here = place(robot("g1"), 0)
    task = ClosedLoopTask("left_rubber_hand", "right_rubber_hand", mode="position")
    pose = here.get_transform("left_rubber_hand", "right_rubber_hand")
    np.testing.assert_allclose(task.compute_error(here), pose.translation, atol=1e-12)


@pytest.mark.parametrize("turn", [0.0, 0.7, 3.0])
def test_a_hinge_turns_freely_about_its_axis(turn):
    here = place(robot("panda"), 0)
    task = ClosedLoopTask("panda_link7", "panda_link5", mode="axis", axis="y")
    about = pt.SE3(pt.exp3(np.array([0.0, turn, 0.0])), np.zeros(3))
    task.set_target(here.get_transform("panda_link7", "panda_link5") * about)
    np.testing.assert_allclose(task.compute_error(here), np.zeros(5), atol=1e-12)
    tilt = pt.SE3(pt.exp3(np.array([0.3, 0.0, 0.0])), np.zeros(3))
    task.set_target(here.get_transform("panda_link7", "panda_link5") * tilt)
    np.testing.assert_allclose(np.linalg.norm(task.compute_error(here)), 0.3, atol=1e-12)


def test_half_a_turn_away_a_hinge_is_finite():
    here = place(robot("panda"), 0)
    task = ClosedLoopTask("panda_link7", "panda_link5", mode="axis", axis="y")
    back = pt.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
    task.set_target(here.get_transform("panda_link7", "panda_link5") * back)
    np.testing.assert_allclose(np.linalg.norm(task.compute_error(here)), np.pi, atol=1e-7)
    assert np.abs(task.compute_jacobian(here)).max() < 2.0 * np.pi / 0.01


def test_a_linkage_closes():
    model = pantin.load("five_bar")
    here = Configuration(model, model.create_data(), pt.neutral(model) + 0.2)
    task = ClosedLoopTask("right_rod_end", "pin", mode="position")
    assert np.linalg.norm(task.compute_error(here)) > 0.01
    for _ in range(30):
        here = here.integrate(
            -0.5 * np.linalg.pinv(task.compute_jacobian(here), rcond=1e-6) @ task.compute_error(here), 1.0
        )
    assert np.linalg.norm(task.compute_error(here)[:2]) < 1e-6


@pytest.mark.parametrize("axis", ["x", "y", "z", "-x", "-y", "-z"])
def test_a_flat_foot_is_free_along_the_ground_and_about_its_normal(axis):
    model = robot("g1")
    here = place(model, 0)
    task = foot_flat_task("left_ankle_roll_link", 2.0, height=0.1, orientation_cost=3.0, axis=axis)
    up = np.array(task.axis)
    letter = np.argmax(np.abs(up))

    # a foot that stands at a height of 0.1 with its axis up, wherever and however turned
    side = np.roll(np.abs(up), 1)
    stands = np.array([side, np.cross(up, side), up])
    yaw = pt.exp3(np.array([0.0, 0.0, 1.3]))
    flat = pt.SE3(yaw @ stands, np.array([3.0, -2.0, 0.1]))
    moved = flat * here.get_transform("pelvis", "left_ankle_roll_link")
    q = here.q.copy()
    q[:3], q[3:7] = moved.translation, Rotation.from_matrix(moved.rotation).as_quat()
    here.update(q)
    np.testing.assert_allclose(task.cost * task.compute_error(here), np.zeros(5), atol=1e-9)

    lifted = pt.SE3(yaw @ stands, np.array([3.0, -2.0, 0.35])) * here.get_transform("pelvis", "left_ankle_roll_link")
    q[:3] = lifted.translation
    here.update(q)
    np.testing.assert_allclose(np.linalg.norm(task.cost * task.compute_error(here)), 2.0 * 0.25, atol=1e-9)
    np.testing.assert_allclose(task.compute_error(here)[letter], 0.25 * up[letter], atol=1e-9)


def test_targets_are_copied_and_live():
    here = place(robot("g1"), 0)
    task, pose = ClosedLoopTask("left_rubber_hand", "pelvis", mode="position"), pt.SE3.Identity()
    task.set_target(pose)
    pose.translation = np.ones(3)
    before = task.compute_error(here)
    task.transform_target_to_root.translation[:] = [0.1, 0.0, 0.0]
    np.testing.assert_allclose(task.compute_error(here), before - [0.1, 0.0, 0.0], atol=1e-12)
    task.set_target_from_configuration(here)
    np.testing.assert_allclose(task.compute_error(here), np.zeros(3), atol=1e-12)


def test_what_it_is_made_of_is_checked():
    with pytest.raises(InvalidArgument, match=r"^mode: expected 'pose', 'position' or 'axis', got 'hinge'"):
        ClosedLoopTask("a", "b", mode="hinge")
    with pytest.raises(InvalidArgument, match=r"^root: "):
        ClosedLoopTask("a", None)
    with pytest.raises(InvalidArgument, match=r"^transform_target_to_root: "):
        ClosedLoopTask("a", "b").set_target(np.eye(3))
    for given in (
        {"cost": -1.0},
        {"height": np.nan},
        {"axis": "up"},
        {"axis": [0, 0, 1]},
        {"orientation_cost": [1, 2]},
    ):
        with pytest.raises(InvalidArgument):
            foot_flat_task("foot", **given)
    assert ClosedLoopTask("a", "b", mode="axis").mode == "axis"
