"""Draw the pictures of the documentation: `python docs/make_pictures.py` writes `docs/_static/`.

Needs matplotlib (`pip install 'pantin[plot]'`).
"""

from pathlib import Path

import matplotlib.image
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import pantin
import pantin.kinematics as kin

FOLDER = Path(__file__).parent / "_static"


def reached() -> Figure:
    """The Panda sample at its seed, and where it reached a pose."""
    target = pantin.SE3(kin.rpy_to_matrix(2.7, 0.25, 0.7), np.array([0.42, -0.32, 0.33]))
    return pantin.reach(pantin.load("panda"), "panda_hand_tcp", target).plot()


def not_reached() -> Figure:
    """The same arm, as near as its limits let it come to a point below its foot."""
    return pantin.reach(pantin.load("panda"), "panda_hand", [0.0, 0.0, -0.5], mode="position").plot()


def save(figure: Figure, name: str, margin: int = 12) -> None:
    """Write a figure without the white around it, but for a margin in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    rows, columns = np.nonzero((pixels[..., :3] < 255).any(axis=-1))
    rows, columns = (slice(max(at.min() - margin, 0), at.max() + margin) for at in (rows, columns))
    matplotlib.image.imsave(FOLDER / name, pixels[rows, columns])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    save(reached(), "reach.png")
    save(not_reached(), "not-reached.png")
