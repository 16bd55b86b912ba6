"""What Pinker refuses is refused here, too, by an error that Pinker's name of it catches."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

import numpy as np
import pytest

import pantin
from pantin import exceptions, samples

pinker = pytest.importorskip("pinker")


def world(package):
    """An arm and a humanoid in one package."""
    load = package.load_robot_urdf
    arm, humanoid = load(str(samples.path("panda"))), load(str(samples.path("humanoid")), root_joint="free_flyer")
    parts = ("tasks", "limits", "barriers", "utils")
    return SimpleNamespace(
        solve_ik=package.solve_ik,
        here=package.Configuration(arm.model, arm.data, np.array([0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0])),
        outside=package.Configuration(arm.model, arm.data, arm.q0 + 9.0),
        arm=arm.model,
        humanoid=humanoid.model,
        custom_configuration=package.custom_configuration,
        **{part: importlib.import_module(f"{package.__name__}.{part}") for part in parts},
    )


def spoiled(task):
    """A task whose cost is one number, where three or six were."""
    task.cost = None
    return task


def without_step(w):
    """Two limits that no step satisfies."""

    class Never(w.limits.Limit):
        def compute_qp_inequalities(self, configuration, dt):
            rows = np.eye(configuration.model.nv)[:1]
            return np.vstack([rows, -rows]), np.array([-1.0, -1.0])

    task = w.tasks.DampingTask(cost=1.0)
    return w.solve_ik(w.here, [task], 0.01, "daqp", limits=[Never()])


def with_target(task, target, *more):
    task.set_target(target, *more)
    return task


REFUSED = {
    "frame task without a target": lambda w: w.tasks.FrameTask("panda_hand", 1.0, 1.0).compute_error(w.here),
    "frame task without a target, Jacobian": lambda w: w.tasks.FrameTask("panda_hand", 1.0, 1.0).compute_jacobian(
        w.here
    ),
    "relative frame task without a target": lambda w: w.tasks.RelativeFrameTask(
        "panda_hand", "panda_link1", 1.0, 1.0
    ).compute_error(w.here),
    "posture task without a target": lambda w: w.tasks.PostureTask(1.0).compute_error(w.here),
    "centre of mass without a target": lambda w: w.tasks.ComTask(1.0).compute_jacobian(w.here),
    "joint velocity without a target": lambda w: w.tasks.JointVelocityTask(1.0).compute_error(w.here),
    "frame cost that is no vector": lambda w: spoiled(w.tasks.FrameTask("panda_hand", 1.0, 1.0)).set_position_cost(1.0),
    "frame cost that is no vector, read": lambda w: spoiled(w.tasks.FrameTask("panda_hand", 1.0, 1.0)).orientation_cost,
    "cost of a centre of mass that is no vector": lambda w: spoiled(w.tasks.ComTask(1.0)).set_cost(2.0),
    "matrix of velocities": lambda w: w.tasks.JointVelocityTask(1.0).set_target(np.zeros((7, 2)), 0.1),
    "too few velocities": lambda w: with_target(w.tasks.JointVelocityTask(1.0), np.zeros(3), 0.1).compute_error(w.here),
    "A and b that do not agree": lambda w: w.tasks.LinearHolonomicTask(np.ones((2, 7)), np.zeros(3), w.here.q),
    "A of another robot": lambda w: w.tasks.LinearHolonomicTask(np.ones((2, 5)), np.zeros(2), w.here.q).compute_error(
        w.here
    ),
    "unknown frame": lambda w: w.here.get_transform_frame_to_world("nowhere"),
    "unknown frame of a Jacobian": lambda w: w.here.get_frame_jacobian("nowhere"),
    "unknown frame of a task": lambda w: with_target(
        w.tasks.FrameTask("nowhere", 1.0, 1.0), w.here.get_transform_frame_to_world("panda_hand")
    ).compute_error(w.here),
    "configuration outside its limits": lambda w: w.outside.check_limits(),
    "step outside the limits": lambda w: w.solve_ik(w.outside, [w.tasks.DampingTask(1.0)], 0.01, "daqp"),
    "step that is not there": without_step,
    "velocity limits of the wrong size": lambda w: w.limits.VelocityLimit(w.arm, np.ones(3)),
    "acceleration limits of the wrong size": lambda w: w.limits.AccelerationLimit(w.arm, np.ones(3)),
    "floating base of an arm": lambda w: w.limits.FloatingBaseVelocityLimit(w.arm, None, 1.0, 1.0),
    "unknown base frame": lambda w: w.limits.FloatingBaseVelocityLimit(w.humanoid, "nowhere", 1.0, 1.0),
    "base frame elsewhere": lambda w: w.limits.FloatingBaseVelocityLimit(w.humanoid, "left_foot", 1.0, 1.0),
    "two linear velocities": lambda w: w.limits.FloatingBaseVelocityLimit(w.humanoid, None, [1.0, 2.0], 1.0),
    "distance below zero": lambda w: w.barriers.BodySphericalBarrier(("panda_hand", "panda_link1"), -0.1),
    "neither smallest nor largest position": lambda w: w.barriers.PositionBarrier("panda_hand"),
    "mask that is none": lambda w: w.tasks.ManipulabilityTask("panda_hand", w.arm, mask="everything"),
    "unknown joint": lambda w: w.custom_configuration(w.arm, elbow=1.0),
}


@pytest.fixture(scope="module")
def ours():
    return world(pantin)


@pytest.fixture(scope="module")
def theirs():
    return world(pinker)


@pytest.mark.parametrize("case", REFUSED)
def test_an_error_is_caught_by_pinkers_name_of_it(case, ours, theirs):
    with pytest.raises((ValueError, pinker.PinkerError), match=r"|.") as refusal:
        REFUSED[case](theirs)
    error = refusal.type
    with pytest.raises(getattr(exceptions, error.__name__, error)) as mine:
        REFUSED[case](ours)
    assert isinstance(mine.value, pantin.PantinError)
    assert str(mine.value)
