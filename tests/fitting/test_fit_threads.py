"""Threads that share a solver, and work that shares a lane: each finds what it would find alone."""

import copy
import gc
import pickle
import threading

import numpy as np
import pytest
from hand_made import smooth_states
from hopper import hopper

from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, FitOptions, FitSolver, Points3D, Tracker, observe
from pantin.fitting.found import new_found
from pantin.fitting.problem import FitProblem
from pantin.fitting.state import State
from pantin.fitting.tracks import Frames


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.from_dict(hopper())


@pytest.fixture(scope="module")
def points(plan):
    """A recording with noise, shape (400, 6, 3)."""
    exact = plan.keypoints(smooth_states(plan, 400))
    return exact + 0.02 * plan.length * np.random.default_rng(8).standard_normal(exact.shape)


def at_once(*jobs):
    """What each job returns, all of them run on threads of their own that set out together."""
    ready, answers = threading.Barrier(len(jobs)), [None] * len(jobs)

    def work(k):
        ready.wait()
        try:
            answers[k] = jobs[k]()
        except BaseException as error:
            answers[k] = error

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
    return answers


def followed(tracker, points):
    """The degrees of freedom that a tracker finds in each frame."""
    return np.array([tracker.step(frame).dofs for frame in points])


def test_a_track_does_not_depend_on_those_before_it_in_its_lane(plan):
    """The second track gets louder all along, so that what its running median holds matters."""
    length, first = 140, 46
    loudness = np.where(np.arange(length) < first, 0.02, 0.002 * 1.04 ** (np.arange(length) - first))
    exact = plan.keypoints(smooth_states(plan, length))
    noise = np.random.default_rng(1).standard_normal(exact.shape)
    seen = exact + plan.length * loudness[:, None, None] * noise
    problem = FitProblem(plan, FitOptions(restart_factor=2.0), Points3D())
    frames = Frames(problem, problem.core(), observe(plan, seen), problem.start())
    both, alone = new_found(problem, length), new_found(problem, length)
    frames.run(both, [(0, first, 0, 0), (first, length, 0, 0)])
    frames.run(alone, [(first, length, 0, 0)])
    assert both["restarted"][first:].any()
    for name, array in both.items():
        np.testing.assert_array_equal(array[first:], alone[name][first:], err_msg=name)


def test_threads_share_a_solver(plan, points):
    solver = FitSolver(plan)
    one, row = solver.solve(points[3]), solver.solve_sequence(points)
    cut = solver.solve_sequence(points, segments=50)

    def frame_by_frame():
        return [solver.solve(points[3]) for _ in range(200)]

    frames, others, sequence, windows, trail, trail_too = at_once(
        frame_by_frame,
        frame_by_frame,
        lambda: solver.solve_sequence(points),
        lambda: solver.solve_sequence(points, segments=50, workers=2),
        lambda: followed(Tracker(plan), points[:150]),
        lambda: followed(Tracker(plan), points[:150]),
    )
    assert all(each.equals(one) for each in (*frames, *others))
    assert sequence.equals(row)
    assert windows.equals(cut)
    np.testing.assert_array_equal(trail, trail_too)


def test_a_callback_may_ask_the_same_solver(plan, points):
    solver, many = FitSolver(plan), np.tile(points, (20, 1, 1))
    expected, asked = solver.solve(points[3]), []

    def ask(_done, _total):
        asked.append(solver.solve(points[3]).equals(expected))
        asked.append(solver.solve_sequence(points[:5]).success.all())

    assert solver.solve_sequence(many, progress=ask).equals(solver.solve_sequence(many))
    assert asked
    assert all(asked)


def test_observations_may_be_let_go_while_they_are_fitted(plan, points):
    """Nobody but the solver holds them then, whatever form they came in."""
    expected = FitSolver(plan).solve_sequence(points)
    forms = [
        lambda: FitSolver(plan).solve_sequence(points.copy()),
        lambda: FitSolver(plan).solve_sequence(np.asfortranarray(points), np.ones(points.shape[:2])),
        lambda: FitSolver(plan).solve_sequence(dict(zip(plan.joint_names, points.swapaxes(0, 1).copy(), strict=True))),
        lambda: FitSolver(plan).solve_sequence(points.tolist(), progress=lambda *_: gc.collect()),
    ]
    for result in at_once(*forms):
        np.testing.assert_array_equal(result.dofs, expected.dofs)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_made_while_others_fit(plan, points, twin):
    solver, tracker = FitSolver(plan), Tracker(plan)
    followed(tracker, points[:10])
    _, ours, theirs = at_once(
        lambda: solver.solve_sequence(points),
        lambda: [twin(solver).solve(points[3]) for _ in range(5)],
        lambda: [followed(twin(tracker), points[10:20]) for _ in range(5)],
    )
    assert all(each.equals(solver.solve(points[3])) for each in ours)
    expected = followed(tracker, points[10:20])
    for each in theirs:
        np.testing.assert_array_equal(each, expected)


def test_half_a_state_is_no_cold_start(plan, points):
    with pytest.raises(InvalidArgument, match="dofs: expected real numbers"):
        FitSolver(plan).solve(points[0], init=State(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), None))
