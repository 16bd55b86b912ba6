import copy
import gc
import logging
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin
from models import configuration as somewhere
from models import random_tree
from pantin import Configuration, DifferentialIK, FrameTask, PostureTask, build_ik, solve_ik
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.exceptions import NoSolutionFound, NotWithinConfigurationLimits, TargetNotSet
from pantin.kinematics import SE3
from pantin.limits import ConfigurationLimit, Limit, VelocityLimit
from pantin.tasks import DampingTask, Task
from signatures import accepts, parameters, signatures

qpsolvers = pytest.importorskip("qpsolvers")

DT = 0.05
ELBOW_UP = (0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7)


class Wall(Limit):
    """No joint goes up: rows of a user's own."""

    def compute_qp_inequalities(self, configuration, dt):
        return np.eye(configuration.model.nv), np.zeros(configuration.model.nv)


class Bent(Task):
    """A user's own task: the fourth joint at -1.5 rad."""

    def compute_error(self, configuration):
        return configuration.q[3:4] + 1.5

    def compute_jacobian(self, configuration):
        return np.eye(configuration.model.nv)[3:4]


@pytest.fixture
def configuration():
    model = pantin.load("panda")
    return Configuration(model, model.create_data(), ELBOW_UP)


def reaching(configuration, shift=(0.02, -0.01, 0.015)):
    """Tasks that pull the hand away, and hold the posture a little."""
    hand, posture = FrameTask("panda_hand", 1.0, 0.5), PostureTask(1e-2)
    pose = configuration.get_transform_frame_to_world("panda_hand")
    hand.set_target(SE3(pose.rotation, pose.translation + shift))
    posture.set_target_from_configuration(configuration)
    return [hand, posture]


def by_solver(configuration, tasks, dt=DT, **given):
    """The velocity as the solver of the program gives it, from scratch."""
    problem = build_ik(configuration, tasks, dt, **given)
    return qpsolvers.solve_problem(problem, "daqp", primal_tol=1e-12, dual_tol=1e-12).x / dt


def test_bounds_alone_give_what_the_solver_gives(configuration):
    tasks = reaching(configuration, (0.3, 0.2, -0.1))
    for _ in range(20):
        velocity = solve_ik(configuration, tasks, 0.02, "daqp")
        np.testing.assert_allclose(velocity, by_solver(configuration, tasks, 0.02), atol=1e-9)
        configuration.integrate_inplace(velocity, 0.02)
    assert np.abs(velocity).max() > 0.01


@given(seed=st.integers(0, 10_000), dt=st.sampled_from([1e-3, 0.02, 0.3]), damping=st.sampled_from([1e-6, 1e-3]))
def test_bounds_alone_give_what_the_solver_gives_on_any_tree(seed, dt, damping):
    random = np.random.default_rng(seed)
    model = random_tree(random.choice(["RX", "RY", "PZ", "RUBX", "R", "P", "ball"], size=6), seed)
    configuration = Configuration(model, model.create_data(), somewhere(model, seed))
    hand = FrameTask(model.frames[-1].name, random.uniform(0, 2, 3), random.uniform(0, 2, 3), random.uniform(), 0.7)
    goal = Configuration(model, model.create_data(), somewhere(model, seed + 1))
    hand.set_target_from_configuration(goal)
    tasks = [hand, DampingTask(0.1)]
    velocity = solve_ik(configuration, tasks, dt, "daqp", damping, safety_break=False)  # (cos, sin) have limits here
    np.testing.assert_allclose(velocity, by_solver(configuration, tasks, dt, damping=damping), atol=1e-7)


