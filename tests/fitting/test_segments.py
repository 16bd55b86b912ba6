"""A recording in segments is fitted as it is in a row, whoever shares the work, and tells where it was joined."""

import itertools
import os
import pickle
import warnings

import numpy as np
import pytest
from hand_made import smooth_states
from hopper import dof, hopper, joint
from hypothesis import given
from hypothesis import strategies as st

from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, FitOptions, FitSolver, Segments, SegmentsDisagree, fit
from pantin.fitting.segments import cut

FRAMES = 2000


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.from_dict(hopper())


@pytest.fixture(scope="module")
def points(plan):
    """Smooth motion with noise, shape (2000, 6, 3)."""
    exact = plan.keypoints(smooth_states(plan, FRAMES))
    return exact + 0.01 * plan.length * np.random.default_rng(5).standard_normal(exact.shape)


@pytest.fixture(scope="module")
def solver(plan):
    return FitSolver(plan)


@pytest.fixture(scope="module")
def sequential(solver, points):
    return solver.solve_sequence(points)


@pytest.fixture
def many_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)


def assert_joined(result, sequential, segments):
    """Equal to the tolerances that windows are joined by; all frames are minima."""
    assert result.success.all()
    angles = ~result.plan.dof_is_slide
    difference = np.abs(result.dofs - sequential.dofs)
    assert difference[:, angles].max() <= segments.angle
    assert difference[:, ~angles].max(initial=0.0) <= segments.position * result.plan.length
    assert np.abs(result.root_pos - sequential.root_pos).max() <= segments.position * result.plan.length
    cosine = np.einsum("ti,ti->t", result.root_quat_wxyz, sequential.root_quat_wxyz)  # signs too
    assert (2.0 * np.arccos(np.minimum(cosine, 1.0)) <= segments.angle).all()


@pytest.mark.parametrize("segments", [Segments(200), Segments(64, overlap=32), Segments(20), Segments(1500, overlap=1)])
def test_segments_are_as_the_sequence(solver, points, sequential, segments):
    result = solver.solve_sequence(points, segments=segments)
    assert_joined(result, sequential, segments)
    assert result.cost.sum() <= sequential.cost.sum() * (1 + 1e-6)
    starts = range(0, FRAMES - segments.overlap, segments.length)
    assert [join.frame for join in result.joins] == [start + segments.overlap for start in starts[1:]]
    assert {join.action for join in result.joins} == {"joined"}
    assert all(join.angle <= segments.angle and join.position <= segments.position for join in result.joins)


def test_the_walker_and_random_weights(points):
    plan = BodyPlan.load("walker")
    random = np.random.default_rng(6)
    exact = plan.keypoints(smooth_states(plan, 500))
    seen = exact + 0.01 * plan.length * random.standard_normal(exact.shape)
    weights = random.uniform(0.5, 1.0, seen.shape[:2]) * (random.random(seen.shape[:2]) > 0.02)
    options = FitOptions(gap="prior")  # what a hidden limb holds to depends on where a window begins
    whole, parts = (fit(plan, seen, weights, options=options, segments=each) for each in (None, 100))
    assert_joined(parts, whole, Segments(100))


@pytest.mark.parametrize("segments", [Segments(37, overlap=9), 200, "auto"])
@pytest.mark.usefixtures("many_cores")
def test_the_number_of_workers_changes_no_bit(solver, points, segments):
    alone = solver.solve_sequence(points, segments=segments)
    for workers in (2, 4, -1):
        assert solver.solve_sequence(points, segments=segments, workers=workers).equals(alone)


def test_what_is_in_other_windows_changes_no_bit(solver, points):
    segments = Segments(50, overlap=10)
    result = solver.solve_sequence(points, segments=segments)
    noisy = points.copy()
    noisy[600:900] = np.random.default_rng(7).standard_normal(noisy[600:900].shape)
    noisy[1200:1300] = np.nan
    other = solver.solve_sequence(noisy, segments=segments)
    assert other[:600].equals(result[:600])
    later = slice(1000, 1150)
    assert np.array_equal(other.dofs[later], result.dofs[later])
    assert np.array_equal(other.root_pos[later], result.root_pos[later])
    assert np.array_equal(abs(other.root_quat_wxyz[later]), abs(result.root_quat_wxyz[later]))  # signs go on from noise
    few = solver.solve_sequence(points[:160], segments=segments)  # so that fewer windows lie side by side
    for name in ("root_pos", "root_quat_wxyz", "dofs", "cost", "iterations"):
        assert np.array_equal(getattr(few, name), getattr(result, name)[:160])


def test_a_length_and_auto_are_segments(solver, points):
    assert solver.solve_sequence(points, segments=150).equals(solver.solve_sequence(points, segments=Segments(150)))
    auto = solver.solve_sequence(points, segments="auto")
    assert auto.equals(solver.solve_sequence(points, segments=Segments(200)))


