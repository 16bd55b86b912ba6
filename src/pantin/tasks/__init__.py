"""Tasks: what a robot shall do, as errors and their derivatives, for steps of differential inverse kinematics."""

from pantin.tasks.centroidal_momentum_task import CentroidalMomentumTask
from pantin.tasks.closed_loop_task import ClosedLoopTask
from pantin.tasks.com_task import ComTask
from pantin.tasks.damping_task import DampingTask
from pantin.tasks.distance_task import DistanceTask
from pantin.tasks.frame_task import FrameTask
from pantin.tasks.joint_coupling_task import JointCouplingTask
from pantin.tasks.joint_velocity_task import JointVelocityTask
from pantin.tasks.linear_holonomic_task import LinearHolonomicTask
from pantin.tasks.look_at_task import LookAtTask
from pantin.tasks.low_acceleration_task import LowAccelerationTask
from pantin.tasks.manipulability_task import ManipulabilityTask
from pantin.tasks.omniwheel_task import OmniwheelTask
from pantin.tasks.pivot_task import PivotTask
from pantin.tasks.posture_task import PostureTask
from pantin.tasks.relative_frame_task import RelativeFrameTask
from pantin.tasks.rolling_task import RollingTask
from pantin.tasks.shortcuts import foot_flat_task, gaze_task
from pantin.tasks.task import Task

__all__ = [
    "CentroidalMomentumTask",
    "ClosedLoopTask",
    "ComTask",
    "DampingTask",
    "DistanceTask",
    "FrameTask",
    "JointCouplingTask",
    "JointVelocityTask",
    "LinearHolonomicTask",
    "LookAtTask",
    "LowAccelerationTask",
    "ManipulabilityTask",
    "OmniwheelTask",
    "PivotTask",
    "PostureTask",
    "RelativeFrameTask",
    "RollingTask",
    "Task",
    "foot_flat_task",
    "gaze_task",
]
