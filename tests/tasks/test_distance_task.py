"""Two frames at a distance, and what becomes of them at one place."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import place, robot

from pantin.errors import InvalidArgument
from pantin.tasks import DistanceTask


def test_error_is_the_distance_less_its_target():
    here = place(robot("g1"), 0)
    task = DistanceTask("left_rubber_hand", "right_rubber_hand", 2)
    task.set_target(0.25)
    hands = [here.get_transform_frame_to_world(name).translation for name in (task.frame, task.root)]
    np.testing.assert_allclose(task.compute_error(here), [np.linalg.norm(hands[0] - hands[1]) - 0.25])
    task.set_target_from_configuration(here)
    np.testing.assert_allclose(task.compute_error(here), [0.0], atol=1e-12)
    np.testing.assert_allclose(task.compute_jacobian(here)[:, :6], np.zeros((1, 6)), atol=1e-12)


def test_frames_at_one_place_get_apart_along_x():
    model = robot("panda")
    here = place(model, 0)
    task = DistanceTask("panda_link7", "panda_link7")
    task.set_target(0.1)
    np.testing.assert_array_equal(task.compute_error(here), [-0.1])
    np.testing.assert_allclose(task.compute_jacobian(here), np.zeros((1, 9)), atol=1e-12)  # it is one frame
    other = DistanceTask("panda_link2", "panda_link1")  # two frames with one origin
    other.set_target(0.0)
    np.testing.assert_allclose(other.compute_error(here), [0.0], atol=1e-12)
    assert np.isfinite(other.compute_jacobian(here)).all()
    free = robot("g1")
    alone = DistanceTask("pelvis", "universe")
    alone.set_target(0.5)
    at = place(free, 0)
    q = at.q.copy()
    q[:3] = 0.0
    at.update(q)
    R = at.get_transform_frame_to_world("pelvis").rotation
    np.testing.assert_allclose(alone.compute_jacobian(at)[0, :6], [*R[0], 0.0, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("wrong", [-0.1, np.nan, "far", [1.0, 2.0]])
def test_distances_are_lengths(wrong):
    task = DistanceTask("left", "right")
    with pytest.raises(InvalidArgument, match=r"^target_distance: "):
        task.set_target(wrong)
    with pytest.raises(InvalidArgument, match=r"^target_distance: "):
        task.target_distance = wrong
    assert task.target_distance is None
    task.target_distance = 0.3
    assert task.target_distance == 0.3
