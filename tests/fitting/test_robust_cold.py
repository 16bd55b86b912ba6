"""Losses that are not convex, from nothing known: one keypoint is reported elsewhere, and the others stay."""

import fly
import numpy as np
import pytest
from random_plans import random_state
from walker import make_walker

from pantin import samples
from pantin.fitting import BodyPlan, FitOptions, FitSolver, fit
from pantin.fitting.state import State

#: Model length of the six-legged plan on which a body 4 long has a claw 2 off, and others stay within 0.02 or 0.005.
LENGTH = 1.344
OFF, CAUCHY, GEMAN_MCCLURE = 2.0, 0.02, 0.005

WAYS = np.array([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])


@pytest.fixture(scope="module")
def walker():
    """The sample walker, poses of its walk, and their keypoints, in units of a plan whose length is `LENGTH`."""
    plan = BodyPlan.load(samples.body_plan("walker"))
    walk = make_walker.truth()
    state = State(walk.root_pos[::60], walk.root_quat_wxyz[::60], walk.dofs[::60])
    return plan, state, [f"{leg}_claw" for leg in ("L1", "R2", "R3")]


@pytest.fixture(scope="module")
def recorded_fly():
    """The recorded fly's plan, poses that it takes exactly, and its claws and the joints before them."""
    plan = BodyPlan.load(fly.plan_file())
    _, angles = fly.exact()
    count = len(angles)
    state = State(np.zeros((count, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)), angles)
    return plan, state, [name for name in plan.joint_names if name.endswith(("claw", "tibia_tarsus"))]


@pytest.fixture(params=["walker", "recorded_fly"])
def body(request):
    return request.getfixturevalue(request.param)


def dragged(body, loss, *, warm):
    """Largest ways of other keypoints from the fit without the wrong one, in the units above; whether it is flagged."""
    plan, states, names = body
    keypoints = plan.keypoints(states)
    solver = FitSolver(plan, FitOptions(loss=loss))
    unit = plan.length / LENGTH
    ways, flags = [], []
    for i, name in enumerate(names):
        k = plan.joint(name)
        for t, pose in enumerate(keypoints):
            wrong, without = pose.copy(), pose.copy()
            wrong[k] += OFF * unit * WAYS[(i + t) % len(WAYS)]
            without[k] = np.nan
            init = State(*(part[t] for part in states)) if warm else None
            one, other = solver.solve(without, init=init), solver.solve(wrong, init=init)
            ways.append(np.linalg.norm(np.delete(one.keypoints - other.keypoints, k, axis=0), axis=1).max() / unit)
            flags.append(other.outlier.sum() == 1 and other.outlier[k])
    return np.array(ways), np.array(flags)


def test_a_start_that_is_known(body):
    ways, flags = dragged(body, "cauchy", warm=True)
    assert ways.max() <= CAUCHY
    assert flags.all()
    ways, flags = dragged(body, "geman_mcclure", warm=True)
    assert ways.max() <= GEMAN_MCCLURE
    assert flags.all()


def test_a_start_that_is_not_known(body):
    ways, flags = dragged(body, "geman_mcclure", warm=False)
    assert ways.max() <= GEMAN_MCCLURE
    assert flags.all()


def test_milder_losses_are_no_remedy(body):
    plan, states, names = body
    linear, flags = dragged((plan, states, names[:2]), "linear", warm=True)
    assert not flags.any()
    assert linear.max() > 0.3
    for loss in ("huber", "soft_l1"):
        ways, _ = dragged((plan, states, names[:2]), loss, warm=True)
        assert CAUCHY < ways.max() < linear.max()


def test_no_start_by_hand_is_better(walker):
    """Neither the truth nor the Huber solution leads lower than the cold fit."""
    plan, states, names = walker
    rng = np.random.default_rng(0)
    robust, huber = (FitSolver(plan, FitOptions(loss=loss)) for loss in ("geman_mcclure", "huber"))
    for t, pose in enumerate(plan.keypoints(states)):
        given = pose + 0.01 * plan.length * rng.normal(size=pose.shape)
        given[plan.joint(names[t % len(names)])] += plan.length * WAYS[t % len(WAYS)]
        cold = robust.solve(given).cost
        for init in (State(*(part[t] for part in states)), huber.solve(given).state):
            assert cold <= robust.solve(given, init=init).cost * (1.0 + 1e-6)


def test_a_restart_begins_likewise(walker):
    """A body that is thrown about between frames is found as by cold fits, beside a claw that is always wrong."""
    plan, states, names = walker
    rng = np.random.default_rng(3)
    still = plan.keypoints(states)[0]
    thrown = plan.keypoints(random_state(plan, rng, 12))
    recording = np.concatenate([np.stack([still] * 6), thrown])
    recording[:, plan.joint(names[0]), 2] += plan.length
    solver = FitSolver(plan, FitOptions(loss="geman_mcclure", gap="prior", restart_factor=2.0))
    result = solver.solve_sequence(recording)
    assert result.restarted[6:].any()
    for frame in np.flatnonzero(result.restarted):
        assert result.cost[frame] <= solver.solve(recording[frame]).cost * (1.0 + 1e-9)


def test_lanes_and_threads_change_nothing(walker):
    plan, _, names = walker
    walk = make_walker.truth()
    recording = walk.keypoints[:120].copy()
    recording[::40, plan.joint(names[0]), 2] += plan.length
    options = FitOptions(loss="cauchy")
    results = [fit(plan, recording, segments=20, workers=workers, options=options) for workers in (1, 2)]
    for one, other in zip(*(result.state for result in results), strict=True):
        assert one.tobytes() == other.tobytes()
