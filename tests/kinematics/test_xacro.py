"""Xacro files are expanded by xacrodoc, or the extra that brings it is named."""

from __future__ import annotations

import sys

import pytest
from urdf_text import link, robot

from pantin.errors import (
    MissingExtra,
    ModelFileError,
)
from pantin.kinematics.urdf import build_model_from_urdf, build_model_from_xml

XACRO = """<?xml version="1.0"?>
<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="count" default="2"/>
<xacro:include filename="parts/segment.xacro"/>
<xacro:include filename="$(find xacro_robot)/parts/segment.xacro"/>
<link name="l0"/>
<xacro:segment i="${int('$(arg count)')}"/>
</robot>"""

SEGMENT = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="segment" params="i">
<xacro:if value="${i > 1}"><xacro:segment i="${i - 1}"/></xacro:if>
<link name="l${i}"/>
<joint name="j${i}" type="continuous"><parent link="l${i - 1}"/><child link="l${i}"/></joint>
</xacro:macro>
</robot>"""


@pytest.fixture
def xacro_robot(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "package.xml").write_text("<package><name>xacro_robot</name></package>")
    (tmp_path / "parts" / "segment.xacro").write_text(SEGMENT)
    (tmp_path / "robot.urdf.xacro").write_text(XACRO)
    (tmp_path / "robot.urdf").write_text(XACRO)
    return tmp_path


@pytest.mark.parametrize("name", ["robot.urdf.xacro", "robot.urdf"])
def test_xacro_files_are_expanded_with_their_includes_and_arguments(xacro_robot, name):
    pytest.importorskip("xacrodoc")
    assert list(build_model_from_urdf(xacro_robot / name).names) == ["universe", "j1", "j2"]
    assert build_model_from_urdf(xacro_robot / name, xacro_args={"count": "5"}).njoints == 6


def test_a_wrong_expression_in_a_xacro_file_is_an_error(xacro_robot):
    pytest.importorskip("xacrodoc")
    (xacro_robot / "robot.urdf.xacro").write_text(XACRO.replace("$(arg count)", "$(arg counts)"))
    with pytest.raises(ModelFileError, match=r"cannot be expanded by xacro: .*counts"):
        build_model_from_urdf(xacro_robot / "robot.urdf.xacro")


def test_without_xacrodoc_the_extra_is_named(xacro_robot, monkeypatch):
    monkeypatch.setitem(sys.modules, "xacrodoc", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pantin\[robots\]'"):
        build_model_from_urdf(xacro_robot / "robot.urdf.xacro")


def test_xacro_in_a_string_is_refused_rather_than_half_read():
    with pytest.raises(ModelFileError, match="line 3, xacro:arg 'count': xacro has to be expanded first"):
        build_model_from_xml(XACRO)


def test_an_xacro_namespace_that_is_not_used_needs_no_xacro():
    text = robot(link("a"), attributes='name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"')
    assert build_model_from_xml(text).nframes == 2
