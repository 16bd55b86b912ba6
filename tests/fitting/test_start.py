"""Where cold fits start: rigid alignment, triangulation and resection, against scipy's and OpenCV's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from pantin import _core
from pantin.fitting.camera import Camera
from pantin.kinematics import exp3, log3

NOTHING, TRANSLATION, LINE, WHOLE = range(4)
LENSES = {
    "pinhole": {},
    "distorted": {"distortion": (-0.2, 0.05, 0.001, -0.0005, 0.01)},
    "fisheye": {"distortion": (0.05, -0.01, 0.002, -0.0005), "model": "fisheye"},
}


def rotations(seed, n):
    return Rotation.random(n, rng=seed).as_matrix()


def squares(body, seen, weights, R, t):
    return float(np.sum(weights[:, None] * (seen - body @ R.T - t) ** 2))


@pytest.mark.parametrize("seed", range(20))
def test_alignment_is_that_of_scipy(seed):
    random = np.random.default_rng(seed)
    n = random.integers(3, 30)
    unit = 10.0 ** random.integers(-6, 7)
    body, weights = random.normal(size=(n, 3)) * unit, random.uniform(0.1, 3, n)
    seen = body @ rotations(seed, 1)[0].T + unit * random.normal(size=3) + 0.3 * unit * random.normal(size=(n, 3))
    told, R, t = _core.fit_rigid(body, seen, weights)
    means = [np.average(each, axis=0, weights=weights) for each in (body, seen)]
    theirs = Rotation.align_vectors(seen - means[1], body - means[0], weights)[0].as_matrix()
    assert told == WHOLE
    np.testing.assert_allclose(R, theirs, atol=1e-10)
    np.testing.assert_allclose(t, means[1] - theirs @ means[0], atol=1e-9 * unit)


@pytest.mark.parametrize("degrees", [0, 60, 120, 179.99, 180])
def test_exact_poses_come_back_at_every_angle(degrees):
    body = np.random.default_rng(1).normal(size=(6, 3))
    for axis in (*np.eye(3), (0.6, 0.0, 0.8)):
        R, t = exp3(np.radians(degrees) * np.array(axis)), np.array((3.0, -2.0, 1.0))
        told, found, shift = _core.fit_rigid(body, body @ R.T + t)
        assert told == WHOLE
        np.testing.assert_allclose(found, R, atol=1e-13)
        np.testing.assert_allclose(shift, t, atol=1e-13)


def test_flat_bodies_and_mirror_images_get_rotations():
    random = np.random.default_rng(2)
    flat = random.normal(size=(8, 3)) * (1, 1, 0)
    R = rotations(3, 1)[0]
    told, found, _ = _core.fit_rigid(flat, flat @ R.T)
    assert told == WHOLE
    np.testing.assert_allclose(found, R, atol=1e-12)
    solid = random.normal(size=(8, 3))
    assert np.linalg.det(_core.fit_rigid(solid, solid * (1, 1, -1))[1]) == pytest.approx(1.0)


def test_what_is_missing_does_not_count():
    body = np.random.default_rng(4).normal(size=(7, 3))
    R = rotations(5, 1)[0]
    seen, weights = body @ R.T, np.ones(7)
    seen[0, 1], seen[1, 2], weights[2:5] = np.nan, np.inf, (0, -1, np.nan)
    told, found, _ = _core.fit_rigid(body, seen, weights)
    assert told == TRANSLATION  # two are left
    seen[[2, 3]] = body[[2, 3]] @ R.T
    told, found, shift = _core.fit_rigid(body, seen, np.where(np.arange(7) == 4, np.nan, 1.0))
    assert told == WHOLE
    np.testing.assert_allclose(found, R, atol=1e-13)
    np.testing.assert_allclose(shift, 0, atol=1e-13)


@pytest.mark.parametrize("places", [[], [0], [0, 1], [2, 2, 2, 2]])
def test_few_or_coincident_points_shift_only(places):
    body = 1e3 + np.random.default_rng(6).normal(size=(3, 3))
    body, seen = np.ascontiguousarray(body[places]), np.ascontiguousarray(body[places] @ rotations(7, 1)[0].T)
    told, R, t = _core.fit_rigid(body, seen)
    assert told == (TRANSLATION if places else NOTHING)
    np.testing.assert_array_equal(R, np.eye(3))
    np.testing.assert_allclose(t, (seen - body).mean(axis=0) if places else 0, atol=1e-12)


@pytest.mark.parametrize("degrees", [0, 1e-9, 30, 179, 180])
def test_points_on_a_line_turn_as_little_as_they_can(degrees):
    direction, across = np.array((0.6, 0.0, 0.8)), np.array((0.0, 1.0, 0.0))
    body = np.outer((0.0, 1.0, 2.5, 4.0), direction) + np.array((1, 2, 3))
    to = exp3(np.radians(degrees) * across) @ direction
    told, R, t = _core.fit_rigid(body, np.outer((0.0, 1.0, 2.5, 4.0), to))
    assert told == LINE
    np.testing.assert_allclose(R @ direction, to, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(log3(R)), np.radians(degrees), atol=1e-7)
    np.testing.assert_allclose(body @ R.T + t, np.outer((0.0, 1.0, 2.5, 4.0), to), atol=1e-8)


def rig(seed, cameras, lens):
    """Cameras round the unit ball, and points in it."""
    random = np.random.default_rng(seed)
    rig = []
    for R in rotations(seed, cameras):
        f = random.uniform(400, 1500, 2)
        rig.append(
            Camera(*f, *random.uniform(200, 600, 2), R, (*random.uniform(-0.3, 0.3, 2), random.uniform(3, 6)), **lens)
        )
    return rig, random.uniform(-0.5, 0.5, size=(12, 3))


def triangulate(rig, pixels, weights=None):
    parts = [np.array([getattr(camera, name) for camera in rig]) for name in ("lens", "R", "t")]
    return _core.fit_triangulate(*parts, np.ascontiguousarray(pixels), weights)


@pytest.mark.parametrize("cameras", [2, 3, 6])
@pytest.mark.parametrize("lens", LENSES)
def test_rays_of_exact_pixels_meet(lens, cameras):
    for seed in range(5):
        views, points = rig(seed, cameras, LENSES[lens])
        pixels = np.array([camera.project(points) for camera in views])
        np.testing.assert_allclose(triangulate(views, pixels), points, atol=1e-9)


@pytest.mark.parametrize("lens", LENSES)
def test_noisy_pixels_meet_where_squares_are_least(lens):
    views, points = rig(6, 3, LENSES[lens])
    random = np.random.default_rng(7)
    pixels = np.array([camera.project(points) for camera in views]) + random.normal(size=(3, 12, 2)) * 2.0
    weights = random.uniform(0.2, 2.0, size=(3, 12))
    found = triangulate(views, pixels, weights)
    for i in range(12):

        def misfit(x, i=i):
            scale = np.sqrt(weights[:, i, None])
            return (scale * (np.array([camera.project(x) for camera in views]) - pixels[:, i])).ravel()

        best = least_squares(misfit, points[i], xtol=1e-12, ftol=1e-12)
        np.testing.assert_allclose(found[i], best.x, atol=1e-6)


def test_points_that_do_not_meet_have_no_place():
    views, points = rig(8, 3, {})
    pixels = np.array([camera.project(points) for camera in views])
    weights = np.ones((3, 12))
    pixels[0, 0], pixels[1, 0, 0] = np.nan, np.inf
    weights[:2, 1] = 0.0, np.nan
    weights[1, 2] = -1.0
    found = triangulate(views, pixels, weights)
    assert np.isnan(found[:2]).all()
    np.testing.assert_allclose(found[2:], points[2:], atol=1e-9)
    twice = triangulate([views[0], views[0]], np.array([pixels[2], pixels[2]]))
    assert np.isnan(twice).all()  # rays are one
    left, right = (Camera(500, 500, 0, 0, np.eye(3), (x, 0, 0)) for x in (0.5, -0.5))
    assert np.isnan(triangulate([left, right], np.array([[[-50.0, 0.0]], [[50.0, 0.0]]]))).all()  # meet behind


def bodies(seed, kind):
    """Points of a body, of about unit size."""
    random = np.random.default_rng(seed)
    n = {"four points": 4, "flat": 10, "solid": 12, "flat four": 4}[kind]
    return random.normal(size=(n, 3)) * ((1, 1, 0) if "flat" in kind else (1, 1, 1)) * random.uniform(0.3, 1, 3)


def cost(camera, body, pixels, weights=1.0):
    misfit = camera.project(body) - pixels
    return float(np.sum(np.broadcast_to(weights, len(body))[:, None] * misfit**2))


@pytest.mark.parametrize("kind", ["solid", "flat", "four points", "flat four"])
@pytest.mark.parametrize("lens", LENSES)
def test_resection_finds_exact_poses(kind, lens):
    missed = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        true = Camera(
            800,
            820,
            320,
            240,
            rotations(seed, 1)[0],
            (*random.uniform(-1, 1, 2), random.uniform(4, 20)),
            **LENSES[lens],
        )
        body = bodies(seed, kind)
        pixels = true.project(body)
        assert np.isfinite(pixels).all()
        found, R, t = _core.fit_resect(true.lens, body, pixels)
        assert found
        np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)
        assert (body @ R.T + t)[:, 2].min() > 0
        again = Camera(800, 820, 320, 240, R, t, **LENSES[lens])
        missed += cost(again, body, pixels) > 1e-6
    assert missed == 0


@pytest.mark.parametrize("kind", ["solid", "flat"])
def test_resection_is_no_worse_than_that_of_opencv(kind):
    cv2 = pytest.importorskip("cv2")
    for seed in range(40):
        random = np.random.default_rng(100 + seed)
        true = Camera(800, 820, 320, 240, rotations(seed, 1)[0], (*random.uniform(-1, 1, 2), random.uniform(4, 20)))
        body = bodies(seed, kind)
        pixels = true.project(body) + random.normal(size=(len(body), 2)) * random.choice([1.0, 20.0])
        found, R, t = _core.fit_resect(true.lens, body, pixels)
        assert found
        K = np.array([[800, 0, 320], [0, 820, 240], [0, 0, 1.0]])
        _, w, shift = cv2.solvePnP(body, pixels, K, None, flags=cv2.SOLVEPNP_SQPNP)
        w, shift = cv2.solvePnPRefineLM(body, pixels, K, None, w, shift)
        theirs = cost(Camera(800, 820, 320, 240, cv2.Rodrigues(w)[0], shift), body, pixels)
        assert cost(Camera(800, 820, 320, 240, R, t), body, pixels) <= 1.0001 * theirs


def test_resection_leaves_out_what_is_missing():
    camera = Camera(800, 820, 320, 240, rotations(9, 1)[0], (0.1, 0.2, 5.0))
    body = bodies(9, "solid")
    pixels, weights = camera.project(body), np.ones(12)
    pixels[0], pixels[1, 1], weights[2:5] = np.nan, np.inf, (0, -1, np.nan)
    pixels[2:5] = 0.0
    found, R, t = _core.fit_resect(camera.lens, body, pixels, weights)
    assert found
    np.testing.assert_allclose(R, camera.R, atol=1e-9)
    np.testing.assert_allclose(t, camera.t, atol=1e-8)
    weights[8:] = 0.0
    assert not _core.fit_resect(camera.lens, body, pixels, weights)[0]  # three are left
    assert not _core.fit_resect(camera.lens, np.zeros((0, 3)), np.zeros((0, 2)))[0]


def test_any_numbers_end_in_an_answer():
    random = np.random.default_rng(11)
    camera = Camera(800, 820, 320, 240, np.eye(3), (0, 0, 0))
    odd = np.array([0.0, 1e-300, -1e300, np.nan, np.inf, 1e150, 3.0, -1e-9])
    for _ in range(100):
        body, pixels = odd[random.integers(8, size=(5, 3))], odd[random.integers(8, size=(5, 2))]
        _, R, t = _core.fit_resect(camera.lens, body, pixels)
        assert np.isfinite(R).all()
        assert np.isfinite(t).all()
        _, R, t = _core.fit_rigid(body, body[::-1].copy(), random.choice(odd, 5))
        assert np.isfinite(R).all()
        assert np.isfinite(t).all()
        triangulate([camera, camera], np.array([pixels, pixels[::-1]]))
