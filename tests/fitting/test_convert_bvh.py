"""BVH files: skeletons and motions read as plans and states, and written so that they read back the same."""

import numpy as np
import pytest
from bvh_files import ARM, ARM_KEYPOINTS, evaluated
from random_plans import random_plan, random_state

from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, State, read_bvh, write_bvh
from pantin.fitting.convert import bvh_text

SEEDS = range(12)


def example(seed, frames=6, **kwargs):
    """A random plan and states of it."""
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, **kwargs))
    return plan, random_state(plan, rng, frames)


def apart(one, one_states, other, other_states):
    """Largest distance of the keypoints that two plans have in common, which are those of the second."""
    places = [one.joint(name) for name in other.joint_names]
    return np.abs(one.keypoints(one_states)[:, places] - other.keypoints(other_states)).max()


def test_a_hand_written_file():
    read = read_bvh(ARM)
    plan = read.plan
    assert plan.joint_names == ("Hips", "Shoulder", "Elbow", "Wrist_position", "Wrist", "Wrist_end", "Tail")
    assert not plan.fixed_base
    assert plan.length_unit is None
    assert plan.dof_names == (
        *("Shoulder_Zrotation", "Shoulder_Xrotation", "Shoulder_Yrotation", "Elbow_Yrotation"),
        *("Wrist_Xposition", "Wrist_Zposition", "Wrist_Yrotation", "Wrist_Xrotation"),
        *("Tail_Xrotation", "Tail_Yrotation", "Tail_Zrotation"),
    )
    assert plan.neutral.tolist() == [0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0]
    assert np.isinf(plan.lower).all()
    assert read.frame_time == 0.0083333
    assert read.time == pytest.approx([0.0, 0.0083333, 0.0166666])
    points = plan.keypoints(read.state)
    for name, expected in ARM_KEYPOINTS.items():
        assert points[:, plan.joint(name)] == pytest.approx(np.array(expected, dtype=float), abs=1e-12), name
    assert read.state.dofs[2] == pytest.approx([*np.deg2rad([90, 0, 0, 90]), 6, 0.5, *np.deg2rad([90, 0, 10, 20, 30])])
    assert read.state.root_quat_wxyz[2] == pytest.approx([np.sqrt(0.5), 0, 0, np.sqrt(0.5)])


def test_position_channels_may_be_added_to_offsets():
    text = ARM.replace("OFFSET 0.0 0.0 0.0\n\tCHANNELS", "OFFSET 1.0 2.0 3.0\n\tCHANNELS")
    instead, added = read_bvh(text), read_bvh(text, positions="add")
    for read, add in [(instead, False), (added, True)]:
        names = [name for name in read.plan.joint_names if name != "Wrist_position"]
        points = read.plan.keypoints(read.state)[:, [read.plan.joint(name) for name in names]]
        assert points == pytest.approx(evaluated(text, add)[:, : len(names)], abs=1e-12)
    assert (added.state.root_pos - instead.state.root_pos).tolist() == [[1, 2, 3]] * 3
    assert added.plan.neutral[4:6].tolist() == [0, 0]


def test_lengths_are_scaled():
    whole, scaled = read_bvh(ARM), read_bvh(ARM, scale=0.01, length_unit="m")
    points = 0.01 * whole.plan.keypoints(whole.state)
    assert scaled.plan.keypoints(scaled.state) == pytest.approx(points, abs=1e-15)
    assert scaled.plan.length_unit == "m"
    back = bvh_text(scaled.plan, scaled.state, 0.1, scale=100.0)
    assert back == bvh_text(whole.plan, whole.state, 0.1)


def test_the_skeleton_alone():
    hierarchy = ARM.partition("MOTION")[0]
    assert BodyPlan.from_bvh(hierarchy) == BodyPlan.from_bvh(ARM) == read_bvh(ARM).plan


def test_dialects(tmp_path):
    words = ARM.replace("Xposition", "XPOSITION").replace("End Site", "end site tip").replace("JOINT ", "joint ")
    words = words.replace("\n{", " {").replace("Frames: ", "FRAMES:\t").replace("Frame Time: ", "Frame time :")
    words = words.replace("Frames", "\n\nFrames").replace(" 0 ", "\t0.000  ").replace("HIERARCHY", "Hierarchy ")
    file = tmp_path / "dialect.bvh"
    file.write_bytes(b"\xef\xbb\xbf" + words.replace("\n", "\r\n").encode() + b"\r\n \r\n")
    one, other = read_bvh(ARM), read_bvh(file)
    assert one.plan == other.plan
    for part, same in zip(one.state, other.state, strict=True):
        assert np.array_equal(part, same)


