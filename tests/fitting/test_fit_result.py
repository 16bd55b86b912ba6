"""Results tell what was found, can be cut and put together again, and compare to the last bit."""

import types

import numpy as np
import pytest
from hand_made import hand_made

from pantin.errors import InvalidArgument
from pantin.fitting.fields import FIELDS
from pantin.fitting.options import FitOptions
from pantin.fitting.result import FitResult
from pantin.fitting.status import STATUSES, FitStatus


class Line:
    """A stand-in for a body plan: three joints in a row."""

    n_joints, n_dofs, fixed_base, length = 3, 2, False, 1.0
    dof_is_slide = np.array([False, True])
    neutral, lower, upper = np.zeros(2), np.full(2, -0.3), np.full(2, np.inf)

    @staticmethod
    def keypoints(state):
        return np.stack([state.root_pos] * 3, axis=-2)

    @staticmethod
    def to_dict():
        return {}


def seen_by(*kinds):
    return tuple(types.SimpleNamespace(kind=kind, to_dict=lambda kind=kind: {"kind": kind}) for kind in kinds)


@pytest.fixture
def result():
    return hand_made(Line(), 20, source=seen_by("points"))


def test_one_frame_of_many_is_plain(result):
    one = result[3]
    assert one.single
    assert one.dofs.shape == (2,)
    assert one.status is STATUSES[result.status_code[3]]
    assert one.cost == result.cost[3]
    assert one.time == result.time[3]
    assert isinstance(float(one.cost), float)
    assert one.keypoints.shape == (3, 3)
    for ask in (lambda: len(one), lambda: one[0]):
        with pytest.raises(TypeError, match="single frame"):
            ask()


def test_statuses_are_words_and_minima_are_successes(result):
    codes = np.arange(len(STATUSES))
    all_ends = hand_made(Line(), len(codes), source=seen_by("points"), status_code=codes)
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


def test_parts_must_be_of_one_fit(result):
    other = hand_made(Line(), 5, source=seen_by("points"), options=FitOptions(loss="huber"))
    with pytest.raises(InvalidArgument, match="part 1 was fitted with another options"):
        FitResult.concatenate([result, other])
    with pytest.raises(InvalidArgument, match="some parts have times"):
        FitResult.concatenate([result, hand_made(Line(), 5, source=seen_by("points"), time=None)])
    with pytest.raises(InvalidArgument, match="got none"):
        FitResult.concatenate([])


def test_a_changed_bit_makes_another_result(result):
    for field in FIELDS:
        values = np.array(getattr(result, field.name))
        values[-1] = ~values[-1] if values.dtype == bool else 7 if values.dtype.kind == "i" else 0.125
        assert not result.equals(hand_made(Line(), 20, source=seen_by("points"), **{field.name: values})), field.name
    assert result.equals(hand_made(Line(), 20, source=seen_by("points")))


def test_several_cameras_give_the_root_mean_square_of_those_that_see():
    seen = (np.array([[3.0, np.nan, 1.0]]), np.array([[4.0, np.nan, np.nan]]))
    none = (np.zeros((1, 3), dtype=bool), np.array([[True, False, False]]))
    result = hand_made(Line(), 1, source=seen_by("camera", "camera"), residuals=seen, outliers=none)
    assert np.array_equal(result.residual, [[np.sqrt(12.5), np.nan, 1.0]], equal_nan=True)
    assert result.outlier.tolist() == [[True, False, False]]


def test_a_mix_gives_the_residual_of_its_first_source_of_keypoints():
    seen = (np.ones((1, 1)), np.full((1, 3), 2.0), np.full((1, 3), 3.0))
    none = tuple(np.zeros(one.shape, dtype=bool) for one in seen)
    result = hand_made(Line(), 1, source=seen_by("orientation", "points", "camera"), residuals=seen, outliers=none)
    assert np.array_equal(result.residual, seen[1])


def test_a_wrong_shape_is_named(result):
    arrays = {field.name: getattr(result, field.name) for field in FIELDS}
    given = {"plan": Line(), "options": FitOptions(), "source": result.source, **arrays}
    given |= {"residuals": result.residuals, "outliers": result.outliers}
    for name in ("dofs", "cost", "at_limit", "restarted", "scales"):
        with pytest.raises(InvalidArgument, match=f"^{name}: expected shape"):
            FitResult(**{**given, name: np.zeros((20, 7))})
    with pytest.raises(InvalidArgument, match="residuals: expected 1 arrays"):
        FitResult(**{**given, "residuals": ()})
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
