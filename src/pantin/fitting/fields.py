"""What a fit tells of each frame: the arrays of a result, their kinds of numbers and axes, and names of sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pantin.fitting.sources import Source

__all__ = ["FIELDS", "Field", "source_names"]


class Field(NamedTuple):
    """An array of a result.

    Attributes:
        name: Its name, that of the attribute.
        dtype: Kind of its numbers.
        axes: Names of the axes behind the frames: "space", "quaternion", "dof" or "source".
    """

    name: str
    dtype: npt.DTypeLike
    axes: tuple[str, ...] = ()


#: The arrays that every result has, in the order in which files and tables show them.
FIELDS: tuple[Field, ...] = (
    Field("root_pos", np.float64, ("space",)),
    Field("root_quat_wxyz", np.float64, ("quaternion",)),
    Field("dofs", np.float64, ("dof",)),
    Field("cost", np.float64),
    Field("cost_data", np.float64, ("source",)),
    Field("cost_prior", np.float64),
    Field("status_code", np.int8),
    Field("iterations", np.int32),
    Field("restarted", np.bool_),
    Field("behind_camera", np.int32),
    Field("at_limit", np.int8, ("dof",)),
    Field("seen", np.bool_, ("dof",)),
    Field("interpolated", np.bool_, ("dof",)),
    Field("scales", np.float64, ("source",)),
)


def source_names(source: Iterable[Source]) -> tuple[str, ...]:
    """A name for each source: its kind, numbered where there are several of it."""
    kinds = [one.kind for one in source]
    counts: Counter[str] = Counter()
    names = []
    for kind in kinds:
        names.append(f"{kind}_{counts[kind]}" if kinds.count(kind) > 1 else kind)
        counts[kind] += 1
    return tuple(names)
