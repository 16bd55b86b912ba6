"""Observations come in many forms and leave in one; what is missing weighs nothing, and what is wrong is named."""

from __future__ import annotations

import contextlib
import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.transform import Rotation

from pantin.errors import InvalidArgument, UnknownJoint, UnknownKeypoint
from pantin.fitting.camera import Camera
from pantin.fitting.observations import observe
from pantin.fitting.sources import Distance, Orientation, Points3D, Source, XYView

NAMES = ("trunk", "hip", "knee", "foot")
PLAN = types.SimpleNamespace(joint_names=NAMES)
T, C, K = 5, 2, 4

RANDOM = np.random.default_rng(0)
POINTS = RANDOM.normal(size=(T, K, 3))
WEIGHTS = RANDOM.uniform(0.5, 2.0, size=(T, K))
PIXELS = RANDOM.uniform(0, 600, size=(T, C, K, 2))
QUATERNIONS = Rotation.random(T * 2, rng=1).as_quat(scalar_first=True).reshape(T, 2, 4)
DISTANCES = RANDOM.uniform(1, 2, size=(T, 3))

EYE = Camera(500, 500, 300, 200, np.eye(3), (0, 0, 5))
IMU = Orientation(("hip", "foot"))
STICKS = Distance((("trunk", "hip"), ("hip", "knee"), ("knee", "foot")))


def the_one(observations):
    """Positions and weights of the only source."""
    (positions,), (weights,) = observations.positions, observations.weights
    return positions, weights


def check_plain(observations):
    for array in (*observations.positions, *(w for w in observations.weights if w is not None)):
        assert array.dtype == np.float64
        assert array.flags.c_contiguous
        assert len(array) == observations.n_frames


DRESSES = {
    "plain": POINTS,
    "list": POINTS.tolist(),
    "Fortran": np.asfortranarray(POINTS),
    "strided": np.repeat(POINTS, 2, axis=1)[:, ::2],
    "backwards": POINTS[::-1].copy()[::-1],
    "axes turned": np.ascontiguousarray(POINTS.transpose(2, 0, 1)).transpose(1, 2, 0),
    "big-endian": POINTS.astype(">f8"),
    "longdouble": POINTS.astype(np.longdouble),
    "read-only": np.frombuffer(POINTS.tobytes()).reshape(POINTS.shape),
    "names": {name: POINTS[:, i] for i, name in enumerate(NAMES)},
    "names in another order": {name: POINTS[:, NAMES.index(name)].tolist() for name in reversed(NAMES)},
}


@pytest.mark.parametrize("dress", DRESSES)
def test_points_come_in_many_dresses(dress):
    seen = observe(PLAN, DRESSES[dress])
    check_plain(seen)
    np.testing.assert_array_equal(the_one(seen)[0], POINTS)
    assert (the_one(seen)[1], seen.single, seen.n_frames, seen.infinite) == (None, False, T, 0)
    assert seen.sources == (Points3D(),)


@pytest.mark.parametrize("kind", ["f2", "f4", ">f4", "i1", "u2", "i8", ">i4"])
def test_any_real_type_is_widened(kind):
    given = np.arange(12 * T).reshape(T, K, 3).astype(kind)
    np.testing.assert_array_equal(the_one(observe(PLAN, given))[0], given.astype(float))


def test_plain_memory_is_handed_on_and_left_alone():
    points, weights = POINTS.copy(), WEIGHTS.copy()
    seen = observe(PLAN, points, weights)
    assert np.shares_memory(the_one(seen)[0], points)
    assert np.shares_memory(the_one(seen)[1], weights)
    points[1, 2, 0] = np.nan
    points[2, 3] = np.inf
    weights[0, 0], weights[0, 1] = np.nan, -1.0
    before = points.copy(), weights.copy()
    seen = observe(PLAN, points, weights)
    np.testing.assert_array_equal(points, before[0])
    np.testing.assert_array_equal(weights, before[1])
    expected = WEIGHTS.copy()
    expected[[1, 2, 0, 0], [2, 3, 0, 1]] = 0.0
    np.testing.assert_array_equal(the_one(seen)[1], expected)
    np.testing.assert_array_equal(seen.seen(), expected > 0)
    assert seen.infinite == 3


