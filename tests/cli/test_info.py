"""`pantin info`: every joint, axis, limit and frame, in columns that line up on any screen."""

import os
import subprocess
import sys

import pytest

import pantin
from pantin.cli import main

GRIPPER = """
<robot name="gripper"><link name="palm"/><link name="l"/><link name="r"/>
  <joint name="left" type="prismatic"><parent link="palm"/><child link="l"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" velocity="1" effort="1"/></joint>
  <joint name="right" type="prismatic"><parent link="palm"/><child link="r"/><axis xyz="0 1 0"/>
    <mimic joint="left" multiplier="-2" offset="0.01"/>
    <limit lower="-1" upper="1" velocity="1" effort="1"/></joint>
</robot>
"""


def drawn(capsys, monkeypatch, model, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["info", model]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("columns", [80, 120])
def test_every_joint_and_frame_has_a_line(capsys, monkeypatch, columns):
    model = pantin.load("panda")
    text = drawn(capsys, monkeypatch, "panda", columns)
    words = text.replace("╴", " ").split()
    for name in [*model.names, *(frame.name for frame in model.frames)]:
        assert name in words


@pytest.mark.parametrize("name", ["panda", "ur5e"])
@pytest.mark.parametrize("columns", [80, 120])
def test_lines_fit_the_screen_and_carry_no_colour_in_a_pipe(capsys, monkeypatch, name, columns):
    text = drawn(capsys, monkeypatch, name, columns)
    assert max(map(len, text.splitlines())) <= columns
    assert "\x1b" not in text


def test_limits_and_axes_stand_in_their_columns(capsys, monkeypatch):
    text = drawn(capsys, monkeypatch, "panda", 120)
    lines = text.splitlines()
    head = next(line for line in lines if line.startswith("joint or frame"))
    row = next(line for line in lines if "panda_joint4 " in line)
    assert row[head.index("kind") :].startswith("revolute")
    assert row[head.index("axis") :].startswith("z")
    end = head.index("lower") + len("lower")
    assert row[:end].endswith("-3.0718")
    assert row[: end + 1].endswith(" ")


def test_a_narrow_screen_tells_what_it_leaves_out(capsys, monkeypatch):
    wide = drawn(capsys, monkeypatch, "panda", 120)
    narrow = drawn(capsys, monkeypatch, "panda", 50)
    assert "effort" in wide.splitlines()[2]
    assert "Speed and effort limits appear on a screen of" in narrow


def test_mimic_joints_show_their_relation(capsys, monkeypatch, tmp_path):
    gripper = tmp_path / "gripper.urdf"
    gripper.write_text(GRIPPER)
    text = drawn(capsys, monkeypatch, str(gripper), 80)
    assert "follows left times -2 plus 0.01" in text


def test_screens_without_unicode_get_ascii_branches():
    done = subprocess.run(
        [sys.executable, "-m", "pantin", "info", "panda"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert "`-panda_joint1" in done.stdout.decode("ascii")
