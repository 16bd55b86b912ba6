"""Keypoints of body plans and their derivatives: the worked examples, differences, and other libraries."""

import numpy as np
import pytest
from hopper import dof, hopper, joint
from random_plans import random_plan, random_state

from pantin.errors import InvalidArgument, UnknownName
from pantin.fitting import BodyPlan
from pantin.fitting.state import State

#: The examples are given to six or seven digits.
DIGITS = 6e-7

LEANING = {
    "root_pos": [0.2, -0.1, 0.5],
    "root_quat_wxyz": [0.9, 0.1, 0.3, -0.3],
    "dofs": [0.3, -0.5, 1.1, 0.08],
}
STEP = [0.01, 0, -0.02, 0.1, -0.2, 0.05, 0, 0, 0.1, 0]


def of(*joints, **more):
    return BodyPlan.from_dict({"joints": list(joints), **more})


def turned(plan, *degrees_or_lengths):
    """The state with these values: hinges in degrees, slides in length units."""
    factors = np.where(plan.dof_is_slide, 1.0, np.pi / 180.0)
    return State(np.zeros(3), np.array([1.0, 0, 0, 0]), np.array(degrees_or_lengths) * factors)


def points(plan, *values):
    return dict(zip(plan.joint_names, plan.keypoints(turned(plan, *values)).round(12).tolist(), strict=True))


ELBOW = of(
    joint("root", None), joint("elbow", "root", (1, 0, 0), [dof("hinge", "z")]), joint("wrist", "elbow", (1, 0, 0))
)


def hip(*axes):
    dofs = [dof("hinge", axis) for axis in axes]
    return of(joint("root", None), joint("hip", "root", (0, 0, 1), dofs), joint("tip", "hip", (0.5, 0, 0)))


def arm(*kinds):
    dofs = [dof(kind, "z" if kind == "hinge" else "x") for kind in kinds]
    return of(joint("root", None), joint("arm", "root", (1, 0, 0), dofs), joint("tip", "arm", (0.4, 0, 0)))


SHANK = of(
    joint("root", None),
    joint("shank", "root", (0, 0, 1), [dof("hinge", "z")], (0.5**0.5, 0.5**0.5, 0, 0)),
    joint("tip", "shank", (0.5, 0.2, 0.1)),
)
RAIL = of(
    joint("rail", None, dofs=[dof("slide", "x")]),
    joint("mast", "rail", (0, 0, 0.4), [dof("hinge", "y")]),
    joint("tip", "mast", (0, 0, 0.3)),
    fixed_base=True,
)


@pytest.mark.parametrize(
    ("plan", "values", "expected"),
    [
        (ELBOW, [30], {"elbow": (1, 0, 0), "wrist": (1.866025, 0.5, 0)}),
        (hip("z", "y"), [60, -40], {"hip": (0, 0, 1), "tip": (0.191511, 0.331707, 1.321394)}),
        (hip("y", "z"), [-40, 60], {"tip": (0.191511, 0.433013, 1.160697)}),
        (arm("hinge", "slide"), [90, 0.25], {"arm": (1, 0, 0), "tip": (1, 0.65, 0)}),
        (arm("slide", "hinge"), [0.25, 90], {"tip": (1.25, 0.4, 0)}),
        (SHANK, [90], {"tip": (-0.2, -0.1, 1.5)}),
        (RAIL, [0.7, 90], {"rail": (0, 0, 0), "mast": (0.7, 0, 0.4), "tip": (1, 0, 0.4)}),
    ],
    ids=["1", "2a", "2b", "3a", "3b", "4", "6"],
)
def test_worked_examples(plan, values, expected):
    found = points(plan, *values)
    for name, point in expected.items():
        np.testing.assert_allclose(found[name], point, atol=DIGITS)


