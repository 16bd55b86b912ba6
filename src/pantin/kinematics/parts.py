"""What a model is made of: parts that tell their model when they are assigned to, and lists of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Part:
    """Part of a model whose attributes are checked when assigned; the model then compiles anew."""

    __slots__ = ("_notify",)

    _notify: Callable[[], None]

    def _checked(self, name: str, value: object) -> object:
        """The value as it is stored, or an error that names it."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: object) -> None:
        if name == "_notify":
            object.__setattr__(self, name, value)
            return
        object.__setattr__(self, name, self._checked(name, value))
        if hasattr(self, "_notify"):
            self._notify()

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, object]) -> None:
        for name, value in state.items():
            setattr(self, name, value)


class Parts(Sequence[T], Generic[T]):
    """List of a model's parts: entries may be replaced, the length changes through the model alone."""

    def __init__(self, admit: Callable[[object], T], notify: Callable[[], None]) -> None:
        """Empty list.

        Args:
            admit: Turns what is assigned into what is stored, or raises.
            notify: Called after each replacement.
        """
        self._entries: list[T] = []
        self._admit = admit
        self._notify = notify

    def _append(self, value: object) -> None:
        self._entries.append(self._admit(value))

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        return self._entries[index]

    def __setitem__(self, index: int, value: object) -> None:
        self._entries[index] = self._admit(value)
        self._notify()

    def __iter__(self) -> Iterator[T]:
        return iter(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)


class Supports(Sequence[list[int]]):
    """For each joint the joints from the universe down to it, worked out when asked for."""

    def __init__(self, parents: list[int]) -> None:
        self._parents = parents

    def __len__(self) -> int:
        return len(self._parents)

    @overload
    def __getitem__(self, index: int) -> list[int]: ...
    @overload
    def __getitem__(self, index: slice) -> list[list[int]]: ...
    def __getitem__(self, index: int | slice) -> list[int] | list[list[int]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        joint = range(len(self))[index]
        support = [joint]
        while joint != 0:
            joint = self._parents[joint]
            support.append(joint)
        return support[::-1]

    def __repr__(self) -> str:
        return repr(list(self))
