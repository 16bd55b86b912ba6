"""Steps keep nothing."""

import numpy as np
import pytest

import pantin
from memory import growth
from pantin.configuration import Configuration
from pantin.kinematics import SE3, neutral
from pantin.limits import AccelerationLimit, ConfigurationLimit
from pantin.tasks import ComTask, DampingTask, FrameTask, LowAccelerationTask, Task


class InPython(Task):
    """A user's own."""

    def compute_error(self, configuration):
        return configuration.q[7:8]

    def compute_jacobian(self, configuration):
        return np.eye(configuration.model.nv)[6:7]


@pytest.fixture
def scene():
    model = pantin.load("biped")
    foot, com = FrameTask("left_foot", 1.0, 1.0), ComTask(1.0)
    configuration = Configuration(model, model.create_data(), neutral(model))
    foot.set_target_from_configuration(configuration)
    com.set_target_from_configuration(configuration)
    return model, configuration, [foot, com, DampingTask(0.1), LowAccelerationTask(0.1)]


@pytest.mark.parametrize(
    "more",
    [{}, {"constraints": 1}, {"priority": 1}, {"python": 1}, {"infeasible": 1}],
    ids=lambda more: "".join(more) or "bounds",
)
def test_steps_leave_nothing_behind(scene, more):
    model, configuration, tasks = scene
    limits = [ConfigurationLimit(model), AccelerationLimit(model, np.full(model.nv, 50.0))]
    constraints = []
    if "constraints" in more or "infeasible" in more:
        constraints.append(FrameTask("right_foot", 1.0, 1.0))
        constraints[0].set_target_from_configuration(configuration)
    if "infeasible" in more:
        constraints[0].transform_target_to_world.translation[2] -= 9.0
    if "priority" in more:
        tasks[1].priority = 1
    if "python" in more:
        tasks.append(InPython(cost=1.0))
    ik, foot = pantin.DifferentialIK(model, tasks, limits, constraints=constraints), tasks[0]

    def stepped():
        for k in range(100):
            foot.set_target(SE3(np.eye(3), [0.1, 0.1, -0.001 * k]))
            ik.step(configuration, 0.01)

    assert growth(stepped, 1) < 1024  # of 100 steps, where `malloc` gives no less than 32 bytes


def test_solve_ik_leaves_nothing_behind(scene):
    _, configuration, tasks = scene

    def solved():
        for _ in range(100):
            again = [FrameTask("left_foot", 1.0, 1.0), DampingTask(0.1)]  # and so its plan
            again[0].set_target(tasks[0].transform_target_to_world)
            for some in (tasks, again):
                pantin.solve_ik(configuration, some, 0.01, "daqp", safety_break=False)

    assert growth(solved, 1) < 1024


def test_batches_of_steps_leave_nothing_behind(scene):
    model, configuration, tasks = scene
    q = np.repeat(configuration.q[None], 100, axis=0)

    def stepped():
        for _ in range(5):
            batch = pantin.BatchIK(model, tasks, threads=2)
            batch.rollout(q, 0.01, 5, {tasks[1]: np.zeros(3)})

    assert growth(stepped, 1) < 1024
