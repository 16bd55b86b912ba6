"""Configurations: steps and differences undo each other over every wrap, names come and go, limits hold."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin.kinematics as pt
from models import KINDS, SINGLE, arm, configuration, every_kind, mimic_tree, random_tree, velocity
from pantin.errors import InvalidArgument, UnknownJoint
from pantin.kinematics import SE3, JointModelMimic, JointModelRX, Model

#: A few roundings of numbers of order one.
ROUNDING = 1e-14

MODELS = {
    **{kind: lambda kind=kind: random_tree([kind, "RX"], 3) for kind in KINDS},
    "every kind": every_kind,
    "mimics": mimic_tree,
    "empty": Model,
}


@functools.cache
def made(name):
    """One of the models; tests leave it as it is."""
    return MODELS[name]()


@pytest.fixture(params=MODELS)
def model(request):
    return made(request.param)


def unit_parts(model, q):
    """The quaternions and (cos, sin) pairs of a configuration."""
    bounded = model.has_configuration_limit()
    for joint in model.joints[1:]:
        own = slice(joint.idx_q, joint.idx_q + joint.nq)
        if joint.nq and not bounded[own].all():
            yield q[own][~bounded[own]]


# -- steps and differences -------------------------------------------------------------------------------------


def test_a_step_and_the_difference_undo_each_other(model):
    for seed in range(10):
        q0, q1 = configuration(model, seed), configuration(model, seed + 100)
        v = pt.difference(model, q0, q1)
        again = pt.integrate(model, q0, v)
        assert pt.is_same_configuration(model, again, q1, 1e-13)
        # turns stay within half a turn
        w = 0.9 * np.pi * velocity(model, seed) / (1e-3 + np.abs(velocity(model, seed)).max(initial=0.0)) / np.sqrt(3)
        reached = pt.integrate(model, q0, w)
        np.testing.assert_allclose(pt.difference(model, q0, reached), w, atol=1e-13)


def test_nothing_is_the_neutral_step(model):
    for seed in range(3):
        q = configuration(model, seed)
        np.testing.assert_allclose(pt.integrate(model, q, np.zeros(model.nv)), q, atol=ROUNDING)
        np.testing.assert_allclose(pt.difference(model, q, q), np.zeros(model.nv), atol=ROUNDING)


def test_steps_along_one_direction_add(model):
    for seed in range(5):
        q, v = configuration(model, seed), velocity(model, seed)
        two = pt.integrate(model, pt.integrate(model, q, 0.3 * v), 0.7 * v)
        assert pt.is_same_configuration(model, two, pt.integrate(model, q, v), 1e-13)


def test_steps_keep_rotations_unit(model):
    q = configuration(model, 0)
    for seed in range(200):
        q = pt.integrate(model, q, 10.0 * velocity(model, seed))
    for part in unit_parts(model, q):
        np.testing.assert_allclose(np.linalg.norm(part), 1.0, rtol=4e-16)


def test_a_difference_taken_backwards_is_opposite(model):
    q0, q1 = configuration(model, 1), configuration(model, 2)
    np.testing.assert_allclose(pt.difference(model, q0, q1), -pt.difference(model, q1, q0), atol=1e-13)


@given(st.floats(-3.14, 3.14), st.floats(-100.0, 100.0))
def test_continuous_joints_wrap_around(angle, turns):
    model = random_tree(["RUBZ"], 0)
    start = pt.configuration_from_dict(model, {"RUBZ_0": angle})
    reached = pt.integrate(model, start, [turns])
    expected = np.arctan2(np.sin(angle + turns), np.cos(angle + turns))
    found = pt.configuration_to_dict(model, reached)["RUBZ_0"]
    np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * expected), atol=1e-13)  # roundings of 100
    step = pt.difference(model, start, reached)[0]
    assert -np.pi <= step <= np.pi
    np.testing.assert_allclose(np.exp(1j * step), np.exp(1j * turns), atol=1e-13)


@pytest.mark.parametrize("kind", ["RUBX", "planar", "ball", "free"])
@pytest.mark.parametrize("gap", [0.0, 1e-12, 1e-9, 1e-6, 1e-3])
def test_differences_are_right_next_to_half_a_turn(kind, gap):
    model = random_tree([kind], 0)
    joint = model.joints[1]
    for seed in range(5):
        q = configuration(model, seed)
        v = velocity(model, seed)
        turn = slice(joint.nv - (1 if kind in ("RUBX", "planar") else 3), joint.nv)
        v[turn] *= (np.pi - gap) / np.linalg.norm(v[turn])
        reached = pt.integrate(model, q, v)
        found = pt.difference(model, q, reached)
        if gap < 1e-11:  # the opposite turn is as short, to the roundings of a quaternion
            np.testing.assert_allclose(np.linalg.norm(found[turn]), np.pi, atol=1e-11)
            assert pt.is_same_configuration(model, pt.integrate(model, q, found), reached, 1e-13)
        else:
            np.testing.assert_allclose(found, v, atol=1e-14 * max(1.0, np.abs(v).max()))


def test_quaternions_do_not_jump_along_a_path():
    # of two quaternions the nearer one is taken, also for steps beyond half a turn
    for kind in ("ball", "free"):
        model = random_tree([kind], 0)
        q, v = configuration(model, 0), velocity(model, 0)
        for step in np.linspace(0.0, 6.2, 50):
            reached = pt.integrate(model, q, step * v / np.linalg.norm(v[-3:]))
            assert reached[-4:] @ q[-4:] >= -ROUNDING


def test_a_quaternion_and_its_negative_are_the_same():
    for kind in ("ball", "free"):
        model = random_tree([kind], 0)
        q0, q1 = configuration(model, 0), configuration(model, 1)
        other = q1.copy()
        other[-4:] *= -1.0
        np.testing.assert_allclose(pt.difference(model, q0, other), pt.difference(model, q0, q1), atol=1e-14)
        assert pt.is_same_configuration(model, q1, other)


# -- between configurations ----------------------------------------------------------------------------------------


def test_interpolation_starts_ends_and_goes_straight(model):
    q0, q1 = configuration(model, 3), configuration(model, 4)
    assert pt.is_same_configuration(model, pt.interpolate(model, q0, q1, 0.0), q0, 1e-13)
    assert pt.is_same_configuration(model, pt.interpolate(model, q0, q1, 1.0), q1, 1e-13)
    middle = pt.interpolate(model, q0, q1, 0.5)
    np.testing.assert_allclose(pt.difference(model, q0, middle), pt.difference(model, q0, q1) / 2.0, atol=1e-13)
    beyond = pt.interpolate(model, q0, q0, 3.0)
    assert pt.is_same_configuration(model, beyond, q0, 1e-13)
    for wrong in (np.nan, None, "half", [0.1, 0.2]):
        with pytest.raises(InvalidArgument, match=r"^u: "):
            pt.interpolate(model, q0, q1, wrong)


def test_distances_are_lengths_of_differences(model):
    q0, q1 = configuration(model, 5), configuration(model, 6)
    v = pt.difference(model, q0, q1)
    assert pt.distance(model, q0, q1) == pytest.approx(np.linalg.norm(v))
    assert type(pt.distance(model, q0, q1)) is float
    squares = pt.squared_distance(model, q0, q1)
    own = [joint for joint in model.joints[1:] if joint.mimic is None]
    assert squares.shape == (len(own),)
    for square, joint in zip(squares, own, strict=True):
        np.testing.assert_allclose(square, (v[joint.idx_v : joint.idx_v + joint.nv] ** 2).sum(), rtol=1e-14)


def test_same_configurations_are_within_the_given_precision():
    model = arm()
    q = configuration(model, 0)
    moved = q.copy()
    moved[3] += 1e-6
    assert pt.is_same_configuration(model, q, q)
    assert not pt.is_same_configuration(model, q, moved)
    assert pt.is_same_configuration(model, q, moved, 1e-5)
    assert pt.is_same_configuration(model, q, q, 0)
    for wrong in (-1.0, np.nan, None, "x"):
        with pytest.raises(InvalidArgument, match=r"^prec: "):
            pt.is_same_configuration(model, q, q, wrong)


# -- neutral, random, normalised -------------------------------------------------------------------------------


def test_the_neutral_configuration_is_at_rest(model):
    q = pt.neutral(model)
    assert q.shape == (model.nq,)
    data = model.create_data()
    pt.forward_kinematics(model, data, q)
    for index in range(1, model.njoints):
        joint = model.joints[index]
        if joint.mimic is None or joint.mimic.offset == 0.0:
            expected = data.oMi[model.parents[index]] * model.joint_placements[index]
            np.testing.assert_allclose(data.oMi[index].homogeneous, expected.homogeneous, atol=ROUNDING)
    q[:] = 7.0
    assert (pt.neutral(model) != 7.0).all()


def test_random_configurations_are_within_limits(model):
    bounded = model.has_configuration_limit()
    for seed in range(20):
        q = pt.random_configuration(model, seed)
        assert (q >= model.lower_position_limit)[bounded].all()
        assert (q <= model.upper_position_limit)[bounded].all()
        for part in unit_parts(model, q):
            np.testing.assert_allclose(np.linalg.norm(part), 1.0, rtol=4e-16)


def test_random_configurations_repeat_with_their_seed():
    model = every_kind()
    np.testing.assert_array_equal(pt.random_configuration(model, 5), pt.random_configuration(model, 5))
    assert (pt.random_configuration(model, 5) != pt.random_configuration(model, 6)).any()
    assert (pt.random_configuration(model) != pt.random_configuration(model)).any()
    generator = np.random.default_rng(5)
    np.testing.assert_array_equal(pt.random_configuration(model, generator), pt.random_configuration(model, 5))
    assert (pt.random_configuration(model, generator) != pt.random_configuration(model, 5)).any()
    for wrong in ("seed", -1, 1.5, object()):
        with pytest.raises(InvalidArgument, match=r"^random_seed: "):
            pt.random_configuration(model, wrong)


@pytest.mark.parametrize(
    ("low", "high", "least", "most"),
    [
        (-np.inf, np.inf, -np.pi, np.pi),
        (-1e20, 1e20, -np.pi, np.pi),
        (1.0, np.inf, 1.0, 1.0 + 2 * np.pi),
        (-np.inf, 1.0, 1.0 - 2 * np.pi, 1.0),
        (-100.0, 100.0, -100.0, 100.0),
        (0.5, 0.5, 0.5, 0.5),
    ],
)
def test_random_angles_without_limits_stay_in_a_turn(low, high, least, most):
    model = Model()
    model.add_joint(0, JointModelRX(), SE3.Identity(), "j", min_config=[low], max_config=[high])
    values = [pt.random_configuration(model, seed)[0] for seed in range(200)]
    assert least <= min(values)
    assert max(values) <= most
    assert max(values) - min(values) >= 0.9 * (most - least)


def test_random_rotations_are_uniform():
    # the mean of a uniform rotation is zero, to 1 / sqrt(2000) of chance
    model = random_tree(["ball"], 0)
    data = model.create_data()
    total = np.zeros((3, 3))
    for seed in range(2000):
        pt.forward_kinematics(model, data, pt.random_configuration(model, seed))
        total += data.oMi[1].rotation
    assert np.abs(total / 2000).max() < 0.06


def test_normalised_configurations_can_be_used(model):
    q = configuration(model, 7)
    scaled = q.copy()
    for joint in model.joints[1:]:
        bounded = pt.joint_has_configuration_limit(joint.jtype)
        if joint.mimic is None and not all(bounded):
            scaled[joint.idx_q + sum(bounded) : joint.idx_q + joint.nq] *= 3.7
    np.testing.assert_allclose(pt.normalize(model, scaled), q, atol=ROUNDING)
    np.testing.assert_allclose(pt.normalize(model, q), q, atol=ROUNDING)


@pytest.mark.parametrize("kind", ["RUBX", "ball", "planar", "free"])
def test_zero_rotations_are_refused_by_the_name_of_the_joint(kind):
    model = random_tree([kind], 0)
    with pytest.raises(InvalidArgument, match=f"joint '{kind}_0'"):
        pt.normalize(model, np.zeros(model.nq))


@pytest.mark.parametrize("kind", ["RUBX", "ball", "planar", "free"])
def test_rotations_may_be_off_by_a_thousandth(kind):
    model = random_tree([kind], 0)
    q = configuration(model, 0)
    data, other = model.create_data(), model.create_data()
    pt.forward_kinematics(model, data, q)
    rotation = slice(model.nq - (4 if kind in ("ball", "free") else 2), model.nq)
    near = q.copy()
    near[rotation] *= 1.0009
    # what is taken is scaled: a rotation stays one
    pt.forward_kinematics(model, other, near)
    np.testing.assert_allclose(other.oMi[1].homogeneous, data.oMi[1].homogeneous, atol=1e-14)
    np.testing.assert_allclose(pt.difference(model, near, q), np.zeros(model.nv), atol=1e-14)
    np.testing.assert_allclose(pt.difference(model, q, near), np.zeros(model.nv), atol=1e-14)
    stepped = pt.integrate(model, near, np.zeros(model.nv))
    np.testing.assert_allclose(np.linalg.norm(stepped[rotation]), 1.0, rtol=4e-16)
    far = q.copy()
    far[rotation] *= 1.002
    for call in (
        lambda: pt.forward_kinematics(model, data, far),
        lambda: pt.integrate(model, far, np.zeros(model.nv)),
        lambda: pt.difference(model, far, q),
        lambda: pt.difference(model, q, far),
        lambda: pt.d_difference(model, far, q),
        lambda: pt.d_difference(model, q, far),
    ):
        with pytest.raises(InvalidArgument, match="normalize"):
            call()


# -- limits -------------------------------------------------------------------------------------------------------


def test_clamped_configurations_are_within_limits(model):
    bounded = model.has_configuration_limit()
    q = configuration(model, 8)
    np.testing.assert_array_equal(pt.clamp(model, q), q)
    far = q + 100.0
    inside = pt.clamp(model, far)
    np.testing.assert_array_equal(inside[bounded], np.minimum(far, model.upper_position_limit)[bounded])
    np.testing.assert_array_equal(inside[~bounded], far[~bounded])
    np.testing.assert_array_equal(pt.clamp(model, inside), inside)


# -- names --------------------------------------------------------------------------------------------------------


def test_configurations_go_to_names_and_back(model):
    for seed in range(5):
        q = configuration(model, seed)
        values = pt.configuration_to_dict(model, q)
        assert list(values) == [
            name for name, joint in zip(model.names[1:], model.joints[1:], strict=True) if joint.mimic is None
        ]
        np.testing.assert_allclose(pt.configuration_from_dict(model, values), q, atol=ROUNDING)
        if all(name.isidentifier() for name in values):
            np.testing.assert_allclose(pt.custom_configuration(model, **values), q, atol=ROUNDING)


@pytest.mark.parametrize("kind", SINGLE)
def test_joints_of_one_number_take_an_angle_or_length(kind):
    model = random_tree([kind], 0)
    name = f"{kind}_0"
    for value in (0.4, [0.4], np.float32(0.5), 1):
        q = pt.configuration_from_dict(model, {name: value})
        np.testing.assert_allclose(pt.configuration_to_dict(model, q)[name], np.ravel(value)[0], rtol=1e-7)
        assert type(pt.configuration_to_dict(model, q)[name]) is float


def test_joints_that_are_not_named_are_at_rest():
    model = every_kind()
    q = pt.configuration_from_dict(model, {"PX_6": 0.25})
    expected = pt.neutral(model)
    expected[model.joints[model.get_joint_id("PX_6")].idx_q] = 0.25
    np.testing.assert_array_equal(q, expected)
    np.testing.assert_array_equal(pt.configuration_from_dict(model, {}), pt.neutral(model))


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"nobody": 1.0}, UnknownJoint, "nobody"),
        ({3: 1.0}, UnknownJoint, "3"),
        ({"universe": 1.0}, InvalidArgument, "universe"),
        ({"RX_1": [1.0, 2.0]}, InvalidArgument, "^RX_1: expected 1 numbers"),
        ({"RX_1": np.nan}, InvalidArgument, "^RX_1: "),
        ({"RX_1": None}, InvalidArgument, "^RX_1: "),
        ({"RX_1": "0.3"}, InvalidArgument, "^RX_1: "),
        ({"RX_1": True}, InvalidArgument, "^RX_1: "),
        ({"free_0": [1.0, 2.0, 3.0]}, InvalidArgument, "^free_0: expected 7 numbers"),
        (3, InvalidArgument, "mapping"),
        (None, InvalidArgument, "mapping"),
        ([("RX_1", 0.3)], InvalidArgument, "mapping"),
    ],
)
def test_wrong_names_and_values_are_refused(values, error, message):
    with pytest.raises(error, match=message):
        pt.configuration_from_dict(every_kind(), values)


def test_followers_have_no_value_of_their_own():
    model = random_tree(["RX"], 0)
    model.add_joint(1, JointModelMimic(JointModelRX(), "RX_0"), SE3.Identity(), "follower")
    with pytest.raises(InvalidArgument, match=r"follower: this joint follows 'RX_0'"):
        pt.configuration_from_dict(model, {"follower": 0.3})
    assert list(pt.configuration_to_dict(model, [0.3])) == ["RX_0"]


# -- the door -----------------------------------------------------------------------------------------------------

CALLS = {
    "integrate q": lambda m, x: pt.integrate(m, x, np.zeros(m.nv)),
    "integrate v": lambda m, x: pt.integrate(m, pt.neutral(m), x),
    "difference q0": lambda m, x: pt.difference(m, x, pt.neutral(m)),
    "difference q1": lambda m, x: pt.difference(m, pt.neutral(m), x),
    "distance q0": lambda m, x: pt.distance(m, x, pt.neutral(m)),
    "squared_distance q1": lambda m, x: pt.squared_distance(m, pt.neutral(m), x),
    "interpolate q0": lambda m, x: pt.interpolate(m, x, pt.neutral(m), 0.5),
    "is_same_configuration q1": lambda m, x: pt.is_same_configuration(m, pt.neutral(m), x),
    "normalize q": pt.normalize,
    "clamp q": pt.clamp,
    "configuration_to_dict q": pt.configuration_to_dict,
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize(
    "wrong",
    [np.zeros(6), np.zeros((2, 7)), 0.0, None, "1234567", [np.nan] * 7, [1j] * 7, [True] * 7, np.zeros(7, object)],
)
def test_what_is_not_a_vector_of_the_model_is_refused_by_name(name, wrong):
    with pytest.raises(InvalidArgument, match=f"^{name.split()[1]}: "):
        CALLS[name](arm(), wrong)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_not_a_model_is_a_type_error(name):
    with pytest.raises((TypeError, AttributeError)):
        CALLS[name](None, np.zeros(7))


@pytest.mark.parametrize("call", [pt.neutral, pt.random_configuration, lambda m: pt.configuration_from_dict(m, {})])
def test_what_is_not_a_model_has_no_configuration(call):
    for wrong in (None, 3, arm().create_data()):
        with pytest.raises(TypeError, match="model"):
            call(wrong)