@pytest.mark.parametrize("gap", ["hold", "prior"])
def test_faults_at_joins_are_survived(plan, points, gap):
    """Windows of 100 meet at frames 100 to 109 of each hundred."""
    few = points[:700]
    faulty = few.copy()
    faulty[98:113] = np.nan  # all of an overlap
    faulty[209] = 0.0  # where windows are compared
    faulty[305, 2, 1] = np.inf
    faulty[409] *= (-1.0, -1.0, 1.0)
    faulty[500:515, 3] = np.nan  # the foot, so that the knee is not seen
    faulty[609, 0] += 50.0
    solver = FitSolver(plan, FitOptions(gap=gap))
    clean, whole, parts = solver.solve_sequence(few), *(solver.solve_sequence(faulty, segments=n) for n in (None, 100))
    bad = [*range(98, 113), 209, 305, 409, *range(500, 515), 609]
    good = np.setdiff1d(np.arange(700), bad)
    for result in (whole, parts):
        np.testing.assert_allclose(result.dofs[good], clean.dofs[good], atol=1e-4)
        np.testing.assert_allclose(result.root_pos[good], clean.root_pos[good], atol=1e-4 * plan.length)
    np.testing.assert_allclose(parts.dofs, whole.dofs, atol=0.02)
    assert parts.joins[0].action in ("repaired", "joined")
    assert np.array_equal(parts.status, whole.status)


@given(frames=st.integers(1, 5000), length=st.integers(2, 500), data=st.data())
def test_windows_cover_the_recording(frames, length, data):
    overlap = data.draw(st.integers(1, length - 1))
    segments, windows = cut(frames, Segments(length, overlap=overlap))
    assert windows[0][0] == 0
    assert windows[-1][1] == frames
    for (_, end), (begin, last) in itertools.pairwise(windows):
        assert end - begin == segments.overlap
        assert last > end
    assert all(end - begin <= length + overlap for begin, end in windows)


@given(st.integers(0, 10_000_000))
def test_auto_makes_windows_that_are_long_but_many(frames):
    segments, windows = cut(frames, "auto")
    assert segments.length >= 200
    assert len(windows) <= 256


@pytest.mark.parametrize("count", [2, 199, 210])
def test_a_short_recording_is_one_window(solver, points, count):
    result = solver.solve_sequence(points[:count], segments=200)
    assert result.joins == ()
    np.testing.assert_allclose(result.dofs, solver.solve_sequence(points[:count]).dofs, atol=1e-6)


def test_no_frame_and_one_frame(solver, points):
    none = solver.solve_sequence(points[:0], segments=200)
    assert (len(none), none.dofs.shape, none.joins) == (0, (0, 4), ())
    one = solver.solve_sequence(points[:1], segments=200)
    assert len(one) == 1
    np.testing.assert_allclose(one.dofs[0], solver.solve(points[0]).dofs, atol=1e-6)


def test_the_first_window_may_have_a_start(solver, points, plan, sequential):
    start = plan.neutral_state()._replace(root_pos=points[0, 0])
    result = solver.solve_sequence(points, init=start, segments=100)
    assert_joined(result, sequential, Segments(100))


def test_turns_and_signs_go_on_over_joins():
    """A wheel that turns three times, on a body that rolls over twice."""
    plan = BodyPlan.from_dict(
        {
            "fixed_base": False,
            "joints": [
                joint("body", None),
                joint("left", "body", (0.0, 0.5, 0.0)),
                joint("top", "body", (0.0, 0.0, 0.6)),
                joint("hub", "body", (0.4, 0.0, 0.0), [dof("hinge", "z", name="wheel")]),
                joint("rim", "hub", (0.3, 0.0, 0.0)),
            ],
        }
    )
    wheel, roll = np.linspace(0.5, 0.5 - 6 * np.pi, 400), np.linspace(0.0, 4 * np.pi, 400)
    quaternions = np.stack([np.cos(roll / 2), 0 * roll, np.sin(roll / 2), 0 * roll], axis=1)
    points = plan.keypoints((np.zeros((400, 3)), quaternions, wheel[:, None]))
    result = fit(plan, points, options=FitOptions(neutral_weight=0.0), segments=Segments(40))
    np.testing.assert_allclose(result.dofs[:, 0], wheel, atol=1e-3)
    np.testing.assert_allclose(result.root_quat_wxyz, quaternions, atol=1e-3)
    assert {join.action for join in result.joins} == {"joined"}


ARM = {
    "fixed_base": True,
    "joints": [
        joint("shoulder", None, dofs=[dof("hinge", "z", 0.5, name="swing")]),
        joint("elbow", "shoulder", (0.30, 0.0, 0.0), [dof("hinge", "z", 0.3, name="bend")]),
        joint("hand", "elbow", (0.25, 0.0, 0.0)),
    ],
}
HIDDEN = slice(28, 45)
CUT = {"length": 30, "overlap": 5}


@pytest.fixture(scope="module")
def arm():
    return BodyPlan.from_dict(ARM)


