"""A tracker finds frame by frame what a fit of the recording finds, and survives whatever comes."""

import copy
import pickle

import numpy as np
import pytest
from hand_made import camera, smooth_states
from hopper import hopper
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from walker import make_walker
from walker import walk as true_walk

from pantin.errors import InvalidArgument, PantinError, UnknownDof
from pantin.fitting import BodyPlan, FitOptions, FitResult, FitSolver, Orientation, Points3D, Tracker

#: A row goes into the core and out of it in other units: a few roundings, which iterations do not raise.
SAME = 1e-9

HIDDEN = slice(140, 170)


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load("walker")


@pytest.fixture(scope="module")
def walk():
    return true_walk()


@pytest.fixture(scope="module")
def clean(walk):
    """The walk with the noise of a good tracker, shape (300, 31, 3)."""
    return walk.keypoints + make_walker.NOISE * np.random.default_rng(3).standard_normal(walk.keypoints.shape)


@pytest.fixture(scope="module")
def recorded(walk):
    """The sample's recording: gaps, outliers and all."""
    return make_walker.record(walk)


def followed(tracker, positions, weights=None):
    """Results of all frames, in one."""
    weights = [None] * len(positions) if weights is None else weights
    return FitResult.concatenate([tracker.step(*frame) for frame in zip(positions, weights, strict=True)])


def assert_same(one, other, tolerance=SAME):
    """Equal results but for the roundings of a state on its way in and out."""
    assert np.array_equal(one.status, other.status)
    assert np.array_equal(one.seen, other.seen)
    assert np.array_equal(one.restarted, other.restarted)
    for name in ("root_quat_wxyz", "dofs", "cost"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=tolerance)
    np.testing.assert_allclose(one.root_pos, other.root_pos, rtol=0, atol=tolerance * one.plan.length)
    np.testing.assert_allclose(one.residual, other.residual, rtol=0, atol=tolerance * one.plan.length)


@pytest.mark.parametrize(
    "options",
    [
        FitOptions(),
        FitOptions(predict="velocity"),
        FitOptions(gap="prior"),
        FitOptions(loss="cauchy"),
        FitOptions(scale_free=False, neutral_weight=1e-4),
    ],
    ids=["default", "velocity", "prior", "cauchy", "absolute"],
)
def test_frames_of_a_clean_recording_are_those_of_its_sequence(plan, clean, options):
    frames = clean[:60]
    assert_same(followed(Tracker(plan, options), frames), FitSolver(plan, options).solve_sequence(frames))


@pytest.mark.parametrize("gap", ["hold", "nan", "prior"])
def test_frames_of_a_faulty_recording_are_those_of_its_sequence(plan, recorded, gap):
    points, weights = (each[60:180] for each in recorded)
    options = FitOptions(gap=gap)
    result = FitSolver(plan, options).solve_sequence(points, weights)
    assert result.restarted[80 - 60]  # at an outlier
    assert not result.seen.all()
    # a restarted frame ends at the same minimum on another path
    assert_same(followed(Tracker(plan, options), points, weights), result, 1e-6)


def test_frames_from_a_start_are_those_of_the_sequence(plan, walk, clean):
    start = plan.neutral_state()._replace(root_pos=walk.root_pos[0], root_quat_wxyz=walk.root_quat_wxyz[0])
    tracker = Tracker(plan)
    tracker.step(clean[200])
    tracker.reset(start)
    assert np.array_equal(tracker.state.root_pos, start.root_pos)
    assert_same(followed(tracker, clean[:20]), FitSolver(plan).solve_sequence(clean[:20], init=start))
    assert tracker.frames == 20


def test_frames_seen_by_cameras_are_those_of_the_sequence():
    plan = BodyPlan.from_dict(hopper())
    cameras = [camera(plan), camera(plan, 0.7)]
    points = plan.keypoints(smooth_states(plan, 200))[:30]
    pixels = np.stack([each.project(points) for each in cameras], axis=1)
    pixels[0] = np.nan  # the scale is found where something is seen
    assert_same(
        followed(Tracker(plan, source=cameras), pixels), FitSolver(plan, source=cameras).solve_sequence(pixels), 1e-7
    )


