"""Steps of many robots at once: each row goes the way that a `DifferentialIK` of its own goes."""

import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pantin
from pantin.batch_ik import BatchIK, BatchSteps
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK, StepStatus
from pantin.errors import InvalidArgument
from pantin.exceptions import TargetNotSet
from pantin.kinematics import SE3, integrate, neutral
from pantin.kinematics.batch import center_of_mass, frame_placements
from pantin.limits import AccelerationLimit, ConfigurationLimit, VelocityLimit
from pantin.tasks import (
    ComTask,
    DampingTask,
    FrameTask,
    JointVelocityTask,
    LowAccelerationTask,
    PostureTask,
    RelativeFrameTask,
    Task,
)

DT, ROWS, STEPS = 0.02, 7, 12


def spread(model, rows=ROWS, seed=0):
    """Configurations within limits, around the neutral one where there are none, shape (rows, nq)."""
    random = np.random.default_rng(seed)
    q = np.array([integrate(model, neutral(model), 0.6 * random.normal(size=model.nv)) for _ in range(rows)])
    has = model.has_configuration_limit()
    low, high = model.lower_position_limit, model.upper_position_limit
    return np.where(has, np.clip(q, low, high), q)


def panda():
    """The arm, its hand and a posture, and targets of each that move."""
    model = pantin.load("panda")
    hand, posture = FrameTask("panda_hand", [1.0, 2.0, 1.0], 0.5, lm_damping=1e-3, gain=0.8), PostureTask(1e-2)
    goals = spread(model, ROWS * STEPS, 1).reshape(ROWS, STEPS, -1)
    targets = {hand: frame_placements(model, "panda_hand", goals), posture: spread(model, ROWS, 2)[:, None]}
    return model, [hand, posture], targets


def humanoid():
    """Feet, centre of mass, one hand seen from the other, damping."""
    model = pantin.load("humanoid")
    feet = [FrameTask(f"{side}_sole", 5.0, 5.0) for side in ("left", "right")]
    com, hands = ComTask([3.0, 3.0, 1.0]), RelativeFrameTask("left_foot", "torso", 1.0, 0.1)
    goals = spread(model, ROWS, 3)[:, None]
    at = {name: frame_placements(model, name, goals) for name in ("left_sole", "right_sole", "left_foot", "torso")}
    targets = {feet[0]: at["left_sole"], feet[1]: at["right_sole"], com: center_of_mass(model, goals)}
    targets[hands] = np.linalg.inv(at["torso"]) @ at["left_foot"]
    return model, [*feet, com, hands, DampingTask(0.1)], targets


def alone(model, tasks, limits, q, targets, steps=STEPS, **options):
    """What a `DifferentialIK` does with one row."""
    configuration = Configuration(model, model.create_data(), q)
    ik = DifferentialIK(model, tasks, limits, **options)
    path = []
    for s in range(steps):
        for task, rows in targets.items():
            target = rows[min(s, len(rows) - 1)]
            task.set_target(SE3(target[:3, :3], target[:3, 3]) if target.shape == (4, 4) else target)
        v = ik.step(configuration, DT)
        path.append((configuration.q, v, ik.status))
    return path


@pytest.mark.parametrize("scene", [panda, humanoid])
def test_each_row_goes_as_a_step_of_its_own_to_the_bit(scene):
    model, tasks, targets = scene()
    q = spread(model)
    result = BatchIK(model, tasks).rollout(q, DT, STEPS, targets)
    for row in range(ROWS):
        path = alone(model, tasks, None, q[row], {task: rows[row] for task, rows in targets.items()})
        for s, (there, v, status) in enumerate(path):
            np.testing.assert_array_equal(result.q[row, s], there)
            np.testing.assert_array_equal(result.v[row, s], v)
            assert result.status[row, s] == status
    moving = np.abs(result.v[..., -model.nv :]) > 0.999 * model.velocity_limit
    assert moving.any(), "no limit was reached, so that nothing was shown of them"


def test_each_row_settles_where_it_cannot_arrive():
    model, (hand, _), _ = panda()
    q, steps = spread(model), 120
    far = SE3(np.eye(3), [1.5, 0.5, 0.5])
    ways = []
    for settle in (True, False):
        result = BatchIK(model, [hand], settle=settle).rollout(q, DT, steps, {hand: far})
        for row in range(ROWS):
            path = alone(model, [hand], None, q[row], {hand: [far.homogeneous]}, steps, settle=settle)
            np.testing.assert_array_equal(result.v[row], [v for _, v, _ in path])
        ways.append(result.v)
    assert not np.array_equal(*ways), "nothing trembled, so that nothing was shown"


