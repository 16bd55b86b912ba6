"""Joints at a posture."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy.typing as npt

from pantin.arrays import Array
from pantin.tasks.parts import held
from pantin.tasks.task import Task

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["PostureTask"]


class PostureTask(Task):
    r"""All joints behind the root at a posture.

    The error is the way from the posture q* to the configuration in the tangent, without the entries of the root
    joint (n_r of them, 0 for a robot that is bolted to the world), shape (nv - n_r,), rad or m.

    .. math::

        e = q \ominus q^*, \qquad J = (0\;\; 1).

    For joints that are no vectors, such as ball joints behind the root, this J is that of small errors; it leads to
    the posture all the same. The task has full rank everywhere, so with a small cost it settles what others leave
    open.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import PostureTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = PostureTask(cost=1e-3)
    >>> task.set_target_from_configuration(configuration)
    >>> task
    PostureTask(cost=0.001, gain=1.0, lm_damping=0.0)

    Attributes:
        target_q: The posture, a whole configuration, shape (nq,), or None; live.
    """

    _kind_name: ClassVar[str] = "posture"

    def __init__(self, cost: npt.ArrayLike, lm_damping: float = 0.0, gain: float = 1.0, *, priority: int = 0) -> None:
        """Task without a posture yet.

        Args:
            cost: Cost per radian or metre: one number, or one for each joint behind the root.
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            InvalidArgument: If a number is negative or not finite.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)

    @property
    def target_q(self) -> Array | None:
        """The posture, a whole configuration, shape (nq,), or None; live."""
        return self._target  # type: ignore[no-any-return]

    @target_q.setter
    def target_q(self, q: npt.ArrayLike | None) -> None:
        self._target = None if q is None else held("target_q", q)

    def set_target(self, target_q: npt.ArrayLike) -> None:
        """Set the posture; it is copied.

        Args:
            target_q: Whole configuration, shape (nq,); what it says about the root joint does not count.

        Raises:
            InvalidArgument: If it is no vector of finite numbers. Its size is checked where the model is known.
        """
        self._target = held("target_q", target_q).copy()

    def set_target_from_configuration(self, configuration: Configuration) -> None:
        """Let the joints stay as they are in a configuration.

        Args:
            configuration: Robot configuration.
        """
        self.set_target(configuration.q)
