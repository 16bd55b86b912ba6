"""A gripper follows a moving target, as in Pinker's tracking examples."""

import numpy as np
import pinker
from pinker import solve_ik
from pinker.tasks import FrameTask, PostureTask

robot = pinker.load_robot_urdf(ROBOTS / "panda.urdf")  # noqa: F821  # the folder is given
q = pinker.custom_configuration(robot.model, panda_joint2=-0.4, panda_joint4=-2.2, panda_joint6=1.8)
configuration = pinker.Configuration(robot.model, robot.data, q)

tasks = [
    FrameTask("panda_hand", position_cost=1.0, orientation_cost=0.5),
    PostureTask(cost=1e-2),
]
for task in tasks:
    task.set_target_from_configuration(configuration)

dt = 1e-2
trajectory = []
target = tasks[0].transform_target_to_world
start = target.translation.copy()
for t in np.arange(0.0, 2.0, dt):
    target.translation[1] = start[1] + 0.2 * np.sin(3.0 * t)
    target.translation[2] = start[2] + 0.1 * np.cos(2.0 * t)
    velocity = solve_ik(configuration, tasks, dt, solver="daqp")
    configuration.integrate_inplace(velocity, dt)
    trajectory.append(configuration.q)
