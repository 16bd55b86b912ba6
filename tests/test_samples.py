"""The sample robots stand where their published parameters put them."""

import importlib.util
import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pytest

import pantin
import pantin.kinematics as kin
from pantin import samples
from pantin.errors import UnknownSample
from pantin.kinematics.algorithms import frames_forward_kinematics
from pantin.kinematics.configurations import neutral
from pantin.kinematics.geometry import GeometryModel
from pantin.kinematics.joints import JT_FREEFLYER
from pantin.kinematics.se3 import SE3
from pantin.kinematics.urdf import build_geom_from_urdf

#: A few roundings of a product of about ten placements of a metre.
ROUNDING = 1e-14
#: Half a digit of the ten that the worked numbers give.
PRINTED = 0.6e-10

PANDA = Path(sysconfig.get_paths()["purelib"]) / (
    "cmeel.prefix/share/example-robot-data/robots/panda_description/urdf/panda.urdf"
)
#: What tools/make_robots.py makes.
MADE = ["dual_arm", "five_bar", "humanoid", "quadruped", "wheeled_biped"]
NAMES = sorted(["arctos", "biped", "panda", "planar_3r", "ur5e", *MADE])
ARMS = [name for name in NAMES if name not in samples.ROOTS]


def placement(model, frame: str, q) -> SE3:
    data = model.create_data()
    frames_forward_kinematics(model, data, np.asarray(q, dtype=float))
    return data.oMf[model.get_frame_id(frame)].copy()


def random_angles(model, count: int = 20) -> np.ndarray:
    rng = np.random.default_rng(7)
    return rng.uniform(model.lower_position_limit, model.upper_position_limit, size=(count, model.nq))


def screw(axis: int, angle: float, length: float) -> np.ndarray:
    """Turn about a coordinate axis and slide along it: the one step that DH tables are made of."""
    i, j = [k for k in range(3) if k != axis]
    sign = -1.0 if axis == 1 else 1.0
    step = np.eye(4)
    step[i, i] = step[j, j] = np.cos(angle)
    step[j, i] = sign * np.sin(angle)
    step[i, j] = -sign * np.sin(angle)
    step[axis, 3] = length
    return step


def test_names_are_sorted_and_complete():
    assert samples.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_file_says_where_its_numbers_come_from(name):
    head = samples.path(name).read_text(encoding="utf-8").split("<robot")[0]
    assert "<!--" in head
    assert "https://" in head or "ours" in head.lower()


def test_unknown_sample_names_the_nearest():
    with pytest.raises(UnknownSample, match="no sample 'pandas'; did you mean 'panda'") as caught:
        samples.path("pandas")
    assert caught.value.nearest == "panda"


@pytest.mark.parametrize("name", NAMES)
def test_samples_load_strictly_and_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pantin.load(name, strict=True)
    assert model.name == name
    assert np.isfinite(model.velocity_limit[-1])


@pytest.mark.parametrize("name", NAMES)
def test_every_joint_of_one_number_has_limits(name):
    model = pantin.load(name)
    hinges = [joint for joint in model.joints[1:] if joint.nq == 1]
    for joint in hinges:
        assert model.lower_position_limit[joint.idx_q] < model.upper_position_limit[joint.idx_q]
        assert np.abs([model.lower_position_limit[joint.idx_q], model.upper_position_limit[joint.idx_q]]).max() < 7.0
        assert 0.0 < model.velocity_limit[joint.idx_v] < 100.0
        assert 0.0 < model.effort_limit[joint.idx_v] < 1000.0


@pytest.mark.parametrize("name", NAMES)
def test_inertias_are_those_of_solid_matter(name):
    for inertia in pantin.load(name).inertias:
        if inertia.mass > 0.0:
            small, middle, large = np.linalg.eigvalsh(inertia.inertia)
            assert small > 0.0
            assert small + middle >= large * (1.0 - 1e-6)  # a thin rod has equality, printed with six digits


@pytest.mark.parametrize("name", NAMES)
def test_every_body_with_mass_is_drawn(name):
    model = pantin.load(name)
    geometry: GeometryModel = build_geom_from_urdf(model, samples.path(name))
    drawn = {shape.parent_joint for shape in geometry.geometry_objects}
    assert {index for index, inertia in enumerate(model.inertias) if inertia.mass > 0.0} <= drawn


