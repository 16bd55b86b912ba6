"""Other programs find the keypoints of the fit where it says they are: files are read back by independent readers."""

import json

import numpy as np
import pytest
from hand_made import hand_made, smooth_states
from random_plans import random_plan
from scipy.spatial.transform import Rotation
from worked_examples import HOPPER

from pantin.errors import InvalidArgument
from pantin.fitting.convert.bvh import read_bvh
from pantin.fitting.plan import BodyPlan
from pantin.fitting.recordings import read_recording
from pantin.fitting.state import State

MILLIMETRES = 1000.0


def plans():
    """The hopper, which is free, and trees of many branches on a free and on a fixed base, in metres."""
    yield BodyPlan.from_dict(HOPPER)
    for fixed in (False, True):
        content = random_plan(np.random.default_rng(3), 15, fixed_base=fixed)
        yield BodyPlan.from_dict({**content, "x-pantin": {"length_unit": "m"}})


PLANS = list(plans())


@pytest.fixture(params=PLANS, ids=["hopper", "free", "fixed"])
def result(request):
    return hand_made(request.param, 25, time=0.5 + 0.02 * np.arange(25))


def trc_of(path):
    """Header, names, times and markers of a TRC file, shape (T, K, 3)."""
    lines = path.read_text(encoding="utf-8").split("\n")
    header = dict(zip(lines[1].split("\t"), lines[2].split("\t"), strict=True))
    rows = [line.split("\t") for line in lines[6:] if line]
    numbers = np.array([[float(cell or "nan") for cell in row] for row in rows])
    assert numbers[:, 0].tolist() == list(range(1, len(rows) + 1))
    return header, lines[3].rstrip("\t").split("\t")[2::3], numbers[:, 1], numbers[:, 2:].reshape(len(rows), -1, 3)


def mot_of(path):
    """Header and columns of a MOT file."""
    head, body = path.read_text(encoding="utf-8").split("endheader\n")
    header = dict(line.split("=") for line in head.splitlines() if "=" in line)
    names, *rows = (line.split("\t") for line in body.splitlines())
    return header, {
        name: np.array(column, dtype=float) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }


def test_trc_has_the_keypoints(result, tmp_path):
    result.export(tmp_path / "motion.trc", unit="mm")
    header, names, time, markers = trc_of(tmp_path / "motion.trc")
    assert (header["Units"], float(header["DataRate"])) == ("mm", pytest.approx(50.0))
    assert int(header["NumFrames"]) == len(result)
    assert int(header["NumMarkers"]) == len(names)
    assert tuple(names) == result.plan.joint_names
    assert time.tolist() == result.time.tolist()
    assert np.array_equal(markers, MILLIMETRES * result.keypoints)


def test_our_own_reader_takes_trc_back(result, tmp_path):
    result.export(tmp_path / "motion.trc")
    recording = read_recording(tmp_path / "motion.trc")
    assert recording.unit == "m"
    assert np.array_equal(recording.positions, result.keypoints)


def test_keypoints_that_are_not_known_are_left_empty(tmp_path):
    dofs = smooth_states(PLANS[0], 5).dofs.copy()
    dofs[2, 2] = np.nan  # the knee, from which the foot hangs
    result = hand_made(PLANS[0], 5, dofs=dofs)
    result.export(tmp_path / "motion.trc")
    markers = trc_of(tmp_path / "motion.trc")[3]
    assert np.isnan(markers[2, 3]).all()
    assert np.count_nonzero(np.isnan(markers)) == 3


def test_mot_has_the_pose(result, tmp_path):
    result.export(tmp_path / "motion.mot", unit="mm")
    header, columns = mot_of(tmp_path / "motion.mot")
    assert (header["inDegrees"], int(header["nRows"]), int(header["nColumns"])) == ("yes", 25, len(columns))
    assert columns["time"].tolist() == result.time.tolist()
    plan, root = result.plan, result.state
    if not plan.fixed_base:
        turns = np.stack([columns[f"root_r{axis}"] for axis in "xyz"], axis=1)
        quat = Rotation.from_euler("XYZ", turns, degrees=True).as_quat()[:, [3, 0, 1, 2]]
        pos = np.stack([columns[f"root_t{axis}"] for axis in "xyz"], axis=1) / MILLIMETRES
        root = State(pos, quat, root.dofs)
    dofs = np.stack([columns[name] for name in plan.dof_names], axis=1)
    dofs = np.where(plan.dof_is_slide, dofs / MILLIMETRES, np.deg2rad(dofs))
    again = plan.keypoints(root._replace(dofs=dofs))
    assert np.abs(again - result.keypoints).max() < 1e-12 * plan.length


