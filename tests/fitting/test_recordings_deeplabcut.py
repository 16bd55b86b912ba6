"""DeepLabCut's CSV and HDF5 files, against pandas as their writer and reader."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import numpy as np
import pytest

from pantin.errors import MissingExtra
from pantin.fitting import RecordingError, read_recording, read_recordings

pandas = pytest.importorskip("pandas")
h5py = pytest.importorskip("h5py")

FILES = Path(__file__).parent / "files"


def make_frame(individuals=("",), parts=("nose", "tail base"), coords=("x", "y", "likelihood"), frames=5):
    names = [("net", one, part, coord) for one in individuals for part in parts for coord in coords]
    levels = ["scorer", "individuals", "bodyparts", "coords"]
    if individuals == ("",):
        names, levels = [(name[0], *name[2:]) for name in names], [levels[0], *levels[2:]]
    values = np.random.default_rng(5).normal(size=(frames, len(names)))
    values[2, :2] = np.nan
    return pandas.DataFrame(values, columns=pandas.MultiIndex.from_tuples(names, names=levels))


def saved(frame, folder, **arguments):
    path = folder / "tracks.csv"
    frame.to_csv(path, **arguments)
    return path


def unpacked(name, folder):
    path = folder / f"{name}.h5"
    path.write_bytes(gzip.decompress((FILES / f"{name}.h5.gz").read_bytes()))
    return path


def test_one_animal(tmp_path):
    frame = make_frame()
    recording = read_recording(saved(frame, tmp_path))
    assert (recording.format, recording.keypoints, recording.unit) == ("deeplabcut", ("nose", "tail base"), "px")
    for index, name in enumerate(recording.keypoints):
        np.testing.assert_array_equal(recording.positions[:, index], frame["net"][name][["x", "y"]])
        np.testing.assert_array_equal(recording.confidence[:, index], frame["net"][name]["likelihood"])
    assert read_recording(tmp_path / "tracks.csv", rate=30).time[3] == 0.1


def test_several_animals(tmp_path):
    frame = make_frame(("mouse", "rat"))
    recordings = read_recordings(saved(frame, tmp_path))
    assert list(recordings) == ["mouse", "rat"]
    for name, recording in recordings.items():
        expected = frame["net"][name]
        np.testing.assert_array_equal(recording.positions[:, 1], expected["tail base"][["x", "y"]])
        assert (recording.individual, recording.individuals) == (name, ("mouse", "rat"))
    path = tmp_path / "tracks.csv"
    assert read_recording(path, individual="rat").individual == "rat"
    with pytest.raises(RecordingError, match="has several individuals, 'mouse', 'rat'; choose one with individual="):
        read_recording(path)
    with pytest.raises(LookupError, match="no individual 'rot'; did you mean 'rat'"):
        read_recording(path, individual="rot")


def test_triangulated_points(tmp_path):
    frame = make_frame(coords=("x", "y", "z"))
    recording = read_recording(saved(frame, tmp_path))
    np.testing.assert_array_equal(recording.positions[:, 1], frame["net"]["tail base"])
    assert (recording.positions.shape, recording.confidence, recording.unit) == ((5, 2, 3), None, None)


@pytest.mark.parametrize("name", ["deeplabcut_table", "deeplabcut_fixed"])
def test_hdf5_as_pandas_writes_it(tmp_path, name):
    from_hdf = read_recordings(unpacked(name, tmp_path))
    from_csv = read_recordings(FILES / f"{name}.csv")
    assert list(from_hdf) == list(from_csv)
    for individual, recording in from_hdf.items():
        twin = from_csv[individual]
        assert recording.keypoints == twin.keypoints
        np.testing.assert_array_equal(recording.positions, twin.positions)
        if twin.confidence is None:
            assert recording.confidence is None
        else:
            np.testing.assert_array_equal(recording.confidence, twin.confidence)


def test_files_hold_what_pandas_reads_in_them():
    frame = pandas.read_csv(FILES / "deeplabcut_table.csv", header=[0, 1, 2, 3], index_col=0)
    recordings = read_recordings(FILES / "deeplabcut_table.csv")
    assert list(recordings) == ["m1", "m2", "single"]
    assert recordings["single"].keypoints == ("corner",)
    np.testing.assert_array_equal(recordings["m2"].positions[:, 0], frame["DLC_net"]["m2"]["nose"][["x", "y"]])
    np.testing.assert_array_equal(recordings["m1"].positions[2], [[np.nan, np.nan], recordings["m1"].positions[2, 1]])
    labels = pandas.read_csv(FILES / "deeplabcut_fixed.csv", header=[0, 1, 2], index_col=[0, 1, 2])
    recording = read_recording(FILES / "deeplabcut_fixed.csv")
    np.testing.assert_array_equal(recording.positions.reshape(4, 4), labels)


def test_pickles_run_no_code(tmp_path):
    path = unpacked("deeplabcut_table", tmp_path)
    canary = tmp_path / "canary"

    class Bait:
        def __reduce__(self):
            return (open, (str(canary), "w"))

    with h5py.File(path, "r+") as file:
        file["df_with_missing/table"].attrs["values_block_0_kind"] = np.void(pickle.dumps([Bait()]))
    with pytest.raises(RecordingError, match=r"use the CSV file .* beside it: its names are stored as .*open"):
        read_recording(path)
    assert not canary.exists()


def test_other_hdf5_files(tmp_path):
    path = tmp_path / "other.h5"
    with h5py.File(path, "w") as file:
        file["speed"] = [1, 2]
    with pytest.raises(RecordingError, match="is an HDF5 file that holds 'speed', which is no format that is known"):
        read_recording(path)
    with pytest.raises(RecordingError, match="expected one frame of pandas', found 0"):
        read_recording(path, format="deeplabcut")


def test_without_h5py(tmp_path, monkeypatch):
    path = unpacked("deeplabcut_table", tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(MissingExtra, match=r"pantin\[fit\]"):
        read_recording(path)


HEAD = "scorer,net,net,net\nbodyparts,a,a,a\ncoords,x,y,likelihood\n"


def test_rows_that_are_commented_out(tmp_path, monkeypatch):
    path = tmp_path / "tracks.csv"
    path.write_text(HEAD + "0,1,2,0.5\n#1,7,7,0.5\n2,3,4,0.5\n")
    np.testing.assert_array_equal(read_recording(path).positions[:, 0], [[1, 2], [3, 4]])
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    np.testing.assert_array_equal(read_recording(path).positions[:, 0], [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "0,1,2\n", "line 4 has 3 values, expected 4 as in its header"),
        (HEAD + "0,1,2,0.5\n1,1,zwei,0.5\n", "line 5, column 3: expected a number, got 'zwei'"),
        (HEAD.replace("coords", "scored"), "line 3: expected it to begin with 'coords', got 'scored'"),
        (HEAD.replace("a,a,a", "a,a"), "line 2 has 3 names, expected 4 as in line 1"),
        (HEAD.replace("net,net\n", "net,other\n"), "has the points of 2 scorers, net, other; save one in a file"),
        (HEAD.replace("x,y", "x,x"), "there are two columns 'a x'; drop one"),
        (HEAD.replace("x,y", "x,w"), "body part 'a' has no column 'y'"),
        ("scorer,net\nbodyparts,a\n", "ends in its header, which has lines for scorer, bodyparts, coords"),
        ("scorer\nbodyparts\ncoords\n0\n", "has no columns"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, text, message):
    path = tmp_path / "tracks.csv"
    path.write_text(text)
    with pytest.raises(RecordingError) as caught:
        read_recording(path)
    assert str(caught.value) == f"{path}: {message}"
