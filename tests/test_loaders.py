"""Robots loaded by path, or by their name in the collection of robot descriptions (a stand-in of it)."""

from __future__ import annotations

import os
import sys

import pytest

from pantin.errors import InvalidArgument, MissingExtra, ModelFileError, ModelFileNotFound, ModelFileWarning
from pantin.kinematics.joints import JointModelFreeFlyer
from pantin.loaders import ROOT_JOINTS, UnknownDescription, load_robot_description, load_robot_urdf

URDF = """<robot name="toy">
<link name="a"><visual><geometry><mesh filename="package://toy/ball.stl"/></geometry></visual></link>
<link name="b"/><link name="c"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="continuous"><parent link="b"/><child link="c"/><mimic joint="j"/></joint>
</robot>"""

XACRO = """<robot name="toy" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="type" default="fixed"/>
<xacro:include filename="$(find toy_parts)/links.xacro"/>
<joint name="j" type="$(arg type)"><parent link="a"/><child link="b"/></joint>
</robot>"""

LINKS = '<robot><link name="a"/><link name="b"/></robot>'


@pytest.fixture
def toy(tmp_path):
    file = tmp_path / "toy.urdf"
    file.write_text(URDF)
    return file


@pytest.fixture
def without_collection():
    """The collection as it is before anybody imports it, whatever is there is put back."""
    names = [name for name in sys.modules if name.partition(".")[0] == "robot_descriptions"]
    before = {name: sys.modules.pop(name) for name in names}
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "robot_descriptions"]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def descriptions(tmp_path, monkeypatch, without_collection):
    """A collection with four descriptions, each fetched from a folder of its own."""
    repository = tmp_path / "repository"
    for folder in ("toy/urdf", "parts"):
        (repository / folder).mkdir(parents=True)
    (repository / "toy" / "urdf" / "toy.urdf").write_text(URDF)
    (repository / "toy" / "ball.stl").touch()
    (repository / "toy" / "toy.xacro").write_text(XACRO)
    (repository / "parts" / "links.xacro").write_text(LINKS)
    package = tmp_path / "site" / "robot_descriptions"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    paths = f"REPOSITORY_PATH = {str(repository)!r}\nPACKAGE_PATH = {str(repository / 'toy')!r}\n"
    commit = "import os\nCOMMIT = os.environ.get('ROBOT_DESCRIPTION_COMMIT')\n"
    (package / "toy_description.py").write_text(
        f"{paths}{commit}URDF_PATH = {str(repository / 'toy' / 'urdf' / 'toy.urdf')!r}\n"
    )
    (package / "toy_xacro_description.py").write_text(
        f"{paths}XACRO_PATH = {str(repository / 'toy' / 'toy.xacro')!r}\n"
        f"XACRO_ARGS = {{'type': 'continuous'}}\nXACRO_PACKAGE_PATHS = {{'toy_parts': {str(repository / 'parts')!r}}}\n"
    )
    (package / "toy_mj_description.py").write_text(f"{paths}MJCF_PATH = 'toy.xml'\n")
    (package / "toy_gone_description.py").write_text("raise OSError('the network is down')\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))


# ------------------------------------------------------------------------------------------------------------ by path


@pytest.mark.parametrize(("root", "nq"), [(None, 4), ("free_flyer", 11), ("planar", 8), ("spherical", 8)])
def test_a_robot_is_loaded_with_a_root_joint_by_name(toy, root, nq):
    robot = load_robot_urdf(toy, root)
    assert robot.nq == robot.q0.size == nq


def test_a_root_joint_may_be_a_joint_model(toy):
    assert load_robot_urdf(str(toy), JointModelFreeFlyer(), mimic=True).nv == 7


def test_a_warning_points_at_the_line_that_loads(tmp_path):
    file = tmp_path / "toy.urdf"
    file.write_text(URDF.replace("continuous", "revolute"))
    with pytest.warns(ModelFileWarning, match="'j', 'k'") as caught:
        load_robot_urdf(file)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("root", ["freeflyer", "", 3])
def test_an_unknown_root_joint_is_refused(toy, root):
    with pytest.raises(InvalidArgument, match="root_joint: expected"):
        load_robot_urdf(toy, root)


def test_every_named_root_joint_makes_a_joint_of_its_own():
    for make in ROOT_JOINTS.values():
        assert make() is not make()


def test_a_file_that_is_not_there_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        load_robot_urdf(tmp_path / "toy.urdf")
    with pytest.raises(ModelFileNotFound):
        load_robot_urdf(tmp_path / "toy.urdf")


def test_strict_and_xacro_arguments_are_passed_on(tmp_path):
    pytest.importorskip("xacrodoc")
    file = tmp_path / "toy.xacro"
    file.write_text(XACRO.replace('<xacro:include filename="$(find toy_parts)/links.xacro"/>', LINKS[7:-8]))
    assert load_robot_urdf(file).nv == 0
    assert load_robot_urdf(file, xacro_args={"type": "continuous"}).nv == 1
    with pytest.raises(ModelFileError, match="joints without <limit"):
        load_robot_urdf(file, xacro_args={"type": "revolute"}, strict=True)


# ------------------------------------------------------------------------------------------------- by description name


@pytest.mark.usefixtures("descriptions")
def test_a_description_is_loaded_with_its_meshes():
    robot = load_robot_description("toy_description", "free_flyer", mimic=True)
    assert (robot.nq, robot.nv) == (9, 7)
    assert robot.visual_model.missing_meshes == []


@pytest.mark.usefixtures("descriptions")
def test_a_xacro_description_is_expanded_with_its_arguments_and_packages():
    pytest.importorskip("xacrodoc")
    assert load_robot_description("toy_xacro_description").nv == 1


@pytest.mark.usefixtures("descriptions")
def test_the_commit_holds_for_one_load_only(monkeypatch):
    monkeypatch.delenv("ROBOT_DESCRIPTION_COMMIT", raising=False)
    for commit in ("abc", None, "def"):
        load_robot_description("toy_description", commit=commit)
        assert commit == sys.modules["robot_descriptions.toy_description"].COMMIT
        assert "ROBOT_DESCRIPTION_COMMIT" not in os.environ


@pytest.mark.usefixtures("descriptions")
def test_a_commit_of_the_environment_is_put_back(monkeypatch):
    monkeypatch.setenv("ROBOT_DESCRIPTION_COMMIT", "mine")
    load_robot_description("toy_description", commit="abc")
    assert os.environ["ROBOT_DESCRIPTION_COMMIT"] == "mine"


@pytest.mark.usefixtures("descriptions")
def test_an_unknown_description_is_named_with_the_nearest_one():
    with pytest.raises(
        UnknownDescription, match="no robot description 'toy_descripton'; did you mean 'toy_description'"
    ):
        load_robot_description("toy_descripton")


@pytest.mark.usefixtures("descriptions")
@pytest.mark.parametrize("name", ["os", "..toy_description", "", "toy_description.os"])
def test_only_descriptions_are_imported(name):
    with pytest.raises(UnknownDescription):
        load_robot_description(name)


@pytest.mark.usefixtures("descriptions")
def test_a_description_without_urdf_names_the_file_it_has():
    with pytest.raises(ModelFileError, match=r"neither a URDF nor a xacro file; its MJCF file is 'toy\.xml'"):
        load_robot_description("toy_mj_description")


@pytest.mark.usefixtures("descriptions")
def test_a_description_that_cannot_be_fetched_is_an_error():
    with pytest.raises(ModelFileError, match="toy_gone_description: the description cannot be fetched: the network is"):
        load_robot_description("toy_gone_description")


@pytest.mark.usefixtures("descriptions")
def test_an_unknown_root_joint_is_refused_before_anything_is_fetched():
    with pytest.raises(InvalidArgument, match="root_joint"):
        load_robot_description("toy_gone_description", "wheels")


@pytest.mark.usefixtures("without_collection")
def test_without_the_collection_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "robot_descriptions", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pantin\[robots\]'"):
        load_robot_description("toy_description")


def test_the_collection_itself_has_the_names_that_are_relied_on():
    pytest.importorskip("robot_descriptions")
    with pytest.raises(UnknownDescription, match="did you mean 'ur5e_description'"):
        load_robot_description("ur5e_descriptions")