def test_a_frame_without_time_is_single():
    whole, one = observe(PLAN, POINTS, WEIGHTS), observe(PLAN, POINTS[2], WEIGHTS[2])
    check_plain(one)
    assert (one.single, one.n_frames) == (True, 1)
    for mine, all_ in zip(the_one(one), the_one(whole), strict=True):
        np.testing.assert_array_equal(mine[0], all_[2])
    by_name = {name: POINTS[2, i] for i, name in enumerate(NAMES)}
    np.testing.assert_array_equal(the_one(observe(PLAN, by_name))[0], POINTS[2:3])


def test_no_frames_are_fine():
    for source, shape in ((Points3D(), (0, K, 3)), ([EYE, EYE], (0, C, K, 2)), (IMU, (0, 2, 4)), (STICKS, (0, 3))):
        seen = observe(PLAN, np.zeros(shape), np.zeros(shape[:-1] if len(shape) > 2 else shape), source)
        check_plain(seen)
        assert (seen.n_frames, seen.single) == (0, False)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (2.0, np.full((T, K), 2.0)),
        (WEIGHTS[0], np.tile(WEIGHTS[0], (T, 1))),
        (WEIGHTS[:, :1], np.repeat(WEIGHTS[:, :1], K, axis=1)),
        (WEIGHTS > 1.0, (WEIGHTS > 1.0).astype(float)),
        ({"knee": 0.25}, np.tile([1, 1, 0.25, 1.0], (T, 1))),
        ({"knee": WEIGHTS[:, 0], "foot": WEIGHTS[:, 1]}, np.column_stack([np.ones((T, 2)), WEIGHTS[:, :2]])),
    ],
)
def test_weights_spread(given, expected):
    seen = observe(PLAN, POINTS, given)
    check_plain(seen)
    np.testing.assert_array_equal(the_one(seen)[1], expected)


def test_absent_names_are_missing():
    seen = observe(PLAN, {"foot": POINTS[:, 3], "hip": POINTS[:, 1]})
    assert seen.seen().tolist() == [[False, True, False, True]] * T
    np.testing.assert_array_equal(the_one(seen)[0][:, 3], POINTS[:, 3])


def test_one_camera_and_several():
    alone = observe(PLAN, PIXELS[:, 0], WEIGHTS, EYE)
    weights = np.stack([WEIGHTS, 2 * WEIGHTS], axis=1)
    rig = observe(PLAN, PIXELS, weights, [EYE, EYE])
    check_plain(rig)
    assert rig.sources == (EYE, EYE)
    for view in range(C):
        np.testing.assert_array_equal(rig.positions[view], PIXELS[:, view])
        np.testing.assert_array_equal(rig.weights[view], weights[:, view])
    np.testing.assert_array_equal(the_one(alone)[0], rig.positions[0])
    one_of_one = observe(PLAN, PIXELS[:, :1], None, [EYE])
    np.testing.assert_array_equal(the_one(one_of_one)[0], PIXELS[:, 0])
    assert observe(PLAN, PIXELS[0], None, [EYE, EYE]).single
    by_name = observe(PLAN, {name: PIXELS[:, :, i] for i, name in enumerate(NAMES)}, None, [EYE, EYE])
    np.testing.assert_array_equal(by_name.positions[1], PIXELS[:, 1])


def test_orientations_are_quaternions_or_matrices():
    long = 3.0 * QUATERNIONS
    long[0, 0, 2] = np.nan
    seen = observe(PLAN, long, None, IMU)
    check_plain(seen)
    expected = QUATERNIONS.copy()
    expected[0, 0] = np.nan
    np.testing.assert_allclose(the_one(seen)[0], expected, rtol=0, atol=1e-15)
    matrices = Rotation.from_quat(QUATERNIONS.reshape(-1, 4), scalar_first=True).as_matrix().reshape(T, 2, 3, 3)
    matrices[0, 0, 1, 1] = np.inf
    seen = observe(PLAN, matrices, None, IMU)
    again = Rotation.from_quat(the_one(seen)[0].reshape(-1, 4)[1:], scalar_first=True).as_matrix()
    np.testing.assert_allclose(again, matrices.reshape(-1, 3, 3)[1:], atol=1e-14)
    assert (seen.infinite, seen.seen()[0, 0], seen.seen().sum()) == (1, False, 2 * T - 1)
    assert observe(PLAN, matrices[1], None, IMU).single
    for array in (matrices, QUATERNIONS):
        by_name = observe(PLAN, {"foot": array[:, 1], "hip": array[:, 0]}, None, IMU)
        np.testing.assert_array_equal(the_one(by_name)[0], the_one(observe(PLAN, array, None, IMU))[0])


