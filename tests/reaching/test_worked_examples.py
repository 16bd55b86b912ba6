"""Worked numbers for the Arctos arm, made with other programs."""

import numpy as np
import pytest

import pantin
from pantin.kinematics import exp3
from pantin.kinematics.batch import frame_placements, log3
from pantin.reaching import ReachOptions, ReachSolver, reach

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


def test_a_move_of_ten_millimetres_that_keeps_the_axis_of_the_tool(model):
    target = frame_placements(model, "bench_tool", Q0)
    target[:3, 3] += 0.01 * frame_placements(model, "flange", Q0)[:3, 0]
    result = reach(model, "bench_tool", target, Q0, mode="axis", options=TIGHT)
    assert result.success
    assert np.degrees(result.q[5]) == pytest.approx(-25.0, abs=1e-9)  # the last joint turns about the shaft
    roll = log3(target[:3, :3] @ frame_placements(model, "bench_tool", result.q)[:3, :3].T)
    assert np.degrees(np.linalg.norm(roll)) == pytest.approx(1.965, abs=0.5e-3)


@pytest.mark.parametrize(
    ("degrees", "axis", "printed"),
    [
        (40.0, (1, 2, 2), (0.2327105669, 0.4654211339, 0.4654211339)),
        (180.0, (1, 2, 2), (1.0471975512, 2.0943951024, 2.0943951024)),
        (-358.0, (0, 0, 1), (0.0, 0.0, np.radians(2.0))),
    ],
)
def test_rotations_that_are_left(model, degrees, axis, printed):
    unit = np.array(axis) / np.linalg.norm(axis)
    turned = exp3(np.radians(degrees) * unit)
    after = turned @ frame_placements(model, "flange", Q0)[:3, :3]
    solver = ReachSolver(model, "flange", mode="orientation")
    error = solver._derivatives(Q0, np.concatenate([after.ravel(), np.zeros(3)]))[0]
    assert error == pytest.approx(printed, abs=0.5e-10)


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
    middle = np.zeros(6)
    assert solver.solve_batch(frame_placements(free, "flange", q), middle).success.mean() >= least
