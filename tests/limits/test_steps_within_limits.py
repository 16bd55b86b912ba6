"""Steps that are pushed against limits: they stay within, do not tremble, and come back where they start outside.

Runs are short; with HYPOTHESIS_PROFILE=long they are of 100,000 steps.
"""

from __future__ import annotations

import functools
import os

import numpy as np
import pytest
from limit_cases import outside, placed

import pantin
from models import every_kind, random_tree
from pantin.batch_ik import BatchIK
from pantin.differential import DifferentialIK, StepStatus
from pantin.errors import InvalidArgument
from pantin.kinematics import SE3, clamp, exp6, integrate, neutral, random_configuration
from pantin.limits import AccelerationLimit, ConfigurationLimit, VelocityLimit
from pantin.tasks import FrameTask, PostureTask

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
#: What a step may be outside by, rad or m.
EXCESS = 1e-9

#: Robots, and the frames that are pulled.
ROBOTS = {
    "panda": ["panda_hand"],
    "humanoid": ["left_hand", "right_hand", "left_foot", "head"],
    "quadruped": ["left_front_foot", "right_hind_foot"],
}


@functools.cache
def robot(name):
    return pantin.load(name)


def random_target(random, size):
    turn = random.normal(size=3)
    return SE3(exp6(np.concatenate([np.zeros(3), 2.0 * turn])).rotation, size * random.normal(size=3))


def pull(model, frames, posture_cost=1e-2):
    """Tasks that pull frames, and a little at all joints."""
    tasks = [FrameTask(frame, position_cost=1.0, orientation_cost=0.3) for frame in frames]
    posture = PostureTask(cost=posture_cost)
    posture.set_target(neutral(model))
    return tasks, posture


def walk(ik, configuration, dt, steps, change=None, every=400):
    """Configurations, velocities and statuses of steps, between which the question may change; `dt` may be many."""
    q, v, statuses = [configuration.q], [], []
    for step, time in enumerate(np.broadcast_to(dt, steps).tolist()):
        if change and step % every == 0:
            change()
        v.append(ik.step(configuration, time))
        q.append(configuration.q)
        statuses.append(ik.status)
    return np.array(q), np.array(v), statuses


def excess(model, q):
    """How far any of many configurations is outside."""
    limited = model.has_configuration_limit()
    low, high = model.lower_position_limit[limited], model.upper_position_limit[limited]
    return np.maximum(low - q[:, limited], q[:, limited] - high).max(initial=0.0)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("gain", [0.5, 1.0])
def test_steps_towards_what_is_out_of_reach_stay_within_limits(name, gain):
    model, random = robot(name), np.random.default_rng(1)
    tasks, posture = pull(model, ROBOTS[name])
    limits = [ConfigurationLimit(model, gain), VelocityLimit(model)]
    here = placed(model, random_configuration(model, random))
    ik = DifferentialIK(model, [*tasks, posture], limits)

    def elsewhere():
        for task in tasks:
            task.set_target(random_target(random, 3.0))
        posture.set_target(random_configuration(model, random))

    steps = (100_000 if name == "panda" else 20_000) if LONG else (3_000 if name == "panda" else 1_500)
    q, v, statuses = walk(ik, here, 5e-3, steps, elsewhere)
    assert excess(model, q) <= EXCESS
    assert (np.abs(v) <= model.velocity_limit + EXCESS).all()
    assert set(statuses) == {StepStatus.SOLVED}
    assert max(at_limits(model, there) for there in q[::50]) > 0  # or nothing was tried


def turns(v):
    """How often a joint turns back from one step to the next."""
    return int(((v[1:] * v[:-1] < 0.0) & (np.abs(v[1:]) > 1e-9)).sum())


def at_limits(model, q):
    """How many joints are at their limits."""
    limited = model.has_configuration_limit()
    low, high = model.lower_position_limit[limited], model.upper_position_limit[limited]
    return int((np.minimum(q[limited] - low, high - q[limited]) < 1e-6).sum())


