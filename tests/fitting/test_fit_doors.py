"""Wrong questions get one clear error, and odd ones that can be answered an answer."""

import numpy as np
import pytest
import worked_examples as examples
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pantin.errors import InvalidArgument, PantinError
from pantin.fitting import BodyPlan, Camera, FitOptions, FitSolver, XYView, fit

PLAN = BodyPlan.from_dict(examples.HOPPER)
POSITIONS = examples.HOPPER_POSITIONS
CAMERA = Camera(600.0, 600.0, 320.0, 240.0, np.eye(3), (0.0, 0.0, 3.0))


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        (np.zeros((5, 3)), ["6"]),
        (np.zeros((7, 6)), ["6, 3"]),
        (np.zeros((4, 6, 2)), ["XYView"]),
        (np.zeros((6, 2)), ["XYView"]),
        (np.zeros((2, 4, 6, 3)), ["6, 3"]),
        (np.zeros(18), ["6, 3"]),
        (0.0, ["6, 3"]),
        ("keypoints", ["real numbers"]),
        (np.zeros((6, 3), complex), ["real numbers"]),
        (None, ["real numbers"]),
    ],
)
def test_positions_of_another_shape(positions, words):
    with pytest.raises(InvalidArgument, match=r"^positions: ") as caught:
        fit(PLAN, positions)
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.parametrize(
    ("weights", "word"),
    [
        (np.ones(5), "6"),
        (np.ones((3, 6)), "6"),
        (np.full(6, np.inf), "infinite|finite"),
        ("heavy", "real numbers"),
        (np.ones((2, 6, 3)), "6"),
    ],
)
def test_weights_that_do_not_fit(weights, word):
    with pytest.raises(InvalidArgument, match=f"^weights: .*({word})"):
        fit(PLAN, np.tile(POSITIONS, (2, 1, 1)), weights)


@pytest.mark.parametrize("weights", [1.0, np.ones(6), np.ones((2, 1)), np.ones((2, 6)), [1, 1, 1, 1, 1, 1]])
def test_weights_broadcast(weights):
    many = np.tile(POSITIONS, (2, 1, 1))
    assert np.array_equal(fit(PLAN, many, weights).dofs, fit(PLAN, many).dofs)


@pytest.mark.parametrize(
    ("init", "words"),
    [
        ({"dofs": [0.0] * 5}, "4"),
        ({"dofs": [np.nan] * 4}, "finite"),
        ({"root_pos": [0.0] * 2}, "3"),
        ({"root_quat_wxyz": [0.0] * 4}, "quaternion"),
        ({"angles": [0.0] * 4}, "dofs"),
        ("neutral", "State|mapping"),
    ],
)
def test_starts_that_are_none(init, words):
    with pytest.raises(PantinError, match=words):
        fit(PLAN, POSITIONS, init=init)


def test_names_that_the_plan_does_not_have():
    with pytest.raises(LookupError, match="did you mean 'knee'"):
        fit(PLAN, POSITIONS, options=FitOptions(lock="kne"))
    with pytest.raises(LookupError, match="did you mean 'mast'"):
        fit(PLAN, POSITIONS[None], options=FitOptions(prescribe={"mst": [0.1]}))
    with pytest.raises(LookupError, match="did you mean 'foot'"):
        fit(PLAN, {"fot": np.zeros((2, 3))})
    with pytest.raises(InvalidArgument, match="prescribe"):
        fit(PLAN, np.tile(POSITIONS, (3, 1, 1)), options=FitOptions(prescribe={"mast": [0.1, 0.1]}))


@pytest.mark.parametrize("value", [np.nan, -1.0, np.inf, "much", None, [1.0, 2.0]])
@pytest.mark.parametrize(
    "name",
    [
        "neutral_weight",
        "loss_scale",
        "position_tolerance",
        "angle_tolerance",
        "cost_tolerance",
        "damping",
        "hold",
        "near",
    ],
)
def test_options_that_are_none(name, value):
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        FitOptions(**{name: value})