def test_what_is_live_counts_at_the_next_call(configuration):
    hand, posture = tasks = reaching(configuration)
    limit = VelocityLimit(configuration.model)

    def edits():
        hand.cost[1] = 3.0
        yield
        hand.gain, posture.lm_damping = 0.3, 0.1
        yield
        hand.transform_target_to_world.translation[2] += 0.1
        yield
        posture.target_q[0] += 0.2
        yield
        posture.cost = np.linspace(0.1, 0.2, 7)
        yield
        limit.velocity_limit[:] = 0.01
        yield
        hand.frame = "panda_link6"
        yield
        configuration.model.upper_position_limit[1] = configuration.q[1] + 1e-5
        yield

    before = solve_ik(configuration, tasks, DT, "daqp", limits=[limit, *configuration.default_limits])
    for _ in edits():
        after = solve_ik(configuration, tasks, DT, "daqp", limits=[limit, *configuration.default_limits])
        fresh = by_solver(configuration, tasks, limits=[limit, *configuration.default_limits])
        np.testing.assert_allclose(after, fresh, atol=1e-8)
        assert np.abs(after - before).max() > 1e-6
        before = after


def test_what_is_asked_may_change_from_call_to_call(configuration):
    hand, posture = reaching(configuration)
    slow = VelocityLimit(configuration.model, np.full(7, 0.02))
    for tasks, given_limits, damping in [
        ([hand, posture], None, 1e-12),
        ([posture, hand], None, 1e-12),
        ([hand, posture], [], 1e-12),
        ([hand, posture], [slow], 1e-12),
        ([hand, posture], [slow], 0.1),
        ([hand], [slow], 0.1),
        ([hand, posture], None, 1e-12),
    ] * 2:
        velocity = solve_ik(configuration, tasks, DT, "daqp", damping, given_limits)
        fresh = by_solver(configuration, tasks, damping=damping, limits=given_limits)
        np.testing.assert_allclose(velocity, fresh, atol=1e-8)


def test_an_edit_of_the_model_is_followed(configuration):
    tasks = reaching(configuration)
    solve_ik(configuration, tasks, DT, "daqp")
    model = configuration.model
    last = model.get_joint_id("panda_joint7")
    frame = model.get_frame_id("panda_hand")
    model.add_frame(pantin.Frame("tip", last, frame, SE3(np.eye(3), [0.0, 0.0, 0.2]), model.frames[frame].type))
    moved = Configuration(model, model.create_data(), configuration.q)
    tasks[0].frame = "tip"
    np.testing.assert_allclose(solve_ik(moved, tasks, DT, "daqp"), by_solver(moved, tasks), atol=1e-8)


def test_nothing_is_kept_of_tasks_that_are_gone(configuration):
    tasks = reaching(configuration)
    seen = [weakref.ref(task) for task in tasks]
    for limits in (None, [], [VelocityLimit(configuration.model)]):
        solve_ik(configuration, tasks, DT, "daqp", limits=limits)
    tasks.clear()
    gc.collect()
    assert [one() for one in seen] == [None, None]


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda task: pickle.loads(pickle.dumps(task))])
def test_tasks_travel_as_before(configuration, twin):
    tasks = reaching(configuration)
    velocity = solve_ik(configuration, tasks, DT, "daqp")
    twins = [twin(task) for task in tasks]
    np.testing.assert_array_equal(solve_ik(configuration, twins, DT, "daqp"), velocity)
    twins[0].gain = 0.5
    assert np.abs(solve_ik(configuration, twins, DT, "daqp") - velocity).max() > 1e-6
    np.testing.assert_array_equal(solve_ik(configuration, tasks, DT, "daqp"), velocity)


