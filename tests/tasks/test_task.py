"""What holds for every task: J is the derivative, objectives are sums of squares, tasks are copied, doors refuse."""

from __future__ import annotations

import copy
import doctest
import gc
import importlib
import pickle
import pkgutil
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_cases import DERIVED, DIFFERENCE, MAKERS, derivative, frame_pair, near, place, robot

import pantin.tasks
from models import KINDS
from pantin.errors import InvalidArgument, UnknownFrame
from pantin.exceptions import TargetNotSet, TaskDefinitionError
from pantin.tasks import FrameTask, PostureTask, Task

CASES = [(name, robot_name) for name in MAKERS for robot_name in ("tree", "mimics")]


def case(name, robot_name, seed=0):
    """A task, and a place that is near to its target."""
    model = robot(robot_name)
    there = place(model, seed)
    task = MAKERS[name](there, *frame_pair(model, seed))
    return task, near(there, seed + 100)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", DERIVED)
@pytest.mark.parametrize("robot_name", ["every kind", "mimics"])
def test_jacobian_is_the_derivative_of_the_error(robot_name, name, seed):
    task, here = case(name, robot_name, seed)
    J = task.compute_jacobian(here)
    np.testing.assert_allclose(J, derivative(task.compute_error, here), atol=DIFFERENCE * max(1.0, np.abs(J).max()))


@pytest.mark.parametrize("name", DERIVED)
@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_is_the_derivative_for_each_joint_kind(kind, name):
    task, here = case(name, kind)
    J = task.compute_jacobian(here)
    np.testing.assert_allclose(J, derivative(task.compute_error, here), atol=DIFFERENCE * max(1.0, np.abs(J).max()))


@pytest.mark.parametrize(("name", "robot_name"), CASES)
def test_objective_is_half_the_square_of_what_is_left(name, robot_name):
    task, here = case(name, robot_name)
    task.gain, task.lm_damping = 0.7, 0.3
    e, J = task.compute_error(here), task.compute_jacobian(here)
    W = np.broadcast_to(task.cost, e.shape)
    mu = 0.3 * np.sum((0.7 * W * e) ** 2)
    H, c = task.compute_qp_objective(here)

    def left(x):
        return 0.5 * np.sum((W * (J @ x + 0.7 * e)) ** 2) + 0.5 * mu * x @ x

    for x in np.random.default_rng(0).normal(size=(3, here.model.nv)):
        np.testing.assert_allclose(0.5 * x @ H @ x + c @ x, left(x) - left(0.0 * x), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "robot_name"), CASES)
@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda task: pickle.loads(pickle.dumps(task))], ids=["deepcopy", "pickle"]
)
def test_copies_are_equal_and_apart(name, robot_name, duplicate):
    task, here = case(name, robot_name)
    task.priority, task.note = 2, "mine"
    twin = duplicate(task)
    before = task.compute_error(here)
    assert repr(twin) == repr(task)
    assert (type(twin), twin.priority, twin.note) == (type(task), 2, "mine")
    np.testing.assert_array_equal(twin.compute_error(here), before)
    np.testing.assert_array_equal(twin.compute_jacobian(here), task.compute_jacobian(here))
    for held in (twin.cost, getattr(twin, "_target", None), twin._numbers):
        if isinstance(held, np.ndarray):
            held[:] = 0.5
    assert repr(task) == repr(duplicate(task))
    np.testing.assert_array_equal(task.compute_error(here), before)


@pytest.mark.parametrize(("name", "robot_name"), CASES)
def test_representation_names_the_class_and_its_parts(name, robot_name):
    task, _ = case(name, robot_name)
    assert repr(task).startswith(f"{type(task).__name__}(")
    assert "cost=" in repr(task)
    assert "priority" not in repr(task)
    task.priority = 3
    assert repr(task).endswith("priority=3)")


@pytest.mark.parametrize(
    "name", [name for name in MAKERS if "frame" in name or name in ("distance", "pivot", "rolling")]
)
def test_unknown_frames_are_named_with_the_nearest(name):
    task, here = case(name, "tree")
    task._frames = ("tool_RX_1x", *task._frames[1:])
    for compute in (task.compute_error, task.compute_jacobian):
        with pytest.raises(UnknownFrame, match="no frame 'tool_RX_1x'; did you mean 'tool_RX_1'"):
            compute(here)


def test_frame_follows_its_name():
    model = robot("tree")
    here = place(model, 1)
    first, second = frame_pair(model)
    task, other = FrameTask(first, 1.0, 1.0), FrameTask(second, 1.0, 1.0)
    for either in (task, other):
        either.set_target_from_configuration(place(model, 2))
        either.set_target(np.eye(4))
    assert not np.allclose(task.compute_error(here), other.compute_error(here))
    task.frame = second
    np.testing.assert_array_equal(task.compute_error(here), other.compute_error(here))
    with pytest.raises(TaskDefinitionError, match="frame: expected the name of a frame, got 3"):
        task.frame = 3
    assert task.frame == second


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf, "much", [1.0, -2.0], True, {}])
@pytest.mark.parametrize("name", ["cost", "gain", "lm_damping"])
def test_weights_are_numbers_that_are_not_negative(name, wrong):
    task = PostureTask(1.0)
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        setattr(task, name, wrong)
    assert (task.cost, task.gain, task.lm_damping) == (1.0, 1.0, 0.0)
    with pytest.raises(InvalidArgument, match=f"^{name}: "):
        PostureTask(**{"cost": 1.0, name: wrong})


