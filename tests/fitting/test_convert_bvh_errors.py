"""BVH files that are none: one error each, which names the line."""

import re

import pytest
from bvh_files import ARM
from hypothesis import given
from hypothesis import strategies as st

from pantin.errors import InvalidArgument, ModelFileError, ModelFileNotFound, PantinError
from pantin.fitting import BodyPlan, read_bvh

LINES = ARM.splitlines()


def line_of(fragment):
    """Number of the first line that has a fragment, counted from one."""
    return next(number for number, line in enumerate(LINES, start=1) if fragment in line)


@pytest.mark.parametrize(("old", "new", "line", "message"), [
    ("ROOT Hips", "JOINT Hips", "ROOT Hips", "expected ROOT, got 'JOINT'"),
    ("JOINT Elbow", "JOINT", "Elbow\n", "expected the name of a joint"),
    ("OFFSET 5.0 0.0 0.0", "OFFSET 5.0 0.0", "5.0 0.0 0.0", "expected a number, got 'CHANNELS'"),
    ("OFFSET 5.0 0.0 0.0", "OFFSET 5.0 nan 0.0", "5.0 0.0 0.0", "expected a finite number, got 'nan'"),
    ("OFFSET 5.0 0.0 0.0", "OFFSET 5.0 1e999 0.0", "5.0 0.0 0.0", "expected a finite number, got '1e999'"),
    ("OFFSET 5.0 0.0 0.0", "OFFSET 5,0 0 0", "5.0 0.0 0.0", "expected a number, got '5,0'"),
    ("OFFSET 5.0 0.0 0.0", "", "5.0 0.0 0.0", "expected the OFFSET of 'Elbow', got 'JOINT'"),
    ("OFFSET 5.0 0.0 0.0", "OFFSET 5 0 0 OFFSET 5 0 0", "5.0 0.0 0.0", "'Elbow' has OFFSET twice"),
    ("CHANNELS 1 Yrotation", "CHANNELS one Yrotation", "CHANNELS 1", "expected how many channels.* got 'one'"),
    ("CHANNELS 1 Yrotation", "CHANNELS 7 Yrotation", "CHANNELS 1", "0 to 6, got '7'"),
    ("CHANNELS 1 Yrotation", "CHANNELS 1 Wrotation", "CHANNELS 1", "such as Xrotation or Yposition, got 'Wrotation'"),
    ("CHANNELS 1 Yrotation", "CHANNELS 2 Yrotation yrotation", "CHANNELS 1", "a channel comes twice"),
    ("CHANNELS 1 Yrotation", "CHANNELS 1 Yrotation Zrotation", "CHANNELS 1", "expected JOINT, End Site or '}', got 'Z"),
    ("OFFSET 1.0 0.0 2.0", "OFFSET 1 0 2 CHANNELS 0", "1.0 0.0 2.0", "an End Site has no CHANNELS"),
    ("OFFSET 1.0 0.0 2.0", "OFFSET 1 0 2 JOINT a { OFFSET 0 0 0 }", "1.0 0.0 2.0", "expected '}', got 'JOINT'"),
    ("MOTION", "ROOT Second {", "MOTION", "expected MOTION, got 'ROOT Second {'"),
    ("Frames: 3", "Frames: three", "Frame Time", "expected the number of frames, got 'three'"),
    ("Frames: 3", "Frames 3", "Frames: 3", "expected Frames:, got 'Frames 3'"),
    ("Frame Time: 0.0083333", "Frame Time: 0,008", "Frame Time", "expected a number, got '0,008'"),
    ("Frame Time: 0.0083333", "Frame Time: -1", "Frame Time", "expected a positive Frame Time, got -1"),
    ("Frame Time: 0.0083333", "120 fps", "Frame Time", "expected Frame Time:, got '120 fps'"),
    ("1 2 3 90", "1 2 90", "1 2 3 90", "expected 17 numbers, one for each channel, got 16"),
    ("1 2 3 90", "1 2 ? 90", "1 2 3 90", "expected a number, got '?'"),
    ("1 2 3 90", "1 2 inf 90", "1 2 3 90", "expected a finite number, got 'inf'"),
    ("1 2 3 90", "1 NaN 3 90", "1 2 3 90", "expected a finite number, got 'NaN'"),
    ("Frames: 3", "Frames: 2", "1 2 3 90", "has 2 frames, and this is one more"),
    ("Frames: 3", "Frames: 999999999999", "1 2 3 90", "has 999999999999 frames, and ends after 3"),
])  # fmt: skip
def test_each_fault_is_told_with_its_line(old, new, line, message, tmp_path):
    assert old in ARM
    file = tmp_path / "walk.bvh"
    file.write_text(ARM.replace(old, new, 1))
    with pytest.raises(ModelFileError) as caught:
        read_bvh(file)
    assert re.search(message.replace("?", r"\?").replace("{", r"\{"), str(caught.value))
    found = int(re.search(r"line (\d+):", str(caught.value)).group(1))
    expected = line_of(line.strip())
    assert -1 <= found - expected <= 2  # where a word is missing, the next one is on a line further down
    assert str(caught.value).startswith(str(file))
    assert caught.value.source == str(file)


