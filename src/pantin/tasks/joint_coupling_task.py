"""Joints whose angles are tied together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import vector
from pantin.exceptions import TaskDefinitionError
from pantin.kinematics.algorithms import neutral
from pantin.kinematics.doors import joint_index
from pantin.tasks.linear_holonomic_task import LinearHolonomicTask

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["JointCouplingTask"]


class JointCouplingTask(LinearHolonomicTask):
    r"""Angles of some joints whose weighted sum is zero.

    The error is one number, rad (or m), for ratios r_j and joint angles q_j counted from neutral:

    .. math::

        e = \sum_j r_j\, q_j, \qquad J_j = r_j.

    Two joints with the ratios 1 and -1 have the same angle. A mimic joint counts as its master does, times its
    multiplier and with its offset.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import JointCouplingTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = JointCouplingTask(["panda_joint2", "panda_joint4"], [1.0, -0.5], 1.0, configuration)
    >>> task.compute_jacobian(configuration)[0, :4]
    array([ 0. ,  1. ,  0. , -0.5])

    Attributes:
        joint_names: Names of the joints.
        ratios: Their ratios.
    """

    _shown: ClassVar[tuple[str, ...]] = ("joint_names", "ratios", "cost", "gain", "lm_damping")

    def __init__(
        self,
        joint_names: Sequence[str],
        ratios: npt.ArrayLike,
        cost: npt.ArrayLike,
        configuration: Configuration,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task of some joints.

        Args:
            joint_names: Names of the joints, each of them once.
            ratios: Their ratios, one each.
            cost: Cost per radian of the sum.
            configuration: Any configuration of the robot.
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            UnknownJoint: If the model has no such joint.
            TaskDefinitionError: If a joint is named twice, or does not move by one number.
            InvalidArgument: If there is not one ratio for each joint, or a number is not finite.
        """
        names = list(joint_names)
        if isinstance(joint_names, str) or len(set(names)) < len(names):
            raise TaskDefinitionError("joint_names", f"expected a list of joints, each once, got {joint_names!r}")
        model, numbers = configuration.model, vector("ratios", ratios, len(names))
        A, offset = np.zeros((1, model.nv)), 0.0
        for name, ratio in zip(names, numbers, strict=True):
            joint = model.joints[joint_index(model, name)]
            if joint.mimic is not None:
                A[0, joint.idx_v] += ratio * joint.mimic.multiplier
                offset += ratio * joint.mimic.offset
            elif joint.nv == 1:
                A[0, joint.idx_v] += ratio
            else:
                raise TaskDefinitionError("joint_names", f"joint {name!r} moves by {joint.nv} numbers, not by one")
        super().__init__(A, [-offset], neutral(model), cost, lm_damping, gain, priority=priority)
        self.joint_names = names
        self.ratios = numbers.tolist()
