"""Wheels that roll by constraints, not by costs, while trunk and wheels are led."""

import numpy as np
import pinker
from pinker.tasks import FrameTask, PostureTask, RollingTask

robot = pinker.load_robot_urdf(str(ROBOTS / "wheeled_biped.urdf"), root_joint="free_flyer")  # noqa: F821  # given
configuration = pinker.Configuration(robot.model, robot.data, robot.q0)
q = robot.q0.copy()
q[2] += 0.1 - configuration.get_transform_frame_to_world("left_tire").translation[2]
configuration = pinker.Configuration(robot.model, robot.data, q)

trunk = FrameTask("trunk", position_cost=1.0, orientation_cost=1.0)
wheels = [FrameTask(f"{side}_tire", position_cost=1.0, orientation_cost=0.0) for side in ("left", "right")]
rolling = [
    RollingTask(f"{side}_tire", floor_frame="universe", wheel_radius=0.1, cost=10.0) for side in ("left", "right")
]
posture = PostureTask(cost=1e-2)
for task in (trunk, *wheels, posture):
    task.set_target_from_configuration(configuration)
targets = [task.transform_target_to_world for task in (trunk, *wheels)]
start = [target.translation[0] for target in targets]

dt = 5e-3
trajectory = []
for step in range(150):
    t = step * dt
    for target, x, sway in zip(targets, start, (0.0, 0.05, -0.05), strict=True):
        target.translation[0] = x + 0.1 * t + sway * np.sin(t)
    velocity = pinker.solve_ik(
        configuration, [trunk, *wheels, posture], dt, solver="daqp", damping=1e-3, constraints=rolling
    )
    configuration.integrate_inplace(velocity, dt)
    trajectory.append(configuration.q)
