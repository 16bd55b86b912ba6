"""Models grow joint by joint, keep their promises when edited, copied and pickled, and refuse what does not fit."""

from __future__ import annotations

import copy
import itertools
import pickle
import threading
import time

import numpy as np
import pytest

import pantin.kinematics as pt
from models import KINDS, add_body, arm, configuration, every_kind, mimic_tree, random_pose, velocity
from pantin.errors import InvalidArgument, InvalidModel, StaleData, UnknownFrame, UnknownJoint
from pantin.kinematics import SE3, Data, Frame, FrameType, Inertia, JointModel, JointModelRX, Model, Motion
from pantin.kinematics.description import save

LARGEST = np.finfo(float).max


def snapshot(model):
    """Everything a model says of itself, comparable to the bit."""
    return plain((save(model), model.nq, model.nv, model._extras()))


def plain(value):
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, dict):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value


# -- growing --------------------------------------------------------------------------------------------------


def test_an_empty_model_is_the_universe():
    model = Model()
    assert (model.njoints, model.nframes, model.nq, model.nv) == (1, 1, 0, 0)
    assert list(model.names) == ["universe"]
    assert model.frames[0].type is FrameType.FIXED_JOINT
    data = model.create_data()
    pt.frames_forward_kinematics(model, data, [])
    np.testing.assert_array_equal(data.oMf[0].homogeneous, np.eye(4))
    np.testing.assert_array_equal(pt.neutral(model), [])
    np.testing.assert_array_equal(pt.integrate(model, [], []), [])


def test_joints_are_numbered_and_laid_out_in_order():
    model = every_kind()
    q = v = 0
    for index, joint in enumerate(model.joints[1:], start=1):
        assert (joint.id, joint.idx_q, joint.idx_v) == (index, q, v)
        q, v = q + joint.nq, v + joint.nv
        assert model.parents[index] < index
    assert (model.nq, model.nv) == (q, v)
    assert model.njoints == len(model.names) == len(model.parents) == len(model.inertias) == len(model.joint_placements)


def test_supports_lead_from_the_universe_to_the_joint():
    model = every_kind()
    for joint in range(model.njoints):
        support = model.supports[joint]
        assert support[0] == 0
        assert support[-1] == joint
        assert all(model.parents[b] == a for a, b in itertools.pairwise(support))
    assert len(model.supports) == model.njoints
    assert model.supports[1:3] == [model.supports[1], model.supports[2]]
    assert model.supports[-1] == model.supports[model.njoints - 1]


def test_bodies_of_a_joint_add_up():
    model = arm()
    random = np.random.default_rng(0)
    before, pose = model.inertias[2], random_pose(random)
    model.append_body_to_joint(2, Inertia(2.0, [0.1, 0, 0], np.eye(3)), pose)
    expected = before + Inertia(2.0, [0.1, 0, 0], np.eye(3)).displaced(pose)
    np.testing.assert_allclose(model.inertias[2].inertia, expected.inertia, rtol=1e-14)
    assert model.inertias[2].mass == pytest.approx(before.mass + 2.0)


def test_frames_carry_their_arguments():
    model = Model()
    joint = model.add_joint(0, JointModelRX(), SE3.Identity(), "j")
    one = model.add_joint_frame("j")
    two = model.add_body_frame("body", joint, ([1, 2, 3], [0, 0, 0, 1]), one)
    three = model.add_body_frame("other", "j")
    facts = [(f.name, f.parent_joint, f.parent_frame, f.type) for f in model.frames]
    assert facts[one] == ("j", joint, 0, FrameType.JOINT)
    assert facts[two] == ("body", joint, one, FrameType.BODY)
    assert facts[three] == ("other", joint, 0, FrameType.BODY)
    np.testing.assert_array_equal(model.frames[two].placement.translation, [1, 2, 3])


def test_root_sizes_are_those_of_the_root_joint():
    model = Model()
    assert model.get_root_joint_dim() == (0, 0)
    model.add_joint(0, pt.JointModelFreeFlyer(), SE3.Identity(), "root_joint")
    assert model.get_root_joint_dim() == (7, 6)


# -- limits ---------------------------------------------------------------------------------------------------

VECTORS = {
    "lower_position_limit": "nq",
    "upper_position_limit": "nq",
    "velocity_limit": "nv",
    "effort_limit": "nv",
    "armature": "nv",
    "friction": "nv",
    "damping": "nv",
}
LIVE = [name for name in VECTORS if name != "armature"]


