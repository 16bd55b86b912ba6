"""Parts of a step that change what it reads while it runs: it ends with an answer or an error."""

import numpy as np
import pytest

import pantin
from pantin import Configuration, DifferentialIK, FrameTask, PostureTask, _core
from pantin.barriers import Barrier
from pantin.errors import StaleData
from pantin.exceptions import TaskDefinitionError, TaskJacobianNotSet
from pantin.kinematics import SE3, neutral
from pantin.limits import AccelerationLimit, ConfigurationLimit, Limit, VelocityLimit
from pantin.tasks import ClosedLoopTask, LinearHolonomicTask, LookAtTask, ManipulabilityTask, RollingTask, Task

DT = 0.01
NOISE: list[np.ndarray] = []


class Unruly(Task):
    """Rows that do something before they answer."""

    def __init__(self, before_error=None, before_jacobian=None, rows=3, **given):
        super().__init__(cost=1.0, **given)
        self.before_error, self.before_jacobian, self.rows = before_error, before_jacobian, rows
        self.e = np.full(rows, 0.1)

    def compute_error(self, configuration):
        if self.before_error:
            self.before_error(configuration)
        return self.e

    def compute_jacobian(self, configuration):
        if self.before_jacobian:
            self.before_jacobian(configuration)
        return np.eye(self.rows, configuration.model.nv)


class UnrulyLimit(Limit):
    """A limit that does something and limits nothing."""

    def __init__(self, act):
        self.act = act

    def compute_qp_inequalities(self, configuration, dt):
        return self.act()


@pytest.fixture
def configuration():
    model = pantin.load("panda")
    return Configuration(model, model.create_data(), (0.0, -0.5, 0.0, -2.0, 0.0, 1.5, 0.7))


def pulled(configuration, **given):
    task = FrameTask("panda_hand", 1.0, 1.0, **given)
    pose = configuration.get_transform_frame_to_world("panda_hand")
    task.set_target(SE3(pose.rotation, pose.translation + 0.03))
    return task


def resized(array, n=0):
    """Resizes an array in place, and writes other numbers where it was."""
    size = array.size
    array.resize(n, refcheck=False)
    NOISE[:] = [np.full(size, 7.0) for _ in range(64)]


def test_the_problem_of_another_model_is_refused(configuration):
    other = pantin.load("biped")
    ik = DifferentialIK(other, [PostureTask(1.0)])
    ik._tasks[0].set_target(neutral(other))
    for call in (ik.problem, ik.step, ik.solve):
        with pytest.raises(StaleData):
            call(configuration, DT)


@pytest.mark.parametrize("place", ["tasks", "constraints"])
def test_an_error_that_the_jacobian_resizes_counts_as_it_was(configuration, place):
    rows = 3
    task, calm = Unruly(before_jacobian=lambda _: resized(task.e), rows=rows), Unruly(rows=rows)
    steps = []
    for one in (task, calm):
        given = {"tasks": [PostureTask(1e-3)], "constraints": []}
        given["tasks"][0].set_target(configuration.q)
        given[place].append(one)
        ik = DifferentialIK(configuration.model, given["tasks"], constraints=given["constraints"])
        steps.append(ik.solve(configuration, DT))
    assert np.array_equal(*steps)


def test_bounds_that_their_matrix_resizes_count_as_they_were(configuration):
    h = np.full(7, 1e-3)

    class Matrix:
        def __array__(self, dtype=None, copy=None):
            resized(h)
            return np.eye(7)

    ik = DifferentialIK(configuration.model, [pulled(configuration)], [UnrulyLimit(lambda: (Matrix(), h))])
    assert ik.step(configuration, DT).max() * DT == pytest.approx(1e-3)


@pytest.mark.parametrize("escapes", [False, True])
def test_costs_and_targets_that_a_limit_replaces_are_read_again(configuration, escapes):
    hand, posture = pulled(configuration), PostureTask(np.ones(7))
    posture.set_target(configuration.q)

    def act():
        hand.cost = np.ones(6)
        posture.cost = np.ones(7)
        posture.set_target(configuration.q)

    ik = DifferentialIK(configuration.model, [hand, posture], [UnrulyLimit(act)], escape_singularity=escapes)
    for _ in range(3):
        assert np.isfinite(ik.step(configuration, DT)).all()


@pytest.mark.parametrize("n", [0, 2, 5])
def test_a_target_that_a_limit_resizes_is_told(configuration, n):
    posture = PostureTask(1.0)
    posture.set_target(configuration.q)
    ik = DifferentialIK(configuration.model, [posture], [UnrulyLimit(lambda: resized(posture._target, n))])
    with pytest.raises(TaskDefinitionError, match="expected 7 numbers"):
        ik.step(configuration, DT)


def test_a_limit_that_a_barrier_changes_counts_as_it_is_then(configuration):
    limit = VelocityLimit(configuration.model)
    limit._vector = np.ones(7)

    class UnrulyBarrier(Barrier):
        def compute_barrier(self, configuration):
            return np.ones(1)

        def compute_jacobian(self, configuration):
            return np.zeros((1, 7))

        def compute_qp_objective(self, configuration):
            resized(limit._vector)
            resized(limit._vector, 7)
            limit._vector[:] = 0.1
            return super().compute_qp_objective(configuration)

    ik = DifferentialIK(configuration.model, [pulled(configuration)], [limit], [UnrulyBarrier(1)])
    assert np.abs(ik.step(configuration, DT)).max() == pytest.approx(0.1)