def test_hopper_at_neutral():
    plan = BodyPlan.from_dict(hopper())
    expected = [
        (0, 0, 0),
        (0.1, 0.05, 0),
        (0.0403992, 0.05, -0.29402),
        (-0.1177007, 0.05, -0.5251139),
        (0, 0, 0.1),
        (0, 0, 0.3),
    ]
    np.testing.assert_allclose(plan.keypoints(plan.neutral_state()), expected, atol=DIGITS)
    assert plan.length == pytest.approx(0.3146992, abs=5e-8)


def test_leaning_hopper():
    plan = BodyPlan.from_dict(hopper())
    expected = [
        (0.2, -0.1, 0.5),
        (0.294, -0.108, 0.44),
        (0.281069, -0.045172, 0.146938),
        (0.045446, 0.073143, 0.052686),
        (0.248, -0.136, 0.58),
        (0.3584, -0.2188, 0.764),
    ]
    np.testing.assert_allclose(plan.keypoints(LEANING), expected, atol=DIGITS)


def test_derivatives_of_the_hopper_s_foot():
    plan = BodyPlan.from_dict(hopper())
    columns = plan.keypoint_jacobian(LEANING)[plan.joint("foot")].T
    expected = [
        *np.eye(3),
        (0, 0.447314, 0.173143),
        (-0.447314, 0, 0.154554),
        (-0.173143, -0.154554, 0),
        (-0.005482, -0.012932, -0.002531),
        (-0.383072, 0.104684, 0.294791),
        (-0.106382, -0.005580, 0.258943),
        (0, 0, 0),
    ]
    np.testing.assert_allclose(columns, expected, atol=DIGITS)


def test_derivatives_of_hinge_and_slide_in_both_orders():
    first, second = arm("hinge", "slide"), arm("slide", "hinge")
    tip = first.keypoint_jacobian(turned(first, 90, 0.25))[2, :, 6:].T
    np.testing.assert_allclose(tip, [(-0.65, 0, 0), (0, 1, 0)], atol=1e-15)
    tip = second.keypoint_jacobian(turned(second, 0.25, 90))[2, :, 6:].T
    np.testing.assert_allclose(tip, [(1, 0, 0), (-0.4, 0, 0)], atol=1e-15)


def test_step_of_the_hopper():
    plan = BodyPlan.from_dict(hopper())
    state = plan.step(LEANING, STEP)
    np.testing.assert_allclose(state.root_pos, (0.21, -0.1, 0.48), atol=1e-15)
    np.testing.assert_allclose(state.root_quat_wxyz, (0.926529, 0.166697, 0.225692, -0.250637), atol=DIGITS)
    np.testing.assert_allclose(state.dofs, (0.3, -0.5, 1.2, 0.08), atol=1e-15)
    np.testing.assert_allclose(plan.keypoints(state)[3], (0.121651, 0.108257, 0.052759), atol=DIGITS)


SPECIAL = ["any", "zero", "half turn"]


def special_state(plan, rng, kind):
    state = random_state(plan, rng)
    if kind == "zero":
        return state._replace(dofs=np.zeros(plan.n_dofs))
    if kind == "half turn" and not plan.fixed_base:
        axis = rng.normal(size=3)
        return state._replace(root_quat_wxyz=np.array([0.0, *(axis / np.linalg.norm(axis))]))
    return state


@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("seed", range(4))
def test_jacobian_is_the_difference_of_keypoints_along_steps(kind, seed):
    rng = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(rng, joints=12, fixed_base=seed % 2 == 0))
    state = special_state(plan, rng, kind)
    steps = 1e-6 * np.eye(plan.tangent_dim)
    ahead = plan.keypoints(plan.step(state, steps))
    behind = plan.keypoints(plan.step(state, -steps))
    difference = np.moveaxis((ahead - behind) / 2e-6, 0, -1)
    # rounding of keypoints (some 1e-15 of the body's size) over the step, and its square
    np.testing.assert_allclose(plan.keypoint_jacobian(state), difference, atol=1e-8 * max(1.0, plan.length))


