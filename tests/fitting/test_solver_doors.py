"""What a fit may be asked for: sources, starts, values that are kept; and whatever numbers come, an answer."""

import concurrent.futures
import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hand_made import camera, mixed_sources, seen_from, smooth_states
from hopper import dof, hopper, joint
from hypothesis import given
from hypothesis import strategies as st
from random_plans import random_plan
from reference import Objective, minimum, state_of

from pantin import samples
from pantin.errors import InvalidArgument, UnknownDof
from pantin.fitting import (
    BodyPlan,
    Distance,
    FitOptions,
    FitSolver,
    Orientation,
    Points3D,
    Segments,
    State,
    XYView,
    fit,
    match,
    read_recording,
)

#: Steps go on until the objective does not fall any more.
FINE = {"position_tolerance": 1e-9, "angle_tolerance": 1e-9, "cost_tolerance": 0.0}


@pytest.fixture(scope="module")
def plan():
    return BodyPlan.from_dict(hopper())


@pytest.fixture(scope="module")
def points(plan):
    """Smooth motion with noise, shape (40, 6, 3)."""
    exact = plan.keypoints(smooth_states(plan, 400))[:40]
    return exact + 0.02 * plan.length * np.random.default_rng(9).standard_normal(exact.shape)


KEPT = {
    "their neutral values": ({"lock": ("hip_pitch", "mast")}, {"hip_pitch": 0.2, "mast": 0.05}),
    "values that are given": ({"lock": {"hip_pitch": -0.3, "mast": 0.11}}, {"hip_pitch": -0.3, "mast": 0.11}),
    "a name": ({"lock": "knee"}, {"knee": 0.4}),
    "one value for all frames": ({"prescribe": {"mast": 0.07}}, {"mast": 0.07}),
    "a value for each frame": (
        {"prescribe": {"knee": np.linspace(0.1, 1.3, 40), "mast": np.linspace(0.0, 0.2, 40)}},
        {"knee": np.linspace(0.1, 1.3, 40), "mast": np.linspace(0.0, 0.2, 40)},
    ),
    "some of each": (
        {"lock": {"hip_yaw": 0.1}, "prescribe": {"mast": np.linspace(0.1, 0.13, 40)}},
        {"hip_yaw": 0.1, "mast": np.linspace(0.1, 0.13, 40)},
    ),
}


@pytest.mark.parametrize("case", KEPT)
@pytest.mark.parametrize("segments", [None, 15])
def test_values_are_kept_to_the_bit(plan, points, case, segments):
    options, expected = KEPT[case]
    result = fit(plan, points, options=FitOptions(**options), segments=segments)
    assert result.success.all()
    for name, values in expected.items():
        assert np.array_equal(result.dofs[:, plan.dof(name)], np.broadcast_to(values, 40))
        assert (result.at_limit[:, plan.dof(name)] == 0).all()


@pytest.mark.parametrize("case", KEPT)
def test_the_rest_is_the_bounded_minimum(plan, points, case):
    """As another minimiser finds it for a plan whose limits leave no room."""
    options, expected = KEPT[case]
    result = fit(plan, points, options=FitOptions(**options, **FINE))
    for frame in (0, 17, 39):
        content = hopper()
        for name, values in expected.items():
            value = float(np.broadcast_to(values, 40)[frame])
            for each in content["joints"]:
                for one, label in zip(each["dofs"], labels(each), strict=True):
                    if label == name:
                        one["limits"] = [value, value]
        objective = Objective(content, points[frame], lam=1e-3)
        state, cost = minimum(objective, state_of(result[frame]))
        assert result.cost[frame] <= cost * (1 + 1e-9)
        np.testing.assert_allclose(result.dofs[frame], state[2], atol=1e-5)


def labels(content):
    """Names of the degrees of freedom of a joint of a file."""
    alone = len(content["dofs"]) == 1
    return [each.get("name", content["name"] if alone else None) for each in content["dofs"]]


