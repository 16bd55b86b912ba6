"""Distances between keypoints: linkages by hand, minima by SciPy, what is missing, and the doors."""

import numpy as np
import pytest
from random_plans import random_plan, random_state
from stacked import Stacked
from worked_examples import X, Z, hinge, joint, slide
from worked_examples import plan as content

from pantin.errors import InvalidArgument, UnknownJoint
from pantin.fitting import BodyPlan, Distance, FitOptions, FitSolver, Points3D, fit
from pantin.fitting.state import State

EXACT = FitOptions(neutral_weight=0.0, scale_free=False)


def at(dofs):
    """A state of a plan on a fixed base."""
    return State(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.asarray(dofs, dtype=float))


@pytest.mark.parametrize("crank", np.linspace(-2.8, 2.8, 7))
@pytest.mark.parametrize("branch", [1.0, -1.0])
def test_a_four_bar_linkage(crank, branch):
    """Ground 4, crank 1, coupler 3.5, rocker 3: the rocker's angle by the law of cosines."""
    plan = BodyPlan.from_dict(
        content(
            joint("ground", None, (0, 0, 0)),
            joint("crank", "ground", (0, 0, 0), hinge(Z)),
            joint("crank tip", "crank", (1, 0, 0)),
            joint("rocker", "ground", (4, 0, 0), hinge(Z)),
            joint("rocker tip", "rocker", (3, 0, 0)),
        )
    )
    B = np.array([np.cos(crank), np.sin(crank), 0.0])
    apart = np.hypot(B[0] - 4.0, B[1])
    rocker = np.arctan2(B[1], B[0] - 4.0) + branch * np.arccos((9.0 + apart**2 - 3.5**2) / (6.0 * apart))
    seen = np.full((5, 3), np.nan)
    seen[plan.joint("crank tip")] = B
    solver = FitSolver(plan, EXACT, [Points3D(), Distance((("crank tip", "rocker tip"),))])
    result = solver.solve([seen, [3.5]], init=at([crank + 0.2, rocker - 0.3]))
    assert result.dofs == pytest.approx([crank, rocker], abs=1e-7)
    assert result.cost == pytest.approx(0.0, abs=1e-14)
    assert result.success


RAIL = content(
    joint("wall", None, (0, 0, 0), weight_scaler=4.0),
    joint("cart", "wall", (0, 0, 0), slide(X)),
    joint("hook", "cart", (0, 0, 0), weight_scaler=9.0),
)


def test_weights_and_scalers():
    """A hook on a rail is seen at 1 and told to be 2 from the wall: the mean by weights 9·w and sqrt(4·9)·v."""
    plan = BodyPlan.from_dict(RAIL)
    seen = np.full((3, 3), np.nan)
    seen[2] = [1.0, 0.0, 0.0]
    w, v = 0.5, 0.25
    solver = FitSolver(plan, EXACT, [Points3D(), Distance((("hook", "wall"),))])
    result = solver.solve([seen, [2.0]], [np.full(3, w), [v]], init=at([0.7]))
    heavy, tied = 9.0 * w, 6.0 * v
    place = (heavy * 1.0 + tied * 2.0) / (heavy + tied)
    assert result.dofs == pytest.approx([place], abs=1e-9)
    assert result.cost_data == pytest.approx([heavy * (place - 1.0) ** 2, tied * (2.0 - place) ** 2])
    assert result.residuals[1] == pytest.approx([2.0 - place])


@pytest.mark.parametrize("loss", ["linear", "huber", "geman_mcclure"])
def test_ends_that_coincide(loss):
    """They leave each other; where they ought to coincide they stay."""
    solver = FitSolver(
        BodyPlan.from_dict(RAIL),
        FitOptions(neutral_weight=0.0, loss=loss, loss_scale=3.0),
        Distance((("hook", "wall"),)),
    )
    assert np.abs(solver.solve([0.5], init=at([0.0])).dofs) == pytest.approx([0.5], abs=1e-9)
    assert solver.solve([0.0], init=at([0.0])).dofs == pytest.approx([0.0])
    assert solver.solve([0.0], init=at([0.3])).dofs == pytest.approx([0.0], abs=1e-6)


