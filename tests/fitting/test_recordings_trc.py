"""TRC files in the dialects that programs write."""

from __future__ import annotations

import numpy as np
import pytest

from pantin.fitting import RecordingError, RecordingWarning, read_recording

HEAD = (
    "PathFileType\t4\t(X/Y/Z)\twalk.trc\n"
    "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n"
    "60.00\t60.00\t3\t2\tmm\t60.00\t1\t3\n"
)
MARKERS = "Frame#\tTime\tR.ASIS\t\t\tL ASIS\t\t\t\n"
AXES = "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\t\n"
ROWS = "1\t0.000\t1\t2\t3\t4\t5\t6\n2\t0.0167\t\t\t\t-4\t5e-1\t6\n3\t0.0333\t1\t2\t3\tNaN\tnan\t\n"
NAN = np.nan
EXPECTED = [[[1, 2, 3], [4, 5, 6]], [[NAN] * 3, [-4, 0.5, 6]], [[1, 2, 3], [NAN] * 3]]

DIALECTS = {
    "as OpenSim writes": HEAD + MARKERS + AXES + "\n" + ROWS,
    "no blank line": HEAD + MARKERS + AXES + ROWS,
    "a line of tabs": HEAD + MARKERS + AXES + "\t\t\t\t\n" + ROWS,
    "no line of axes": HEAD + MARKERS + "\n" + ROWS,
    "names without columns between": HEAD + "Frame#\tTime\tR.ASIS\tL ASIS\n" + AXES + ROWS,
    "tabs at the ends of rows": HEAD + MARKERS + AXES + ROWS.replace("\n", "\t\n"),
    "rows that end early": HEAD + MARKERS + AXES + ROWS.replace("NaN\tnan\t\n", "\n"),
    "comments": "# from the lab\n" + HEAD + MARKERS + AXES + "// walking\n" + ROWS,
    "carriage returns": (HEAD + MARKERS + AXES + "\n" + ROWS).replace("\n", "\r\n"),
    "a mark of byte order": "\ufeff" + HEAD + MARKERS + AXES + "\n" + ROWS,
    "no first line": HEAD.partition("\n")[2] + MARKERS + AXES + ROWS,
    "lower case": HEAD.lower() + MARKERS.replace("Frame#\tTime", "frame\ttime") + AXES.lower() + ROWS,
}


def write(folder, text, name="walk.trc"):
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", DIALECTS)
def test_dialects(tmp_path, name):
    recording = read_recording(write(tmp_path, DIALECTS[name]))
    assert (recording.format, recording.keypoints) == ("trc", ("R.ASIS", "L ASIS"))
    assert (recording.unit, recording.rate) == ("mm", 60)
    np.testing.assert_array_equal(recording.positions, EXPECTED)
    np.testing.assert_array_equal(recording.time, [0, 0.0167, 0.0333])


def test_blanks_for_tabs(tmp_path):
    text = HEAD + MARKERS.replace("L ASIS", "L_ASIS") + AXES + ROWS.replace("\t\t\t\t", "\tnan\tnan\tnan\t")
    text = text.replace("nan\t\n", "nan\tnan\n").replace("\t", "   ")
    recording = read_recording(write(tmp_path, text))
    assert recording.keypoints == ("R.ASIS", "L_ASIS")
    np.testing.assert_array_equal(recording.positions, EXPECTED)


def test_content_tells_the_format(tmp_path):
    assert read_recording(write(tmp_path, DIALECTS["no first line"], "walk.txt")).format == "trc"


def test_frames_that_are_not_there_are_warned_about(tmp_path):
    with pytest.warns(RecordingWarning, match="NumFrames says 3, but there are 2 frames"):
        recording = read_recording(write(tmp_path, HEAD + MARKERS + AXES + ROWS[: ROWS.index("3\t0.0333")]))
    assert recording.n_frames == 2


@pytest.mark.parametrize("with_arrow", [True, False])
def test_whole_files_are_read_alike_with_and_without_arrow(tmp_path, monkeypatch, with_arrow):
    values = np.random.default_rng(0).normal(size=(40, 6))
    rows = [f"{i}\t{i / 60!r}\t" + "\t".join(map(repr, row)) for i, row in enumerate(values.tolist(), 1)]
    path = write(tmp_path, HEAD.replace("\t3\t2\t", "\t40\t2\t") + MARKERS + AXES + "\n" + "\n".join(rows))
    if not with_arrow:
        monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    np.testing.assert_array_equal(read_recording(path).positions.reshape(40, 6), values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends in its head, which names DataRate, NumMarkers, Units and their values"),
        ("PathFileType\t4\n1\t2\n3\t4\n", "line 2: expected names such as DataRate and Units, got ['1', '2']"),
        (HEAD, "ends before the names of its markers"),
        (HEAD.replace("\t3\t2\t", "\t3\ttwo\t") + MARKERS, "line 3: expected a number for nummarkers, got 'two'"),
        (HEAD.replace("60.00\t1\t3\n", "\n") + MARKERS, "line 3 has 5 values for 8 names above it"),
        (HEAD.replace("\t3\t2\t", "\t3\t5\t") + MARKERS, "line 4 names 2 markers, but NumMarkers says 5"),
        (
            HEAD + ROWS,
            "line 4: expected Frame#, Time and the names of markers, got '1\\t0.000\\t1",
        ),
        (HEAD + MARKERS + AXES + ROWS + "4\t0.05\tx\n", "line 9, column 3: expected a number, got 'x'"),
        (HEAD + MARKERS + AXES + ROWS + "4\t0.05\t1\t2\t3\t4\t5\t6\t7\n", "line 9 has 9 values, expected 8"),
        (HEAD + MARKERS + AXES + ROWS + "4\t0.01\t1\t2\t3\t4\t5\t6\n", "time: expected it to increase"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*NumFrames")
def test_mistakes_are_told_with_their_line(tmp_path, text, message):
    path = write(tmp_path, text)
    with pytest.raises(RecordingError) as caught:
        read_recording(path, format="trc")
    assert str(caught.value).removeprefix(f"{path}: ").startswith(message)
