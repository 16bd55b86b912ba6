"""Datasets as `movement` makes them, given as objects and as netCDF files."""

from __future__ import annotations

import numpy as np
import pytest

from pantin.fitting import RecordingError, read_recording, read_recordings

xarray = pytest.importorskip("xarray")


def make_dataset(space="xyz", individuals=("a", "b"), fps=25, names=None, **attributes):
    """A dataset with the names, axes and attributes that movement documents."""
    rng = np.random.default_rng(2)
    shape = (7, len(space), 3, len(individuals))
    dims = ("time", "space", "keypoints", "individuals")
    position = rng.normal(size=shape)
    position[1, 0, 2, 0] = np.nan
    data = xarray.Dataset(
        {
            "position": (dims, position),
            "confidence": ((dims[0], *dims[2:]), rng.uniform(size=(shape[0], *shape[2:])).astype(np.float32)),
        },
        coords={
            "time": np.arange(7) / fps if fps else np.arange(7),
            "space": list(space),
            "keypoints": ["head", "neck", "tail"],
            "individuals": list(individuals),
        },
        attrs={"source_software": "test", "ds_type": "poses", "time_unit": "seconds" if fps else "frames"},
    )
    if fps:
        data.attrs["fps"] = fps
    return data.rename(names or {}).assign_attrs(**attributes)


def compare(recordings, data):
    assert list(recordings) == ["a", "b"]
    for name, recording in recordings.items():
        one = data.sel(individuals=name)
        assert recording.keypoints == ("head", "neck", "tail")
        np.testing.assert_array_equal(recording.positions, one.position.transpose("time", "keypoints", "space"))
        np.testing.assert_array_equal(recording.confidence, one.confidence)
        np.testing.assert_array_equal(recording.time, data.time)
        assert recording.rate == 25


def test_objects():
    data = make_dataset()
    compare(read_recordings(data), data)
    data.position[:] = 0
    assert read_recording(data, individual="a").format == "movement"


def test_files(tmp_path):
    pytest.importorskip("h5netcdf")
    data = make_dataset()
    path = tmp_path / "poses.nc"
    data.to_netcdf(path, engine="h5netcdf")
    recordings = read_recordings(path)
    compare(recordings, data)
    assert recordings["a"].path == str(path)


def test_other_names_of_axes():
    data = make_dataset(names={"keypoints": "keypoint", "individuals": "individual"})
    np.testing.assert_array_equal(
        read_recording(data, individual="b").positions, read_recording(make_dataset(), individual="b").positions
    )


def test_one_individual_needs_no_axis():
    data = make_dataset()
    expected = read_recording(data, individual="b")
    chosen = data.sel(individuals="b")
    for one in (chosen, chosen.drop_vars("individuals"), data.isel(individuals=[1])):
        recording = read_recording(one)
        np.testing.assert_array_equal(recording.positions, expected.positions)
        np.testing.assert_array_equal(recording.confidence, expected.confidence)
    alone = read_recording(chosen["position"])
    np.testing.assert_array_equal(alone.positions, expected.positions)
    assert alone.confidence is None


def test_frames_are_no_seconds():
    recording = read_recording(make_dataset(fps=None, individuals=["a"]))
    assert (recording.time, recording.rate) == (None, None)
    assert read_recording(make_dataset(fps=None, individuals=["a"]), rate=10).time[6] == 0.6
    assert read_recording(make_dataset(fps=None, individuals=["a"], fps_=0)).rate is None


def test_two_of_one_name():
    with pytest.raises(RecordingError, match="has two individuals 'a'; rename one"):
        read_recordings(make_dataset(individuals=["a", "a"]))


def test_units():
    assert read_recording(make_dataset(individuals=["a"], space="xy")).unit == "px"
    assert read_recording(make_dataset(individuals=["a"], space_unit="millimetre")).unit == "mm"
    assert read_recording(make_dataset(individuals=["a"])).unit is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (make_dataset()[["confidence"]], "expected a variable 'position', found 'confidence'"),
        (make_dataset().isel(space=0), "expected axes individuals, time, keypoints, space, got"),
        (make_dataset(space="xzy"), "expected space to be x, y and perhaps z, got x, z, y"),
        (make_dataset().drop_vars("keypoints"), "the axis 'keypoints' has no names"),
        (make_dataset(space="xyzw").assign_coords(space=list("xyzw")), "expected space to be x, y and perhaps z"),
    ],
)
def test_what_is_no_recording(data, message):
    with pytest.raises(RecordingError, match=message):
        read_recording(data)


def test_classic_netcdf(tmp_path):
    path = tmp_path / "poses.nc"
    path.write_bytes(b"CDF\x01")
    with pytest.raises(RecordingError, match="classic kind; save it with engine='h5netcdf'"):
        read_recording(path)