@pytest.mark.parametrize("workers", [0, 1.5, "all"])
def test_workers_that_are_none(workers):
    with pytest.raises(InvalidArgument, match="workers"):
        fit(PLAN, np.tile(POSITIONS, (3, 1, 1)), workers=workers)


@pytest.mark.parametrize("time", [[0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 2.0, 1.0], [0.0, np.nan, 1.0]])
def test_times_that_are_none(time):
    with pytest.raises(InvalidArgument, match=r"^time: "):
        fit(PLAN, np.tile(POSITIONS, (3, 1, 1)), time=time)


def test_plans_options_and_sources_of_another_kind():
    for arguments, name in (
        ({"plan": examples.HOPPER}, "plan"),
        ({"options": {"neutral_weight": 0.0}}, "options"),
        ({"source": "camera"}, "source"),
        ({"source": []}, "source"),
    ):
        with pytest.raises((InvalidArgument, TypeError), match=name):
            fit(**{"plan": PLAN, "positions": POSITIONS, **arguments})


def test_sources_ask_for_their_own_shapes():
    with pytest.raises(InvalidArgument, match=r"^positions: "):
        fit(PLAN, POSITIONS, source=XYView())
    with pytest.raises(InvalidArgument, match=r"^positions: "):
        fit(PLAN, np.zeros((3, 2, 6, 2)), source=[CAMERA])
    one = fit(PLAN, POSITIONS[:, :2], source=XYView())
    assert one.dofs.shape == (4,)


def test_a_single_frame_has_no_axis_of_frames():
    result = fit(PLAN, POSITIONS)
    assert result.dofs.shape == (4,)
    assert result.root_pos.shape == (3,)
    assert np.ndim(result.cost) == 0
    assert result.status == "converged"
    assert result.residual.shape == (6,)
    many = fit(PLAN, POSITIONS[None])
    assert many.dofs.shape == (1, 4)
    assert np.array_equal(many.dofs[0], result.dofs)


def test_arrays_of_the_caller_stay_and_may_be_read_only():
    positions, weights = POSITIONS.copy(), np.ones(6)
    positions.flags.writeable = weights.flags.writeable = False
    result = fit(PLAN, positions, weights)
    assert np.array_equal(positions, POSITIONS)
    assert not np.may_share_memory(result.dofs, PLAN.neutral)


@given(
    arrays.arrays(
        np.float64,
        st.sampled_from([(6, 3), (1, 6, 3), (3, 6, 3), (0, 6, 3)]),
        elements=st.floats(allow_nan=True, allow_infinity=True),
    ),
    st.sampled_from(["linear", "huber", "cauchy", "geman_mcclure"]),
)
def test_any_numbers_give_an_answer(positions, loss):
    result = fit(PLAN, positions, options=FitOptions(loss=loss, max_iterations=20))
    assert np.isfinite(result.dofs).all()
    assert np.isfinite(result.root_pos).all()
    assert np.all((result.dofs >= PLAN.lower) & (result.dofs <= PLAN.upper))
    assert result.residual.shape == positions.shape[:-1]


@given(
    arrays.arrays(np.float64, (6,), elements=st.floats(-1e150, 1e150) | st.just(np.nan)),
    st.floats(0.0, 1e12),
    st.booleans(),
)
def test_any_weights_give_an_answer(weights, pull, scale_free):
    options = FitOptions(neutral_weight=pull, scale_free=scale_free, max_iterations=20)
    result = fit(PLAN, POSITIONS, weights, options=options)
    assert np.isfinite(result.dofs).all()
    assert np.all((result.dofs >= PLAN.lower) & (result.dofs <= PLAN.upper))


def test_a_solver_takes_what_fit_takes():
    solver = FitSolver(PLAN, FitOptions(), XYView())
    assert solver.solve(POSITIONS[:, :2]).dofs.shape == (4,)
    with pytest.raises(InvalidArgument, match=r"^positions: "):
        solver.solve(np.tile(POSITIONS[:, :2], (2, 1, 1)))  # that is for solve_sequence
