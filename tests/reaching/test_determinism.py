"""Equal questions have equal answers, bit for bit, whatever else is asked, in any order, on any number of threads."""

import threading

import numpy as np
import pytest
from questions import arm, as_asked, configurations, reachable

import models
from pantin.kinematics import neutral
from pantin.reaching import ReachOptions, ReachSolver

COLUMNS = ("q", "success", "position_error", "rotation_error", "seed_distance", "iterations", "starts")


def questions(name, mode):
    """A solver with targets of which some are reachable, some not, and some many starts away."""
    if name == "every kind":
        model = models.random_tree(["RZ", "ball", "RUBX", "planar", "HY", "PX"], 6, chain=True)
        frame = model.frames[-1].name
    else:
        model, frame = arm(name)
    poses = reachable(model, frame, 120, seed=7)
    poses[::9, :3, 3] *= 3.0
    return ReachSolver(model, frame, mode=mode), as_asked(mode, poses)


def assert_same(batch, other):
    """Two batches agree in every bit."""
    for column in COLUMNS:
        assert np.array_equal(getattr(batch, column), getattr(other, column)), column
    assert list(batch.status) == list(other.status)


CASES = [("panda", "pose"), ("arctos", "pose"), ("ur5e", "position"), ("panda", "orientation"), ("every kind", "pose")]


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_a_batch_gives_the_bits_of_single_solves(name, mode):
    solver, targets = questions(name, mode)
    batch = solver.solve_batch(targets)
    for k, target in enumerate(targets):
        result = solver.solve(target)
        assert np.array_equal(result.q, batch.q[k])
        assert result.status == batch.status[k]
        assert result.position_error == batch.position_error[k]
        assert result.rotation_error == batch.rotation_error[k]
        assert result.seed_distance == batch.seed_distance[k]
        assert (result.iterations, result.starts) == (batch.iterations[k], batch.starts[k])


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_the_order_of_targets_does_not_matter(name, mode):
    solver, targets = questions(name, mode)
    order = np.random.default_rng(0).permutation(len(targets))
    batch, shuffled = solver.solve_batch(targets), solver.solve_batch(targets[order])
    assert np.array_equal(batch.q[order], shuffled.q)
    assert np.array_equal(batch.iterations[order], shuffled.iterations)


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_the_number_of_threads_does_not_matter(threads):
    solver, targets = questions("panda", "pose")
    many = np.concatenate([targets] * 5)
    assert_same(solver.solve_batch(many), solver.solve_batch(many, threads=threads))


def test_asking_again_gives_the_same_bits():
    solver, targets = questions("arctos", "pose")
    assert_same(solver.solve_batch(targets), solver.solve_batch(targets))


def test_threads_that_share_a_solver_get_the_same_bits():
    solver, targets = questions("panda", "pose")
    expected = solver.solve_batch(targets).q
    answers = [None] * 4

    def work(k):
        answers[k] = np.array([solver.solve(target).q for target in targets])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(expected, answer) for answer in answers)


def test_the_random_seed_chooses_later_starts_and_nothing_else():
    model, frame = arm("ur5e")
    targets = reachable(model, frame, 200, seed=8)
    first, other = (
        ReachSolver(model, frame, options=ReachOptions(random_seed=seed)).solve_batch(targets, neutral(model))
        for seed in (0, 1)
    )
    same = (first.q == other.q).all(axis=-1)
    own = (first.starts == 1) & (other.starts == 1)
    assert np.array_equal(first.starts == 1, other.starts == 1)
    assert same[own].all()
    assert not same[~own].all()


@pytest.mark.parametrize("kinds", [["RZ"], ["HY"], ["PX"], ["RUBZ"], ["RZ", "RY"], ["RZ", "RY", "RX", "RY"]])
@pytest.mark.parametrize("mode", ["pose", "position", "orientation", "axis", "direction", "pointing"])
def test_short_chains_far_from_their_targets_have_the_same_bits_alone(kinds, mode):
    for seed in range(4):
        model = models.random_tree(kinds, seed, chain=True)
        frame = model.frames[-1].name
        poses, seeds = reachable(model, frame, 20, seed), configurations(model, 20, seed + 1)
        poses[:, :3, 3] += 0.3
        targets = as_asked(mode, poses)
        solver = ReachSolver(model, frame, mode=mode, options=ReachOptions(max_starts=4))
        batch = solver.solve_batch(targets, seeds)
        for target, start, q in zip(targets, seeds, batch.q, strict=True):
            assert np.array_equal(solver.solve(target, start).q, q)
