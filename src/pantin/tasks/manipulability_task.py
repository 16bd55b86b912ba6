"""A frame that keeps away from singular poses."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array
from pantin.exceptions import TaskDefinitionError
from pantin.kinematics.algorithms import (
    compute_joint_jacobians_time_variation,
    get_frame_jacobian,
    get_frame_jacobian_time_variation,
)
from pantin.kinematics.doors import frame_index, reference_frame_index
from pantin.kinematics.frames import ReferenceFrame
from pantin.kinematics.model import Model
from pantin.tasks.parts import Constant, FrameName, frame_names
from pantin.tasks.task import Task

if TYPE_CHECKING:
    from pantin.configuration import Configuration

__all__ = ["ManipulabilityTask"]

_MASKS = {"position": (1, 1, 1, 0, 0, 0), "orientation": (0, 0, 0, 1, 1, 1), "planar_xy": (1, 1, 0, 0, 0, 0)}
_RATE, _REFERENCE, _MASK = 0, 1, slice(2, 8)


class ManipulabilityTask(Task):
    r"""Manipulability of a frame that grows.

    The manipulability of the frame's Jacobian, or of those rows M of it that a mask selects, is

    .. math::

        m(q) = \sqrt{\det(M M^\top)}

    (Yoshikawa 1985). It shall grow by `manipulability_rate` in a step; the error is one number,

    .. math::

        e = -\text{rate}, \qquad
        J_k = m\; \text{tr}\!\left( (M M^\top)^{-1} \frac{\partial M}{\partial q_k} M^\top \right).

    J is the derivative of m, for joints of every kind, every reference frame and every mask. At a singular pose, where
    m is zero and has none, J is zero.

    >>> import pantin
    >>> from pantin.configuration import Configuration
    >>> from pantin.kinematics import neutral
    >>> from pantin.tasks import ManipulabilityTask
    >>> model = pantin.load("panda")
    >>> configuration = Configuration(model, model.create_data(), neutral(model) + 0.3)
    >>> task = ManipulabilityTask("panda_hand", model, cost=0.1, mask="position")
    >>> task.compute_manipulability(configuration) > 0.01
    True

    Attributes:
        frame: Name of the frame.
        reference_frame: Axes and point that the Jacobian is taken in.
        manipulability_rate: How much m shall grow in a step; negative to shrink.
        mask: Rows that count: six numbers, 0 or 1; None for all.
    """

    _kind_name: ClassVar[str] = "manipulability"
    _shown: ClassVar[tuple[str, ...]] = ("frame", "cost", "lm_damping", "gain", "manipulability_rate")
    frame = FrameName(0, "Name of the frame.")
    manipulability_rate = Constant(_RATE, "How much the manipulability shall grow in a step; negative to shrink.")

    def __init__(
        self,
        frame: str,
        model: Model,
        cost: npt.ArrayLike = 1.0,
        lm_damping: float = 0.0,
        gain: float = 1.0,
        reference_frame: ReferenceFrame = ReferenceFrame.LOCAL,
        manipulability_rate: float = 0.1,
        mask: str | npt.ArrayLike | None = None,
        *,
        priority: int = 0,
    ) -> None:
        """Task on a frame.

        Args:
            frame: Name of the frame.
            model: Model that has it.
            cost: Cost over the unit of m.
            lm_damping: Levenberg-Marquardt damping.
            gain: Part of the rate that a step takes, 0 to 1.
            reference_frame: Axes and point that the Jacobian is taken in.
            manipulability_rate: How much m shall grow in a step; negative to shrink.
            mask: Rows that count, three lengths, then three angles: six numbers, 0 or 1, or "position",
                "orientation" or "planar_xy" (the first two); None for all.
            priority: Level at which the task is served; 0 comes first.

        Raises:
            UnknownFrame: If the model has no such frame.
            InvalidArgument: If a number is not finite, or negative where it must not be, or the mask is none.
        """
        super().__init__(cost=cost, gain=gain, lm_damping=lm_damping, priority=priority)
        self._frames = frame_names(frame)
        frame_index(model, frame)
        self._numbers = np.ones(8)
        self.manipulability_rate = manipulability_rate
        self.reference_frame = reference_frame
        self.mask = mask

    @property
    def reference_frame(self) -> ReferenceFrame:
        """Axes and point that the Jacobian is taken in."""
        assert self._numbers is not None
        return ReferenceFrame(int(self._numbers[_REFERENCE]))

    @reference_frame.setter
    def reference_frame(self, reference_frame: ReferenceFrame) -> None:
        assert self._numbers is not None
        self._numbers[_REFERENCE] = reference_frame_index(reference_frame)

    @property
    def mask(self) -> Array | None:
        """Rows of the Jacobian that count: six numbers, 0 or 1; None for all."""
        assert self._numbers is not None
        return None if self._numbers[_MASK].all() else self._numbers[_MASK]

    @mask.setter
    def mask(self, mask: str | npt.ArrayLike | None) -> None:
        assert self._numbers is not None
        self._numbers[_MASK] = _rows(mask)

    def compute_manipulability(self, configuration: Configuration) -> float:
        """The manipulability m, zero at a singular pose.

        Args:
            configuration: Robot configuration.
        """
        J = self._jacobian(configuration)[self._selected()]
        return float(np.sqrt(max(0.0, np.linalg.det(J @ J.T))))

    def compute_kinematic_hessian(self, configuration: Configuration) -> Array:
        """Derivative by the tangent of those rows of the Jacobian that count.

        Args:
            configuration: Robot configuration.

        Returns:
            Derivative by entry j of row r and column i at [j, r, i], shape (nv, rows, nv).
        """
        model, q, frame = configuration.model, configuration.q, frame_index(configuration.model, self.frame)
        data, rows = model.create_data(), self._selected()
        H = np.zeros((model.nv, int(rows.sum()), model.nv))
        for j, along in enumerate(np.eye(model.nv)):
            compute_joint_jacobians_time_variation(model, data, q, along)
            H[j] = get_frame_jacobian_time_variation(model, data, frame, self.reference_frame)[rows]
        return H

    def _jacobian(self, configuration: Configuration) -> Array:
        model = configuration.model
        return get_frame_jacobian(model, configuration.data, frame_index(model, self.frame), self.reference_frame)

    def _selected(self) -> npt.NDArray[np.bool_]:
        assert self._numbers is not None
        selected: npt.NDArray[np.bool_] = self._numbers[_MASK] != 0.0
        return selected


def _rows(mask: str | npt.ArrayLike | None) -> Array:
    """Six numbers, 0 or 1, of a mask."""
    if mask is None:
        return np.ones(6)
    if isinstance(mask, str):
        if mask not in _MASKS:
            raise TaskDefinitionError("mask", f"expected one of {', '.join(map(repr, _MASKS))}, got {mask!r}")
        return np.array(_MASKS[mask], dtype=np.float64)
    rows = array("mask", np.asarray(mask, dtype=np.float64))
    if rows.shape != (6,) or not np.isin(rows, (0.0, 1.0)).all() or not rows.any():
        raise TaskDefinitionError("mask", f"expected six numbers, 0 or 1, not all 0, got {mask!r}")
    return rows