def test_a_locked_value_is_that_of_the_start(plan, points):
    start = {"dofs": [0.1, 0.3, 0.9, 0.123]}
    result = fit(plan, points, init=start, options=FitOptions(lock=("knee", "mast")))
    assert np.array_equal(result.dofs[:, 2:], np.tile([0.9, 0.123], (40, 1)))
    beyond = fit(plan, points[0], init={"dofs": [0.0, 0.0, 9.0, -1.0]}, options=FitOptions(lock=("knee", "mast")))
    assert np.array_equal(beyond.dofs[2:], [2.5, 0.0])  # limits hold


def test_limits_with_equal_ends_lock_to_the_bit():
    content = hopper()
    content["joints"][4]["dofs"][0].update(limits=[0.11, 0.11], neutral=0.05)
    plan = BodyPlan.from_dict(content)
    points = plan.keypoints(smooth_states(plan, 30))
    assert (fit(plan, points).dofs[:, plan.dof("mast")] == 0.11).all()


def test_everything_may_be_locked():
    content = {**hopper(), "fixed_base": True}
    plan = BodyPlan.from_dict(content)
    points = plan.keypoints(smooth_states(plan, 5))
    result = fit(plan, points, options=FitOptions(lock=plan.dof_names))
    assert result.success.all()
    assert np.array_equal(result.dofs, np.tile(plan.neutral, (5, 1)))
    np.testing.assert_allclose(result.keypoints, np.tile(plan.keypoints(plan.neutral_state()), (5, 1, 1)), atol=1e-15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lock": {"knee": 3.0}}, r"lock: 'knee' has the limits \[0, 2.5\], got 3"),
        ({"prescribe": {"mast": [0.1, 0.1, 0.3]}}, r"prescribe: 'mast' has the limits \[0, 0.2\], got 0.3"),
        ({"lock": "knee", "prescribe": {"knee": 0.4}}, "prescribe: 'knee' is locked as well"),
        ({"prescribe": {"knee": [0.1, 0.2]}}, "prescribe: expected 3 values of 'knee', one for each frame, got shape"),
        ({"prescribe": {"knee": np.ones((3, 1))}}, "prescribe: expected 3 values of 'knee'"),
    ],
)
def test_values_that_cannot_be_kept(plan, points, options, message):
    with pytest.raises(InvalidArgument, match=message):
        fit(plan, points[:3], options=FitOptions(**options))


def test_names_have_their_nearest(plan):
    for options in (FitOptions(lock=["hip_yw"]), FitOptions(lock={"hip_yw": 0.0}), FitOptions(prescribe={"hip_yw": 0})):
        with pytest.raises(UnknownDof, match="no degree of freedom 'hip_yw'; did you mean 'hip_yaw'") as caught:
            FitSolver(plan, options)
        assert caught.value.nearest == "hip_yaw"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((None,), "plan"),
        ((hopper(),), "plan"),
        (("walker",), "plan"),
        ((BodyPlan.from_dict(hopper()), {"gap": "hold"}), "options"),
        ((BodyPlan.from_dict(hopper()), None), "options"),
        ((BodyPlan.from_dict(hopper()), FitOptions(), "camera"), "source"),
        ((BodyPlan.from_dict(hopper()), FitOptions(), 3), "source"),
        ((BodyPlan.from_dict(hopper()), FitOptions(), Points3D), "source"),
        ((BodyPlan.from_dict(hopper()), FitOptions(), []), "source"),
        ((BodyPlan.from_dict(hopper()), FitOptions(), [Points3D(), None]), "source"),
    ],
)
def test_other_types_are_refused_at_once(arguments, name):
    with pytest.raises(InvalidArgument, match=f"^{name}: expected "):
        FitSolver(*arguments)


