"""Cameras see what OpenCV's see, their derivatives are those of their pixels, and rays lead back through the lens."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.sources import Source
from pantin.kinematics import exp3

cv2 = pytest.importorskip("cv2")

POSE = {"R": exp3((0.1, -0.2, 0.05)), "t": (0.02, -0.03, 2.0)}
WORKED = {"fx": 600, "fy": 590, "cx": 320, "cy": 240, **POSE}
POINT = (0.3, -0.2, 0.4)
BROWN = (-0.2, 0.05, 0.001, -0.0005, 0.01)
KANNALA = (0.05, -0.01, 0.002, -0.0005)

#: Roundings of a pixel of a few thousand.
ROUNDING = 1e-9


def random_camera(seed, model="pinhole", coefficients=None, skew=0.0):
    """A camera that looks at the unit ball, and the distortion it was made with."""
    random = np.random.default_rng(seed)
    scale = {"pinhole": [0.2, 0.1, 0.01, 0.01, 0.02, 0.2, 0.1, 0.02], "fisheye": [0.05, 0.02, 0.01, 0.005]}[model]
    distortion = random.uniform(-1, 1, 8)[:coefficients] * scale[:coefficients] if coefficients else ()
    f, c = random.uniform(300, 2000, 2), random.uniform(100, 1000, 2)
    t = [*random.uniform(-0.5, 0.5, 2), random.uniform(2.5, 6.0)]
    return Camera(*f, *c, exp3(random.normal(size=3)), t, skew, distortion, model)


def in_the_ball(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return points / np.maximum(1.0, np.linalg.norm(points, axis=1))[:, None]


def opencv_pixels(camera, points):
    K = np.array([[camera.fx, camera.skew, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]])
    distortion, rotation = np.array(camera.distortion or (0.0,) * 4), cv2.Rodrigues(np.array(camera.R))[0]
    if camera.model == "pinhole":
        return cv2.projectPoints(points, rotation, camera.t.copy(), K, distortion)[0].reshape(-1, 2)
    K[0, 1] = 0.0
    alpha = camera.skew / camera.fx
    return cv2.fisheye.projectPoints(points[None], rotation, camera.t.copy(), K, distortion, alpha=alpha)[0][0]


@pytest.mark.parametrize(
    ("distortion", "model", "pixel"),
    [
        ((), "pinhole", (381.01346, 177.26997)),
        (BROWN, "pinhole", (380.72510, 177.57254)),
        (KANNALA, "fisheye", (380.64323, 177.65061)),
    ],
)
def test_worked_example(distortion, model, pixel):
    camera = Camera(**WORKED, distortion=distortion, model=model)
    np.testing.assert_allclose(camera.project(POINT), pixel, atol=5.1e-6)  # the digits shown


def test_derivative_of_the_worked_example():
    expected = [[236.509369, -17.050143, -72.777577], [14.790009, 243.573901, -0.104297]]
    np.testing.assert_allclose(Camera(**WORKED).jacobian(POINT), expected, atol=5.1e-7)  # the digits shown


LENSES = [("pinhole", None), ("pinhole", 4), ("pinhole", 5), ("pinhole", 8), ("fisheye", None), ("fisheye", 4)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("model", "coefficients"), LENSES)
def test_pixels_are_those_of_opencv(model, coefficients, seed):
    camera = random_camera(seed, model, coefficients, skew=3.0 * (model == "fisheye"))
    points = in_the_ball(seed, 50)
    np.testing.assert_allclose(camera.project(points), opencv_pixels(camera, points), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(camera.project(points[0]), camera.project(points)[0], rtol=0, atol=ROUNDING)


def test_skew_slants_the_pixels():
    camera, plain = (Camera(**WORKED, skew=skew, distortion=BROWN) for skew in (7.0, 0.0))
    points = in_the_ball(1, 20)
    straight, slanted = plain.project(points), camera.project(points)
    np.testing.assert_array_equal(slanted[:, 1], straight[:, 1])
    np.testing.assert_allclose(slanted[:, 0] - straight[:, 0], 7.0 * (straight[:, 1] - 240) / 590, atol=ROUNDING)


@pytest.mark.parametrize(("model", "coefficients"), LENSES)
def test_derivatives_are_differences(model, coefficients):
    camera = random_camera(3, model, coefficients, skew=5.0)
    points = np.concatenate([in_the_ball(4, 30), camera.center + 2.0 * camera.R[2:]])  # the last one on the axis
    step = 1e-6 * np.eye(3)
    differences = np.stack([(camera.project(points + d) - camera.project(points - d)) / 2e-6 for d in step], axis=-1)
    # rounding of pixels over the step; the second-order error is below it
    np.testing.assert_allclose(camera.jacobian(points), differences, rtol=1e-7, atol=1e-6 * camera.mean_focal)


@pytest.mark.parametrize("away", [0.0, 1e-300, 1e-160, 1e-20, 1e-12, 1e-6])
def test_a_fisheye_is_smooth_on_its_axis(away):
    camera = Camera(500, 500, 0, 0, np.eye(3), (0, 0, 0), distortion=KANNALA, model="fisheye")
    np.testing.assert_allclose(camera.project((away, 0, 2.0)), (250 * away, 0), rtol=1e-11, atol=1e-300)
    expected = [[250, 0, -125 * away], [0, 250, 0]]
    np.testing.assert_allclose(camera.jacobian((away, 0, 2.0)), expected, rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize(("model", "coefficients"), LENSES)
def test_what_is_not_in_front_is_not_seen(model, coefficients):
    camera = random_camera(5, model, coefficients)
    axis = camera.R[2]
    points = np.array([camera.center - axis, camera.center - 1e-9 * axis, np.full(3, np.nan), camera.center + axis])
    seen = np.isfinite(camera.project(points)).all(axis=1)
    assert seen.tolist() == [False, False, False, True]
    assert np.isnan(camera.jacobian(points[:3])).all()


@pytest.mark.parametrize(("model", "coefficients"), LENSES)
def test_rays_lead_back_to_their_points(model, coefficients):
    camera = random_camera(6, model, coefficients, skew=2.0)
    points = in_the_ball(7, 100)
    in_camera = points @ camera.R.T + camera.t
    np.testing.assert_allclose(
        camera.undistort(camera.project(points)), in_camera[:, :2] / in_camera[:, 2:], rtol=0, atol=1e-11
    )


def test_rays_of_wide_fisheyes_and_of_pixels_without_one():
    wide = Camera(300, 300, 0, 0, np.eye(3), (0, 0, 0), model="fisheye")
    angles = np.radians([0.0, 40.0, 80.0, 89.0])
    pixels = np.column_stack([300 * angles, 0 * angles])
    np.testing.assert_allclose(wide.undistort(pixels)[:, 0], np.tan(angles), rtol=1e-9)
    assert np.isnan(wide.undistort([[300 * 1.6, 0.0], [np.nan, 0.0], [np.inf, 0.0]])).all()
    barrel = Camera(300, 300, 0, 0, np.eye(3), (0, 0, 0), distortion=(-0.3, 0, 0, 0))  # turns back at 211 pixels
    np.testing.assert_allclose(barrel.project(np.append(barrel.undistort((205.0, 0.0)), 1.0)), (205.0, 0.0), atol=1e-9)
    assert np.isnan(barrel.undistort((215.0, 0.0))).all()
    assert barrel.undistort((150.0, 100.0))[0] < np.sqrt(1 / 0.9)


def test_centre_and_mean_focal():
    camera = random_camera(8)
    np.testing.assert_allclose(camera.R @ camera.center + camera.t, 0, atol=1e-14)
    assert camera.mean_focal == (camera.fx + camera.fy) / 2


@pytest.mark.parametrize("scale", [1.0, -3.5, 1e-4])
def test_a_projection_is_taken_apart(scale):
    camera = random_camera(9, skew=4.0)
    K = np.array([[camera.fx, camera.skew, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]])
    of_parts = Camera.from_matrix(scale * K, camera.R, camera.t)
    whole = Camera.from_matrix(scale * K @ np.column_stack([camera.R, camera.t]))
    for made in (of_parts, whole):
        for name in ("lens", "R", "t"):
            np.testing.assert_allclose(getattr(made, name), getattr(camera, name), rtol=1e-12, atol=1e-11)


def rig(frames=4):
    random = np.random.default_rng(10)
    return Camera(
        500, 510, 0, 0, [exp3(w) for w in random.normal(size=(frames, 3)) / 5], np.tile((0, 0, 5.0), (frames, 1))
    )


def test_a_moving_rig_is_a_camera_in_each_frame():
    moving = rig()
    points = in_the_ball(11, 24).reshape(4, 3, 2, 3)
    frames = [moving.at(i) for i in range(4)]
    assert moving.n_frames == 4
    assert frames[0].n_frames is None
    for name in ("project", "jacobian"):
        one_by_one = [getattr(camera, name)(each) for camera, each in zip(frames, points, strict=True)]
        np.testing.assert_array_equal(getattr(moving, name)(points), one_by_one)
    np.testing.assert_array_equal(moving.center, [camera.center for camera in frames])
    assert moving.at(slice(1, 3)) == Camera(500, 510, 0, 0, moving.R[1:3], moving.t[1:3])
    with pytest.raises(InvalidArgument, match=r"expected shape \(4, ..., 3\)"):
        moving.project(points[:3])


def test_one_of_both_may_move():
    moving = rig()
    slides = Camera(500, 510, 0, 0, moving.R[0], moving.t)
    turns = Camera(500, 510, 0, 0, moving.R, moving.t[0])
    assert slides.R.shape == turns.R.shape == (4, 3, 3)
    assert turns == moving
    assert frames_differ(slides, moving)


def frames_differ(one, other):
    return one != other and hash(one) != hash(other)


@pytest.mark.parametrize("camera", [random_camera(12, "pinhole", 5), random_camera(13, "fisheye", 4), rig()], ids=repr)
def test_a_camera_comes_back_from_files_and_pickles(camera):
    text = json.dumps(camera.to_dict())
    for other in (Source.from_dict(json.loads(text)), pickle.loads(pickle.dumps(camera)), dataclasses.replace(camera)):
        assert other == camera
        assert hash(other) == hash(camera)
        assert not other.R.flags.writeable
    assert camera != dataclasses.replace(camera, cx=camera.cx + 1)


def test_a_camera_does_not_change():
    camera, R = Camera(**WORKED), np.eye(3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        camera.fx = 3.0
    with pytest.raises(ValueError, match="read-only"):
        camera.R[0, 0] = 2.0
    own = Camera(1, 1, 0, 0, R, (0, 0, 0))
    R[0, 0] = 5.0
    assert own.R[0, 0] == 1.0


WRONG = {
    "no rotation": ({"R": 1.001 * np.eye(3)}, r"R: the matrix is 0\.00173 from a rotation .* \[\[1\.0, 0\.0, 0\.0\]"),
    "a reflection": ({"R": np.diag([1.0, 1.0, -1.0])}, "R: the matrix is 2 from a rotation"),
    "one of a rig": ({"R": [np.eye(3), 2 * np.eye(3)]}, "R: the matrix of frame 1"),
    "a rotation vector": ({"R": (0.1, 0.2, 0.3)}, r"R: expected a rotation matrix \(3, 3\); pantin\.kinematics\.exp3"),
    "two lengths": ({"R": np.tile(np.eye(3), (2, 1, 1)), "t": np.zeros((3, 3))}, "frames in both, got 2 and 3"),
    "t of two": ({"t": (1, 2)}, r"expected shapes .* got \(3, 3\), \(2,\)"),
    "three coefficients": ({"distortion": (1, 2, 3)}, "expected 4 or 5 or 8 coefficients of a pinhole, got 3"),
    "a bent fisheye": ({"distortion": BROWN, "model": "fisheye"}, "expected 4 coefficients of a fisheye, got 5"),
    "a model": ({"model": "fishy"}, "model: expected 'pinhole' or 'fisheye', got 'fishy'"),
    "no word": ({"model": ["pinhole"]}, "model: expected 'pinhole' or 'fisheye'"),
    "focal length": ({"fy": -590}, "fy: expected a number in"),
    "not finite": ({"cx": np.nan}, "cx: expected finite numbers"),
    "a hole in R": ({"R": np.full((3, 3), np.nan)}, "R: expected finite numbers"),
}


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG)
def test_wrong_calibrations_are_named(changes, message):
    with pytest.raises(InvalidArgument, match=message):
        Camera(**{**WORKED, **changes})


def test_wrong_matrices_are_named():
    for arguments, message in (
        ((np.eye(4),), r"expected K \(3, 3\) or a projection \(3, 4\), got shape \(4, 4\)"),
        ((np.eye(3),), "needs R and t beside it"),
        ((np.eye(3, 4), np.eye(3)), "holds R and t already"),
        ((np.ones((3, 3)), np.eye(3), (0, 0, 0)), "expected .*fx, skew, cx"),
        ((np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]),), "singular"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            Camera.from_matrix(*arguments)


@settings(max_examples=100, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=8), st.lists, max_leaves=6), st.data())
def test_what_is_no_camera_is_refused(junk, data):
    facts = Camera(**WORKED).to_dict()
    facts[data.draw(st.sampled_from(sorted(facts)))] = junk
    with contextlib.suppress(InvalidArgument):
        Source.from_dict(facts)
