"""Vectors with entries per joint, such as limits, that grow with the model."""

from __future__ import annotations

from typing import Protocol, Self, overload

import numpy as np
import numpy.typing as npt

from pantin.arrays import Array, vector
from pantin.errors import InvalidArgument

__all__ = ["JointVector", "Vector", "joint_limit"]


class JointVector:
    """Vector that grows as joints are added; what is assigned is copied, keeps its size and is not NaN."""

    __slots__ = ("_finite", "_least", "_memory", "_name", "_size", "_values")  # the core reads `_values` where it lies

    def __init__(self, name: str, *, finite: bool = False, least: float = -np.inf) -> None:
        """Empty vector.

        Args:
            name: Name of the attribute, for messages.
            finite: Refuse infinity too.
            least: Smallest number that is not refused.
        """
        self._name = name
        self._finite = finite
        self._least = least
        self._memory = np.zeros(8)
        self._size = 0
        self._values: Array = self._memory[:0]

    def extend(self, entries: Array) -> None:
        """Append entries, in amortised constant time each."""
        size = self._size + entries.size
        if self._values.base is not self._memory or size > self._memory.size:
            memory = np.zeros(max(size, 2 * self._memory.size))
            memory[: self._size] = self._values
            self._memory = memory
        self._memory[self._size : size] = entries
        self._size = size
        self._values = self._memory[:size]

    @property
    def values(self) -> Array:
        """The entries; writing into them changes the vector."""
        return self._values

    @values.setter
    def values(self, values: npt.ArrayLike) -> None:
        given = vector(self._name, values, self._size, finite=self._finite)
        if np.isnan(given).any():
            raise InvalidArgument(self._name, "an entry is NaN; use infinity for no limit")
        if given.min(initial=np.inf) < self._least:
            raise InvalidArgument(self._name, f"expected numbers from {self._least:g} up, got {given.min():g}")
        self._values = given.copy()


class Vector:
    """Attribute of a model that reads and assigns one of its joint vectors."""

    def __init__(self, doc: str, *, compiled: bool = False) -> None:
        """Describe the attribute.

        Args:
            doc: What the vector holds, with shape and unit.
            compiled: The core keeps a copy: entries are read-only, assigning makes the model compile anew.
        """
        self.__doc__ = doc
        self._compiled = compiled

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, model: None, owner: type) -> Self: ...
    @overload
    def __get__(self, model: HasVectors, owner: type) -> Array: ...
    def __get__(self, model: HasVectors | None, owner: type) -> Array | Self:
        if model is None:
            return self
        values = model._vectors[self._name].values
        if self._compiled:
            values = values.view()
            values.setflags(write=False)
        return values

    def __set__(self, model: HasVectors, values: npt.ArrayLike) -> None:
        model._vectors[self._name].values = values
        if self._compiled:
            model._changed()


class HasVectors(Protocol):
    """A model, as far as its joint vectors go."""

    _vectors: dict[str, JointVector]

    def _changed(self) -> None: ...


def joint_limit(name: str, values: npt.ArrayLike | None, size: int, default: float) -> Array:
    """Limits of one joint, `default` where none are given."""
    if values is None:
        return np.full(size, default)
    limit = vector(name, values, size, finite=False)
    if np.isnan(limit).any():
        raise InvalidArgument(name, "a limit is NaN; use infinity for none")
    return limit