def test_files_and_recordings_are_not_positions(plan):
    walker = BodyPlan.load("walker")
    recording = read_recording(samples.recording("walker"))
    for wrong, message in (
        ("walker.csv", r"got a path; read_recording\(path\)"),
        (samples.recording("walker"), r"got a path; read_recording\(path\)"),
        (recording, r"got a Recording; match\(recording, plan\) brings it into plan order"),
        (match(recording, walker), "got a Matched; they are its positions, weights and time"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            fit(walker, wrong)


def test_several_individuals_are_fitted_each_by_itself(plan, points):
    xr = pytest.importorskip("xarray")
    both = xr.DataArray(
        np.stack([points, points + 1.0], axis=1),
        dims=("time", "individuals", "keypoints", "space"),
        coords={"keypoints": list(plan.joint_names), "individuals": ["one", "two"]},
    )
    with pytest.raises(InvalidArgument, match="it holds 2 individuals; fit each by itself, the first as"):
        fit(plan, both)
    one, two = (fit(plan, both.isel(individuals=i)) for i in range(2))
    assert np.array_equal(one.dofs, fit(plan, points).dofs)
    np.testing.assert_allclose(two.root_pos, one.root_pos + 1.0, atol=1e-4)


@pytest.mark.parametrize(
    "dress",
    [
        lambda p: p.astype(np.float32),
        lambda p: p.astype(">f8"),
        np.asfortranarray,
        lambda p: np.repeat(p, 2, axis=1)[:, ::2],
        lambda p: p[::-1].copy()[::-1],
        lambda p: p.tolist(),
        lambda p: np.round(100 * p).astype(np.int32),
        lambda p: np.round(100 * p).astype(np.uint8),
    ],
    ids=["float32", "big-endian", "Fortran", "strided", "reversed", "lists", "int32", "uint8"],
)
def test_any_dress_of_numbers_does_and_is_left_alone(plan, points, dress):
    given_points = dress(points)
    kept = np.array(given_points)
    if isinstance(given_points, np.ndarray):
        given_points.flags.writeable = False
    result = fit(plan, given_points, segments=15)
    assert np.array_equal(np.array(given_points), kept)
    assert np.array_equal(result.dofs, fit(plan, kept.astype(np.float64), segments=15).dofs)


def test_starts(plan, points):
    solver = FitSolver(plan)
    found = solver.solve(points[0])
    again = solver.solve(points[0], init=found.state)
    assert again.cost <= found.cost
    assert again.iterations <= 2
    for start in (
        found.state._asdict(),
        tuple(found.state),
        list(found.state),
        {"root_pos": found.root_pos, "root_quat_wxyz": -3.0 * found.root_quat_wxyz, "dofs": found.dofs.tolist()},
    ):
        np.testing.assert_allclose(solver.solve(points[0], init=start).dofs, again.dofs, atol=1e-9)
    beyond = solver.solve(points[0], init=found.state._replace(dofs=[9.0, -9.0, 9.0, -9.0]))
    assert (plan.lower <= beyond.dofs).all()
    assert (beyond.dofs <= plan.upper).all()


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({"dofs": np.zeros((3, 4))}, r"init: expected one state, got \(3,\)"),
        ({"root_pos": [0.0, np.inf, 0.0]}, "init: expected finite numbers"),
        ({"root_quat_wxyz": [np.nan] * 4}, "init: expected finite numbers"),
        (State(np.zeros(3), np.zeros(4), np.zeros(4)), "root_quat_wxyz: a quaternion is zero"),
        (3.0, "expected a State"),
    ],
)
def test_starts_that_are_no_state(plan, points, start, message):
    for positions in (points[0], points):
        with pytest.raises(InvalidArgument, match=message):
            fit(plan, positions, init=start)


def test_times(plan, points):
    time = np.arange(40) / 7.0
    result = fit(plan, points, time=time, segments=15)
    assert np.array_equal(result.time, time)
    assert result.time is not time or not result.time.flags.writeable or np.array_equal(result.time, np.arange(40) / 7)
    assert fit(plan, points[0], time=3.5).time == 3.5
    assert fit(plan, points[:0], time=[]).time.shape == (0,)
    for wrong, message in (
        (time[:-1], r"time: expected shape \(40,\), one time for each frame, got \(39,\)"),
        (time[::-1], "time: expected increasing times, but frame 1 is at"),
        (np.where(np.arange(40) == 20, time[19], time), "time: expected increasing times, but frame 20 is at"),
        (["now"] * 40, "time: expected real numbers"),
    ):
        with pytest.raises(InvalidArgument, match=message):
            fit(plan, points, time=wrong)