def test_limits_are_the_largest_double_by_default():
    model = Model()
    for name, make in KINDS.items():
        model.add_joint(0, make(), SE3.Identity(), name)
    np.testing.assert_array_equal(model.lower_position_limit, np.full(model.nq, -LARGEST))
    np.testing.assert_array_equal(model.upper_position_limit, np.full(model.nq, LARGEST))
    np.testing.assert_array_equal(model.velocity_limit, np.full(model.nv, LARGEST))
    np.testing.assert_array_equal(model.effort_limit, np.full(model.nv, LARGEST))
    for name in ("armature", "friction", "damping"):
        np.testing.assert_array_equal(getattr(model, name), np.zeros(model.nv))


def test_limits_follow_the_layout_of_the_joints():
    model = every_kind()
    assert model.has_configuration_limit().shape == (model.nq,)
    for joint in model.joints[1:]:
        own = slice(joint.idx_q, joint.idx_q + joint.nq)
        bounded = pt.joint_has_configuration_limit(joint.jtype)
        assert model.has_configuration_limit()[own].tolist() == bounded
    for name, size in VECTORS.items():
        assert getattr(model, name).shape == (getattr(model, size),)


@pytest.mark.parametrize("name", LIVE)
def test_live_vectors_are_written_in_place(name):
    model = arm()
    version = model.version
    data = model.create_data()
    getattr(model, name)[3] = 0.125
    assert getattr(model, name)[3] == 0.125
    assert model.version == version
    pt.forward_kinematics(model, data, pt.neutral(model))
    # and keep what was written when the model grows
    for i in range(20):
        model.add_joint(0, JointModelRX(), SE3.Identity(), f"new_{i}")
    assert getattr(model, name)[3] == 0.125
    assert getattr(model, name).shape == (27,)


@pytest.mark.parametrize("name", VECTORS)
def test_assigned_vectors_are_copied(name):
    model = arm()
    before = getattr(model, name)
    mine = np.arange(7.0)
    setattr(model, name, mine)
    mine[0] = 100.0
    np.testing.assert_array_equal(getattr(model, name), np.arange(7.0))
    # putting back what was there before
    setattr(model, name, before)
    np.testing.assert_array_equal(getattr(model, name), before)
    frozen = np.arange(7.0)
    frozen.setflags(write=False)
    setattr(model, name, frozen)
    if name in LIVE:
        getattr(model, name)[0] = 5.0


@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("value", [np.zeros(6), np.zeros((7, 7)), [np.nan] * 7, None, "abc", 1.0, [1j] * 7])
def test_wrong_vectors_are_refused_and_change_nothing(name, value):
    model = arm()
    before = getattr(model, name).copy()
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        setattr(model, name, value)
    np.testing.assert_array_equal(getattr(model, name), before)


def test_limits_may_be_infinite_and_constants_may_not():
    model = arm()
    model.upper_position_limit = np.full(7, np.inf)
    for name in ("armature", "friction", "damping"):
        with pytest.raises(InvalidArgument, match=name):
            setattr(model, name, np.full(7, np.inf))


def test_rotors_have_no_negative_inertia():
    model = arm()
    with pytest.raises(InvalidArgument, match=r"^armature: expected numbers from 0 up, got -0\.1$"):
        model.armature = [0.0, 0.1, -0.1, 0.2, 0.0, 0.0, 0.0]
    model.armature = np.zeros(7)
    model.friction = -np.ones(7)  # signs of other constants are the user's


def test_what_the_core_compiled_is_read_only():
    model = arm()
    for values in (model.armature, model.gravity):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1.0
    data = model.create_data()
    model.gravity = [0, 0, -1.62]
    np.testing.assert_array_equal(model.gravity, [0, 0, -1.62])
    with pytest.raises(StaleData):
        pt.forward_kinematics(model, data, pt.neutral(model))
    for value in ([1, 2], [0, 0, np.nan], None):
        with pytest.raises(InvalidArgument, match="gravity"):
            model.gravity = value


# -- names ----------------------------------------------------------------------------------------------------


