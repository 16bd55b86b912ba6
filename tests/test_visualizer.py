"""Robots in a browser: the scene of a running server has each shape and frame where forward kinematics puts it."""

from __future__ import annotations

import re
import socket
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import pantin
import pantin.kinematics as pt
from models import KINDS, configuration, random_tree
from oracle import ROBOTS, to_pinker
from pantin import samples
from pantin.errors import InvalidArgument, MissingExtra, ModelFileError, StaleData
from pantin.visualizer import ViserVisualizer, start_viser_visualizer

#: Roundings of products along a chain.
TOLERANCE = 1e-12


def free_port():
    with socket.socket() as one:
        one.bind(("localhost", 0))
        return one.getsockname()[1]


@pytest.fixture(scope="module")
def server():
    """A viser server that several robots use."""
    viser = pytest.importorskip("viser", reason="the viewer needs viser (extra view)")
    server = viser.ViserServer(host="localhost", port=free_port(), verbose=False)
    yield server
    server.stop()


@pytest.fixture
def panda():
    return pantin.load_robot_urdf(samples.path("panda"))


def shown(robot, server, **options):
    viewer = ViserVisualizer(robot.model, robot.visual_model)
    viewer.init_viewer(viewer=server)
    viewer.load_viewer_model(**options)
    return viewer


def assert_at(node, pose):
    """A node stands where a pose says; quaternions have two signs."""
    np.testing.assert_allclose(node.position, pose.translation, atol=TOLERANCE)
    wanted = pt.so3.quaternion_wxyz(pose.rotation)
    assert abs(abs(np.dot(node.wxyz, wanted)) - 1.0) < TOLERANCE


def each_kind():
    """A robot of all joint kinds with a shape of every kind but meshes on each body."""
    model = random_tree(list(KINDS), 0)
    shapes = pt.GeometryModel()
    sizes = {"box": (0.1, 0.2, 0.3), "sphere": (0.1,), "cylinder": (0.1, 0.4), "capsule": (0.05, 0.3)}
    for joint in range(1, model.njoints):
        kind = list(sizes)[joint % 4]
        pose = pt.exp6(0.3 * np.arange(6.0) - joint)
        shapes.add_geometry_object(
            pt.GeometryObject(f"{kind}_{joint}", joint, pose, kind, sizes[kind], mesh_color=[0.1, 0.2, 0.3, 0.5])
        )
    return pt.RobotWrapper(model, shapes)


@pytest.mark.parametrize("make", [each_kind, lambda: pantin.load_robot_urdf(samples.path("humanoid"), "free_flyer")])
def test_shapes_and_frames_are_where_forward_kinematics_puts_them(make, server):
    robot = make()
    viewer = shown(robot, server)
    viewer.display_frames(True)
    data = robot.model.create_data()
    for seed in range(3):
        q = configuration(robot.model, seed)
        viewer.display(q)
        pt.frames_forward_kinematics(robot.model, data, q)
        for shape in robot.visual_model.geometry_objects:
            assert_at(viewer.frames[f"robot/visual/{shape.name}"], data.oMi[shape.parent_joint] * shape.placement)
        for frame, pose in zip(robot.model.frames, data.oMf, strict=True):
            assert_at(viewer.frames[f"robot/frames/{frame.name}"], pose)
    assert len(viewer.frames) == robot.visual_model.ngeoms + robot.model.nframes
    viewer.close()


def test_the_scene_is_pinkers(panda, server):
    pinker = pytest.importorskip("pinker.visualizer")
    import pinker.kinematics as pk

    path = str(samples.path("panda"))
    theirs = pinker.ViserVisualizer(to_pinker(panda.model), pk.RobotWrapper.BuildFromURDF(path).visual_model)
    theirs.init_viewer(viewer=server)
    theirs.load_viewer_model(rootNodeName="theirs")
    ours = shown(panda, server, rootNodeName="ours")
    q = configuration(panda.model, 4)
    for viewer in (ours, theirs):
        viewer.display_frames(True)
        viewer.display(q)
    names = {name.removeprefix("theirs") for name in theirs.frames}
    assert {name.removeprefix("ours") for name in ours.frames} == names
    for name in names:
        mine, their = ours.frames[f"ours{name}"], theirs.frames[f"theirs{name}"]
        assert type(mine) is type(their)
        np.testing.assert_allclose(mine.position, their.position, atol=TOLERANCE)
        assert abs(abs(np.dot(mine.wxyz, their.wxyz)) - 1.0) < TOLERANCE
    ours.close()
    theirs.visual_root_frame.remove()
    theirs.frames_root_frame.remove()