def test_a_mix_is_a_list_with_an_entry_each():
    sources = [Points3D(), XYView(), EYE, IMU, STICKS]
    positions = [POINTS, POINTS[..., :2], PIXELS[:, 0], QUATERNIONS, DISTANCES]
    seen = observe(PLAN, positions, [None, WEIGHTS, None, 2.0, [1, 0, 3]], sources)
    check_plain(seen)
    assert seen.sources == tuple(sources)
    assert [each.shape for each in seen.positions] == [(T, K, 3), (T, K, 2), (T, K, 2), (T, 2, 4), (T, 3)]
    assert [None if each is None else each.shape for each in seen.weights] == [None, (T, K), None, (T, 2), (T, 3)]
    assert seen.seen(4).tolist() == [[True, False, True]] * T
    assert observe(PLAN, [each[0] for each in positions], None, sources).single
    part = seen.frames(slice(1, 3))
    assert part.n_frames == 2
    np.testing.assert_array_equal(part.positions[3], seen.positions[3][1:3])


def test_a_moving_rig_has_the_frames_of_the_positions():
    rig = Camera(500, 500, 0, 0, np.eye(3), np.zeros((T, 3)))
    seen = observe(PLAN, PIXELS, None, [rig, EYE])
    assert seen.frames(slice(2, 4)).sources[0].n_frames == 2
    with pytest.raises(InvalidArgument, match="camera 0 has 5 frames, and the positions have 4"):
        observe(PLAN, PIXELS[:4], None, [rig, EYE])


def labelled(order=NAMES, space="xyz", dims=("time", "space", "keypoints"), keypoints="keypoints"):
    xr = pytest.importorskip("xarray")
    axes = [NAMES.index(name) for name in order]
    values = POINTS[:, axes][:, :, ["xyz".index(s) for s in space]]
    array = xr.DataArray(
        values, dims=("time", keypoints, "space"), coords={keypoints: list(order), "space": list(space)}
    )
    return array.transpose(*dims)


def test_labelled_arrays_are_read_by_their_labels():
    np.testing.assert_array_equal(the_one(observe(PLAN, labelled()))[0], POINTS)
    np.testing.assert_array_equal(the_one(observe(PLAN, labelled(NAMES[::-1], "zxy")))[0], POINTS)
    ours = labelled(keypoints="keypoint", dims=("keypoint", "space", "time"))
    np.testing.assert_array_equal(the_one(observe(PLAN, ours))[0], POINTS)
    np.testing.assert_array_equal(the_one(observe(PLAN, labelled().drop_vars(["keypoints", "space"])))[0], POINTS)
    frame = observe(PLAN, labelled().isel(time=1))
    assert frame.single
    np.testing.assert_array_equal(the_one(frame)[0], POINTS[1:2])
    few = observe(PLAN, labelled(("foot", "hip")))
    assert few.seen().tolist() == [[False, True, False, True]] * T
    flat = observe(PLAN, labelled().sel(space=["x", "y"]), None, XYView())
    np.testing.assert_array_equal(the_one(flat)[0], POINTS[..., :2])
    fly = labelled().expand_dims(individuals=["fly"])
    np.testing.assert_array_equal(the_one(observe(PLAN, fly))[0], POINTS)


def test_labelled_weights_and_views():
    xr = pytest.importorskip("xarray")
    weights = xr.DataArray(WEIGHTS[:, ::-1], dims=("time", "keypoints"), coords={"keypoints": list(NAMES[::-1])})
    np.testing.assert_array_equal(the_one(observe(PLAN, POINTS, weights))[1], WEIGHTS)
    few = observe(PLAN, POINTS, weights.sel(keypoints=["knee"]))
    np.testing.assert_array_equal(the_one(few)[1], np.where(np.arange(K) == 2, WEIGHTS, 1.0))
    pixels = xr.DataArray(PIXELS, dims=("time", "view", "keypoints", "space")).transpose(
        "view", "space", "time", "keypoints"
    )
    rig = observe(PLAN, pixels, None, [EYE, EYE])
    np.testing.assert_array_equal(rig.positions[1], PIXELS[:, 1])


