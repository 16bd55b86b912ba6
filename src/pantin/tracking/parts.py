"""Objects that a section of a document names: a kind, and the arguments of its constructor by their names."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Collection, Mapping
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from pantin.arrays import Array, scalar
from pantin.errors import InvalidArgument, PantinError, UnknownName
from pantin.kinematics.joints import JointModel
from pantin.kinematics.model import Model
from pantin.tracking.document import Section

__all__ = ["blame", "joint_vector", "kinds", "make"]

Some = TypeVar("Some")


def kinds(module: ModuleType, base: type[Some], ending: str = "") -> dict[str, Callable[..., Some]]:
    """What makes objects of a base, by the name of its kind: `RelativeFrameTask` makes a "relative_frame".

    Args:
        module: Where they are listed: classes, and functions.
        base: What the classes derive from; it is no kind itself.
        ending: What the names of classes end with, and in lower letters those of functions.
    """
    found: dict[str, Callable[..., Some]] = {}
    for name in module.__all__:
        maker = getattr(module, name)
        if inspect.isfunction(maker) and name.endswith(f"_{ending.lower()}"):
            found[name.removesuffix(f"_{ending.lower()}")] = maker
        elif isinstance(maker, type) and issubclass(maker, base) and maker is not base:
            found[re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removesuffix(ending)).lower()] = maker
    return found


def make(
    section: Section,
    cls: Callable[..., Some],
    model: Model,
    given: Mapping[str, object],
    others: Collection[str] = (),
) -> Some:
    """Call a constructor with the keys of a section as its arguments, and refuse what it does not take.

    A table gives an array by the names of joints: of nv numbers where the argument is a limit, and of those behind the
    root joint where it is a cost. Words name members of enumerations.

    Args:
        section: The keys.
        cls: The constructor.
        model: Model whose joints are named.
        given: Arguments that no key gives.
        others: Keys that may stand there beside them, and are left.

    Raises:
        ScenarioError: If an argument is missing, unknown or refused.
    """
    parameters = inspect.signature(cls).parameters
    said = dict(section.values)
    arguments: dict[str, Any] = {}
    for name, parameter in parameters.items():
        if name in given:
            arguments[name] = given[name]
        elif name in section:
            arguments[name] = _argument(section, name, section.take(name), parameter, model)
        elif parameter.default is parameter.empty:
            section.need(name)
    section.end([*(parameters.keys() - given.keys()), *others], but=others)
    return blame(section, said, lambda: cls(**arguments))


def blame(section: Section, said: Mapping[str, object], act: Callable[[], Some]) -> Some:
    """Do something, and tell what it complains about as a fault of the key that gave it.

    Args:
        section: Where the keys are.
        said: What they say.
        act: What is done.

    Raises:
        ScenarioError: If it complains.
    """
    try:
        return act()
    except InvalidArgument as error:
        key = re.split(r"\W", error.argument, maxsplit=1)[0]
        if key in said:
            section.refuse(key, str(error).removeprefix(f"{key}: "))
        section.refuse(next(iter(said)) if len(said) == 1 else "", str(error))
    except UnknownName as error:
        keys = (key for key, value in said.items() if key == error.name or _mentions(value, error.name))
        section.refuse(next(keys, ""), str(error))
    except (PantinError, TypeError, ValueError, ArithmeticError) as error:
        section.refuse("", " ".join(str(error).split()))


def joint_vector(model: Model, values: Mapping[str, object], others: Array) -> Array:
    """Numbers for the freedoms of joints, by name; a joint of several freedoms has one for all, or a list.

    Args:
        model: Robot model.
        values: Numbers by the names of joints.
        others: What the others have, shape (nv,).

    Raises:
        UnknownJoint: If the model has no joint of a name.
        InvalidArgument: If a number is none, or there are too few or too many of them.
    """
    result = others.copy()
    for name, value in values.items():
        joint: JointModel = model.joints[model.get_joint_id(name)]
        numbers = value if isinstance(value, list) else [value] * joint.nv
        if len(numbers) != joint.nv or not joint.nv:
            raise InvalidArgument(name, f"this joint has {joint.nv} freedoms, got {len(numbers)} numbers")
        result[joint.idx_v : joint.idx_v + joint.nv] = [scalar(name, number) for number in numbers]
    return result


def _argument(section: Section, name: str, value: Any, parameter: inspect.Parameter, model: Model) -> Any:
    """An argument out of what stands under its key."""
    if isinstance(parameter.default, enum.Enum) and isinstance(value, str):
        members = type(parameter.default).__members__
        if value.upper() not in members:
            section.refuse(name, f"there is no {value!r}; there is {', '.join(map(repr, map(str.lower, members)))}")
        return members[value.upper()]
    if not isinstance(value, dict):
        return value
    if name.endswith("_limit"):
        others = np.broadcast_to(getattr(model, name, np.inf), model.nv)
        return _blamed(section, name, lambda: joint_vector(model, value, others))
    behind = model.get_root_joint_dim()[1]
    return _blamed(section, name, lambda: joint_vector(model, value, np.zeros(model.nv))[behind:])


def _blamed(section: Section, key: str, act: Callable[[], Array]) -> Array:
    """What is made of a table of joints, whose names are not keys of the section."""
    try:
        return act()
    except PantinError as error:
        section.refuse(key, str(error))


def _mentions(value: object, name: object) -> bool:
    """True if a value is a name, or has it in it."""
    if isinstance(value, dict):
        return name in value or any(_mentions(one, name) for one in value.values())
    return any(_mentions(one, name) for one in value) if isinstance(value, list) else bool(value == name)
