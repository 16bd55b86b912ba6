"""A task and a limit of one's own beside built-in ones, and a knee held exactly by a constraint."""

import numpy as np
from pinker import Configuration, LinearHolonomicTask, Task, load_robot_urdf, solve_ik
from pinker.limits import Limit
from pinker.tasks import FrameTask, ManipulabilityTask, PostureTask


class HeightTask(Task):
    """Bring a frame to a height."""

    def __init__(self, frame, height, cost):
        super().__init__(cost=cost, gain=0.5, lm_damping=1e-3)
        self.frame, self.height = frame, height

    def compute_error(self, configuration):
        return np.array([configuration.get_transform_frame_to_world(self.frame).translation[2] - self.height])

    def compute_jacobian(self, configuration):
        rotation = configuration.get_transform_frame_to_world(self.frame).rotation
        return (rotation @ configuration.get_frame_jacobian(self.frame)[:3])[2:3]

    def __repr__(self):
        return f"HeightTask({self.frame}, {self.height})"


class SumLimit(Limit):
    """Two joints together turn at most so fast."""

    def compute_qp_inequalities(self, configuration, dt):
        G = np.zeros((1, configuration.model.nv))
        G[0, [1, 3]] = 1.0
        return G, np.array([0.8 * dt])


robot = load_robot_urdf(str(ROBOTS / "panda.urdf"))  # noqa: F821  # the folder is given
q = np.array([0.2, -0.5, 0.1, -2.0, 0.3, 1.7, 0.4])
configuration = Configuration(robot.model, robot.data, q)
height = HeightTask("panda_hand", 0.2, cost=[1.0])
agile = ManipulabilityTask("panda_hand", robot.model, cost=0.01, manipulability_rate=0.05)
hand = FrameTask("panda_hand", position_cost=0.0, orientation_cost=0.3)
posture = PostureTask(cost=1e-2)
for task in (hand, posture):
    task.set_target_from_configuration(configuration)
A = np.zeros((1, robot.model.nv))
A[0, 4:6] = 1.0, -2.0
held = LinearHolonomicTask(A, np.zeros(1), q)

dt = 1e-2
trajectory = []
limits = [*configuration.default_limits, SumLimit()]
for _ in range(100):
    velocity = solve_ik(
        configuration, [height, agile, hand, posture], dt, solver="daqp", limits=limits, constraints=[held]
    )
    configuration.integrate_inplace(velocity, dt)
    trajectory.append(configuration.q)