def test_bounds_alone_load_no_solver():
    code = """
import sys, pantin
model = pantin.load("panda")
configuration = pantin.Configuration(model, model.create_data(), (0, -0.5, 0, -2, 0, 1.5, 0))
task = pantin.PostureTask(cost=1.0)
task.set_target([0.1] * 7)
assert abs(pantin.solve_ik(configuration, [task], 0.01, solver="daqp")).max() > 0.1
print("qpsolvers" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, False),
        ({"limits": []}, False),
        ({"solver_policy": "always"}, True),
        ({"limits": [Wall()]}, True),
        ({"constraints": True}, True),
    ],
)
def test_the_solver_is_asked_where_there_are_rows_or_always(configuration, monkeypatch, given, asked):
    calls = []
    solve_problem = qpsolvers.solve_problem

    def spy(problem, **options):
        calls.append(options)
        return solve_problem(problem, **options)

    monkeypatch.setattr(qpsolvers, "solve_problem", spy)
    tasks = reaching(configuration)
    if "constraints" in given:
        given = {"constraints": [tasks.pop(0)]}
    solve_ik(configuration, tasks, DT, solver="daqp", **given, primal_tol=1e-9)
    assert calls == ([{"solver": "daqp", "primal_tol": 1e-9}] if asked else [])


def test_policies_agree(configuration):
    tasks = reaching(configuration)
    auto = solve_ik(configuration, tasks, DT, "daqp")
    always = solve_ik(configuration, tasks, DT, "daqp", solver_policy="always", primal_tol=1e-12)
    np.testing.assert_allclose(auto, always, atol=1e-9)


def test_tasks_and_limits_of_a_users_own_take_part(configuration):
    tasks = [*reaching(configuration), Bent(cost=2.0)]
    np.testing.assert_allclose(solve_ik(configuration, tasks, DT, "daqp"), by_solver(configuration, tasks), atol=1e-8)
    velocity = solve_ik(configuration, tasks, DT, "daqp", limits=[Wall()], primal_tol=1e-12)
    np.testing.assert_allclose(velocity, by_solver(configuration, tasks, limits=[Wall()]), atol=1e-8)
    assert velocity.max() < 1e-9


class Beside(Limit):
    """Two rows of a user's own, one of which bounds nothing."""

    def compute_qp_inequalities(self, configuration, dt):
        eye = np.eye(configuration.model.nv)
        return np.array([eye[3], -eye[5]]), np.array([np.inf, 1e-3 * dt])


def test_rows_of_a_users_own_that_are_infinite_bound_nothing(configuration):
    given = [*configuration.default_limits, Beside()]
    tasks = reaching(configuration, (0.0, 0.0, 0.3))
    velocity = solve_ik(configuration, tasks, DT, "daqp", limits=given, primal_tol=1e-12)
    assert velocity[3] > 1.0
    assert velocity[5] == pytest.approx(-1e-3, abs=1e-9)
    np.testing.assert_allclose(velocity, DifferentialIK(configuration.model, tasks, given).solve(configuration, DT))


class Half(VelocityLimit):
    """A limit of ours with rows of its own."""

    def compute_qp_inequalities(self, configuration, dt):
        G, h = super().compute_qp_inequalities(configuration, dt)
        return G, 0.5 * h


class Squared(Bent):
    """A task with an objective of its own, as Pinker lets tasks have."""

    def compute_qp_objective(self, configuration):
        H, c = super().compute_qp_objective(configuration)
        return 9.0 * H, 9.0 * c


def test_classes_that_answer_for_themselves_are_asked(configuration):
    tasks, limits = reaching(configuration, (0.3, 0.2, 0.1)), [Half(configuration.model)]
    velocity = solve_ik(configuration, tasks, DT, "daqp", limits=limits, primal_tol=1e-12)
    assert np.abs(velocity / configuration.model.velocity_limit).max() == pytest.approx(0.5)
    np.testing.assert_allclose(velocity, by_solver(configuration, tasks, limits=limits), atol=1e-8)
    bent, thrice = [*reaching(configuration), Squared(cost=1.0)], [*reaching(configuration), Bent(cost=3.0)]
    np.testing.assert_allclose(build_ik(configuration, bent, DT).P, build_ik(configuration, thrice, DT).P, atol=1e-12)
    np.testing.assert_allclose(
        solve_ik(configuration, bent, DT, "daqp", primal_tol=1e-12),
        solve_ik(configuration, thrice, DT, "daqp"),
        atol=1e-8,
    )


