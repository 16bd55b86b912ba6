"""What a result tells of its own certainty, beside closed forms, worked numbers and the reference."""

import dataclasses

import numpy as np
import pytest
import worked_examples as examples
from random_plans import random_plan, random_state
from reference import LOSSES, Objective, camera, xy_view
from reference_tree import Tree, from_quaternion, from_rotation_vector
from referred import referred

from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, Camera, Distance, FitOptions, Orientation, XYView, observe
from pantin.fitting.information import information, slope
from pantin.fitting.quality import covariance, dof_std, null_space, observability
from pantin.fitting.state import State

ABSOLUTE = FitOptions(scale_free=False)


@pytest.fixture(scope="module")
def hopper():
    return BodyPlan.from_dict(examples.HOPPER)


def at_truth(plan, rng, frames=4, noise=0.0, **given):
    """Results at random poses within limits, observed there with some noise."""
    state = random_state(plan, rng, frames)
    seen = plan.keypoints(state)
    return referred(plan, seen + noise * plan.length * rng.normal(size=seen.shape), start=state, solve=False, **given)


@pytest.mark.parametrize("case", examples.HOPPER_MINIMA)
def test_observability_of_the_hopper(hopper, case):
    positions, lam, *_, expected = examples.HOPPER_MINIMA[case]
    options = dataclasses.replace(ABSOLUTE, neutral_weight=lam)
    result = referred(hopper, positions[None], options=options)
    assert result.observability[0] == pytest.approx(expected, abs=0.6e-6, nan_ok=True)
    assert result[0].observability == pytest.approx(expected, abs=0.6e-6, nan_ok=True)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(3))
def test_matrices_are_inverses_of_the_curvature(seed, loss):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 12, limits=0.0))
    options = FitOptions(loss=loss, neutral_weight=0.02)
    weights = rng.uniform(0.0, 2.0, size=(4, 12)) * (rng.random((4, 12)) < 0.8)
    result = at_truth(plan, rng, noise=0.1, weights=weights, options=options)
    objective = Objective.of(Tree(plan.to_dict()), result.observations.positions[0], weights, options)
    H, _ = objective.normal_equations((result.root_pos, from_quaternion(result.root_quat_wxyz), result.dofs))
    inverse = np.linalg.inv(H)
    first = plan.tangent_dim - plan.n_dofs
    deviation = np.sqrt(0.01 * np.einsum("bii->bi", inverse))[:, first:]
    assert covariance(result, 0.01) == pytest.approx(0.01 * inverse, rel=1e-6, abs=1e-9 * np.abs(inverse).max())
    assert dof_std(result, 0.01) == pytest.approx(deviation, rel=1e-6)
    shares = 1.0 - objective.prior * np.einsum("bii->bi", inverse)[:, first:]
    assert observability(result) == pytest.approx(shares, abs=1e-9)


def test_views_from_afar_and_from_cameras_count_by_their_own_derivatives():
    rng = np.random.default_rng(1)
    plan = BodyPlan.from_dict(random_plan(rng, 10, limits=0.0, fixed_base=False))
    R, t = from_rotation_vector([0.3, -0.2, 0.1]), np.array([0.1, 0.2, 12.0 * plan.length])
    state = random_state(plan, rng, 3)
    state = state._replace(root_pos=0.1 * state.root_pos)
    view = camera(600.0, 590.0, 320.0, 240.0, R, t)
    for source, look, scale in (
        (XYView(), xy_view, None),
        (Camera(600.0, 590.0, 320.0, 240.0, R, t), view, 50.0),
    ):
        seen = look(plan.keypoints(state))[0]
        result = referred(plan, seen, start=state, solve=False, source=source, view=look, scale=scale)
        objective = Objective.of(Tree(plan.to_dict()), seen, None, result.options, views=look, scales=scale)
        H, _ = objective.normal_equations((state.root_pos, from_quaternion(state.root_quat_wxyz), state.dofs))
        first = plan.tangent_dim - plan.n_dofs
        data = H - np.diag(np.concatenate([np.zeros(first), objective.prior]))
        found, count = information(result, slice(None))
        assert found == pytest.approx(data, rel=1e-8, abs=1e-10 * np.abs(data).max())
        assert count == pytest.approx(2 * plan.n_joints)


