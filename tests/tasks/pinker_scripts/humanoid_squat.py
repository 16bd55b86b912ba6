"""A humanoid keeps its feet in place, squats and reaches out, with tasks in a mapping as in Pinker's README."""

import numpy as np
from pinker import Configuration, load_robot_urdf, solve_ik
from pinker.kinematics import SE3
from pinker.tasks import ComTask, FrameTask, JointCouplingTask, PostureTask, RelativeFrameTask

robot = load_robot_urdf(str(ROBOTS / "humanoid.urdf"), root_joint="free_flyer")  # noqa: F821  # the folder is given
q = robot.q0.copy()
for side in ("left", "right"):
    for joint, angle in {"hip_pitch": -0.4, "knee": 0.8, "ankle_pitch": -0.4, "elbow": -0.5}.items():
        entry = robot.model.joints[robot.model.get_joint_id(f"{side}_{joint}")].idx_q
        q[entry] = np.clip(angle, robot.model.lower_position_limit[entry], robot.model.upper_position_limit[entry])
configuration = Configuration(robot.model, robot.data, q)

tasks = {
    "left_foot": FrameTask("left_foot", position_cost=10.0, orientation_cost=5.0, lm_damping=1e-3),
    "right_foot": FrameTask("right_foot", position_cost=10.0, orientation_cost=5.0, lm_damping=1e-3),
    "left_hand": FrameTask("left_hand", position_cost=[1.0, 1.0, 0.5], orientation_cost=0.0, gain=0.6),
    "com": ComTask(cost=[2, 2, 1]),
    "hands": RelativeFrameTask("right_hand", "pelvis", position_cost=0.2, orientation_cost=0.05),
    "knees": JointCouplingTask(["left_knee", "right_knee"], [1.0, -1.0], 0.5, configuration),
    "posture": PostureTask(cost=1e-1),
}
for body, task in tasks.items():
    if type(task) is FrameTask:
        task.set_target(configuration.get_transform_frame_to_world(body))
for name in ("com", "hands", "posture"):
    tasks[name].set_target_from_configuration(configuration)

dt = 5e-3
trajectory = []
hand, com = tasks["left_hand"].transform_target_to_world, tasks["com"].target_com
forward = SE3(np.eye(3), np.array([2e-3, 0.0, 1e-3]))
for step in range(150):
    com[2] -= 5e-4
    if step < 60:
        tasks["left_hand"].set_target(forward * tasks["left_hand"].transform_target_to_world)
    velocity = solve_ik(configuration, tasks.values(), dt, solver="daqp")
    configuration = configuration.integrate(velocity, dt)
    trajectory.append(np.concatenate([configuration.q, velocity]))