@pytest.mark.parametrize("source", ["points", "rig", "mixed"])
@pytest.mark.parametrize("frames", [None, 0, 1, 9])
def test_results_are_made_as_their_checks_ask_for(plan, source, frames):
    """A fit makes its results past the checks of shapes, which do not change them."""
    sources = {"points": [Points3D()], "rig": [camera(plan), camera(plan, 0.7)], "mixed": list(mixed_sources(plan))}
    listed = sources[source]
    states = smooth_states(plan, 20)
    seen = [seen_from(each, plan, plan.keypoints(states), np.random.default_rng(2), 0.1)[0] for each in listed]
    chosen = [each[0] if frames is None else each[:frames] for each in seen]
    positions = chosen[0] if source == "points" else np.stack(chosen, axis=-3) if source == "rig" else chosen
    for gap in ("hold", "interpolate", "nan"):
        asked = listed[0] if source == "points" else listed
        assert_checked(fit(plan, positions, options=FitOptions(gap=gap), source=asked))
        if frames is None:
            assert_checked(FitSolver(plan, FitOptions(gap=gap), asked).solve(positions))


def assert_checked(result):
    """What looks at all of a result finds nothing to change."""
    again = dataclasses.replace(result)
    assert again.equals(result)
    for field in dataclasses.fields(result):
        one, other = getattr(result, field.name), getattr(again, field.name)
        assert type(one) is type(other), field.name
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None), field.name
        assert getattr(one, "shape", None) == getattr(other, "shape", None), field.name


WAYS = {
    "plain": lambda frame, weights, start: (frame, weights, start),
    "lists": lambda frame, weights, start: (frame.tolist(), None if weights is None else weights.tolist(), start),
    "strided": lambda frame, weights, start: (np.repeat(frame, 2, axis=0)[::2], weights, start),
    "read-only": lambda frame, weights, start: (np.broadcast_to(frame, frame.shape), weights, start),
    "a tuple": lambda frame, weights, start: (frame, weights, None if start is None else tuple(start)),
    "a mapping": lambda frame, weights, start: (frame, weights, None if start is None else start._asdict()),
    "float32": lambda frame, weights, start: (frame.astype(np.float32), weights, start),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("fixed_base", [False, True])
def test_one_frame_is_the_first_of_many(points, way, weighted, started, fixed_base):
    plan = BodyPlan.from_dict({**hopper(), "fixed_base": fixed_base})
    frame = points[11].astype(np.float32).astype(np.float64)
    frame[4] = np.nan
    weights = np.array([1.0, 0.5, 2.0, -1.0, 1.0, 0.3]) if weighted else None
    start = State(np.array([0.1, 0.0, 0.2]), np.array([2.0, 0.1, 0.0, 0.3]), np.array([0.1, 0.2, 0.3, 0.1]))
    asked = WAYS[way](frame, weights, start if started else None)
    solver = FitSolver(plan)
    one = solver.solve(asked[0], asked[1], init=asked[2])
    many = solver.solve_sequence(frame[None], weights, init=asked[2])
    assert_checked(one)
    assert one.equals(many[0])


def test_calls_do_not_know_of_each_other(plan, points):
    solver = FitSolver(plan)
    expected = solver.solve_sequence(points)
    solver.solve(np.full((6, 3), 1e9))
    solver.solve_sequence(points[::-1], segments=12)
    assert solver.solve_sequence(points).equals(expected)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: solver.solve_sequence(points), range(12)):
            assert result.equals(expected)


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda solver: pickle.loads(pickle.dumps(solver))])
def test_solvers_can_be_copied_and_sent(plan, points, twin):
    solver = FitSolver(plan, FitOptions(lock={"mast": 0.11}), [Points3D()])
    expected = solver.solve_sequence([points])
    assert twin(solver).solve_sequence([points]).equals(expected)


SMALL = {
    "a point": {"fixed_base": False, "joints": [joint("body", None)]},
    "a post": {"fixed_base": True, "joints": [joint("body", None, (0.0, 0.0, 2.0))]},
    "a stick": {"fixed_base": False, "joints": [joint("body", None), joint("tip", "body", (1.0, 0.0, 0.0))]},
    "a hinge that nothing hangs on": {"fixed_base": True, "joints": [joint("body", None, dofs=[dof("hinge", "z")])]},
    "points in one place": {"fixed_base": False, "joints": [joint("body", None), joint("twin", "body")]},
}


