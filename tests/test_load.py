"""`load` reads every kind of model file by its content, and says in a sentence what it cannot read."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pantin import samples
from pantin.errors import InvalidArgument, ModelFileError, ModelFileNotFound, ModelFileWarning
from pantin.kinematics.joints import (
    JT_FREEFLYER,
    JT_PLANAR,
    JT_REVOLUTE,
    JT_SPHERICAL,
    JointModelRX,
)
from pantin.kinematics.mjcf.source import root_tag
from pantin.load import load

URDF = """<robot name="urdf">
  <link name="a"/><link name="b"/><link name="c"/>
  <joint name="leader" type="revolute">
    <parent link="a"/><child link="b"/><limit lower="-1" upper="1" velocity="1" effort="1"/>
  </joint>
  <joint name="follower" type="revolute">
    <parent link="b"/><child link="c"/><limit lower="-1" upper="1" velocity="1" effort="1"/>
    <mimic joint="leader"/>
  </joint>
</robot>"""
MJCF = """<mujoco model="mjcf"><worldbody>
  <body name="b"><joint name="leader"/><geom size="1"/>
    <body name="c"><joint name="follower"/><geom size="1"/></body></body></worldbody>
  <equality><joint joint1="follower" joint2="leader"/></equality>
</mujoco>"""
XACRO = URDF.replace('name="urdf"', 'name="xacro" xmlns:xacro="http://www.ros.org/wiki/xacro"')

needs_mujoco = pytest.mark.skipif(
    importlib.util.find_spec("mujoco") is None, reason="MJCF is read by mujoco (extra 'mjcf')"
)
needs_xacrodoc = pytest.mark.skipif(
    importlib.util.find_spec("xacrodoc") is None, reason="xacro is expanded by xacrodoc (extra 'robots')"
)


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.urdf", URDF),
        ("R.URDF", URDF),
        ("r.xml", URDF),
        ("r.xml", '\ufeff<?xml version="1.0"?>\n<!-- <mujoco> --><!DOCTYPE robot>\n' + URDF),
        pytest.param("r.xml", MJCF, marks=needs_mujoco),
        pytest.param("r.mjcf", MJCF, marks=needs_mujoco),
        pytest.param("r.xml", "<!-- -- <robot> -- -->\n" + MJCF, marks=needs_mujoco),
        pytest.param("r.xacro", XACRO, marks=needs_xacrodoc),
        pytest.param("r.urdf.xacro", XACRO, marks=needs_xacrodoc),
    ],
)
def test_files_are_read_by_their_content(tmp_path, name, text):
    model = load(write(tmp_path, name, text))
    assert model.names == ["universe", "leader", "follower"]
    assert model.nq == 1
    assert load(str(tmp_path / name), mimic=False).nq == 2


def test_a_sample_is_found_by_its_name():
    assert load("panda").name == "panda"


def test_a_file_comes_before_a_sample_and_a_sample_before_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "panda").mkdir()
    assert load("panda").name == "panda"
    write(tmp_path, "ur5e", URDF)
    with pytest.raises(ModelFileError, match="a file without extension"):
        load("ur5e")


def test_the_home_folder_may_be_written_as_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, "r.urdf", URDF)
    assert load("~/r.urdf").name == "urdf"


@pytest.mark.parametrize(
    ("root", "kind"), [("free_flyer", JT_FREEFLYER), ("planar", JT_PLANAR), ("spherical", JT_SPHERICAL)]
)
def test_root_joints_have_names(root, kind):
    model = load("planar_3r", root_joint=root)
    assert model.names[1] == "root_joint"
    assert model.joints[1].jtype == kind


def test_a_joint_model_is_a_root_joint():
    assert load("planar_3r", root_joint=JointModelRX()).joints[1].jtype == JT_REVOLUTE


def test_a_fixed_root_is_the_default_and_has_a_name():
    assert load("planar_3r").names == load("planar_3r", root_joint="fixed").names
    assert load("biped").names[1] == "root_joint"
    assert "root_joint" not in load("biped", root_joint="fixed").names
    assert "root_joint" not in load(samples.path("biped")).names


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("freeflyer", "did you mean 'free_flyer'"),
        ("wheels", "there is 'free_flyer', 'planar', 'spherical', 'fixed'"),
        (3, "got 3"),
    ],
)
def test_unknown_root_joints_name_the_nearest(root, message):
    with pytest.raises(InvalidArgument, match=f"root_joint: .*{message}"):
        load("panda", root_joint=root)


def test_strict_refuses_what_is_warned_about(tmp_path):
    text = URDF.replace('<limit lower="-1" upper="1" velocity="1" effort="1"/>', "", 1)
    file = write(tmp_path, "r.urdf", text)
    with pytest.warns(ModelFileWarning, match="leader"):
        load(file)
    with pytest.raises(ModelFileError, match="leader"):
        load(file, strict=True)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.sdf", "<sdf/>", "SDF is not supported"),
        ("r.xml", "<sdf version='1.9'/>", "SDF is not supported"),
        ("r.srdf", "<robot/>", "load the URDF file that it belongs to"),
        ("r.stl", "solid", "a mesh has shapes but no joints"),
        ("r.DAE", "<COLLADA/>", "a mesh has shapes but no joints"),
        ("r.usda", "#usda 1.0", "USD is not supported"),
        ("r.mjb", "", "MjModel.from_binary_path"),
        ("r.yaml", "a: 1", r"unknown extension '\.yaml'; pantin reads URDF"),
        ("robot", URDF, "a file without extension"),
        ("r.xml", "<html><body/></html>", "its root element is <html>; pantin reads URDF"),
        ("r.xml", "", r"r\.xml: "),
        ("r.urdf", "hello", r"r\.urdf: "),
        ("r.urdf", "<!-- never closed", r"r\.urdf: "),
        pytest.param("r.mjcf", "hello", r"r\.mjcf: MuJoCo cannot read it", marks=needs_mujoco),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(tmp_path, name, text, message):
    with pytest.raises(ModelFileError, match=message) as caught:
        load(write(tmp_path, name, text))
    assert "\n" not in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_a_folder_names_the_models_in_it(tmp_path):
    with pytest.raises(ModelFileError, match="a folder, not a file; pantin reads URDF"):
        load(tmp_path)
    for name in ("b.xml", "a.urdf", "note.txt"):
        write(tmp_path, name, URDF)
    with pytest.raises(ModelFileError, match=r"a folder, not a file; in it there is 'a\.urdf', 'b\.xml'$"):
        load(tmp_path)


def test_a_missing_file_names_near_files_and_samples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "my_robot.urdf", URDF)
    with pytest.raises(ModelFileNotFound, match=r"did you mean 'my_robot\.urdf'"):
        load("my_robt.urdf")
    with pytest.raises(ModelFileNotFound, match="did you mean the sample 'panda'"):
        load("pandda")
    with pytest.raises(ModelFileNotFound, match="no such file; the samples are 'arctos', 'biped'"):
        load("xyzzy")
    with pytest.raises(ModelFileNotFound, match=r"no such file$"):
        load("xyzzy.urdf")
    with pytest.raises(FileNotFoundError, match="no folder 'nowhere'"):
        load("nowhere/r.urdf")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "got a NoneType"),
        (12, "got a int"),
        ("", "got ''"),
        (b"panda", "got b'panda'|got a bytes"),
        (URDF, "got XML text; build_model_from_xml"),
    ],
)
def test_what_is_no_file_name_is_refused(given, message):
    with pytest.raises(InvalidArgument, match=f"path_or_name: .*{message}"):
        load(given)


def test_a_name_too_long_for_a_file_is_an_error_of_ours():
    with pytest.raises(ModelFileError, match="cannot be read"):
        load("x" * 5000)


@given(
    st.lists(st.sampled_from([b"<", b"?", b"!", b"--", b">", b" ", b"robot", b"\xef\xbb\xbf", b"\x00"]), max_size=12)
)
def test_the_first_look_at_a_file_takes_any_bytes(pieces):
    tag = root_tag(b"".join(pieces))
    assert tag is None or b"<" + tag.encode() in b"".join(pieces)


def test_the_first_look_is_quick_behind_a_thousand_comments():
    assert root_tag(b"<!-- <robot> -->\n" * 100_000 + b"<mujoco/>") == "mujoco"