def case(seed, noise=0.02):
    """A random plan, a state, sources of points and distances, and what they observe with noise and gaps."""
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, int(rng.integers(5, 14)), slides=False))
    state = random_state(plan, rng)
    keypoints, names = plan.keypoints(state), plan.joint_names
    pairs = [rng.choice(plan.n_joints, 2, replace=False) for _ in range(5)]
    distances = np.array([np.linalg.norm(keypoints[a] - keypoints[b]) for a, b in pairs])
    points = keypoints + noise * plan.length * rng.normal(size=keypoints.shape)
    points[rng.random(len(points)) < 0.3] = np.nan
    distances = np.abs(distances + noise * plan.length * rng.normal(size=5))
    distances[rng.integers(5)] = np.nan
    sources = [Points3D(), Distance(tuple((names[a], names[b]) for a, b in pairs))]
    return plan, state, sources, [points, distances]


@pytest.mark.parametrize("loss", ["linear", "soft_l1", "cauchy"])
@pytest.mark.parametrize("seed", range(3))
def test_no_minimum_of_scipy_is_lower(seed, loss):
    plan, state, sources, seen = case(seed)
    options = FitOptions(loss=loss, max_iterations=200, neutral_weight=1e-2)
    result = FitSolver(plan, options, sources).solve(seen, init=state)
    stacked = Stacked(plan, options, sources, seen, [plan.length, plan.length])
    assert stacked.cost(result.state) == pytest.approx(result.cost, rel=1e-9)
    assert result.cost <= stacked.minimum(state) * (1.0 + 1e-6)


def test_missing_distances():
    plan, state, sources, (points, distances) = case(1)
    options = FitOptions(gap="prior")
    solver = FitSolver(plan, options, sources)
    bare = FitSolver(plan, options).solve(points, init=state)
    nothing = solver.solve([points, np.full(5, np.nan)], init=state)
    assert nothing.dofs == pytest.approx(bare.dofs, abs=1e-6)
    assert np.isnan(nothing.residuals[1]).all()
    assert not nothing.outliers[1].any()
    lacking = np.isnan(distances)
    one = solver.solve([points, distances], init=state)
    other = solver.solve([points, np.where(lacking, 7.0, distances)], [None, np.where(lacking, 0.0, 1.0)], init=state)
    assert one.dofs.tobytes() == other.dofs.tobytes()
    assert np.isnan(one.residuals[1]).tolist() == lacking.tolist()
    assert one.cost != pytest.approx(bare.cost, rel=1e-3)


def test_the_unit_of_length_is_nothing():
    plan, state, sources, seen = case(2)
    facts = plan.to_dict()
    for each in facts["joints"]:
        each["offset_pos"] = [1000.0 * x for x in each["offset_pos"]]
    larger = BodyPlan.from_dict(facts)
    one = FitSolver(plan, source=sources).solve(seen, init=state)
    init = State(1000.0 * state.root_pos, state.root_quat_wxyz, state.dofs)
    other = FitSolver(larger, source=sources).solve([1000.0 * each for each in seen], init=init)
    assert other.dofs == pytest.approx(one.dofs, abs=1e-6)
    assert other.residuals[1] == pytest.approx(1000.0 * one.residuals[1], rel=1e-5, nan_ok=True)


def test_a_wrong_distance_is_an_outlier():
    plan, _, sources, (points, distances) = case(3, noise=1e-3)
    wrong = int(np.flatnonzero(~np.isnan(distances))[0])
    distances[wrong] += plan.length
    result = FitSolver(plan, FitOptions(loss="cauchy"), sources).solve([points, distances])
    assert np.flatnonzero(result.outliers[1]).tolist() == [wrong]
    assert not result.outliers[0].any()


def test_lanes_and_threads_change_nothing():
    plan, state, sources, (points, distances) = case(0)
    rng = np.random.default_rng(0)
    seen = [each + 1e-3 * rng.normal(size=(60, *each.shape)) for each in (points, distances)]
    kwargs = {"source": sources, "init": state}
    single = fit(plan, seen, **kwargs)
    one, other = (fit(plan, seen, segments=15, workers=workers, **kwargs) for workers in (1, 2))
    assert one.dofs.tobytes() == other.dofs.tobytes()
    assert one.cost == pytest.approx(single.cost, rel=1e-6)


def test_doors():
    plan = BodyPlan.from_dict(RAIL)
    pair = Distance((("hook", "wall"),))
    with pytest.raises(InvalidArgument, match="one source of distances, with all their pairs, got 2"):
        FitSolver(plan, source=[pair, pair])
    with pytest.raises(UnknownJoint, match="hok"):
        FitSolver(plan, source=Distance((("hok", "wall"),)))
    with pytest.raises(InvalidArgument, match="negative"):
        FitSolver(plan, source=pair).solve([-1.0])
    with pytest.raises(InvalidArgument, match="shape"):
        FitSolver(plan, source=pair).solve([1.0, 2.0])
