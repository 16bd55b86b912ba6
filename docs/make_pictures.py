"""Draw the pictures of the documentation: `python docs/make_pictures.py` writes `docs/_static/`.

Needs matplotlib (`pip install 'pantin[plot]'`).
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.axes3d import Axes3D

import pantin
import pantin.kinematics as kin

FOLDER = Path(__file__).parent / "_static"
FRAME = "panda_hand_tcp"
TARGET = pantin.SE3(kin.rpy_to_matrix(np.pi, 0.35, 0.6), np.array([0.45, 0.25, 0.35]))
START = "0.35 0.35"
INK, FAINT = "#23364d", "#b8c4d0"
AXES = {"x": "#d1495b", "y": "#3a9d5d", "z": "#2f6fde"}


def stick_figure(axes: Axes3D, model: pantin.Model, q: np.ndarray, color: str, width: float) -> None:
    """Draw lines from each joint to its parent, and from the last one to the frame.

    Args:
        axes: Where to draw.
        model: The arm.
        q: Configuration, shape (nq,).
        color: Colour of lines and joints.
        width: Width of lines, points.
    """
    data = model.create_data()
    kin.frames_forward_kinematics(model, data, q)
    frame_id = model.get_frame_id(FRAME)
    points = [data.oMi[j].translation for j in model.supports[model.frames[frame_id].parent_joint]]
    line = np.array([*points, data.oMf[frame_id].translation])
    axes.plot(*line.T, color=color, linewidth=width, solid_capstyle="round", solid_joinstyle="round")
    axes.scatter(
        *line[1:-1].T, s=4 * width**1.2, color="white", edgecolors=color, linewidths=0.4 * width, depthshade=False
    )


def triad(axes: Axes3D, pose: pantin.SE3, length: float) -> None:
    """Draw the axes of a pose as coloured arrows with letters."""
    for (letter, color), direction in zip(AXES.items(), pose.rotation.T, strict=True):
        tip = pose.translation + length * direction
        axes.quiver(*pose.translation, *(length * direction), color=color, linewidth=2.2, arrow_length_ratio=0.18)
        axes.text(*(tip + 0.035 * direction), letter, color=color, fontsize=11, ha="center", va="center")


def reach_picture() -> Figure:
    """The Panda sample at its seed (faint) and at the pose that it reached."""
    model = pantin.load("panda")
    result = pantin.reach(model, FRAME, TARGET)
    seed = (model.lower_position_limit + model.upper_position_limit) / 2
    figure = plt.figure(figsize=(7.2, 5.4), dpi=150)
    axes = figure.add_subplot(projection="3d", computed_zorder=False)
    floor(axes)
    stick_figure(axes, model, seed, FAINT, 3.0)
    stick_figure(axes, model, result.q, INK, 5.0)
    triad(axes, TARGET, 0.2)
    return figure


def floor(axes: Axes3D) -> None:
    """A ground grid in place of the panes of the plot, and a view from the front left."""
    for at in np.linspace(-0.4, 0.8, 7):
        axes.plot([at, at], [-0.6, 0.6], [0, 0], color="#e3e8ee", linewidth=0.8)
        axes.plot([-0.4, 0.8], [at - 0.2, at - 0.2], [0, 0], color="#e3e8ee", linewidth=0.8)
    axes.set(xlim=(-0.4, 0.8), ylim=(-0.6, 0.6), zlim=(0, 1.0))
    axes.set_box_aspect((1.2, 1.2, 1.0), zoom=1.45)
    axes.set_axis_off()
    axes.view_init(elev=18, azim=-58)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    reach_picture().savefig(FOLDER / "reach.png", bbox_inches="tight", pad_inches=0.05)
