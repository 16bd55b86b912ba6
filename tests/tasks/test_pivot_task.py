"""A line through a point: errors are distances across it, as of a remote centre of motion."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import frame_pair, place, robot

from pantin.errors import InvalidArgument
from pantin.reaching.remote_centre import pivot_residual
from pantin.tasks import PivotTask


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("axis", ["z", "-x", [0.3, -0.5, 0.8]])
@pytest.mark.parametrize("name", ["panda", "g1", "every kind"])
def test_rows_are_those_of_a_remote_centre_up_to_a_turn_about_the_axis(name, axis, seed):
    model = robot(name)
    here, point = place(model, seed), np.random.default_rng(seed).normal(size=3)
    frame, root = frame_pair(model, seed)
    for base in (None, root):
        task = PivotTask(frame, axis=axis, root=base)
        task.set_target(point)
        witness = pivot_residual(model, frame, here.q, point, axis, base)
        ours = np.column_stack([task.compute_error(here), task.compute_jacobian(here)])
        theirs = np.column_stack([witness.residual, witness.jacobian])
        np.testing.assert_allclose(ours.T @ ours, theirs.T @ theirs, atol=1e-9 * max(1.0, np.abs(theirs).max() ** 2))


def test_a_point_of_the_line_is_no_error_at_any_depth():
    here = place(robot("panda"), 0)
    task = PivotTask("panda_link8", 10.0)
    for depth in (0.0, 0.2, -3.0):
        task.set_target_from_configuration(here, depth)
        np.testing.assert_allclose(task.compute_error(here), np.zeros(2), atol=1e-12)
        behind = here.get_transform_frame_to_world("panda_link8").act_inv(task.target_point)
        np.testing.assert_allclose(behind, [0.0, 0.0, -depth], atol=1e-12)


def test_sliding_and_rolling_are_free():
    here = place(robot("panda"), 0)
    task = PivotTask("panda_link8")
    task.set_target_from_configuration(here, 0.3)
    inverse = np.linalg.pinv(here.get_frame_jacobian("panda_link8"))
    for twist in ([0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1]):
        np.testing.assert_allclose(task.compute_jacobian(here) @ inverse @ np.array(twist), np.zeros(2), atol=1e-9)


def test_the_error_tells_the_distance():
    here = place(robot("panda"), 0)
    task = PivotTask("panda_link8", axis="y")
    pose = here.get_transform_frame_to_world("panda_link8")
    task.set_target(pose.act(np.array([0.3, 5.0, -0.4])))
    np.testing.assert_allclose(np.linalg.norm(task.compute_error(here)), 0.5)


def test_what_it_is_made_of_is_checked():
    with pytest.raises(InvalidArgument, match=r"^axis: "):
        PivotTask("tool", axis="up")
    with pytest.raises(InvalidArgument, match=r"^target_point: "):
        PivotTask("tool").set_target([0.0, np.nan, 0.0])
    with pytest.raises(InvalidArgument, match=r"^depth: "):
        PivotTask("panda_link8").set_target_from_configuration(place(robot("panda"), 0), np.nan)