def test_orientations_and_distances_count_by_their_own_derivatives():
    rng = np.random.default_rng(2)
    plan = BodyPlan.from_dict(random_plan(rng, 8, limits=0.0, fixed_base=False, chain=True))
    tree, state = Tree(plan.to_dict()), random_state(plan, rng)
    names = plan.joint_names
    sources = (Orientation((names[3], names[7])), Distance(((names[0], names[5]), (names[2], names[7]))))
    result = at_truth(plan, rng, 1)
    ours = State(*(part[None] for part in state))
    at = {"root_pos": ours.root_pos, "root_quat_wxyz": ours.root_quat_wxyz, "dofs": ours.dofs}
    base = (state.root_pos, from_quaternion(state.root_quat_wxyz), state.dofs)

    def rotations(where):
        return tree.frames(where)[1][[3, 7]]

    def distances(where):
        p = tree.keypoints(where)
        return np.array([np.linalg.norm(p[5] - p[0]), np.linalg.norm(p[7] - p[2])])

    steps = 1e-6 * np.eye(plan.tangent_dim)
    plus, minus = ([tree.step(base, sign * d) for d in steps] for sign in (1.0, -1.0))
    turned = [
        (rotations(a) - rotations(b)) @ np.swapaxes(rotations(base), -1, -2) for a, b in zip(plus, minus, strict=True)
    ]
    by_turn = np.array([[[W[2, 1], W[0, 2], W[1, 0]] for W in pair] for pair in turned]) / 2e-6  # (D, 2, 3)
    by_distance = np.array([distances(a) - distances(b) for a, b in zip(plus, minus, strict=True)])[..., None] / 2e-6
    cases = zip(sources, (by_turn, by_distance), (np.tile(np.eye(3), (1, 2, 1, 1)), np.ones((1, 2))), strict=True)
    for source, J, seen in cases:
        heavy = plan.joint_weight
        if source.kind == "distance":
            unit = plan.length / (heavy[[0, 2], None] * heavy[[5, 7], None]) ** 0.25
        else:
            unit = 1.0 / np.sqrt(heavy[[3, 7], None])
        misfits = np.full((1, 2), 0.0)
        asked = dataclasses.replace(
            result,
            **at,
            source=(source,),
            residuals=(misfits,),
            outliers=(misfits > 1.0,),
            scales=np.full((1, 1), np.nan),
            observations=observe(plan, seen, None, source),
        )
        data, count = information(asked, slice(None))
        flat = (J / unit).reshape(plan.tangent_dim, -1)
        assert data[0] == pytest.approx(flat @ flat.T, rel=1e-6, abs=1e-7 * np.abs(flat @ flat.T).max())
        assert count == J.shape[1] * J.shape[2]


@pytest.mark.parametrize("loss", LOSSES)
def test_slopes_of_robust_losses(loss):
    squared = np.linspace(1e-5, 0.01, 50)
    value = LOSSES[loss]
    quotient = (value(squared + 1e-8, 0.05**2)[0] - value(squared - 1e-8, 0.05**2)[0]) / 2e-8
    assert slope(loss, squared, 0.05) == pytest.approx(quotient, rel=1e-5)


def test_without_a_prior_what_nothing_shows_is_undetermined(hopper):
    positions = np.array([examples.HOPPER_MINIMA["foot missing"][0]])
    result = referred(hopper, positions, options=FitOptions(neutral_weight=0.0))
    assert result.observability[0].tolist() == [1.0, 1.0, 0.0, 1.0]
    assert np.isinf(result.dof_std[0]).tolist() == [False, False, True, False]
    matrix = covariance(result)[0]
    assert np.isinf(matrix).sum() == 1
    assert matrix[8, 8] == np.inf
    others = np.delete(np.arange(10), 8)
    H, _ = Objective.of(Tree(examples.HOPPER), positions, None, result.options).normal_equations(
        (result.root_pos, from_quaternion(result.root_quat_wxyz), result.dofs)
    )
    expected = np.linalg.inv(H[0][np.ix_(others, others)])
    spare = 15 - 9
    assert matrix[np.ix_(others, others)] == pytest.approx(expected * result.cost[0] / spare, rel=1e-6)


