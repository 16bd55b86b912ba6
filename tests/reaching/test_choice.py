"""Preferences take the best of what there is, callbacks refuse, and neither costs the default anything."""

import itertools

import numpy as np
import pytest
from questions import arm, as_asked, configurations, reachable, within_limits
from witness import Witness, wrapped

import pantin
from pantin.errors import InvalidArgument
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachOptions, ReachSolver, reach
from pantin.reaching import preferences as steps
from pantin.solving import Status

PREFERENCES = ("nearest", "posture", "limits", "manipulability", "first")
POSTURE = np.array([0.4, -1.1, 1.3, -0.7, -0.5, 0.9])


def margin(model, q):
    """How far the joint nearest to a limit is from it, as a part of its range."""
    low, high = model.lower_position_limit, model.upper_position_limit
    return np.minimum((q - low) / (high - low), (high - q) / (high - low)).min(axis=-1)


def asked(prefer, model):
    """Keywords of a preference."""
    posture = {"posture": 0.5 * (model.lower_position_limit + model.upper_position_limit) + 0.1}
    return {"prefer": prefer, **(posture if prefer == "posture" else {})}


@pytest.mark.parametrize("prefer", ["posture", "limits", "manipulability"])
def test_the_best_branch_of_an_arm_with_a_closed_form_is_taken(prefer):
    model, frame = arm("ur5e")
    witness = Witness("ur5e", frame)
    plain = ReachSolver(model, frame)
    chosen = 0
    for target in reachable(model, frame, 15, seed=1):
        value = {
            "posture": lambda q: -np.abs(q - POSTURE).max(),
            "limits": lambda q: margin(model, q),
            "manipulability": lambda q: abs(np.linalg.det(witness.jacobian(q))),
        }[prefer]
        question = {"posture": POSTURE} if prefer == "posture" else {}
        result = reach(model, frame, target, prefer=prefer, **question)
        assert result.success
        assert result.check().success
        best = max(value(q) for q in plain.all(target))
        assert value(result.q) >= best - 1e-6
        chosen += np.abs(result.q - plain.solve(target).q).max() > 1e-3
    assert chosen >= 3  # it is not what the default takes


@pytest.mark.parametrize("prefer", ["limits", "manipulability", "posture"])
def test_a_redundant_arm_does_better_than_by_default_and_than_the_ends_of_its_starts(prefer, monkeypatch):
    model, frame = arm("panda")
    witness = Witness("panda", frame)
    question = asked(prefer, model)
    value = {
        "limits": lambda q: margin(model, q),
        "manipulability": lambda q: np.linalg.svd(witness.jacobian(q), compute_uv=False).prod(),
        "posture": lambda q: -np.abs(q - question["posture"]).max(),
    }[prefer]
    targets = reachable(model, frame, 12, seed=2)
    scores = []
    for count in (8, 0):
        monkeypatch.setattr(steps, "_STEPS", count)
        results = [reach(model, frame, target, **question) for target in targets]
        assert all(result.success and within_limits(model, result.q) for result in results)
        assert max(max(witness.errors(r.q, target)) for r, target in zip(results, targets, strict=True)) < 1.1e-6
        scores.append(np.array([value(result.q) for result in results]))
    plainly = np.array([value(reach(model, frame, target).q) for target in targets])
    assert (scores[0] >= scores[1] - 1e-9).all()
    assert (scores[0] > scores[1] + 1e-6).sum() >= 6  # the null space has more
    assert (scores[1] >= plainly - 1e-6).all()
    assert scores[0].mean() > plainly.mean()


def test_first_is_what_the_seed_finds_or_else_the_first_start():
    model, frame = arm("arctos")
    several = 0
    for target in reachable(model, frame, 30, seed=3):
        plain, first = reach(model, frame, target), reach(model, frame, target, prefer="first")
        assert first.success
        assert first.check().success
        if plain.starts == 1:
            assert np.array_equal(first.q, plain.q)
        several += plain.starts > 1
    assert several > 0