@pytest.mark.parametrize("count", [1, 5, 20, 33, 39])
def test_files_that_end_too_soon(count):
    text = "\n".join(LINES[:count])
    with pytest.raises(ModelFileError, match=f"line {count}: "):
        read_bvh(text)


def test_the_plan_needs_the_skeleton_alone():
    assert BodyPlan.from_bvh(ARM.replace("Frames: 3", "Frames: many")).n_joints == 7
    with pytest.raises(ModelFileError, match=r"line 34: expected MOTION"):
        read_bvh(ARM.partition("MOTION")[0])


def test_what_is_no_file(tmp_path):
    (tmp_path / "walk.bvh").write_text(ARM)
    with pytest.raises(ModelFileNotFound, match=r"did you mean 'walk.bvh'"):
        read_bvh(tmp_path / "walks.bvh")
    with pytest.raises(ModelFileError, match="cannot be read"):
        read_bvh(tmp_path)
    with pytest.raises(InvalidArgument, match="source: expected a BVH file or its text, got a int"):
        read_bvh(3)
    with pytest.raises(PantinError):
        read_bvh("not a file\x00")


@pytest.mark.parametrize(("arguments", "message"), [
    ({"scale": -1.0}, "scale: expected a positive number"),
    ({"positions": "both"}, "positions: expected 'replace' or 'add', got 'both'"),
    ({"length_unit": "inch"}, "inch"),
])  # fmt: skip
def test_wrong_arguments(arguments, message):
    for read in (read_bvh, BodyPlan.from_bvh):
        with pytest.raises(PantinError, match=message):
            read(ARM, **arguments)


WORDS = st.sampled_from(
    [*dict.fromkeys(ARM.split()), "\n", "{", "}", "JOINT", "nan", "-1e400", "9" * 400, "é", "\x00", "CHANNELS 6"]
)


@given(st.data())
def test_texts_with_faults_give_errors_only(data):
    words = re.split(r"(\s+)", ARM)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(words) - 1))
        kind = data.draw(st.sampled_from(["drop", "put", "change", "cut"]))
        if kind == "put":
            words.insert(place, f" {data.draw(WORDS)} ")
        elif kind == "change":
            words[place] = data.draw(WORDS)
        else:
            del words[place : place + 1 if kind == "drop" else len(words)]
        words = words or [""]
    read_or_refuse("HIERARCHY" + "".join(words).removeprefix("HIERARCHY"))


@given(st.lists(WORDS, max_size=40))
def test_words_in_any_order_give_errors_only(words):
    read_or_refuse("HIERARCHY ROOT a { OFFSET 0 0 0 " + " ".join(words))


@given(st.binary(max_size=200))
def test_bytes_give_errors_only(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("bvh") / "any.bvh"
    file.write_bytes(content)
    read_or_refuse(file)


def read_or_refuse(source):
    """A plan with states that go together, or an error of the family."""
    try:
        read = read_bvh(source)
    except PantinError:
        return
    points = read.plan.keypoints(read.state)
    assert points.shape == (len(read.state.dofs), read.plan.n_joints, 3)