def test_two_hinges_of_which_only_the_sum_is_seen():
    turn = examples.hinge(examples.Z)
    plan = BodyPlan.from_dict(
        examples.plan(
            examples.joint("base", None, (0, 0, 0)),
            examples.joint("arm", "base", (1, 0, 0), {**turn, "name": "first"}, {**turn, "name": "second"}),
            examples.joint("tip", "arm", (1, 0, 0)),
        )
    )
    positions = plan.keypoints(plan.neutral_state())[None]
    result = referred(plan, positions, options=FitOptions(neutral_weight=0.0))
    assert result.observability.tolist() == [[0.0, 0.0]]
    assert covariance(result, 1.0)[0].tolist() == [[np.inf, -np.inf], [-np.inf, np.inf]]
    found = null_space(result, 0)
    assert np.abs(found.basis[:, 0]) == pytest.approx([np.sqrt(0.5)] * 2)
    assert found.directions == ("first - second",)
    assert str(found) == "The data leave one direction open: first - second (nothing holds it)."
    held = referred(plan, positions, options=FitOptions(neutral_weight=1e-3))
    # the sum is seen with curvature 1/L² each, the difference with lambda alone
    assert held.observability[0] == pytest.approx([0.5, 0.5], abs=2e-3)
    assert str(null_space(held, 0)).endswith("first - second (the prior alone holds it).")


def test_a_view_from_above_does_not_see_the_height_of_the_root(hopper):
    pose = {"root_pos": (0.2, -0.1, 0.5), "root_quat_wxyz": (0.9, 0.1, 0.3, -0.3), "dofs": (0.3, -0.5, 1.1, 0.08)}
    positions = hopper.keypoints(pose)[None, :, :2]
    start = State(*(np.array(part, dtype=float) for part in pose.values()))
    result = referred(hopper, positions, start=start, solve=False, source=XYView(), view=xy_view)
    found = result.null_space(0)
    assert found.directions == ("root_z",)
    assert found.basis[:, 0] == pytest.approx(np.eye(10)[2])
    assert not found.held.any()
    assert np.isinf(covariance(result)[0]).sum() == 1
    assert str(found) == "The data leave one direction open: root_z (nothing holds it)."
    assert repr(found) == "NullSpace(root_z)"


def test_directions_are_named_one_by_one(hopper):
    unseen = np.full((1, 6, 3), np.nan)
    unseen[0, :2] = hopper.keypoints(hopper.neutral_state())[:2]
    found = null_space(referred(hopper, unseen), 0)
    assert np.allclose(found.basis.T @ found.basis, np.eye(len(found)))
    assert found.held.tolist() == [False, True, True, True, True]  # a turn about the line through both points is free
    assert set(found.directions[1:]) == {"hip_yaw", "hip_pitch", "knee", "mast"}
    everything = null_space(referred(hopper, np.full((1, 6, 3), np.nan)), 0)
    assert len(everything) == 10
    assert set(everything.directions) == set(hopper.tangent_names)


@pytest.mark.parametrize("seed", range(5))
def test_steps_along_the_null_space_change_nothing_that_was_seen(seed):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, 12, limits=0.0))
    state = random_state(plan, rng, 1)
    seen = np.where(rng.random((1, 12, 1)) < 0.6, plan.keypoints(state), np.nan)
    result = referred(plan, seen, start=state, solve=False)
    found = null_space(result, 0)
    J = plan.keypoint_jacobian(state)[0][~np.isnan(seen[0]).any(axis=1)].reshape(-1, plan.tangent_dim)
    assert len(found) == plan.tangent_dim - np.linalg.matrix_rank(J)
    assert np.allclose(found.basis.T @ found.basis, np.eye(len(found)))
    assert np.abs(J @ found.basis).max(initial=0.0) < 1e-3 * plan.length  # curvature 1e-8 is what counts as none


def test_what_is_seen_in_full_has_no_null_space(hopper):
    result = referred(hopper, examples.HOPPER_POSITIONS[None])
    assert len(result[0].null_space()) == 0
    assert str(result.null_space(0)) == "The data determine every direction."


