"""Rotations are a group; exponential, logarithm and their Jacobians are accurate at every angle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from lie_samples import ANGLES, directions, exponential, hat3, right_jacobian, turns
from pantin.errors import InvalidArgument
from pantin.kinematics import (
    Jexp3,
    Jlog3,
    exp3,
    log3,
    matrix_to_quaternion,
    matrix_to_rpy,
    quaternion_to_matrix,
    quaternion_wxyz,
    rpy_to_matrix,
    skew,
)

#: A few roundings of numbers of order one.
ROUNDING = 4e-15

finite = st.floats(-1e6, 1e6)
vectors = st.tuples(finite, finite, finite)


@given(vectors)
def test_exponentials_are_rotations(w):
    R = exp3(w)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=ROUNDING)
    np.testing.assert_allclose(np.linalg.det(R), 1.0, atol=ROUNDING)


@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_equals_the_sum_of_its_series(angle):
    for axis in directions(0):
        w = angle * axis
        np.testing.assert_allclose(exp3(w), exponential(hat3(w)), rtol=0, atol=8e-16)


@pytest.mark.parametrize("angle", ANGLES)
def test_logarithm_undoes_the_exponential(angle):
    for axis in directions(0):
        w = angle * axis
        again = log3(exp3(w))
        if np.pi - angle < 1e-11:  # w and -w turn alike, to the roundings of the matrix
            again *= np.sign(again @ w)
        # relative to the angle: 1e-300 comes back in full
        np.testing.assert_allclose(again, w, rtol=0, atol=ROUNDING * angle)


def test_exponential_undoes_the_logarithm():
    for w in turns(1):
        R = exp3(w)
        np.testing.assert_allclose(exp3(log3(R)), R, atol=ROUNDING)


def test_logarithm_turns_by_at_most_half_a_turn():
    random = np.random.default_rng(0)
    for _ in range(100):
        R = Rotation.random(random_state=random).as_matrix()
        assert np.linalg.norm(log3(R)) <= np.pi
        np.testing.assert_allclose(log3(R), Rotation.from_matrix(R).as_rotvec(), atol=1e-13)  # scipy's roundings


@pytest.mark.parametrize(
    ("diagonal", "axis"),
    [((1, -1, -1), (1, 0, 0)), ((-1, 1, -1), (0, 1, 0)), ((-1, -1, 1), (0, 0, 1))],
)
def test_logarithm_of_half_a_turn_has_a_positive_axis(diagonal, axis):
    np.testing.assert_array_equal(log3(np.diag(diagonal)), np.pi * np.array(axis))


def test_logarithm_of_half_a_turn_has_a_positive_first_component():
    for axis in directions(3, count=20):
        first = axis[np.flatnonzero(axis)[0]]
        R = 2.0 * np.outer(axis, axis) - np.eye(3)  # symmetric, so that the scalar of the quaternion is zero
        np.testing.assert_allclose(log3(R), np.pi * axis * np.sign(first), atol=1e-14)


def test_turns_about_one_axis_add():
    random = np.random.default_rng(2)
    for axis in directions(2):
        a, b = random.uniform(-5.0, 5.0, size=2)
        np.testing.assert_allclose(exp3(a * axis) @ exp3(b * axis), exp3((a + b) * axis), atol=ROUNDING)


def test_rotated_axes_turn_alike():
    random = np.random.default_rng(3)
    for _ in range(20):
        R, w = exp3(random.normal(size=3)), random.normal(size=3)
        np.testing.assert_allclose(R @ exp3(w) @ R.T, exp3(R @ w), atol=ROUNDING)


# -- Jacobians ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", ANGLES)
def test_right_jacobian_equals_the_sum_of_its_series(angle):
    for axis in directions(1):
        w = angle * axis
        np.testing.assert_allclose(Jexp3(w), right_jacobian(hat3(w)), rtol=0, atol=1e-15)


def central_difference(function, step=1e-6):
    """Columns (f(h) - f(-h)) / 2h along the three axes."""
    return np.column_stack([(function(step * e) - function(-step * e)) / (2.0 * step) for e in np.eye(3)])


@pytest.mark.parametrize("angle", [a for a in ANGLES if np.pi - a > 1e-5])
def test_jacobians_equal_differences(angle):
    # second order in the step 1e-6 beside roundings of 1e-16 / 1e-6
    for axis in directions(2):
        w = angle * axis
        R = exp3(w)
        moved = {
            "right": lambda d, R=R, w=w: log3(R.T @ exp3(w + d)),
            "left": lambda d, R=R, w=w: log3(exp3(w + d) @ R.T),
        }
        for side, function in moved.items():
            np.testing.assert_allclose(Jexp3(w, side), central_difference(function), atol=2e-9)
        np.testing.assert_allclose(
            Jlog3(R, "right"), central_difference(lambda d, R=R: log3(R @ exp3(d))), atol=2e-9 * (1 + angle)
        )
        np.testing.assert_allclose(
            Jlog3(R, "left"), central_difference(lambda d, R=R: log3(exp3(d) @ R)), atol=2e-9 * (1 + angle)
        )


@pytest.mark.parametrize("side", ["right", "left"])
def test_jacobian_of_the_logarithm_is_the_inverse(side):
    for R in map(exp3, turns(4)):
        np.testing.assert_allclose(Jlog3(R, side) @ Jexp3(log3(R), side), np.eye(3), atol=ROUNDING)


def test_left_jacobians_are_right_ones_at_the_opposite_turn():
    for w in turns(5):
        np.testing.assert_array_equal(Jexp3(w, "left"), Jexp3(-w))
        np.testing.assert_allclose(Jexp3(w, "left"), exp3(w) @ Jexp3(w), atol=ROUNDING)
        np.testing.assert_array_equal(Jlog3(exp3(w), "left"), Jlog3(exp3(w)).T)


# -- other representations ------------------------------------------------------------------------------------


def test_skew_is_the_cross_product():
    random = np.random.default_rng(6)
    for _ in range(10):
        u, v = random.normal(size=(2, 3))
        np.testing.assert_allclose(skew(u) @ v, np.cross(u, v), rtol=1e-15, atol=1e-16)
        np.testing.assert_array_equal(skew(u).T, -skew(u))


def test_roll_pitch_yaw_are_turns_about_x_then_y_then_z_of_the_world():
    random = np.random.default_rng(7)
    for _ in range(20):
        roll, pitch, yaw = random.uniform(-10.0, 10.0, size=3)
        product = exp3([0, 0, yaw]) @ exp3([0, pitch, 0]) @ exp3([roll, 0, 0])
        np.testing.assert_allclose(rpy_to_matrix(roll, pitch, yaw), product, atol=ROUNDING)


def test_roll_pitch_yaw_come_back():
    random = np.random.default_rng(8)
    for _ in range(50):
        rpy = random.uniform(-1.0, 1.0, size=3) * (np.pi, np.pi / 2 - 1e-3, np.pi)
        # the pitch loses as many digits as its cosine
        np.testing.assert_allclose(matrix_to_rpy(rpy_to_matrix(*rpy)), rpy, atol=1e-12)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-12, -np.pi / 2 + 1e-7])
def test_roll_pitch_yaw_of_a_quarter_pitch_give_the_rotation(pitch):
    random = np.random.default_rng(9)
    for _ in range(20):
        R = rpy_to_matrix(random.uniform(-3, 3), pitch, random.uniform(-3, 3))
        np.testing.assert_allclose(rpy_to_matrix(*matrix_to_rpy(R)), R, atol=1e-9)  # where roll is taken as zero


def test_quaternions_and_matrices_are_the_same_rotations():
    for w in turns(10):
        R = exp3(w)
        q = matrix_to_quaternion(R)
        assert q[3] >= 0.0
        np.testing.assert_allclose(np.linalg.norm(q), 1.0, atol=ROUNDING)
        np.testing.assert_allclose(quaternion_to_matrix(q), R, atol=ROUNDING)
        np.testing.assert_array_equal(quaternion_wxyz(R), q[[3, 0, 1, 2]])


def test_quaternions_are_scalar_last():
    np.testing.assert_allclose(quaternion_to_matrix([np.sin(0.2), 0, 0, np.cos(0.2)]), exp3([0.4, 0, 0]), atol=1e-15)
    np.testing.assert_allclose(quaternion_wxyz(exp3([0.4, 0, 0])), [np.cos(0.2), np.sin(0.2), 0, 0], atol=1e-15)


def test_quaternions_that_are_nearly_unit_are_scaled():
    q = np.array([0.1, -0.5, 0.2, 0.8])
    q /= np.linalg.norm(q)
    np.testing.assert_allclose(quaternion_to_matrix(q * 1.0009), quaternion_to_matrix(q), atol=ROUNDING)
    with pytest.raises(InvalidArgument, match="quat"):
        quaternion_to_matrix(q * 1.002)


# -- accuracy of the sine and cosine -----------------------------------------------------------------------


def test_sines_are_accurate_at_any_angle():
    # the kernels' own sine, seen through a turn about z: errors below two units in the last place of 1
    random = np.random.default_rng(11)
    quarters = np.pi / 2 * random.integers(-(10**9), 10**9, size=500)
    angles = np.concatenate(
        [
            random.uniform(-10, 10, 500),
            random.uniform(-1e6, 1e6, 500),
            random.uniform(-1e9, 1e9, 500),
            *(np.nextafter(quarters, side) for side in (-np.inf, np.inf)),
            np.arange(-100, 100) * (np.pi / 2),
            np.arange(-100, 100) * (np.pi / 4),
            [
                1e6,
                -1e6,
                np.nextafter(1e6, np.inf),
                1e15,
                -1e15,
                1e100,
                5e-324,
                -5e-324,
                1e-310,
                2.2250738585072014e-308,
            ],
        ]
    )
    for angle in angles:
        R = exp3([0.0, 0.0, angle])
        # the half angle is doubled by its sine and cosine: four roundings
        np.testing.assert_allclose(R[:2, 0], [np.cos(angle), np.sin(angle)], rtol=0, atol=9e-16, err_msg=str(angle))


# -- the door -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [log3, Jlog3, matrix_to_quaternion, matrix_to_rpy, quaternion_wxyz])
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.zeros((3, 3)), "expected a rotation"),
        (-np.eye(3), "reflection"),
        (1.001 * np.eye(3), "expected a rotation"),
        (np.eye(4), "shape"),
        (np.full((3, 3), np.nan), "finite"),
        (None, "real numbers"),
        ("R", "real numbers"),
        ([[1, 0], [0, 1, 0]], "ragged"),
    ],
)
def test_what_is_not_a_rotation_is_refused(function, value, message):
    with pytest.raises(InvalidArgument, match=message) as error:
        function(value)
    assert error.value.argument == "R"


@pytest.mark.parametrize("function", [exp3, Jexp3])
@pytest.mark.parametrize(
    "value", [[1, 2], [1, 2, np.nan], [1, 2, np.inf], None, "abc", 1.0, [1j, 0, 0], [[1, 2, 3]] * 2]
)
def test_what_is_not_a_rotation_vector_is_refused(function, value):
    with pytest.raises(InvalidArgument, match=r"^w: "):
        function(value)


@pytest.mark.parametrize("side", ["middle", None, 1, np.zeros(2)])
def test_sides_are_right_or_left(side):
    with pytest.raises(InvalidArgument, match="side"):
        Jexp3([0, 0, 1], side)
    with pytest.raises(InvalidArgument, match="side"):
        Jlog3(np.eye(3), side)
