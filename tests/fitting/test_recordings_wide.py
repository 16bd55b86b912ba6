"""Tables with a column for each coordinate: pantin's own and Anipose's."""

from __future__ import annotations

import numpy as np
import pytest

from pantin import samples
from pantin.errors import InvalidArgument, PantinError
from pantin.fitting import RecordingError, RecordingNotFound, RecordingWarning, read_recording, read_recordings

TABLE = """# unit: mm
# rate: 50

nose_x,nose_y,nose_z,nose_confidence,tail_x,tail_y,tail_z,note
1,2,3,0.5,4,5,6,walking
1.5,,3,,nan,NaN,6e-1,

-1,2,3,1,4,5,6,0
"""


def write(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def complaint(path, **arguments):
    """What is said of a file that cannot be read, without its place."""
    with pytest.raises(RecordingError) as caught:
        read_recording(path, **arguments)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_table_as_typed(tmp_path):
    recording = read_recording(write(tmp_path, TABLE))
    nan = np.nan
    assert (recording.format, recording.keypoints, recording.unit) == ("pantin", ("nose", "tail"), "mm")
    np.testing.assert_array_equal(
        recording.positions,
        [[[1, 2, 3], [4, 5, 6]], [[1.5, nan, 3], [nan, nan, 0.6]], [[-1, 2, 3], [4, 5, 6]]],
    )
    np.testing.assert_array_equal(recording.confidence, [[0.5, nan], [nan, nan], [1, nan]])
    np.testing.assert_array_equal(recording.time, [0, 0.02, 0.04])
    assert (recording.rate, recording.ignored, recording.individuals) == (50, ("note",), ("",))


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_and_quotes(tmp_path, separator):
    text = 'time,"nose_x",nose_y\n0,1,"2"\n0.5,3,4\n'.replace(",", separator)
    recording = read_recording(write(tmp_path, text))
    np.testing.assert_array_equal(recording.positions, [[[1, 2]], [[3, 4]]])
    np.testing.assert_array_equal(recording.time, [0, 0.5])
    assert recording.rate == 2


def test_without_arrow_the_numbers_are_the_same(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(50, 7)) * 10.0 ** rng.integers(-8, 8, size=(50, 7))
    names = ["time", "a_x", "a_y", "a_z", "b_x", "b_y", "b_z"]
    values[:, 0] = np.arange(50) / 3
    path = tmp_path / "table.csv"
    path.write_text("\n".join([",".join(names), *(",".join(map(repr, row)) for row in values.tolist())]))
    fast = read_recording(path)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    careful = read_recording(path)
    np.testing.assert_array_equal(careful.positions.reshape(50, 6), values[:, 1:])
    np.testing.assert_array_equal(fast.positions, careful.positions)
    np.testing.assert_array_equal(fast.time, careful.time)


def test_parquet_by_arrow(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {f"{name}_{axis}": np.arange(5.0) + i for i, name in enumerate("ab") for axis in "xyz"}
    columns["b_y"] = [1, None, 3, 4, 5]
    table = arrow.table({"time": np.arange(5) / 10, **columns, "word": list("abcde")})
    path = tmp_path / "table.parquet"
    parquet.write_table(table.replace_schema_metadata({"unit": "um"}), path, row_group_size=2)
    recording = read_recording(path)
    assert (recording.keypoints, recording.unit, recording.ignored) == (("a", "b"), "um", ("word",))
    np.testing.assert_array_equal(recording.positions[:, 1, 1], [1, np.nan, 3, 4, 5])
    np.testing.assert_array_equal(recording.positions[:, 1, 0], np.arange(5) + 1)
    assert recording.rate == pytest.approx(10)
    parquet.write_table(arrow.table({"a_x": list("ab"), "a_y": [1, 2]}), path)
    assert complaint(path) == "column 'a_x': expected numbers, got string"


def test_parquet_longer_than_a_batch_keeps_its_order(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = np.arange(70_001.0)
    path = tmp_path / "table.parquet"
    parquet.write_table(arrow.table({"a_x": rows, "a_confidence": rows / rows.max(), "a_y": -rows}), path)
    recording = read_recording(path)
    np.testing.assert_array_equal(recording.positions[:, 0], np.stack([rows, -rows], axis=1))
    np.testing.assert_array_equal(recording.confidence[:, 0], rows / rows.max())


def test_anipose(tmp_path):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(4, 12)))
    frame.columns = [
        f"{name}_{role}" for name in ("l_wing", "r") for role in ["x", "y", "z", "error", "ncams", "score"]
    ]
    frame.loc[2, ["r_x", "r_y", "r_z"]] = np.nan
    frame = frame.assign(M_00=1.0, center_0=0.0, fnum=range(4))
    path = tmp_path / "points.csv"
    frame.to_csv(path, index=False)
    recording = read_recording(path)
    assert (recording.format, recording.keypoints, recording.time) == ("anipose", ("l_wing", "r"), None)
    np.testing.assert_array_equal(recording.positions[:, 1], frame[["r_x", "r_y", "r_z"]])
    np.testing.assert_array_equal(recording.confidence, frame[["l_wing_score", "r_score"]])
    assert {"M_00", "fnum", "r_ncams"} <= set(recording.ignored)
    assert read_recording(path, rate=100).time[3] == 0.03
    assert read_recording(path, format="pantin").confidence is None


def test_sample():
    recording = read_recording(samples.recording("walker"))
    assert (recording.n_frames, len(recording.keypoints)) == (300, 31)
    assert recording.rate == pytest.approx(100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("# nothing\n\n", "is empty"),
        ("a,b,c\n1,2,3\n", "line 1, 'a,b,c', begins no format"),
        ("a_x,a_y\n1,2\n1\n", "line 3 has 1 values, expected 2 as in its header"),
        ("a_x,a_y\n1,2\n1,2,3\n", "line 3 has 3 values, expected 2 as in its header"),
        ("a_x,a_y\n1,2\n\n1,zwei\n", "line 4, column 2: expected a number, got 'zwei'"),
        ("a_x;a_y\n1,5;2\n", "line 2, column 1: expected a number, got '1,5'; write decimal points, not commas"),
        ("a_x,a_y,a_x\n1,2,3\n", "line 1: there are two columns 'a_x'; rename or drop one"),
        ("a_x,a_y,b_x\n1,2,3\n", "line 1: keypoint 'b' has no column b_y"),
        ("a_x,a_y,a_z,b_x,b_y\n", "line 1: keypoint 'b' has no column b_z"),
        ("time,a_x,a_y\n0,1,2\n0,1,2\n", "time: expected it to increase, but frame 1 has 0 s after 0 s; a rate can"),
        ("time,a_x,a_y\n0,1,2\n,1,2\n", "time: frame 1 has no finite time"),
        ("# rate: fast\na_x,a_y\n1,2\n", "rate: expected frames per second, got 'fast'"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path, text, message):
    assert complaint(write(tmp_path, text)).startswith(message)


def test_numbers_where_names_belong(tmp_path):
    path = write(tmp_path, "1,2,3\n4,5,6\n")
    message = "line 1: expected columns such as nose_x, nose_y, nose_z, got numbers, not names of columns"
    assert complaint(path, format="pantin") == message


def test_unknown_units_are_no_unit(tmp_path):
    with pytest.warns(RecordingWarning, match="states a unit 'parsec', which is not known"):
        assert read_recording(write(tmp_path, "# unit: parsec\na_x,a_y\n1,2\n")).unit is None


def test_no_rows_is_no_frames(tmp_path):
    recording = read_recording(write(tmp_path, "a_x,a_y\n"))
    assert recording.positions.shape == (0, 1, 2)


def test_rate_stands_in_for_times(tmp_path):
    path = write(tmp_path, "time,a_x,a_y\n0,1,2\n0,1,2\n,1,2\n")
    np.testing.assert_array_equal(read_recording(path, rate=4).time, [0, 0.25, 0.5])


def test_files_that_are_none(tmp_path):
    write(tmp_path, TABLE, "walk.csv")
    with pytest.raises(RecordingNotFound, match=r"there is no such file; did you mean 'walk\.csv'\?") as caught:
        read_recording(tmp_path / "wolk.csv")
    assert isinstance(caught.value, FileNotFoundError)
    assert complaint(tmp_path) == "is a folder, not a file"
    archive = tmp_path / "table.xlsx"
    archive.write_bytes(b"PK\x03\x04more")
    assert complaint(archive) == "is an Excel workbook or another archive; save the table as CSV"
    archive.write_bytes(b"a_x,a_y\n\xff\xfe,1\n")
    assert complaint(archive).startswith("is not text in UTF-8")
    with pytest.raises(InvalidArgument, match="source: expected a file or an xarray dataset, got 3"):
        read_recording(3)


def test_what_is_asked_for(tmp_path):
    path = write(tmp_path, TABLE)
    with pytest.raises(InvalidArgument, match="format: no format 'anipos'; did you mean 'anipose'"):
        read_recording(path, format="anipos")
    with pytest.raises(PantinError, match="no individual 'me'"):
        read_recording(path, individual="me")
    with pytest.raises(InvalidArgument, match="rate: expected a number"):
        read_recording(path, rate=-1)
    assert list(read_recordings(path)) == [""]


def test_errors_travel_between_processes(tmp_path):
    import pickle

    for path in (tmp_path / "none.csv", write(tmp_path, "")):
        with pytest.raises(RecordingError) as caught:
            read_recording(path)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (type(again), str(again), again.path) == (type(caught.value), str(caught.value), str(path))