def test_leading_axes_are_those_of_a_loop_bit_for_bit_and_broadcast():
    rng = np.random.default_rng(7)
    plan = BodyPlan.from_dict(random_plan(rng, joints=9, fixed_base=False))
    many = random_state(plan, rng, 6)
    grid = State(*(part.reshape(2, 3, -1) for part in many))
    tangents = rng.normal(size=(2, 3, plan.tangent_dim))
    found, moved, stepped = plan.keypoints(grid), plan.keypoint_jacobian(grid), plan.step(grid, tangents)
    assert found.shape == (2, 3, 9, 3)
    assert moved.shape == (2, 3, 9, 3, plan.tangent_dim)
    for index in np.ndindex(2, 3):
        one = State(*(part[index] for part in grid))
        np.testing.assert_array_equal(plan.keypoints(one), found[index])
        np.testing.assert_array_equal(plan.keypoint_jacobian(one), moved[index])
        for part, all_parts in zip(plan.step(one, tangents[index]), stepped, strict=True):
            np.testing.assert_array_equal(part, all_parts[index])
    spread = plan.keypoints({"dofs": many.dofs, "root_pos": [1.0, 2.0, 3.0]})
    assert spread.shape == (6, 9, 3)
    assert plan.keypoints(State(*(part[:0] for part in many))).shape == (0, 9, 3)


def test_many_states_are_those_of_few_bit_for_bit():
    plan = BodyPlan.from_dict(hopper())
    rng = np.random.default_rng(3)
    many = random_state(plan, rng, 5000)
    some = slice(4090, 4100)
    few = State(*(part[some] for part in many))
    np.testing.assert_array_equal(plan.keypoints(many)[some], plan.keypoints(few))
    np.testing.assert_array_equal(plan.keypoint_jacobian(many)[some], plan.keypoint_jacobian(few))


def test_nan_stays_where_it_moves_something():
    plan = BodyPlan.from_dict(hopper())
    state = plan.neutral_state()
    state.dofs[plan.dof("knee")] = np.nan
    missing = np.isnan(plan.keypoints(state)).any(axis=-1)
    assert [name for name, gone in zip(plan.joint_names, missing, strict=True) if gone] == ["foot"]


def test_a_fixed_base_has_no_root_to_move():
    state = State(np.ones(3), np.array([0.0, 1, 0, 0]), np.array([0.7, np.pi / 2]))
    np.testing.assert_allclose(RAIL.keypoints(state)[2], (1, 0, 0.4), atol=1e-15)
    stepped = RAIL.step(state, [0.1, 0.2])
    assert stepped.root_pos.tolist() == [0, 0, 0]
    assert stepped.root_quat_wxyz.tolist() == [1, 0, 0, 0]
    assert RAIL.tangent_dim == 2
    assert RAIL.tangent_names == ("rail", "mast")


@pytest.mark.parametrize(
    ("state", "part"),
    [
        ({"dofs": [1, 2, 3]}, "dofs"),
        ({"root_pos": [1, 2]}, "root_pos"),
        ({"root_quat_wxyz": [0, 0, 0, 0]}, "root_quat_wxyz"),
        ({"dofs": ["a", "b", "c", "d"]}, "dofs"),
        ({"root_pos": np.zeros((2, 3)), "dofs": np.zeros((3, 4))}, "root_pos"),
        ([1, 2, 3, 4], "state"),
    ],
)
def test_states_that_do_not_fit_are_named(state, part):
    plan = BodyPlan.from_dict(hopper())
    with pytest.raises(InvalidArgument, match=f"^{part}: "):
        plan.keypoints(state)


def test_steps_and_parts_that_do_not_fit_are_named():
    plan = BodyPlan.from_dict(hopper())
    with pytest.raises(InvalidArgument, match=r"^tangent: expected shape \(..., 10\), got \(4,\)"):
        plan.step(plan.neutral_state(), np.zeros(4))
    with pytest.raises(UnknownName, match="did you mean 'root_pos'"):
        plan.keypoints({"root_position": [0, 0, 0]})
