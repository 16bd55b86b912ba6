"""Frames are checked when they are made and when they are changed, in a model or out of one."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from models import arm, random_pose
from pantin.errors import InvalidArgument, UnknownFrame, UnknownJoint
from pantin.kinematics import SE3, Frame, FrameType, ReferenceFrame, frames_forward_kinematics, neutral


def make(**changes):
    parts = {"name": "tip", "parent_joint": 2, "parent_frame": 1, "placement": SE3.Identity(), "type": FrameType.BODY}
    return Frame(**(parts | changes))


def test_numbers_of_frames_are_pinocchios():
    assert [int(kind) for kind in FrameType] == [1, 2, 4, 8, 16]
    assert [int(frame) for frame in ReferenceFrame] == [0, 1, 2]


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("name", 3),
        ("name", None),
        ("name", b"tip"),
        ("parent_joint", -1),
        ("parent_joint", 1.0),
        ("parent_joint", "a"),
        ("parent_joint", True),
        ("parent_frame", -1),
        ("parent_frame", None),
        ("placement", None),
        ("placement", np.eye(3)),
        ("placement", "here"),
        ("type", 3),
        ("type", "BODY"),
        ("type", None),
    ],
)
def test_wrong_parts_are_refused_by_name(part, value):
    with pytest.raises(InvalidArgument, match=f"^{part}: "):
        make(**{part: value})
    frame = make()
    with pytest.raises(InvalidArgument, match=f"^{part}: "):
        setattr(frame, part, value)
    assert (frame.name, frame.parent_joint, frame.parent_frame, frame.type) == ("tip", 2, 1, FrameType.BODY)


def test_parts_come_in_any_dress():
    frame = make(parent_joint=np.int64(2), type=8, placement=([1, 2, 3], [0, 0, 0, 1]))
    assert frame.type is FrameType.BODY
    assert type(frame.parent_joint) is int
    np.testing.assert_array_equal(frame.placement.translation, [1, 2, 3])


def test_placements_are_copied_and_read_only():
    pose = SE3(np.eye(3), [1.0, 2.0, 3.0])
    frame = make(placement=pose)
    pose.translation[0] = 100.0
    assert frame.placement.translation[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        frame.placement.translation[0] = 5.0
    with pytest.raises(TypeError, match="read-only"):
        frame.placement.rotation = np.eye(3)


def test_frames_have_no_other_attributes():
    with pytest.raises(AttributeError):
        make().color = "red"


@pytest.mark.parametrize(
    "duplicate", [Frame.copy, copy.copy, copy.deepcopy, lambda frame: pickle.loads(pickle.dumps(frame))]
)
def test_copies_belong_to_no_model(duplicate):
    model = arm()
    frame = model.frames[3]
    version = model.version
    other = duplicate(frame)
    assert (other.name, other.parent_joint, other.parent_frame, other.type) == (
        frame.name,
        frame.parent_joint,
        frame.parent_frame,
        frame.type,
    )
    np.testing.assert_array_equal(other.placement.homogeneous, frame.placement.homogeneous)
    other.name, other.parent_joint = "renamed", 10**6
    assert model.version == version
    assert not model.exist_frame("renamed")


def test_a_frame_of_a_model_is_the_models():
    model = arm()
    frame = make()
    index = model.add_frame(frame)
    frame.name = "renamed"
    assert model.frames[index].name == "tip"


def test_a_changed_frame_is_computed_anew():
    model = arm()
    index = model.nframes - 1
    pose = random_pose(np.random.default_rng(0))
    model.frames[index].placement = pose
    data = model.create_data()
    frames_forward_kinematics(model, data, neutral(model))
    expected = data.oMi[model.frames[index].parent_joint] * pose
    np.testing.assert_allclose(data.oMf[index].homogeneous, expected.homogeneous, atol=1e-15)


def test_a_frame_of_a_model_stays_on_joints_that_exist():
    model = arm()
    frame = model.frames[2]
    with pytest.raises(UnknownJoint):
        frame.parent_joint = model.njoints
    with pytest.raises(UnknownFrame):
        frame.parent_frame = model.nframes
    with pytest.raises(UnknownJoint):
        model.frames[2] = make(parent_joint=99)
    with pytest.raises(UnknownFrame):
        model.frames[2] = make(parent_frame=99)
    model.create_data()
    frame.parent_joint = 1
    assert model.frames[2].parent_joint == 1


def test_a_renamed_frame_is_found_by_its_new_name():
    model = arm()
    old = model.frames[4].name
    assert model.get_frame_id(old) == 4
    model.frames[4].name = "new"
    assert model.get_frame_id("new") == 4
    with pytest.raises(UnknownFrame, match=old):
        model.get_frame_id(old)
    # of two frames with a name the first is found, whichever was renamed
    model.frames[2].name = "new"
    assert model.get_frame_id("new") == 2
    model.frames[2] = make(name="other")
    assert model.get_frame_id("new") == 4


def test_representations_say_name_type_and_joint():
    assert repr(make()) == "Frame('tip', BODY, joint=2)"