def test_each_row_knows_its_last_step():
    model, tasks, targets = panda()
    tasks.append(LowAccelerationTask(0.3))
    limits = [ConfigurationLimit(model), AccelerationLimit(model, np.full(model.nv, 8.0))]
    q = spread(model)
    result = BatchIK(model, tasks, limits).rollout(q, DT, STEPS, targets)
    for row in range(ROWS):
        tasks[-1] = LowAccelerationTask(0.3)
        fresh = [ConfigurationLimit(model), AccelerationLimit(model, np.full(model.nv, 8.0))]
        path = alone(model, tasks, fresh, q[row], {task: rows[row] for task, rows in targets.items()})
        np.testing.assert_array_equal(result.v[row], [v for _, v, _ in path])
    jumps = np.diff(np.concatenate([np.zeros((ROWS, 1, model.nv)), result.v], axis=1), axis=1)
    within = result.status == StepStatus.SOLVED
    assert np.abs(jumps[within]).max() <= 8.0 * DT * (1 + 1e-9)


def test_steps_one_by_one_are_a_rollout():
    model, tasks, targets = panda()
    limits = [ConfigurationLimit(model), VelocityLimit(model), AccelerationLimit(model, np.full(model.nv, 8.0))]
    ik, q = BatchIK(model, tasks, limits), spread(model)
    whole = ik.rollout(q, DT, STEPS, targets)
    v = np.zeros((ROWS, model.nv))
    for s in range(STEPS):
        now = {task: rows[:, min(s, rows.shape[1] - 1)] for task, rows in targets.items()}
        q, v, _ = ik.step(q, DT, now, previous=v)
        np.testing.assert_allclose(q, whole.q[:, s], atol=1e-12)
        np.testing.assert_allclose(v, whole.v[:, s], atol=1e-10)


@pytest.mark.parametrize("scene", [panda, humanoid])
@pytest.mark.parametrize("threads", [2, 5, 64])
def test_threads_do_not_matter(scene, threads):
    model, tasks, targets = scene()
    one, many = (
        BatchIK(model, tasks, threads=count).rollout(spread(model), DT, STEPS, targets) for count in (1, threads)
    )
    for a, b in zip(one, many, strict=True):
        np.testing.assert_array_equal(a, b)


def test_rows_do_not_matter_to_each_other():
    model, tasks, targets = panda()
    ik, q = BatchIK(model, tasks), spread(model)
    whole = ik.rollout(q, DT, STEPS, targets)
    some = [4, 1]
    part = ik.rollout(q[some], DT, STEPS, {task: rows[some] for task, rows in targets.items()})
    np.testing.assert_array_equal(part.v, whole.v[some])


def test_axes_broadcast():
    model, (hand, posture), targets = panda()
    posture.set_target(neutral(model))
    ik, q = BatchIK(model, [hand, posture]), spread(model)
    poses = targets[hand]
    one_start = ik.step(q[0], DT, {hand: poses})
    assert one_start.q.shape == (ROWS, STEPS, model.nq)
    np.testing.assert_array_equal(one_start.v[2, 3], ik.step(q[0], DT, {hand: poses[2, 3]}).v)
    one_target = ik.step(q, DT, {hand: SE3(poses[0, 0])})
    np.testing.assert_array_equal(one_target.v[3], ik.step(q[3], DT, {hand: poses[0, 0]}).v)
    one_path = ik.rollout(q, DT, STEPS, {hand: poses[0]})
    np.testing.assert_array_equal(one_path.v[5], ik.rollout(q[5], DT, STEPS, {hand: poses[0]}).v)
    grid = ik.rollout(q[:3, None], DT, STEPS, {hand: poses[None, :2]})
    assert grid.ends.shape == (3, 2, STEPS)
    np.testing.assert_array_equal(grid.q[2, 1], ik.rollout(q[2], DT, STEPS, {hand: poses[1]}).q)


