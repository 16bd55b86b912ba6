"""Inertias add, move with their bodies, and refuse what no body has."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from models import arm, random_inertia, random_pose
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, Inertia, Motion, skew

#: Roundings of sums of squares of a few metres.
ROUNDING = 1e-13


def matrix(inertia):
    """Spatial inertia (6, 6), linear then angular (Featherstone 2008, eq. 2.63 with the halves exchanged)."""
    m, C = inertia.mass, skew(inertia.lever)
    return np.block([[m * np.eye(3), -m * C], [m * C, inertia.inertia - m * C @ C]])


@pytest.fixture(params=range(5))
def random(request):
    return np.random.default_rng(request.param)


def test_sums_are_sums_of_matrices(random):
    one, other = random_inertia(random), random_inertia(random)
    np.testing.assert_allclose(matrix(one + other), matrix(one) + matrix(other), atol=ROUNDING)
    np.testing.assert_allclose(matrix(one + other), matrix(other + one), atol=ROUNDING)


def test_sums_do_not_depend_on_brackets(random):
    a, b, c = (random_inertia(random) for _ in range(3))
    np.testing.assert_allclose(matrix((a + b) + c), matrix(a + (b + c)), atol=ROUNDING)


def test_nothing_added_changes_nothing(random):
    body = random_inertia(random)
    np.testing.assert_allclose(matrix(body + Inertia.Zero()), matrix(body), atol=ROUNDING)
    np.testing.assert_allclose(matrix(Inertia.Zero() + body), matrix(body), atol=ROUNDING)
    np.testing.assert_array_equal(matrix(Inertia.Zero() + Inertia.Zero()), np.zeros((6, 6)))


def test_rotors_without_mass_add(random):
    rotor = Inertia(0.0, [1, 2, 3], np.diag([0.1, 0.2, 0.3]))
    np.testing.assert_allclose((rotor + rotor).inertia, np.diag([0.2, 0.4, 0.6]))


def test_displaced_bodies_have_the_same_energy(random):
    body, pose = random_inertia(random), random_pose(random)
    moved = body.displaced(pose)
    for _ in range(5):
        twist = random.normal(size=6)
        seen = pose.act(Motion(twist)).vector
        np.testing.assert_allclose(seen @ matrix(moved) @ seen, twist @ matrix(body) @ twist, rtol=1e-12)


def test_displacing_follows_the_product(random):
    body, one, other = random_inertia(random), random_pose(random), random_pose(random)
    np.testing.assert_allclose(
        matrix(body.displaced(one).displaced(other)), matrix(body.displaced(other * one)), atol=10 * ROUNDING
    )
    np.testing.assert_allclose(matrix(body.displaced(SE3.Identity())), matrix(body), atol=ROUNDING)


def test_moments_about_a_point_follow_huygens_and_steiner(random):
    body, point = random_inertia(random), random.normal(size=3)
    arm = body.lever - point
    expected = body.inertia - body.mass * skew(arm) @ skew(arm)
    np.testing.assert_allclose(body.about(point), expected, atol=ROUNDING)
    np.testing.assert_allclose(body.about(body.lever), body.inertia, atol=ROUNDING)


def test_boxes_are_made_of_points():
    # the mean of a grid of points tends to the box as the square of its spacing
    random = np.random.default_rng(0)
    x, y, z = 0.3, 0.5, 0.7
    points = random.uniform(-0.5, 0.5, size=(200000, 3)) * (x, y, z)
    squares = (points**2).mean(axis=0)
    box = Inertia.FromBox(2.0, x, y, z)
    expected = 2.0 * np.diag(squares.sum() - squares)
    np.testing.assert_allclose(box.inertia, expected, rtol=0.01, atol=1e-12)  # 1 / sqrt(200000) of chance
    assert box.mass == 2.0
    np.testing.assert_array_equal(box.lever, np.zeros(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1.0,), "mass"),
        ((np.nan,), "mass"),
        ((np.inf,), "mass"),
        (("1",), "mass"),
        ((None,), "mass"),
        ((1.0, [1, 2]), "lever"),
        ((1.0, [1, 2, np.nan]), "lever"),
        ((1.0, None, np.ones((2, 2))), "inertia"),
        ((1.0, None, np.full((3, 3), np.nan)), "inertia"),
        ((1.0, None, [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), "inertia: expected a symmetric"),
        ((1.0, None, "I"), "inertia"),
    ],
)
def test_what_no_body_has_is_refused(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        Inertia(*arguments)


@pytest.mark.parametrize(
    "arguments", [(-1, 1, 1, 1), (1, -1, 1, 1), (1, 1, np.nan, 1), (1, 1, 1, "a"), (1, 1, 1, None)]
)
def test_boxes_with_negative_edges_are_refused(arguments):
    with pytest.raises(InvalidArgument):
        Inertia.FromBox(*arguments)


def test_inertias_add_to_inertias_alone():
    for other in (3, None, np.eye(6)):
        with pytest.raises(TypeError):
            Inertia(1.0) + other


def test_arrays_are_copied_and_read_only():
    lever = np.array([1.0, 2.0, 3.0])
    body = Inertia(1.0, lever)
    lever[:] = 0.0
    np.testing.assert_array_equal(body.lever, [1, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        body.lever[0] = 5.0
    with pytest.raises(ValueError, match="read-only"):
        body.inertia[0, 0] = 5.0


def test_a_refused_assignment_changes_nothing():
    body = Inertia(1.0, [1, 2, 3])
    for name, value in (("mass", -1.0), ("lever", [1]), ("inertia", "x")):
        with pytest.raises(InvalidArgument, match=name):
            setattr(body, name, value)
    assert body.mass == 1.0
    np.testing.assert_array_equal(body.lever, [1, 2, 3])
    with pytest.raises(AttributeError):
        body.color = "red"


@pytest.mark.parametrize(
    "duplicate", [Inertia.copy, copy.copy, copy.deepcopy, lambda body: pickle.loads(pickle.dumps(body))]
)
def test_copies_belong_to_no_model(duplicate):
    model = arm()
    body = model.inertias[1]
    version = model.version
    other = duplicate(body)
    np.testing.assert_array_equal(matrix(other), matrix(body))
    other.mass = 100.0
    assert model.version == version
    assert body.mass != 100.0


def test_an_inertia_of_a_model_tells_it_of_changes():
    model = arm()
    before = model.create_data().mass[0]
    model.inertias[1].mass += 1.0
    assert model.create_data().mass[0] == pytest.approx(before + 1.0, rel=1e-14)


def test_representations_show_the_numbers():
    assert "mass=2.5" in repr(Inertia(2.5))
