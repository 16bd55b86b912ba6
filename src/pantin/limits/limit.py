"""The base of limits."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from pantin._core import LimitBase
from pantin.arrays import Array

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["Inequalities", "Limit"]

#: Matrix G, shape (m, nv), and vector h, shape (m,), of G dq <= h.
Inequalities = tuple[Array, Array]

#: Parts that the core holds; those that are the model's are found there again.
_HELD = ("_gain", "_previous", "_previous_dt", "_vector")


class Limit(LimitBase):
    r"""Base of limits, and of a user's own.

    A limit is a set of displacements, $G(q)\, \Delta q \le h(q)$. For one of your own, derive from this class and write
    `compute_qp_inequalities`; a class that does is asked for its rows at each step, where the core reads the others.

    >>> import numpy as np
    >>> from pantin.limits import Limit
    >>> class HalfSpeed(Limit):
    ...     def compute_qp_inequalities(self, configuration, dt):
    ...         model = configuration.model
    ...         G = np.concatenate([np.eye(model.nv), -np.eye(model.nv)])
    ...         return G, 0.5 * dt * np.tile(model.velocity_limit, 2)
    """

    #: How the core reads limits of this class; "rows" are asked for in Python.
    _kind_name: ClassVar[str] = "rows"
    #: True where the rows that a class defines are those that the core makes of this kind.
    _rows_of_kind: ClassVar[bool] = False
    #: False where Python is asked for the rows, whatever the kind.
    _native: ClassVar[bool] = False

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Note whether the class answers for itself."""
        super().__init_subclass__(**arguments)
        author = next(base for base in cls.__mro__ if "compute_qp_inequalities" in vars(base))
        cls._native = vars(author).get("_rows_of_kind", False)

    def __new__(cls, *args: object, **arguments: object) -> Self:
        """Limit whose `__init__` need not call that of its base."""
        limit = super().__new__(cls)
        LimitBase.__init__(limit, cls._kind_name)
        return limit

    def __init__(self) -> None:
        """Limit without parts."""

    def compute_qp_inequalities(self, configuration: Configuration, dt: float) -> Inequalities | None:
        """Which displacements are allowed.

        Args:
            configuration: Where the robot is.
            dt: Time step, s.

        Returns:
            Matrix G, shape (m, nv), and vector h, shape (m,): a displacement dq is allowed where G dq <= h. None where
            nothing is limited.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_qp_inequalities")

    def _refresh(self) -> None:
        """Follow edits of the model; steps call it before they compile the limit."""

    def __getstate__(self) -> dict[str, Any]:
        held = {name: getattr(self, name) for name in _HELD}
        own = {name: copy.copy(value) for name, value in held.items() if isinstance(value, float | np.ndarray)}
        return {**vars(self), **own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._refresh()