def test_names_are_found_and_near_ones_suggested():
    model = arm()
    for index, name in enumerate(model.names):
        assert model.exist_joint_name(name)
        assert model.get_joint_id(name) == index
    for index, frame in enumerate(model.frames):
        assert model.exist_frame(frame.name)
        assert model.get_frame_id(frame.name) == index
    with pytest.raises(UnknownJoint, match="did you mean 'RX_3'"):
        model.get_joint_id("RX3")
    with pytest.raises(UnknownFrame, match="did you mean 'tool_RX_3'"):
        model.get_frame_id("tool_RX3")
    for nothing in ("xyzzy", "", None, 3, [], np.zeros(3)):
        assert not model.exist_joint_name(nothing)
        assert not model.exist_frame(nothing)
        with pytest.raises(UnknownJoint):
            model.get_joint_id(nothing)
        with pytest.raises(UnknownJoint):
            model.get_joint_tangent_id(nothing)


def test_joints_may_be_renamed():
    model = arm()
    model.names[2] = "elbow"
    assert model.get_joint_id("elbow") == 2
    with pytest.raises(UnknownJoint):
        model.get_joint_id("RY_1")
    model.add_joint(0, JointModelRX(), SE3.Identity(), "RY_1")
    with pytest.raises(InvalidModel):
        model.add_joint(0, JointModelRX(), SE3.Identity(), "elbow")
    for wrong in ("RX_3", 3, None):
        with pytest.raises(InvalidArgument, match="name"):
            model.names[2] = wrong
    with pytest.raises(InvalidArgument, match="name"):
        model.names[1:3] = ["a", "b"]
    model.names[2] = "elbow"
    assert list(model.names)[2] == "elbow"
    assert model.names == list(model.names)


# -- edits ------------------------------------------------------------------------------------------------------

EDITS = {
    "add_joint": lambda model: model.add_joint(1, JointModelRX(), SE3.Identity(), "new"),
    "add_joint_frame": lambda model: model.add_joint_frame(1),
    "add_body_frame": lambda model: model.add_body_frame("new", 1),
    "add_frame": lambda model: model.add_frame(Frame("new", 1, 0, SE3.Identity(), FrameType.SENSOR)),
    "append_body_to_joint": lambda model: model.append_body_to_joint(1, Inertia(1.0)),
    "joint_placements[i]": lambda model: model.joint_placements.__setitem__(2, SE3(np.eye(3), [0, 0, 5])),
    "inertias[i]": lambda model: model.inertias.__setitem__(2, Inertia(5.0)),
    "inertias[i].mass": lambda model: setattr(model.inertias[2], "mass", 5.0),
    "frames[i]": lambda model: model.frames.__setitem__(2, Frame("x", 1, 0, SE3.Identity(), FrameType.BODY)),
    "frames[i].placement": lambda model: setattr(model.frames[2], "placement", SE3(np.eye(3), [0, 0, 5])),
    "frames[i].parent_joint": lambda model: setattr(model.frames[2], "parent_joint", 5),
    "armature": lambda model: setattr(model, "armature", np.ones(model.nv)),
    "gravity": lambda model: setattr(model, "gravity", [0, 0, 1]),
}