def test_targets_that_tasks_hold_are_read_at_each_call():
    model, (hand, _), targets = panda()
    ik, q = BatchIK(model, [hand]), spread(model)
    with pytest.raises(TargetNotSet, match="FrameTask"):
        ik.step(q, DT)
    hand.set_target(SE3(targets[hand][0, 0]))
    before = ik.step(q, DT).v
    np.testing.assert_array_equal(before, ik.step(q, DT, {hand: targets[hand][0, 0]}).v)
    hand.cost[:3] *= 3.0
    hand.gain = 0.1
    np.testing.assert_array_equal(ik.step(q, DT).v, BatchIK(model, [hand]).step(q, DT).v)
    assert np.abs(ik.step(q, DT).v - before).max() > 1e-3


def test_joint_velocities_are_reached():
    model = pantin.load("panda")
    task = JointVelocityTask(1.0)
    wanted = np.random.default_rng(0).uniform(-0.5, 0.5, (ROWS, model.nv))
    result = BatchIK(model, [task], []).step(spread(model), DT, {task: wanted})
    np.testing.assert_allclose(result.v, wanted, atol=1e-9)


def test_arrays_are_filled():
    model, tasks, targets = panda()
    ik, q = BatchIK(model, tasks), spread(model)
    right = ik.rollout(q, DT, STEPS, targets)
    room = BatchSteps(*(np.zeros_like(part) for part in right))
    assert ik.rollout(q, DT, STEPS, targets, out=room) is room
    np.testing.assert_array_equal(room.q, right.q)
    # onto themselves, and onto the targets they are steered by
    now = {task: rows[:, 0] for task, rows in targets.items()}
    once = ik.step(q, DT, now)
    over = BatchSteps(q.copy(), np.zeros((ROWS, model.nv)), np.zeros(ROWS, np.int8))
    now[tasks[1]] = over.q
    np.testing.assert_array_equal(ik.step(over.q, DT, now, out=over).q, ik.step(q, DT, {**now, tasks[1]: q}).q)
    assert once.q.base is None
    with pytest.raises(InvalidArgument, match=r"out\.v"):
        ik.step(q, DT, now, out=once._replace(v=once.v[:3]))
    with pytest.raises(InvalidArgument, match=r"out\.ends"):
        ik.step(q, DT, now, out=once._replace(ends=once.ends.astype(float)))
    with pytest.raises(InvalidArgument, match="BatchSteps"):
        ik.step(q, DT, now, out=once.q)


def test_nothing_to_do_is_done():
    model, tasks, targets = panda()
    ik, q = BatchIK(model, tasks), spread(model)
    for result in (ik.rollout(q, 0.0, STEPS, targets), BatchIK(model, []).rollout(q, DT, STEPS)):
        assert (result.status == StepStatus.STANDING).all()
        assert not result.v.any()
        np.testing.assert_array_equal(result.q, np.repeat(q[:, None], STEPS, axis=1))
    assert ik.rollout(q, DT, 0, {tasks[0]: SE3.Identity(), tasks[1]: q[:, None]}).q.shape == (ROWS, 0, model.nq)
    nobody = ik.step(q[:0], DT, {tasks[0]: SE3.Identity(), tasks[1]: q[:0]})
    assert nobody.v.shape == (0, model.nv)
    assert nobody.status.shape == (0,)


def test_those_outside_their_limits_return():
    model, tasks, targets = panda()
    q = spread(model)
    q[2, 3] = model.upper_position_limit[3] + 0.5
    result = BatchIK(model, tasks).rollout(q, DT, STEPS, targets)
    assert result.status[2, 0] == StepStatus.RETURNING
    assert (result.status[[0, 1, 3], 0] == StepStatus.SOLVED).all()
    np.testing.assert_allclose(result.v[2, 0, 3], -model.velocity_limit[3])


def test_what_is_no_number_moves_nothing():
    model, (hand, posture), targets = panda()
    hand.cost[0] = np.nan
    result = BatchIK(model, [hand, posture]).rollout(spread(model), DT, STEPS, targets)
    assert (result.status == StepStatus.NOT_FINITE).all()
    assert not result.v.any()


class InPython(Task):
    """A user's own."""

    def compute_error(self, configuration):
        return configuration.q[:1]

    def compute_jacobian(self, configuration):
        return np.eye(configuration.model.nv)[:1]


