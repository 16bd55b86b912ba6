"""A robot in the scene of a viser server."""

from __future__ import annotations

import contextlib
import time
import webbrowser
from typing import TYPE_CHECKING, Any, Self

import numpy.typing as npt

from pantin.kinematics.algorithms import forward_kinematics, update_frame_placements
from pantin.kinematics.geometry import GeometryModel, GeometryObject
from pantin.kinematics.model import Data, Model
from pantin.kinematics.robot_wrapper import RobotWrapper
from pantin.visualizer.nodes import add_shape, load_package, move_node, node_name

if TYPE_CHECKING:
    import viser

__all__ = ["ViserVisualizer", "start_viser_visualizer"]

#: How long an opened browser is waited for, s.
PATIENCE = 10.0


class ViserVisualizer:
    """A robot in the scene of a viser server.

    `init_viewer` opens the server, `load_viewer_model` puts the robot into its scene, `display` moves it, `close` takes
    it away. As a context manager it closes itself.

    Attributes:
        model: Robot model.
        visual_model: Shapes that are drawn, or None.
        data: Data of its own, for placements.
        viewer: The viser server, or None before `init_viewer` and after `close`.
        frames: Nodes of the scene by name, those of shapes and those of frames.
        viewer_root_node_name: Node that the robot hangs from.
        visual_root_node_name: Node that its shapes hang from.
        frames_root_node_name: Node that its frames hang from.
        visual_root_frame: Handle of the node that the shapes hang from.
        frames_root_frame: Handle of the node that the frames hang from.
    """

    model: Model
    visual_model: GeometryModel | None
    data: Data
    viewer: viser.ViserServer | None
    frames: dict[str, viser.SceneNodeHandle]
    viewer_root_node_name: str
    visual_root_node_name: str
    frames_root_node_name: str
    visual_root_frame: viser.FrameHandle
    frames_root_frame: viser.FrameHandle

    def __init__(self, model: Model, visual_model: GeometryModel | None = None) -> None:
        """Prepare to show a robot; nothing is opened yet.

        Args:
            model: Robot model.
            visual_model: Shapes to draw, such as `RobotWrapper.visual_model`; without them there are frames only.
        """
        self.model = model
        self.visual_model = visual_model
        self.data = model.create_data()
        self.viewer = None
        self.frames = {}
        self._owns_viewer = False
        self._roots: list[viser.FrameHandle] = []

    def init_viewer(
        self,
        viewer: viser.ViserServer | None = None,
        open: bool = False,
        loadModel: bool = False,
        host: str = "localhost",
        port: int = 8080,
    ) -> None:
        """Start a viser server, or take one that runs.

        Args:
            viewer: Server that runs already; it is left running by `close`.
            open: Open a browser, and wait until it is there, at most ten seconds.
            loadModel: Put the robot into the scene, too.
            host: Host that a new server listens at.
            port: Port that a new server listens at, or the next one that is free.

        Raises:
            MissingExtra: If viser is not installed (extra `view`).
        """
        self.close()
        if viewer is None:
            viewer = load_package("viser").ViserServer(host=host, port=port)
            self._owns_viewer = True
        self.viewer = viewer
        if open:
            _open_browser(viewer)
        if loadModel:
            self.load_viewer_model()

    def load_viewer_model(
        self, rootNodeName: str = "robot", frame_axis_length: float = 0.2, frame_axis_radius: float = 0.01
    ) -> None:
        """Put the robot into the scene: its shapes, and its frames, which are hidden at first.

        Args:
            rootNodeName: Node that the robot hangs from; several robots in a scene have several.
            frame_axis_length: Length of the axes of frames, m.
            frame_axis_radius: Radius of the axes of frames, m.

        Raises:
            RuntimeError: If there is no viewer yet.
            MissingExtra: If a package that reads meshes is not installed (extra `view`).
            ModelFileError: If a mesh cannot be read.
        """
        scene = self._scene
        self._take_away()
        self.viewer_root_node_name = rootNodeName
        self.visual_root_node_name = f"{rootNodeName}/visual"
        self.frames_root_node_name = f"{rootNodeName}/frames"
        try:
            self._hang_up(scene, {"axes_length": frame_axis_length, "axes_radius": frame_axis_radius})
        except BaseException:
            self._take_away()
            raise
        self.update_placements()

    def display(self, q: npt.ArrayLike | None = None) -> None:
        """Show the robot in a configuration.

        Args:
            q: Configuration, shape (nq,); None shows what `data` has placed.

        Raises:
            InvalidArgument: If q has the wrong size, is not finite or not normalised.
            RuntimeError: If the robot is not in a scene.
        """
        if q is not None:
            forward_kinematics(self.model, self.data, q)
        self._require_loaded()
        with self._at_once():
            if self.visual_root_frame.visible:
                self.update_placements()
            if self.frames_root_frame.visible:
                self.update_frames()

    def display_visuals(self, visibility: bool) -> None:
        """Show or hide the shapes.

        Raises:
            RuntimeError: If the robot is not in a scene.
        """
        self._require_loaded()
        self.visual_root_frame.visible = visibility
        self.update_placements()

    def display_frames(self, visibility: bool) -> None:
        """Show or hide the frames.

        Raises:
            RuntimeError: If the robot is not in a scene.
        """
        self._require_loaded()
        self.frames_root_frame.visible = visibility
        if visibility:
            self.update_frames()

    def update_placements(self) -> None:
        """Move the shapes to where `data` has the joints."""
        with self._at_once():
            for shape in self._shapes():
                move_node(self.frames[self._shape_node(shape)], self.data.oMi[shape.parent_joint] * shape.placement)

    def update_frames(self) -> None:
        """Move the frames to where `data` has the joints."""
        update_frame_placements(self.model, self.data)
        moved = set()
        with self._at_once():
            for number, frame in enumerate(self.model.frames):
                if frame.name not in moved:
                    move_node(self.frames[self._frame_node(frame.name)], self.data.oMf[number])
                moved.add(frame.name)

    def close(self) -> None:
        """Take the robot out of its scene, and stop the server if it was opened here; nothing to do twice."""
        viewer, self.viewer = self.viewer, None
        if viewer is None:
            return
        if self._owns_viewer:
            viewer.stop()
            self._roots, self.frames = [], {}
        else:
            self._take_away()
        self._owns_viewer = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        where = f"http://{self.viewer.get_host()}:{self.viewer.get_port()}" if self.viewer is not None else "closed"
        return f"ViserVisualizer({self.model!r}, {where})"

    @property
    def _scene(self) -> viser.SceneApi:
        if self.viewer is None:
            raise RuntimeError("there is no viewer yet; call init_viewer first")
        return self.viewer.scene

    def _require_loaded(self) -> None:
        if not self._roots:
            raise RuntimeError("the robot is not in a scene yet; call init_viewer and load_viewer_model first")

    def _at_once(self) -> contextlib.AbstractContextManager[None]:
        """What happens within is seen as one change."""
        return contextlib.nullcontext() if self.viewer is None else self.viewer.atomic()

    def _shapes(self) -> list[GeometryObject]:
        return [] if self.visual_model is None else self.visual_model.geometry_objects

    def _shape_node(self, shape: GeometryObject) -> str:
        return f"{self.visual_root_node_name}/{node_name(shape.name)}"

    def _frame_node(self, name: str) -> str:
        return f"{self.frames_root_node_name}/{node_name(name)}"

    def _hang_up(self, scene: viser.SceneApi, axes: dict[str, Any]) -> None:
        """Add all nodes of the robot."""
        self.visual_root_frame = scene.add_frame(self.visual_root_node_name, show_axes=False)
        self.frames_root_frame = scene.add_frame(self.frames_root_node_name, show_axes=False, visible=False)
        self._roots = [self.visual_root_frame, self.frames_root_frame]
        for shape in self._shapes():
            name = self._shape_node(shape)
            self.frames[name] = add_shape(scene, name, shape)
        for frame in self.model.frames:
            name = self._frame_node(frame.name)
            if name not in self.frames:  # of several frames with one name, look-ups find the first
                self.frames[name] = scene.add_frame(name, show_axes=True, **axes)

    def _take_away(self) -> None:
        """Remove all nodes of the robot."""
        for root in self._roots:
            root.remove()
        self._roots, self.frames = [], {}


def start_viser_visualizer(
    robot: RobotWrapper, open: bool = True, *, host: str = "localhost", port: int = 8080
) -> ViserVisualizer:
    """Show a robot in a browser.

    Args:
        robot: Robot with its shapes, such as `load_robot_urdf` gives.
        open: Open a browser; otherwise the server's address is printed.
        host: Host that the server listens at.
        port: Port that it listens at, or the next one that is free.

    Returns:
        The visualizer, with the robot in its neutral configuration.

    Raises:
        MissingExtra: If viser is not installed (extra `view`).
        ModelFileError: If a mesh cannot be read.
    """
    visualizer = ViserVisualizer(robot.model, visual_model=robot.visual_model)
    visualizer.init_viewer(open=open, host=host, port=port)
    try:
        visualizer.load_viewer_model()
    except BaseException:
        visualizer.close()
        raise
    visualizer.display(robot.q0)
    return visualizer


def _open_browser(viewer: viser.ViserServer) -> None:
    """Open a browser at a server, and wait for it a while."""
    opened = webbrowser.open(f"http://{viewer.get_host()}:{viewer.get_port()}")
    deadline = time.monotonic() + PATIENCE
    while opened and not viewer.get_clients() and time.monotonic() < deadline:
        time.sleep(0.1)
