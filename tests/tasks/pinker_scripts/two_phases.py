"""An arm is smoothed half-way: other tasks, limits, gains and costs from one call to the next."""

import numpy as np
import pinker
from pinker import solve_ik
from pinker.limits import AccelerationLimit
from pinker.tasks import DampingTask, FrameTask, PostureTask

robot = pinker.load_robot_urdf(str(ROBOTS / "ur5e.urdf"))  # noqa: F821  # the folder is given
q = pinker.custom_configuration(
    robot.model, shoulder_lift_joint=-1.2, shoulder_pan_joint=0.4, elbow_joint=1.5, wrist_2_joint=-1.0
)
configuration = pinker.Configuration(robot.model, robot.data, q)
flange = FrameTask("tool0", position_cost=1.0, orientation_cost=1.0, lm_damping=0.1)
posture = PostureTask(cost=1e-2)
damping = DampingTask(cost=1e-1)
acceleration = AccelerationLimit(robot.model, np.full(robot.model.nv, 20.0))
flange.set_target_from_configuration(configuration)
posture.set_target_from_configuration(configuration)
start = flange.transform_target_to_world.translation.copy()

dt = 5e-3
trajectory = []
for step in range(300):
    t = step * dt
    flange.transform_target_to_world.translation = start + 0.1 * np.array([0.0, np.sin(4.0 * t), 1.0 - np.cos(4.0 * t)])
    if step < 150:
        tasks = (flange, posture)
        limits = configuration.default_limits
    else:
        flange.gain = 0.4
        flange.set_position_cost(2.0)
        flange.set_orientation_cost([0.5, 0.5, 0.1])
        damping.cost = 0.05
        tasks = (task for task in (flange, damping))
        limits = [*configuration.default_limits, acceleration]
    velocity = solve_ik(configuration, tasks, dt, solver="daqp", limits=limits)
    configuration.integrate_inplace(velocity, dt)
    acceleration.set_last_integration(velocity, dt)
    trajectory.append(np.concatenate([configuration.q, velocity]))
