"""Linear relations between joints."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array
from pantin.exceptions import TaskDefinitionError
from pantin.tasks.parts import held
from pantin.tasks.task import Task

__all__ = ["LinearHolonomicTask"]


class LinearHolonomicTask(Task):
    r"""Linear relations between the entries of the way from a configuration q_0 to the robot's.

    The error has p entries, in the units of A and b; the way is taken in the tangent of q_0, joint by joint.

    .. math::

        e = A\, (q \ominus q_0) - b, \qquad J = A\, \frac{\partial (q \ominus q_0)}{\partial q}.

    Held as an equality, or at the first priority, it ties joints together.

    >>> import numpy as np
    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import LinearHolonomicTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model))
    >>> task = LinearHolonomicTask(np.eye(model.nv)[:1] - np.eye(model.nv)[1:2], np.array([0.1]), None)
    >>> task.compute_error(configuration)
    array([-0.1])

    Attributes:
        A: Matrix of the relations, shape (p, nv); live.
        b: Their right hand sides, shape (p,); live.
        q_0: Configuration that they start from, shape (nq,), or None for the neutral one; live.
    """

    _kind_name: ClassVar[str] = "holonomic"

    def __init__(
        self,
        A: npt.ArrayLike,
        b: npt.ArrayLike,
        q_0: npt.ArrayLike | None,
        cost: npt.ArrayLike | None = None,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        *,
        priority: int = 0,
    ) -> None:
        """Task of some relations; what is given is copied.

        Args:
            A: Matrix of the relations, shape (p, nv).
            b: Their right hand sides, shape (p,).
            q_0: Configuration that they start from, shape (nq,), or None for the neutral one.
            cost: Cost over the unit of the error: one number, or one for each relation; None for 1.
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the error that a step takes away, 0 to 1.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            TaskDefinitionError: If A is no matrix, or b has not one entry for each of its rows.
            InvalidArgument: If a number is not finite, or one of the weights negative.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        relations, sides = _matrix(A), held("b", b)
        if len(sides) != len(relations):
            raise TaskDefinitionError("b", f"A has {len(relations)} rows, but b has {len(sides)} entries")
        self._target = sides.copy()
        self._hold(relations, q_0)

    def _hold(self, A: Array, q_0: npt.ArrayLike | None) -> None:
        """Keep the matrix and the configuration, side by side."""
        start = np.empty(0) if q_0 is None else held("q_0", q_0)
        self._columns = A.shape[1]
        self._entries = A.size
        self._numbers = np.concatenate([A.ravel(), start])

    @property
    def A(self) -> Array:
        """Matrix of the relations, shape (p, nv); live."""
        assert self._numbers is not None
        return self._numbers[: self._entries].reshape(-1, self._columns)

    @A.setter
    def A(self, A: npt.ArrayLike) -> None:
        self._hold(_matrix(A), self.q_0)

    @property
    def b(self) -> Array:
        """Right hand sides of the relations, shape (p,); live."""
        return self._target  # type: ignore[no-any-return]

    @b.setter
    def b(self, b: npt.ArrayLike) -> None:
        self._target = held("b", b)

    @property
    def q_0(self) -> Array | None:
        """Configuration that the relations start from, shape (nq,), or None for the neutral one; live."""
        assert self._numbers is not None
        return self._numbers[self._entries :] if self._numbers.size > self._entries else None

    @q_0.setter
    def q_0(self, q_0: npt.ArrayLike | None) -> None:
        self._hold(self.A, q_0)


def _matrix(A: npt.ArrayLike) -> Array:
    """Matrix of some relations."""
    matrix = array("A", A)
    if matrix.ndim != 2 or matrix.size == 0:
        raise TaskDefinitionError("A", f"expected a matrix of shape (p, nv), got shape {matrix.shape}")
    return matrix
