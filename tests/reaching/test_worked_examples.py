"""Worked numbers for the Arctos arm, made with other programs."""

import numpy as np
import pytest

import pantin
from pantin.kinematics.batch import frame_placements
from pantin.reaching import ReachOptions, reach

#: Where the examples start.
Q0 = np.radians([20.0, 35.0, -30.0, 15.0, 40.0, -25.0])
TIGHT = ReachOptions(position_tolerance=1e-10, rotation_tolerance=1e-10, max_starts=1)


@pytest.fixture(scope="module")
def model():
    return pantin.load("arctos")


def test_a_move_of_ten_millimetres_along_x_of_the_flange(model):
    target = frame_placements(model, "flange", Q0)
    target[:3, 3] += 0.01 * target[:3, 0]
    result = reach(model, "flange", target, Q0, options=TIGHT)
    printed = [21.267364, 34.326981, -29.175074, 13.380499, 39.837777, -23.034688]
    assert result.success
    # the printed angles are those of a solver that stopped within 1e-6 m: they leave 0.62e-6 m, some 3e-4 degrees
    assert np.linalg.norm(frame_placements(model, "flange", np.radians(printed))[:3, 3] - target[:3, 3]) < 1e-6
    assert np.abs(np.degrees(result.q) - printed).max() <= 3e-4
    assert result.starts == 1


def test_a_position_out_of_the_workspace_is_approached_as_far_as_printed(model):
    result = reach(model, "flange", (0.6, -0.6, 0.4), Q0, mode="position")
    assert result.status == "out_of_workspace"
    assert result.position_error <= 0.269937 + 0.6e-6


@pytest.mark.parametrize(("starts", "least"), [(1, 0.78), (10, 0.97), (20, 0.995), (40, 0.999)])
def test_cold_poses_are_reached_as_often_as_required(model, starts, least):
    random = np.random.default_rng(0)
    q = random.uniform(model.lower_position_limit, model.upper_position_limit, size=(2000, 6))
    solver = pantin.ReachSolver(model, "flange", options=ReachOptions(max_starts=starts))
    assert solver.solve_batch(frame_placements(model, "flange", q)).success.mean() >= least


@pytest.mark.parametrize(("span", "least"), [(180.0, 0.95), (90.0, 0.99)])
def test_poses_without_limits_are_reached_from_one_start_as_often_as_required(model, span, least):
    free = model.copy()
    free.lower_position_limit[:], free.upper_position_limit[:] = -np.inf, np.inf
    q = np.radians(np.random.default_rng(1).uniform(-span, span, size=(1000, 6)))
    solver = pantin.ReachSolver(free, "flange", options=ReachOptions(max_starts=1))
    assert solver.solve_batch(frame_placements(free, "flange", q)).success.mean() >= least