COMPUTATIONS = {
    "forward_kinematics": pt.forward_kinematics,
    "frames_forward_kinematics": pt.frames_forward_kinematics,
    "update_frame_placements": lambda model, data, q: pt.update_frame_placements(model, data),
    "compute_joint_jacobians": pt.compute_joint_jacobians,
    "get_frame_jacobian": lambda model, data, q: pt.get_frame_jacobian(model, data, 1),
    "get_joint_jacobian": lambda model, data, q: pt.get_joint_jacobian(model, data, 1),
    "compute_frame_jacobian": lambda model, data, q: pt.compute_frame_jacobian(model, data, q, 1),
    "center_of_mass": pt.center_of_mass,
    "jacobian_center_of_mass": pt.jacobian_center_of_mass,
    "get_velocity": lambda model, data, q: pt.get_velocity(model, data, 1),
    "get_frame_acceleration": lambda model, data, q: pt.get_frame_acceleration(model, data, 1),
    "time_variation": lambda model, data, q: pt.compute_joint_jacobians_time_variation(
        model, data, q, np.zeros(model.nv)
    ),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_makes_the_data_stale_and_is_computed(edit):
    model = arm()
    data = model.create_data()
    version = model.version
    edit(model)
    assert model.version > version
    q = pt.neutral(model)
    before = data._buffer().copy()
    for compute in COMPUTATIONS.values():
        with pytest.raises(StaleData, match="create_data"):
            compute(model, data, q)
    np.testing.assert_array_equal(data._buffer(), before)
    fresh = model.create_data()
    for compute in COMPUTATIONS.values():
        compute(model, fresh, q)
    # the core agrees with a model that is rebuilt from what this one says
    again = pickle.loads(pickle.dumps(model))
    witness = again.create_data()
    for compute in COMPUTATIONS.values():
        compute(again, witness, q)
    np.testing.assert_array_equal(fresh._buffer(), witness._buffer())


@pytest.mark.parametrize("compute", COMPUTATIONS.values(), ids=COMPUTATIONS)
def test_data_of_another_model_is_refused(compute):
    model, twin = arm(), arm()
    with pytest.raises(StaleData):
        compute(model, twin.create_data(), pt.neutral(model))


def test_moved_joints_are_computed_anew():
    model = Model()
    model.add_joint(0, JointModelRX(), SE3.Identity(), "j")
    model.joint_placements[1] = ([1, 2, 3], [0, 0, 0, 1])
    data = model.create_data()
    pt.forward_kinematics(model, data, [0.0])
    np.testing.assert_array_equal(data.oMi[1].translation, [1, 2, 3])
    with pytest.raises(ValueError, match="read-only"):
        model.joint_placements[1].translation[0] = 5.0


def test_what_grows_with_a_model_is_not_replaced():
    # the core would not hear of it
    model = arm()
    before = snapshot(model)
    for name in ("frames", "inertias", "joint_placements", "joints", "names", "parents", "nq", "nv"):
        with pytest.raises(TypeError, match=name):
            setattr(model, name, getattr(model, name))
    for entries in (model.joints, model.parents):
        with pytest.raises(TypeError, match="stay as they were added"):
            entries[1] = entries[1]
    assert snapshot(model) == before
    assert model.parents == [0, 0, 1, 2, 3, 4, 5, 6]


def test_lists_of_parts_keep_their_length():
    model = arm()
    for parts in (model.joint_placements, model.inertias, model.frames):
        assert parts[-1] is parts[len(parts) - 1]
        assert len(parts[1:3]) == 2
        assert list(parts) == [parts[i] for i in range(len(parts))]
        with pytest.raises(AttributeError):
            parts.append(parts[0])
        with pytest.raises(IndexError):
            parts[len(parts)] = parts[0]
        with pytest.raises(InvalidArgument, match="one at a time"):
            parts[0:2] = parts[0:2]
        with pytest.raises(InvalidArgument):
            parts[0] = "x"
        assert repr(parts) == repr(list(parts))


# -- the door ---------------------------------------------------------------------------------------------------

WRONG_JOINTS = [
    ({"parent_id": 99}, UnknownJoint, "no joint 99"),
    ({"parent_id": -1}, UnknownJoint, "no joint -1"),
    ({"parent_id": "nobody"}, UnknownJoint, "nobody"),
    ({"parent_id": True}, UnknownJoint, "True"),
    ({"parent_id": 1.0}, UnknownJoint, "1.0"),
    ({"joint_model": "RX"}, InvalidArgument, "joint_model"),
    ({"joint_model": None}, InvalidArgument, "joint_model"),
    ({"joint_model": JointModel(0)}, InvalidModel, "universe"),
    ({"placement": None}, InvalidArgument, "placement"),
    ({"placement": np.eye(3)}, InvalidArgument, "placement"),
    ({"placement": np.full((4, 4), np.nan)}, InvalidArgument, "finite"),
    ({"name": "RX_3"}, InvalidModel, "exists already"),
    ({"name": "universe"}, InvalidModel, "exists already"),
    ({"name": 3}, InvalidArgument, "name"),
    ({"max_effort": [1, 2]}, InvalidArgument, "max_effort"),
    ({"max_velocity": "fast"}, InvalidArgument, "max_velocity"),
    ({"min_config": [np.nan]}, InvalidArgument, "min_config"),
    ({"max_config": 1.0}, InvalidArgument, "max_config"),
    ({"min_config": [1.0], "max_config": [0.0]}, InvalidModel, "above its upper limit"),
    ({"joint_model": pt.JointModelMimic(JointModelRX(), "nobody")}, UnknownJoint, "nobody"),
    ({"joint_model": pt.JointModelMimic(JointModelRX(), 99)}, UnknownJoint, "99"),
    ({"joint_model": pt.JointModelMimic(JointModelRX(), "new")}, UnknownJoint, "new"),
    ({"joint_model": pt.JointModelMimic(JointModelRX(), 0)}, InvalidModel, "does not move by one number"),
]


@pytest.mark.parametrize(("changes", "error", "message"), WRONG_JOINTS)
def test_a_wrong_joint_is_refused_and_the_model_stays(changes, error, message):
    model = arm()
    before = snapshot(model)
    arguments = {"parent_id": 1, "joint_model": JointModelRX(), "placement": SE3.Identity(), "name": "new"}
    with pytest.raises(error, match=message):
        model.add_joint(**(arguments | changes))
    assert snapshot(model) == before


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (lambda model: model.add_joint_frame(99), UnknownJoint),
        (lambda model: model.add_joint_frame(1, 99), UnknownFrame),
        (lambda model: model.add_joint_frame(1, "nowhere"), UnknownFrame),
        (lambda model: model.add_joint_frame(1, None), UnknownFrame),
        (lambda model: model.add_body_frame(3, 1), InvalidArgument),
        (lambda model: model.add_body_frame("b", 99), UnknownJoint),
        (lambda model: model.add_body_frame("b", 1, "here"), InvalidArgument),
        (lambda model: model.add_body_frame("b", 1, None, 99), UnknownFrame),
        (lambda model: model.add_frame("tip"), InvalidArgument),
        (lambda model: model.add_frame(Frame("x", 99, 0, SE3.Identity(), FrameType.BODY)), UnknownJoint),
        (lambda model: model.add_frame(Frame("x", 1, 99, SE3.Identity(), FrameType.BODY)), UnknownFrame),
        (lambda model: model.append_body_to_joint(99, Inertia(1.0)), UnknownJoint),
        (lambda model: model.append_body_to_joint(1, 5.0), InvalidArgument),
        (lambda model: model.append_body_to_joint(1, Inertia(1.0), "here"), InvalidArgument),
        (lambda model: model.inertias.__setitem__(1, None), InvalidArgument),
        (lambda model: model.joint_placements.__setitem__(1, None), InvalidArgument),
    ],
)
def test_a_wrong_edit_is_refused_and_the_model_stays(edit, error):
    model = arm()
    before = snapshot(model)
    with pytest.raises(error):
        edit(model)
    assert snapshot(model) == before


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the binding also warns
def test_objects_without_a_value_are_refused():
    class Forgetful(Model):
        def __init__(self):
            self.nothing = True

    model = arm()
    data = model.create_data()
    for empty in (Model.__new__(Model), Forgetful()):
        with pytest.raises(TypeError, match="never initialised"):
            Data(empty)
        with pytest.raises(TypeError, match="never initialised"):
            pt.forward_kinematics(empty, data, [])
    empty = Data.__new__(Data)
    for name in ("oMi", "oMf", "J", "dJ", "Jcom", "com", "mass", "M", "nle", "g", "tau", "ddq", "hg", "Ag"):
        with pytest.raises(TypeError):
            getattr(empty, name)
        with pytest.raises(TypeError):
            getattr(Data, name).fget(SE3.Identity())
    for call in (
        empty.copy,
        lambda: repr(empty),
        lambda: copy.copy(empty),
        lambda: pickle.dumps(empty),
        lambda: pt.forward_kinematics(model, empty, pt.neutral(model)),
        lambda: pt.get_velocity(model, empty, 1),
        lambda: data.__init__(model),
        lambda: data.__setstate__(data.__getstate__()),
        lambda: Data(3),
        lambda: Data(None),
        Data,
    ):
        with pytest.raises(TypeError):
            call()