def test_constraints_hold_exactly(configuration):
    hand, posture = reaching(configuration)
    posture.set_target(np.zeros(7))
    velocity = solve_ik(configuration, [posture], DT, "daqp", limits=[], constraints=[hand])
    residual = hand.compute_jacobian(configuration) @ velocity * DT + hand.compute_error(configuration)
    assert np.abs(residual).max() < 1e-12


def test_tasks_that_come_first_are_the_program_and_levels_are_the_cores(configuration):
    hand, posture = tasks = reaching(configuration)
    alone = build_ik(configuration, [hand], DT)
    posture.priority = 1
    problem = build_ik(configuration, tasks, DT)
    np.testing.assert_array_equal(problem.P, alone.P)
    np.testing.assert_array_equal(problem.q, alone.q)
    ik = DifferentialIK(configuration.model, tasks, [])
    np.testing.assert_array_equal(solve_ik(configuration, tasks, DT, "daqp", limits=[]), ik.solve(configuration, DT))
    ik = DifferentialIK(configuration.model, tasks, [Wall()])
    np.testing.assert_array_equal(
        solve_ik(configuration, tasks, DT, "daqp", limits=[Wall()]), ik.solve(configuration, DT)
    )
    with pytest.raises(InvalidArgument, match="priorities"):
        solve_ik(configuration, tasks, DT, "daqp", solver_policy="always")


def test_no_tasks_are_served_by_standing_still(configuration):
    np.testing.assert_array_equal(solve_ik(configuration, [], DT, "daqp"), np.zeros(7))
    np.testing.assert_array_equal(solve_ik(configuration, [], DT, "daqp", limits=[]), np.zeros(7))


def test_anything_that_can_be_looped_over_will_do(configuration):
    hand, posture = reaching(configuration)
    velocity = solve_ik(configuration, [hand, posture], DT, "daqp")
    for tasks in ((hand, posture), iter([hand, posture]), {hand: 1, posture: 2}):
        np.testing.assert_array_equal(
            solve_ik(configuration, tasks, np.float32(DT), "daqp").round(3), velocity.round(3)
        )
    limits = (limit for limit in configuration.default_limits)
    np.testing.assert_array_equal(solve_ik(configuration, [hand, posture], DT, "daqp", limits=limits), velocity)


def test_threads_may_share_tasks(configuration):
    tasks = reaching(configuration)
    expected = solve_ik(configuration, tasks, DT, "daqp")
    wrong = []

    def work():
        own = configuration.copy()
        for _ in range(200):
            if not np.array_equal(solve_ik(own, tasks, DT, "daqp"), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_configuration_outside_its_limits_is_refused_or_told(configuration, caplog):
    tasks = reaching(configuration)
    outside = configuration.q.copy()
    outside[1] = configuration.model.upper_position_limit[1] + 1e-3
    configuration.update(outside)
    with pytest.raises(NotWithinConfigurationLimits, match="panda_joint2") as error:
        solve_ik(configuration, tasks, DT, "daqp")
    assert error.value.joint == 1
    with caplog.at_level(logging.WARNING):
        velocity = solve_ik(
            configuration, tasks, DT, "daqp", limits=[ConfigurationLimit(configuration.model)], safety_break=False
        )
    assert "panda_joint2" in caplog.text
    assert velocity[1] <= -0.5 * 1e-3 / DT + 1e-9


def test_a_program_without_solution_is_an_error_with_the_program(configuration):
    tasks = reaching(configuration)
    outside = configuration.q.copy()
    outside[1] = configuration.model.upper_position_limit[1] + 0.5
    configuration.update(outside)
    for policy in ("auto", "always"):
        with pytest.raises(NoSolutionFound) as error:
            solve_ik(configuration, tasks, DT, "daqp", safety_break=False, solver_policy=policy)
        assert isinstance(error.value.problem, qpsolvers.Problem)
        assert not error.value.results.found


def test_constraints_that_exclude_each_other_are_an_error(configuration):
    hand, posture = reaching(configuration, (2.0, 0.0, 0.0))
    with pytest.raises(NoSolutionFound):
        solve_ik(configuration, [posture], DT, "daqp", constraints=[hand])
    posture.priority = 1
    with pytest.raises(NoSolutionFound) as error:
        solve_ik(configuration, [DampingTask(1.0), posture], DT, "daqp", constraints=[hand])
    assert not error.value.results.found


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"dt": np.nan}, "dt"),
        ({"dt": 0.0}, "dt"),
        ({"dt": -1e-3}, "dt"),
        ({"dt": np.inf}, "dt"),
        ({"dt": "soon"}, "dt"),
        ({"damping": -1.0}, "damping"),
        ({"damping": np.nan}, "damping"),
        ({"solver": "dapq"}, "solver"),
        ({"solver": None}, "solver"),
        ({"solver": ["daqp"]}, "solver"),
        ({"solver_policy": "never"}, "solver_policy"),
        ({"tasks": [3]}, "tasks[0]"),
        ({"tasks": None}, "tasks"),
        ({"limits": [PostureTask(1.0)]}, "limits[0]"),
        ({"barriers": [Wall()]}, "barriers[0]"),
        ({"constraints": [Wall()]}, "constraints[0]"),
        ({"configuration": 3}, "configuration"),
    ],
)
def test_wrong_questions_are_refused(configuration, change, name):
    question = {"configuration": configuration, "tasks": reaching(configuration), "dt": DT, "solver": "daqp"} | change
    with pytest.raises(InvalidArgument) as error:
        solve_ik(**question)
    assert error.value.argument == name
    if name.startswith("solver"):
        return
    question.pop("solver")
    with pytest.raises(InvalidArgument) as error:
        build_ik(**question)
    assert error.value.argument == name


