"""Labelled arrays of xarray, and of packages that build on it such as movement, recognised by how they behave."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np

from pantin.errors import InvalidArgument, UnknownKeypoint

__all__ = ["is_labelled", "unlabelled"]

#: Names of the axes, those of movement's datasets among them, in the order that a fit reads them.
AXES: dict[str, tuple[str, ...]] = {
    "time": ("time", "frame", "frames"),
    "view": ("view", "views", "camera", "cameras"),
    "keypoints": ("keypoints", "keypoint"),
    "space": ("space",),
}
INDIVIDUALS = ("individuals", "individual")


def is_labelled(value: object) -> TypeGuard[Any]:
    """Whether a value is a labelled array, or a dataset of them."""
    return all(hasattr(value, word) for word in ("dims", "coords", "transpose", "isel"))


def unlabelled(name: str, value: Any, labels: tuple[str, ...], views: bool, absent: float) -> Any:
    """The numbers of a labelled array, its axes and keypoints in the order that a fit reads them.

    Args:
        name: Name of the argument, for messages.
        value: A labelled array with an axis `keypoints`, and as the case may be `time`, `view` and `space`.
        labels: Names of the keypoints.
        views: Whether there is an axis of cameras.
        absent: What stands for keypoints that the array does not have.

    Raises:
        InvalidArgument: If it is a dataset, or an axis is unknown or missing.
        UnknownKeypoint: If it names a keypoint that is not among the labels.
    """
    if hasattr(value, "data_vars"):
        variables = ", ".join(map(repr, value.data_vars))
        raise InvalidArgument(name, f"expected one array of the dataset: one of {variables}")
    axes: dict[str, str] = {}
    for axis in value.dims:
        if axis in INDIVIDUALS:
            if value.sizes[axis] != 1:
                raise InvalidArgument(
                    name, f"it holds {value.sizes[axis]} individuals; fit each by itself, the first as .isel({axis}=0)"
                )
            value = value.isel({axis: 0})
            continue
        known = [word for word, words in AXES.items() if axis in words and (views or word != "view")]
        if not known or known[0] in axes:
            raise InvalidArgument(name, f"expected axes {_words(views)}, got {tuple(value.dims)}")
        axes[known[0]] = axis
    if "keypoints" not in axes:
        raise InvalidArgument(name, f"expected axes {_words(views)}, got {tuple(value.dims)}")
    value = value.transpose(*(axes[word] for word in AXES if word in axes))
    numbers = np.asarray(value.values)
    order = [word for word in AXES if word in axes]
    if "space" in axes and axes["space"] in value.coords:
        numbers = numbers[..., _spatial_order(name, value.coords[axes["space"]].values)]
    if axes["keypoints"] in value.coords:
        names = [str(each) for each in value.coords[axes["keypoints"]].values]
        numbers = _in_order(name, numbers, order.index("keypoints"), names, labels, absent)
    return numbers


def _words(views: bool) -> str:
    return ", ".join(word for word in AXES if views or word != "view")


def _spatial_order(name: str, words: Any) -> list[int]:
    """Places of x, y and z."""
    given = [str(word).lower() for word in words]
    wanted = ["x", "y", "z"][: len(given)]
    if sorted(given) != wanted:
        raise InvalidArgument(name, f"expected the space to be x, y and z, got {', '.join(given)}")
    return [given.index(word) for word in wanted]


def _in_order(name: str, numbers: Any, axis: int, names: list[str], labels: tuple[str, ...], absent: float) -> Any:
    """Keypoints in the order of the labels."""
    if names == list(labels):
        return numbers
    places = {each: i for i, each in enumerate(labels)}
    for i, each in enumerate(names):
        if each not in places:
            raise UnknownKeypoint(each, labels)
        if each in names[:i]:
            raise InvalidArgument(name, f"it holds two keypoints {each!r}")
    full = np.full((*numbers.shape[:axis], len(labels), *numbers.shape[axis + 1 :]), absent)
    full[(slice(None),) * axis + ([places[each] for each in names],)] = numbers
    return full
