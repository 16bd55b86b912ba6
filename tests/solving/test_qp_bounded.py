"""Quadratic programs within bounds: laws of the minimum, witnesses, and the cases that break solvers."""

import numpy as np
import pytest
from qp_cases import Program, optimality, random_bounded
from scipy.linalg import hilbert
from scipy.optimize import lsq_linear

from pantin import _core

SIZES = [1, 2, 6, 7, 8, 9, 15, 16, 17, 31, 35, 40, 44, 64, 100]


@pytest.mark.parametrize("n", SIZES)
def test_without_bounds_it_is_a_linear_system(n):
    rng = np.random.default_rng(n)
    program = random_bounded(rng, n).but(lower=None, upper=None)
    outcome = program.solve()
    assert (outcome.status, outcome.iterations, outcome.conflicts) == ("solved", 1, [])
    # both solvers lose the condition's digits
    tolerance = 1e-14 * np.linalg.cond(program.H)
    np.testing.assert_allclose(outcome.x, np.linalg.solve(program.H, -program.c), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("n", SIZES)
def test_the_minimum_is_one_from_any_guess(n):
    rng = np.random.default_rng(n)
    for _ in range(12):
        program = random_bounded(rng, n, room=float(rng.choice([0.03, 0.3, 3.0])))
        cold, warm = program.solve(), program.solve(held=rng.integers(-1, 2, size=n))
        for outcome in (cold, warm):
            assert outcome.status == "solved"
            assert optimality(program, outcome) < 1e-9
        np.testing.assert_allclose(warm.x, cold.x, atol=1e-9)
        again = program.solve(held=cold.held)
        assert again.iterations == 1
        np.testing.assert_allclose(again.x, cold.x, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n", [1, 3, 7, 20, 35])
def test_scipy_finds_the_same_minimum(n):
    rng = np.random.default_rng(n)
    for _ in range(5):
        J, y = rng.normal(size=(n + 3, n)), rng.normal(size=n + 3)
        lower, upper = -0.2 * rng.random(n), 0.2 * rng.random(n)
        theirs = lsq_linear(J, y, (lower, upper), method="bvls", tol=1e-14)
        ours = Program(J.T @ J, -J.T @ y, lower, upper).solve()
        np.testing.assert_allclose(ours.x, theirs.x, atol=1e-9)


def test_held_says_which_bound_holds():
    outcome = Program(np.eye(4), np.array([-5.0, 0.0, 5.0, 1.0]), -np.ones(4), np.ones(4)).solve()
    np.testing.assert_array_equal(outcome.x, [1, 0, -1, -1])
    np.testing.assert_array_equal(outcome.held[:3], [1, 0, -1])
    np.testing.assert_array_equal(outcome.multipliers, [4, 0, -4, 0])  # the last one touches its bound
    assert outcome.held.dtype == np.int8


def test_bounds_without_room_hold_their_unknowns():
    rng = np.random.default_rng(5)
    program = random_bounded(rng, 12)
    point = rng.normal(size=12)
    outcome = program.but(lower=point, upper=point).solve()
    assert outcome.status == "solved"
    np.testing.assert_array_equal(outcome.x, point)
    assert optimality(program.but(lower=point, upper=point), outcome) < 1e-12


def test_bounds_far_away_change_no_bit():
    program = random_bounded(np.random.default_rng(6), 20)
    free = program.but(lower=None, upper=None).solve()
    far = program.but(lower=np.full(20, -1e6), upper=np.full(20, np.inf)).solve()
    np.testing.assert_array_equal(far.x, free.x)


def test_small_whole_numbers_with_many_ties_are_solved():
    rng = np.random.default_rng(7)
    for _ in range(300):
        n = int(rng.integers(2, 7))
        J = rng.integers(-2, 3, size=(n, n)).astype(float)
        program = Program(
            J.T @ J + np.eye(n), rng.integers(-3, 4, size=n) * 1.0, -np.ones(n), rng.integers(-1, 2, size=n) * 1.0
        )
        outcome = program.solve()
        assert outcome.status == "solved"
        assert optimality(program, outcome) < 1e-12


def test_blocks_that_would_go_round_in_circles_end():
    # nearly parallel unknowns: exchanging all that are wrong at once overshoots again and again
    rng = np.random.default_rng(8)
    for n in (5, 20, 50):
        for _ in range(20):
            J = rng.normal(size=(n, n)) @ np.diag(10.0 ** rng.uniform(-3, 0, n)) + rng.normal(size=(n, 1))
            program = Program(J.T @ J + 1e-6 * np.eye(n), 10 * rng.normal(size=n), -np.ones(n), np.ones(n))
            outcome = program.solve(held=rng.integers(-1, 2, size=n))
            assert outcome.status == "solved"
            assert optimality(program, outcome) < 1e-9


@pytest.mark.parametrize("n", [4, 8, 12])
def test_nearly_singular_objectives_give_a_minimum(n):
    program = Program(hilbert(n), -hilbert(n) @ np.ones(n), np.full(n, -0.9), np.full(n, 0.9))
    outcome = program.solve()
    assert outcome.status == "solved"
    assert optimality(program, outcome) < 1e-9


@pytest.mark.parametrize("exponent", [-12, 12])
def test_units_do_not_matter(exponent):
    program = random_bounded(np.random.default_rng(9), 15)
    scale = 10.0**exponent
    outcome = program.but(H=scale * program.H, c=scale * program.c).solve()
    assert outcome.status == "solved"
    np.testing.assert_allclose(outcome.x, program.solve().x, rtol=1e-9, atol=1e-12)
    stretched = program.but(c=scale * program.c, lower=scale * program.lower, upper=scale * program.upper).solve()
    np.testing.assert_allclose(stretched.x / scale, program.solve().x, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("n", [2, 7, 16, 35])
@pytest.mark.parametrize("share", [0.3, 0.8])
def test_a_singular_objective_gives_the_minimum_of_least_norm(n, share):
    rng = np.random.default_rng(n)
    J, y = rng.normal(size=(max(int(share * n), 1), n)), rng.normal(size=max(int(share * n), 1))
    program = Program(J.T @ J, -J.T @ y)
    outcome = program.solve()
    assert outcome.status == "solved"
    assert optimality(program, outcome) < 1e-9
    # off by the pull, 1e-7 of the largest entry of H, over its least eigenvalue
    np.testing.assert_allclose(outcome.x, np.linalg.pinv(J) @ y, atol=1e-5 * np.linalg.norm(np.linalg.pinv(J) @ y))


def test_the_least_norm_holds_within_bounds_too():
    # x + y = 1 is all that counts, and x may not take its half
    outcome = Program(np.ones((2, 2)), -np.ones(2), np.array([-1.0, -1.0]), np.array([0.2, 5.0])).solve()
    np.testing.assert_allclose(outcome.x, [0.2, 0.8], atol=1e-9)
    free = Program(np.ones((2, 2)), -np.ones(2), -np.ones(2), np.ones(2)).solve()
    np.testing.assert_allclose(free.x, [0.5, 0.5], atol=1e-6)


def test_no_objective_gives_zero_or_what_is_next_to_it():
    outcome = Program(np.zeros((3, 3)), np.zeros(3), np.array([-1.0, 2.0, -4.0]), np.array([1.0, 3.0, -3.0])).solve()
    assert outcome.status == "solved"
    np.testing.assert_array_equal(outcome.x, [0, 2, -3])


def test_a_linear_objective_ends_at_a_corner():
    outcome = Program(np.zeros((3, 3)), np.array([1.0, -2.0, 1e-3]), -np.ones(3), np.full(3, 5.0)).solve()
    assert outcome.status == "solved"
    np.testing.assert_array_equal(outcome.x, [-1, 5, -1])


def test_an_objective_without_a_minimum_stalls_at_finite_numbers():
    outcome = Program(np.diag([1.0, 0.0]), np.array([1.0, 1.0])).solve()
    assert outcome.status == "stalled"
    assert np.isfinite(outcome.x).all()


def test_an_objective_that_curves_down_stalls_within_the_bounds():
    outcome = Program(np.diag([1.0, -1.0]), np.zeros(2), -np.ones(2), np.ones(2)).solve()
    assert outcome.status == "stalled"
    assert (np.abs(outcome.x) <= 1).all()


def test_bounds_that_contradict_each_other_are_reported_and_the_rest_is_solved():
    lower, upper = np.array([-1.0, 2.0, -1.0]), np.array([1.0, 1.0, 1.0])
    outcome = Program(np.eye(3), np.array([-5.0, 0.0, 0.5]), lower, upper).solve()
    assert outcome.status == "infeasible"
    assert outcome.conflicts == [1]
    np.testing.assert_array_equal(outcome.x, [1, 1.5, -0.5])


@pytest.mark.parametrize("name", ["H", "c", "lower", "upper"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_give_a_status_and_finite_unknowns(name, value):
    if (name, value) in (("lower", -np.inf), ("upper", np.inf)):
        return
    for n in (1, 7, 20):
        for held in (np.zeros(n), np.ones(n)):
            program = random_bounded(np.random.default_rng(n), n)
            arguments = program.arguments()
            arguments[name] = arguments[name].copy()
            where = (n // 2, n // 2) if name == "H" else n // 2
            arguments[name][where] = value
            outcome = _core.solve_qp(**arguments, held=held, finite=False)
            assert outcome.status == "not_finite"
            assert np.isfinite(outcome.x).all()


def test_no_unknowns_are_solved():
    outcome = _core.solve_qp(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros(0))
    assert outcome.status == "solved"
    assert outcome.x.shape == (0,)
