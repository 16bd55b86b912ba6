"""Where a robot is: placements belong to q, what was kept of q stays, and doors refuse what does not fit."""

from __future__ import annotations

import contextlib
import copy
import gc
import logging
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin
import pantin.kinematics as pt
from models import KINDS, configuration, every_kind, mimic_tree, random_tree, velocity
from oracle import to_pinker
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument, StaleData, UnknownFrame
from pantin.exceptions import FrameNotFound, NotWithinConfigurationLimits
from pantin.limits import VelocityLimit

pk = pytest.importorskip("pinker.kinematics")
pinker = pytest.importorskip("pinker")

#: All kinds that Pinker has, below a free root.
PINKER_KINDS = ["free", *(kind for kind in KINDS if not kind.startswith("H"))]

#: Roundings of products along a chain of twenty joints.
TOLERANCE = 1e-12

DUPLICATES = {
    "copy": Configuration.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda here: pickle.loads(pickle.dumps(here)),
}


def twins(seed=0):
    """One place in both packages."""
    model = random_tree(PINKER_KINDS, seed)
    q = configuration(model, seed)
    theirs = to_pinker(model)
    return place(model, q), pinker.Configuration(theirs, theirs.create_data(), q)


def place(model, q, **options):
    return Configuration(model, model.create_data(), q, **options)


def names(model):
    return [frame.name for frame in model.frames[1:]]


def assert_same_place(ours, theirs):
    np.testing.assert_allclose(ours.q, theirs.q, atol=TOLERANCE)
    for name in names(ours.model):
        np.testing.assert_allclose(
            ours.get_transform_frame_to_world(name).homogeneous,
            theirs.get_transform_frame_to_world(name).homogeneous,
            atol=TOLERANCE * 10,
        )
        np.testing.assert_allclose(ours.get_frame_jacobian(name), theirs.get_frame_jacobian(name), atol=TOLERANCE * 10)


def test_placements_and_jacobians_are_pinkers():
    ours, theirs = twins()
    assert_same_place(ours, theirs)
    ours.update(configuration(ours.model, 5))
    theirs.update(configuration(ours.model, 5))
    assert_same_place(ours, theirs)
    one, other = names(ours.model)[3], names(ours.model)[-1]
    np.testing.assert_allclose(
        ours.get_transform(one, other).homogeneous, theirs.get_transform(one, other).homogeneous, atol=TOLERANCE * 10
    )


def test_motions_are_pinkers():
    ours, theirs = twins(1)
    v = velocity(ours.model, 2)
    assert_same_place(ours.integrate(v, 0.1), theirs.integrate(v, 0.1))
    for _ in range(5):
        ours.integrate_inplace(v, 0.01)
        theirs.integrate_inplace(v, 0.01)
    assert_same_place(ours, theirs)


def test_data_follows_q():
    model = every_kind()
    here = place(model, configuration(model, 0))
    for seed in range(3):
        q = configuration(model, seed)
        here.update(q)
        data = model.create_data()
        pt.compute_joint_jacobians(model, data, q)
        pt.update_frame_placements(model, data)
        np.testing.assert_array_equal(here.data.J, data.J)
        np.testing.assert_array_equal([pose.homogeneous for pose in here.data.oMf], [p.homogeneous for p in data.oMf])


def test_a_mimic_joint_moves_with_its_master():
    model = mimic_tree()
    here = place(model, configuration(model, 0))
    v, step = velocity(model, 1), 1e-6
    for name in names(model)[::3]:
        before, after = (here.integrate(v, h).get_transform_frame_to_world(name) for h in (-step, step))
        # central difference on the manifold: second order in the step, roundings of order 1e-10
        rate = pt.log6(before.act_inv(after)).vector / (2 * step)
        np.testing.assert_allclose(here.get_frame_jacobian(name) @ v, rate, atol=1e-7)


def test_what_was_kept_of_q_stays_as_it_was():
    model = every_kind()
    given_q = configuration(model, 0)
    here = place(model, given_q)
    kept, copied = [here.q], [here.q.copy()]
    given_q[:] = 0.0
    for seed in range(1, 4):
        here.integrate_inplace(velocity(model, seed), 0.1)
        kept.append(here.q)
        copied.append(here.q.copy())
    np.testing.assert_array_equal(kept, copied)
    with pytest.raises(ValueError, match="read-only"):
        here.q[0] = 1.0
    with pytest.raises(AttributeError):
        here.q = given_q


