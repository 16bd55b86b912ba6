"""Pages about fits: what is drawn is what the result says, in its units, and nothing that sticks out is lost."""

import sys
import warnings

import numpy as np
import pytest
from hand_made import hand_made
from hopper import hopper
from random_plans import random_plan
from walker import make_walker

from pantin import samples
from pantin.drawing import ALARM
from pantin.errors import InvalidArgument, MissingExtra, UnknownDof
from pantin.fitting import BodyPlan, Camera, FitStatus, Orientation, Points3D, State, XYView, observe
from pantin.fitting.plot import plot_fit
from pantin.fitting.plot.charts import SHADE
from pantin.fitting.plot.figures import TARGET
from pantin.fitting.plot.limbs import limb_colors
from pantin.fitting.plot.timeline import COLUMNS, Timeline
from pantin.fitting.plot.views import oblique
from pantin.fitting.status import STATUSES

colors = pytest.importorskip("matplotlib.colors")

#: A few roundings of numbers below a thousand.
ROUNDING = 1e-11


def fitted(plan, state, points, sources, **given):
    """The result of a fit that ended in a state."""
    flats = {"points": lambda s, x: x, "xy": lambda s, x: x[..., :2], "camera": lambda s, x: s.project(x)}
    positions = tuple(flats[source.kind](source, points) for source in sources)
    several = len(sources) > 1
    observations = observe(
        plan, np.stack(positions, axis=1) if several else positions[0], source=sources if several else sources[0]
    )
    predicted = plan.keypoints(state)
    residuals = tuple(
        np.linalg.norm(seen - flats[source.kind](source, predicted), axis=-1)
        for source, seen in zip(sources, positions, strict=True)
    )
    wild = np.linalg.norm(points - predicted, axis=-1) > 2.0
    return hand_made(
        plan,
        len(points),
        **{
            "source": sources,
            "root_pos": state.root_pos,
            "root_quat_wxyz": state.root_quat_wxyz,
            "dofs": state.dofs,
            "residuals": residuals,
            "outliers": tuple(wild for _ in sources),
            "observations": observations,
            "scales": np.ones((len(points), len(sources))),
            "status_code": np.zeros(len(points)),
            **given,
        },
    )


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load(samples.body_plan("walker"))


@pytest.fixture(scope="module")
def recorded(plan):
    """The walk, as if a fit had found it a hundredth of a radian off, and what was recorded."""
    walk = make_walker.truth()
    points, _ = make_walker.record(walk)
    dofs = walk.dofs + 0.01 * np.random.default_rng(3).standard_normal(walk.dofs.shape)
    return State(walk.root_pos, walk.root_quat_wxyz, dofs), points


@pytest.fixture(scope="module")
def result(plan, recorded):
    seen = np.ones((300, 42), dtype=bool)
    seen[140:170, 7:14] = False
    status = np.zeros(300)
    status[[7, 8]] = STATUSES.index(FitStatus.MAX_ITERATIONS)
    at_limit = np.zeros((300, 42))
    at_limit[200:210, plan.dof("L1_tibia_pitch")] = 1
    return fitted(plan, *recorded, (Points3D(),), seen=seen, status_code=status, at_limit=at_limit)


@pytest.fixture(scope="module")
def page(result):
    return result.plot(frames=[80, 150, 250])


def words(figure):
    """All that is written outside of axes."""
    return [text.get_text() for text in figure.texts]


def panel(figure, name):
    """The axes of a degree of freedom."""
    (axes,) = [axes for axes in figure.axes if axes.get_title(loc="left").startswith(f"{name} (")]
    return axes


def charts(figure):
    """Misfit over time, its map, and the map's scale."""
    misfit = next(i for i, axes in enumerate(figure.axes) if axes.get_yscale() == "log")
    return figure.axes[misfit : misfit + 3]


def marks(axes, color, marker):
    """Places of the marks of a colour and a shape."""
    lines = [line for line in axes.lines if line.get_color() == color and line.get_marker() == marker]
    return np.concatenate([np.empty((0, 2)), *(line.get_xydata() for line in lines)])


def gaps(axes):
    """Where the stretches begin and end in which nothing shows a degree of freedom."""
    shades = [each for each in axes.collections if colors.to_hex(each.get_facecolor()[0]) == SHADE]
    return [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for each in shades for path in each.get_paths()]