def test_arctos_stands_at_the_worked_numbers():
    model = pantin.load("arctos")
    np.testing.assert_allclose(
        placement(model, "flange", np.zeros(6)).translation, [0, -0.323031, 0.5685601], atol=PRINTED
    )
    q0 = np.radians([20, 35, -30, 15, 40, -25])
    flange, tool = placement(model, "flange", q0), placement(model, "bench_tool", q0)
    np.testing.assert_allclose(flange.translation, [0.1653146818, -0.4362312066, 0.5210519307], atol=PRINTED)
    np.testing.assert_allclose(tool.translation, [0.2176162266, -0.5215580366, 0.5872628097], atol=PRINTED)


def test_arctos_shaft_points_along_its_tools_z():
    model = pantin.load("arctos")
    for q in random_angles(model):
        flange, tool = placement(model, "flange", q), placement(model, "bench_tool", q)
        np.testing.assert_allclose(tool.rotation[:, 2], -flange.rotation[:, 1], atol=ROUNDING)
        np.testing.assert_allclose(tool.translation, flange.translation + 0.12 * tool.rotation[:, 2], atol=ROUNDING)


def test_panda_is_its_makers_modified_dh_table():
    alpha, a, d = (
        [0, -np.pi / 2, np.pi / 2, np.pi / 2, -np.pi / 2, np.pi / 2, np.pi / 2],
        [0, 0, 0, 0.0825, -0.0825, 0, 0.088],
        [0.333, 0, 0.316, 0, 0.384, 0, 0],
    )
    model = pantin.load("panda")
    for q in random_angles(model):
        table = np.eye(4)
        for row in range(7):
            table = table @ screw(0, alpha[row], a[row]) @ screw(2, q[row], d[row])
        flange = table @ screw(2, 0.0, 0.107)
        np.testing.assert_allclose(placement(model, "panda_link8", q).homogeneous, flange, atol=ROUNDING)
        hand = flange @ screw(2, -np.pi / 4, 0.1034)
        np.testing.assert_allclose(placement(model, "panda_hand_tcp", q).homogeneous, hand, atol=ROUNDING)


@pytest.mark.skipif(not PANDA.is_file(), reason="example-robot-data is not installed")
def test_panda_weighs_as_another_file_of_the_same_sources():
    theirs, ours = pantin.load(PANDA, mimic=False), pantin.load("panda")
    for index in range(1, 7):  # link 7 carries the hand, whose fingers move there
        for fact in ("mass", "lever", "inertia"):
            np.testing.assert_array_equal(getattr(ours.inertias[index], fact), getattr(theirs.inertias[index], fact))
    for limit in ("lower_position_limit", "upper_position_limit", "velocity_limit", "effort_limit"):
        np.testing.assert_array_equal(getattr(ours, limit), getattr(theirs, limit)[:7])


def test_ur5e_is_its_makers_dh_table():
    a, d = [0, -0.425, -0.3922, 0, 0, 0], [0.1625, 0, 0, 0.1333, 0.0997, 0.0996]
    alpha = [np.pi / 2, 0, 0, np.pi / 2, -np.pi / 2, 0]
    centres = np.array(
        [
            [0, -0.02561, 0.00193],
            [0.2125, 0, 0.11336],
            [0.15, 0, 0.0265],
            [0, -0.0018, 0.01634],
            [0, 0.0018, 0.01634],
            [0, 0, -0.001159],
        ]
    )
    model = pantin.load("ur5e")
    data = model.create_data()
    for q in random_angles(model):
        frames_forward_kinematics(model, data, q)
        table = data.oMf[model.get_frame_id("base")].homogeneous
        for row in range(6):
            table = table @ screw(2, q[row], d[row]) @ screw(0, alpha[row], a[row])
            centre = data.oMi[row + 1].act(model.inertias[row + 1].lever)
            np.testing.assert_allclose(centre, (table @ [*centres[row], 1.0])[:3], atol=ROUNDING)
        np.testing.assert_allclose(data.oMf[model.get_frame_id("tool0")].homogeneous, table, atol=ROUNDING)


def test_ur5e_base_is_turned_half_way_round():
    base = placement(pantin.load("ur5e"), "base", np.zeros(6))
    np.testing.assert_allclose(base.rotation, np.diag([-1, -1, 1]), atol=ROUNDING)


