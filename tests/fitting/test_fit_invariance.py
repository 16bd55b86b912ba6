"""What does not change a fit: the unit, the place, the order of joints, joints that nobody sees, what is missing."""

import copy
import itertools

import numpy as np
import pytest
import worked_examples as examples
from hand_made import smooth_states
from reference_tree import from_quaternion, from_rotation_vector
from test_fit_truth import seen_plan
from walker import walk

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, FitSolver

#: No stop before rounding is what is left.
OPTIONS = {"position_tolerance": 1e-10, "angle_tolerance": 1e-10, "cost_tolerance": 0.0, "max_iterations": 200}
FRAMES = 6


@pytest.fixture(params=range(4))
def case(request):
    """Content of a plan, the plan, noisy positions and weights."""
    rng = np.random.default_rng(request.param)
    plan = seen_plan(rng, int(rng.integers(6, 20)), fixed_base=bool(request.param % 2), limits=0.6)
    positions = plan.keypoints(smooth_states(plan, 20 * FRAMES, request.param))[:FRAMES]
    positions = positions + 5e-4 * plan.length * rng.normal(size=positions.shape)
    return plan.to_dict(), plan, positions, rng.uniform(0.3, 2.0, positions.shape[:2])


def solved(plan, positions, weights=None, **options):
    """The result of a sequence."""
    result = FitSolver(plan, FitOptions(**{**OPTIONS, **options})).solve_sequence(positions, weights)
    assert np.all(result.success)
    return result


def rescaled(content, factor):
    """The plan in another length unit."""
    content = copy.deepcopy(content)
    for joint in content["joints"]:
        joint["offset_pos"] = [factor * x for x in joint["offset_pos"]]
        for dof in joint["dofs"]:
            if dof["type"] == "slide":
                dof["neutral"] *= factor
                dof["limits"] = dof.get("limits") and [factor * x for x in dof["limits"]]
    return content


@pytest.mark.parametrize("factor", [1e-3, 1000.0, 25.4])
def test_the_length_unit(case, factor):
    content, plan, positions, weights = case
    one = solved(plan, positions, weights)
    other = solved(BodyPlan.from_dict(rescaled(content, factor)), factor * positions, weights)
    unit = np.where(plan.dof_is_slide, factor, 1.0)
    sure = np.where(np.nan_to_num(one.observability) > 0.9, 3e-9, 1e-7)  # what hardly anything holds, rounding moves
    assert np.all(np.abs(other.dofs / unit - one.dofs) <= sure * np.where(plan.dof_is_slide, plan.length, 1.0))
    assert other.root_pos == pytest.approx(factor * one.root_pos, rel=1e-8, abs=1e-9 * factor * plan.length)
    assert other.root_quat_wxyz == pytest.approx(one.root_quat_wxyz, abs=1e-8)
    assert other.cost == pytest.approx(one.cost, rel=1e-9)


@pytest.mark.parametrize("factor", [1e-3, 0.1, 1000.0])
@pytest.mark.parametrize("name", ["hopper", "walker"])
def test_the_length_unit_by_default_options(name, factor):
    if name == "hopper":
        content, positions = examples.HOPPER, examples.HOPPER_POSITIONS[None]
    else:
        content, positions = BodyPlan.load(samples.body_plan("walker")).to_dict(), walk().keypoints[:60]
        positions = positions + 0.04 * np.random.default_rng(0).normal(size=positions.shape)
    one = FitSolver(BodyPlan.from_dict(content)).solve_sequence(positions)
    other = FitSolver(BodyPlan.from_dict(rescaled(content, factor))).solve_sequence(factor * positions)
    unit = np.where(one.plan.dof_is_slide, factor, 1.0)
    assert other.dofs / unit == pytest.approx(one.dofs, abs=1e-9)
    assert other.root_pos == pytest.approx(factor * one.root_pos, abs=1e-9 * factor * one.plan.length)


@pytest.mark.parametrize("case", [0, 2], indirect=True)  # a fixed base does not move
def test_a_rigid_motion_moves_the_root_alone(case):
    _, plan, positions, weights = case
    turn, shift = from_rotation_vector([0.5, -2.0, 1.0]), np.array([3.0, -1.0, 2.0])
    one = solved(plan, positions, weights)
    other = solved(plan, positions @ turn.T + shift, weights)
    assert other.dofs == pytest.approx(one.dofs, abs=1e-8)
    assert other.root_pos == pytest.approx(one.root_pos @ turn.T + shift, abs=1e-8 * plan.length)
    turned = turn @ from_quaternion(one.root_quat_wxyz)
    assert from_quaternion(other.root_quat_wxyz) == pytest.approx(turned, abs=1e-8)


