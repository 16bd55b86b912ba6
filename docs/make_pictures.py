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
TARGET = pantin.SE3(kin.rpy_to_matrix(2.7, 0.25, 0.7), np.array([0.42, -0.32, 0.33]))
INK, FAINT, FLOOR = "#23364d", "#b9c5d1", "#e4e9ef"
AXES = {"x": "#d1495b", "y": "#3a9d5d", "z": "#2f6fde"}


def stick_figure(axes: Axes3D, model: pantin.Model, q: np.ndarray, color: str, width: float, layer: int) -> np.ndarray:
    """Draw lines from the ground over the joints to the frame; the place of the frame comes back.

    Args:
        axes: Where to draw.
        model: The arm.
        q: Configuration, shape (nq,).
        color: Colour of lines and rims of joints.
        width: Width of lines, points.
        layer: What is drawn on a higher layer hides what is on a lower one.
    """
    data = model.create_data()
    kin.frames_forward_kinematics(model, data, q)
    frame_id = model.get_frame_id(FRAME)
    joints = model.supports[model.frames[frame_id].parent_joint]
    line = np.array([*(data.oMi[joint].translation for joint in joints), data.oMf[frame_id].translation])
    axes.plot(*line.T, color=color, linewidth=width, solid_capstyle="round", solid_joinstyle="round", zorder=layer)
    rims = {"color": "white", "edgecolors": color, "linewidths": 0.35 * width}
    axes.scatter(*line[1:-1].T, s=1.6 * width**2, depthshade=False, zorder=layer + 1, **rims)
    return line[-1]


def triad(axes: Axes3D, pose: pantin.SE3, length: float, layer: int) -> None:
    """Draw the axes of a pose as coloured arrows with letters."""
    for (letter, color), direction in zip(AXES.items(), pose.rotation.T, strict=True):
        arrow = length * direction
        axes.quiver(*pose.translation, *arrow, color=color, linewidth=2.4, arrow_length_ratio=0.2, zorder=layer)
        axes.text(*(pose.translation + 1.2 * arrow), letter, color=color, fontsize=12, ha="center", va="center")


def floor(axes: Axes3D) -> None:
    """Draw a ground grid in place of the plot's own panes."""
    for at in np.linspace(0, 1, 7):
        axes.plot([at - 0.3, at - 0.3], [-0.6, 0.4], [0, 0], color=FLOOR, linewidth=1.0, zorder=0)
        axes.plot([-0.3, 0.7], [at - 0.6, at - 0.6], [0, 0], color=FLOOR, linewidth=1.0, zorder=0)
    axes.set(xlim=(-0.3, 0.7), ylim=(-0.6, 0.4), zlim=(0, 0.7))
    axes.set_box_aspect((1.0, 1.0, 0.7), zoom=1.0)
    axes.set_axis_off()
    axes.view_init(elev=16, azim=-105)


def reach_picture() -> Figure:
    """The Panda sample at its seed (faint), and where it reached the target (dark)."""
    model = pantin.load("panda")
    result = pantin.reach(model, FRAME, TARGET)
    seed = (model.lower_position_limit + model.upper_position_limit) / 2
    figure = plt.figure(figsize=(10, 10), dpi=110)
    axes = figure.add_subplot(projection="3d", computed_zorder=False)
    floor(axes)
    start = stick_figure(axes, model, seed, FAINT, 4.0, layer=1)
    stick_figure(axes, model, result.q, INK, 6.0, layer=3)
    triad(axes, TARGET, 0.16, layer=5)
    axes.text(*(start - np.array([0, 0, 0.05])), "seed", color="#8494a5", fontsize=11, ha="center", va="top")
    return figure


def save(figure: Figure, name: str, margin: int = 12) -> None:
    """Write a figure without the white around it, but for a margin in pixels."""
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())
    rows, columns = np.nonzero((pixels[..., :3] < 255).any(axis=-1))
    rows, columns = (slice(max(at.min() - margin, 0), at.max() + margin) for at in (rows, columns))
    plt.imsave(FOLDER / name, pixels[rows, columns])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    save(reach_picture(), "reach.png")