def longest(axes):
    """The points of the line that has the most of them."""
    return max((line.get_xydata() for line in axes.lines), key=len)


def test_headline_tells_how_it_went(result, page):
    title, verdict, facts, *_ = words(page)
    assert title == "six-legged walker"
    assert verdict == "298 of 300 frames solved"
    kept = result.residual[~np.isnan(result.residual) & ~result.outlier]
    assert f"root mean square misfit {np.sqrt(np.mean(kept**2)):.3g} mm" in facts
    assert f"2 of {np.sum(~np.isnan(result.residual))} keypoints set aside" in facts
    assert f"{100 * (1 - 30 * 7 / (300 * 42)):.4g} % of the degrees of freedom seen" in facts


def test_poses_are_those_of_the_plan_on_level_ground(plan, result, page):
    view = oblique(result.keypoints[[80, 150, 250]], "z")
    for axes, frame in zip(page.axes, (80, 150, 250), strict=False):
        (dots,) = axes.collections
        np.testing.assert_allclose(dots.get_offsets(), view.flat(result.keypoints[frame]), atol=ROUNDING)
        bones = [line.get_xydata() for line in axes.lines if line.get_linewidth() == 3.0]
        assert len(bones) == plan.n_joints - 1
        drawn = sorted(bone.ravel().tolist() for bone in bones)
        flat = view.flat(result.keypoints[frame])
        expected = sorted(np.concatenate([flat[plan.parents[i]], flat[i]]).tolist() for i in range(1, plan.n_joints))
        np.testing.assert_allclose(drawn, expected, atol=ROUNDING)


def test_picture_is_upright_and_true_to_scale():
    rng = np.random.default_rng(5)
    for up in ("x", "y", "z", [1.0, 2.0, -0.5]):
        view = oblique(rng.standard_normal((4, 9, 3)), up)
        np.testing.assert_allclose(view.axes @ view.axes.T, np.eye(3), atol=1e-14)  # a few roundings
        assert np.linalg.det(view.axes) == pytest.approx(1.0)
        right, upwards = view.flat(view.up)
        assert right == pytest.approx(0.0, abs=1e-14)
        assert upwards > 0.5
        assert view.depth(view.up) < 0.0


def test_a_body_lies_with_its_long_side_across():
    long_along_y = np.random.default_rng(6).standard_normal((1, 200, 3)) * [1.0, 10.0, 2.0]
    spread = np.ptp(oblique(long_along_y, "z").flat(long_along_y)[0], axis=0)
    assert spread[0] > 2.0 * spread[1]


def test_targets_stand_where_they_were_observed(plan, result, page):
    view = oblique(result.keypoints[[80, 150, 250]], "z")
    for axes, frame in zip(page.axes, (80, 150, 250), strict=False):
        observed = view.flat(result.observations.positions[0][frame])
        there, wild = ~np.isnan(observed[:, 0]), result.outlier[frame]
        np.testing.assert_allclose(marks(axes, TARGET, "+"), observed[there & ~wild], atol=ROUNDING)
        np.testing.assert_allclose(marks(axes, ALARM, "o"), observed[wild], atol=ROUNDING)
    names = [text.get_text() for text in page.axes[0].texts]
    assert "R1_claw" in names
    assert [name for name in names if name in plan.joint_names] == ["R1_claw"]


def test_limbs_that_were_not_observed_are_pale(plan, page):
    def inks(axes):
        lines = [line for line in axes.lines if line.get_linewidth() == 3.0]
        return {colors.to_hex(line.get_color()) for line in lines}

    left_middle = limb_colors(plan)[plan.joint("L2_claw")]
    assert left_middle in inks(page.axes[0])
    assert left_middle not in inks(page.axes[1])
    assert len(inks(page.axes[1])) == 6


def test_each_leg_has_a_colour(plan):
    inks = limb_colors(plan)
    assert len(set(inks)) == 7
    for side in "LR":
        for leg in "123":
            assert len({inks[i] for i, name in enumerate(plan.joint_names) if name.startswith(f"{side}{leg}")}) == 1


