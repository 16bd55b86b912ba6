"""Rigid transforms are a group that acts on points and twists; exp6, log6 and their Jacobians are accurate."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lie_samples import ANGLES, bracket, directions, exponential, hat6, right_jacobian, twists
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, Jexp6, Jlog6, Motion, exp3, exp6, log6, skew

#: A few roundings of numbers of order one.
ROUNDING = 4e-15

finite = st.floats(-100.0, 100.0)
twist = st.tuples(*[finite] * 6)


def close(one, other, size=1.0):
    np.testing.assert_allclose(one.homogeneous, other.homogeneous, rtol=0, atol=ROUNDING * max(1.0, size))


def half_turn(nu):
    """Whether the logarithm may answer with the opposite turn, to the roundings of a matrix."""
    return np.pi - np.linalg.norm(nu[3:]) < 1e-11


# -- group ------------------------------------------------------------------------------------------------


@given(twist, twist, twist)
def test_transforms_are_a_group(a, b, c):
    A, B, C = exp6(a), exp6(b), exp6(c)
    close((A * B) * C, A * (B * C), 300.0)
    close(A * SE3.Identity(), A, 100.0)
    close(A * A.inverse(), SE3.Identity(), 100.0)
    close(A.inverse() * A, SE3.Identity(), 100.0)


@given(twist, twist)
def test_products_are_those_of_homogeneous_matrices(a, b):
    A, B = exp6(a), exp6(b)
    product = A.homogeneous @ B.homogeneous
    for composed in (A * B, A @ B, A.act(B)):
        np.testing.assert_allclose(composed.homogeneous, product, rtol=0, atol=1e-12)
    np.testing.assert_allclose(A.act_inv(B).homogeneous, (A.inverse() * B).homogeneous, rtol=0, atol=1e-12)


@given(twist, twist, st.tuples(finite, finite, finite))
def test_acting_on_points_follows_the_product(a, b, point):
    A, B = exp6(a), exp6(b)
    np.testing.assert_allclose((A * B).act(point), A.act(B.act(point)), rtol=0, atol=1e-12)
    np.testing.assert_allclose(A.act_inv(A.act(point)), point, rtol=0, atol=1e-12)
    homogeneous = A.homogeneous @ np.append(point, 1.0)
    for moved in (A.act(point), A * np.array(point), A @ np.array(point)):
        np.testing.assert_allclose(moved, homogeneous[:3], rtol=0, atol=1e-12)


@given(twist, twist, twist)
def test_acting_on_twists_is_the_adjoint(a, b, nu):
    A, B = exp6(a), exp6(b)
    motion = Motion(nu)
    scale = 1e-12 * 1e4  # a twist of 100 about a point at 100
    np.testing.assert_allclose(A.act(motion).vector, A.action @ nu, rtol=0, atol=scale)
    np.testing.assert_allclose((A * motion).vector, A.action @ nu, rtol=0, atol=scale)
    np.testing.assert_allclose(A.act_inv(motion).vector, A.action_inverse @ nu, rtol=0, atol=scale)
    np.testing.assert_allclose((A * B).action, A.action @ B.action, rtol=0, atol=scale)
    np.testing.assert_allclose(A.action_inverse @ A.action, np.eye(6), rtol=0, atol=scale)


def test_the_adjoint_is_the_matrix_of_the_docstring():
    M = exp6(np.arange(6.0))
    zero = np.zeros((3, 3))
    expected = np.block([[M.rotation, skew(M.translation) @ M.rotation], [zero, M.rotation]])
    np.testing.assert_allclose(M.action, expected, atol=ROUNDING * 10)


@given(twist, st.tuples(*[st.floats(-3.0, 3.0)] * 6))
def test_conjugation_is_the_adjoint_of_the_exponent(a, nu):
    A = exp6(a)
    conjugated = A * exp6(nu) * A.inverse()
    np.testing.assert_allclose(conjugated.homogeneous, exp6(A.act(Motion(nu))).homogeneous, rtol=0, atol=1e-11)


def test_points_keep_their_leading_axes():
    M = exp6(np.arange(6.0))
    points = np.arange(36.0).reshape(2, 6, 3)
    assert M.act(points).shape == (2, 6, 3)
    np.testing.assert_array_equal(M.act(points)[1, 2], M.act(points[1, 2]))
    assert M.act(np.zeros((0, 3))).shape == (0, 3)
    np.testing.assert_array_equal(M.act(np.asfortranarray(points)), M.act(points))


# -- exponential and logarithm --------------------------------------------------------------------------------


def test_exponential_equals_the_sum_of_its_series():
    for nu in twists(0):
        size = max(1.0, np.abs(nu[:3]).max())
        np.testing.assert_allclose(exp6(nu).homogeneous, exponential(hat6(nu)), rtol=0, atol=1e-15 * size)
        np.testing.assert_array_equal(exp6(Motion(nu)).homogeneous, exp6(nu).homogeneous)


def test_logarithm_undoes_the_exponential():
    for nu in twists(1):
        if half_turn(nu):
            continue
        again = log6(exp6(nu)).vector
        size = max(np.abs(nu[:3]).max(), np.linalg.norm(nu[3:]))
        np.testing.assert_allclose(again, nu, rtol=0, atol=ROUNDING * size)


def test_exponential_undoes_the_logarithm():
    for nu in twists(2):
        M = exp6(nu)
        close(exp6(log6(M)), M, np.abs(nu[:3]).max())


def test_small_turns_keep_their_digits():
    nu = np.array([1.0, 2.0, 3.0, 1e-160, -2e-160, 1e-300])
    np.testing.assert_allclose(log6(exp6(nu)).vector, nu, rtol=1e-15)


def test_transforms_are_read_from_matrices_and_pairs():
    M = exp6([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    np.testing.assert_array_equal(log6(M.homogeneous).vector, log6(M).vector)
    pair = ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0])
    np.testing.assert_array_equal(log6(pair).vector, [1, 2, 3, 0, 0, 0])


# -- Jacobians --------------------------------------------------------------------------------------------------


def test_right_jacobian_equals_the_sum_of_its_series():
    for nu in twists(3):
        size = max(1.0, np.abs(nu[:3]).max())
        np.testing.assert_allclose(Jexp6(nu), right_jacobian(bracket(nu)), rtol=0, atol=2e-15 * size)
        np.testing.assert_array_equal(Jexp6(Motion(nu)), Jexp6(nu))


def central_difference(function, step=1e-6):
    """Columns (f(h) - f(-h)) / 2h along the six axes."""
    return np.column_stack([(function(step * e) - function(-step * e)) / (2.0 * step) for e in np.eye(6)])


@pytest.mark.parametrize("angle", [a for a in ANGLES if np.pi - a > 1e-5])
def test_jacobians_equal_differences(angle):
    # second order in the step 1e-6 beside roundings of 1e-16 / 1e-6
    random = np.random.default_rng(4)
    for axis in directions(4, count=1):
        nu = np.concatenate([random.normal(size=3), angle * axis])
        M = exp6(nu)
        moved = {
            "right": lambda d, M=M, nu=nu: log6(M.act_inv(exp6(nu + d))).vector,
            "left": lambda d, M=M, nu=nu: log6(exp6(nu + d) * M.inverse()).vector,
        }
        for side, function in moved.items():
            np.testing.assert_allclose(Jexp6(nu, side), central_difference(function), atol=1e-8)
        logarithms = {
            "right": lambda d, M=M: log6(M * exp6(d)).vector,
            "left": lambda d, M=M: log6(exp6(d) * M).vector,
        }
        for side, function in logarithms.items():
            np.testing.assert_allclose(Jlog6(M, side), central_difference(function), atol=3e-8)


@pytest.mark.parametrize("side", ["right", "left"])
def test_jacobian_of_the_logarithm_is_the_inverse(side):
    for M in map(exp6, twists(5)):
        size = max(1.0, np.abs(M.translation).max())
        product = Jlog6(M, side) @ Jexp6(log6(M), side)
        np.testing.assert_allclose(product, np.eye(6), rtol=0, atol=10 * ROUNDING * size)


def test_left_jacobians_are_right_ones_at_the_opposite_twist():
    for nu in twists(6):
        size = max(1.0, np.abs(nu[:3]).max())
        np.testing.assert_array_equal(Jexp6(nu, "left"), Jexp6(-nu))
        np.testing.assert_allclose(Jexp6(nu, "left"), exp6(nu).action @ Jexp6(nu), rtol=0, atol=10 * ROUNDING * size)


# -- interpolation ------------------------------------------------------------------------------------------------


def test_interpolation_runs_along_a_screw():
    random = np.random.default_rng(7)
    for _ in range(20):
        A, B = exp6(random.normal(size=6)), exp6(random.normal(size=6))
        close(SE3.Interpolate(A, B, 0.0), A)
        close(SE3.Interpolate(A, B, 1.0), B, 5.0)
        middle = SE3.Interpolate(A, B, 0.5)
        np.testing.assert_allclose(log6(A.act_inv(middle)).vector, log6(middle.act_inv(B)).vector, atol=1e-13)


@pytest.mark.parametrize("alpha", [np.nan, np.inf, "half", None, [0.1, 0.2]])
def test_interpolation_refuses_what_is_no_number(alpha):
    with pytest.raises(InvalidArgument, match="alpha"):
        SE3.Interpolate(SE3.Identity(), SE3.Identity(), alpha)


def test_random_transforms_are_transforms():
    np.random.seed(0)
    for _ in range(20):
        M = SE3.Random()
        np.testing.assert_allclose(M.rotation @ M.rotation.T, np.eye(3), atol=ROUNDING)
        assert np.linalg.det(M.rotation) > 0.0
        assert (np.abs(M.translation) <= 1.0).all()
    np.random.seed(0)
    one = SE3.Random().homogeneous
    np.random.seed(0)
    np.testing.assert_array_equal(SE3.Random().homogeneous, one)


# -- objects ----------------------------------------------------------------------------------------------------


def test_parts_are_live_memory():
    M = SE3.Identity()
    rotation, translation = M.rotation, M.translation
    translation[1] = 5.0
    rotation[:] = exp3([0, 0, 0.3])
    np.testing.assert_allclose(M.act(np.array([1.0, 0.0, 0.0])), [np.cos(0.3), 5 + np.sin(0.3), 0.0])
    M.translation = [1, 2, 3]
    np.testing.assert_array_equal(translation, [1, 2, 3])


def test_parts_outlive_their_transform():
    translation = SE3(np.eye(3), [1.0, 2.0, 3.0]).translation
    rotation = SE3.Identity().rotation
    _ = [SE3.Random() for _ in range(100)]
    np.testing.assert_array_equal(translation, [1, 2, 3])
    np.testing.assert_array_equal(rotation, np.eye(3))


def test_arguments_are_copied():
    R, p = exp3([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    M = SE3(R, p)
    p[:] = 0.0
    R[:] = 0.0
    np.testing.assert_array_equal(M.translation, [1, 2, 3])
    np.testing.assert_allclose(np.linalg.det(M.rotation), 1.0)


@pytest.mark.parametrize(
    "duplicate",
    [SE3.copy, copy.copy, copy.deepcopy, lambda M: pickle.loads(pickle.dumps(M)), lambda M: SE3(M.homogeneous)],
    ids=["copy", "copy.copy", "deepcopy", "pickle", "matrix"],
)
def test_copies_have_memory_of_their_own(duplicate):
    M = exp6(np.arange(6.0))
    other = duplicate(M)
    np.testing.assert_array_equal(other.homogeneous, M.homogeneous)
    other.translation[0] = 100.0
    assert M.translation[0] != 100.0


@pytest.mark.parametrize("duplicate", [Motion.copy, copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_motions_are_copied_with_memory_of_their_own(duplicate):
    motion = Motion(np.arange(6.0))
    other = duplicate(motion)
    np.testing.assert_array_equal(other.vector, motion.vector)
    other.linear[0] = 100.0
    assert motion.vector[0] == 0.0


def test_motions_are_vectors():
    a, b = np.arange(6.0), np.array([3.0, -1.0, 2.0, 0.5, 0.0, -2.0])
    np.testing.assert_array_equal((Motion(a) + Motion(b)).vector, a + b)
    np.testing.assert_array_equal((Motion(a) - Motion(b)).vector, a - b)
    np.testing.assert_array_equal((-Motion(b)).vector, -b)
    np.testing.assert_array_equal((2.5 * Motion(b)).vector, 2.5 * b)
    np.testing.assert_array_equal((Motion(b) * 2).vector, 2 * b)
    np.testing.assert_array_equal(Motion.Zero().vector, np.zeros(6))
    motion = Motion(a)
    motion.linear = [7, 8, 9]
    motion.angular[2] = -1.0
    np.testing.assert_array_equal(motion.vector, [7, 8, 9, 3, 4, -1])
    motion.asarray()[0] = 0.5
    assert motion.linear[0] == 0.5


def test_numpy_reads_transforms_and_motions():
    M = exp6(np.arange(6.0))
    np.testing.assert_array_equal(np.asarray(M), M.homogeneous)
    assert np.asarray(M, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.array(M, copy=False)
    motion = Motion(np.arange(6.0))
    view = np.asarray(motion)
    view[0] = 9.0
    assert motion.vector[0] == 9.0
    np.array(motion)[0] = 1.0
    assert motion.vector[0] == 9.0


def test_is_approx_is_allclose():
    M = exp6(np.arange(6.0))
    moved = M.copy()
    moved.translation[0] += 1e-9
    assert M.is_approx(M)
    assert M.is_approx(moved, 1e-8)
    moved.translation[0] += 1.0
    assert not M.is_approx(moved)
    moved.translation[0] = np.nan
    assert not M.is_approx(moved)


def test_representations_show_the_numbers():
    assert "0.125" in repr(SE3(np.eye(3), [0.125, 0, 0]))
    assert repr(Motion(np.arange(6.0))) == "Motion([0. 1. 2. 3. 4. 5.])"


# -- the door -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((2 * np.eye(3),), "rotation: expected a rotation"),
        ((np.diag([1.0, 1.0, -1.0]),), "rotation: .*reflection"),
        ((np.eye(3), [1, 2]), "translation: expected 3 numbers"),
        ((np.eye(3), [1, 2, np.nan]), "translation: .*nan at index"),
        ((np.full((3, 3), np.inf),), "rotation: .*finite"),
        ((np.eye(4), [0, 0, 0]), "rotation: .*shape"),
        ((np.ones((4, 4)),), "rotation: .*last row"),
        (("R",), "rotation: .*real numbers"),
        ((np.eye(3), "p"), "translation: .*real numbers"),
        ((np.eye(3, dtype=complex),), "rotation: .*complex"),
    ],
)
def test_what_is_not_a_transform_is_refused(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        SE3(*arguments)


def test_a_refused_assignment_changes_nothing():
    M = exp6(np.arange(6.0))
    before = M.homogeneous
    for name, value in [("rotation", np.zeros((3, 3))), ("translation", [1, 2]), ("translation", [np.nan] * 3)]:
        with pytest.raises(InvalidArgument, match=name):
            setattr(M, name, value)
    np.testing.assert_array_equal(M.homogeneous, before)


@pytest.mark.parametrize("function", [exp6, Jexp6])
@pytest.mark.parametrize("value", [[1, 2, 3], [np.nan] * 6, None, "abc", np.eye(6), [1j] * 6, SE3.Identity()])
def test_what_is_not_a_twist_is_refused(function, value):
    with pytest.raises(InvalidArgument, match=r"^nu: "):
        function(value)


@pytest.mark.parametrize("function", [log6, Jlog6])
@pytest.mark.parametrize(
    "value",
    [np.eye(3), np.ones((4, 4)), None, "abc", Motion.Zero(), ([0, 0, 0], [0, 0, 0, 2]), np.full((4, 4), np.nan)],
)
def test_what_is_not_a_pose_is_refused(function, value):
    with pytest.raises(InvalidArgument):
        function(value)


@pytest.mark.parametrize("value", [[1, 2], np.ones((3, 2)), [np.nan] * 3, "abc"])
def test_what_is_not_points_is_refused(value):
    for act in (SE3.Identity().act, SE3.Identity().act_inv):
        with pytest.raises(InvalidArgument, match=r"^other: "):
            act(value)


@pytest.mark.parametrize("value", [3, 3.0, None, "abc", [1, 2, 3], object()])
def test_products_with_other_things_are_type_errors(value):
    with pytest.raises(TypeError):
        SE3.Identity() * value
    with pytest.raises(TypeError):
        SE3.Identity() @ value


@pytest.mark.parametrize("value", [[1, 2], [np.nan] * 6, None, "abc", 1.0])
def test_what_is_not_six_numbers_is_no_motion(value):
    with pytest.raises((InvalidArgument, TypeError)):
        Motion(value)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the binding also warns
def test_objects_without_a_value_are_refused():
    for read in (
        lambda: SE3.__new__(SE3).rotation,
        lambda: SE3.__new__(SE3).homogeneous,
        lambda: SE3.Identity() * SE3.__new__(SE3),
        lambda: log6(SE3.__new__(SE3)),
        lambda: Motion.__new__(Motion).vector,
        lambda: exp6(Motion.__new__(Motion)),
        lambda: SE3.rotation.fget(3),
        lambda: SE3.rotation.fget(Motion.Zero()),
        lambda: SE3.Identity().__init__(),
        lambda: SE3.Identity().__setstate__(np.eye(4)),
    ):
        with pytest.raises(TypeError):
            read()
