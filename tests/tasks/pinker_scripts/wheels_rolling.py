"""A biped on wheels rolls to a target without slipping, its trunk slowed down by a limit of its own."""

import numpy as np
import pinker
from pinker import Configuration, FrameTask, PostureTask, build_ik, solve_ik
from pinker.limits import ConfigurationLimit, FloatingBaseVelocityLimit, VelocityLimit
from pinker.tasks import RollingTask

robot = pinker.load_robot_urdf(str(ROBOTS / "wheeled_biped.urdf"), root_joint="free_flyer")  # noqa: F821  # given
model = robot.model
configuration = Configuration(model, robot.data, robot.q0)
radius = 0.1
q = robot.q0.copy()
q[2] += radius - configuration.get_transform_frame_to_world("left_tire").translation[2]
configuration.update(q)

trunk = FrameTask("trunk", position_cost=[1.0, 1.0, 0.5], orientation_cost=1.0)
wheels = [RollingTask(f"{side}_tire", "universe", radius, cost=10.0, gain=0.2) for side in ("left", "right")]
posture = PostureTask(cost=1e-1)
for task in (trunk, posture):
    task.set_target_from_configuration(configuration)
trunk.transform_target_to_world.translation[0] += 0.3
limits = [
    ConfigurationLimit(model, config_limit_gain=0.4),
    VelocityLimit(model),
    FloatingBaseVelocityLimit(model, None, max_linear_velocity=[0.4, 0.1, 0.2], max_angular_velocity=1.0),
]

dt = 5e-3
trajectory = []
for _ in range(150):
    problem = build_ik(configuration, [trunk, *wheels, posture], dt, damping=1e-9, limits=limits)
    velocity = solve_ik(configuration, [trunk, *wheels, posture], dt, "daqp", damping=1e-9, limits=limits)
    configuration.integrate_inplace(velocity, dt)
    trajectory.append(np.concatenate([configuration.q, problem.q]))
