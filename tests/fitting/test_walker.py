"""The sample walker is what its script makes, walks as animals do, and its recording has the faults it tells of."""

import csv
import json

import numpy as np
import pytest
from walker import make_walker

from pantin import samples
from pantin.errors import UnknownSample

#: The script brings claws to their feet by 12 steps of Gauss-Newton, against a pull of 1e-3 mm/rad.
PLANTED = 1e-4


@pytest.fixture(scope="module")
def plan():
    return json.loads(samples.body_plan("walker").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def walk():
    return make_walker.truth()


@pytest.fixture(scope="module")
def table():
    """Columns of the recording, NaN where a cell is empty."""
    with samples.recording("walker").open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    values = np.array([[float(cell or "nan") for cell in row] for row in rows])
    return dict(zip(names, values.T, strict=True))


@pytest.fixture(scope="module")
def points(plan, table):
    """Recorded points, shape (300, 31, 3), mm, and their confidences."""
    names = [joint["name"] for joint in plan["joints"]]
    places = np.stack([np.stack([table[f"{name}_{axis}"] for axis in "xyz"], axis=-1) for name in names], axis=1)
    return places, np.stack([table[f"{name}_confidence"] for name in names], axis=1)


def test_script_writes_the_files_that_ship():
    assert samples.body_plan("walker").read_text(encoding="utf-8") == make_walker.plan_text()
    assert samples.recording("walker").read_text(encoding="utf-8") == make_walker.recording_text()


def test_plan_has_six_equal_legs(plan):
    names = [joint["name"] for joint in plan["joints"]]
    dofs = [dof for joint in plan["joints"] for dof in joint["dofs"]]
    assert (len(names), len(dofs)) == (31, 42)
    assert plan["x-pantin"]["length_unit"] == "mm"
    assert sorted(name for pair in plan["x-pantin"]["mirror"] for name in pair) == sorted(set(names) - {"body"})
    for dof in dofs:
        low, high = dof["limits"]
        assert low < dof["neutral"] < high


def test_offsets_are_unit_quaternions_to_the_last_digit(plan):
    norms = [np.linalg.norm(joint["offset_quat"]) for joint in plan["joints"]]
    np.testing.assert_allclose(norms, 1.0, atol=1e-15)


def test_equal_angles_are_mirror_images(plan, walk):
    names = [joint["name"] for joint in plan["joints"]]
    standing = np.tile(walk.dofs[17].reshape(2, 21)[0], 2)[None]
    places = make_walker.keypoints(plan["joints"], np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), standing)[0]
    for left, right in plan["x-pantin"]["mirror"]:
        np.testing.assert_allclose(
            places[names.index(left)] * [1, -1, 1], places[names.index(right)], atol=1e-14
        )  # a few roundings


def test_limits_hold_and_motion_is_smooth(plan, walk):
    limits = np.array([dof["limits"] for joint in plan["joints"] for dof in joint["dofs"]])
    assert np.all((walk.dofs > limits[:, 0]) & (walk.dofs < limits[:, 1]))
    assert np.abs(np.diff(walk.dofs, axis=0)).max() < np.radians(6.0)
    assert np.abs(np.diff(walk.dofs, n=2, axis=0)).max() < np.radians(2.0)
    np.testing.assert_allclose(np.linalg.norm(walk.root_quat_wxyz, axis=-1), 1.0, atol=1e-15)


def test_feet_on_the_ground_stay_there_and_carry_the_body(plan, walk):
    claws = [i for i, joint in enumerate(plan["joints"]) if joint["name"].endswith("claw")]
    feet = walk.keypoints[:, claws]
    down = feet[..., 2] < PLANTED
    assert down.sum(axis=1).min() >= 3
    both = down[1:] & down[:-1]
    assert np.linalg.norm(np.diff(feet, axis=0)[both], axis=-1).max() < PLANTED
    assert feet[..., 2].min() > -PLANTED
    assert feet[..., 2].max() == pytest.approx(make_walker.LIFT, abs=PLANTED)
    assert np.linalg.norm(walk.root_pos[-1] - walk.root_pos[0]) > 40.0


def test_recording_is_the_walk_but_for_the_faults_it_tells(plan, walk, table, points):
    names = [joint["name"] for joint in plan["joints"]]
    places, confidence = points
    np.testing.assert_allclose(table["time"], walk.time, atol=1e-12)
    off = np.linalg.norm(places - walk.keypoints, axis=-1)
    wild = {(frame, names.index(name)) for frame, name, _ in make_walker.OUTLIERS}
    assert {(int(t), int(k)) for t, k in np.argwhere(off > 2.0)} == wild
    assert all(confidence[at] > 0.9 for at in wild)
    sure = (confidence > 0.8) & (off < 2.0)
    assert sure.mean() > 0.96
    root_mean_square = np.sqrt(np.mean((places - walk.keypoints)[sure] ** 2))
    assert root_mean_square == pytest.approx(make_walker.NOISE, rel=0.02)  # of 27000 numbers
    assert np.median(off[(confidence > 0.0) & (confidence < 0.8)]) > 4.0 * np.median(off[sure])


def test_gaps_are_empty_and_without_confidence(plan, points):
    places, confidence = points
    hidden = np.isnan(places).all(axis=-1)
    assert np.array_equal(hidden, np.isnan(places).any(axis=-1))
    assert np.array_equal(hidden, confidence == 0.0)
    leg = [i for i, joint in enumerate(plan["joints"]) if joint["name"].startswith("L2_")]
    assert len(leg) == 5
    assert np.array_equal(np.flatnonzero(hidden[:, leg].all(axis=1)), np.arange(140, 170))
    assert hidden.sum() == sum(
        length * sum(joint["name"].startswith(name) for joint in plan["joints"]) for _, length, name in make_walker.GAPS
    )


def test_recording_is_small():
    assert samples.recording("walker").stat().st_size < 300_000


@pytest.mark.parametrize("door", [samples.body_plan, samples.recording])
def test_unknown_animal_names_the_nearest(door):
    with pytest.raises(UnknownSample, match="no sample 'walkr'; did you mean 'walker'"):
        door("walkr")
