"""SLEAP's analysis files and projects, with sleap-io as their writer."""

from __future__ import annotations

import numpy as np
import pytest

from pantin.errors import MissingExtra
from pantin.fitting import RecordingError, read_recording, read_recordings

h5py = pytest.importorskip("h5py")
NODES = ["head", "thorax", "tip"]


@pytest.fixture(scope="module")
def sleap_io():
    return pytest.importorskip("sleap_io")


def points_of(tracks=2, frames=6):
    """Points (tracks, frames, nodes, 2), some missing, and scores; the last frame is complete."""
    rng = np.random.default_rng(8)
    points = rng.uniform(0, 500, size=(tracks, frames, len(NODES), 2))
    points[:, 2, 1] = np.nan
    scores = rng.uniform(size=points.shape[:3])
    scores[:, 3, 0] = 1.04
    return points, scores


def labels_of(sleap_io, points, scores, names):
    skeleton = sleap_io.Skeleton(list(NODES), name="fly")
    video = sleap_io.Video("fly.mp4")
    tracks = [sleap_io.Track(name) for name in names]
    frames = [
        sleap_io.LabeledFrame(
            video=video,
            frame_idx=frame,
            instances=[
                sleap_io.PredictedInstance.from_numpy(
                    points[index, frame],
                    skeleton=skeleton,
                    point_scores=scores[index, frame],
                    score=1.0,
                    track=tracks[index] if tracks else None,
                )
                for index in range(len(points))
            ],
        )
        for frame in range(points.shape[1])
    ]
    return sleap_io.Labels(frames, videos=[video], skeletons=[skeleton], tracks=tracks)


def compare(recordings, names, points, scores, exact=True):
    assert list(recordings) == names
    for recording, place, score in zip(recordings.values(), points, scores, strict=True):
        assert (recording.keypoints, recording.unit) == (tuple(NODES), "px")
        np.testing.assert_array_equal(recording.positions, place if exact else place.astype(np.float32))
        seen = np.isfinite(place).all(axis=-1)
        np.testing.assert_allclose(recording.confidence[seen], np.minimum(score, 1)[seen], rtol=1e-6)  # kept as float32


@pytest.mark.parametrize("preset", ["matlab", "standard"])
def test_analysis_files(tmp_path, sleap_io, preset):
    points, scores = points_of()
    path = tmp_path / "fly.analysis.h5"
    labels = labels_of(sleap_io, points, scores, ["anna", "berta"])
    sleap_io.save_analysis_h5(labels, str(path), preset=preset)
    recordings = read_recordings(path)
    compare(recordings, ["anna", "berta"], points, scores)
    assert recordings["anna"].format == "sleap"


def test_analysis_file_as_sleap_itself_writes_it(tmp_path):
    points, scores = points_of()
    path = tmp_path / "fly.h5"
    with h5py.File(path, "w") as file:
        file["tracks"] = points.transpose(0, 3, 2, 1)
        file["point_scores"] = scores.transpose(0, 2, 1)
        file["node_names"] = np.array(NODES, dtype="S")
        file["track_names"] = np.array(["anna", "berta"], dtype="S")
    compare(read_recordings(path), ["anna", "berta"], points, scores)
    with h5py.File(path, "r+") as file:
        del file["track_names"]
    with pytest.raises(RecordingError, match="has the points of 2 tracks, but 0 names for them"):
        read_recording(path)


def test_triangulated_points(tmp_path):
    points = np.random.default_rng(0).normal(size=(9, 1, 4, 3))
    path = tmp_path / "points3d.h5"
    with h5py.File(path, "w") as file:
        file["tracks"] = points
    recording = read_recording(path)
    np.testing.assert_array_equal(recording.positions, points[:, 0])
    assert (recording.keypoints[3], recording.unit, recording.confidence) == ("node3", None, None)


def test_projects(tmp_path, sleap_io):
    points, scores = points_of()
    path = tmp_path / "fly.slp"
    labels_of(sleap_io, points, scores, ["anna", "berta"]).save(str(path))
    recordings = read_recordings(path)
    compare(recordings, ["anna", "berta"], points, scores, exact=False)
    assert recordings["anna"].format == "slp"


def test_projects_of_one_animal_need_no_track_and_hands_are_sure(tmp_path, sleap_io):
    points, scores = points_of(tracks=1)
    labels = labels_of(sleap_io, points, scores, [])
    frame = labels.labeled_frames[-1]
    by_hand = sleap_io.Instance.from_numpy(points[0, -1] + 1, skeleton=labels.skeletons[0])
    frame.instances = [by_hand]
    path = tmp_path / "fly.slp"
    labels.save(str(path))
    recording = read_recording(path)
    np.testing.assert_array_equal(recording.positions[:-1], points[0, :-1].astype(np.float32))
    np.testing.assert_array_equal(recording.positions[-1], (points[0, -1] + 1).astype(np.float32))
    np.testing.assert_array_equal(recording.confidence[-1], 1)


def test_projects_that_are_not_tracked(tmp_path, sleap_io):
    path = tmp_path / "fly.slp"
    labels_of(sleap_io, *points_of(), []).save(str(path))
    with pytest.raises(RecordingError, match="has no tracks; track the animals in SLEAP"):
        read_recording(path)


def test_without_sleap_io(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sleap_io", None)
    path = tmp_path / "fly.slp"
    path.touch()
    with pytest.raises(MissingExtra, match=r"pantin\[sleap\]"):
        read_recording(path, format="slp")