@pytest.fixture(scope="module")
def reaching(arm):
    """An arm bent the other way than in neutral, which no one can tell where the elbow is hidden; shape (60, 3, 3)."""
    phase = np.linspace(0.0, 2.0 * np.pi, 60)
    states = (
        np.zeros((60, 3)),
        np.tile([1.0, 0, 0, 0], (60, 1)),
        np.stack([0.5 + 0.3 * np.sin(phase), -0.9 + 0.2 * np.cos(phase)], 1),
    )
    points = arm.keypoints(states)
    points[HIDDEN, 1] = np.nan
    return points


def test_windows_that_disagree_are_repaired(arm, reaching):
    whole, parts = fit(arm, reaching), fit(arm, reaching, segments=Segments(**CUT))
    assert (whole.dofs[:, 1] < 0.0).all()
    assert_joined(parts, whole, Segments(**CUT))
    (join,) = parts.joins
    assert (join.frame, join.action) == (35, "repaired")
    assert join.angle > 1.0


def test_a_warning_tells_of_windows_that_disagree(arm, reaching):
    whole = fit(arm, reaching)
    with pytest.warns(UserWarning, match=r"segments disagree at frame 35: by \d\.\d+ rad") as told:
        parts = fit(arm, reaching, segments=Segments(**CUT, on_disagree="warn"))
    assert told[0].filename == __file__
    (join,) = parts.joins
    assert (join.frame, join.action) == (35, "kept")
    np.testing.assert_allclose(parts.dofs[:35], whole.dofs[:35], atol=1e-6)
    assert (parts.dofs[35:45, 1] > 0.0).all()


def test_windows_that_disagree_may_be_an_error(arm, reaching):
    with pytest.raises(SegmentsDisagree, match="let them be repaired with on_disagree='repair'") as caught:
        fit(arm, reaching, segments=Segments(**CUT, on_disagree="raise"))
    assert caught.value.join.frame == 35
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.join) == (str(caught.value), caught.value.join)


@pytest.mark.parametrize(("elbow_weight", "action", "bend"), [(0.0, "kept", 1.0), (0.02, "replaced", -1.0)])
def test_the_lower_objective_wins_where_windows_stay_apart(arm, reaching, elbow_weight, action, bend):
    """Without the elbow the bend of neutral is better; with a little of it the other, yet no fit leaves its own."""
    weights = np.ones((60, 3))
    weights[HIDDEN.stop :, 1] = elbow_weight
    result = fit(arm, reaching, weights, segments=Segments(**CUT))
    (join,) = result.joins
    assert join.action == action
    assert (np.sign(result.dofs[35:, 1]) == bend).all()
    assert (result.dofs[:35, 1] < 0.0).all()


def test_two_threads_fit_what_is_repaired_alike(arm, reaching):
    many = np.tile(reaching, (20, 1, 1))
    alone, shared = (fit(arm, many, segments=Segments(**CUT), workers=n) for n in (1, -1))
    assert shared.equals(alone)
    assert "repaired" in {join.action for join in alone.joins}


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ("all", "segments: expected Segments, a length, 'auto' or None, got 'all'"),
        (0, r"segments: expected a whole number in \[1, .*\], got 0"),
        (2.5, "segments: expected a whole number, got 2.5"),
        (True, "segments: expected a whole number, got True"),
        (10, "overlap: expected less than the length 10, got 10"),
    ],
)
def test_other_cuts_are_refused(solver, points, segments, message):
    with pytest.raises(InvalidArgument, match=message):
        solver.solve_sequence(points, segments=segments)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"overlap": 20}, "overlap: expected less than the length 20, got 20"),
        ({"overlap": 0}, "overlap: expected a whole number in"),
        ({"angle": -0.1}, "angle: expected a number in"),
        ({"position": np.nan}, "position: expected finite numbers"),
        ({"on_disagree": "ignore"}, "on_disagree: expected 'repair' or 'warn' or 'raise', got 'ignore'"),
    ],
)
def test_segments_check_their_numbers(wrong, message):
    with pytest.raises(InvalidArgument, match=message):
        Segments(20, **wrong)


@pytest.mark.parametrize(
    ("workers", "message"),
    [
        (0, "workers: expected a positive count, or -1 for all cores, -2 for all but one; got 0"),
        (1.5, "workers: expected a whole number, got 1.5"),
        ("all", "workers: expected a whole number, got 'all'"),
    ],
)
def test_other_counts_of_workers_are_refused(solver, points, workers, message):
    with pytest.raises(InvalidArgument, match=message):
        solver.solve_sequence(points[:5], workers=workers)


def test_more_workers_than_cores_are_told_of(solver, points, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    with pytest.warns(UserWarning, match="3 workers were asked for, and there are 2 cores; 2 work") as told:
        solver.solve_sequence(points[:500], segments=100, workers=3)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for workers in (-1, -2, -100, 2):
            solver.solve_sequence(points[:500], segments=100, workers=workers)