def test_what_labels_say_wrong_is_named():
    xr = pytest.importorskip("xarray")
    for array, error, message in (
        (
            labelled().to_dataset(name="position"),
            InvalidArgument,
            "expected one array of the dataset: one of 'position'",
        ),
        (labelled().rename(time="trial"), InvalidArgument, r"expected axes time, keypoints, space, got \('trial', "),
        (labelled().rename(keypoints="marks"), InvalidArgument, "expected axes time, keypoints, space"),
        (labelled().isel(keypoints=0), InvalidArgument, "expected axes time, keypoints, space"),
        (
            labelled().assign_coords(space=list("xyw")),
            InvalidArgument,
            "expected the space to be x, y and z, got x, y, w",
        ),
        (labelled().assign_coords(keypoints=[*NAMES[:3], "foott"]), UnknownKeypoint, "no keypoint 'foott'.*'foot'"),
        (labelled().assign_coords(keypoints=["hip"] * 4), InvalidArgument, "it holds two keypoints 'hip'"),
        (xr.concat([labelled()] * 2, "individuals"), InvalidArgument, "it holds 2 individuals; fit each by itself"),
    ):
        with pytest.raises(error, match=message):
            observe(PLAN, array)


WRONG = {
    "another K": (
        POINTS[:, :3],
        {},
        r"positions: expected shape \(T, 4, 3\), or \(4, 3\) for one frame, of the plan's 4",
    ),
    "two numbers": (POINTS[..., :2], {}, r"got \(5, 4, 2\); a last axis of 2 needs a 2D source: source=XYView\(\)"),
    "three numbers": (POINTS, {"source": XYView()}, r"got \(5, 4, 3\); a last axis of 3 needs source=Points3D\(\)"),
    "flat": (POINTS.reshape(T, -1), {}, r"positions\.reshape\(-1, 4, 3\)"),
    "turned": (POINTS.swapaxes(1, 2), {}, r"np\.swapaxes\(positions, -1, -2\)"),
    "nothing": (None, {}, "positions: expected real numbers"),
    "text": ("abc", {}, "positions: expected real numbers"),
    "complex": (POINTS * 1j, {}, "positions: expected real numbers"),
    "ragged": ([[1], [1, 2]], {}, "positions: expected an array of numbers, got a ragged"),
    "cameras in front": (PIXELS.swapaxes(0, 1), {"source": [EYE, EYE]}, r"np\.stack\(positions, axis=1\)"),
    "one camera's": (PIXELS[:, 0], {"source": [EYE, EYE]}, r"expected shape \(T, 2, 4, 2\).* 4 keypoints in 2 cameras"),
    "a mix as an array": (
        POINTS,
        {"source": [Points3D(), STICKS]},
        r"a list with .* \(Points3D, Distance\), got a ndarray",
    ),
    "a mix of one": ([POINTS], {"source": [Points3D(), STICKS]}, "an entry for each source .* got 1 entries"),
    "frames apart": (
        [POINTS, DISTANCES[1:]],
        {"source": [Points3D(), STICKS]},
        r"as many frames .* \(5, 4, 3\), \(4, 3\)",
    ),
    "single apart": ([POINTS[:1], DISTANCES[0]], {"source": [Points3D(), STICKS]}, "as many frames of each source"),
    "weights of others": (
        POINTS,
        {"weights": np.ones(3)},
        r"weights: expected shape \(5, 4\), .* or one that spreads to it",
    ),
    "weights of frames": (POINTS, {"weights": np.ones(T)}, r"weights: expected shape \(5, 4\)"),
    "an infinite weight": (
        POINTS,
        {"weights": [1, np.inf, 1, 1]},
        r"weights: expected finite weights, got inf at index \[1\]",
    ),
    "minus infinity": (POINTS, {"weights": [1, 1, -np.inf, 1]}, r"got -inf at index \[2\]"),
    "no names": ({}, {}, "expected arrays of one shape for names"),
    "names apart": ({"hip": POINTS[:, 0], "knee": POINTS[1:, 0]}, {}, "expected arrays of one shape for names"),
    "short arrays": (
        {"hip": POINTS[:, 0, :2]},
        {},
        r"expected arrays of shape \(..., 3\) for names, got \(5, 2\) for 'hip'",
    ),
    "no rotation": (np.zeros((2, 4)), {"source": IMU}, r"expected a unit quaternion wxyz at frame and joint \[0, 0\]"),
    "a reflection": (
        np.tile(-np.eye(3), (T, 2, 1, 1)),
        {"source": IMU},
        "expected a rotation matrix at frame and joint",
    ),
    "negative": (-DISTANCES, {"source": STICKS}, r"expected distances, got a negative one at index \[0, 0\]"),
    "no source": (POINTS, {"source": []}, "source: expected a source or a list of sources"),
    "a class": (POINTS, {"source": [Points3D]}, "source: expected a source or a list of sources"),
}


