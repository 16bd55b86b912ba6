"""An arm on a base that glides on the floor follows two targets that are written in place and assigned."""

import numpy as np
from pinker import Configuration, PinkerError, load_robot_urdf, solve_ik
from pinker import kinematics as kin
from pinker.tasks import FrameTask, PostureTask

robot = load_robot_urdf(str(ROBOTS / "panda.urdf"), root_joint="planar")  # noqa: F821  # the folder is given
q = robot.q0.copy()
q[4:] = kin.custom_configuration(robot.model, panda_joint2=-0.5, panda_joint4=-2.0, panda_joint6=1.6)[4:]
configuration = Configuration(robot.model, robot.data, q)

base = FrameTask("panda_link0", position_cost=0.5, orientation_cost=1.0)
hand = FrameTask("panda_hand", position_cost=1.0, orientation_cost=1e-2, lm_damping=1e-2)
posture = PostureTask(cost=1e-1)
for task in (base, posture):
    task.set_target_from_configuration(configuration)
lifted = kin.SE3(rotation=np.eye(3), translation=np.array([0.0, 0.0, 0.1]))
hand.set_target(lifted * configuration.get_transform_frame_to_world(hand.frame))
hand.transform_target_to_world.translation += np.array([0.05, 0.0, 0.0])
center = hand.transform_target_to_world.translation[:2].copy()

dt = 1e-2
trajectory = []
for t in np.arange(0.0, 2.0, dt):
    T = base.transform_target_to_world
    around = np.array([np.cos(t), np.sin(t)])
    T.translation[:2] = center - 0.8 * around
    T.rotation = kin.rpy_to_matrix(0.0, 0.0, 0.5 * t)
    hand.transform_target_to_world.translation[2] = 0.6 + 0.1 * around[1]
    try:
        velocity = solve_ik(configuration, tasks=[base, hand, posture], dt=dt, solver="daqp", damping=1e-6)
    except PinkerError as error:
        raise PinkerError("no step, as told above") from error
    configuration.integrate_inplace(velocity, dt)
    trajectory.append(np.concatenate([configuration.q, hand.compute_error(configuration)]))
