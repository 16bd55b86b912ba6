"""A frame at a pose in another one: Pinker's numbers, and what both frames do together does not count."""

from __future__ import annotations

import numpy as np
import pytest
from task_cases import FILES, PINKER_KINDS, assert_same_rows, frame_pair, pinker_place, pinker_pose, place, robot

from pantin.errors import InvalidArgument
from pantin.tasks import FrameTask, RelativeFrameTask

pinker = pytest.importorskip("pinker")


@pytest.mark.parametrize("name", [*FILES, *PINKER_KINDS])
def test_rows_are_pinkers(name):
    model = robot(name)
    here, there = place(model, 1), place(model, 2)
    frame, root = frame_pair(model, 1)
    ours = RelativeFrameTask(frame, root, [1.0, 0.0, 2.0], 0.5, lm_damping=1e-3, gain=0.5)
    theirs = pinker.tasks.RelativeFrameTask(frame, root, [1.0, 0.0, 2.0], 0.5, lm_damping=1e-3, gain=0.5)
    ours.set_target_from_configuration(there)
    theirs.set_target(pinker_pose(there.get_transform(frame, root)))
    assert_same_rows(ours, theirs, here, pinker_place(name, here))
    assert repr(ours) == repr(theirs)


def test_a_root_at_rest_leads_to_the_steps_of_a_frame_task():
    model = robot("ur5")
    here, there = place(model, 0), place(model, 1)
    relative, plain = RelativeFrameTask("tool0", "universe", 1.0, 1.0), FrameTask("tool0", 1.0, 1.0)
    relative.set_target_from_configuration(there)
    plain.set_target_from_configuration(there)
    for one, other in zip(relative.compute_qp_objective(here), plain.compute_qp_objective(here), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)


def test_motions_of_both_frames_together_do_not_count():
    model = robot("g1")
    task = RelativeFrameTask("left_ankle_roll_link", "right_ankle_roll_link", 1.0, 1.0)
    task.set_target_from_configuration(place(model, 1))
    J = task.compute_jacobian(place(model, 0))
    np.testing.assert_allclose(J[:, :6], np.zeros((6, 6)), atol=1e-12)
    assert np.abs(J[:, 6:]).max() > 0.1


def test_both_frames_are_live():
    model = robot("g1")
    here = place(model, 0)
    task, other = (RelativeFrameTask("pelvis", "torso_link", 1.0, 1.0) for _ in range(2))
    for either in (task, other):
        either.set_target(np.eye(4))
    task.frame, task.root = task.root, task.frame
    assert (task.frame, task.root) == ("torso_link", "pelvis")
    assert not np.allclose(task.compute_error(here), other.compute_error(here))
    task.transform_target_to_root.translation[:] = here.get_transform("torso_link", "pelvis").translation
    np.testing.assert_allclose(task.compute_error(here)[:3], np.zeros(3), atol=1e-12)


def test_what_is_no_name_is_refused():
    with pytest.raises(InvalidArgument, match=r"^root: expected the name of a frame, got None"):
        RelativeFrameTask("pelvis", None, 1.0, 1.0)
    with pytest.raises(InvalidArgument, match=r"^frame: expected the name of a frame, got 2"):
        RelativeFrameTask(2, "pelvis", 1.0, 1.0)