def test_a_body_that_rolls_over_keeps_the_sign_of_its_quaternion_and_the_turns_of_its_wheel():
    wheel = {"type": "hinge", "axis": [0, 0, 1], "neutral": 0.0, "name": "wheel"}
    content = hopper()
    content["joints"][4]["dofs"].append(wheel)
    content["joints"][5]["offset_pos"] = [0.1, 0.05, 0.1]
    content["joints"].append({**content["joints"][5], "name": "mark", "offset_pos": [-0.1, 0.05, 0.2]})
    plan = BodyPlan.from_dict(content)
    angle = np.linspace(0.0, 6.5 * np.pi, 300)
    neutral = plan.neutral_state()
    dofs = np.tile(neutral.dofs, (300, 1))
    dofs[:, plan.dof("wheel")] = angle
    quaternions = np.stack([np.cos(angle / 2), np.sin(angle / 2), 0 * angle, 0 * angle], axis=1)
    points = plan.keypoints((np.zeros((300, 3)), quaternions, dofs))
    result = followed(Tracker(plan, FitOptions(neutral_weight=0.0)), points)
    assert result.success.all()
    np.testing.assert_allclose(result.root_quat_wxyz, quaternions, atol=1e-4)
    np.testing.assert_allclose(result.dofs[:, plan.dof("wheel")], angle, atol=1e-3)
    wrapped = followed(Tracker(plan, FitOptions(neutral_weight=0.0, wrap=True)), points)
    turned = wrapped.dofs[:, plan.dof("wheel")]
    assert (np.abs(turned) <= np.pi).all()
    np.testing.assert_allclose(np.unwrap(turned), result.dofs[:, plan.dof("wheel")], atol=1e-6)


@pytest.mark.parametrize("predict", ["hold", "velocity"])
@pytest.mark.parametrize("gap", ["hold", "interpolate", "nan"])
def test_a_leg_that_nothing_shows_stays_where_it_was(plan, clean, gap, predict):
    leg = [dof for dof, name in enumerate(plan.dof_names) if name.startswith("L2_")]
    points = clean.copy()
    points[HIDDEN, [name.startswith("L2_") for name in plan.joint_names]] = np.nan
    tracker = Tracker(plan, FitOptions(gap=gap, predict=predict))
    before = followed(tracker, points[: HIDDEN.start])
    held = []
    for frame in points[HIDDEN]:
        result = tracker.step(frame)
        held.append(tracker.state.dofs[leg])
        assert not result.seen[leg].any()
        assert np.isnan(result.dofs[leg]).all() == (gap == "nan")
    assert np.degrees(np.abs(held - before.dofs[-1, leg])).max() < 1.0
    after = tracker.step(points[HIDDEN.stop])
    assert after.seen.all()
    assert np.isfinite(after.dofs).all()


@pytest.mark.parametrize("predict", ["hold", "velocity"])
def test_bad_frames_do_not_touch_those_after_them(plan, clean, predict):
    options = FitOptions(predict=predict)
    points = clean[:60].copy()
    points[10] = np.nan
    points[20, 3] = np.inf
    points[30] = 0.0
    points[40] *= (-1.0, -1.0, 1.0)
    points[50:53] = 1e12
    good = np.setdiff1d(np.arange(60), [10, 20, 30, 40, 50, 51, 52])
    result, without = followed(Tracker(plan, options), points), followed(Tracker(plan, options), clean[:60])
    assert result.status[10] == "no_observations"
    assert result.infinite == 3
    np.testing.assert_allclose(result.dofs[good], without.dofs[good], atol=1e-4)
    np.testing.assert_allclose(result.root_pos[good], without.root_pos[good], atol=1e-4 * plan.length)


def test_nothing_seen_from_the_first_frame_on(plan, clean):
    tracker = Tracker(plan)
    nothing = np.full_like(clean[0], np.nan)
    assert [tracker.step(nothing).status for _ in range(3)] == ["no_observations"] * 3
    first = tracker.step(clean[0])
    assert_same(FitResult.concatenate([first]), FitResult.concatenate([FitSolver(plan).solve(clean[0])]))


def test_out_of_time_gives_the_best_so_far(plan, clean):
    tracker = Tracker(plan, time_limit_ms=0.0)
    late = followed(tracker, clean[:5])
    assert set(late.status) == {"deadline"}
    assert not late.success.any()
    assert np.isfinite(late.cost).all()
    assert (late.dofs >= plan.lower).all()
    assert (late.dofs <= plan.upper).all()
    assert_same(followed(Tracker(plan, time_limit_ms=1e5), clean[:5]), followed(Tracker(plan), clean[:5]), 0.0)


def test_out_of_iterations_gives_the_best_so_far(plan, clean):
    tracker, one = Tracker(plan, FitOptions(max_iterations=1)), []
    for frame in np.repeat(clean[:1], 8, axis=0):
        one.append(tracker.step(frame))
    assert one[0].status == "max_iterations"
    costs = np.array([each.cost for each in one])
    assert (np.diff(costs) <= 1e-12 * costs[:-1]).all()  # each goes on from the one before, but for roundings
    assert costs[-1] == pytest.approx(Tracker(plan).step(clean[0]).cost, rel=1e-6)


