"""The base of barriers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array, count, scalar, vector
from pantin.configuration import Configuration
from pantin.errors import InvalidArgument

__all__ = ["Barrier", "gains_of", "identity"]

#: Gains of safe displacements up to this one are none, as in Pinker.
_NO_GAIN = 1e-6
#: Norm of a Jacobian up to which a barrier does not move, so that its safe displacement has no weight.
_AT_REST = 1e-9


def identity(value: float) -> float:
    """The value: the gain function of barriers without one."""
    return value


class Barrier:
    r"""Base of barriers, and of a user's own.

    A barrier is a vector $h(q)$ whose entries have to stay above zero. A displacement is allowed where each falls
    slowly enough, the slower the nearer it is to zero (Ames et al. 2019): with the gain $\gamma$ and the gain function
    $\alpha$

    $$ J \frac{\Delta q}{dt} + \gamma\, \alpha(h) \ge 0, \qquad J = \frac{\partial h}{\partial q}. $$

    For a linear $h$ without a gain function, motions from above zero stay there where $\gamma\, dt \le 1$; of a curved
    one a step may take off a part of second order in its length. From below zero an entry comes back at the same rate.

    Beside it the objective may pull to a displacement that is known to be safe: with $r$ its gain, by

    $$ \frac{r}{2 |J|^2}\, |\Delta q - \Delta q_{safe}|^2. $$

    For a barrier of your own, derive from this class and write `compute_barrier` and `compute_jacobian`:

    >>> import numpy as np
    >>> from pantin.barriers import Barrier
    >>> class BentElbow(Barrier):
    ...     def compute_barrier(self, configuration):
    ...         return np.array([-0.2 - configuration.q[3]])
    ...     def compute_jacobian(self, configuration):
    ...         return -np.eye(configuration.model.nv)[3:4]
    >>> BentElbow(dim=1, gain=10.0)
    BentElbow(dim=1, gain=[10.], safe_displacement_gain=0)

    Nothing is kept from one call to the next, so that q, the model and all attributes may change in between.

    Attributes:
        dim: Number of entries.
        gain_function: Function of one entry, increasing and zero at zero, that the rate of its fall may follow.
        safe_displacement: The safe displacement of the last objective, shape (nv,).
        safe_displacement_gain: Weight of the pull to the safe displacement, 0 for none.
    """

    dim: int
    gain_function: Callable[[float], float]
    safe_displacement: Array

    def __init__(
        self,
        dim: int,
        gain: npt.ArrayLike = 1.0,
        gain_function: Callable[[float], float] | None = None,
        safe_displacement_gain: float = 0.0,
    ) -> None:
        """Barrier of some entries.

        Args:
            dim: Number of entries.
            gain: How fast an entry may fall for its size, shape (dim,), or one for all, 1/s; copied.
            gain_function: Increasing function of one entry that is zero at zero; the identity by default.
            safe_displacement_gain: Weight of the pull to the safe displacement.

        Raises:
            InvalidArgument: If a number is negative or not finite, gains are not as many, or the function is not one.
        """
        self.dim = count("dim", dim, lower=1)
        self.gain = gain
        if gain_function is not None and not callable(gain_function):
            raise InvalidArgument("gain_function", f"expected a function, got a {type(gain_function).__name__}")
        self.gain_function = identity if gain_function is None else gain_function
        self.safe_displacement = np.zeros(self.dim)
        self.safe_displacement_gain = safe_displacement_gain

    @property
    def gain(self) -> Array:
        """How fast each entry may fall for its size, shape (dim,), 1/s, live."""
        return self._gain

    @gain.setter
    def gain(self, gain: npt.ArrayLike) -> None:
        self._gain = gains_of(gain, self.dim)

    @property
    def safe_displacement_gain(self) -> float:
        """Weight of the pull to the safe displacement."""
        return self._safe_displacement_gain

    @safe_displacement_gain.setter
    def safe_displacement_gain(self, gain: float) -> None:
        self._safe_displacement_gain = scalar("safe_displacement_gain", gain, lower=0.0)

    def compute_barrier(self, configuration: Configuration) -> Array:
        """Value of the barrier: what has to stay above zero.

        Args:
            configuration: Where the robot is.

        Returns:
            Value h(q), shape (dim,).
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_barrier")

    def compute_jacobian(self, configuration: Configuration) -> Array:
        """Derivative of the barrier by the robot's displacement.

        Args:
            configuration: Where the robot is.

        Returns:
            Jacobian dh/dq, shape (dim, nv).
        """
        raise NotImplementedError(f"{type(self).__name__} does not define compute_jacobian")

    def compute_safe_displacement(self, configuration: Configuration) -> Array:
        """A displacement that is known to be safe: none, unless overridden.

        Args:
            configuration: Where the robot is.

        Returns:
            Displacement, shape (nv,).
        """
        return np.zeros(configuration.model.nv)

    def compute_qp_objective(self, configuration: Configuration) -> tuple[Array, Array]:
        """Pull to the safe displacement.

        Args:
            configuration: Where the robot is.

        Returns:
            Matrix H, shape (nv, nv), and vector c, shape (nv,), of the objective dq' H dq / 2 + c' dq. They are zero
            without a gain, and where the barrier does not move with the robot.

        Raises:
            InvalidArgument: If what an override gives has another size or is not finite.
        """
        nv = configuration.model.nv
        H, c = np.zeros((nv, nv)), np.zeros(nv)
        if self.safe_displacement_gain > _NO_GAIN:
            safe = self.compute_safe_displacement(configuration)
            self.safe_displacement = _finite("compute_safe_displacement()", safe, (nv,))
            size = float(np.linalg.norm(self._jacobian(configuration)))
            if size > _AT_REST:
                weight = self.safe_displacement_gain / size**2
                np.fill_diagonal(H, weight)
                c -= weight * self.safe_displacement
        return H, c

    def compute_qp_inequalities(self, configuration: Configuration, dt: float = 1e-3) -> tuple[Array, Array]:
        """Which displacements are allowed.

        Args:
            configuration: Where the robot is.
            dt: Time step, s, above 0.

        Returns:
            Matrix G = -J / dt, shape (dim, nv), and vector h = gain * gain_function(h(q)), shape (dim,), of G dq <= h.

        Raises:
            InvalidArgument: If the time step is not above 0, a gain is negative, or what an override gives has another
                size or is not finite.
        """
        dt = scalar("dt", dt, lower=0.0)
        if dt == 0.0:
            raise InvalidArgument("dt", "a barrier bounds a velocity, and needs a time step above 0")
        rates = _finite("compute_barrier()", self.compute_barrier(configuration), (self.dim,))
        if self.gain_function is not identity:
            rates = _finite("gain_function()", [self.gain_function(value) for value in rates], (self.dim,))
        return -self._jacobian(configuration) / dt, gains_of(self.gain, self.dim) * rates

    def _jacobian(self, configuration: Configuration) -> Array:
        """The Jacobian, checked; of one entry it may be a vector."""
        rows = array("compute_jacobian()", self.compute_jacobian(configuration))
        shape = (self.dim, configuration.model.nv)
        return _finite("compute_jacobian()", rows[None] if rows.ndim == 1 and self.dim == 1 else rows, shape)

    def __repr__(self) -> str:
        """Size and gains."""
        return (
            f"{type(self).__name__}(dim={self.dim}, gain={self.gain}, "
            f"safe_displacement_gain={self.safe_displacement_gain:g})"
        )


def gains_of(gain: npt.ArrayLike, dim: int) -> Array:
    """Gains of a barrier's entries, one for all or as many; copied.

    Raises:
        InvalidArgument: If there are not as many, or one is negative or not finite.
    """
    given = array("gain", gain)
    gains = np.full(dim, given) if given.ndim == 0 else vector("gain", given, dim)
    if gains.min() < 0.0:
        raise InvalidArgument("gain", f"expected no negative number, got {gains.min():g}")
    return gains.copy()


def _finite(name: str, value: npt.ArrayLike, shape: tuple[int, ...]) -> Array:
    """What a method of the barrier gave, as finite numbers of a shape."""
    given = array(name, value)
    if given.shape != shape:
        raise InvalidArgument(name, f"expected shape {shape}, got {given.shape}")
    return given