# -- data ---------------------------------------------------------------------------------------------------------


def test_views_of_data_are_read_only_and_change_with_it():
    model = arm()
    data = model.create_data()
    q = configuration(model, 0)
    views = [data.J, data.Jcom, data.com[0], data.dJ, data.M, data.nle, data.g, data.tau, data.ddq, data.hg, data.Ag]
    pose = data.oMf[3]
    for view in [*views, pose.rotation, pose.translation]:
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1.0
    with pytest.raises(TypeError, match="read-only"):
        pose.translation = [1, 2, 3]
    pt.jacobian_center_of_mass(model, data, q)
    pt.update_frame_placements(model, data)
    assert views[0].any()
    assert views[1].any()
    np.testing.assert_array_equal(pose.homogeneous, data.oMf[3].homogeneous)
    kept = pose.copy()
    kept.translation[0] = 7.0


def test_pose_lists_are_like_lists():
    model = arm()
    data = model.create_data()
    pt.forward_kinematics(model, data, configuration(model, 0))
    poses = list(data.oMi)
    assert len(poses) == len(data.oMi) == model.njoints
    for index in (0, 3, -1, -model.njoints, np.int64(2)):
        np.testing.assert_array_equal(data.oMi[index].homogeneous, poses[index].homogeneous)
    for part in (slice(1, 3), slice(None, None, -2), slice(5, 100)):
        for one, other in zip(data.oMi[part], poses[part], strict=True):
            np.testing.assert_array_equal(one.homogeneous, other.homogeneous)
    for index in (model.njoints, -model.njoints - 1):
        with pytest.raises(IndexError):
            data.oMi[index]
    for index in ("1", 1.0, None, 10**30):
        with pytest.raises((TypeError, IndexError)):
            data.oMi[index]


