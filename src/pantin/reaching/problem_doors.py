"""What stands behind the doors of a problem: the targets of a batch, and joints to lock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pantin.arrays import Array
from pantin.errors import InvalidArgument
from pantin.kinematics.doors import joint_index
from pantin.kinematics.model import Model
from pantin.reaching.residuals import Residual

__all__ = ["lockable_joint", "read_batch"]


def read_batch(
    residuals: Sequence[Residual], own: Iterable[Array], targets: Mapping[Any, object]
) -> tuple[list[Array], tuple[int, ...]]:
    """Twelve numbers of each of many targets of some residuals, shape (n, 12), or of the one of others, (1, 12).

    Args:
        residuals: Those of a problem.
        own: Twelve numbers of the own target of each.
        targets: Many targets of some of them.

    Returns:
        Targets of each residual, and the shape of the batch.

    Raises:
        InvalidArgument: If there are none, one of them is none, or their shapes differ.
    """
    rows = [row.reshape(1, 12) for row in own]
    shape: tuple[int, ...] | None = None
    for residual, many in targets.items():
        if residual not in residuals:
            raise InvalidArgument("targets", f"expected residuals of this problem, got {residual!r}")
        numbers, its_shape = residual._read_many(many)
        if shape is not None and its_shape != shape:
            raise InvalidArgument("targets", f"{residual!r} has targets of shape {its_shape}, others of {shape}")
        shape = its_shape
        rows[residual._index] = np.ascontiguousarray(numbers)
    if shape is None:
        raise InvalidArgument("targets", "expected many targets of at least one residual, got none")
    return rows, shape


def lockable_joint(model: Model, joint: object) -> int:
    """Index of a joint that can be locked."""
    index = joint_index(model, joint)
    mimic = model.joints[index].mimic
    if index == 0:
        raise InvalidArgument("lock", "the universe does not move")
    if mimic is not None:
        raise InvalidArgument(
            "lock", f"joint {model.names[index]!r} follows {model.names[int(mimic.master)]!r}; lock that one"
        )
    return index