def test_map_is_the_misfit_of_each_keypoint(plan, result, page):
    _, chart, scale = charts(page)
    (mesh,) = [each for each in chart.collections if each.get_array() is not None]
    shown = np.ma.filled(mesh.get_array().reshape(plan.n_joints, 300), np.nan)
    np.testing.assert_array_equal(shown, result.residual.T)
    assert [label.get_text() for label in chart.get_yticklabels()] == list(plan.joint_names)
    rings = [line for line in chart.lines if line.get_marker() == "o"]
    frames, joints = np.nonzero(result.outlier)
    np.testing.assert_allclose(rings[0].get_xydata(), np.stack([result.time[frames], joints], axis=1))
    assert scale.get_ylabel() == "misfit (mm)"
    assert chart.get_ylim() == (30.5, -0.5)


def test_misfit_over_time_has_its_letters_and_failures(result, page):
    chart, *_ = charts(page)
    lines = {line.get_label(): line.get_xydata() for line in chart.lines}
    np.testing.assert_allclose(lines["worst keypoint"][:, 1], np.nanmax(result.residual, axis=1))
    mean = np.sqrt(np.nanmean(result.residual**2, axis=1))
    np.testing.assert_allclose(lines["root mean square"], np.stack([result.time, mean], axis=1))
    np.testing.assert_allclose(lines["not solved, 2 frames"][:, 0], result.time[[7, 8]])
    assert [(text.get_text(), text.get_position()[0]) for text in chart.texts] == [("a", 0.8), ("b", 1.5), ("c", 2.5)]


def test_the_worst_frame_is_shown(result):
    worst = int(np.nanargmax(np.nanmean(result.residual**2, axis=1)))
    letters = charts(result.plot())[0].texts
    assert result.time[worst] in [text.get_position()[0] for text in letters]
    assert len(letters) == 3


def test_degrees_of_freedom_are_in_degrees_with_their_bands(plan, result, page):
    axes = panel(page, "L2_tibia_pitch")
    dof = plan.dof("L2_tibia_pitch")
    degrees = np.degrees(result.dofs[:, dof])
    np.testing.assert_allclose(longest(axes), np.stack([result.time, degrees], axis=1), rtol=1e-12)
    (band,) = [each for each in axes.collections if each.get_alpha()]
    corners = band.get_paths()[0].vertices
    spread = 2 * np.degrees(result.dof_std[:, dof])
    for bound in (degrees - spread, degrees + spread):
        at = np.searchsorted(result.time, result.time[20])
        assert np.abs(corners - [result.time[at], bound[at]]).max(axis=1).min() < ROUNDING
    (gap,) = gaps(axes)
    assert gap == pytest.approx((1.395, 1.695))
    bottom, top = axes.get_ylim()
    assert bottom < degrees.min()
    assert degrees.max() < top < 120.0  # where nothing is seen the band runs out of the picture


def test_limits_and_outliers_are_marked(plan, result, page):
    axes = panel(page, "L1_tibia_pitch")
    assert len(marks(axes, ALARM, ".")) == 10
    levels = {round(line.get_ydata()[0], 9) for line in axes.lines if len(set(line.get_ydata())) == 1}
    assert {round(v, 9) for v in np.degrees([0.3, 2.6])} <= levels
    np.testing.assert_allclose(marks(panel(page, "R1_tibia_pitch"), ALARM, "^")[:, 0], [0.8])
    assert len(marks(axes, ALARM, "^")) == 0


def test_those_that_move_the_most_are_shown(plan, result, page):
    moved = np.ma.ptp(np.ma.masked_array(result.dofs, ~result.seen), axis=0)
    shown = [axes.get_title(loc="left").removesuffix(" (deg)") for axes in page.axes if axes.get_title(loc="left")]
    assert shown == [plan.dof_names[dof] for dof in sorted(np.argsort(moved)[-12:])]
    assert "12 of 42 degrees of freedom are shown, those that move the most" in words(page)[-1]


def test_one_asks_for_degrees_of_freedom_by_name(result):
    figure = result.plot(dofs=["R3_coxa_roll", "L1_coxa_yaw"], title="two")
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")] == [
        "R3_coxa_roll (deg)",
        "L1_coxa_yaw (deg)",
    ]
    assert words(figure)[0] == "two"
    assert words(figure)[-1] == "2 of 42 degrees of freedom are shown"


def looking_down_x():
    R = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]])
    return Camera(900.0, 880.0, 640.0, 480.0, R, -R @ [110.0, 35.0, 12.0])