@pytest.mark.parametrize("wrong", [-1, 0.5, True, "first"])
def test_priorities_are_whole_numbers(wrong):
    with pytest.raises(InvalidArgument, match=r"^priority: "):
        PostureTask(1.0, priority=wrong)


@given(
    st.one_of(st.integers(0, 100), st.floats(0.0, 1e6), st.lists(st.integers(0, 9) | st.floats(0.0, 9.0), max_size=6))
)
def test_costs_of_any_form_are_kept(cost):
    task = PostureTask(cost)
    np.testing.assert_array_equal(task.cost, np.asarray(cost, dtype=float))
    assert isinstance(task.cost, float | np.ndarray)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.text(max_size=3),
    st.floats(),
    st.integers(-5, 5),
    st.lists(st.floats(), max_size=8),
    st.lists(st.floats(-2.0, 2.0), min_size=3, max_size=3),
    st.lists(st.lists(st.floats(-2.0, 2.0), min_size=3, max_size=4), max_size=4),
    st.builds(lambda n, kind: np.ones(n).astype(kind), st.integers(0, 13), st.sampled_from(["f4", "i8", "c16", "O"])),
)


@pytest.mark.parametrize("name", ["frame", "com", "posture", "look at", "pivot", "distance", "loop, axis", "momentum"])
@given(data=st.data())
def test_whatever_is_given_is_taken_or_refused_and_rows_stay_finite(name, data):
    task, here = case(name, "tree")
    plain = ["cost", "gain", "lm_damping", "priority"]
    parts = [part for part in dir(task) if part.startswith(("target", "transform", "axis", "frame", "root"))]
    for _ in range(5):
        part = data.draw(st.sampled_from([*plain, *parts, "set_target"]))
        value = data.draw(JUNK)
        before = repr(task)
        try:
            if part == "set_target":
                task.set_target(value, *([0.1] if name == "momentum" else []))
            else:
                setattr(task, part, value)
        except (InvalidArgument, TypeError):
            assert repr(task) == before
    try:
        rows = task.compute_error(here), task.compute_jacobian(here), *task.compute_qp_objective(here)
    except (TargetNotSet, TaskDefinitionError, UnknownFrame):
        return
    assert all(np.isfinite(row).all() for row in rows)


@pytest.mark.parametrize("name", ["frame", "com", "rolling", "omniwheel", "look at", "momentum", "distance"])
def test_costs_of_the_wrong_size_are_refused_where_they_are_used(name):
    task, here = case(name, "tree")
    task.cost = np.ones(7)
    with pytest.raises(TaskDefinitionError, match="cost"):
        task.compute_qp_objective(here)


@pytest.mark.parametrize("name", ["frame", "relative frame", "com", "posture", "joint velocity", "look at", "distance"])
def test_tasks_without_target_say_so(name):
    task, here = case(name, "tree")
    task._target = None
    for compute in (task.compute_error, task.compute_jacobian):
        with pytest.raises(TargetNotSet, match=type(task).__name__):
            compute(here)


class Halfway(Task):
    """A user's own: every joint at a half."""

    def compute_error(self, configuration):
        return configuration.q - 0.5

    def compute_jacobian(self, configuration):
        return np.eye(configuration.model.nv)


class Doubled(FrameTask):
    """A task of ours with another error."""

    def compute_error(self, configuration):
        return 2.0 * super().compute_error(configuration)


def test_own_tasks_are_asked_for_their_rows():
    here = place(robot("panda"), 0)
    H, c = Halfway(cost=2).compute_qp_objective(here)
    np.testing.assert_allclose(H, 4.0 * np.eye(9))
    np.testing.assert_allclose(c, 4.0 * (here.q - 0.5))
    assert repr(Halfway(cost=2, gain=0.5)) == "Halfway(cost=2.0, gain=0.5, lm_damping=0.0)"
    assert repr(pickle.loads(pickle.dumps(Halfway()))) == "Halfway(cost=None, gain=1.0, lm_damping=0.0)"


def test_tasks_made_of_ours_start_from_ours():
    here, task, plain = place(robot("panda"), 0), Doubled("panda_link7", 1.0, 1.0), FrameTask("panda_link7", 1.0, 1.0)
    for either in (task, plain):
        either.set_target(np.eye(4))
    np.testing.assert_array_equal(task.compute_error(here), 2.0 * plain.compute_error(here))
    assert (plain._native, task._native) == (True, False)


def test_a_task_says_what_its_error_is():
    class Half(Task):
        def compute_error(self, configuration):
            return configuration.q

    with pytest.raises(TypeError, match=r"Half is no task yet; write its method compute_jacobian"):
        Half()
    with pytest.raises(TypeError, match=r"Task is no task yet; write its method compute_error"):
        Task()


def test_tasks_that_hold_each_other_are_let_go():
    task, other = PostureTask(1.0), PostureTask(1.0)
    task.other, other.other = other, task
    weak = weakref.ref(task)
    del task, other
    gc.collect()
    assert weak() is None


@pytest.mark.parametrize(
    "module", [f"pantin.tasks.{module.name}" for module in pkgutil.iter_modules(pantin.tasks.__path__)]
)
def test_examples_run(module):
    failures, tried = doctest.testmod(importlib.import_module(module))
    assert failures == 0
    assert tried > 0 or "Task" not in module