def test_views_outlive_their_data_and_model():
    model = arm()
    data = model.create_data()
    pt.jacobian_center_of_mass(model, data, configuration(model, 0))
    pose, listing, J, com = data.oMi[3], data.oMi, data.J, data.com[0]
    expected = pose.homogeneous.copy(), J.copy(), com.copy()
    del data, model
    _ = [every_kind().create_data() for _ in range(20)]
    np.testing.assert_array_equal(pose.homogeneous, expected[0])
    np.testing.assert_array_equal(listing[3].homogeneous, expected[0])
    np.testing.assert_array_equal(J, expected[1])
    np.testing.assert_array_equal(com, expected[2])


def test_a_data_outlives_its_model():
    data = arm().create_data()
    _ = [every_kind() for _ in range(20)]
    assert repr(data) == "Data(nq=7, nv=7, njoints=8, nframes=15)"
    assert data.copy().mass == data.mass


@pytest.mark.parametrize("duplicate", [Data.copy, copy.copy, copy.deepcopy])
def test_copies_of_data_have_buffers_of_their_own(duplicate):
    model = arm()
    data = model.create_data()
    pt.forward_kinematics(model, data, configuration(model, 0))
    other = duplicate(data)
    before = other._buffer().copy()
    np.testing.assert_array_equal(before, data._buffer())
    pt.forward_kinematics(model, data, configuration(model, 1))
    np.testing.assert_array_equal(other._buffer(), before)
    pt.forward_kinematics(model, other, configuration(model, 1))
    np.testing.assert_array_equal(other.oMi[7].homogeneous, data.oMi[7].homogeneous)


# -- copies -------------------------------------------------------------------------------------------------------

DUPLICATES = {
    "copy": Model.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "oldest pickle": lambda model: pickle.loads(pickle.dumps(model, protocol=2)),
}


@pytest.fixture(params=DUPLICATES.values(), ids=DUPLICATES)
def duplicate(request):
    return request.param


@pytest.mark.parametrize("make", [Model, arm, every_kind, mimic_tree])
def test_copies_compute_the_same_bits(make, duplicate):
    model = make()
    model.name = "robot"
    model.gravity = [0, 1, 2]
    model.armature = np.arange(model.nv, dtype=float)
    if model.nframes > 3:
        model.frames[1].parent_frame = 3  # a frame may come after those that follow it
    other = duplicate(model)
    assert snapshot(other) == snapshot(model)
    assert repr(other) == repr(model)
    q, v = configuration(model, 0), velocity(model, 0)
    buffers = []
    for each in (model, other):
        data = each.create_data()
        pt.forward_kinematics(each, data, q, v, v)
        pt.update_frame_placements(each, data)
        pt.jacobian_center_of_mass(each, data)
        buffers.append(data._buffer().copy())
    np.testing.assert_array_equal(*buffers)


def test_copies_are_edited_apart(duplicate):
    model = arm()
    data = model.create_data()
    before = snapshot(model)
    other = duplicate(model)
    other.add_joint(1, JointModelRX(), SE3.Identity(), "new")
    other.frames[2].name = "renamed"
    other.inertias[1].mass = 77.0
    other.names[1] = "first"
    other.lower_position_limit[0] = -77.0
    assert snapshot(model) == before
    pt.forward_kinematics(model, data, pt.neutral(model))
    with pytest.raises(StaleData):
        pt.forward_kinematics(other, data, pt.neutral(other))