def test_the_number_of_a_solved_step_is_that_of_its_word(configuration):
    from pantin.solve_ik import _SOLVED

    ik = DifferentialIK(configuration.model, reaching(configuration))
    ik.solve(configuration, DT)
    assert (ik.status, ik._status) == ("solved", _SOLVED)


def test_an_unknown_solver_is_told_which_there_are(configuration):
    with pytest.raises(
        InvalidArgument, match=r"no quadratic-programming solver 'osqqp' is installed; there is .*'daqp'"
    ):
        solve_ik(configuration, reaching(configuration), DT, "osqqp")


@pytest.mark.parametrize("policy", ["auto", "always"])
def test_numbers_that_are_none_are_refused_wherever_they_were_written(configuration, policy):
    tasks = reaching(configuration)
    tasks[0].cost[2] = np.nan
    with pytest.raises(InvalidArgument, match="not finite"):
        solve_ik(configuration, tasks, DT, "daqp", solver_policy=policy)
    tasks[0].cost[2] = 1.0
    assert np.isfinite(solve_ik(configuration, tasks, DT, "daqp", solver_policy=policy)).all()


def test_what_a_task_lacks_is_told(configuration):
    with pytest.raises(TargetNotSet):
        solve_ik(configuration, [FrameTask("panda_hand", 1.0, 1.0)], DT, "daqp")
    wrong = FrameTask("panda_hnad", 1.0, 1.0)
    wrong.set_target(SE3())
    for call in (lambda: solve_ik(configuration, [wrong], DT, "daqp"), lambda: build_ik(configuration, [wrong], DT)):
        with pytest.raises(UnknownFrame, match="panda_hand"):
            call()


def test_importing_the_module_leaves_the_function_at_the_face():
    code = "import pantin.solve_ik, pantin; from pantin.solve_ik import solve_ik; print(pantin.solve_ik is solve_ik)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.parametrize("name", ["build_ik", "solve_ik"])
def test_calls_take_what_pinkers_take(name):
    pinker = pytest.importorskip("pinker")
    for ours in signatures(getattr(pantin, name)):
        assert accepts([pair for pair in ours if pair[0] != "solver_policy"], parameters(getattr(pinker, name)))
