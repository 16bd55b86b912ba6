"""The reference that fits are judged by, judged itself by the numbers that were worked out elsewhere."""

import numpy as np
import pytest
import worked_examples as examples
from reference import Objective, camera, minimum, optimality, to_quaternion, xy_view
from reference_tree import Tree, from_quaternion, from_rotation_vector


@pytest.mark.parametrize("name", examples.KEYPOINTS)
def test_keypoints(name):
    plan, position, quaternion, dofs, expected = examples.KEYPOINTS[name]
    tree = Tree(plan)
    start = tree.rest_state()
    state = (
        start[0] if position is None else np.array(position),
        start[1] if quaternion is None else from_quaternion(quaternion),
        dofs,
    )
    keypoints = tree.keypoints(state)
    for joint, position in expected.items():
        assert keypoints[tree.names.index(joint)] == pytest.approx(position, abs=0.6e-6)


def test_the_length_and_the_neutral_pose_of_the_hopper():
    tree = Tree(examples.HOPPER)
    assert tree.length == pytest.approx(examples.HOPPER_LENGTH, abs=0.6e-7)
    assert tree.keypoints(tree.rest_state()) == pytest.approx(np.array(examples.HOPPER_NEUTRAL), abs=0.6e-7)


def test_normal_equations():
    wanted = examples.ELBOW_NUMBERS
    objective = Objective(examples.ELBOW, examples.ELBOW_POSITIONS, examples.ELBOW_WEIGHTS, lam=0.01, scale_free=False)
    state = (np.zeros(3), np.eye(3), np.radians([30.0]))
    H, g = objective.normal_equations(state)
    assert objective.cost(state) == pytest.approx(wanted["E"], abs=0.6e-10)
    assert g[0] == pytest.approx(wanted["g"], abs=0.6e-7)
    assert H[0, 0] == pytest.approx(wanted["H"], abs=1e-12)
    assert g[0] / H[0, 0] == pytest.approx(wanted["step"], abs=0.6e-7)


@pytest.mark.parametrize("case", examples.HOPPER_MINIMA)
def test_minima_of_the_hopper(case):
    positions, lam, cost, root, dofs, _ = examples.HOPPER_MINIMA[case]
    objective = Objective(examples.HOPPER, positions, lam=lam, scale_free=False)
    state, found = minimum(objective, objective.tree.rest_state())
    assert found == pytest.approx(cost, abs=0.6e-10)
    assert state[0] == pytest.approx(root, abs=0.6e-7)
    assert state[2] == pytest.approx(dofs, abs=0.6e-7)
    assert optimality(objective, state) <= 1.0
    if case == "all seen":
        assert to_quaternion(state[1]) == pytest.approx(examples.HOPPER_QUATERNION, abs=0.6e-7)


def test_the_bounded_minimum():
    objective = Objective(examples.LIMITED, examples.LIMITED_POSITIONS, lam=0.0, scale_free=False)
    state, cost = minimum(objective, objective.tree.rest_state())
    assert state[2] == pytest.approx(examples.LIMITED_MINIMUM["dofs"], abs=0.6e-7)
    assert cost == pytest.approx(examples.LIMITED_MINIMUM["E"], abs=0.6e-10)
    assert optimality(objective, state) <= 1.0
    clamped = (*state[:2], np.array([0.29947, 0.5]))  # where steps that are clamped afterwards settle
    assert objective.cost(clamped) == pytest.approx(0.04753, abs=0.6e-5)
    assert optimality(objective, clamped) > 1e3
    assert optimality(objective, (*state[:2], np.array([0.6273294, 0.51]))) == np.inf


@pytest.mark.parametrize("loss", examples.LOSSES)
def test_robust_losses(loss):
    plan = examples.plan(examples.joint("point", None, (0, 0, 0)))
    for distance, value in zip((0.2, 0.03), examples.LOSSES[loss], strict=True):
        objective = Objective(plan, [[0.0, distance, 0.0]], loss=loss, scale_free=False)
        assert objective.cost(objective.tree.rest_state()) == pytest.approx(value, abs=0.6e-10)


@pytest.mark.parametrize("loss", examples.LOSSES)
@pytest.mark.parametrize("view", ["points", "xy", "camera"])
def test_the_gradient_is_the_difference_quotient(view, loss):
    rng = np.random.default_rng(0)
    tree = Tree(examples.HOPPER)
    state = (rng.normal(size=3), from_rotation_vector(rng.normal(size=3)), rng.uniform(0.0, 0.2, 4))
    keypoints = tree.keypoints(state) + rng.normal(scale=0.05, size=(6, 3))
    view = {
        "points": None,
        "xy": xy_view,
        "camera": camera(600.0, 590.0, 320.0, 240.0, from_rotation_vector([0.1, -0.2, 0.05]), [0.1, 0.2, 5.0]),
    }[view]
    kwargs = {} if view is None else {"views": view, "scales": tree.length * (1.0 if view is xy_view else 120.0)}
    positions = keypoints if view is None else view(keypoints)[0]
    objective = Objective(tree, positions, rng.uniform(0.5, 2.0, 6), loss=loss, **kwargs)
    steps = 1e-6 * np.eye(tree.size)
    quotient = [objective.cost(tree.step(state, d)) - objective.cost(tree.step(state, -d)) for d in steps]
    gradient = objective.gradient(state)
    assert np.array(quotient) / 2e-6 == pytest.approx(gradient, abs=1e-7 * np.abs(gradient).max())


def test_the_cost_of_what_is_missing_is_nothing():
    positions = np.tile(examples.HOPPER_POSITIONS, (5, 1, 1))
    weights = np.ones((5, 6))
    positions[1, 2, 0], positions[2, 2, 1] = np.nan, np.inf
    weights[3, 2], weights[4, 2] = 0.0, np.nan
    objective = Objective(examples.HOPPER, positions, weights)
    tree = objective.tree
    state = tuple(np.repeat(part[None], 5, axis=0) for part in tree.rest_state())
    cost = objective.cost(state)
    assert np.ptp(cost[1:]) == 0.0
    assert cost[0] > cost[1]
    assert np.ptp(objective.gradient(state)[1:], axis=0).max() == 0.0
