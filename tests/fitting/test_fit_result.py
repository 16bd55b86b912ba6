"""Results tell what was found, can be cut and put together again, and compare to the last bit."""

import pickle
import warnings

import numpy as np
import pytest
from hand_made import camera, hand_made, mixed_sources
from worked_examples import HOPPER

from pantin.errors import InvalidArgument
from pantin.fitting.camera import Camera
from pantin.fitting.fields import FIELDS
from pantin.fitting.join import Join
from pantin.fitting.observations import observe
from pantin.fitting.options import FitOptions
from pantin.fitting.plan import BodyPlan
from pantin.fitting.result import FitResult
from pantin.fitting.status import STATUSES, FitStatus


@pytest.fixture(scope="module")
def hopper():
    return BodyPlan.from_dict(HOPPER)


@pytest.fixture
def result(hopper):
    return hand_made(hopper, 20)


def test_one_frame_of_many_is_plain(result):
    one = result[3]
    assert one.single
    assert one.dofs.shape == (4,)
    assert one.status is STATUSES[result.status_code[3]]
    assert one.cost == result.cost[3]
    assert one.time == result.time[3]
    assert isinstance(float(one.cost), float)
    assert one.keypoints.shape == (6, 3)
    for ask in (lambda: len(one), lambda: one[0]):
        with pytest.raises(TypeError, match="single frame"):
            ask()


def test_statuses_are_words_and_minima_are_successes(hopper):
    codes = np.arange(len(STATUSES))
    all_ends = hand_made(hopper, len(codes), status_code=codes)
    assert all_ends.status.tolist() == [status.value for status in STATUSES]
    good = {FitStatus.CONVERGED.value, FitStatus.UNOBSERVABLE.value}
    assert all_ends.success.tolist() == [word in good for word in all_ends.status]


@pytest.mark.parametrize("key", [slice(2, 9), slice(None, None, -3), [4, 1, 1], slice(0, 0)])
def test_frames_are_chosen_as_arrays_choose(result, key):
    some = result[key]
    for field in FIELDS:
        assert np.array_equal(getattr(some, field.name), getattr(result, field.name)[key], equal_nan=True)
    assert np.array_equal(some.time, result.time[key])
    assert np.array_equal(some.residual, result.residual[key], equal_nan=True)
    assert len(some) == len(some.keypoints)


def test_parts_make_the_whole_again(result):
    whole = FitResult.concatenate([result[:7], result[7], result[8:]])
    assert whole.equals(result)
    assert not result[:7].equals(result[7:14])


def test_parts_must_be_of_one_fit(result, hopper):
    other = hand_made(hopper, 5, options=FitOptions(loss="huber"))
    with pytest.raises(InvalidArgument, match="part 1 was fitted with other options"):
        FitResult.concatenate([result, other])
    with pytest.raises(InvalidArgument, match="some parts have times"):
        FitResult.concatenate([result, hand_made(hopper, 5, time=None)])
    with pytest.raises(InvalidArgument, match="got none"):
        FitResult.concatenate([])


def test_a_changed_bit_makes_another_result(result, hopper):
    for field in FIELDS:
        values = np.array(getattr(result, field.name))
        values[-1] = ~values[-1] if values.dtype == bool else 7 if values.dtype.kind == "i" else 0.125
        assert not result.equals(hand_made(hopper, 20, **{field.name: values})), field.name
    assert result.equals(hand_made(hopper, 20))


