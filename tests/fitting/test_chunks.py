"""Chunks of a recording: fitted apart and joined they are the fit in one go, to the bit."""

import numpy as np
import pytest

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, fit, match, read_recording
from pantin.fitting.chunks import chunks_of, fit_chunk, join_chunks

PLAN = BodyPlan.load(samples.body_plan("walker"))


@pytest.fixture(scope="module")
def seen():
    """The sample twice in a row, so that it jumps in the middle, where windows have to be repaired."""
    found = match(read_recording(samples.recording("walker")), PLAN)
    return np.concatenate([found.positions] * 2), np.concatenate([found.weights] * 2)


def in_chunks(positions, weights, options, segments, size):
    chunks = chunks_of(len(positions), segments, size)
    parts = [
        fit_chunk(PLAN, options, one, positions[one.frames], None if weights is None else weights[one.frames])
        for one in chunks
    ]
    return join_chunks(PLAN, options, segments, positions, weights, None, parts)


@pytest.mark.parametrize("size", [1, 130, 10_000])
@pytest.mark.parametrize("segments", ["auto", 60])
def test_the_size_of_chunks_changes_no_bit(seen, segments, size):
    whole = fit(PLAN, *seen, segments=segments)
    assert in_chunks(*seen, FitOptions(), segments, size).equals(whole)


def test_a_window_that_is_repaired_is_so_across_chunks(seen):
    # Two thirds of the points are missing where the second window begins cold, so that it begins elsewhere.
    positions = seen[0].copy()
    positions[60:80, 8:] = np.nan
    whole = fit(PLAN, positions, seen[1], segments=60)
    assert {join.action for join in whole.joins} != {"joined"}
    assert in_chunks(positions, seen[1], FitOptions(), 60, 60).equals(whole)


@pytest.mark.parametrize(
    "options",
    [
        {"gap": "interpolate"},
        {"gap": "nan", "wrap": True},
        {"restart_factor": 1.2},  # which many frames exceed, so that the median of those before matters
        {"loss": "cauchy", "lock": "L1_coxa_yaw"},
        {"prescribe": {"R2_tibia_pitch": 1.2 + 0.2 * np.sin(np.arange(600) / 20)}},
    ],
    ids=lambda options: next(iter(options)),
)
def test_options_that_look_at_many_frames_hold_across_chunks(seen, options):
    whole = fit(PLAN, *seen, segments=60, options=FitOptions(**options))
    assert in_chunks(*seen, FitOptions(**options), 60, 130).equals(whole)


def test_recordings_without_weights_have_none_in_chunks(seen):
    assert in_chunks(seen[0], None, FitOptions(), 60, 130).equals(fit(PLAN, seen[0], segments=60))


@pytest.mark.parametrize("frames", [1, 5, 10, 11, 69, 70, 71, 1000])
def test_every_frame_is_in_one_chunk_but_for_what_windows_share(frames):
    chunks = chunks_of(frames, 60, 130)
    owned = [np.arange(one.frames.start + (0 if one.first else one.overlap), one.frames.stop) for one in chunks]
    assert np.concatenate(owned).tolist() == list(range(frames))