def test_nearest_is_the_default():
    model, frame = arm("panda")
    solver = ReachSolver(model, frame)
    assert (solver.prefer, solver.validate, solver._chooser) == ("nearest", None, None)
    for target in reachable(model, frame, 5, seed=4):
        assert np.array_equal(reach(model, frame, target, prefer="nearest").q, solver.solve(target).q)


@pytest.mark.parametrize("prefer", PREFERENCES)
def test_the_best_that_a_callback_accepts_is_taken(prefer):
    model, frame = arm("ur5e")
    plain = ReachSolver(model, frame)
    question = {"prefer": prefer, **({"posture": POSTURE} if prefer == "posture" else {})}
    for target in reachable(model, frame, 6, seed=5):
        shown = []

        def accepts(q, shown=shown):
            shown.append(q)
            return len(shown) == 3

        result = reach(model, frame, target, validate=accepts, **question)
        assert (result.success, len(shown)) == (True, 3)
        assert np.array_equal(result.q, shown[2])
        assert all(np.abs(a - b).max() > 1e-4 for a, b in itertools.combinations(shown, 2))
        branches = plain.all(target).q
        assert max(wrapped(branches - q).max(axis=1).min() for q in shown) < 1e-5
        assert result.check().success
        assert result.seed_distance == pytest.approx(np.abs(result.q - plain._starts(1)[0]).max(), abs=1e-12)


@pytest.mark.parametrize("name", ["ur5e", "arctos", "planar_3r"])
def test_each_solution_is_shown_once_where_all_are_refused(name):
    model, frame = arm(name)
    for target in reachable(model, frame, 4, seed=6):
        shown = []
        result = reach(model, frame, target, validate=lambda q, shown=shown: bool(shown.append(q)))
        assert (result.success, result.status) == (False, "refused")
        assert result.status is Status.REFUSED
        assert len(shown) == len(ReachSolver(model, frame).all(target))
        assert np.abs(result.q - shown[0]).max() < 1e-4  # the nearest of those refused
        assert result.check().success  # which does reach


def test_a_callback_keeps_an_elbow_away():
    model, frame = arm("panda")
    elbow = model.get_frame_id("panda_link4")

    def left(q):
        return frame_placements(model, elbow, q)[1, 3] > 0.05

    solver = ReachSolver(model, frame, validate=left)
    results = [solver.solve(target) for target in reachable(model, frame, 20, seed=7)]
    reached = [result for result in results if result.success]
    assert len(reached) >= 12
    assert all(left(result.q) for result in reached)
    assert {str(result.status) for result in results} <= {"reached", "refused"}


def test_a_callback_is_not_asked_where_nothing_reaches():
    model, frame = arm("panda")
    result = reach(model, frame, (3.0, 0.0, 0.0), mode="position", validate=lambda q: pytest.fail("asked"))
    assert result.status == "out_of_workspace"
    assert result.position_error > 1.0


def test_what_a_callback_does_to_its_argument_does_not_matter():
    model, frame = arm("ur5e")
    target = reachable(model, frame, 1, seed=8)[0]

    def spoil(q):
        q[:] = 0.0
        return np.bool_(True)

    assert np.array_equal(reach(model, frame, target, validate=spoil).q, reach(model, frame, target).q)


def test_what_a_callback_raises_comes_through():
    model, frame = arm("ur5e")
    with pytest.raises(ZeroDivisionError):
        reach(model, frame, reachable(model, frame, 1, seed=8)[0], validate=lambda q: 1 / 0)


@pytest.mark.parametrize("name", ["ur5e", "panda"])
@pytest.mark.parametrize("prefer", PREFERENCES)
def test_a_batch_gives_the_bits_of_single_solves(name, prefer):
    model, frame = arm(name)
    targets = reachable(model, frame, 4, seed=9)
    targets[1, :3, 3] *= 3.0
    seeds = configurations(model, 4, seed=10)
    solver = ReachSolver(model, frame, validate=lambda q: q[0] > -1.0, **asked(prefer, model))
    batch = solver.solve_batch(targets, seeds, threads=2)
    results = [solver.solve(target, seed) for target, seed in zip(targets, seeds, strict=True)]
    assert np.array_equal(batch.q, [result.q for result in results])
    assert list(batch.status) == [str(result.status) for result in results]
    for column in ("position_error", "rotation_error", "seed_distance", "iterations", "starts"):
        assert np.array_equal(getattr(batch, column), [getattr(result, column) for result in results]), column
    again = ReachSolver(model, frame, validate=lambda q: q[0] > -1.0, **asked(prefer, model))
    assert np.array_equal(again.solve_batch(targets[::-1], seeds[::-1]).q[::-1], batch.q)