@pytest.mark.parametrize("name", ROBOTS)
def test_joints_that_are_pushed_against_limits_come_to_rest_there_and_do_not_tremble(name):
    model = robot(name)
    tasks, posture = pull(model, [model.names[1], *ROBOTS[name]], 1.0)
    here = placed(model, clamp(model, neutral(model)))
    for task in tasks:
        task.set_target_from_configuration(here)
    posture.set_target(clamp(model, integrate(model, here.q, np.full(model.nv, 9.0))) + 3.0)
    ik = DifferentialIK(model, [*tasks, posture])
    walk(ik, here, 5e-3, 1_000)
    _, v, _ = walk(ik, here, 5e-3, 100_000 if LONG else 200)
    assert np.abs(v).max() < 1e-6
    assert turns(v) == 0
    assert at_limits(model, here.q) > 2


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_that_reach_for_what_is_far_away_come_to_rest_and_do_not_tremble(name):
    model, random = robot(name), np.random.default_rng(2)
    tasks, posture = pull(model, ROBOTS[name], 0.1)
    for task in tasks:
        task.set_target(random_target(random, 3.0))
    if model.get_root_joint_dim()[1]:  # the base stays where it is, or all of it would go there
        base = FrameTask(model.names[1], position_cost=100.0, orientation_cost=100.0)
        base.set_target(SE3.Identity())
        tasks.append(base)
    here = placed(model, clamp(model, neutral(model)))
    ik = DifferentialIK(model, [*tasks, posture])
    walk(ik, here, 5e-3, 5_000 if LONG else 1_500)
    _, v, _ = walk(ik, here, 5e-3, 95_000 if LONG else 200)
    assert np.abs(v).max() < 1e-6
    assert turns(v) == 0


@pytest.mark.parametrize("gain", [0.2, 0.5, 1.0])
def test_a_posture_beyond_the_limits_is_approached_by_the_closed_form(gain):
    """With a diagonal objective a step is the wish, cut to the bounds."""
    model = random_tree(["RX", "PY", "RZ", "HX"], 3)
    dt, target = 0.01, np.array([9.0, -9.0, 9.0, 0.1])
    posture = PostureTask(cost=1.0, gain=0.3)
    posture.set_target(target)
    here = placed(model, np.zeros(4))
    ik = DifferentialIK(model, [posture], [ConfigurationLimit(model, gain), VelocityLimit(model)], damping=0.0)
    q, _, _ = walk(ik, here, dt, 500)
    low, high, most = model.lower_position_limit, model.upper_position_limit, model.velocity_limit * dt
    x = np.zeros(4)
    for there in q[1:]:
        x = x + np.clip(np.clip(0.3 * (target - x), gain * (low - x), gain * (high - x)), -most, most)
        np.testing.assert_allclose(there, x, atol=1e-12)
    np.testing.assert_allclose(q[-1], np.clip(target, low, high), atol=1e-9)


@pytest.mark.parametrize("gain", [0.3, 1.0])
def test_joints_that_start_outside_come_back_at_the_allowed_speed(gain):
    """Outside by d, the distance shrinks by v_max dt, and by the part `gain` of it once that is less."""
    model = random_tree(["RX", "PY", "RZ"], 3)
    dt, low, high = 0.01, model.lower_position_limit, model.upper_position_limit
    start = np.array([high[0] + 0.2, low[1] - 0.3, high[2] - 0.1])
    posture = PostureTask(cost=1.0)
    posture.set_target(np.array([9.0, -9.0, 0.0]))  # out there it is where they are asked to be
    here = placed(model, start)
    ik = DifferentialIK(model, [posture], [ConfigurationLimit(model, gain), VelocityLimit(model)])
    q, v, statuses = walk(ik, here, dt, 200)
    most = model.velocity_limit * dt
    distance = np.array([0.2, 0.3])
    for there in q[1:]:
        distance = distance - np.minimum(most[:2], gain * distance)
        np.testing.assert_allclose([there[0] - high[0], low[1] - there[1]], distance, atol=1e-12)
    assert (np.abs(v) <= model.velocity_limit * (1 + 1e-12)).all()
    assert statuses[0] == StepStatus.RETURNING
    assert statuses[-1] == StepStatus.SOLVED
    assert outside(model, q[-1]) <= EXCESS


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_that_start_outside_come_back_and_stay(name):
    model, random = robot(name), np.random.default_rng(4)
    tasks, posture = pull(model, ROBOTS[name])
    for task in tasks:
        task.set_target(random_target(random, 1.0))
    here = placed(model, integrate(model, random_configuration(model, random), random.normal(size=model.nv)))
    assert outside(model, here.q) > 0.5
    q, v, _ = walk(DifferentialIK(model, [*tasks, posture]), here, 5e-3, 600)
    ways = [excess(model, row[None]) for row in q]
    assert (np.diff(ways) <= EXCESS).all()
    assert ways[-1] <= EXCESS
    assert (np.abs(v) <= model.velocity_limit + EXCESS).all()


