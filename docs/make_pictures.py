"""Draw the pictures of the documentation: `python docs/make_pictures.py` writes `docs/_static/`.

Needs matplotlib (`pip install 'pantin[plot]'`).
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

import pantin
import pantin.kinematics as kin
from pantin.barriers import SelfCollisionBarrier
from pantin.drawing import ALARM, FAINT, GOOD, GREY, INK
from pantin.fitting import BodyPlan, Camera, FitOptions, Matched, fit, match, read_recording
from pantin.fitting.plot.charts import SHADE, style
from pantin.fitting.plot.limbs import limb_colors
from pantin.tracking import Scenario, shipped

sys.path.append(str(Path(__file__).parents[1] / "tools"))
import make_walker  # which knows the truth

FOLDER = Path(__file__).parent / "_static"


def reached() -> Figure:
    """The Panda sample at its seed, and where it reached a pose."""
    target = pantin.SE3(kin.rpy_to_matrix(2.7, 0.25, 0.7), np.array([0.42, -0.32, 0.33]))
    return pantin.reach(pantin.load("panda"), "panda_hand_tcp", target).plot()


def not_reached() -> Figure:
    """The same arm, as near as its limits let it come to a point below its foot."""
    return pantin.reach(pantin.load("panda"), "panda_hand", [0.0, 0.0, -0.5], mode="position").plot()


def recorded() -> tuple[BodyPlan, Matched]:
    """The sample walker, and what a tracker made of its walk."""
    plan = BodyPlan.load("walker")
    return plan, match(read_recording(pantin.samples.recording("walker")), plan, unit="mm")


def fitted() -> Figure:
    """The page about the walker's fit."""
    plan, seen = recorded()
    return fit(plan, seen.positions, seen.weights, time=seen.time, options=FitOptions(loss="cauchy")).plot()


def poses(page: Figure) -> Figure:
    """The stick figures of a page alone."""
    for part in [*page.axes[3:], *page.texts, *page.legends]:
        part.remove()
    return page


def filmed() -> Figure:
    """The page about a fit to what two cameras see."""
    plan, seen = recorded()
    cameras = [looking(place, (41.0, 38.0, 2.0)) for place in ((124.0, 73.0, 60.0), (-36.0, 84.0, 60.0))]
    pixels = np.stack([camera.project(seen.positions) for camera in cameras], axis=1)
    options = FitOptions(loss="cauchy")
    return fit(plan, pixels, time=seen.time, source=cameras, options=options).plot(frames=[0, 150, 299])


def looking(place: tuple[float, ...], at: tuple[float, ...]) -> Camera:
    """A camera at a place that looks at another, level."""
    forward = np.subtract(at, place) / np.linalg.norm(np.subtract(at, place))
    right = np.cross(forward, [0.0, 0.0, 1.0]) / np.linalg.norm(np.cross(forward, [0.0, 0.0, 1.0]))
    R = np.stack([right, np.cross(forward, right), forward])
    return Camera(1400.0, 1400.0, 640.0, 480.0, R, -R @ place)


def gap() -> Figure:
    """A hinge that is hidden for 30 frames as its leg is about to swing, under each policy, and the truth."""
    plan, seen = recorded()
    dof, true = plan.dof("L2_coxa_yaw"), make_walker.truth()
    positions = seen.positions.copy()
    positions[140:170], first = true.keypoints[140:170], 207
    positions[first : first + 30, [name.startswith("L2_") for name in plan.joint_names]] = np.nan
    figure = Figure(figsize=(9.6, 2.9), dpi=120)
    panels = figure.subplots(1, 4, sharey=True, gridspec_kw={"wspace": 0.08, "bottom": 0.19, "top": 0.82})
    for axes, policy in zip(panels, ("hold", "prior", "interpolate", "nan"), strict=True):
        result = fit(plan, positions, time=seen.time, options=FitOptions(loss="cauchy", gap=policy))
        style(axes, bottom=True)
        axes.axvspan(first / 100 - 0.005, first / 100 + 0.295, color=SHADE, linewidth=0)
        for name, dofs, look in (
            ("truth", true.dofs, {"color": FAINT, "linewidth": 1.2, "linestyle": (0, (2, 1.5))}),
            ("fit", result.dofs, {"color": limb_colors(plan)[plan.dof_joint[dof]], "linewidth": 1.6}),
        ):
            axes.plot(seen.time, np.degrees(dofs[:, dof]), label=name, **look)
        axes.set_title(f'gap="{policy}"', loc="left", color=INK, fontsize=10)
        axes.set(xlim=(1.75, 2.7), xticks=(2.0, 2.5))
        axes.set_xlabel("time (s)", color=GREY)
    panels[0].set_ylabel("L2_coxa_yaw (deg)", color=GREY)
    words = {"frameon": False, "fontsize": 9, "labelcolor": GREY}
    panels[-1].legend(loc="lower right", bbox_to_anchor=(1.0, 1.1), ncols=2, **words)
    return figure