def test_planar_arm_adds_up_its_three_links():
    model = pantin.load("planar_3r")
    for q in random_angles(model):
        bearings = np.cumsum(q)
        tip = placement(model, "tip", q)
        np.testing.assert_allclose(tip.translation[0], np.cos(bearings) @ [1, 1, 0.5], atol=ROUNDING)
        np.testing.assert_allclose(tip.translation[1], np.sin(bearings) @ [1, 1, 0.5], atol=ROUNDING)
        assert tip.translation[2] == 0.0


def test_biped_floats_by_default_and_stands_on_its_soles():
    model = pantin.load("biped")
    assert model.joints[1].jtype == JT_FREEFLYER
    assert (model.nq, model.nv) == (7 + 12, 6 + 12)
    assert pantin.load("biped", root_joint="fixed").nq == 12
    for side, y in (("left", 0.09), ("right", -0.09)):
        np.testing.assert_allclose(
            placement(model, f"{side}_sole", neutral(model)).translation, [0, y, -0.81], atol=ROUNDING
        )
    assert sum(inertia.mass for inertia in model.inertias) == pytest.approx(28.6)


def test_biped_legs_are_mirror_images():
    model = pantin.load("biped", root_joint="fixed")
    mirror = np.diag([1.0, -1.0, 1.0])
    turned_over = np.array([-1, -1, 1, 1, 1, -1])  # yaw and roll change sign in a mirror, pitch does not
    left, right = slice(0, 6), slice(6, 12)
    for q in random_angles(model):
        mirrored = np.concatenate([turned_over * q[right], turned_over * q[left]])
        here, there = placement(model, "left_sole", q), placement(model, "right_sole", mirrored)
        np.testing.assert_allclose(mirror @ here.translation, there.translation, atol=ROUNDING)
        np.testing.assert_allclose(mirror @ here.rotation @ mirror, there.rotation, atol=ROUNDING)
    bounds = np.sort(
        turned_over * np.array([model.lower_position_limit[left], model.upper_position_limit[left]]), axis=0
    )
    np.testing.assert_array_equal(bounds, [model.lower_position_limit[right], model.upper_position_limit[right]])


@pytest.fixture(scope="module")
def script():
    path = Path(__file__).parents[1] / "tools" / "make_robots.py"
    spec = importlib.util.spec_from_file_location("make_robots", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_script_makes_the_robots_that_ship(script):
    made = {build.__name__: script.document(build) for build in script.STORIES}
    assert sorted(made) == MADE
    assert made == {name: samples.path(name).read_text(encoding="utf-8") for name in MADE}


@pytest.mark.parametrize(
    ("name", "frame", "place"),
    [
        ("humanoid", "left_sole", [0, 0.09, -0.81]),
        ("humanoid", "left_hand", [0, 0.2, -0.18]),
        ("quadruped", "left_front_foot", [0.19, 0.14, -0.44]),
        ("wheeled_biped", "left_tire", [0, 0.16, -0.48]),
        ("dual_arm", "left_tool", [0, 0.22, 0.26]),
    ],
)
def test_made_robots_are_mirror_images_of_the_size_they_tell(name, frame, place):
    model = pantin.load(name)
    left, right = (placement(model, frame.replace("left", side), neutral(model)) for side in ("left", "right"))
    np.testing.assert_allclose(left.translation, place, atol=ROUNDING)
    np.testing.assert_allclose(right.translation, np.multiply(place, [1, -1, 1]), atol=ROUNDING)


def test_five_bar_closes_where_its_triangles_do():
    model = pantin.load("five_bar")
    elbow = np.array([0.0, 0.06 + 0.16])  # with the cranks turned outwards
    pin = np.array([np.sqrt(0.22**2 - elbow[1] ** 2), 0.0])
    bearing = np.arctan2(*(pin - elbow)[::-1])
    q = kin.configuration_from_dict(
        model,
        {
            "left_motor": np.pi / 2,
            "left_elbow": bearing - np.pi / 2,
            "right_motor": -np.pi / 2,
            "right_elbow": np.pi / 2 - bearing,
        },
    )
    for frame in ("pin", "right_rod_end"):
        np.testing.assert_allclose(placement(model, frame, q).translation, [*pin, 0.03], atol=1e-9)


@pytest.mark.parametrize("name", ARMS)
def test_pinocchio_reads_the_same_arm(name):
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle here")
    theirs = pin.buildModelFromUrdf(str(samples.path(name)))
    ours = pantin.load(name)
    assert ours.names == list(theirs.names)
    assert [frame.name for frame in ours.frames] == [frame.name for frame in theirs.frames]