@pytest.mark.parametrize("braking", ["continuous", "discrete"])
def test_velocity_and_acceleration_limits_hold_for_every_joint_behind_a_free_base(braking):
    """Each entry of every joint kind, the base's too; only joints of one number have limits to brake before."""
    model, random, dt = every_kind(), np.random.default_rng(5), 5e-3
    most, speeds = random.uniform(2.0, 30.0, model.nv), random.uniform(0.2, 2.0, model.nv)
    limits = [VelocityLimit(model, speeds), AccelerationLimit(model, most, braking=braking)]
    frames = [frame.name for frame in model.frames if frame.name.startswith("tool")][::4]
    tasks, posture = pull(model, frames)

    def elsewhere():
        for task in tasks:
            task.set_target(random_target(random, 3.0))
        posture.set_target(random_configuration(model, random))

    here = placed(model, random_configuration(model, random))
    ik = DifferentialIK(model, [*tasks, posture], [*limits, ConfigurationLimit(model)])
    _, v, statuses = walk(ik, here, dt, 20_000 if LONG else 1_000, elsewhere, 100)
    assert (np.abs(v) <= speeds * (1 + 1e-9)).all()
    change = np.abs(np.diff(v, axis=0, prepend=np.zeros((1, model.nv))))
    assert (change <= most * dt * (1 + 1e-9)).all()
    assert (change.max(axis=0) >= 0.99 * most * dt).all()  # all were driven as hard as they may be
    if braking == "discrete":
        assert set(statuses) == {StepStatus.SOLVED}


def test_discrete_braking_stays_within_limits_where_continuous_braking_leaves_them():
    model, dt = robot("panda"), 5e-3
    ends = {}
    for braking in ("continuous", "discrete"):
        random = np.random.default_rng(6)
        (hand,), posture = pull(model, ROBOTS["panda"])
        limits = [ConfigurationLimit(model), VelocityLimit(model), AccelerationLimit(model, 5.0, braking=braking)]
        ik = DifferentialIK(model, [hand, posture], limits)
        here = placed(model, random_configuration(model, random))
        q, _, _ = walk(ik, here, dt, 100_000 if LONG else 3_000, lambda: hand.set_target(random_target(random, 3.0)))  # noqa: B023
        ends[braking] = excess(model, q)
    assert ends["discrete"] <= EXCESS < ends["continuous"]


@pytest.mark.parametrize("name", ROBOTS)
def test_accelerations_are_kept_by_steps_of_any_times(name):
    """Velocities are compared, not displacements of different times."""
    model, random = robot(name), np.random.default_rng(7)
    tasks, posture = pull(model, ROBOTS[name])
    limits = [ConfigurationLimit(model), VelocityLimit(model), AccelerationLimit(model, 5.0, braking="discrete")]
    ik = DifferentialIK(model, [*tasks, posture], limits)

    def elsewhere():
        for task in tasks:
            task.set_target(random_target(random, 3.0))

    times = random.choice([5e-4, 1e-3, 5e-3, 2e-2], 10_000 if LONG else 600)
    here = placed(model, random_configuration(model, random))
    q, v, statuses = walk(ik, here, times, len(times), elsewhere, 150)
    change = np.diff(v, axis=0, prepend=np.zeros((1, model.nv)))
    assert (np.abs(change) <= 5.0 * times[:, None] * (1 + 1e-9)).all()
    assert set(statuses) == {StepStatus.SOLVED}
    assert excess(model, q) <= EXCESS