def test_shapes_have_their_sizes_and_colours(server):
    robot = each_kind()
    viewer = shown(robot, server)
    extents = {"box": (0.1, 0.2, 0.3), "cylinder": (0.2, 0.2, 0.4), "capsule": (0.1, 0.1, 0.4)}
    for shape in robot.visual_model.geometry_objects:
        node = viewer.frames[f"robot/visual/{shape.name}"]
        assert tuple(node.color) == (25, 51, 76)
        assert node.opacity == 0.5
        if shape.shape == "sphere":
            assert node.radius == 0.1
        elif shape.shape == "box":
            np.testing.assert_allclose(node.dimensions, extents["box"])
        else:  # meshes with corners on the circle, in single precision
            np.testing.assert_allclose(np.ptp(node.vertices, axis=0), extents[shape.shape], rtol=0.02)
            np.testing.assert_allclose(node.vertices.mean(axis=0), 0.0, atol=1e-6)
    viewer.close()


def test_meshes_are_read_at_their_scale(server, tmp_path):
    (tmp_path / "corner.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shapes = pt.GeometryModel()
    model = random_tree(["RX"], 0)
    path = str(tmp_path / "corner.obj")
    shapes.add_geometry_object(
        pt.GeometryObject("corner", 1, pt.SE3.Identity(), "mesh", mesh_path=path, mesh_scale=[1.0, 2.0, 3.0])
    )
    viewer = shown(pt.RobotWrapper(model, shapes), server)
    node = viewer.frames["robot/visual/corner"]
    np.testing.assert_allclose(node.vertices.max(axis=0), [1.0, 2.0, 3.0])
    assert len(node.faces) == 4
    viewer.close()


def test_meshes_of_a_robot_file_are_shown(server):
    pytest.importorskip("collada", reason="Collada meshes need pycollada (extra view)")
    robot = pantin.load_robot_urdf(ROBOTS / "ur_description/urdf/ur5_robot.urdf")
    assert {shape.mesh_path[-4:] for shape in robot.visual_model.geometry_objects} == {".dae"}
    viewer = shown(robot, server)
    assert sum(name.startswith("robot/visual/") for name in viewer.frames) == robot.visual_model.ngeoms
    viewer.close()


def test_what_is_hidden_moves_when_it_is_shown(panda, server):
    viewer = shown(panda, server)
    assert viewer.visual_root_frame.visible
    assert not viewer.frames_root_frame.visible
    q = configuration(panda.model, 0)
    data = panda.model.create_data()
    pt.frames_forward_kinematics(panda.model, data, q)
    viewer.display_visuals(False)
    viewer.display(q)
    viewer.display_visuals(True)
    viewer.display_frames(True)
    shape = panda.visual_model.geometry_objects[-1]
    assert_at(viewer.frames[f"robot/visual/{shape.name}"], data.oMi[shape.parent_joint] * shape.placement)
    assert_at(viewer.frames["robot/frames/panda_hand"], data.oMf[panda.model.get_frame_id("panda_hand")])
    viewer.close()


def test_a_browser_finds_the_page_and_a_closed_server_is_gone(panda):
    pytest.importorskip("viser", reason="the viewer needs viser (extra view)")
    with start_viser_visualizer(panda, open=False, port=free_port()) as viewer:
        address = repr(viewer).split(", ")[-1].strip(")")
        assert address.startswith("http://localhost:")
        with urllib.request.urlopen(address, timeout=10) as page:
            assert page.status == 200
            assert b"<html" in page.read().lower()
        assert_at(viewer.frames["robot/visual/" + panda.visual_model.geometry_objects[0].name], first_pose(panda))
    assert viewer.viewer is None
    assert repr(viewer).endswith("closed)")
    viewer.close()
    with pytest.raises(OSError, match=r"refused"):
        urllib.request.urlopen(address, timeout=10)


def test_what_the_page_shows_runs():
    pytest.importorskip("viser", reason="the viewer needs viser (extra view)")
    page = (Path(__file__).parents[1] / "docs" / "viewer.md").read_text(encoding="utf-8")
    first = re.search(r"```py\n(.*?)```", page, flags=re.DOTALL)[1]
    names = {}
    exec(compile(first.replace("8080", str(free_port())), "viewer.md", "exec"), names)
    assert names["viewer"].viewer is None


def first_pose(robot):
    data = robot.model.create_data()
    pt.forward_kinematics(robot.model, data, robot.q0)
    shape = robot.visual_model.geometry_objects[0]
    return data.oMi[shape.parent_joint] * shape.placement


def test_a_server_of_somebody_else_stays_and_loses_the_robot_only(panda, server):
    one, other = shown(panda, server, rootNodeName="one"), shown(panda, server, rootNodeName="other")
    nodes = list(one.frames.values())
    one.close()
    for node in nodes:  # viser refuses what was removed, or warns of it
        assert node._impl.removed
    other.display(configuration(panda.model, 1))
    assert not any(node._impl.removed for node in other.frames.values())
    other.load_viewer_model("again")
    assert all(name.startswith("again/") for name in other.frames)
    other.close()


def test_names_that_repeat_or_hold_slashes_make_one_node_each(server):
    model = random_tree(["RX", "RY"], 0)
    for _ in range(2):
        model.add_frame(pt.Frame("a/b", 2, 0, pt.exp6(np.arange(6.0)), pt.FrameType.OP_FRAME))
    model.frames[1].name = "a"
    model.frames[2].name = "a"
    viewer = shown(pt.RobotWrapper(model), server)
    viewer.display_frames(True)
    q = configuration(model, 1)
    viewer.display(q)
    data = model.create_data()
    pt.frames_forward_kinematics(model, data, q)
    assert_at(viewer.frames["robot/frames/a"], data.oMf[1])
    assert_at(viewer.frames["robot/frames/a_b"], data.oMf[model.get_frame_id("a/b")])
    viewer.close()


def test_wrong_questions_are_refused(panda, server):
    viewer = ViserVisualizer(panda.model, panda.visual_model)
    for ask in (viewer.display, viewer.load_viewer_model, lambda: viewer.display_frames(True)):
        with pytest.raises(RuntimeError, match="init_viewer"):
            ask()
    viewer = shown(panda, server)
    for q in (np.zeros(3), np.full(panda.nq, np.nan)):
        with pytest.raises(InvalidArgument, match="q"):
            viewer.display(q)
    viewer.close()
    model = random_tree(["RX"], 0)
    viewer = shown(pt.RobotWrapper(model), server)
    model.add_frame(pt.Frame("new", 1, 0, pt.SE3.Identity(), pt.FrameType.OP_FRAME))
    with pytest.raises(StaleData):
        viewer.display(np.zeros(1))
    viewer.close()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [("empty.stl", "no mesh", "holds no mesh"), ("a.xyzzy", "?", "cannot be read"), ("a.glb", "?", "cannot be read")],
)
def test_files_that_hold_no_mesh_are_named(name, content, message, server, tmp_path):
    path = tmp_path / name
    path.write_text(content)
    shapes = pt.GeometryModel()
    shapes.add_geometry_object(pt.GeometryObject("broken", 1, pt.SE3.Identity(), "mesh", mesh_path=str(path)))
    with pytest.raises(ModelFileError, match=f"{name}: {message}"):
        shown(pt.RobotWrapper(random_tree(["RX"], 0), shapes), server)


def test_where_viser_is_missing_one_is_told_how_to_get_it(panda, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingExtra, match=r"pip install 'pantin\[view\]'"):
        start_viser_visualizer(panda)
