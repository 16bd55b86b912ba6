"""What becomes of a leg that nothing shows for a while, by each of the four policies."""

import itertools

import numpy as np
import pytest
from hopper import dof, joint
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.interpolate import PchipInterpolator
from walker import make_walker, walk

from pantin.errors import InvalidArgument
from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit
from pantin.fitting.gaps import interpolate_gaps, runs

#: A stride of the hidden leg, far from neutral at both edges.
GAP = slice(130, 160)


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.load("walker")


@pytest.fixture(scope="module")
def full():
    """The walk with the noise of a good tracker, shape (300, 31, 3)."""
    exact = walk().keypoints
    return exact + make_walker.NOISE * np.random.default_rng(4).standard_normal(exact.shape)


@pytest.fixture(scope="module")
def leg(plan):
    """Degrees of freedom of the hidden leg."""
    return np.array([name.startswith("L2_") for name in plan.dof_names])


@pytest.fixture(scope="module")
def hidden(plan, full):
    """The walk with one leg hidden for 30 frames."""
    points = full.copy()
    points[GAP, [name.startswith("L2_") for name in plan.joint_names]] = np.nan
    return points


@pytest.fixture(scope="module")
def found(plan, full, hidden):
    """Results by policy, and that of the full recording."""
    results = {gap: fit(plan, hidden, options=FitOptions(gap=gap)) for gap in ("prior", "hold", "interpolate", "nan")}
    return {**results, "full": fit(plan, full)}


def steps(result, leg):
    """Degrees from frame to frame, shape (T - 1, legs' degrees of freedom); the first is into frame 1."""
    return np.degrees(np.abs(np.diff(result.dofs[:, leg], axis=0)))


@pytest.mark.parametrize("gap", ["prior", "hold", "interpolate", "nan"])
def test_seen_tells_of_the_leg_and_of_nothing_else(found, leg, gap):
    expected = np.ones((300, 42), dtype=bool)
    expected[GAP] = ~leg
    assert np.array_equal(found[gap].seen, expected)
    assert found["full"].seen.all()
    assert found[gap].success.all()


@pytest.mark.parametrize("gap", ["prior", "hold", "interpolate", "nan"])
def test_the_other_limbs_do_not_notice(found, leg, gap):
    # the hidden leg's coxa alone told a little of the body, the more the noise
    others = np.degrees(np.abs(found[gap].dofs[:, ~leg] - found["full"].dofs[:, ~leg]))
    assert others[: GAP.start].max() < 1e-3
    assert others[GAP].max() < 3.0
    assert others[GAP.stop + 1 :].max() < 1e-3


def test_under_hold_the_leg_stays_where_it_was(found, leg):
    assert steps(found["hold"], leg)[GAP.start - 1 : GAP.stop - 1].max() < 1.0


def test_under_prior_the_leg_drops_to_neutral(found, plan, leg):
    held = found["prior"].dofs[GAP][:, leg]
    np.testing.assert_allclose(held, np.broadcast_to(plan.neutral[leg], held.shape), atol=1e-6)
    assert steps(found["prior"], leg)[GAP.start - 1].max() > 5.0


def test_under_interpolate_the_leg_moves_from_edge_to_edge(found, plan, leg):
    result = found["interpolate"]
    largest = steps(found["full"], leg).max()
    for edge in (GAP.start - 1, GAP.stop - 1):
        assert steps(result, leg)[edge].max() <= largest
    expected = np.zeros((300, 42), dtype=bool)
    expected[GAP] = leg
    assert np.array_equal(result.interpolated, expected)
    inside = result.dofs[GAP][:, leg]
    ends = np.stack([result.dofs[GAP.start - 1, leg], result.dofs[GAP.stop, leg]])
    assert (inside >= ends.min(axis=0)).all()
    assert (inside <= ends.max(axis=0)).all()
    assert np.array_equal(result.dofs[~expected], found["hold"].dofs[~expected])
    assert not any(found[gap].interpolated.any() for gap in ("prior", "hold", "nan"))


