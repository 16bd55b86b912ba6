"""Recordings with faults: what is broken stays broken, and what comes after is as if nothing had been."""

import numpy as np
import pytest
from hand_made import smooth_states
from random_plans import random_plan
from reference_tree import from_rotation_vector
from walker import make_walker, walk

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit

FRAMES = 240
#: First frame of each fault, and the first frame that is compared after it.
FAULT, AFTER = 100, 112


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load(samples.body_plan("walker"))


@pytest.fixture(scope="module")
def positions():
    true = walk()
    rng = np.random.default_rng(0)
    return true.keypoints[:FRAMES] + make_walker.NOISE * rng.normal(size=(FRAMES, *true.keypoints.shape[1:]))


@pytest.fixture(scope="module")
def clean(plan, positions):
    result = fit(plan, positions)
    assert np.all(result.status == "converged")
    return result


def nan_block(positions):
    positions[FAULT:AFTER, 3:17] = np.nan


def nothing_for_a_while(positions):
    positions[FAULT:AFTER] = np.nan


def one_empty_frame(positions):
    positions[FAULT] = np.nan


def a_jump_of_the_root(positions):
    turn = from_rotation_vector([0.0, 0.0, np.pi])
    centre = positions[FAULT].mean(axis=0)
    positions[FAULT:AFTER] = (positions[FAULT:AFTER] - centre) @ turn.T + centre


def an_infinite_coordinate(positions):
    positions[FAULT, 9, 1] = np.inf
    positions[FAULT + 1, 12, 2] = -np.inf


def a_frame_of_zeros(positions):
    positions[FAULT] = 0.0


def a_frame_far_away(positions):
    positions[FAULT] *= 1e6


def a_frame_of_nonsense(positions):
    positions[FAULT : FAULT + 3] = np.random.default_rng(1).normal(scale=30.0, size=(3, *positions.shape[1:]))


def huge_numbers(positions):
    positions[FAULT, 4] = 1e300


FAULTS = (
    nan_block,
    nothing_for_a_while,
    one_empty_frame,
    a_jump_of_the_root,
    an_infinite_coordinate,
    a_frame_of_zeros,
    a_frame_far_away,
    a_frame_of_nonsense,
    huge_numbers,
)


@pytest.mark.parametrize("loss", ["linear", "cauchy"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_frames_after_a_fault_are_as_without_it(plan, positions, clean, fault, loss):
    options = FitOptions(loss=loss)
    good = clean if loss == "linear" else fit(plan, positions, options=options)
    broken = positions.copy()
    fault(broken)
    result = fit(plan, broken, options=options)
    assert np.array_equal(result.dofs[:FAULT], good.dofs[:FAULT])
    assert np.abs(result.dofs - good.dofs)[AFTER:].max() < 1e-4
    assert np.abs(result.root_pos - good.root_pos)[AFTER:].max() < 1e-4 * plan.length
    for one, other in zip(result.root_quat_wxyz[AFTER:], good.root_quat_wxyz[AFTER:], strict=True):
        assert abs(one @ other) > 1.0 - 1e-8
    for part in (result.root_pos, result.root_quat_wxyz, result.dofs, result.cost):
        assert np.isfinite(part).all()
    assert np.all((result.dofs >= plan.lower) & (result.dofs <= plan.upper))


def test_a_jump_of_the_root_is_followed(plan, positions, clean):
    broken = positions.copy()
    a_jump_of_the_root(broken)
    result = fit(plan, broken)
    assert result.cost[FAULT:AFTER] == pytest.approx(clean.cost[FAULT:AFTER], rel=1e-4)


def test_what_a_fault_is_called(plan, positions):
    broken = positions.copy()
    nothing_for_a_while(broken)
    result = fit(plan, broken)
    assert np.all(result.status[FAULT:AFTER] == "no_observations")
    assert not result.success[FAULT:AFTER].any()
    assert not result.seen[FAULT:AFTER].any()
    assert np.isnan(result.residual[FAULT:AFTER]).all()
    broken = positions.copy()
    an_infinite_coordinate(broken)
    assert fit(plan, broken).infinite == 2


@pytest.mark.parametrize("value", [np.nan, 0.0, 1e9])
def test_bad_frames_of_any_plan(value):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        plan = BodyPlan.from_dict(random_plan(rng, int(rng.integers(2, 20)), limits=0.5))
        positions = plan.keypoints(smooth_states(plan, 60, seed))
        good = fit(plan, positions)
        broken = positions.copy()
        broken[[0, 1, 15, 16]] = value
        broken[20, rng.integers(plan.n_joints)] = np.inf
        result = fit(plan, broken)
        assert np.abs(plan.keypoints(result.state) - plan.keypoints(good.state))[25:].max() < 1e-3 * plan.length


def test_the_first_frames_may_be_empty(plan, positions, clean):
    late = positions.copy()
    late[:20] = np.nan
    result = fit(plan, late)
    assert np.abs(result.dofs - clean.dofs)[25:].max() < 1e-4


def test_no_frames_at_all(plan):
    for empty in (np.empty((0, 31, 3)), np.full((4, 31, 3), np.nan)):
        result = fit(plan, empty)
        assert len(result) == len(empty)
        assert result.dofs.shape == (len(empty), 42)
        assert np.all(result.status == "no_observations")
        assert result.observability.shape == (len(empty), 42)


def test_hinges_without_limits_go_on_turning():
    content = {
        "fixed_base": True,
        "joints": [
            {"name": "base", "parent": None, "offset_pos": [0, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
            {
                "name": "wheel",
                "parent": "base",
                "offset_pos": [0, 0, 1],
                "offset_quat": [1, 0, 0, 0],
                "dofs": [{"type": "hinge", "axis": [0, 0, 1], "neutral": 0.0}],
            },
            {"name": "rim", "parent": "wheel", "offset_pos": [1, 0, 0], "offset_quat": [1, 0, 0, 0], "dofs": []},
        ],
    }
    plan = BodyPlan.from_dict(content)
    angle = np.linspace(0.0, 8.0 * np.pi, 200)[:, None]
    positions = plan.keypoints({"dofs": angle})
    options = FitOptions(neutral_weight=0.0)
    assert fit(plan, positions, options=options).dofs == pytest.approx(angle, abs=1e-6)
    wrapped = fit(plan, positions, options=FitOptions(neutral_weight=0.0, wrap=True)).dofs
    assert np.all((wrapped > -np.pi) & (wrapped <= np.pi))
    assert np.exp(1j * wrapped) == pytest.approx(np.exp(1j * angle), abs=1e-6)


def test_quaternions_go_on_without_a_change_of_sign(plan, positions):
    turns = np.array([from_rotation_vector([0.0, 0.0, angle]) for angle in np.linspace(0.0, 4.0 * np.pi, FRAMES)])
    result = fit(plan, np.einsum("tij,tkj->tki", turns, positions))
    quat = result.root_quat_wxyz
    assert np.all(np.sum(quat[1:] * quat[:-1], axis=1) > 0.9)
    assert np.linalg.norm(quat, axis=1) == pytest.approx(np.ones(FRAMES), abs=1e-12)
    assert FitSolver(plan).solve(positions[0]).root_quat_wxyz[0] >= 0.0