@pytest.mark.parametrize("duplicate", DUPLICATES.values(), ids=DUPLICATES)
def test_a_copy_is_at_the_same_place_and_goes_its_own_way(duplicate):
    model = every_kind()
    shapes = pt.GeometryModel()
    here = place(model, configuration(model, 0), default_limits=[], collision_model=shapes)
    here.note = "kept"
    there = duplicate(here)
    assert type(there) is Configuration
    np.testing.assert_array_equal(there.q, here.q)
    np.testing.assert_array_equal(there.data.J, here.data.J)
    assert there.note == "kept"
    assert isinstance(there.collision_model, pt.GeometryModel)
    assert there.default_limits == []
    before = here.get_transform_frame_to_world(names(model)[-1])
    there.update(configuration(model, 9))
    there.data.J  # noqa: B018  # places the copy
    assert here.get_transform_frame_to_world(names(model)[-1]).is_approx(before)
    there.default_limits.append(None)
    assert here.default_limits == []


def test_a_class_of_ones_own_survives_its_copies():
    model = every_kind()
    here = Mine(model)
    for duplicate in DUPLICATES.values():
        there = duplicate(here)
        assert type(there) is Mine
        assert there.steps == 3
    assert type(here.integrate(velocity(model, 0), 0.1)) is Mine


class Mine(Configuration):
    """Another constructor, and an attribute."""

    def __init__(self, model):
        super().__init__(model, model.create_data(), pt.neutral(model), default_limits=[])
        self.steps = 3


def test_limits_are_those_of_the_model_unless_others_are_given():
    model = every_kind()
    here = place(model, configuration(model, 0))
    assert [type(limit).__name__ for limit in here.default_limits] == ["ConfigurationLimit", "VelocityLimit"]
    own = VelocityLimit(model)
    there = place(model, here.q, default_limits=(own,))
    assert there.default_limits == there.integrate(velocity(model, 0), 0.1).default_limits == [own]
    assert place(model, here.q, default_limits=[]).default_limits == []
    for duplicate in (copy.deepcopy, DUPLICATES["pickle"]):
        apart = duplicate(here)
        assert apart.model is not model
        assert {limit.model for limit in apart.default_limits} == {apart.model}


def test_data_that_is_not_copied_is_brought_up_to_date_at_once():
    model = every_kind()
    data = model.create_data()
    here = Configuration(model, data, configuration(model, 0), copy_data=False)
    for seed in (1, 2):
        here.update(configuration(model, seed))
        own = place(model, here.q)
        np.testing.assert_array_equal(data.J, own.data.J)
        assert here.data is data
    apart = Configuration(model, data, configuration(model, 3))
    assert apart.data is not data
    np.testing.assert_array_equal(data.J, own.data.J)


def test_data_that_is_placed_is_trusted_where_one_says_so():
    model = every_kind()
    q, elsewhere = configuration(model, 0), configuration(model, 1)
    data = place(model, elsewhere).data
    trusting = Configuration(model, data, q, forward_kinematics=False)
    np.testing.assert_array_equal(trusting.data.J, data.J)
    trusting.update()
    np.testing.assert_array_equal(trusting.data.J, place(model, q).data.J)


def test_an_update_without_q_mends_data_that_was_used_for_something_else():
    model = every_kind()
    here = place(model, configuration(model, 0))
    wanted = here.data.J.copy()
    pt.compute_joint_jacobians(model, here.data, configuration(model, 1))
    here.update()
    np.testing.assert_array_equal(here.data.J, wanted)


@pytest.mark.parametrize("safe", [True, False])
@pytest.mark.parametrize("tol", [1e-6, 0.0, 0.3])
def test_limits_are_checked_as_pinker_does(tol, safe, caplog):
    ours, theirs = twins(3)
    random = np.random.default_rng(0)
    told = 0
    for _ in range(20):
        q = pt.normalize(ours.model, ours.q + 2.0 * (random.random(ours.model.nq) < 0.05))
        ours.update(q)
        theirs.update(q)
        mine, their = answer(ours, tol, safe, caplog), answer(theirs, tol, safe, caplog)
        assert mine == their
        told += len(mine)
    assert told > 3, "no entry was outside: the test says nothing"


def answer(here, tol, safe, caplog):
    """Entries that are told to be outside, with their facts where they come by an error."""
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        try:
            here.check_limits(tol=tol, safety_break=safe)
        except (NotWithinConfigurationLimits, pinker.exceptions.NotWithinConfigurationLimits) as error:
            return [(error.joint, error.value, error.lower, error.upper)]
    return [record.levelname for record in caplog.records]


def test_what_is_outside_is_named():
    model = pantin.load("panda")
    q = pt.neutral(model)
    q[3] = 2.0
    with pytest.raises(NotWithinConfigurationLimits, match=r"q\[3\] of joint 'panda_joint4' is 2, outside its limits"):
        place(model, q).check_limits()
    with pytest.raises(InvalidArgument, match="tol"):
        place(model, q).check_limits(tol=np.nan)