def test_under_nan_the_leg_is_unknown_but_goes_on_from_where_it_was(found, leg):
    result, hold = found["nan"], found["hold"]
    assert np.array_equal(np.isnan(result.dofs), ~result.seen)
    assert np.array_equal(result.dofs[result.seen], hold.dofs[hold.seen])
    for name in ("root_pos", "root_quat_wxyz", "cost", "iterations"):
        assert np.array_equal(getattr(result, name), getattr(hold, name))


def test_a_longer_gap_than_asked_for_is_held(plan, hidden, found):
    result = fit(plan, hidden, options=FitOptions(gap="interpolate", max_gap=29))
    assert not result.interpolated.any()
    assert np.array_equal(result.dofs, found["hold"].dofs)
    assert fit(plan, hidden, options=FitOptions(gap="interpolate", max_gap=30)).interpolated.any()


def test_gaps_at_the_ends_have_one_edge(plan, hidden, leg):
    cut = hidden[GAP.start - 5 : GAP.stop - 5]
    result, hold = (fit(plan, cut, options=FitOptions(gap=gap)) for gap in ("interpolate", "hold"))
    assert not result.interpolated.any()
    assert np.array_equal(result.dofs, hold.dofs)
    begins = fit(plan, hidden[GAP.start + 5 :][:30], options=FitOptions(gap="interpolate"))
    assert not begins.interpolated.any()
    # nothing was before, so nothing can be held but neutral
    np.testing.assert_allclose(begins.dofs[:25][:, leg], np.broadcast_to(plan.neutral[leg], (25, leg.sum())), atol=1e-6)


def test_a_frame_without_anything_is_held(plan, full):
    points = full[:40].copy()
    points[20:23] = np.nan
    hold, prior, nan = (fit(plan, points, options=FitOptions(gap=gap)) for gap in ("hold", "prior", "nan"))
    for result in (hold, prior, nan):
        assert list(result.status[20:23]) == ["no_observations"] * 3
        assert np.array_equal(result.root_pos[20:23], np.repeat(result.root_pos[19:20], 3, axis=0))
        assert not result.seen[20:23].any()
    assert np.array_equal(hold.dofs[20:23], np.repeat(hold.dofs[19:20], 3, axis=0))
    assert np.array_equal(prior.dofs[20:23], np.broadcast_to(plan.neutral, (3, 42)))
    assert np.isnan(nan.dofs[20:23]).all()
    whole = fit(plan, full[:40])
    np.testing.assert_allclose(hold.dofs[23:], whole.dofs[23:], atol=1e-4)


def test_gaps_over_the_joins_of_segments(plan, hidden, found, leg):
    """The gap begins in one window and ends in the next, which begins inside of it and knows nothing of before."""
    result = fit(plan, hidden, segments=150, options=FitOptions(gap="hold"))
    assert result.success.all()
    assert np.degrees(np.abs(result.dofs - found["hold"].dofs)).max() < 1.2  # what windows are joined by
    assert steps(result, leg)[GAP.start - 1 : GAP.stop - 1].max() < 1.2


def test_values_that_are_kept_count_as_seen(plan, hidden, leg):
    name = plan.dof_names[np.flatnonzero(leg)[0]]
    for options in (FitOptions(gap="nan", lock={name: 0.2}), FitOptions(gap="interpolate", prescribe={name: 0.2})):
        result = fit(plan, hidden[120:170], options=options)
        assert result.seen[:, plan.dof(name)].all()
        assert (result.dofs[:, plan.dof(name)] == 0.2).all()


def test_a_limb_on_its_limit_does_not_leave_it():
    content = {
        "fixed_base": True,
        "joints": [
            joint("hip", None, dofs=[dof("hinge", "z", name="swing", limits=[-0.5, 0.5])]),
            joint("toe", "hip", (1.0, 0.0, 0.0)),
        ],
    }
    plan = BodyPlan.from_dict(content)
    angle = 0.8 * np.sin(np.linspace(0.0, 6.0, 80))
    points = np.zeros((80, 2, 3))
    points[:, 1] = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    points[12:20, 1] = np.nan
    for gap in ("hold", "interpolate", "prior"):
        result = FitSolver(plan, FitOptions(gap=gap)).solve_sequence(points)
        assert (np.abs(result.dofs) <= 0.5).all()
        assert (np.abs(result.dofs) == 0.5).any()