def test_levels_ask_for_no_more_rows_than_are_weighed(configuration):
    """The Jacobian is asked for again where the next level begins."""
    asked = []
    first = Unruly(before_jacobian=lambda _: (asked.append(1), setattr(first, "rows", 3 if len(asked) < 2 else 7)))
    first.cost = np.ones(3)
    ik = DifferentialIK(configuration.model, [first, pulled(configuration, priority=1)])
    with pytest.raises(TaskDefinitionError, match="matrix"):
        ik.step(configuration, DT)


def test_a_limit_that_steps_and_edits_the_model_while_it_is_compiled(configuration):
    model = configuration.model

    class Editing(ConfigurationLimit):
        armed = False

        def _refresh(self):
            super()._refresh()
            if self.armed:
                self.armed = False
                ik.step(configuration, DT)
                model.joint_placements[2] = SE3.Identity()

    posture, held, limit = PostureTask(1.0), pulled(configuration), Editing(model)
    posture.set_target(configuration.q)
    held.set_target_from_configuration(configuration)
    ik = DifferentialIK(model, [posture], [limit], constraints=[held])
    limit.armed = True
    with pytest.raises(StaleData):
        ik.step(configuration, DT)


@pytest.mark.parametrize("step", ["compiled", "before"])
@pytest.mark.parametrize("damage", [resized, lambda x: setattr(x, "dtype", np.int64)], ids=["resized", "integers"])
@pytest.mark.parametrize(
    "task",
    [
        lambda: LookAtTask("panda_hand", root="panda_link0"),
        lambda: RollingTask("panda_hand", "panda_link0", 0.1, 1.0),
        lambda: ClosedLoopTask("panda_hand", "panda_link0"),
        lambda: ManipulabilityTask("panda_hand", pantin.load("panda"), 1.0),
        lambda: LinearHolonomicTask(np.eye(7), np.zeros(7), np.zeros(7), 1.0),
    ],
    ids=["look_at", "rolling", "closed_loop", "manipulability", "holonomic"],
)
def test_constants_that_are_damaged_are_told(configuration, task, damage, step):
    task = task()
    ik = DifferentialIK(configuration.model, [task], [])
    if step == "compiled":
        ik.step(configuration, DT)
    damage(task._numbers)
    with pytest.raises((TaskDefinitionError, TaskJacobianNotSet)):
        ik.step(configuration, DT)


@pytest.mark.parametrize("mode", [7.0, -1.0, np.nan, 1e300, 1.0])
def test_a_closed_loop_of_another_mode_is_told(configuration, mode):
    task = ClosedLoopTask("panda_hand", "panda_link0")
    ik = DifferentialIK(configuration.model, [task])
    ik.step(configuration, DT)
    task._numbers[0] = mode
    with pytest.raises(TaskDefinitionError):
        ik.step(configuration, DT)


def test_a_configuration_whose_numbers_are_resized_is_told(configuration):
    """Even a read-only array may be resized by who insists."""
    ik = DifferentialIK(configuration.model, [pulled(configuration)])
    resized(configuration.q)
    for call in (ik.step, ik.solve, ik.problem):
        with pytest.raises(ValueError, match="resized"):
            call(configuration, DT)
    configuration.update(np.zeros(7))
    assert ik.step(configuration, DT).any()


def test_a_configuration_whose_numbers_are_resized_within_a_step(configuration):
    q = configuration.q.copy()
    task = Unruly(before_error=lambda c: resized(c.q) if c.q.size else None)
    velocity = DifferentialIK(configuration.model, [task, pulled(configuration)], []).step(configuration, DT)
    assert np.allclose(configuration.q, q + DT * velocity, rtol=0.0, atol=1e-15)


def test_memory_of_the_last_step_that_is_not_writable_is_replaced(configuration):
    model = configuration.model
    limit = AccelerationLimit(model, np.full(7, 100.0))
    frozen = np.frombuffer(bytes(56))
    limit._previous = frozen
    ik = DifferentialIK(model, [pulled(configuration)], [limit])
    assert ik.step(configuration, DT).any()
    assert not frozen.any()


def test_a_time_step_that_moves_the_configuration(configuration):
    class Moving(float):
        def __float__(self):
            configuration.update(np.zeros(7) - 0.1)
            return 0.01

    lower, upper = _core.limit_bounds(ConfigurationLimit(configuration.model), configuration, Moving(0.5))
    assert (lower <= upper).all()
    assert np.isfinite(upper).all()


def test_programs_whose_arguments_resize_each_other():
    H = np.eye(64)

    class Shrinking:
        def __array__(self, dtype=None, copy=None):
            H.resize((2, 2), refcheck=False)
            return np.full(2, -1.0)

    outcome = _core.solve_qp(H, np.ones(2), Shrinking())
    assert outcome.status == "solved"
    assert outcome.x == pytest.approx([-1.0, -1.0])