@pytest.mark.parametrize(("positions", "others", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_mend(positions, others, message):
    with pytest.raises(InvalidArgument, match=message):
        observe(PLAN, positions, **others)


def test_unknown_names_have_their_nearest():
    with pytest.raises(UnknownKeypoint, match="no keypoint 'foott'; did you mean 'foot'"):
        observe(PLAN, {"foott": POINTS[:, 0]})
    with pytest.raises(UnknownKeypoint, match="no keypoint 'kne'"):
        observe(PLAN, POINTS, {"kne": 1.0})
    for source in (Orientation("nee"), Distance([("hip", "nee")])):
        with pytest.raises(UnknownJoint, match="no joint 'nee'; did you mean 'knee'"):
            observe(PLAN, POINTS, None, source)


def test_sources_know_their_observations_and_go_through_files():
    assert IMU.labels(PLAN) == ("hip", "foot")
    assert STICKS.labels(PLAN) == ("trunk-hip", "hip-knee", "knee-foot")
    assert EYE.labels(PLAN) == Points3D().labels(PLAN) == NAMES
    for source in (Points3D(), XYView(), IMU, STICKS, EYE):
        assert Source.from_dict(source.to_dict()) == source
    for facts, message in (
        ({}, "kind: expected 'camera' or 'distance'"),
        ({"kind": "lidar"}, "got 'lidar'"),
        ({"kind": "points", "width": 3}, "points: got an unexpected keyword argument 'width'"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            Source.from_dict(facts)
    with pytest.raises(InvalidArgument, match="kind: expected 'camera', got 'points'"):
        Camera.from_dict({"kind": "points"})


@pytest.mark.parametrize("pairs", [(), ("ab",), [("hip", "hip")], [("a", "b", "c")], 3, [(1, 2)]])
def test_pairs_are_pairs(pairs):
    with pytest.raises(InvalidArgument, match="pairs: expected"):
        Distance(pairs)


@pytest.mark.parametrize("joints", [(), 3, [1]])
def test_joints_are_names(joints):
    with pytest.raises(InvalidArgument, match="joints: expected names of joints"):
        Orientation(joints)


COORDINATES = st.floats(-10, 10) | st.sampled_from([np.nan, np.inf, -np.inf, 1e200, 1e149])
SCALES = st.floats(-1, 2) | st.sampled_from([np.nan, 0.0, -0.0, 1e-300])


@settings(max_examples=100, deadline=None)
@given(
    hnp.arrays(float, st.tuples(st.integers(0, 40), st.just(K), st.just(3)), elements=COORDINATES, fill=st.just(1.0)),
    st.none() | hnp.arrays(float, K, elements=SCALES),
)
def test_the_one_rule_of_what_is_missing(points, weights):
    seen = observe(PLAN, points, weights)
    check_plain(seen)
    spoilt = ~(np.abs(points) <= 1e150)
    given = np.broadcast_to(1.0 if weights is None else weights, points.shape[:2])
    expected = np.where((given > 0) & ~spoilt.any(axis=2), given, 0.0)
    np.testing.assert_array_equal(seen.seen(), expected > 0)
    if (found := the_one(seen)[1]) is not None:
        np.testing.assert_array_equal(found, expected)
    assert seen.infinite == np.count_nonzero(spoilt & ~np.isnan(points))


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([Points3D(), XYView(), EYE, [EYE, EYE], IMU, STICKS, [Points3D(), IMU]]),
    st.recursive(
        st.none()
        | st.text(max_size=3)
        | st.floats()
        | hnp.arrays(st.sampled_from(["f8", "f4", "i4", "?", "O", "M8[s]"]), hnp.array_shapes(min_dims=0, max_side=5)),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, "x"]), inner, max_size=3),
        max_leaves=5,
    ),
    st.none() | st.floats() | hnp.arrays("f8", hnp.array_shapes(max_side=5)),
)
def test_junk_is_refused_or_read(source, positions, weights):
    with contextlib.suppress(InvalidArgument, UnknownKeypoint):
        check_plain(observe(PLAN, positions, weights, source))
