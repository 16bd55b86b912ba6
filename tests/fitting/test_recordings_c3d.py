"""C3D files, with ezc3d as their writer and reader, and files put together byte by byte."""

from __future__ import annotations

import numpy as np
import pytest
from c3d_files import DEC, INTEL, MIPS, c3d_bytes

from pantin.fitting import RecordingError, RecordingWarning, read_recording

ezc3d = pytest.importorskip("ezc3d")


def write_ezc3d(path, points, labels, **facts):
    """A file of points, shape (T, K, 3), NaN where missing, by ezc3d."""
    file = ezc3d.c3d()
    values = np.ones((4, points.shape[1], len(points)))
    values[:3] = points.transpose(2, 1, 0)
    file["data"]["points"] = values
    parameters = {"RATE": [120.0], "LABELS": labels, "UNITS": ["mm"]} | facts
    for name, value in parameters.items():
        if name in file["parameters"]["POINT"]:
            file["parameters"]["POINT"][name]["value"] = value
        else:
            file.add_parameter("POINT", name, value)
    analogue = 3 * np.ones((1, 2, 4 * len(points)))
    file["parameters"]["ANALOG"]["RATE"]["value"] = [480.0]
    file["parameters"]["ANALOG"]["LABELS"]["value"] = ["force", "moment"]
    file["data"]["analogs"] = analogue
    file.write(str(path))
    return path


def test_files_that_ezc3d_writes(tmp_path):
    points = np.random.default_rng(0).normal(size=(6, 3, 3)).astype(np.float32).astype(np.float64) * 256
    points[2, 1] = np.nan
    recording = read_recording(write_ezc3d(tmp_path / "walk.c3d", points, ["hip", "knee ", "*3"]))
    assert (recording.format, recording.unit, recording.rate) == ("c3d", "mm", 120)
    assert (recording.keypoints, recording.ignored) == (("hip", "knee"), ("*3",))
    np.testing.assert_array_equal(recording.positions, points[:, :2])
    np.testing.assert_array_equal(recording.time, np.arange(6) / 120)


def test_content_tells_the_format(tmp_path):
    points = np.ones((2, 1, 3))
    path = write_ezc3d(tmp_path / "walk.c3d", points, ["hip"]).rename(tmp_path / "walk.bin")
    assert read_recording(path).format == "c3d"


def test_more_than_255_points(tmp_path):
    labels = [f"p{index}" for index in range(300)]
    points = np.arange(300 * 3.0).reshape(1, 300, 3)
    recording = read_recording(write_ezc3d(tmp_path / "many.c3d", points, labels))
    assert recording.keypoints == tuple(labels)
    np.testing.assert_array_equal(recording.positions, points)


@pytest.mark.parametrize("machine", [INTEL, MIPS])
@pytest.mark.parametrize(
    "stated",
    [
        {"more": [("LONG_FRAMES", 70_000.0)]},
        {"trial": [("ACTUAL_START_FIELD", [1, 0]), ("ACTUAL_END_FIELD", [70_000 - 65_536, 1])]},
    ],
)
def test_more_than_65535_frames(tmp_path, machine, stated):
    points = np.arange(70_000 * 3.0).reshape(70_000, 1, 3) / 8
    path = tmp_path / "long.c3d"
    path.write_bytes(c3d_bytes(points, np.zeros((70_000, 1)), machine=machine, scale=8.0, **stated))
    np.testing.assert_array_equal(read_recording(path).positions[:, 0, 0], np.round(points[:, 0, 0] / 8) * 8)


def test_more_frames_than_a_file_states(tmp_path):
    points = np.arange(70_000 * 3.0).reshape(70_000, 1, 3)
    path = write_ezc3d(tmp_path / "long.c3d", points, ["hip"])
    with pytest.warns(RecordingWarning, match="70000 by its length"):
        recording = read_recording(path)
    np.testing.assert_array_equal(recording.positions, points)


@pytest.mark.parametrize("machine", [INTEL, DEC, MIPS])
@pytest.mark.parametrize("scale", [None, 0.25])
@pytest.mark.parametrize("analogue", [0, 3])
def test_machines_and_kinds_of_numbers(tmp_path, machine, scale, analogue):
    rng = np.random.default_rng(1)
    points = rng.integers(-3000, 3000, size=(5, 4, 3)) * 0.25
    residual = np.zeros((5, 4))
    residual[3, 2] = -1
    path = tmp_path / "walk.c3d"
    path.write_bytes(c3d_bytes(points, residual, machine=machine, scale=scale, analogue=analogue))
    recording = read_recording(path)
    expected = points.copy()
    expected[3, 2] = np.nan
    assert (recording.keypoints, recording.unit, recording.rate) == (("p0", "p1", "p2", "p3"), "mm", 250)
    np.testing.assert_array_equal(recording.positions, expected)
    if machine == INTEL and not analogue:
        np.testing.assert_array_equal(ezc3d.c3d(str(path))["data"]["points"][:3].transpose(2, 1, 0), expected)


def test_results_of_models_are_no_places(tmp_path):
    points = np.ones((2, 3, 3))
    content = c3d_bytes(points, np.zeros((2, 3)), labels=["hip", "HipAngle", "tail"], more=[("ANGLES", ["HipAngle"])])
    path = tmp_path / "walk.c3d"
    path.write_bytes(content)
    recording = read_recording(path)
    assert (recording.keypoints, recording.ignored) == (("hip", "tail"), ("HipAngle",))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content[:100], "does not begin as a C3D file"),
        (lambda content: b"\2\0" + content[2:], "does not begin as a C3D file"),
        (lambda content: b"\x7f" + content[1:], "puts the parameters at block 127, which it does not have"),
        (lambda content: content[:515] + b"\x07" + content[516:], "was written by machine 7, expected 84"),
        (lambda content: content[:-8], "ends early: it has 1 of 2 frames"),
        (lambda content: content.replace(b"p0p1", b"**  "), "has no labelled points among its 2"),
        (lambda content: content.replace(b"p0p1", b"p1p1"), "there are two keypoints 'p1'"),
        (lambda content: content.replace(b"UNITS\x09\0\xff", b"UNITS\x09\0\x09"), "has a parameter of type 9"),
        (lambda content: content.replace(b"UNITS\x09\0", b"UNITS\xff\xff"), "ends in its parameters"),
    ],
)
def test_damaged_files(tmp_path, change, message):
    path = tmp_path / "walk.c3d"
    content = c3d_bytes(np.ones((2, 2, 3)), np.zeros((2, 2)))
    path.write_bytes(change(content))
    assert path.read_bytes() != content
    with pytest.raises(RecordingError, match=message.replace("*", r"\*")):
        read_recording(path)