def test_names_with_spaces_in_an_old_encoding_and_twice(tmp_path):
    file = tmp_path / "old.bvh"
    text = ARM.replace("JOINT Elbow", "JOINT Bip01 L Größe").replace("JOINT Tail", "JOINT Wrist")
    file.write_bytes(text.encode("latin-1"))
    names = read_bvh(file).plan.joint_names
    assert names == ("Hips", "Shoulder", "Bip01 L Größe", "Wrist_position", "Wrist", "Wrist_end", "Wrist_")


def test_a_root_without_channels_is_fixed_and_one_that_only_turns_stays_at_its_offset():
    text = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 0\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n}\n"
    fixed = read_bvh(text + "MOTION\nFrames: 1\nFrame Time: 0\n90\n")
    assert fixed.plan.fixed_base
    assert fixed.plan.keypoints(fixed.state)[0].tolist() == [[1, 2, 3], [1, 3, 3]]
    turning = read_bvh(
        text.replace("CHANNELS 0", "CHANNELS 1 Zrotation") + "MOTION\nFrames: 2\nFrame Time: 1\n0 0\n90 0\n"
    )
    assert turning.plan.keypoints(turning.state)[1] == pytest.approx(np.array([[1, 2, 3], [0, 2, 3]], dtype=float))


def test_signs_of_the_roots_quaternion_do_not_jump():
    rows = "\n".join(" ".join(["0 0 0", str((angle + 180) % 360 - 180), *["0"] * 13]) for angle in range(0, 720, 30))
    text = f"{ARM.partition('MOTION')[0]}MOTION\nFrames: 24\nFrame Time: 0.1\n{rows}\n"
    quaternions = read_bvh(text).state.root_quat_wxyz
    assert (np.einsum("ti,ti->t", quaternions[1:], quaternions[:-1]) > 0.9).all()
    assert quaternions[0, 0] == 1.0


@pytest.mark.parametrize(("seed", "order"), [*zip(SEEDS, 2 * ["ZXY", "XYZ", "YZX", "XZY", "YXZ", "ZYX"], strict=True)])
def test_plans_and_states_come_back(seed, order):
    plan, states = example(seed)
    read = read_bvh(bvh_text(plan, states, 0.01, order=order, decimals=12))
    assert read.frame_time == 0.01
    assert apart(read.plan, read.state, plan, states) < 1e-10 * plan.length  # 12 decimals along a chain of joints


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_written_means_the_same_to_another_evaluator(seed):
    plan, states = example(seed, joints=20)
    text = bvh_text(plan, states, 0.01, decimals=12)
    read = read_bvh(text)
    names = [w[1].strip() for line in text.splitlines() if len(w := line.strip().split(" ", 1)) == 2
             and w[0] in ("ROOT", "JOINT", "End")]  # fmt: skip
    points = evaluated(text)
    assert points.shape[1] == len(names)
    for name, place in zip(names, np.moveaxis(points, 1, 0), strict=True):
        if name != "Site":
            expected = plan.keypoints(states)[:, plan.joint(name)]
            assert np.abs(place - expected).max() < 1e-10 * plan.length
    assert read.plan.n_joints >= plan.n_joints


@pytest.mark.parametrize("decimals", [2, 6])
def test_a_file_read_and_written_is_the_same_to_the_digits(decimals):
    read = read_bvh(ARM)
    text = bvh_text(read.plan, read.state, read.frame_time, decimals=decimals)
    again = read_bvh(text)
    assert again.plan == read.plan
    for one, other in zip(again.state, read.state, strict=True):
        assert one == pytest.approx(other, abs=0.5 * 10.0**-decimals)
    assert bvh_text(again.plan, again.state, again.frame_time, decimals=decimals) == text
    assert text.count("End Site") == 2
    assert [line.split() for line in text.splitlines() if "CHANNELS" in line] == [
        line.split() for line in ARM.splitlines() if "CHANNELS" in line
    ]


