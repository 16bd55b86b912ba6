"""Tasks of every kind of the core step in batches as they do alone, with a target for each row."""

import numpy as np
import pytest

import pantin
from pantin import tasks
from pantin.batch_ik import BatchIK
from pantin.configuration import Configuration
from pantin.differential import DifferentialIK
from pantin.kinematics import SE3, clamp, exp6, integrate, neutral, random_configuration
from pantin.kinematics.batch import frame_placements

DT, ROWS, STEPS = 0.02, 3, 4


def body(model):
    """A humanoid on wheels, in configurations that differ, and one for what tasks are made of."""
    random = np.random.default_rng(0)
    q = [integrate(model, neutral(model), 0.3 * random.normal(size=model.nv)) for _ in range(ROWS)]
    return np.array(q), Configuration(model, model.create_data(), q[0])


def poses(model, random):
    return [exp6(0.4 * random.normal(size=6)).homogeneous for _ in range(ROWS)]


def points(model, random):
    return random.normal(size=(ROWS, 3))


def configurations(model, random):
    return np.array([random_configuration(model, random_seed=k) for k in range(ROWS)])


KINDS = {
    "frame": (lambda c: tasks.FrameTask("left_wheel", 1.0, 2.0, lm_damping=0.1), poses),
    "relative frame": (lambda c: tasks.RelativeFrameTask("left_wheel", "right_wheel", 1.0, 2.0, gain=0.5), poses),
    "closed loop": (lambda c: tasks.ClosedLoopTask("left_wheel", "right_wheel"), poses),
    "com": (lambda c: tasks.ComTask(2.0), points),
    "look at": (lambda c: tasks.LookAtTask("left_wheel", cost=1.0, axis="x"), points),
    "pivot": (lambda c: tasks.PivotTask("left_wheel", cost=1.0, axis="x"), points),
    "distance": (
        lambda c: tasks.DistanceTask("left_wheel", "right_wheel"),
        lambda m, r: r.uniform(0.2, 1.0, (ROWS, 1)),
    ),
    "posture": (lambda c: tasks.PostureTask(0.5), configurations),
    "joint velocity": (lambda c: tasks.JointVelocityTask(0.5), lambda m, r: r.normal(size=(ROWS, m.nv - 6))),
    "momentum": (lambda c: tasks.CentroidalMomentumTask(0.5), lambda m, r: r.normal(size=(ROWS, 6))),
    "coupling": (
        lambda c: tasks.JointCouplingTask(c.model.names[2:4], [1.0, -2.0], 1.0, c),
        lambda m, r: r.normal(size=(ROWS, 1)),
    ),
    "damping": (lambda c: tasks.DampingTask(0.5), None),
    "low acceleration": (lambda c: tasks.LowAccelerationTask(0.5), None),
    "rolling": (lambda c: tasks.RollingTask("left_wheel", "universe", 0.1, 1.0), None),
    "omniwheel": (lambda c: tasks.OmniwheelTask("left_wheel", "universe", 0.1, cost=1.0), None),
    "manipulability": (lambda c: tasks.ManipulabilityTask("left_wheel", c.model, mask="position"), None),
}


def aim(task, target):
    """Sets a target by the task's own door."""
    if isinstance(task, tasks.LinearHolonomicTask):
        task.b = target
    elif isinstance(task, tasks.JointVelocityTask | tasks.CentroidalMomentumTask):
        task.set_target(target, DT)
    else:
        task.set_target(SE3(target) if target.ndim == 2 else target)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_steps_as_alone(kind):
    model = pantin.load("wheeled_biped")
    q, configuration = body(model)
    make, aims = KINDS[kind]
    task, damping = make(configuration), tasks.DampingTask(0.01)
    targets = {} if aims is None else {task: np.asarray(aims(model, np.random.default_rng(1)))}
    result = BatchIK(model, [task, damping]).rollout(
        q, DT, STEPS, {task: rows[:, None] for task, rows in targets.items()}
    )
    for row in range(ROWS):
        alone = make(configuration)
        for rows in targets.values():
            aim(alone, rows[row])
        ik, moved = DifferentialIK(model, [alone, damping]), Configuration(model, model.create_data(), q[row])
        for s in range(STEPS):
            np.testing.assert_array_equal(result.v[row, s], ik.step(moved, DT))
            np.testing.assert_array_equal(result.q[row, s], moved.q)
    assert np.abs(result.v).max() > 1e-6 or kind in ("damping", "low acceleration")


def test_no_kind_is_left_out():
    model = pantin.load("wheeled_biped")
    _, configuration = body(model)
    tried = {make(configuration)._kind for make, _ in KINDS.values()}
    known = {task._kind_name for name in tasks.__all__ if isinstance(task := getattr(tasks, name), type)}
    assert known - {"rows"} <= tried


def test_rows_go_where_pinkers_go():
    pinker, pinker_tasks = pytest.importorskip("pinker"), pytest.importorskip("pinker.tasks")
    from pinker import kinematics as theirs

    from oracle import to_pinker

    model = pantin.load("humanoid")
    q, _ = body(model)
    q = np.array([clamp(model, one) for one in q])
    goals = frame_placements(model, "left_foot", q[::-1])
    foot, posture = tasks.FrameTask("left_foot", 1.0, 2.0), tasks.PostureTask(0.1)
    posture.set_target(neutral(model))
    steps = 12  # until distances to limits are what daqp takes bounds with
    result = BatchIK(model, [foot, posture], settle=False).rollout(q, DT, steps, {foot: goals[:, None]})
    their_model = to_pinker(model)
    for row in range(ROWS):
        configuration = pinker.Configuration(their_model, their_model.create_data(), q[row])
        foot_too, posture_too = pinker_tasks.FrameTask("left_foot", 1.0, 2.0), pinker_tasks.PostureTask(0.1)
        foot_too.set_target(theirs.SE3(goals[row, :3, :3], goals[row, :3, 3]))
        posture_too.set_target(neutral(model))
        for v in result.v[row]:
            asked = pinker.solve_ik(configuration, [foot_too, posture_too], DT, solver="daqp", safety_break=False)
            np.testing.assert_allclose(v, asked, atol=1e-8)
            configuration.integrate_inplace(asked, DT)
    assert (np.abs(result.v[..., 6:]) > 0.999 * model.velocity_limit[6:]).any()