@pytest.mark.parametrize(("name", "wrong"), [("gap", "fill"), ("max_gap", -1), ("hold", -1.0)])
def test_other_policies_are_refused(name, wrong):
    with pytest.raises(InvalidArgument, match=name):
        FitOptions(**{name: wrong})


@given(hnp.arrays(np.bool_, st.integers(0, 40)))
def test_runs_are_those_of_a_loop(mask):
    found = list(runs(mask))
    again = np.zeros_like(mask)
    for begin, end in found:
        assert begin < end
        again[begin:end] = True
    assert np.array_equal(again, mask)
    assert all(one[1] < other[0] for one, other in itertools.pairwise(found))


@given(
    dofs=hnp.arrays(np.float64, (12, 2), elements=st.floats(-10.0, 10.0)),
    seen=hnp.arrays(np.bool_, (12, 2)),
    longest=st.integers(0, 12),
)
def test_interpolated_values_are_monotone_between_their_edges(dofs, seen, longest):
    values = dofs.copy()
    filled = interpolate_gaps(values, seen, longest)
    assert not (filled & seen).any()
    assert np.array_equal(values[~filled], dofs[~filled])
    for column in range(2):
        for begin, end in runs(~seen[:, column]):
            inner = begin > 0 and end < 12
            assert filled[begin:end, column].all() == (inner and end - begin <= longest)
            assert filled[begin:end, column].any() == (inner and end - begin <= longest)
            if filled[begin, column]:
                curve = values[begin - 1 : end + 1, column]
                rise = np.diff(curve) * np.sign(curve[-1] - curve[0])
                assert (rise >= -1e-12 * (1.0 + np.abs(curve).max())).all()
                low, high = sorted(curve[[0, -1]])
                assert ((curve >= low) & (curve <= high)).all()  # so limits hold without a tolerance


def test_a_smooth_curve_is_met_as_by_scipy():
    """Where the slopes at both edges are those of SciPy's monotone interpolation, so are the values."""
    time = np.arange(40.0)
    dofs = np.stack([0.02 * time, np.full(40, 0.3)], axis=1)
    seen = np.ones((40, 2), dtype=bool)
    seen[10:30] = False
    broken = np.where(seen, dofs, 7.0)
    assert interpolate_gaps(broken, seen, 30).sum() == 40
    known = np.flatnonzero(seen[:, 0])
    for column in range(2):
        expected = PchipInterpolator(known, dofs[known, column])(time)
        np.testing.assert_allclose(broken[:, column], expected, atol=1e-12)


def test_nothing_is_held_where_nothing_is_missing():
    """A twist that a keypoint hardly off its axis hardly shows is pulled to neutral, not to where it was."""
    level = [1.0, 0.0, 0.0, 0.0]
    twist = {"type": "hinge", "axis": [1, 0, 0], "neutral": 0.3, "name": "twist"}
    bend = {"type": "hinge", "axis": [0, 0, 1], "neutral": 0.0, "name": "bend"}
    plan = BodyPlan.from_dict(
        {
            "fixed_base": True,
            "joints": [
                {"name": "base", "parent": None, "offset_pos": [0, 0, 0], "offset_quat": level, "dofs": [bend]},
                {"name": "elbow", "parent": "base", "offset_pos": [1, 0, 0], "offset_quat": level, "dofs": [twist]},
                {"name": "hand", "parent": "elbow", "offset_pos": [1, 0.01, 0], "offset_quat": level, "dofs": []},
            ],
        }
    )
    angles = np.linspace(0.0, 1.0, 20)
    positions = plan.keypoints({"dofs": np.stack((angles, np.sin(5 * angles)), axis=1)})
    held, prior = (FitSolver(plan, FitOptions(gap=gap)).solve_sequence(positions) for gap in ("hold", "prior"))
    assert not held.seen[:, 1].any()
    assert np.array_equal(held.dofs, prior.dofs)


@pytest.mark.parametrize("loss", ["huber", "soft_l1", "cauchy", "geman_mcclure"])
def test_what_a_robust_loss_sets_aside_is_seen_all_the_same(plan, hidden, loss):
    squares, robust = (FitSolver(plan, FitOptions(loss=each)).solve_sequence(hidden) for each in ("linear", loss))
    assert np.array_equal(robust.seen, squares.seen)