def test_cameras_show_pixels(plan, recorded):
    cv2 = pytest.importorskip("cv2")
    camera = looking_down_x()
    result = fitted(plan, *recorded, (camera, camera))
    figure = result.plot(frames=[10, 20], dofs=["L1_coxa_yaw"])
    matrix = np.array([[900.0, 0.0, 640.0], [0.0, 880.0, 480.0], [0.0, 0.0, 1.0]])
    for axes, frame in zip(figure.axes, (10, 20), strict=False):
        pixels, _ = cv2.projectPoints(result.keypoints[frame], cv2.Rodrigues(camera.R)[0], camera.t, matrix, None)
        np.testing.assert_allclose(axes.collections[0].get_offsets(), pixels[:, 0], atol=1e-9)
        observed = result.observations.positions[0][frame]
        np.testing.assert_allclose(marks(axes, TARGET, "+"), observed[~np.isnan(observed[:, 0])])
        assert axes.yaxis_inverted()
    assert "camera 1 of 2" in [text.get_text() for text in figure.axes[0].texts]
    assert charts(figure)[2].get_ylabel() == "misfit (px)"


def test_view_from_above_shows_x_and_y(plan, recorded):
    result = fitted(plan, *recorded, (XYView(),))
    axes = result.plot(frames=[10], dofs=["L1_coxa_yaw"]).axes[0]
    np.testing.assert_allclose(axes.collections[0].get_offsets(), result.keypoints[10, :, :2], atol=ROUNDING)


def test_a_single_frame_has_bars_and_dots(plan, result):
    figure = plot_fit(result[80])
    (bars,) = [axes for axes in figure.axes if axes.get_xlabel() == "misfit (mm)"]
    lengths = [patch.get_width() for patch in bars.patches]
    np.testing.assert_allclose(lengths, result.residual[80])
    assert [label.get_text() for label in bars.get_yticklabels()] == list(plan.joint_names)
    (red,) = [patch for patch in bars.patches if colors.to_hex(patch.get_facecolor()) == ALARM]
    assert red.get_y() + red.get_height() / 2 == pytest.approx(plan.joint("R1_claw"))
    (dots,) = [axes for axes in figure.axes if axes.get_xlabel() == "deg"]
    values = [line.get_xdata()[0] for line in dots.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(values, np.degrees(result.dofs[80]))
    ranges = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in dots.patches]
    np.testing.assert_allclose(ranges, np.degrees(np.stack([plan.lower, plan.upper], axis=1)))


def test_long_recordings_lose_nothing_that_sticks_out():
    frames = 50_003
    plan = BodyPlan.from_dict(hopper())
    residual = np.full((frames, 6), 0.01)
    residual[31_415, 2] = 7.0
    dofs = np.tile(plan.neutral, (frames, 1))
    dofs[27_182, 1] = 1.4
    seen = np.ones((frames, 4), dtype=bool)
    seen[40_000, 1] = False
    result = hand_made(
        plan, frames, residuals=(residual,), outliers=(residual > 5.0,), dofs=dofs, seen=seen, observations=None
    )
    figure = result.plot()
    misfit, chart, _ = charts(figure)
    (mesh,) = [each for each in chart.collections if each.get_array() is not None]
    assert mesh.get_array().max() == 7.0
    assert mesh.get_array().size <= 6 * COLUMNS
    worst = next(line for line in misfit.lines if line.get_label() == "worst keypoint")
    assert worst.get_ydata().max() == 7.0
    assert worst.get_xdata()[np.argmax(worst.get_ydata())] == pytest.approx(314.15, abs=0.5)
    axes = panel(figure, "hip_pitch")
    assert axes.get_ylim()[1] > np.degrees(1.4)
    envelope = np.concatenate([path.vertices for each in axes.collections for path in each.get_paths()])
    assert envelope[:, 1].max() == pytest.approx(np.degrees(1.4))
    assert len(gaps(axes)) == 1
    assert "each column holds the extremes of 42 frames" in words(figure)[-1]


def test_columns_hold_every_frame_once():
    plan = BodyPlan.from_dict(hopper())
    for frames in (2, 7, 1200, 1201, 5000):
        result = hand_made(plan, frames)
        time = Timeline(result)
        assert len(time.starts) <= COLUMNS
        assert np.all(np.diff(time.edges) > 0.0)
        assert time.any(np.arange(frames) == frames - 1).sum() == 1
        np.testing.assert_allclose(time.largest(result.dofs).max(axis=0), result.dofs.max(axis=0))
        np.testing.assert_allclose(time.smallest(result.dofs).min(axis=0), result.dofs.min(axis=0))
        weights = np.diff(np.append(time.starts, frames))
        np.testing.assert_allclose(weights @ time.mean(result.dofs) / frames, result.dofs.mean(axis=0), atol=1e-12)


