"""Pictures of answers: what is drawn stands where the model has it, and files are whole."""

import sys

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin.reaching.plot import INK, SEED_INK, plot_reach

imread = pytest.importorskip("matplotlib.image").imread

FRAME = "panda_hand_tcp"
TARGET = pantin.SE3(kin.rpy_to_matrix(2.7, 0.25, 0.7), np.array([0.42, -0.32, 0.33]))


@pytest.fixture
def panda():
    return pantin.load("panda")


def lines(figure, color):
    """Ends of the lines of a colour, one array (n, 3) each."""
    return [np.array(line.get_data_3d()).T for line in figure.axes[0].lines if line.get_color() == color]


def places(model, q, frame):
    """The world, each joint, and the frame, by the model's kinematics."""
    data = model.create_data()
    kin.frames_forward_kinematics(model, data, q)
    return np.array(
        [np.zeros(3), *(pose.translation for pose in data.oMi[1:]), data.oMf[model.get_frame_id(frame)].translation]
    )


def test_arm_and_seed_stand_where_the_model_has_them(panda):
    result = pantin.reach(panda, FRAME, TARGET)
    figure = result.plot()
    middle = (panda.lower_position_limit + panda.upper_position_limit) / 2
    for color, q in ((INK, result.q), (SEED_INK, middle)):
        (line,) = lines(figure, color)
        assert np.allclose(line, places(panda, q, FRAME), atol=1e-12)


@pytest.mark.parametrize(("name", "frame"), [("panda", "panda_hand"), ("ur5e", "tool0"), ("biped", "left_sole")])
def test_default_seed_is_the_one_that_the_solver_takes(name, frame):
    model = pantin.load(name)
    result = pantin.reach(model, frame, [0.1, 0.2, 0.3], mode="position")
    (drawn,) = lines(result.plot(), SEED_INK)
    start = pantin.reach(model, frame, drawn[-1], mode="position")
    assert start.seed_distance < 1e-6  # the drawn seed is where the frame is when a solve starts


def test_given_seed_is_drawn(panda):
    seed = kin.random_configuration(panda, random_seed=3)
    result = pantin.reach(panda, FRAME, TARGET, seed)
    (line,) = lines(result.plot(seed=seed), SEED_INK)
    assert np.allclose(line, places(panda, seed, FRAME), atol=1e-12)


def test_a_root_is_the_origin_and_the_way_leads_over_both_legs():
    model = pantin.load("biped")
    target = pantin.SE3(np.eye(3), np.array([0.0, -0.25, 0.05]))
    result = pantin.reach(model, "right_sole", target, root="left_sole")
    (line,) = lines(result.plot(), INK)
    assert np.all(line[0] == 0.0)
    assert np.linalg.norm(line[-1] - target.translation) == pytest.approx(result.position_error, abs=1e-12)
    data = model.create_data()
    kin.frames_forward_kinematics(model, data, result.q)
    names = ["left_ankle_roll", "left_knee", "left_hip_yaw", "right_hip_yaw", "right_knee", "right_ankle_roll"]
    back = data.oMf[model.get_frame_id("left_sole")].inverse()
    for name in names:
        place = (back * data.oMi[model.get_joint_id(name)]).translation
        assert np.abs(line - place).max(axis=1).min() < 1e-12
    assert len(line) == 14  # the soles and six joints a leg


def test_joints_at_limits_are_red(panda):
    result = pantin.reach(panda, "panda_hand", [0.0, 0.0, -0.5], mode="position")
    figure = result.plot()
    white = (1.0, 1.0, 1.0, 1.0)
    dots = [dot for dot in figure.axes[0].collections if len(dot.get_edgecolor())]
    arm = [dot for dot in dots if np.allclose(dot.get_linewidths(), 0.35 * 6.5)]
    assert len(arm) == 7
    red = [i for i, dot in enumerate(arm, 1) if tuple(dot.get_facecolor()[0]) != white]
    assert [panda.names[i] for i in red] == list(result.at_limit)
    words = " ".join(text.get_text() for text in figure.texts)
    assert "not reached (limits)" in words
    assert result.at_limit[0] in words


DOWN = np.diag([1.0, -1.0, -1.0])
QUESTIONS = {
    "pose": lambda place: pantin.SE3(DOWN, place),
    "position": lambda place: place,
    "orientation": lambda place: DOWN,
    "axis": lambda place: pantin.SE3(DOWN, place),
    "direction": lambda place: place,
    "pointing": lambda place: place,
    "rcm": lambda place: place,
}


@pytest.mark.parametrize("mode", QUESTIONS)
@pytest.mark.parametrize("place", [[0.4, 0.1, 0.5], [4.0, 0.0, 0.5]])
def test_every_mode_has_its_picture(panda, mode, place):
    shape = {"pivot": [0.4, 0.1, 0.8]} if mode == "rcm" else {}
    result = pantin.reach(panda, FRAME, QUESTIONS[mode](np.array(place)), mode=mode, **shape)
    figure = result.plot()
    title, errors = (text.get_text() for text in figure.texts)
    assert title.endswith(": reached") == result.success
    assert ("position error" in errors) == (mode in ("pose", "position", "axis", "rcm"))
    assert ("rotation error" in errors) == (mode != "position")
    assert ("pivot" in [text.get_text() for text in figure.axes[0].texts]) == (mode == "rcm")


def test_a_point_aimed_at_is_joined_to_the_frame(panda):
    point = np.array([0.8, 0.5, 0.2])
    result = pantin.reach(panda, FRAME, point, mode="pointing")
    (ends,) = (line for line in lines(result.plot(), INK) if len(line) == 2)
    frame = places(panda, result.q, FRAME)[-1]
    assert np.allclose(ends, [frame, point], atol=1e-12)


def test_file_is_a_picture_and_nothing_else_is_left(panda, tmp_path):
    pantin.reach(panda, FRAME, TARGET).plot(tmp_path / "arm.png")
    assert [path.name for path in tmp_path.iterdir()] == ["arm.png"]
    pixels = imread(tmp_path / "arm.png")
    assert pixels.shape[:2] == (960, 960)
    assert (pixels[..., :3] < 0.5).any()


def test_failing_writer_leaves_the_old_file(panda, tmp_path, monkeypatch):
    from matplotlib.figure import Figure

    def fail(self, place):
        place.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", fail)
    (tmp_path / "arm.png").write_bytes(b"old")
    with pytest.raises(pantin.errors.InvalidArgument, match=r"cannot write .* No space left"):
        pantin.reach(panda, FRAME, TARGET).plot(tmp_path / "arm.png")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("arm.png", b"old")]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [("arm.urdf", "arm.png"), ("arm", "arm.png"), ("no/arm.png", "there is no folder"), (".", "expected a file")],
)
def test_wrong_files_are_refused(panda, tmp_path, path, sentence):
    with pytest.raises(pantin.errors.InvalidArgument, match=sentence):
        pantin.reach(panda, FRAME, TARGET).plot(tmp_path / path)
    assert list(tmp_path.iterdir()) == []


def test_wrong_seed_is_refused(panda):
    with pytest.raises(pantin.errors.InvalidArgument, match="seed"):
        plot_reach(pantin.reach(panda, FRAME, TARGET), seed=[0.0])


def test_missing_matplotlib_is_named(panda, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(pantin.errors.MissingExtra, match=r"pantin\[plot\]"):
        pantin.reach(panda, FRAME, TARGET).plot()