def test_buffers_may_be_filled_anew(plan, clean):
    tracker, buffer = Tracker(plan), np.empty_like(clean[0])
    results = []
    for frame in clean[:3]:
        buffer[:] = frame
        results.append(tracker.step(buffer))
    for frame, result in zip(clean, results, strict=False):
        assert np.array_equal(result.observations.positions[0][0], frame)


def test_state_is_a_copy(plan, clean):
    tracker = Tracker(plan)
    assert np.array_equal(tracker.state.dofs, plan.neutral_state().dofs)
    result = tracker.step(clean[0])
    assert np.array_equal(tracker.state.dofs, result.dofs)
    tracker.state.dofs[:] = np.nan
    assert np.array_equal(tracker.state.dofs, result.dofs)


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda tracker: pickle.loads(pickle.dumps(tracker))])
def test_copies_go_on_by_themselves(plan, clean, twin):
    tracker = Tracker(plan, FitOptions(predict="velocity"), time_limit_ms=1e4)
    followed(tracker, clean[:10])
    other = twin(tracker)
    expected = followed(tracker, clean[10:14])
    assert other.frames == 10
    assert followed(other, clean[10:14]).equals(expected)


def test_wrong_questions_leave_the_tracker_as_it_was(plan, clean):
    tracker, twin = Tracker(plan), Tracker(plan)
    followed(tracker, clean[:8])
    followed(twin, clean[:8])
    for wrong, message in (
        (clean, "expected one frame, got 300; FitSolver.solve_sequence fits many"),
        (clean[0, :-1], r"expected shape \(T, 31, 3\), or \(31, 3\) for one frame"),
        (clean[0].astype(complex), "expected real numbers"),
        ({"nose": clean[0, 0]}, "no keypoint 'nose'"),
        (None, "expected real numbers"),
    ):
        with pytest.raises(PantinError, match=message):
            tracker.step(wrong)
    with pytest.raises(InvalidArgument, match="weights: expected finite weights"):
        tracker.step(clean[0], np.full(31, np.inf))
    with pytest.raises(InvalidArgument, match="init: expected finite numbers"):
        tracker.reset({"dofs": np.full(42, np.nan)})
    assert tracker.frames == 8
    assert tracker.step(clean[8]).equals(twin.step(clean[8]))


def test_what_no_stream_has_is_refused(plan, clean):
    hopping = BodyPlan.from_dict(hopper())
    still = camera(hopping)
    moving = type(still)(600, 600, 0, 0, np.tile(np.eye(3), (5, 1, 1)), np.tile([0.0, 0, 9], (5, 1)))
    with pytest.raises(InvalidArgument, match="source: camera 1 moves over 5 frames"):
        Tracker(hopping, source=[still, moving])
    with pytest.raises(InvalidArgument, match="prescribe: expected one value of 'knee'"):
        Tracker(hopping, FitOptions(prescribe={"knee": np.zeros(10)}))
    with pytest.raises(UnknownDof, match="did you mean 'knee'"):
        Tracker(hopping, FitOptions(lock="kne"))
    with pytest.raises(InvalidArgument, match="time_limit_ms: expected a number in"):
        Tracker(hopping, time_limit_ms=-1)
    with pytest.raises(InvalidArgument, match="plan: expected a BodyPlan"):
        Tracker(hopper())


def test_prescribed_and_locked_values_hold():
    plan = BodyPlan.from_dict(hopper())
    points = plan.keypoints(smooth_states(plan, 50))
    tracker = Tracker(plan, FitOptions(prescribe={"knee": 0.7}, lock={"mast": 0.11}))
    result = followed(tracker, points)
    assert (result.dofs[:, plan.dof("knee")] == 0.7).all()
    assert (result.dofs[:, plan.dof("mast")] == 0.11).all()


def test_sources_of_several_kinds(plan, walk, clean):
    sources = [Points3D(), Orientation(("body",))]
    tracker = Tracker(plan, source=sources)
    for frame in range(3):
        result = tracker.step([clean[frame], walk.root_quat_wxyz[frame, None]])
        assert result.success
        assert len(result.residuals) == 2


ANYTHING = hnp.arrays(np.float64, (6, 3), elements=st.floats(allow_nan=True, allow_infinity=True))


@given(frames=st.lists(ANYTHING, max_size=4), predict=st.sampled_from(["hold", "velocity"]))
def test_no_frame_of_the_world_is_an_error(frames, predict):
    plan = BodyPlan.from_dict(hopper())
    good = plan.keypoints(smooth_states(plan, 50))
    tracker = Tracker(plan, FitOptions(predict=predict))
    for frame in [good[0], *frames, good[1]]:
        result = tracker.step(frame)
        for number in (*result.state, *tracker.state):
            assert np.isfinite(number).all()
        assert (plan.lower <= result.dofs).all()
        assert (result.dofs <= plan.upper).all()