def test_what_a_batch_cannot_do_is_refused():
    model, tasks, targets = panda()
    q = spread(model)
    with pytest.raises(InvalidArgument, match=r"tasks\[2\].*InPython.*DifferentialIK"):
        BatchIK(model, [*tasks, InPython(cost=1.0)]).step(q, DT)
    with pytest.raises(InvalidArgument, match="priorities"):
        BatchIK(model, [*tasks, PostureTask(1.0, priority=1)]).step(q, DT)
    with pytest.raises(InvalidArgument, match=r"tasks\[0\]: expected a Task, got a str"):
        BatchIK(model, ["hand"])
    with pytest.raises(InvalidArgument, match=r"limits\[1\]: expected a Limit"):
        BatchIK(model, tasks, [VelocityLimit(model), 3.0])
    with pytest.raises(InvalidArgument, match="threads"):
        BatchIK(model, tasks, threads=0)
    damping = DampingTask(1.0)
    ik = BatchIK(model, [*tasks, damping])
    with pytest.raises(InvalidArgument, match="targets: expected a mapping of tasks to targets, got a list"):
        ik.step(q, DT, [np.eye(4)])
    for wrong in (FrameTask("panda_hand", 1.0, 1.0), damping):
        with pytest.raises(InvalidArgument, match="targets"):
            ik.step(q, DT, {**targets, wrong: SE3.Identity()})


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"q": np.zeros((3, 6))}, "q"),
        ({"q": np.full((3, 7), np.nan)}, "q"),
        ({"dt": -0.1}, "dt"),
        ({"dt": np.inf}, "dt"),
        ({"previous": np.zeros((4, 7))}, "previous"),
        ({"previous": np.zeros((3, 6))}, "previous"),
        ({"hand": np.zeros((3, 4, 4))}, "targets"),
        ({"hand": np.full((3, 4, 4), np.nan)}, "targets"),
        ({"hand": np.tile(np.eye(4), (5, 1, 1))}, "targets"),
        ({"posture": np.zeros((3, 8))}, "targets"),
    ],
)
def test_what_is_wrong_is_named(asked, name):
    model, (hand, posture), _ = panda()
    right = {"q": np.zeros((3, 7)), "dt": DT, "hand": np.eye(4), "posture": np.zeros(7), "previous": None} | asked
    targets = {hand: right["hand"], posture: right["posture"]}
    with pytest.raises(InvalidArgument, match=name):
        BatchIK(model, [hand, posture]).step(right["q"], right["dt"], targets, previous=right["previous"])
    with pytest.raises(InvalidArgument, match="steps"):
        BatchIK(model, [hand, posture]).rollout(right["q"], DT, -1, targets)


@given(
    shapes=st.tuples(*(st.lists(st.integers(0, 3), max_size=3) for _ in range(3))),
    steps=st.none() | st.integers(0, 3),
)
def test_any_shapes_are_stepped_or_refused(shapes, steps):
    model, (hand, posture), _ = panda()
    ik, (q, poses, before) = BatchIK(model, [hand, posture]), (tuple(shape) for shape in shapes)
    own = () if steps is None else (steps,)
    arguments = np.zeros((*q, 7)), DT, *own, {hand: np.broadcast_to(np.eye(4), (*poses, 4, 4)), posture: np.zeros(7)}
    try:
        expected = np.broadcast_shapes((*q, *own), poses, (*before, *own))
    except ValueError:
        expected = None
    call = ik.step if steps is None else ik.rollout
    if expected is None or (own and expected[-1:] != own):
        with pytest.raises(InvalidArgument, match="leading axes"):
            call(*arguments, previous=np.zeros((*before, 7)))
        return
    result = call(*arguments, previous=np.zeros((*before, 7)))
    assert [part.shape for part in result] == [(*expected, 7), (*expected, 7), expected]
    assert result.status.shape == expected


def test_it_can_be_interrupted():
    model, tasks, targets = panda()
    q, steps = np.repeat(spread(model), 10, axis=0), 7000  # half a second and more
    first = {task: rows[:1, :1] for task, rows in targets.items()}
    shape = (len(q), steps)
    out = BatchSteps(np.full((*shape, 7), np.nan), np.zeros((*shape, 7)), np.zeros(shape, np.int8))
    over = threading.Event()

    def press():
        while not over.wait(0.005):
            if np.isfinite(out.q[0, 0, 0]):
                return os.kill(os.getpid(), signal.SIGINT)

    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    user = threading.Thread(target=press)
    try:
        user.start()
        with pytest.raises(KeyboardInterrupt):
            BatchIK(model, tasks, threads=2).rollout(q, DT, steps, first, out=out)
    finally:
        over.set()
        user.join()
        signal.signal(signal.SIGINT, previous)
    assert np.isnan(out.q[-1]).any()
