"""What a model is made of: parts that tell their model when they are assigned to, and lists of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, Generic, NoReturn, Protocol, Self, SupportsIndex, TypeVar, overload

from pantin.errors import InvalidArgument

T = TypeVar("T")


class Owner(Protocol):
    """A model, as far as its parts go."""

    def _admit(self, name: str, value: object) -> None:
        """Refuse a value of a part's attribute that does not fit the model."""

    def _part_changed(self, name: str) -> None:
        """An attribute of a part was assigned."""


class Part:
    """Part of a model whose attributes are checked when assigned; the model then compiles anew."""

    __slots__ = ("_owner",)

    #: Attributes that are checked.
    _PARTS: ClassVar[tuple[str, ...]]

    _owner: Owner

    def _checked(self, name: str, value: object) -> object:
        """The value as it is stored, or an error that names it."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._PARTS:
            object.__setattr__(self, name, value)
            return
        value = self._checked(name, value)
        owner = getattr(self, "_owner", None)
        if owner is not None:
            owner._admit(name, value)
        object.__setattr__(self, name, value)
        if owner is not None:
            owner._part_changed(name)

    def copy(self) -> Self:
        """The same that belongs to no model."""
        other = self.__new__(type(self))
        for name in self._PARTS:
            object.__setattr__(other, name, getattr(self, name))  # checked before, and nothing that changes
        return other

    def _own(self, owner: Owner) -> None:
        """Tell a model of each change from now on."""
        object.__setattr__(self, "_owner", owner)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self._PARTS}

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
        if not isinstance(index, SupportsIndex):
            raise InvalidArgument("index", f"entries are assigned one at a time, got {index!r}")
        self._entries[index]  # the index is refused before the value is looked at
        self._entries[index] = self._admit(value)
        self._notify()

    def __iter__(self) -> Iterator[T]:
        return iter(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)


class NameIndex:
    """Where each name stands first in a list that may change under it."""

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        """Index of a list.

        Args:
            names: Gives the list as it is now.
        """
        self._names = names
        self._index: dict[str, int] | None = None

    def find(self, name: object) -> int | None:
        """Index of the first entry of this name, or None."""
        if self._index is None:
            self._index = {}
            for i, known in enumerate(self._names()):
                self._index.setdefault(known, i)
        return self._index.get(name) if isinstance(name, str) else None

    def append(self, name: str, index: int) -> None:
        """Take in an entry that was added at the end."""
        if self._index is not None:
            self._index.setdefault(name, index)

    def forget(self) -> None:
        """Look at the list anew next time: entries were renamed."""
        self._index = None


class Names(list[str]):
    """List of unique names, which tells when one is changed."""

    def __init__(self, notify: Callable[[], None]) -> None:
        """Empty list.

        Args:
            notify: Called after each change of a name.
        """
        super().__init__()
        self._notify = notify

    def __setitem__(self, index: SupportsIndex, name: str) -> None:  # type: ignore[override]  # no slices
        if not isinstance(index, SupportsIndex) or not isinstance(name, str):
            raise InvalidArgument("name", f"a name is a text, assigned one at a time; got {name!r} at {index!r}")
        if name != self[index] and name in self:
            raise InvalidArgument("name", f"{name!r} is taken")
        super().__setitem__(index, name)
        self._notify()


class FixedList(list[T]):
    """List that grows with a model and whose entries stay: the core has compiled them."""

    def __setitem__(self, index: object, value: object) -> NoReturn:
        raise TypeError("joints and their parents stay as they were added; make a new model to change them")


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