def test_hinges_about_coordinate_axes_are_written_as_they_are():
    read = read_bvh(ARM)
    far = read.state._replace(dofs=read.state.dofs + np.deg2rad([360.0, 95, 0, -720, 0, 0, 0, 0, 0, 0, 0]))
    row = bvh_text(read.plan, far, 1.0, decimals=3).splitlines()[-1].split()
    assert [float(word) for word in row[6:10]] == [450, 95, 0, -630]
    down = read.plan.to_dict()
    down["joints"][2]["dofs"][0]["axis"] = [0, -1, 0]
    row = bvh_text(BodyPlan.from_dict(down), read.state, 1.0, decimals=3).splitlines()[-1].split()
    assert float(row[9]) == -90.0


def test_angles_that_are_worked_out_do_not_jump():
    rng = np.random.default_rng(0)
    plan = BodyPlan.from_dict(random_plan(rng, 8, chain=True, fixed_base=False))
    turns = np.linspace(0.0, 4.0 * np.pi, 3000)  # longer than what is worked out at once
    quaternions = np.stack([np.cos(turns / 2), 0 * turns, 0 * turns, np.sin(turns / 2)], axis=-1)
    states = State(np.zeros((3000, 3)), quaternions, np.tile(plan.neutral, (3000, 1)))
    rows = bvh_text(plan, states, 0.01).split("Frame Time: 0.01\n")[1].splitlines()
    values = np.array([row.split() for row in rows], dtype=float)
    assert np.abs(np.diff(values, axis=0)).max() < 1.0


def test_a_single_state_and_a_fixed_base(tmp_path):
    plan, states = example(5, fixed_base=True, joints=10)
    single = State(*(part[0] for part in states))
    file = tmp_path / "pose.bvh"
    write_bvh(file, plan, single, 1 / 120, decimals=12)
    assert file.read_text() == bvh_text(plan, single, 1 / 120, decimals=12)
    read = read_bvh(file)
    assert len(read.state.dofs) == 1
    assert read.frame_time == pytest.approx(1 / 120, abs=1e-11)
    assert apart(read.plan, read.state, plan, State(*(part[:1] for part in states))) < 1e-10 * plan.length
    empty = read_bvh(bvh_text(plan, State(*(part[:0] for part in states)), 0.1))
    assert empty.state.dofs.shape == (0, read.plan.n_dofs)


def test_a_long_chain_is_no_deep_recursion():
    plan, states = example(2, joints=1100, chain=True, dofs=0, frames=1)
    read = read_bvh(bvh_text(plan, states, 0.01, decimals=9))
    assert set(plan.joint_names) <= set(read.plan.joint_names)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"order": "ZXZ"}, "order: expected one of XYZ, .*, got 'ZXZ'"),
    ({"scale": 0}, "scale: expected a positive number, got 0"),
    ({"decimals": 1.5}, "decimals: expected a whole number"),
    ({"frame_time": -0.1}, "frame_time: expected a positive time, got -0.1 s"),
])  # fmt: skip
def test_wrong_arguments_of_the_writer(arguments, message, tmp_path):
    plan, states = example(1, joints=4)
    with pytest.raises(InvalidArgument, match=message):
        write_bvh(tmp_path / "never.bvh", plan, states, **{"frame_time": 0.1, **arguments})
    assert not list(tmp_path.iterdir())


def test_what_bvh_cannot_hold_is_refused(tmp_path):
    plan, states = example(1, joints=4)
    states.dofs[2:4] = np.nan
    with pytest.raises(InvalidArgument, match="state: frame 2 is not finite, and BVH has no gaps"):
        write_bvh(tmp_path / "never.bvh", plan, states, 0.1)
    with pytest.raises(InvalidArgument, match=r"expected one state, or a time axis, got leading axes \(2, 3\)"):
        bvh_text(plan, {"dofs": np.zeros((2, 3, plan.n_dofs))}, 0.1)
    for name in ("a  b", "a\nb", "left {arm}", " a", "Offset b"):
        named = plan.to_dict()
        named["joints"][0]["name"] = name
        for joint in named["joints"][1:]:
            joint["parent"] = name if joint["parent"] == plan.joint_names[0] else joint["parent"]
        with pytest.raises(InvalidArgument, match="cannot be written in a BVH file"):
            bvh_text(BodyPlan.from_dict(named), plan.neutral_state(), 0.1)
    assert not list(tmp_path.iterdir())