def test_what_was_locked_has_no_share(hopper):
    for options in (FitOptions(lock="knee"), FitOptions(prescribe={"knee": [0.4]})):
        result = referred(hopper, examples.HOPPER_POSITIONS[None], options=options, solve=False)
        assert np.isnan(result.observability[0]).tolist() == [False, False, True, False]
        assert np.isnan(result.dof_std[0]).tolist() == [False, False, True, False]
        assert "knee" not in str(result.null_space(0))


def test_a_length_unit_changes_no_share():
    rng = np.random.default_rng(5)
    metres = random_plan(rng, 10, limits=0.0, fixed_base=False)
    small = {**metres, "joints": [dict(joint) for joint in metres["joints"]]}
    for joint in small["joints"]:
        joint["offset_pos"] = [1e-6 * x for x in joint["offset_pos"]]
        joint["dofs"] = [
            {**dof, "neutral": 1e-6 * dof["neutral"]} if dof["type"] == "slide" else dof for dof in joint["dofs"]
        ]
    plan, tiny = BodyPlan.from_dict(metres), BodyPlan.from_dict(small)
    state = random_state(plan, rng, 2)
    shrunk = State(1e-6 * state.root_pos, state.root_quat_wxyz, np.where(plan.dof_is_slide, 1e-6, 1.0) * state.dofs)
    seen = np.where(rng.random((2, 10, 1)) < 0.7, plan.keypoints(state), np.nan)
    for lam in (1e-3, 0.0):
        options = FitOptions(neutral_weight=lam)
        big = referred(plan, seen, start=state, options=options, solve=False)
        little = referred(tiny, 1e-6 * seen, start=shrunk, options=options, solve=False)
        assert observability(little) == pytest.approx(observability(big), abs=1e-7)
        assert null_space(little, 1).directions == null_space(big, 1).directions


def test_frames_without_a_pose_tell_nothing(hopper):
    result = referred(hopper, np.repeat(examples.HOPPER_POSITIONS[None], 3, axis=0))
    broken = result.root_pos.copy()
    broken[1] = np.nan
    shares = observability(dataclasses.replace(result, root_pos=broken))
    assert np.isnan(shares[1]).all()
    assert np.array_equal(shares[[0, 2]], result.observability[[0, 2]])


def test_blocks_do_not_show(hopper, monkeypatch):
    rng = np.random.default_rng(0)
    positions = examples.HOPPER_POSITIONS + 0.01 * rng.normal(size=(7, 6, 3))
    result = referred(hopper, positions)
    whole = [observability(result), dof_std(result), covariance(result)]
    monkeypatch.setattr("pantin.fitting.quality.BLOCK_BYTES", 1)
    for one, other in zip(whole, [observability(result), dof_std(result), covariance(result)], strict=True):
        assert np.array_equal(one, other)


def test_no_more_numbers_than_unknowns_tell_no_variance():
    plan = BodyPlan.from_dict(
        examples.plan(
            examples.joint("base", None, (0, 0, 0), examples.slide(examples.X), examples.slide(examples.Y)),
            examples.joint("sledge", "base", (1, 0, 0), examples.slide(examples.Z)),
            examples.joint("tip", "sledge", (0, 1, 0)),
        )
    )
    positions = np.full((1, 3, 3), np.nan)
    positions[0, 2] = 0.1, 0.2, 0.3
    result = referred(plan, positions, options=FitOptions(neutral_weight=0.0))
    assert np.isnan(result.dof_std).all()
    assert dof_std(result, 4.0)[0] == pytest.approx([2.0 * plan.length] * 3)


def test_questions_that_cannot_be_answered(hopper):
    result = referred(hopper, examples.HOPPER_POSITIONS[None], solve=False)
    with pytest.raises(InvalidArgument, match="observations"):
        _ = dataclasses.replace(result, observations=None).observability
    for frame in (1, -2, None):
        with pytest.raises(InvalidArgument, match="frame: expected one of 1 frames"):
            null_space(result, frame)
    with pytest.raises(InvalidArgument, match="frame: the result has one frame"):
        null_space(result[0], 3)
    with pytest.raises(InvalidArgument, match="variance"):
        dof_std(result, -1.0)
    with pytest.raises(InvalidArgument, match="variance"):
        covariance(result, np.nan)
