"""Keypoints matched to joints by name, units, confidences and axes."""

from __future__ import annotations

import dataclasses
import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pantin import samples
from pantin.errors import InvalidArgument, UnknownJoint
from pantin.fitting import (
    BodyPlan,
    Recording,
    RecordingError,
    RecordingNotFound,
    RecordingWarning,
    align_axes,
    match,
    read_recording,
    weights_from_confidence,
)


def hinge(name, parent, offset):
    dofs = [{"type": "hinge", "axis": [0, 0, 1], "neutral": 0.0}]
    return {"name": name, "parent": parent, "offset_pos": offset, "offset_quat": [1, 0, 0, 0], "dofs": dofs}


def make_plan(unit="m"):
    joints = [hinge("hip", None, [0, 0, 0]), hinge("knee", "hip", [0.4, 0, 0]), hinge("foot", "knee", [0, 0.4, 0])]
    joints[-1]["dofs"] = []
    extra = {} if unit is None else {"x-pantin": {"length_unit": unit}}
    return BodyPlan.from_dict({"fixed_base": False, "joints": joints, **extra})


def make_recording(names="hip knee foot", scale=1.0, frames=7, **facts):
    rng = np.random.default_rng(3)
    plan = make_plan()
    points = dict(zip(plan.joint_names, plan.keypoints(plan.neutral_state()), strict=True))
    places = np.array([points.get(name.lower(), np.zeros(3)) for name in names.split()])
    noise = rng.normal(size=(frames, len(places), 3)) * 0.02
    return Recording(keypoints=tuple(names.split()), positions=(places + noise) * scale, **facts)


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RecordingWarning)
        yield


def test_same_names_in_another_order():
    recording = make_recording("foot tail hip", unit="m", rate=10)
    matched = match(recording, make_plan())
    np.testing.assert_array_equal(matched.positions[:, 0], recording.positions[:, 2])
    np.testing.assert_array_equal(matched.positions[:, 2], recording.positions[:, 0])
    assert np.isnan(matched.positions[:, 1]).all()
    np.testing.assert_array_equal(matched.weights, np.tile([1.0, 0.0, 1.0], (7, 1)))
    np.testing.assert_array_equal(matched.time, np.arange(7) / 10)
    report = matched.report
    assert report.matched == {"hip": "hip", "foot": "foot"}
    assert (report.unmatched_joints, report.unmatched_keypoints) == (("knee",), ("tail",))
    assert "2 of 3 joints" in str(report)
    assert "keypoints without a joint: tail" in str(report)


def test_arguments_in_another_order_are_told_of():
    with pytest.raises(InvalidArgument, match="recording: expected a Recording, got a BodyPlan"):
        match(make_plan(), make_recording())
    with pytest.raises(InvalidArgument, match="plan: expected a BodyPlan, got a dict"):
        match(make_recording(), {})


def test_no_frames():
    assert match(make_recording("foot tail hip", frames=0), make_plan()).positions.shape == (0, 3, 3)


def test_nothing_to_change_is_not_copied():
    recording = make_recording()
    assert np.shares_memory(match(recording, make_plan()).positions, recording.positions)