def kept_apart() -> Figure:
    """How far a bar that is pressed down and rocked stays above a floor, with so many rows a pair."""
    figure = Figure(figsize=(9.0, 2.8), dpi=120)
    axes = figure.subplots()
    style(axes, bottom=True)
    for witnesses, color, name in ((1, ALARM, "one row a pair"), (4, GOOD, "four rows a pair")):
        distance = 1e3 * rocked(witnesses)
        axes.plot(0.01 * np.arange(len(distance)), distance, color=color, linewidth=1.4, label=name)
    axes.axhline(20.0, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    axes.text(2.52, 20.0, "d_min", color=INK, fontsize=8, va="center")
    axes.axhspan(-40.0, 0.0, color=SHADE, zorder=0)
    axes.text(2.52, 0.0, "floor", color=INK, fontsize=8, va="center")
    axes.set(xlim=(0.0, 2.5), ylim=(-40.0, 100.0))
    axes.set_xlabel("time, s", color=GREY, fontsize=8)
    axes.set_ylabel("distance, mm", color=GREY, fontsize=8)
    axes.legend(frameon=False, fontsize=8, labelcolor=INK, loc="upper right")
    figure.tight_layout()
    return figure


def rocked(witnesses: int) -> np.ndarray:
    """Distance of a bar of 1 m from a floor as it is pressed down and rocked, m."""
    model, shapes = kin.Model(), kin.GeometryModel()
    rail = model.add_joint(0, kin.JointModelPZ(), pantin.SE3.Identity(), "rail", [9.0], [1.0], [-2.0], [2.0])
    tilt = model.add_joint(rail, kin.JointModelRY(), pantin.SE3.Identity(), "tilt", [9.0], [1.0], [-1.0], [1.0])
    floor = pantin.SE3(np.eye(3), np.array([0.0, 0.0, -0.5]))
    shapes.add_geometry_object(kin.GeometryObject("floor", 0, floor, "box", [9.0, 9.0, 1.0]))
    shapes.add_geometry_object(kin.GeometryObject("bar", tilt, pantin.SE3.Identity(), "box", [1.0, 0.1, 0.1]))
    shapes.add_collision_pair((0, 1))
    robot = pantin.Configuration(model, model.create_data(), [0.2, 0.0], collision_model=shapes)
    barrier = SelfCollisionBarrier(1, gain=10.0, safe_displacement_gain=0.0, d_min=0.02, n_witnesses=witnesses)
    down = pantin.PostureTask(cost=1.0, gain=0.2)
    ik = pantin.DifferentialIK(model, [down], barriers=[barrier])
    distances = []
    for step in range(250):
        distances.append(barrier.nearest(robot).distance[0])
        down.set_target([-1.0, 0.5 * np.sin(0.3 * step)])
        ik.step(robot, 0.01)
    return np.array(distances)


def tracked(name: str) -> Figure:
    """The page about a scenario that ships."""
    return Scenario.load(name).run().plot()


#: What draws each picture.
PICTURES: dict[str, Callable[[], Figure]] = {
    "collision.png": kept_apart,
    "reach.png": reached,
    "not-reached.png": not_reached,
    "fit.png": fitted,
    "fit-poses.png": lambda: poses(fitted()),
    "fit-cameras.png": lambda: poses(filmed()),
    "fit-gap.png": gap,
    **{f"track-{name.replace('_', '-')}.png": partial(tracked, name) for name in shipped.names()},
}


def save(figure: Figure, path: Path, margin: int = 12) -> None:
    """Write a figure without the white around it, but for a margin in pixels."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    rows, columns = np.nonzero((pixels[..., :3] < 255).any(axis=-1))
    rows, columns = (slice(max(at.min() - margin, 0), at.max() + margin) for at in (rows, columns))
    picture = Image.fromarray(pixels[rows, columns, :3]).quantize(256, dither=Image.Dither.NONE)
    picture.save(path, optimize=True)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        save(draw(), FOLDER / name)
