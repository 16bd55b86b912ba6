"""States and tangents as a plan takes them: shapes checked, leading axes brought together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, array
from pantin.errors import InvalidArgument, UnknownName
from pantin.fitting.plan.rotations import normalised
from pantin.fitting.state import State

if TYPE_CHECKING:
    from pantin.fitting.plan.body_plan import BodyPlan

__all__ = ["as_state", "as_tangent"]


class UnknownPart(UnknownName):
    """A part that a state does not have."""

    kind = "part of a state"


def as_state(plan: BodyPlan, state: State | Mapping[str, npt.ArrayLike]) -> State:
    """A state as float64 arrays with common leading axes and quaternions of length 1.

    Args:
        plan: The plan that the state belongs to; where its base is fixed the root is that of the world.
        state: The state, a mapping of its parts, or anything with three parts in their order. NaN is passed on.

    Raises:
        InvalidArgument: If a part has the wrong shape, is not real, or a quaternion has no length.
        UnknownName: If a mapping names another part.
    """
    neutral = plan.neutral_state()
    if isinstance(state, Mapping):
        for name in state:
            if name not in State._fields:
                raise UnknownPart(name, State._fields)
        parts = tuple(state.get(name, part) for name, part in neutral._asdict().items())
    elif isinstance(state, (tuple, list)) and len(state) == len(neutral):
        parts = tuple(state)
    else:
        raise InvalidArgument(
            "state", f"expected a State(root_pos, root_quat_wxyz, dofs), got a {type(state).__name__}"
        )
    if plan.fixed_base:
        parts = (*neutral[:2], parts[2])
    pos = _last_axis("root_pos", parts[0], 3)
    quat = _last_axis("root_quat_wxyz", parts[1], 4)
    dofs = _last_axis("dofs", parts[2], plan.n_dofs, f"the plan has {plan.n_dofs} degrees of freedom")
    if (np.linalg.norm(quat, axis=-1) < 1e-9).any():
        raise InvalidArgument("root_quat_wxyz", "a quaternion is zero, which is no rotation")
    if pos.ndim == quat.ndim == dofs.ndim == 1:
        return State(pos, normalised(quat), dofs)
    leading = _together({"root_pos": pos, "root_quat_wxyz": quat, "dofs": dofs})
    return State(*(np.broadcast_to(part, (*leading, part.shape[-1])) for part in (pos, normalised(quat), dofs)))


def as_tangent(plan: BodyPlan, state: State, tangent: npt.ArrayLike) -> tuple[State, Array]:
    """A state and tangents with common leading axes.

    Raises:
        InvalidArgument: If the tangent has another shape than the plan's, or is not real.
    """
    size = plan.tangent_dim
    given = _last_axis("tangent", tangent, size, f"a tangent of the plan has {size} numbers")
    leading = _together({"state": state.dofs, "tangent": given})
    parts = (np.broadcast_to(part, (*leading, part.shape[-1])) for part in state)
    return State(*parts), np.broadcast_to(given, (*leading, size))


def _last_axis(name: str, value: npt.ArrayLike, size: int, why: str = "") -> Array:
    given = array(name, value, finite=False)
    if given.ndim == 0 or given.shape[-1] != size:
        reason = f" ({why})" if why else ""
        raise InvalidArgument(name, f"expected shape (..., {size}), got {given.shape}{reason}")
    return given


def _together(parts: Mapping[str, Array]) -> tuple[int, ...]:
    """The leading axes that all parts broadcast to."""
    try:
        return np.broadcast_shapes(*(part.shape[:-1] for part in parts.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {part.shape}" for name, part in parts.items())
        raise InvalidArgument(next(iter(parts)), f"leading axes do not go together: {shapes}") from None