def test_slides_are_in_the_unit_of_the_plan():
    plan = BodyPlan.from_dict(hopper())
    figure = hand_made(plan, 20).plot()
    assert [axes.get_title(loc="left") for axes in figure.axes if axes.get_title(loc="left")] == [
        "hip_yaw (deg)",
        "hip_pitch (deg)",
        "knee (deg)",
        "mast (m)",
    ]
    assert [axes.get_xlabel() for axes in hand_made(plan, None).plot().axes[-2:]] == ["deg", "m"]


def test_without_times_frames_are_numbered():
    figure = hand_made(BodyPlan.from_dict(hopper()), 20, time=None).plot(frames=[10])
    assert charts(figure)[1].get_xlabel() == "frame"
    assert "frame 10, " in " ".join(text.get_text() for axes in figure.axes for text in axes.texts)


def test_gaps_of_nothing_known_leave_the_rest_standing():
    plan = BodyPlan.from_dict(hopper())
    dofs = np.tile(plan.neutral, (20, 1))
    dofs[5:10, 2] = np.nan
    residual = np.full((20, 6), 0.1)
    residual[5:10] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = hand_made(plan, 20, dofs=dofs, residuals=(residual,), outliers=(residual > 1.0,)).plot(frames=[7])
    assert np.isnan(longest(panel(figure, "knee"))[5:10, 1]).all()
    assert any("nothing observed" in text.get_text() for text in figure.axes[0].texts)


@pytest.mark.parametrize("frames", [None, 1, 3])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_any_plan_has_its_page(seed, frames, tmp_path):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, joints=(1, 2, 50)[seed]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hand_made(plan, frames, seed=seed, missing=(1.0, 0.1, 0.1)[seed]).plot(tmp_path / "page.png")
    assert [path.name for path in tmp_path.iterdir()] == ["page.png"]


def test_a_fit_without_misfit_has_a_plain_scale():
    residual = np.zeros((20, 6))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = hand_made(
            BodyPlan.from_dict(hopper()), 20, residuals=(residual,), outliers=(residual > 0.0,), cost=np.zeros(20)
        ).plot()
    assert {axes.get_yscale() for axes in figure.axes} == {"linear"}


def test_orientations_alone_have_their_names_and_unit():
    plan = BodyPlan.from_dict(hopper())
    residual = np.full((20, 2), 0.1)
    source = (Orientation(("knee", "trunk")),)
    figure = hand_made(plan, 20, source=source, residuals=(residual,), outliers=(residual > 1.0,)).plot()
    _, chart, scale = charts(figure)
    assert [label.get_text() for label in chart.get_yticklabels()] == ["knee", "trunk"]
    assert scale.get_ylabel() == "misfit (rad)"


def test_a_fit_of_no_frames_is_refused():
    with pytest.raises(InvalidArgument, match="at least one frame"):
        hand_made(BodyPlan.from_dict(hopper()), 5)[:0].plot()


@pytest.mark.parametrize(
    ("given", "error", "sentence"),
    [
        ({"frames": [300]}, InvalidArgument, "frames: expected one to three numbers from 0 to 299"),
        ({"frames": []}, InvalidArgument, "frames"),
        ({"frames": [1, 2, 3, 4]}, InvalidArgument, "frames"),
        ({"dofs": ["L1_coxa_jaw"]}, UnknownDof, "L1_coxa_yaw"),
        ({"up": "w"}, InvalidArgument, "up: expected 'x', 'y', 'z' or a direction"),
        ({"up": [0.0, 0.0, 0.0]}, InvalidArgument, "up"),
        ({"path": "page.doc"}, InvalidArgument, r"page\.png"),
        ({"path": "no/page.png"}, InvalidArgument, "there is no folder"),
    ],
)
def test_wrong_questions_are_one_sentence(result, given, error, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=sentence):
        result.plot(**given)
    assert list(tmp_path.iterdir()) == []


def test_missing_matplotlib_is_told_of(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pantin\[plot\]"):
        result.plot()
