"""Robust losses on the sample walker: one claw is reported elsewhere, and the others stay."""

import numpy as np
import pytest
from walker import make_walker, walk

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit
from pantin.fitting.state import State

#: Length of an animal 4 long by which a claw that is 2 off may drag others by 0.02 or 0.005, over the walker's.
SIZE = 11.306 / 1.3443
OFF, CAUCHY, GEMAN_MCCLURE = 2.0 * SIZE, 0.02 * SIZE, 0.005 * SIZE


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load(samples.body_plan("walker"))


@pytest.fixture(scope="module")
def poses(plan):
    """Poses of the walk, every 30 frames, and their keypoints."""
    true = walk()
    state = State(true.root_pos[::30], true.root_quat_wxyz[::30], true.dofs[::30])
    return state, plan.keypoints(state)


def dragged(plan, poses, loss, claw, *, warm):
    """Largest way of another keypoint from the fit without the claw, over poses; outliers that are told."""
    state, keypoints = poses
    k = plan.joint(claw)
    wrong = keypoints.copy()
    wrong[:, k, 2] += OFF
    without = keypoints.copy()
    without[:, k] = np.nan
    solver = FitSolver(plan, FitOptions(loss=loss))
    farthest, told = 0.0, []
    for t in range(len(keypoints)):
        init = State(*(part[t] for part in state)) if warm else None
        one, other = solver.solve(without[t], init=init), solver.solve(wrong[t], init=init)
        away = np.linalg.norm(np.delete(one.keypoints - other.keypoints, k, axis=0), axis=1)
        farthest = max(farthest, away.max())
        told.append(other.outlier)
    return farthest, np.array(told), k


@pytest.mark.parametrize("claw", ["L1_claw", "R2_claw", "R3_claw"])
def test_one_claw_elsewhere_warm(plan, poses, claw):
    way, told, k = dragged(plan, poses, "cauchy", claw, warm=True)
    assert way < CAUCHY
    assert told[:, k].all()
    assert told.sum() == len(told)
    way, told, k = dragged(plan, poses, "geman_mcclure", claw, warm=True)
    assert way < GEMAN_MCCLURE
    assert told[:, k].all()
    assert told.sum() == len(told)


@pytest.mark.parametrize("claw", ["L1_claw", "R2_claw", "R3_claw"])
def test_one_claw_elsewhere_cold(plan, poses, claw):
    way, told, k = dragged(plan, poses, "geman_mcclure", claw, warm=False)
    assert way < GEMAN_MCCLURE
    assert told[:, k].all()


def test_squares_and_their_milder_kin_are_dragged(plan, poses):
    linear, told, _ = dragged(plan, poses, "linear", "L1_claw", warm=True)
    assert linear > 0.1 * OFF
    assert not told.any()
    for loss in ("huber", "soft_l1"):
        way, _, _ = dragged(plan, poses, loss, "L1_claw", warm=True)
        assert way > CAUCHY / 2


def test_the_two_mistakes_of_the_recording_are_found(plan):
    true = walk()
    rng = np.random.default_rng(0)
    positions = true.keypoints + make_walker.NOISE * rng.normal(size=true.keypoints.shape)
    for frame, name, off in make_walker.OUTLIERS:
        positions[frame, plan.joint(name)] += off
    result = fit(plan, positions, options=FitOptions(loss="geman_mcclure"))
    wrong = {(frame, plan.joint(name)) for frame, name, _ in make_walker.OUTLIERS}
    assert wrong == set(map(tuple, np.argwhere(result.outlier).tolist()))
    assert not fit(plan, positions).outlier.any()
