"""A flange is held back by a wall and by acceleration limits on its way to a target behind the wall."""

import numpy as np
import pinker
import pinker.limits
from pinker.barriers import PositionBarrier
from pinker.exceptions import NotWithinConfigurationLimits, PinkerError
from pinker.tasks import DampingTask, FrameTask, LowAccelerationTask

robot = pinker.load_robot_urdf(str(ROBOTS / "ur5e.urdf"))  # noqa: F821  # the folder is given
q = np.array([0.3, -1.2, 1.4, -0.6, 0.9, 0.2])
configuration = pinker.Configuration(robot.model, robot.data, q)

flange = FrameTask("tool0", position_cost=2.0, orientation_cost=0.1)
smooth, still = LowAccelerationTask(cost=0.05), DampingTask(cost=1e-3)
target = configuration.get_transform_frame_to_world("tool0")
wall = target.translation[0] + 0.05
target.translation[:] += [0.3, 0.15, -0.1]
flange.set_target(target)

acceleration = pinker.limits.AccelerationLimit(robot.model, np.full(robot.model.nv, 30.0))
limits = [*configuration.default_limits, acceleration]
barriers = [PositionBarrier("tool0", indices=[0], p_max=np.array([wall]), gain=5.0, safe_displacement_gain=0.1)]

dt = 5e-3
trajectory = []
smooth.set_last_integration(np.zeros(robot.model.nv), dt)
acceleration.set_last_integration(np.zeros(robot.model.nv), dt)
for _ in range(200):
    velocity = pinker.solve_ik(configuration, [flange, smooth, still], dt, "daqp", limits=limits, barriers=barriers)
    configuration.integrate_inplace(velocity, dt)
    smooth.set_last_integration(velocity, dt)
    acceleration.set_last_integration(velocity, dt)
    trajectory.append(configuration.q)
    assert configuration.get_transform_frame_to_world("tool0").translation[0] <= wall + 1e-6

try:
    outside = pinker.Configuration(robot.model, robot.data, q + np.array([0.0, 0.0, 9.0, 0.0, 0.0, 0.0]))
    pinker.solve_ik(outside, [flange], dt, solver="daqp")
except NotWithinConfigurationLimits as error:
    told = [error.joint, error.value, error.lower, error.upper, isinstance(error, PinkerError), dt]
    trajectory.append(np.array(told, dtype=float))
