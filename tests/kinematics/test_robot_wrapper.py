"""A robot with its data, neutral configuration and shapes."""

from __future__ import annotations

import numpy as np
import pytest
from test_xacro import SEGMENT, XACRO
from urdf_text import LIMIT, joint, link, robot

from pantin.errors import ModelFileError, ModelFileNotFound, ModelFileWarning
from pantin.kinematics.algorithms import forward_kinematics
from pantin.kinematics.configurations import neutral
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.joints import JointModelFreeFlyer
from pantin.kinematics.robot_wrapper import RobotWrapper
from pantin.kinematics.urdf import build_model_from_xml

BALL = '<visual><geometry><sphere radius="1"/></geometry></visual>'
BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
MESH = '<visual><geometry><mesh filename="package://parts/ball.stl"/></geometry></visual>'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        robot(
            f'<link name="a">{BALL}{MESH}</link>',
            f'<link name="b">{BOX}</link>',
            link("c"),
            joint("j", "revolute", "a", "b", LIMIT),
            joint("k", "revolute", "b", "c", LIMIT + '<mimic joint="j"/>'),
        )
    )
    return path


def test_a_robot_has_what_its_file_describes(file, tmp_path):
    wrapper = RobotWrapper.BuildFromURDF(file)
    assert (wrapper.nq, wrapper.nv) == (2, 2)
    assert np.array_equal(wrapper.q0, neutral(wrapper.model))
    assert [g.name for g in wrapper.visual_model.geometry_objects] == ["a_0"]
    assert wrapper.visual_model.missing_meshes == ["package://parts/ball.stl"]
    assert [g.name for g in wrapper.collision_model.geometry_objects] == ["b_0"]
    forward_kinematics(wrapper.model, wrapper.data, wrapper.q0)
    assert np.array_equal(wrapper.data.oMi[1].translation, [1, 2, 3])
    assert "test" in repr(wrapper)


def test_meshes_are_looked_for_in_the_package_folders(file, tmp_path):
    (tmp_path / "far" / "parts").mkdir(parents=True)
    (tmp_path / "far" / "parts" / "ball.stl").touch()
    wrapper = RobotWrapper.BuildFromURDF(str(file), [str(tmp_path / "far")])
    assert [g.name for g in wrapper.visual_model.geometry_objects] == ["a_0", "a_1"]
    assert wrapper.visual_model.missing_meshes == []


def test_arguments_come_in_the_order_of_pinker_and_pinocchio(file):
    wrapper = RobotWrapper.BuildFromURDF(str(file), None, JointModelFreeFlyer(), True)
    assert (wrapper.nq, wrapper.nv) == (8, 7)
    assert wrapper.model.names[1] == "root_joint"


def test_strict_is_passed_on(file):
    file.write_text(robot(link("a"), link("b"), joint("j", "revolute", "a", "b")))
    with pytest.warns(ModelFileWarning, match="'j'"):
        RobotWrapper.BuildFromURDF(file)
    with pytest.raises(ModelFileError, match="'j'"):
        RobotWrapper.BuildFromURDF(file, strict=True)


def test_a_robot_can_be_wrapped_by_hand():
    model, visual = build_model_from_xml(robot(link("a"))), GeometryModel()
    wrapper = RobotWrapper(model, visual)
    assert wrapper.model is model
    assert wrapper.visual_model is visual
    assert wrapper.collision_model is None


def test_packages_of_xacro_files_are_looked_for_in_the_package_folders(tmp_path):
    pytest.importorskip("xacrodoc")
    for folder in ("near", "far/xacro_robot/parts", "near/parts"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "far" / "xacro_robot" / "parts" / "segment.xacro").write_text(SEGMENT)
    (tmp_path / "near" / "parts" / "segment.xacro").write_text(SEGMENT)
    (tmp_path / "near" / "robot.xacro").write_text(XACRO)
    wrapper = RobotWrapper.BuildFromURDF(tmp_path / "near" / "robot.xacro", tmp_path / "far", xacro_args={"count": "4"})
    assert wrapper.nv == 4
    with pytest.raises(ModelFileError, match="xacro_robot"):
        RobotWrapper.BuildFromURDF(tmp_path / "near" / "robot.xacro")


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ModelFileNotFound):
        RobotWrapper.BuildFromURDF(tmp_path / "robot.urdf")