def test_batches_of_directions_and_lists_of_poses_are_chosen_from():
    model, frame = arm("panda")
    directions = np.random.default_rng(0).normal(size=(2, 3, 3))
    solver = ReachSolver(model, frame, mode="direction", prefer="limits")
    batch = solver.solve_batch(directions)
    assert batch.success.shape == (2, 3)
    assert np.array_equal(batch.q[1, 2], solver.solve(directions[1, 2]).q)
    poses = [pantin.SE3(target) for target in reachable(model, frame, 2, seed=11)]
    solver = ReachSolver(model, frame, prefer="limits")
    assert np.array_equal(solver.solve_batch(poses).q[1], solver.solve(poses[1]).q)


@pytest.mark.parametrize("mode", ["position", "orientation", "axis", "pointing"])
@pytest.mark.parametrize("prefer", ["limits", "manipulability"])
def test_preferences_serve_every_mode(mode, prefer):
    model, frame = arm("panda")
    for target in reachable(model, frame, 3, seed=12):
        goal = {"axis": target, "pointing": target[:3, 3] * 2.0}.get(mode)
        goal = as_asked(mode, target) if goal is None else goal
        result = reach(model, frame, goal, mode=mode, prefer=prefer)
        assert result.success
        assert result.check().success
        if prefer == "limits":
            assert margin(model, result.q) > margin(model, reach(model, frame, goal, mode=mode).q)


def test_the_largest_change_of_a_joint_counts():
    model, frame = arm("panda")
    gains = []
    for q in configurations(model, 10, seed=13):
        target = frame_placements(model, frame, q)
        seed = np.clip(q + 0.1, model.lower_position_limit, model.upper_position_limit)
        plain = reach(model, frame, target, seed, max_joint_change=0.5)
        result = reach(model, frame, target, seed, prefer="limits", max_joint_change=0.5)
        assert result.success
        assert np.abs(result.q - seed).max() <= 0.5
        gains.append(margin(model, result.q) - margin(model, plain.q))
    assert min(gains) > -1e-6
    assert max(gains) > 0.02


def test_notes_of_the_question_stay():
    model, frame = arm("panda")
    target = reachable(model, frame, 1, seed=14)[0]
    result = reach(model, frame, target, np.full(7, 9.0), prefer="limits")
    assert result.notes == ("the seed was outside the limits and was clipped",)
    assert result.starts > 100


def test_few_starts_are_few_candidates():
    model, frame = arm("panda")
    target = reachable(model, frame, 1, seed=15)[0]
    result = reach(model, frame, target, prefer="limits", options=ReachOptions(max_starts=10))
    assert result.starts <= 20


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ({"prefer": "best"}, "prefer"),
        ({"prefer": None}, "prefer"),
        ({"prefer": ["limits"]}, "prefer"),
        ({"prefer": "posture"}, "posture"),
        ({"validate": True}, "validate"),
        ({"validate": lambda q: None}, "validate"),
    ],
)
@pytest.mark.parametrize("ask", [reach, lambda *a, **k: ReachSolver(*a[:2], **k).solve(a[2])], ids=["reach", "solver"])
def test_wrong_questions_name_what_is_wrong(question, named, ask):
    model, frame = arm("ur5e")
    target = reachable(model, frame, 1, seed=16)[0]
    with pytest.raises(InvalidArgument, match=f"^{named}: "):
        ask(model, frame, target, **question)


def test_a_wrong_target_is_refused_as_ever():
    model, frame = arm("ur5e")
    with pytest.raises(InvalidArgument, match=r"^target: "):
        reach(model, frame, np.eye(3), prefer="limits")
    with pytest.raises(InvalidArgument, match=r"^seed: "):
        reach(model, frame, np.eye(4), np.zeros(5), prefer="limits")