def test_mujoco_places_the_keypoints_by_qpos(result, tmp_path):
    mujoco = pytest.importorskip("mujoco")
    result.export(tmp_path / "motion.npz")
    stored = np.load(tmp_path / "motion.npz")
    model = mujoco.MjModel.from_xml_string(result.plan.to_mjcf())
    data = mujoco.MjData(model)
    for name, place in zip(stored["names"], range(model.nq), strict=True):
        if name in result.plan.dof_names:
            assert model.joint(str(name)).qposadr[0] == place
    assert stored["time"].tolist() == result.time.tolist()
    for qpos, keypoints in zip(stored["qpos"], result.keypoints, strict=True):
        data.qpos[:] = qpos
        mujoco.mj_kinematics(model, data)
        placed = [data.body(name).xpos for name in result.plan.joint_names]
        assert np.abs(placed - keypoints).max() < 1e-12 * result.plan.length


def test_bvh_has_the_motion(result, tmp_path):
    result.export(tmp_path / "motion.bvh", unit="cm")
    bvh = read_bvh(tmp_path / "motion.bvh", scale=0.01)
    assert bvh.frame_time == pytest.approx(0.02)
    keypoints = np.moveaxis(bvh.plan.keypoints(bvh.state), 1, 0)
    for place in range(result.plan.n_joints):  # some are end sites, which have no names
        apart = np.abs(keypoints - result.keypoints[:, place]).max(axis=(1, 2))
        # nine digits behind the point of degrees, over a chain of bones
        assert apart.min() < 1e-8 * result.plan.length


@pytest.mark.parametrize("ending", ["trc", "mot", "bvh", "npz"])
def test_one_frame_is_a_motion_of_one(tmp_path, ending):
    one = hand_made(PLANS[0], None, time=None)
    one.export(tmp_path / f"pose.{ending}")
    assert [place.name for place in tmp_path.iterdir()] == [f"pose.{ending}"]


@pytest.mark.parametrize("ending", ["trc", "mot", "bvh", "npz"])
def test_what_is_not_known_is_asked_for(tmp_path, ending):
    path = tmp_path / f"motion.{ending}"
    timeless = hand_made(PLANS[0], 5, time=None)
    with pytest.raises(InvalidArgument, match="rate: the result has no times"):
        timeless.export(path)
    with pytest.raises(InvalidArgument, match="rate: the result has times"):
        hand_made(PLANS[0], 5).export(path, rate=50.0)
    timeless.export(path, rate=50.0)
    path.unlink()
    if ending in ("trc", "mot"):
        bare = BodyPlan.from_dict({key: value for key, value in HOPPER.items() if key != "x-pantin"})
        with pytest.raises(InvalidArgument, match="unit: the plan does not tell"):
            hand_made(bare, 5).export(path)
        hand_made(bare, 5).export(path, unit="mm")
        with pytest.raises(InvalidArgument, match="unit: expected a unit of length"):
            hand_made(bare, 5).export(path, unit="px")
    assert list(tmp_path.glob(".*")) == []


def test_what_a_format_cannot_say_is_refused(tmp_path):
    jumping = hand_made(PLANS[0], 3, time=[0.0, 0.1, 0.5])
    with pytest.raises(InvalidArgument, match="even times"):
        jumping.export(tmp_path / "motion.bvh")
    jumping.export(tmp_path / "motion.trc")
    with pytest.raises(InvalidArgument, match="leave the unit out"):
        jumping.export(tmp_path / "motion.npz", unit="m")
    with pytest.raises(InvalidArgument, match=r"ends in \.trc, \.mot, \.bvh, \.npz"):
        jumping.export(tmp_path / "motion.fbx")
    tabbed = {**HOPPER, "joints": [{**HOPPER["joints"][0], "name": "a\tb"}]}
    with pytest.raises(InvalidArgument, match="tab or line end"):
        hand_made(BodyPlan.from_dict(tabbed), 3).export(tmp_path / "tabbed.trc")
    text = json.dumps(HOPPER).replace("hip_yaw", "root_tx")
    with pytest.raises(InvalidArgument, match="'root_tx'"):
        hand_made(BodyPlan.from_dict(json.loads(text)), 3).export(tmp_path / "root.mot")
    assert [place.name for place in tmp_path.iterdir()] == ["motion.trc"]
