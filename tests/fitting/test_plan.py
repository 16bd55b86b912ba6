"""The body plan: its arrays and names, its file, and that it never changes."""

import copy
import dataclasses
import json
import pickle

import fly
import numpy as np
import pytest
from hopper import dof, hopper, joint
from random_plans import random_plan

from pantin import samples
from pantin.errors import InvalidArgument, ModelFileNotFound, UnknownDof, UnknownJoint
from pantin.fitting import BodyPlan

ARRAYS = {
    "parents": np.int32,
    "offset_pos": float,
    "offset_quat_wxyz": float,
    "offset_rot": float,
    "joint_weight": float,
    "dof_joint": np.int32,
    "dof_is_slide": bool,
    "dof_axis": float,
    "neutral": float,
    "lower": float,
    "upper": float,
    "dof_weight": float,
    "source_order": np.int32,
}


def assert_same(one, other):
    """Two plans equal to the bit, in every field."""
    assert one == other
    for field in dataclasses.fields(BodyPlan):
        mine, yours = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == yours.dtype
            assert mine.tobytes() == yours.tobytes()
        elif field.name != "findings":
            assert mine == yours


def test_arrays_of_the_hopper():
    plan = BodyPlan.from_dict(hopper())
    assert plan.joint_names == ("trunk", "hip", "knee", "foot", "mast", "mast_tip")
    assert plan.dof_names == ("hip_yaw", "hip_pitch", "knee", "mast")
    assert (plan.n_joints, plan.n_dofs, plan.tangent_dim, plan.fixed_base) == (6, 4, 10, False)
    assert plan.tangent_names[6:] == plan.dof_names
    assert plan.parents.tolist() == [-1, 0, 1, 2, 0, 4]
    assert plan.dof_joint.tolist() == [1, 1, 2, 4]
    assert plan.dof_is_slide.tolist() == [False, False, False, True]
    assert plan.dof_axis.tolist() == [[0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    assert plan.neutral.tolist() == [0, 0.2, 0.4, 0.05]
    assert plan.lower.tolist() == [-0.8, -1.5, 0, 0]
    assert plan.upper.tolist() == [0.8, 1.5, 2.5, 0.2]
    assert plan.joint_weight.tolist() == [1, 1, 1, 2, 1, 1]
    assert plan.dof_weight.tolist() == [1, 1, 1, 0.5]
    assert plan.source_order.tolist() == [0, 1, 2, 3, 4, 5]
    assert plan.length_unit == "m"
    assert plan.extensions == {"x-pantin": hopper()["x-pantin"]}
    assert repr(plan) == "<BodyPlan 'trunk': 6 joints, 4 DOFs, free base>"


def test_one_joint_is_a_plan():
    plan = BodyPlan.from_dict({"joints": [joint("head", None)]})
    assert {name: getattr(plan, name).shape for name in ("dof_axis", "neutral", "lower")} == {
        "dof_axis": (0, 3),
        "neutral": (0,),
        "lower": (0,),
    }
    assert plan.length == 1.0
    assert plan.keypoint_jacobian(plan.neutral_state()).shape == (1, 3, 6)
    assert plan.length_unit is None


def test_limits_that_are_absent_are_infinite_and_names_come_from_joints():
    dofs = [dof("hinge", "z", limits=None), dof("slide", "x", limits=[0, 1], name="reach"), dof("hinge", "y")]
    plan = BodyPlan.from_dict(
        {"joints": [joint("a", None, dofs=dofs), joint("b", "a", dofs=[dof("hinge", "x")]), joint("c", "b")]}
    )
    assert plan.dof_names == ("a:0", "reach", "a:2", "b")
    assert plan.lower.tolist() == [-np.inf, 0, -np.inf, -np.inf]
    assert plan.upper.tolist() == [np.inf, 1, np.inf, np.inf]


def test_rotations_are_those_of_the_quaternions():
    rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    plan = BodyPlan.from_dict(random_plan(np.random.default_rng(0), joints=20))
    expected = rotation.from_quat(plan.offset_quat_wxyz[:, [1, 2, 3, 0]]).as_matrix()
    np.testing.assert_allclose(plan.offset_rot, expected, atol=1e-15)


def test_axes_and_quaternions_have_length_one():
    plan = BodyPlan.from_dict(
        {
            "joints": [
                joint("a", None, offset_quat=[2, 0, 0, 2], dofs=[dof("hinge", [0, 3, 4])]),
                joint("b", "a", (1, 0, 0)),
            ]
        }
    )
    np.testing.assert_allclose(plan.dof_axis, [[0, 0.6, 0.8]], atol=1e-16)
    np.testing.assert_allclose(plan.offset_quat_wxyz[0], [0.5**0.5, 0, 0, 0.5**0.5], atol=1e-16)


@pytest.mark.parametrize("seed", range(8))
def test_a_file_written_and_read_again_is_the_same(seed, tmp_path):
    content = random_plan(np.random.default_rng(seed))
    content["joints"][0]["offset_quat"] = [0.3, -0.2, 0.5, 7.0]
    content["joints"][0]["x-colour"] = {"rgb": [1, 2.0, 0.5], "word": "grün"}
    plan = BodyPlan.from_dict(content)
    plan.save(tmp_path / "one.json")
    again = BodyPlan.load(tmp_path / "one.json")
    again.save(tmp_path / "two.json")
    assert_same(plan, again)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert BodyPlan.from_dict(plan.to_dict()) == plan


def test_extensions_are_kept_everywhere(tmp_path):
    content = hopper()
    extra = {"list": [1, 1.0, 2.5, None, True, "ß"], "deep": {"x": {"y": []}}}
    content["x-lab"] = extra
    content["joints"][1]["x-lab"] = extra
    content["joints"][1]["dofs"][0]["x-lab"] = extra
    content["x-pantin"]["note"] = extra  # a warning, and kept
    plan = BodyPlan.from_dict(content)
    plan.save(tmp_path / "plan.json")
    written = json.loads((tmp_path / "plan.json").read_text(encoding="utf-8"))
    held = [written, written["joints"][1], written["joints"][1]["dofs"][0]]
    assert [json.dumps(one["x-lab"]) for one in held] == [json.dumps(extra)] * 3
    assert written["x-pantin"] == content["x-pantin"]
    assert set(plan.extensions) == {"x-lab", "x-pantin"}


def test_the_file_is_made_for_people(tmp_path):
    BodyPlan.from_dict(hopper()).save(tmp_path / "plan.json")
    lines = (tmp_path / "plan.json").read_text(encoding="utf-8").splitlines()
    assert lines[1] == '  "fixed_base": false,'
    assert (
        '    {"name": "trunk", "parent": null, "offset_pos": [0, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},'
        in lines
    )
    assert max(map(len, lines)) <= 120


def test_plans_that_say_the_same_are_equal():
    plan = BodyPlan.from_dict(hopper())
    wordy = hopper()
    wordy["joints"][0]["weight_scaler"] = 1
    wordy["joints"][2]["dofs"][0]["name"] = "knee"
    wordy["joints"][1]["offset_quat"] = [1.0, -0.0, 0.0, 0.0]
    wordy["joints"] = [dict(reversed(one.items())) for one in wordy["joints"]]
    assert BodyPlan.from_dict(wordy) == plan
    assert hash(BodyPlan.from_dict(wordy)) == hash(plan)
    assert len(plan.fingerprint) == 64
    other = hopper()
    other["joints"][2]["dofs"][0]["limits"][1] = 2.4
    assert BodyPlan.from_dict(other) != plan
    assert plan != "plan"


def test_a_plan_never_changes(tmp_path):
    content = hopper()
    plan = BodyPlan.from_dict(content)
    before = plan.fingerprint, plan.to_dict()
    content["joints"][1]["offset_pos"][0] = 9
    content["x-pantin"]["title"] = "other"
    plan.to_dict()["joints"].clear()
    plan.extensions["x-pantin"]["length_unit"] = "mm"
    plan.neutral_state().dofs[:] = 9
    for name, dtype in ARRAYS.items():
        values = getattr(plan, name)
        assert values.dtype == dtype
        with pytest.raises(ValueError, match="read-only"):
            values[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        plan.fixed_base = True
    plan.save(tmp_path / "plan.json")
    assert (BodyPlan.load(tmp_path / "plan.json").fingerprint, plan.to_dict()) == before
    assert plan.neutral.tolist() == [0, 0.2, 0.4, 0.05]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda plan: pickle.loads(pickle.dumps(plan))])
def test_a_copy_is_equal_to_the_bit(duplicate):
    content = random_plan(np.random.default_rng(3), joints=7)
    content["joints"].reverse()
    plan = BodyPlan.from_dict(content, reorder=True)
    assert_same(duplicate(plan), plan)
    assert duplicate(plan).findings == plan.findings


def test_reordering_moves_no_joint_that_may_stay():
    names = {"e": "d", "a": None, "c": "b", "d": "a", "b": "a", "f": "a"}
    plan = BodyPlan.from_dict({"joints": [joint(name, parent) for name, parent in names.items()]}, reorder=True)
    assert plan.joint_names == ("a", "d", "e", "b", "c", "f")
    assert plan.source_order.tolist() == [1, 3, 0, 4, 2, 5]
    assert [list(names)[index] for index in plan.source_order] == list(plan.joint_names)


def test_findings_about_a_reordered_plan_name_places_in_the_file():
    joints = [joint("tip", "arm", (0, 0, 1)), joint("arm", "root", dofs=[dof("hinge", "z")]), joint("root", None)]
    (finding,) = BodyPlan.from_dict({"joints": joints}, reorder=True).findings
    assert (finding.code, finding.path) == ("on-axis", "$.joints[1].dofs[0]")
    assert "joint 'arm'" in finding.message


def test_names_give_indices_or_the_nearest():
    plan = BodyPlan.from_dict(hopper())
    assert [plan.joint(name) for name in plan.joint_names] == list(range(6))
    assert [plan.dof(name) for name in plan.dof_names] == list(range(4))
    with pytest.raises(UnknownJoint, match="no joint 'fot'; did you mean 'foot'"):
        plan.joint("fot")
    with pytest.raises(UnknownDof, match="no degree of freedom 'hip_jaw'; did you mean 'hip_yaw'"):
        plan.dof("hip_jaw")


def test_samples_are_known_by_name_where_no_file_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert BodyPlan.load("walker") == BodyPlan.load(samples.body_plan("walker"))
    with pytest.raises(ModelFileNotFound, match="did you mean the sample 'walker'"):
        BodyPlan.load("walkr")
    BodyPlan.from_dict(hopper()).save("walker")
    assert BodyPlan.load("walker") == BodyPlan.from_dict(hopper())


def test_saving_where_nothing_can_be_written_is_an_error(tmp_path):
    with pytest.raises(InvalidArgument, match="there is no folder"):
        BodyPlan.from_dict(hopper()).save(tmp_path / "none" / "plan.json")


def test_the_recorded_fly_has_a_sound_plan():
    plan = BodyPlan.load(fly.plan_file())
    assert (plan.n_joints, plan.n_dofs, plan.fixed_base) == (31, 42, False)
    targets, angles = fly.exact()
    np.testing.assert_allclose(plan.keypoints({"dofs": angles})[:, 1:], targets[:, 1:], atol=1e-14)  # some roundings