class Named(Model):
    """A model whose maker wants an argument."""

    def __init__(self, owner):
        super().__init__()
        self.owner = owner


def test_derived_models_and_their_attributes_are_copied(duplicate):
    model = Named(["somebody"])
    model.add_joint(0, JointModelRX(), SE3.Identity(), "j")
    model.note = {"of": "the user"}
    other = duplicate(model)
    assert type(other) is Named
    assert other.owner == ["somebody"]
    assert other.note == {"of": "the user"}
    data = other.create_data()
    pt.forward_kinematics(other, data, [0.3])
    pt.forward_kinematics(model, model.create_data(), [0.3])


def test_deep_copies_share_nothing_and_keep_cycles():
    model = Named(["somebody"])
    model.me = model
    other = copy.deepcopy(model)
    assert other.me is other
    assert other.owner is not model.owner
    assert copy.copy(model).owner is model.owner


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
@pytest.mark.parametrize("order", [1, -1])
def test_a_model_and_its_data_still_agree_when_copied_together(duplicate, order):
    model = arm()
    data = model.create_data()
    q = configuration(model, 0)
    pt.frames_forward_kinematics(model, data, q)
    other, numbers = duplicate((model, data)[::order])[::order]
    np.testing.assert_array_equal(numbers._buffer(), data._buffer())
    np.testing.assert_array_equal(pt.get_frame_jacobian(other, numbers, 3), pt.get_frame_jacobian(model, data, 3))
    pt.forward_kinematics(other, numbers, q)


def test_a_data_pickled_alone_belongs_to_no_model():
    model = arm()
    data = model.create_data()
    pt.forward_kinematics(model, data, configuration(model, 0))
    other = pickle.loads(pickle.dumps(data))
    np.testing.assert_array_equal(other.oMi[7].homogeneous, data.oMi[7].homogeneous)
    with pytest.raises(StaleData):
        pt.forward_kinematics(model, other, pt.neutral(model))


# -- sharing ------------------------------------------------------------------------------------------------------


def test_threads_may_race_for_the_first_computation():
    for _ in range(20):
        model = every_kind()
        q = configuration(model, 0)
        barrier, trees, errors = threading.Barrier(8), [], []

        def work(model=model, q=q, barrier=barrier, trees=trees, errors=errors):
            try:
                barrier.wait()
                data = model.create_data()
                pt.forward_kinematics(model, data, q)
                trees.append(data._tree)
            except Exception as error:
                errors.append(error)

        workers = [threading.Thread(target=work) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert not errors
        assert len({id(tree) for tree in trees}) == 1


def test_building_takes_linear_time():
    def seconds(size, star):
        begin = time.process_time()
        model = Model()
        random = np.random.default_rng(0)
        for i in range(size):
            joint = model.add_joint(0 if star else i, JointModelRX(), SE3.Identity(), f"joint_{i}")
            frame = model.add_joint_frame(joint)
            model.append_body_to_joint(joint, Inertia(1.0))
            model.add_body_frame(f"body_{i}", joint, None, frame)
            assert not model.exist_frame(f"tip_{i}")
            assert model.get_frame_id(f"body_{i}") == model.nframes - 1
            assert model.get_joint_id(f"joint_{i}") == joint
            assert not model.exist_joint_name(f"tip_{i}")
        data = model.create_data()
        pt.frames_forward_kinematics(model, data, random.normal(size=size))
        if star:
            pickle.loads(pickle.dumps(model)).create_data()
        return time.process_time() - begin

    for star in (True, False):
        assert seconds(5000, star) < 8.0 * seconds(1250, star)  # quadratic work takes sixteen times as long


def test_representations_say_name_and_sizes():
    assert repr(arm()) == "Model('tree 1', nq=7, nv=7, njoints=8, nframes=15)"


def test_queries_answer_in_objects_of_this_package():
    model = arm()
    data = model.create_data()
    assert isinstance(pt.get_velocity(model, data, 1), Motion)
    assert isinstance(data.oMi[1], SE3)
    add_body(model, 1, np.random.default_rng(0))
    assert isinstance(model.frames[-1], Frame)