@pytest.mark.parametrize("suffix", ["json", "toml", "csv"])
def test_mapping_files(tmp_path, suffix):
    path = tmp_path / f"names.{suffix}"
    table = {"Huefte": "hip", "pied": "foot"}
    text = {
        "json": json.dumps(table),
        "toml": "[mapping]\nHuefte = 'hip'\npied = 'foot'\n",
        "csv": "# by hand\nrecording, joint\nHuefte, hip\n\npied, foot\n",
    }[suffix]
    path.write_text(text)
    recording = make_recording("pied knee Huefte foot", scale=0)
    report = match(recording, make_plan(), path).report
    assert report.matched == {"hip": "Huefte", "knee": "knee", "foot": "pied"}
    assert report.unmatched_keypoints == ("foot",)
    assert match(recording, make_plan(), table).report == report


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", '{"a": {"joint": "hip", "offset": [0, 0, 1]}}', "'a': expected the name of a joint.*offsets.*not"),
        ("a.json", '{"a": "hip", "a": "knee"}', "keypoint 'a' stands twice"),
        ("a.json", '["a"]', "expected a table from keypoints to joints, got a list"),
        ("a.json", '{"a": null}', "'a': expected the name of a joint, got None"),
        ("a.json", "{", "line 1"),
        ("a.toml", "a = ", "Invalid value"),
        ("a.csv", "a,hip\nb,knee,0,0,1\n", "line 2 has 5 names, expected recording and joint; local offsets"),
        ("a.csv", "a\n", "line 1 has 1 names, expected recording and joint"),
        ("a.csv", "a,hip\na,knee\n", "line 2: keypoint 'a' stands twice"),
        ("a.csv", "a,hip\nb,hip\n", "both 'a' and 'b' are mapped to the joint 'hip'"),
        ("a.txt", "", r"ends in \.json, \.toml or \.csv"),
    ],
)
def test_mistakes_of_mapping_files(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(RecordingError, match=message):
        match(make_recording(), make_plan(), tmp_path / name)


def test_mistakes_of_mappings(tmp_path):
    with pytest.raises(RecordingNotFound):
        match(make_recording(), make_plan(), tmp_path / "none.csv")
    with pytest.raises(InvalidArgument, match="mapping: 'hip': expected the name of a joint"):
        match(make_recording(), make_plan(), {"hip": ("hip", [0, 0, 1])})
    with pytest.raises(UnknownJoint, match="did you mean 'knee'"):
        match(make_recording(), make_plan(), {"hip": "kne"})
    with pytest.warns(RecordingWarning, match="names a keypoint 'knie', which the recording does not have.*'knee'"):
        match(make_recording(), make_plan(), {"knie": "knee"})


def test_similar_names_are_hints_and_nothing_more():
    recording = make_recording("S1:HIP KneeX foot")
    report = match(recording, make_plan()).report
    assert report.matched == {"foot": "foot"}
    assert report.hints == {"S1:HIP": "hip", "KneeX": "knee"}
    with pytest.raises(RecordingError, match=r"none of its keypoints \('HIP'\).*\{'HIP': 'hip'\}"):
        match(make_recording("HIP"), make_plan())
    with pytest.raises(RecordingError, match="give a mapping from keypoints to joints"):
        match(make_recording("a b c d e f"), make_plan())


@pytest.mark.parametrize(
    ("given", "wanted", "factor"), [("mm", "m", 0.001), ("um", "mm", 0.001), ("m", "um", 1e6), ("cm", "mm", 10)]
)
def test_units_are_converted(given, wanted, factor):
    plan = make_plan(wanted)
    points = make_recording().positions / factor
    stated = Recording(keypoints=("hip", "knee", "foot"), positions=points, unit=given)
    unstated = dataclasses.replace(stated, unit=None)
    matched = match(stated, plan)
    np.testing.assert_allclose(matched.positions, points * factor, rtol=1e-15)
    np.testing.assert_array_equal(match(unstated, plan, unit=given).positions, matched.positions)
    assert matched.report.factor == factor
    assert f"converted from {given} to {wanted}" in str(matched.report)


@pytest.mark.parametrize("factor", [10, 100, 1000, 1e6])
@pytest.mark.parametrize("small", [False, True])
def test_what_looks_like_another_unit_is_warned_about(factor, small):
    scale = 1 / factor if small else factor
    words = f"about 1/{factor:.0f} the size of" if small else f"about {factor:.0f} times as large as"
    recording = make_recording(scale=scale)
    with pytest.warns(RecordingWarning, match=words):
        report = match(recording, make_plan()).report
    assert words in str(report)


def test_another_body_or_pose_is_no_other_unit():
    for scale in (0.5, 2, 3):
        match(make_recording(scale=scale), make_plan())


def test_units_that_do_not_fit():
    with pytest.raises(InvalidArgument, match="unit: the plan states no unit to convert 'mm' to"):
        match(make_recording(), make_plan(None), unit="mm")
    with pytest.raises(InvalidArgument, match="unit: expected 'm', 'cm', 'mm', 'um' or 'px', got 'mn'"):
        match(make_recording(), make_plan(), unit="mn")
    with pytest.raises(InvalidArgument, match="pixels"):
        match(make_recording(), make_plan(), unit="px")
    report = match(make_recording(unit="mm"), make_plan(None)).report
    assert report.factor == 1
    assert "the recording is in mm, the plan states no unit: taken for the same" in str(report)


def test_pictures_keep_their_pixels():
    recording = Recording(keypoints=("knee", "hip"), positions=np.full((2, 2, 2), 640.0), unit="px")
    matched = match(recording, make_plan())
    assert matched.positions.shape == (2, 3, 2)
    np.testing.assert_array_equal(matched.weights, [[1, 1, 0], [1, 1, 0]])


def test_confidences_become_weights_in_plan_order():
    confidence = np.tile([0.2, 0.5, np.nan], (7, 1))
    matched = match(make_recording("foot hip knee", confidence=confidence), make_plan())
    np.testing.assert_array_equal(matched.weights[0], [0.25, 0, 0])
    loose = match(
        make_recording("foot hip knee", confidence=confidence), make_plan(), confidence_floor=0, confidence_power=1
    )
    np.testing.assert_array_equal(loose.weights[0], [0.5, 0, 0.2])


def test_sample_matches_its_plan():
    recording = read_recording(samples.recording("walker"))
    matched = match(recording, BodyPlan.load(samples.body_plan("walker")))
    assert not matched.report.unmatched_joints
    assert not matched.report.unmatched_keypoints
    missing = np.isnan(matched.positions).any(axis=-1)
    assert missing.any()
    assert (matched.weights[missing] == 0).all()
    expected = np.where(recording.confidence >= 0.3, recording.confidence, 0) ** 2
    np.testing.assert_allclose(matched.weights[~missing], expected[~missing], rtol=1e-15)


@given(
    hnp.arrays(np.float64, hnp.array_shapes(min_dims=0, max_dims=3), elements=st.floats(0, 1) | st.just(np.nan)),
    st.floats(0, 1),
    st.floats(0, 5),
)
def test_weights_follow_their_rule(confidence, floor, power):
    weights = weights_from_confidence(confidence, floor, power)
    counted = np.nan_to_num(confidence, nan=-1) >= floor
    np.testing.assert_array_equal(weights[~counted], 0)
    positive = counted & (confidence > 0)
    np.testing.assert_array_equal(weights[positive], confidence[positive] ** power)
    assert weights.shape == confidence.shape


@pytest.mark.parametrize(
    ("values", "hint"), [([50, 99], "percent"), ([0.5, 1.5], "got 1.5$"), ([-0.1, 50], "got -0.1$"), ([np.inf], "inf$")]
)
def test_confidences_outside_are_refused(values, hint):
    with pytest.raises(InvalidArgument, match=rf"confidence: expected numbers in \[0, 1\].*{hint}"):
        weights_from_confidence(values)


def test_axes_turn_without_mirroring():
    points = np.random.default_rng(0).normal(size=(4, 5, 3))
    turned = align_axes(points, "x-zy", scale=2, origin=[1, 0, 0])
    rotation = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert np.linalg.det(rotation) == 1
    np.testing.assert_allclose(turned, 2 * (points - [1, 0, 0]) @ rotation.T)
    np.testing.assert_array_equal(align_axes(points), points)
    np.testing.assert_array_equal(align_axes(points, "xzy", mirror=True), points[..., [0, 2, 1]])
    with pytest.raises(InvalidArgument, match="mirrors"):
        align_axes(points, "x, z, y")
    for wrong in ("xxy", "xy", "abc", ""):
        with pytest.raises(InvalidArgument, match="expected x, y and z once each"):
            align_axes(points, wrong)
    with pytest.raises(InvalidArgument, match=r"expected shape \(\.\.\., 3\)"):
        align_axes(points[..., :2])


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"keypoints": ("a", "a")}, "two keypoints 'a'"),
        ({"keypoints": ("a", "")}, "keypoint 1 has no name"),
        ({"keypoints": "ab"}, "expected a list of names"),
        ({"positions": np.zeros((3, 2))}, r"expected shape \(T, 2, 2 or 3\)"),
        ({"confidence": np.zeros((3, 3))}, r"expected shape \(3, 2\)"),
        ({"time": [0, 1]}, "expected 3 seconds"),
        ({"rate": 0}, "rate"),
    ],
)
def test_recordings_of_ones_own_are_checked(facts, message):
    with pytest.raises(InvalidArgument, match=message):
        Recording(**{"keypoints": ("a", "b"), "positions": np.zeros((3, 2, 3)), **facts})
