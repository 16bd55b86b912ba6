"""A summary tells what the arrays say, and what was not observed counts nowhere."""

import io
import json
import math

import numpy as np
import pytest
from hand_made import camera, hand_made, mixed_sources
from rich.console import Console
from worked_examples import HOPPER

from pantin.errors import InvalidArgument
from pantin.fitting.join import Join
from pantin.fitting.plan import BodyPlan
from pantin.fitting.sources import Orientation

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def hopper():
    return BodyPlan.from_dict(HOPPER)


@pytest.fixture(scope="module")
def result(hopper):
    return hand_made(hopper, 80, missing=0.3)


def test_frames_are_counted_by_status(result):
    words = result.status.tolist()
    assert result.summary().statuses == {word: words.count(word) for word in set(words)}
    assert result.summary().frames == 80


def test_numbers_are_those_of_what_was_observed(result):
    summary = result.summary()
    known = sorted(value for value in result.residual.ravel().tolist() if not math.isnan(value))
    (source,) = summary.sources
    assert source.seen == pytest.approx(len(known) / result.residual.size)
    assert source.residual.mean == pytest.approx(sum(known) / len(known))
    assert source.residual.rms == pytest.approx((sum(value**2 for value in known) / len(known)) ** 0.5)
    assert source.residual.largest == known[-1]
    assert known[int(0.9 * len(known))] < source.residual.most < known[-1]
    assert source.unit == "m"
    assert summary.cost.mean == pytest.approx(np.mean(result.cost))
    assert summary.cost_data + summary.cost_prior == pytest.approx(summary.cost.mean)


def test_missing_markers_are_no_exact_ones(hopper):
    gappy = hand_made(hopper, 60, missing=0.0)
    seen = np.array(gappy.residual)
    seen[:50, 3] = np.nan
    seen[:, 4] = np.nan
    gappy = hand_made(hopper, 60, missing=0.0, residuals=(seen,))
    keypoints = {one.name: one for one in gappy.summary().keypoints}
    assert keypoints["foot"].seen == pytest.approx(10 / 60)
    assert keypoints["foot"].mean == pytest.approx(seen[50:, 3].mean())
    assert keypoints["mast"].seen == 0.0
    assert np.isnan([keypoints["mast"].mean, keypoints["mast"].rms, keypoints["mast"].outliers]).all()
    assert gappy.summary().keypoints[-1].name == "mast"


def test_the_worst_come_first(result):
    summary = result.summary(worst=7)
    frames = [one.frame for one in summary.worst_frames]
    assert frames == sorted(range(80), key=lambda frame: -result.cost[frame])[:7]
    for one in summary.worst_frames:
        place = result.plan.joint(one.keypoint)
        assert result.residual[one.frame, place] == np.nanmax(result.residual[one.frame]) == one.largest
        assert one.status == result.status[one.frame]
        assert one.time == result.time[one.frame]
    rms = [one.rms for one in summary.keypoints]
    assert rms == sorted(rms, reverse=True)
    assert len(rms) == 6


def test_limits_and_sight_are_shares_of_the_frames(hopper):
    at_limit, seen = np.zeros((10, 4), dtype=np.int8), np.ones((10, 4), dtype=bool)
    at_limit[:3, 2], at_limit[4:, 2], seen[:8, 1] = -1, 1, False
    summary = hand_made(hopper, 10, at_limit=at_limit, seen=seen).summary()
    assert [one.name for one in summary.dofs[:2]] == ["knee", "hip_pitch"]
    assert (summary.dofs[0].at_lower, summary.dofs[0].at_upper) == (0.3, 0.6)
    assert summary.dofs[1].seen == pytest.approx(0.2)
    assert {one.name: one.unit for one in summary.dofs}["mast"] == "m"


def test_events_are_told_where_there_are_any(hopper):
    flags = np.arange(20) % 4 == 0
    joins = (Join(5, 0.0, 0.0, "joined"), Join(9, 0.3, 0.1, "repaired"), Join(12, 0.0, 0.0, "joined"))
    filled = np.zeros((20, 4), dtype=bool)
    filled[3:5] = True
    busy = hand_made(hopper, 20, restarted=flags, joins=joins, interpolated=filled, behind_camera=flags * 2, infinite=7)
    summary = busy.summary()
    assert (summary.restarted, summary.joins) == (5, {"joined": 2, "repaired": 1})
    assert (summary.interpolated, summary.behind_camera, summary.infinite) == (2, 10, 7)
    assert "infinite coordinates, taken as missing" in str(summary)
    assert "events" not in str(hand_made(hopper, 20, restarted=False).summary())


def test_each_source_is_told(hopper):
    names = [one.name for one in hand_made(hopper, source=mixed_sources(hopper)).summary().sources]
    assert names == ["points", "xy", "camera_0", "camera_1", "orientation", "distance"]
    two = hand_made(hopper, 200, source=[camera(hopper), camera(hopper, 0.7)], missing=0.5).summary()
    assert [one.unit for one in two.sources] == ["px", "px"]
    assert all(0.65 < one.seen < 0.85 for one in two.keypoints)  # by one camera or the other
    turned = hand_made(hopper, source=Orientation(("hip", "knee"))).summary()
    assert turned.keypoints == ()
    assert turned.worst_frames[0].keypoint == ""


@pytest.mark.parametrize("frames", [None, 0, 1, 30])
def test_text_tables_and_json_say_the_same(hopper, frames):
    result = hand_made(hopper, 3)[:0] if frames == 0 else hand_made(hopper, frames)
    summary = result.summary()
    facts = json.loads(json.dumps(summary.to_dict(), allow_nan=False))
    assert facts["frames"] == (1 if frames is None else frames)
    assert [one["name"] for one in facts["dofs"]] == [one.name for one in summary.dofs]
    shown = io.StringIO()
    Console(file=shown, width=200).print(summary)
    words = [line.split() for line in shown.getvalue().splitlines() if line.split()]
    assert words == [line.split() for line in str(summary).splitlines() if line.split()]


def test_columns_are_aligned(result):
    for table in str(result.summary()).split("\n\n"):
        heading, *rows = table.splitlines()
        if "seen" in heading:
            end = heading.index("seen") + len("seen")
            assert {row[end - 1] for row in rows} == {"%"}


def test_shares_are_not_rounded_to_all_or_nothing(hopper):
    seen = np.ones((5000, 4), dtype=bool)
    seen[0, 0], seen[1:, 1] = False, False
    text = str(hand_made(hopper, 5000, seen=seen).summary())
    lines = {line.split()[0]: line for line in text.splitlines() if line.strip()}
    assert " 99.9 %" in lines["hip_yaw"]
    assert " 0.1 %" in lines["hip_pitch"]


def test_the_number_of_worst_frames_is_checked(result):
    assert result.summary(0).worst_frames == ()
    with pytest.raises(InvalidArgument, match="worst"):
        result.summary(-1)
