"""What tasks are put together of: attributes that are live in the core, and checks of what is assigned to them."""

from __future__ import annotations

from typing import Self, overload

import numpy as np
import numpy.typing as npt

from pantin._core import TaskBase
from pantin.arrays import Array, array, scalar, weights
from pantin.exceptions import TaskDefinitionError

__all__ = ["Constant", "FrameName", "RootName", "frame_name", "frame_names", "held", "weights_of"]


class FrameName:
    """Attribute of a task: the name of a frame that it looks at."""

    def __init__(self, place: int, doc: str) -> None:
        """Describe the attribute.

        Args:
            place: Which of the task's frames it is.
            doc: What the frame does.
        """
        self.__doc__ = doc
        self._place = place

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, task: None, owner: type) -> Self: ...
    @overload
    def __get__(self, task: TaskBase, owner: type) -> str: ...
    def __get__(self, task: TaskBase | None, owner: type) -> str | Self:
        return self if task is None else task._frames[self._place]

    def __set__(self, task: TaskBase, name: str) -> None:
        frames = list(task._frames)
        frames[self._place] = frame_name(self._name, name)
        task._frames = tuple(frames)


class RootName:
    """Attribute of a task: the name of the frame that its target is given in, None for the world."""

    def __init__(self, doc: str) -> None:
        """Describe the attribute.

        Args:
            doc: What is given in the frame.
        """
        self.__doc__ = doc

    @overload
    def __get__(self, task: None, owner: type) -> Self: ...
    @overload
    def __get__(self, task: TaskBase, owner: type) -> str | None: ...
    def __get__(self, task: TaskBase | None, owner: type) -> str | Self | None:
        if task is None:
            return self
        return task._frames[1] if len(task._frames) > 1 else None

    def __set__(self, task: TaskBase, name: str | None) -> None:
        task._frames = frame_names(task._frames[0], name)


class Constant:
    """Attribute of a task: one of the numbers that it is defined by."""

    def __init__(self, place: int, doc: str, *, lower: float = -np.inf) -> None:
        """Describe the attribute.

        Args:
            place: Which of the task's numbers it is.
            doc: What it is, with its unit.
            lower: Smallest number that is not refused.
        """
        self.__doc__ = doc
        self._place = place
        self._lower = lower

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, task: None, owner: type) -> Self: ...
    @overload
    def __get__(self, task: TaskBase, owner: type) -> float: ...
    def __get__(self, task: TaskBase | None, owner: type) -> float | Self:
        if task is None:
            return self
        assert task._numbers is not None
        return float(task._numbers[self._place])

    def __set__(self, task: TaskBase, value: float) -> None:
        assert task._numbers is not None
        task._numbers[self._place] = scalar(self._name, value, lower=self._lower)


def frame_name(argument: str, name: object) -> str:
    """The name of a frame, which may be of a model that is not there yet.

    Raises:
        TaskDefinitionError: If it is no name.
    """
    if not isinstance(name, str):
        raise TaskDefinitionError(argument, f"expected the name of a frame, got {name!r}")
    return name


def frame_names(frame: object, root: object = None) -> tuple[str, ...]:
    """Names of a task's frame and of its root, if it has one.

    Raises:
        TaskDefinitionError: If one of them is no name.
    """
    names = (frame_name("frame", frame),)
    return names if root is None else (*names, frame_name("root", root))


def held(name: str, value: npt.ArrayLike, size: int | None = None) -> Array:
    """A target as a task holds it: a float64 vector, the caller's own where it is one.

    Args:
        name: Name of the argument, for the message.
        value: What was given.
        size: How many numbers it has; None where that depends on the model.

    Raises:
        TaskDefinitionError: If it is no vector of that size, or not finite.
    """
    given = array(name, value)
    if given.ndim > 1 and size is not None and given.size == max(given.shape) == size:
        given = given.reshape(size)
    if given.ndim != 1 or size not in (None, given.size):
        expected = "a vector" if size is None else f"{size} numbers"
        raise TaskDefinitionError(name, f"expected {expected}, got shape {given.shape}")
    return given


def weights_of(name: str, value: npt.ArrayLike, size: int) -> float | Array:
    """Weight of some rows of an error: one for all, or one for each.

    Raises:
        TaskDefinitionError: If there are neither 1 nor `size` of them.
        InvalidArgument: If one is negative or not finite.
    """
    given = weights(name, value)
    if isinstance(given, np.ndarray) and given.size not in (1, size):
        raise TaskDefinitionError(name, f"expected one number or {size}, got {given.size}")
    return float(given[0]) if isinstance(given, np.ndarray) and given.size == 1 else given