def test_limits_that_leave_no_room_and_the_root_count_as_none():
    model = pt.Model()
    model.add_joint(0, pt.JointModelFreeFlyer(), pt.SE3.Identity(), "root_joint")
    model.add_joint(1, pt.JointModelRX(), pt.SE3.Identity(), "held")
    model.lower_position_limit[:], model.upper_position_limit[:] = -0.1, 0.1
    model.lower_position_limit[7], model.upper_position_limit[7] = 0.5, 0.5
    q = pt.neutral(model)
    q[:3] = 5.0
    place(model, q).check_limits()
    model.upper_position_limit[7] = 0.6
    with pytest.raises(NotWithinConfigurationLimits):
        place(model, q).check_limits()


def test_wrong_questions_are_refused_and_change_nothing():
    model = every_kind()
    q = configuration(model, 0)
    here = place(model, q)
    wrong = [np.full(model.nq, np.nan), np.zeros(model.nq + 1), "abc", np.zeros(model.nq), None, [q, q]]
    for value in wrong:
        if value is not None:
            with pytest.raises(InvalidArgument, match="q"):
                here.update(value)
        with pytest.raises(InvalidArgument, match="q"):
            place(model, value)
    still, moving = np.zeros(model.nv), np.ones(model.nv)
    wrong_moves = [
        (still[1:], 0.1),
        (still[1:], [0.1]),
        (moving * np.inf, 0.1),
        (moving * np.inf, 0.0),
        (still, np.nan),
        (moving, np.inf),
        (moving, 0.1 * moving),
        (moving + 0j, 0.1),
        (moving.astype(object), 0.1),
        ([0.5], model.nv),
        (moving, None),
        (None, 0.1),
        (moving, "fast"),
    ]
    for v, dt in wrong_moves:
        for move in (here.integrate, here.integrate_inplace):
            with pytest.raises(InvalidArgument, match=r"velocity|dt"):
                move(v, dt)
    np.testing.assert_array_equal(here.q, q)
    for ask in (here.get_frame_jacobian, here.get_transform_frame_to_world):
        with pytest.raises(FrameNotFound, match=r"no frame 'tool_RX'; did you mean 'tool_RX_1'\?"):
            ask("tool_RX")
    for pair in (("tool_RX_1", "nowhere"), ("nowhere", "tool_RX_1")):
        with pytest.raises(UnknownFrame, match="nowhere"):
            here.get_transform(*pair)


def test_models_and_data_that_do_not_agree_are_refused():
    model, other = every_kind(0), every_kind(1)
    q = configuration(model, 0)
    with pytest.raises(StaleData):
        Configuration(model, other.create_data(), q)
    with pytest.raises(TypeError, match="model: expected a Model"):
        Configuration(None, model.create_data(), q)
    with pytest.raises(TypeError, match="data: expected a Data"):
        Configuration(model, None, q)
    here = place(model, q)
    model.add_frame(pt.Frame("new", 1, 0, pt.SE3.Identity(), pt.FrameType.OP_FRAME))
    for ask in (lambda: here.get_frame_jacobian("new"), here.update, lambda: here.integrate(np.zeros(model.nv), 0.1)):
        with pytest.raises(StaleData):
            ask()


@given(
    st.one_of(
        st.lists(st.floats(width=32), min_size=0, max_size=9),
        st.text(max_size=5),
        st.integers(),
        st.none(),
        st.lists(st.lists(st.floats(), max_size=3), max_size=3),
    )
)
def test_whatever_comes_is_one_clear_refusal_or_a_place(value):
    model = random_tree(["RX", "RY", "ball"], 0)
    here = place(model, pt.neutral(model))
    for move in (lambda: here.integrate_inplace(value, 0.1), lambda: here.update(value), lambda: place(model, value)):
        with contextlib.suppress(InvalidArgument):
            move()
    assert np.isfinite(here.q).all()


def test_lists_and_whole_numbers_are_welcome():
    model = random_tree(["RX", "PY"], 0)
    here = place(model, [0, 1])
    here.update((1, 0))
    here.integrate_inplace([1, 2], 1)
    np.testing.assert_array_equal(here.q, [2.0, 2.0])


def test_threads_bring_a_configuration_each_and_share_the_model():
    model = every_kind()
    v = velocity(model, 0)
    wanted = place(model, configuration(model, 0)).integrate(v, 0.1).data.J.copy()
    wrong = []

    def work():
        here = place(model, configuration(model, 0))
        for _ in range(50):
            if not np.array_equal(here.integrate(v, 0.1).data.J, wanted):
                wrong.append(here)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_configuration_that_holds_itself_is_collected():
    model = random_tree(["RX"], 0)
    here = place(model, [0.0])
    here.me = here
    seen = []

    class Told:
        def __del__(self):
            seen.append(True)

    here.told = Told()
    del here
    gc.collect()
    assert seen == [True]


def test_it_says_where_it_is():
    model = random_tree(["RX", "PY"], 0)
    assert repr(place(model, [0.5, 1.0])) == f"Configuration({model!r}, q=[0.5, 1.0])"
