"""Several sources in one fit, against a stack of residuals; orientations alone; cameras cold, far away and behind."""

import numpy as np
import pytest
from random_plans import random_plan, random_state
from scipy.spatial.transform import Rotation
from stacked import Stacked
from walker import make_walker
from worked_examples import X, Y, Z, hinge, joint, slide
from worked_examples import plan as content

from pantin import samples
from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, Camera, Distance, FitOptions, FitSolver, Orientation, Points3D, XYView
from pantin.fitting.state import State


def rig(count, length, distance=8.0):
    """Cameras around the origin that look at it."""
    turns = [Rotation.from_euler("yx", [1.1 * i, 0.35 * (i + 1)]).as_matrix() for i in range(count)]
    return [Camera(900.0, 880.0, 640.0, 480.0, R, [0.0, 0.0, distance * length]) for R in turns]


def orientations(plan, state, names):
    """Quaternions of joints' exit frames."""
    source = Orientation(names)
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (len(names), 1))
    stacked = Stacked(plan, FitOptions(), [source], [identity], [1.0])
    left, _ = stacked.misfits(source, identity, state)
    return Rotation.from_rotvec(-left).as_quat(scalar_first=True)


def everything(seed, cameras):
    """A random plan, a state of it, all kinds of sources, and what they see with noise and gaps."""
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, int(rng.integers(5, 9)), limits=0.3))
    state = random_state(plan, rng)
    state = State(0.3 * state.root_pos, state.root_quat_wxyz, state.dofs)
    X, names, L = plan.keypoints(state), plan.joint_names, plan.length
    pairs = [rng.choice(plan.n_joints, 2, replace=False) for _ in range(3)]
    sensed = tuple(names[k] for k in rng.choice(plan.n_joints, 3, replace=False))
    views = rig(cameras, L)
    turned = Rotation.from_rotvec(0.03 * rng.normal(size=(3, 3)))
    seen = [
        X + 0.02 * L * rng.normal(size=X.shape),
        X[:, :2] + 0.02 * L * rng.normal(size=(len(X), 2)),
        *(view.project(X) + 3.0 * rng.normal(size=(len(X), 2)) for view in views),
        (turned * Rotation.from_quat(orientations(plan, state, sensed), scalar_first=True)).as_quat(scalar_first=True),
        np.array([np.linalg.norm(X[a] - X[b]) for a, b in pairs]) * (1.0 + 0.02 * rng.normal(size=3)),
    ]
    for each in seen:
        each[rng.random(len(each)) < 0.2] = np.nan
    ties = Distance(tuple((names[a], names[b]) for a, b in pairs))
    weights = [rng.uniform(0.5, 2.0, len(each)) for each in seen]
    return plan, state, [Points3D(), XYView(), *views, Orientation(sensed), ties], seen, weights


@pytest.mark.parametrize(
    ("cameras", "loss"), [(1, "linear"), (2, "linear"), (3, "linear"), (1, "huber"), (2, "cauchy")]
)
def test_no_minimum_of_scipy_is_lower(cameras, loss):
    plan, state, sources, seen, weights = everything(10 + cameras, cameras)
    options = FitOptions(loss=loss, max_iterations=200)
    result = FitSolver(plan, options, sources).solve(seen, weights, init=state)
    assert result.success
    stacked = Stacked(plan, options, sources, seen, result.scales, weights)
    assert stacked.cost(result.state) == pytest.approx(result.cost, rel=1e-9)
    assert result.cost == pytest.approx(result.cost_data.sum() + result.cost_prior, rel=1e-12)
    assert result.cost <= stacked.minimum(state) * (1.0 + 1e-6)


def test_the_order_of_sources_is_nothing():
    plan, state, sources, seen, weights = everything(5, 2)
    order = np.random.default_rng(0).permutation(len(sources))
    one = FitSolver(plan, source=sources).solve(seen, weights, init=state)
    mixed = FitSolver(plan, source=[sources[i] for i in order])
    other = mixed.solve([seen[i] for i in order], [weights[i] for i in order], init=state)
    assert other.cost == pytest.approx(one.cost, rel=1e-9)
    assert other.dofs == pytest.approx(one.dofs, abs=1e-6)
    for place, i in enumerate(order):
        assert other.cost_data[place] == pytest.approx(one.cost_data[i], rel=1e-4, abs=1e-9)
        assert other.residuals[place].shape == one.residuals[i].shape


@pytest.mark.parametrize("seed", range(5))
def test_a_chain_by_its_orientations_alone(seed):
    rng = np.random.default_rng(seed)
    limbs = [joint(f"limb {i}", f"limb {i - 1}", (0.5, 0, 0), hinge(X), hinge(Y), hinge(Z)) for i in range(1, 5)]
    plan = BodyPlan.from_dict(content(joint("limb 0", None, (0, 0, 0)), *limbs, fixed_base=False))
    turn = Rotation.from_rotvec(rng.normal(size=3)).as_quat(scalar_first=True)
    state = State(np.zeros(3), turn, 0.25 * rng.normal(size=plan.n_dofs))
    source = Orientation(plan.joint_names)
    solver = FitSolver(plan, FitOptions(neutral_weight=0.0), source)
    result = solver.solve(
        orientations(plan, state, plan.joint_names), init=State(np.full(3, 0.7), *plan.neutral_state()[1:])
    )
    assert plan.keypoints(result.state) == pytest.approx(plan.keypoints(state) + 0.7, abs=1e-6)
    assert abs(result.root_quat_wxyz @ turn) == pytest.approx(1.0)
    assert result.residual == pytest.approx(np.zeros(5), abs=1e-6)
    assert result.status == "unobservable"
    with pytest.raises(InvalidArgument, match="one source of orientations"):
        FitSolver(plan, source=[source, source])