def test_several_cameras_give_the_root_mean_square_of_those_that_see(hopper):
    two = hand_made(hopper, 30, source=[camera(hopper), camera(hopper, 0.7)], missing=0.4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of means of nothing
        expected = np.sqrt(np.nanmean(np.square(two.residuals), axis=0))
    assert np.isnan(expected).any()
    assert np.allclose(two.residual, expected, rtol=1e-14, equal_nan=True)
    assert np.array_equal(two.outlier, two.outliers[0] | two.outliers[1])


def test_a_mix_gives_the_residual_of_its_first_source_of_keypoints(hopper):
    sources = mixed_sources(hopper)
    assert np.array_equal(
        hand_made(hopper, source=sources).residual, hand_made(hopper, source=sources).residuals[0], equal_nan=True
    )
    turned = hand_made(hopper, source=sources[::-1])
    assert np.array_equal(turned.residual, turned.residuals[2], equal_nan=True)


def test_frames_of_a_moving_camera_go_with_those_of_the_result(hopper):
    still = camera(hopper)
    moving = Camera(
        still.fx,
        still.fy,
        still.cx,
        still.cy,
        np.tile(still.R, (20, 1, 1)),
        np.tile(still.t, (20, 1)) + np.arange(20)[:, None],
    )
    result = hand_made(hopper, source=moving)
    for key in (slice(3, 9), [4, 7], 5):
        frames = np.atleast_1d(np.arange(20)[key])
        some = result[key]
        assert np.array_equal(some.source[0].t, moving.t[frames])
        assert np.array_equal(some.observations.positions[0], result.observations.positions[0][frames], equal_nan=True)
        assert some.observations.single == some.single
    assert FitResult.concatenate([result[:6], result[6:]]).equals(result)


def test_joins_move_with_their_frames(hopper):
    result = hand_made(hopper, joins=(Join(5, 0.01, 0.002, "joined"), Join(12, 0.3, 0.1, "repaired")))
    assert [join.frame for join in result[4:12].joins] == [1]
    assert result[12].joins == ()
    assert FitResult.concatenate([result[:10], result[10:]]).joins == result.joins


def test_parts_with_and_without_weights_make_a_whole_with_weights(hopper):
    plain, weighed = hand_made(hopper, missing=0.3), hand_made(hopper, missing=0.3, weights=True)
    whole = FitResult.concatenate([plain, weighed]).observations
    assert np.array_equal(whole.seen(0)[:20], plain.observations.seen(0))
    assert np.array_equal(whole.weights[0][:20], plain.observations.seen(0).astype(float))
    assert np.array_equal(whole.weights[0][20:], weighed.observations.weights[0])
    assert FitResult.concatenate([plain, hand_made(hopper, observations=None)]).observations is None


def test_infinite_coordinates_are_those_of_the_frames(hopper):
    positions = np.zeros((6, 6, 3))
    positions[1, 2], positions[4, 0, 1] = np.inf, -np.inf
    seen = observe(hopper, positions)
    result = hand_made(hopper, 6, observations=seen, infinite=seen.infinite)
    assert (result.infinite, result[:3].infinite, result[3:].infinite, result[4].infinite) == (4, 3, 1, 1)
    assert FitResult.concatenate([result[:3], result[3:]]).infinite == 4
    assert hand_made(hopper, 6, observations=None, infinite=4)[:3].infinite == 4


def test_a_pickle_has_what_was_found_and_nothing_more(hopper):
    result = hand_made(hopper, source=mixed_sources(hopper))
    before = pickle.dumps(result)
    assert result.keypoints.shape == (20, 6, 3)
    assert pickle.dumps(result) == before
    assert pickle.loads(before).equals(result)


def test_a_wrong_shape_is_named(result, hopper):
    arrays = {field.name: getattr(result, field.name) for field in FIELDS}
    given = {"plan": hopper, "options": FitOptions(), "source": result.source, **arrays}
    given |= {"residuals": result.residuals, "outliers": result.outliers}
    for name in ("dofs", "cost", "at_limit", "restarted", "scales"):
        with pytest.raises(InvalidArgument, match=f"^{name}: expected shape"):
            FitResult(**{**given, name: np.zeros((20, 7))})
    with pytest.raises(InvalidArgument, match="residuals: expected 1 arrays"):
        FitResult(**{**given, "residuals": ()})
    for name in ("residuals", "outliers"):
        with pytest.raises(InvalidArgument, match=rf"{name}: expected shape \(20, 6\), got \(20, 5\)"):
            FitResult(**{**given, name: (np.zeros((20, 5)),)})
    with pytest.raises(InvalidArgument, match="time: expected shape"):
        FitResult(**given, time=np.zeros(3))


def test_a_result_is_no_truth_value(result):
    with pytest.raises(TypeError, match=r"ask for its \.success"):
        bool(result)


def test_no_frames_are_welcome(result):
    none = result[:0]
    assert len(none) == 0
    assert repr(none) == "FitResult(0 frames)"
    assert none.status.shape == none.success.shape == (0,)
