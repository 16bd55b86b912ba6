"""A recording without frames is one; nothing is read beyond the end of any."""

import dataclasses

import numpy as np
import pytest
from hand_made import camera, smooth_states
from hopper import hopper

from pantin.fitting import BodyPlan, FitOptions, Points3D, Segments, XYView, fit, observe
from pantin.fitting.found import new_found
from pantin.fitting.problem import FitProblem
from pantin.fitting.tracks import Frames

#: Sources by how many numbers they have of a keypoint.
KINDS = {"points": 3, "view": 2, "rig": 2, "moving": 2}


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.from_dict(hopper())


def source_of(kind, plan, frames):
    """One source, or a rig, that saw so many frames."""
    still = camera(plan)
    moving = dataclasses.replace(still, R=np.tile(still.R, (frames, 1, 1)), t=np.tile(still.t, (frames, 1)))
    rig = [still, camera(plan, 0.7)]
    return {"points": Points3D(), "view": XYView(), "rig": rig, "moving": [moving, still]}[kind]


def positions_of(kind, plan, frames):
    """Rubbish of the shape of what a source saw."""
    views = (2,) if kind in ("rig", "moving") else ()
    return np.zeros((frames, *views, plan.n_joints, KINDS[kind]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("segments", [None, "auto", Segments(5, 2)])
@pytest.mark.parametrize("given", [False, True])
def test_a_recording_without_frames_has_an_answer_without_frames(plan, kind, segments, given):
    init = plan.neutral_state() if given else None
    result = fit(plan, positions_of(kind, plan, 0), source=source_of(kind, plan, 0), segments=segments, init=init)
    assert result.dofs.shape == (0, plan.n_dofs)
    assert result.success.shape == (0,)
    assert result.joins == ()


@pytest.mark.parametrize("kind", KINDS)
def test_the_core_reads_no_frame_beyond_the_last(plan, kind):
    problem = FitProblem(plan, FitOptions(), source_of(kind, plan, 4))
    observed = observe(plan, positions_of(kind, plan, 4), None, problem.source)
    frames = Frames(problem, problem.core(), observed, problem.start())
    assert frames.aligned(3).shape == (7 + plan.n_dofs,)
    for beyond in (4, -1):
        with pytest.raises(IndexError, match="frames"):
            frames.aligned(beyond)
    with pytest.raises(IndexError, match="a source has fewer frames than are asked for"):
        frames.run(new_found(problem, 5), [(0, 5, 0, 0)])


def test_the_core_reads_no_prescribed_value_beyond_the_last(plan):
    options = FitOptions(prescribe={plan.dof_names[0]: np.zeros(4)})
    problem = FitProblem(plan, options, Points3D())
    frames = Frames(problem, problem.core(), observe(plan, smooth_points(plan, 4)), problem.start())
    frames._prescribed = frames._prescribed[:3]
    with pytest.raises(IndexError, match="fewer frames"):
        frames.run(new_found(problem, 4), [(0, 4, 0, 0)])


def smooth_points(plan, frames):
    """Keypoints of a motion."""
    return plan.keypoints(smooth_states(plan, frames))