@pytest.mark.parametrize("case", SMALL)
@pytest.mark.parametrize("lam", [0.0, 1e-3])
def test_the_smallest_plans(case, lam):
    plan = BodyPlan.from_dict(SMALL[case], strict=False)
    target = plan.keypoints(plan.neutral_state()) + (0.0 if plan.fixed_base else 0.5)
    result = fit(
        plan, np.tile(target, (12, 1, 1)), options=FitOptions(neutral_weight=lam), segments=Segments(5, overlap=2)
    )
    assert result.success.all()
    np.testing.assert_allclose(result.keypoints, np.tile(target, (12, 1, 1)), atol=1e-6)
    assert len(fit(plan, np.empty((0, plan.n_joints, 3)))) == 0


HUGE = st.sampled_from([0.0, 1.0, -1.0, 1e-300, 1e6, 1e12, 1e75, 1e149, 1e200, np.inf, -np.inf, np.nan])


@given(
    seed=st.integers(0, 2**32 - 1),
    source=st.sampled_from(["points", "xy", "camera", "rig", "mixed"]),
    options=st.fixed_dictionaries(
        {
            "loss": st.sampled_from(["linear", "huber", "soft_l1", "cauchy", "geman_mcclure"]),
            "gap": st.sampled_from(["prior", "hold", "interpolate"]),
            "predict": st.sampled_from(["hold", "velocity"]),
            "neutral_weight": st.sampled_from([0.0, 1e-3, 1e6]),
            "scale_free": st.booleans(),
            "align": st.booleans(),
            "starts": st.sampled_from([0, 2]),
            "max_iterations": st.sampled_from([1, 15]),
        }
    ),
    bad=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 100), HUGE), max_size=6),
    weights=st.one_of(st.none(), HUGE),
    segments=st.sampled_from([None, Segments(3, overlap=2)]),
)
def test_no_number_of_the_world_is_an_error(seed, source, options, bad, weights, segments):
    random = np.random.default_rng(seed)
    plan = BodyPlan.from_dict(random_plan(random, int(random.integers(1, 7))), strict=False)
    sources = {
        "points": [Points3D()],
        "xy": [XYView()],
        "camera": [camera(plan)],
        "rig": [camera(plan), camera(plan, 0.7)],
        "mixed": list(mixed_sources(plan)),
    }[source]
    exact = plan.keypoints(smooth_states(plan, 40, seed))[:8]
    positions = [seen_from(each, plan, exact, random, 0.1)[0] for each in sources]
    for frame, place, value in bad:
        for each in positions:
            if each.shape[-1] < 4 and each.ndim == 3:  # rotations and distances are looked at at the door
                flat = each[frame].reshape(-1)
                flat[place % flat.size] = value
    weight = None if weights is None or np.isinf(weights) or abs(weights) > 1e150 else weights
    if source == "rig":
        asked = (np.stack(positions, axis=1), weight, sources)
    elif source == "mixed":
        asked = (
            positions,
            None if weight is None else [np.full(each.shape[:2], weight) for each in positions],
            sources,
        )
    else:
        asked = (positions[0], weight, sources[0])
    result = FitSolver(plan, FitOptions(**options), asked[2]).solve_sequence(*asked[:2], segments=segments)
    for number in result.state:
        assert np.isfinite(number).all()
    assert (plan.lower <= result.dofs).all()
    assert (result.dofs <= plan.upper).all()
    np.testing.assert_allclose(np.linalg.norm(result.root_quat_wxyz, axis=1), 1.0, atol=1e-12)


def test_orientations_and_distances_alone(plan):
    """They do not say where the body is."""
    states = smooth_states(plan, 30)
    for source in (Orientation(("trunk", "knee")), Distance((("trunk", "foot"),))):
        seen, _ = seen_from(source, plan, plan.keypoints(states), np.random.default_rng(1), 0.0)
        result = fit(plan, seen, source=source)
        assert np.isfinite(result.dofs).all()
        assert np.isfinite(result.root_pos).all()
        assert result.residual.max() < 0.3
        assert "unobservable" in result.status
        if isinstance(source, Orientation):
            assert (result.root_pos == 0.0).all()