def test_the_order_of_joints(case):
    content, plan, positions, weights = case
    rng = np.random.default_rng(0)
    order = [0]
    while len(order) < plan.n_joints:  # parents first, else anyhow
        order.append(int(rng.choice([k for k, p in enumerate(plan.parents) if p in order and k not in order])))
    other_plan = BodyPlan.from_dict({**content, "joints": [content["joints"][k] for k in order]})
    one, other = solved(plan, positions, weights), solved(other_plan, positions[:, order], weights[:, order])
    dofs = [plan.dof(name) for name in other_plan.dof_names]
    assert other.dofs == pytest.approx(one.dofs[:, dofs], abs=1e-8)
    assert other.residual == pytest.approx(one.residual[:, order], abs=1e-9 * plan.length)


def test_a_joint_that_nobody_sees_in_the_middle_of_a_bone(case):
    content, plan, positions, weights = case
    content = copy.deepcopy(content)
    place = next(k for k, joint in enumerate(content["joints"]) if k > 2 and joint["parent"])
    joint = content["joints"][place]
    half = [0.5 * x for x in joint["offset_pos"]]
    middle = {"name": "middle", "parent": joint["parent"], "offset_pos": half, "offset_quat": [1, 0, 0, 0], "dofs": []}
    joint["offset_pos"], joint["parent"] = half, "middle"
    content["joints"].insert(place, middle)
    more = BodyPlan.from_dict(content)
    one = solved(plan, positions, weights, scale_free=False)
    other = solved(
        more,
        np.insert(positions, place, np.nan, axis=1),
        np.insert(weights, place, 1.0, axis=1),
        scale_free=False,
    )
    assert other.dofs == pytest.approx(one.dofs, abs=1e-7)
    assert other.cost == pytest.approx(one.cost, rel=1e-9)


def test_what_is_missing_is_missing_in_any_way(case):
    content, plan, positions, weights = case
    k = plan.n_joints // 2
    ways = []
    for value in (np.nan, 0.0, -1.0):
        other = weights.copy()
        other[:, k] = value
        ways.append(solved(plan, positions, other))
    for value, axes in itertools.product((np.nan, np.inf, -np.inf), ([0], [2], [0, 1, 2])):
        other = positions.copy()
        other[:, k, axes] = value
        ways.append(solved(plan, other, weights))
        assert ways[-1].infinite == (FRAMES * len(axes) if np.isinf(value) else 0)
    names = [name for name in plan.joint_names if name != plan.joint_names[k]]
    mapping = {name: positions[:, plan.joint(name)] for name in names}
    ways.append(solved(plan, mapping, weights))
    for other in ways[1:]:
        assert np.array_equal(other.dofs, ways[0].dofs)
        assert np.array_equal(other.root_pos, ways[0].root_pos)
        assert np.array_equal(other.cost, ways[0].cost)
        assert np.isnan(other.residual[:, k]).all()
    off = copy.deepcopy(content)
    off["joints"][k]["weight_scaler"] = 0.0
    other = solved(BodyPlan.from_dict(off), positions, weights)
    assert other.dofs == pytest.approx(ways[0].dofs, abs=1e-7)
    assert other.cost == pytest.approx(ways[0].cost, rel=1e-9)


def test_twice_the_weights_and_twice_the_pull(case):
    _, plan, positions, weights = case
    one = solved(plan, positions, weights)
    other = solved(plan, positions, 2.0 * weights, neutral_weight=2e-3)
    assert other.dofs == pytest.approx(one.dofs, abs=1e-9)
    assert other.cost == pytest.approx(2.0 * one.cost, rel=1e-9)


@pytest.mark.parametrize("dtype", [np.float32, ">f8", np.int64])
def test_any_real_numbers_in_any_order_of_memory(case, dtype):
    _, plan, positions, weights = case
    positions = np.round(positions * 1000.0)  # numbers that all of them hold
    plain = FitSolver(plan).solve_sequence(positions, weights)
    padded = np.zeros((2 * FRAMES, 3, plan.n_joints, 2))
    padded[::2, ..., 0] = np.swapaxes(positions, 1, 2)
    given = np.swapaxes(padded[::2, ..., 0], 1, 2)
    for other in (positions.astype(dtype), given, np.asfortranarray(positions), positions.tolist()):
        before = copy.deepcopy(other)
        result = FitSolver(plan).solve_sequence(other, weights)
        assert np.array_equal(result.dofs, plain.dofs)
        assert np.array_equal(before, other)