@pytest.mark.parametrize("cameras", [1, 2, 3])
def test_a_body_is_found_by_cameras_alone(cameras):
    """40 random poses of a walk, turned anyhow; a single camera cannot tell limbs bent towards it from those away."""
    plan, walk = BodyPlan.load(samples.body_plan("walker")), make_walker.truth()
    rng = np.random.default_rng(cameras)
    views = rig(cameras, plan.length)
    solver = FitSolver(plan, source=views)
    found = 0
    for frame in rng.choice(len(walk.dofs), 40):
        dofs = np.clip(walk.dofs[frame] + 0.2 * rng.normal(size=plan.n_dofs), plan.lower, plan.upper)
        pose = State(0.5 * plan.length * rng.normal(size=3), random_state(plan, rng).root_quat_wxyz, dofs)
        pixels = np.stack([view.project(plan.keypoints(pose)) for view in views])
        result = solver.solve(pixels)
        one, other = (Rotation.from_quat(each.root_quat_wxyz, scalar_first=True) for each in (result, pose))
        there = (one * other.inv()).magnitude() < 0.1
        there &= np.linalg.norm(result.root_pos - pose.root_pos) < 0.2 * plan.length
        there &= np.sqrt(np.mean(result.residual**2)) < 1.5
        found += there and (cameras == 1 or result.cost <= 1.05 * solver.solve(pixels, init=pose).cost)
    assert found >= 38


def test_a_view_from_above_is_a_camera_far_away():
    """Looking down from ever farther with a focal length to match, pixels are x and -y."""
    rng = np.random.default_rng(1)
    facts = BodyPlan.load(samples.body_plan("walker")).to_dict()
    plan = BodyPlan.from_dict({**facts, "fixed_base": True})
    X = plan.keypoints(plan.neutral_state()) + 0.02 * plan.length * rng.normal(size=(plan.n_joints, 3))
    flat = FitSolver(plan, source=XYView()).solve(X[:, :2])
    off = []
    for lengths in (1e2, 1e4, 1e6):
        far = lengths * plan.length
        camera = Camera(far, far, 0.0, 0.0, np.diag([1.0, -1.0, -1.0]), [0.0, 0.0, far])
        seen = FitSolver(plan, source=camera).solve(X[:, :2] * (1.0, -1.0))
        off.append(abs(seen.cost / flat.cost - 1.0))
    assert off[0] > 10.0 * off[1] > 0.0
    assert off[2] < 1e-5
    assert seen.dofs == pytest.approx(flat.dofs, abs=1e-4)
    assert seen.residual == pytest.approx(flat.residual, abs=1e-4 * plan.length)


RAIL = BodyPlan.from_dict(
    content(
        joint("wall", None, (0, 0, 0)),
        joint("cart", "wall", (0, 0, 0), slide(Z)),
        joint("near", "cart", (0.3, 0, 0.2)),
        joint("far", "cart", (0.3, 0, 2.0)),
    )
)

#: Looks along z from the origin.
AHEAD = Camera(100.0, 100.0, 0.0, 0.0, np.eye(3), np.zeros(3))


def on_rail(place):
    """The cart's state."""
    return State(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.array([place]))


def test_a_point_behind_the_camera_at_the_start_is_dropped_and_told():
    pixels = np.full((4, 2), np.nan)
    pixels[2:] = AHEAD.project(RAIL.keypoints(on_rail(0.5)))[2:]
    solver = FitSolver(RAIL, FitOptions(neutral_weight=0.0), AHEAD)
    whole = solver.solve(pixels, init=on_rail(0.1))
    assert whole.behind_camera == 0
    assert whole.dofs == pytest.approx([0.5], abs=1e-3)
    part = solver.solve(pixels, init=on_rail(-0.6))
    assert part.behind_camera == 1
    assert np.isnan(part.residual[2])
    assert part.dofs == pytest.approx([0.5], abs=1e-3)
    alone = solver.solve(np.where(np.arange(4)[:, None] == 3, pixels, np.nan), init=on_rail(-0.6))
    assert part.cost == pytest.approx(alone.cost, abs=1e-12)


def test_no_step_leads_behind_the_camera():
    """A cart that is asked nearer than it can come stays before the camera, and no higher than it began."""
    for asked in (300.0, 3e3, -1e4):
        pixels = np.full((4, 2), np.nan)
        pixels[2] = (asked, 0.0)
        pixels[3] = (1.0, 0.0)
        solver = FitSolver(RAIL, FitOptions(neutral_weight=0.0), AHEAD)
        start = on_rail(4.0)
        result = solver.solve(pixels, init=start)
        depths = RAIL.keypoints(result.state)[2:, 2]
        assert result.behind_camera == 0
        assert np.all(depths >= 1e-3 * RAIL.length)
        stacked = Stacked(RAIL, FitOptions(neutral_weight=0.0), [AHEAD], [pixels], result.scales)
        assert result.cost <= stacked.cost(start)
