"""Damaged recordings give errors of pantin's, never others and never a crash."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from c3d_files import DEC, INTEL, c3d_bytes
from hypothesis import given
from hypothesis import strategies as st
from test_recordings_trc import DIALECTS
from test_recordings_wide import TABLE

from pantin.errors import PantinError
from pantin.fitting import read_recordings
from pantin.fitting.recordings import FORMATS, text

FILES = Path(__file__).parent / "files"
TEXTS = [
    TABLE,
    TABLE.replace("confidence", "score").replace("note", "nose_ncams"),
    *DIALECTS.values(),
    *(path.read_text(encoding="utf-8") for path in sorted(FILES.glob("*.csv"))),
]
PIECES = [*',;\t\n\r"#_ 0-.é\0\ufeff', "", "_x", "e9", "nan", "inf"]

edits = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0, 1, 5]), st.sampled_from(PIECES)), max_size=4)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("damaged")


def outcome(path, **arguments):
    """What is read from a file, or what is said of it."""
    try:
        recordings = read_recordings(path, **arguments)
    except PantinError as error:
        message = str(error)
        recordings = {}
    if not recordings:
        assert "\n" not in message
        return message
    for recording in recordings.values():
        frames, count, width = recording.positions.shape
        assert (count, width in {2, 3}) == (len(recording.keypoints), True)
        assert recording.confidence is None or recording.confidence.shape == (frames, count)
        assert recording.time is None or recording.time.shape == (frames,)
    return recordings


@given(st.sampled_from(TEXTS), edits, st.floats(0.2, 3))
def test_text_with_edits_is_read_alike_in_haste_and_with_care(folder, content, edits, end):
    for place, length, piece in edits:
        start = int(place * len(content))
        content = content[:start] + piece + content[start + length :]
    path = folder / "table.txt"
    path.write_bytes(content[: int(end * len(content))].encode())
    fast = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "_fast", lambda *_: None)
        careful = outcome(path)
    if isinstance(fast, str) or isinstance(careful, str):
        assert fast == careful
        return
    for one, other in zip(fast.values(), careful.values(), strict=True):
        np.testing.assert_array_equal(one.positions, other.positions)
        np.testing.assert_array_equal(one.confidence, other.confidence)


@given(
    st.sampled_from([name for name in FORMATS if name not in ("slp", "movement")]),
    st.binary(max_size=1500) | st.text(max_size=100).map(str.encode),
)
def test_anything_in_the_name_of_any_format(folder, name, content):
    path = folder / "anything"
    path.write_bytes(content)
    outcome(path)
    assert outcome(path, format=name)


def write_all(folder):
    """A small file of each binary format that can be written here."""
    xarray, h5py = pytest.importorskip("xarray"), pytest.importorskip("h5py")
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    from test_recordings_movement import make_dataset

    assert xarray
    for path in FILES.glob("*.h5.gz"):
        (folder / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    for machine, scale in ((INTEL, None), (DEC, 0.5)):
        trial = [("ACTUAL_START_FIELD", [1, 0]), ("ACTUAL_END_FIELD", [4, 0])]
        content = c3d_bytes(np.ones((4, 3, 3)), np.zeros((4, 3)), machine=machine, scale=scale, trial=trial)
        (folder / f"{machine}.c3d").write_bytes(content)
    columns = {f"{name}_{role}": np.arange(9.0) for name in "ab" for role in ("x", "y", "z", "confidence")}
    parquet.write_table(arrow.table(columns), folder / "table.parquet")
    make_dataset().to_netcdf(folder / "poses.nc", engine="h5netcdf")
    with h5py.File(folder / "sleap.h5", "w") as file:
        file["tracks"] = np.ones((2, 2, 3, 5))
        file["point_scores"] = np.ones((2, 3, 5))
        file["node_names"] = np.array(["a", "b", "c"], dtype="S")
        file["track_names"] = np.array(["anna", "berta"], dtype="S")


def test_damaged_binary_files_crash_nothing(tmp_path):
    whole = tmp_path / "whole"
    whole.mkdir()
    write_all(whole)
    for path in whole.iterdir():
        assert read_recordings(path)
    script = Path(__file__).with_name("recordings_fuzzer.py")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, script, whole, "25", "1"], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@given(st.data())
def test_sleap_files_that_hold_something_else(folder, data):
    h5py = pytest.importorskip("h5py")
    path = folder / "sleap.h5"
    shapes = st.lists(st.integers(0, 3), max_size=5).map(tuple)
    with h5py.File(path, "w") as file:
        file.create_dataset("tracks", shape=data.draw(shapes), dtype=data.draw(st.sampled_from(["f4", "i2", "S3"])))
        for name in data.draw(st.sets(st.sampled_from(["point_scores", "node_names", "track_names"]))):
            file.create_dataset(name, shape=data.draw(shapes), dtype=data.draw(st.sampled_from(["f8", "S2"])))
        if data.draw(st.booleans()):
            file["tracks"].attrs["dims"] = data.draw(
                st.sampled_from(["[]", "{", '["track", "xy", "node", "frame"]', 3])
            )
    outcome(path)


@given(st.data())
def test_frames_of_pandas_that_hold_something_else(folder, data):
    h5py = pytest.importorskip("h5py")
    path = folder / "frame.h5"
    path.write_bytes(gzip.decompress((FILES / "deeplabcut_fixed.h5.gz").read_bytes()))
    with h5py.File(path, "r+") as file:
        group = file["df_with_missing"]
        victim = data.draw(st.sampled_from(sorted(group)))
        attribute = data.draw(st.sampled_from(["", *group.attrs]))
        if attribute:
            group.attrs[attribute] = data.draw(st.sampled_from([-1, 0, 2, "multi", b"\xff", 1.5]))
        kind = data.draw(st.sampled_from(["f8", "i1", "S2", None]))
        del group[victim]
        if kind is not None:
            group.create_dataset(victim, shape=data.draw(st.sampled_from([(), (0,), (4,), (4, 4), (5, 3)])), dtype=kind)
    outcome(path)
