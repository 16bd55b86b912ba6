"""Motions begin at rest where the target starts, go where they say, and do not jump."""

import numpy as np
import pytest

from pantin.errors import InvalidArgument
from pantin.tracking.motions import Circle, Hold, Line, Motion, Ramp, Sway, Waypoints

BY = np.array([0.3, -0.2, 0.5])
MOTIONS = {
    "hold": Hold(),
    "circle": Circle(0.2, 3.0, [1.0, 2.0, -0.5]),
    "eased circle": Circle(0.2, 3.0, ease=1.0),
    "sway": Sway(BY, 2.0),
    "eased sway": Sway(BY, 2.0, ease=0.7),
    "line": Line(BY, 1.5),
    "eased line": Line(BY, 1.5, ease=0.5),
    "line eased to its middle": Line(BY, 1.5, ease=0.75),
    "ramp": Ramp(BY, 1.5),
    "waypoints": Waypoints([BY, -BY, 0 * BY], [1.0, 1.7, 3.0]),
}
TIMES = np.linspace(0.0, 4.0, 4001)


def path(motion: Motion) -> np.ndarray:
    return np.array([motion(time) for time in TIMES])


@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS)
def test_motions_start_where_the_target_does_and_never_jump(motion):
    places = path(motion)
    np.testing.assert_allclose(places[0], 0.0, atol=1e-15)
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 3.5e-3  # no faster than 3.5 m/s


@pytest.mark.parametrize("name", ["eased circle", "eased sway", "eased line", "line eased to its middle", "ramp"])
def test_eased_motions_start_from_rest(name):
    assert np.linalg.norm(MOTIONS[name](1e-4)) < 1e-6


@pytest.mark.parametrize("name", ["circle", "eased circle"])
def test_circles_are_round_level_and_closed(name):
    circle, places = MOTIONS[name], path(MOTIONS[name])
    np.testing.assert_allclose(places @ circle.normal, 0.0, atol=1e-15)
    lag = circle.ease / 2
    centre = (circle(1.0 + lag) + circle(2.5 + lag)) / 2  # two places half a turn apart
    np.testing.assert_allclose(np.linalg.norm(places - centre, axis=1), 0.2, rtol=1e-12)
    np.testing.assert_allclose(circle(3.0 + lag), 0.0, atol=1e-12)
    quarter, half = circle(0.75 + lag) - centre, circle(1.5 + lag) - centre
    assert np.cross(quarter, half) @ circle.normal > 0.0  # by the right hand


def test_sway_is_a_sine():
    np.testing.assert_allclose(path(MOTIONS["sway"]), np.sin(np.pi * TIMES)[:, None] * BY, atol=1e-14)


def test_lines_come_to_their_end_at_one_speed_and_rest():
    line, eased = MOTIONS["line"], MOTIONS["eased line"]
    np.testing.assert_allclose(line(0.5), BY / 3, rtol=1e-12)
    for one in (line, eased, MOTIONS["line eased to its middle"], MOTIONS["ramp"]):
        np.testing.assert_allclose(one(1.5), BY, rtol=1e-12)
        np.testing.assert_array_equal(one(2.0), one(9.0))
    middle = (eased(0.9) - eased(0.6)) / 0.3
    np.testing.assert_allclose(middle, BY / (1.5 - 0.5), rtol=1e-12)
    np.testing.assert_allclose(eased(0.75 - 0.2) + eased(0.75 + 0.2), BY, rtol=1e-12)


def test_ramp_has_the_jerk_of_the_least():
    """Minimum jerk means that the sixth derivative vanishes: a polynomial of fifth degree through the ends."""
    at = np.linspace(0.1, 1.4, 9)
    fit = np.polynomial.Polynomial.fit(at, [MOTIONS["ramp"](time)[0] for time in at], 8).convert().coef
    np.testing.assert_allclose(fit[6:], 0.0, atol=1e-8)


def test_waypoints_are_passed_at_rest():
    motion = MOTIONS["waypoints"]
    for time, place in ((1.0, BY), (1.7, -BY), (3.0, 0 * BY), (99.0, 0 * BY)):
        np.testing.assert_allclose(motion(time), place, atol=1e-15)
        np.testing.assert_allclose(motion(time - 1e-4), place, atol=1e-8)
        np.testing.assert_allclose(motion(time + 1e-4), place, atol=1e-8)
    motion(99.0)[:] = 7.0
    np.testing.assert_allclose(motion(99.0), 0.0, atol=1e-15)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Circle(-1.0, 2.0), "radius: expected a number in"),
        (lambda: Circle(1.0, 0.0), "period: expected a number in"),
        (lambda: Circle(1.0, 2.0, [0.0, 0.0, 0.0]), "normal: expected a direction"),
        (lambda: Sway([np.nan], 1.0), "by: expected finite numbers"),
        (lambda: Line(BY, 1.0, ease=0.6), "ease: expected a number in"),
        (lambda: Ramp("far", 1.0), "by: expected real numbers"),
        (lambda: Waypoints([BY, BY], [1.0]), "times: expected 2 numbers"),
        (lambda: Waypoints([BY, BY], [1.0, 1.0]), "times: expected times that increase"),
        (lambda: Waypoints([BY], [0.0]), "times: expected times that increase from 0"),
        (lambda: Waypoints(BY, [1.0, 2.0, 3.0]), "by: expected a list of displacements"),
    ],
)
def test_wrong_motions_are_refused(make, words):
    with pytest.raises(InvalidArgument, match=words):
        make()
