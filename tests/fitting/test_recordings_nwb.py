"""Pose estimation in NWB files, with sleap-io and pynwb as their writers."""

from __future__ import annotations

import datetime
import warnings

import numpy as np
import pytest
from test_recordings_sleap import NODES, labels_of, points_of

from pantin.fitting import RecordingError, read_recording, read_recordings

h5py = pytest.importorskip("h5py")


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the writers, about their own defaults
        yield


def test_files_that_sleap_io_writes(tmp_path):
    sleap_io = pytest.importorskip("sleap_io")
    points, scores = points_of()  # the second node is not there in frame 2
    path = tmp_path / "fly.nwb"
    sleap_io.save_nwb(labels_of(sleap_io, points, scores, ["anna", "berta"]), str(path), nwb_format="predictions")
    recordings = read_recordings(path)
    assert list(recordings) == ["anna", "berta"]
    for recording, place, score in zip(recordings.values(), points, scores, strict=True):
        order = [recording.keypoints.index(node) for node in NODES]
        np.testing.assert_array_equal(recording.positions[:, order], place)
        seen = np.isfinite(place).all(axis=-1)
        np.testing.assert_allclose(recording.confidence[:, order][seen], score[seen])
        assert (recording.unit, recording.rate) == ("px", 1)


def write(path, series_of):
    """A file with one animal, each of its keypoints as the arguments of a `PoseEstimationSeries`."""
    pynwb, pose = pytest.importorskip("pynwb"), pytest.importorskip("ndx_pose")
    start = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
    file = pynwb.NWBFile(session_description="walk", identifier="walk", session_start_time=start)
    series = [
        pose.PoseEstimationSeries(name=name, reference_frame="the arena's corner", **arguments)
        for name, arguments in series_of.items()
    ]
    skeleton = pose.Skeleton(name="fly", nodes=list(series_of))
    module = file.create_processing_module("behavior", "poses")
    module.add(pose.Skeletons(skeletons=[skeleton]))
    module.add(pose.PoseEstimation(name="fly", pose_estimation_series=series, skeleton=skeleton))
    with pynwb.NWBHDF5IO(str(path), "w") as io:
        io.write(file)
    return path


def test_points_in_space_with_times_of_their_own(tmp_path):
    rng = np.random.default_rng(4)
    head, tail = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))
    path = write(
        tmp_path / "fly.nwb",
        {
            "head": {"data": head, "unit": "millimeters", "timestamps": [0.1, 0.2, 0.3, 0.4], "confidence": np.ones(4)},
            "tail": {"data": tail, "unit": "millimeters", "rate": 10.0, "starting_time": 0.2, "conversion": 10.0},
        },
    )
    recording = read_recording(path)
    assert (recording.format, recording.keypoints, recording.unit) == ("nwb", ("head", "tail"), "mm")
    np.testing.assert_array_equal(recording.time, [0.1, 0.2, 0.3, 0.4])
    np.testing.assert_array_equal(recording.positions[:, 0], head)
    np.testing.assert_array_equal(recording.positions[1:, 1], tail * 10)
    assert np.isnan(recording.positions[0, 1]).all()
    np.testing.assert_array_equal(recording.confidence[:, 0], 1)


def test_files_without_poses(tmp_path):
    path = tmp_path / "fly.nwb"
    with h5py.File(path, "w") as file:
        file.attrs["nwb_version"] = "2.7"
    with pytest.raises(RecordingError, match="has no pose estimation"):
        read_recording(path)
    with h5py.File(path, "r+") as file:
        file.create_group("fly").attrs["neurodata_type"] = "PoseEstimation"
    with pytest.raises(RecordingError, match="/fly has 0 keypoints"):
        read_recording(path)
