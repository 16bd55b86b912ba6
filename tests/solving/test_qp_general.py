"""Quadratic programs with rows: laws of the minimum, witnesses, infeasible ones, and the door."""

import numpy as np
import pytest
import qpsolvers
from hypothesis import given
from hypothesis import strategies as st
from qp_cases import Program, optimality, random_bounded, random_general
from scipy.optimize import linprog, lsq_linear

from pantin import _core
from pantin.errors import InvalidArgument

SIZES = [1, 2, 5, 7, 8, 13, 24, 35, 44]


@pytest.mark.parametrize("n", SIZES)
def test_the_minimum_is_one_from_any_guess(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        program = random_general(rng, n)
        cold = program.solve()
        warm = program.solve(held=rng.integers(-1, 2, size=n + len(program.rows)))
        for outcome in (cold, warm):
            assert outcome.status == "solved"
            assert optimality(program, outcome) < 1e-9
        np.testing.assert_allclose(warm.x, cold.x, atol=1e-8)


@pytest.mark.parametrize("n", [3, 7, 20, 35])
def test_a_singular_objective_gives_a_minimum(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        program = random_general(rng, n, rank=int(rng.integers(0, n)))
        outcome = program.solve()
        assert outcome.status == "solved"
        assert optimality(program, outcome) < 1e-9


@pytest.mark.parametrize("n", [2, 7, 20, 35])
def test_daqp_finds_the_same_minimum(n):
    rng = np.random.default_rng(n)
    for _ in range(5):
        program = random_general(rng, n)
        p = program
        ours = p.solve()
        theirs = qpsolvers.solve_qp(p.H, p.c, p.G, p.h, p.A, p.b, p.lower, p.upper, solver="daqp", primal_tol=1e-9)
        assert abs(p.objective(ours.x) - p.objective(theirs)) <= 1e-6 * (1 + abs(p.objective(theirs)))


def with_equalities(rng, n, k):
    """A program with k equalities that some x within the bounds satisfies."""
    program = random_bounded(rng, n)
    A = rng.normal(size=(k, n))
    return program.but(A=A, b=A @ np.clip(np.zeros(n), program.lower, program.upper))


@pytest.mark.parametrize("n", [7, 35])
def test_the_last_answer_is_a_guess_that_needs_no_other(n):
    rng = np.random.default_rng(1)
    program = with_equalities(rng, n, n // 4)
    G = rng.normal(size=(n // 2, n))
    program = program.but(G=G, h=G @ np.clip(np.zeros(n), program.lower, program.upper) + 0.01)
    first = program.solve()
    again = program.solve(held=first.held)
    assert first.status == "solved"
    assert first.held[-n // 2 :].any()
    assert again.iterations == 1
    np.testing.assert_array_equal(again.held, first.held)
    np.testing.assert_allclose(again.x, first.x, atol=1e-12)


@pytest.mark.parametrize("n", [1, 7, 20])
def test_bounds_are_rows_that_cost_less(n):
    program = random_bounded(np.random.default_rng(n), n)
    as_rows = program.but(
        lower=None, upper=None, G=np.vstack([np.eye(n), -np.eye(n)]), h=np.concatenate([program.upper, -program.lower])
    )
    bounds, rows = program.solve(), as_rows.solve()
    np.testing.assert_allclose(rows.x, bounds.x, atol=1e-9)
    np.testing.assert_allclose(rows.multipliers[n : 2 * n] - rows.multipliers[2 * n :], bounds.multipliers, atol=1e-9)


def test_two_inequalities_make_an_equality():
    program = with_equalities(np.random.default_rng(2), 9, 3)
    squeezed = program.but(A=None, b=None, G=np.vstack([program.A, -program.A]), h=np.append(program.b, -program.b))
    np.testing.assert_allclose(squeezed.solve().x, program.solve().x, atol=1e-8)


def test_rows_without_a_right_side_never_hold():
    rng = np.random.default_rng(3)
    program = random_bounded(rng, 6).but(G=rng.normal(size=(4, 6)), h=np.full(4, np.inf))
    outcome = program.solve(held=np.ones(10))
    assert outcome.status == "solved"
    assert not outcome.held[6:].any()
    np.testing.assert_allclose(outcome.x, program.but(G=None, h=None).solve().x, atol=1e-12)


def test_equalities_that_others_imply_are_dropped():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(3, 8))
    A = np.vstack([A, A[0] + A[1], 2 * A[2]])
    program = random_bounded(rng, 8).but(lower=None, upper=None, A=A, b=A @ rng.normal(size=8))
    outcome = program.solve()
    assert outcome.status == "solved"
    assert outcome.held[8:].sum() == 3
    assert optimality(program, outcome) < 1e-9
    assert program.solve(held=outcome.held).iterations == 1


@pytest.mark.parametrize("singular", [False, True])
def test_rows_and_bounds_may_leave_one_point_alone(singular):
    rng = np.random.default_rng(10)
    for _ in range(30):
        n, k = int(rng.integers(2, 36)), int(rng.integers(1, 12))
        # the corner where the first row is largest; the other rows meet there, too
        A = rng.normal(size=(k, n))
        corner = np.where(A[0] > 0, 0.06, -0.06)
        program = random_bounded(rng, n, rank=n // 2 if singular else None)
        program = program.but(lower=np.full(n, -0.06), upper=np.full(n, 0.06), A=A, b=A @ corner)
        outcome = program.solve()
        assert outcome.status == "solved"
        np.testing.assert_allclose(outcome.x, corner, atol=1e-8 / np.abs(A[0]).min())


def test_equalities_that_contradict_each_other_are_named():
    A = np.array([[1.0, 0, 0], [0, 1, 0], [0, 2, 0]])
    outcome = Program(np.eye(3), np.zeros(3), A=A, b=np.array([1.0, 1.0, 3.0])).solve()
    assert outcome.status == "infeasible"
    assert outcome.conflicts == [4, 5]
    assert np.isfinite(outcome.x).all()


def test_a_row_that_nothing_satisfies_conflicts_with_itself():
    outcome = Program(np.eye(2), np.zeros(2), G=np.array([[1.0, 0], [0, 0]]), h=np.array([1.0, -1.0])).solve()
    assert outcome.status == "infeasible"
    assert outcome.conflicts == [3]


def feasible(program, constraints):
    """Whether some x satisfies the constraints of these numbers, by linear programming."""
    n, k = len(program.c), program.nequal
    lower = [program.lower[i] if i in constraints else None for i in range(n)]
    upper = [program.upper[i] if i in constraints else None for i in range(n)]
    equal = [i for i in range(k) if n + i in constraints]
    below = [i for i in range(k, len(program.rows)) if n + i in constraints]
    rows, right = program.rows, program.right
    found = linprog(
        np.zeros(n), rows[below], right[below], rows[equal], right[equal], list(zip(lower, upper, strict=True))
    )
    return found.status == 0


def test_conflicts_are_few_and_cannot_hold_together():
    rng = np.random.default_rng(5)
    infeasible = 0
    for _ in range(60):
        n, k, m = int(rng.integers(2, 8)), int(rng.integers(0, 3)), int(rng.integers(2, 12))
        program = Program(np.eye(n), rng.normal(size=n), -np.ones(n), np.ones(n))
        program = program.but(G=rng.normal(size=(m, n)), h=rng.normal(size=m) - 0.5)
        program = program.but(A=rng.normal(size=(k, n)), b=rng.normal(size=k))
        outcome = program.solve()
        everything = range(n + k + m)
        assert (outcome.status == "solved") == feasible(program, everything)
        if outcome.status == "solved":
            assert outcome.conflicts == []
            continue
        infeasible += 1
        conflicts = outcome.conflicts
        assert len(conflicts) <= n + 1  # as Helly and Farkas have it
        assert not feasible(program, conflicts)
        assert all(feasible(program, set(conflicts) - {one}) for one in conflicts)
    assert infeasible > 10


def misses(program, x):
    """What equalities and inequalities are missed by."""
    missed = program.rows @ x - program.right
    missed[program.nequal :] = np.maximum(missed[program.nequal :], 0)
    return missed


def least_violating(program):
    return _core.least_violating_qp(**program.arguments())


def test_equalities_too_many_are_least_squares():
    rng = np.random.default_rng(6)
    for _ in range(10):
        n = int(rng.integers(1, 12))
        A, b = rng.normal(size=(n + 4, n)), rng.normal(size=n + 4)
        program = random_bounded(rng, n).but(lower=-0.3 * np.ones(n), upper=0.3 * np.ones(n), A=A, b=b)
        theirs = lsq_linear(A, b, (program.lower, program.upper), method="bvls", tol=1e-14)
        np.testing.assert_allclose(least_violating(program), theirs.x, atol=1e-9)


def test_the_least_violating_step_cannot_be_bettered():
    rng = np.random.default_rng(7)
    for _ in range(20):
        n, k, m = int(rng.integers(2, 15)), int(rng.integers(0, 4)), int(rng.integers(1, 15))
        program = random_bounded(rng, n).but(lower=-0.3 * np.ones(n), upper=0.3 * np.ones(n))
        program = program.but(G=rng.normal(size=(m, n)), h=rng.normal(size=m))
        program = program.but(A=rng.normal(size=(k, n)), b=3 * rng.normal(size=k))
        x = least_violating(program)
        assert (np.abs(x) <= 0.3).all()
        # the slope of half the sum of squares points out of the bounds, where it does not vanish
        slope = program.rows.T @ misses(program, x)
        slope[(x == program.lower) & (slope > 0)] = 0
        slope[(x == program.upper) & (slope < 0)] = 0
        assert np.abs(slope).max() < 1e-9
        # and of all that miss the rows by as much, none has a lower objective
        loosened = program.right + misses(program, x) + 1e-9
        same = program.but(
            A=None, b=None, G=np.vstack([program.rows, -program.A]), h=np.append(loosened, 1e-9 - program.A @ x)
        )
        assert program.objective(x) < program.objective(same.solve().x) + 1e-4


def test_the_least_violating_step_of_what_is_feasible_is_the_minimum():
    rng = np.random.default_rng(8)
    for _ in range(10):
        program = random_general(rng, int(rng.integers(1, 20)))
        lengths = np.linalg.norm(program.G, axis=1)
        program = program.but(G=program.G / lengths[:, None], h=program.h / lengths)
        np.testing.assert_allclose(least_violating(program), program.solve().x, atol=1e-7)


def test_rows_that_differ_by_next_to_nothing_lead_nowhere_far():
    # x[1] would have to be 1e9 for both of the rows to hold
    program = Program(np.eye(2), np.zeros(2), G=np.array([[1.0, 1e-9], [-1.0, 1e-9]]), h=np.array([-1.0, -1.0]))
    outcome = program.solve()
    assert outcome.status == "infeasible"
    assert outcome.conflicts == [2, 3]
    np.testing.assert_allclose(least_violating(program), 0, atol=0.1)


@pytest.mark.parametrize("name", ["G", "A", "b", "h"])
def test_rows_that_are_no_numbers_give_a_status_and_finite_unknowns(name):
    program = random_bounded(np.random.default_rng(9), 5).but(
        G=np.ones((1, 5)), h=np.ones(1), A=np.eye(5)[:1], b=np.zeros(1)
    )
    arguments = program.arguments()
    arguments[name] = np.full_like(arguments[name], np.nan)
    outcome = _core.solve_qp(**arguments, finite=False)
    assert outcome.status == "not_finite"
    assert np.isfinite(outcome.x).all()
    assert np.isfinite(_core.least_violating_qp(**arguments, finite=False)).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"H": np.eye(3)}, r"c: expected 3 numbers, got shape \(2,\)"),
        ({"H": np.ones(2)}, r"H: expected a symmetric matrix, got shape \(2,\)"),
        ({"H": np.ones((2, 3))}, r"H: expected shape \(2, 2\), got \(2, 3\)"),
        ({"H": np.array([[1.0, 2.0], [0.0, 1.0]])}, r"H: expected a symmetric matrix, got one with \|H - H'\| = 2"),
        ({"H": None}, "H: expected a symmetric matrix, got None"),
        ({"c": np.array([np.nan, 0])}, r"c: expected finite numbers, got nan at index \[0\]"),
        ({"lower": np.array([np.nan, 0])}, "lower: expected numbers, got nan"),
        ({"lower": np.zeros(3)}, r"lower: expected 2 numbers, got shape \(3,\)"),
        ({"G": np.eye(2)}, "h: expected a number for each row of G, got None"),
        ({"b": np.ones(2)}, "b: expected none where A is None"),
        ({"G": np.eye(3), "h": np.ones(3)}, r"G: expected shape \(rows, 2\), got \(3, 3\)"),
        ({"G": np.eye(2), "h": np.ones(3)}, r"h: expected 2 numbers, got shape \(3,\)"),
        ({"A": np.eye(2), "b": np.full(2, np.inf)}, "b: expected finite numbers, got inf"),
        ({"held": np.ones(3)}, r"held: expected 2 numbers, got shape \(3,\)"),
        ({"c": "ab"}, "c: expected real numbers"),
    ],
)
def test_a_wrong_question_is_told_in_a_sentence(changes, message):
    with pytest.raises(InvalidArgument, match=message):
        _core.solve_qp(**({"H": np.eye(2), "c": np.zeros(2)} | changes))


numbers = st.one_of(
    st.floats(-5, 5), st.sampled_from([0.0, 1.0, -1.0, 1e-9, 1e9, 1e150, -1e200, np.inf, -np.inf, np.nan])
)


@given(st.data())
def test_whatever_comes_is_refused_or_answered_in_finite_numbers(data):
    n, m, k = (data.draw(st.integers(0, 4)) for _ in range(3))

    def array(*shape):
        size = int(np.prod(shape))
        return np.array(data.draw(st.lists(numbers, min_size=size, max_size=size))).reshape(shape)

    J = array(n, n)
    with np.errstate(all="ignore"):
        H = J.T @ J
    arguments = {"H": H, "c": array(n), "lower": array(n), "upper": array(n), "G": array(m, n), "h": array(m)}
    arguments |= {"A": array(k, n), "b": array(k)}
    finite = data.draw(st.booleans())
    held = data.draw(st.lists(st.integers(-1, 1), min_size=n + m + k, max_size=n + m + k))
    try:
        outcome = _core.solve_qp(**arguments, held=held, finite=finite)
        x = _core.least_violating_qp(**arguments, finite=finite)
    except InvalidArgument:
        return
    assert np.isfinite(outcome.x).all()
    assert np.isfinite(outcome.multipliers).all()
    assert np.isfinite(x).all()
    if outcome.status != "not_finite" and (arguments["lower"] <= arguments["upper"]).all():
        assert (arguments["lower"] <= outcome.x).all()
        assert (outcome.x <= arguments["upper"]).all()