def test_batches_of_steps_do_not_mind_how_long_earlier_steps_took():
    model = robot("panda")
    posture = PostureTask(cost=1.0)
    start, before = (model.lower_position_limit + model.upper_position_limit) / 2, np.full(7, 0.1)
    posture.set_target(start + 1.0)
    limit = AccelerationLimit(model, 5.0)
    walk(DifferentialIK(model, [posture], [limit]), placed(model, start), 1e-2, 5)  # of another time
    batch = BatchIK(model, [posture], [limit]).rollout(start, 1e-3, 20, previous=before)
    np.testing.assert_allclose(batch.v, 0.1 + np.outer(np.arange(1, 21) * 5e-3, np.ones(7)), rtol=1e-9)


def test_a_limit_of_ones_own_knows_the_last_step():
    class Same(AccelerationLimit):
        def compute_qp_inequalities(self, configuration, dt):
            return super().compute_qp_inequalities(configuration, dt)

    model, ends = robot("panda"), []
    for kind in (AccelerationLimit, Same):
        random = np.random.default_rng(8)
        (hand,), posture = pull(model, ROBOTS["panda"])
        ik = DifferentialIK(model, [hand, posture], [kind(model, 5.0, braking="discrete"), VelocityLimit(model)])
        here = placed(model, clamp(model, neutral(model)))
        hand.set_target(random_target(random, 0.5))
        walk(ik, here, [1e-3, 5e-3] * 50, 100)
        ends.append(here.q)
    np.testing.assert_allclose(*ends, atol=1e-9)


@pytest.mark.parametrize("broken", [np.nan, np.inf, -1.0, 1e300])
def test_numbers_that_were_broken_behind_a_limit_are_refused_or_move_nothing_that_is_not_finite(broken):
    model = robot("panda").copy()
    posture = PostureTask(cost=1.0)
    posture.set_target(neutral(model))
    for part in ("a_max", "Delta_q_prev", "velocity_limit", "lower_position_limit", "upper_position_limit"):
        acceleration, velocity = AccelerationLimit(model, 5.0), VelocityLimit(model, 2.0)
        ik = DifferentialIK(model, [posture], [ConfigurationLimit(model), velocity, acceleration])
        here = placed(model, clamp(model, np.full(7, 1.0)))
        owner = {"velocity_limit": velocity}.get(part, acceleration if hasattr(acceleration, part) else model)
        vector = getattr(owner, part)
        before, vector[2] = vector[2], broken
        for dt in (0.01, 0.0, 0.01):
            if np.isnan(broken) and part != "Delta_q_prev":
                with pytest.raises(InvalidArgument, match="entry 2 is NaN; use infinity for no limit"):
                    ik.step(here, dt)
            else:
                assert np.isfinite(ik.step(here, dt)).all()
        assert np.isfinite(here.q).all()
        vector[2] = before


def test_limits_that_are_written_while_a_robot_moves_count_from_the_next_step_on():
    model = random_tree(["RX", "PY", "RZ"], 3)
    model.velocity_limit = np.zeros(3)  # as files write what is not known
    model.lower_position_limit, model.upper_position_limit = np.full((2, 3), [[-np.inf], [np.inf]])
    posture = PostureTask(cost=1.0)
    posture.set_target(np.full(3, 2.0))
    here = placed(model, np.zeros(3))
    ik = DifferentialIK(model, [posture], [ConfigurationLimit(model), VelocityLimit(model)])
    posture.gain = 0.5
    np.testing.assert_allclose(ik.step(here, 0.01), 100.0)
    model.velocity_limit[1] = 3.0
    np.testing.assert_allclose(ik.step(here, 0.01), [50.0, 3.0, 50.0])
    model.upper_position_limit[2] = 1.6
    np.testing.assert_allclose(ik.step(here, 0.01), [25.0, 3.0, 5.0])
    model.velocity_limit[1] = 0.0  # unknown at first, and again
    model.upper_position_limit[2] = np.inf
    np.testing.assert_allclose(ik.step(here, 0.01), [12.5, 47.0, 22.5])
    limit = VelocityLimit(model, 4.0)
    ik = DifferentialIK(model, [posture], [limit])
    limit.velocity_limit[:] = [0.0, 1.0, 4.0]  # known at first, so that zero holds
    np.testing.assert_allclose(np.abs(ik.step(here, 0.01)), [0.0, 1.0, 4.0])
