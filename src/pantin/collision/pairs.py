"""Which shapes of a robot are kept apart."""

from __future__ import annotations

import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import combinations

import numpy.typing as npt

from pantin.arrays import Array, vector
from pantin.collision.geometry_data import GeometryData
from pantin.errors import InvalidArgument
from pantin.kinematics.algorithms import forward_kinematics
from pantin.kinematics.geometry import CollisionPair, GeometryModel, UnknownGeometry
from pantin.kinematics.joints import JT_FREEFLYER
from pantin.kinematics.model import Model
from pantin.kinematics.srdf import load_disabled_collision_pairs

__all__ = ["collision_pairs", "named_shapes", "neighbours"]


def collision_pairs(
    model: Model,
    geometry_model: GeometryModel,
    srdf: str | os.PathLike[str] | None = None,
    *,
    links: Iterable[str] | str | None = None,
    others: Iterable[str] | str | None = None,
    adjacent: bool = False,
    clear_at: npt.ArrayLike | None = None,
) -> list[CollisionPair]:
    """Pairs of shapes that can sensibly be kept apart; assign them to `geometry_model.collision_pairs`.

    Left out are shapes of one body, shapes of bodies with one joint between them, which usually touch by design, and
    what an SRDF file disables.

    Args:
        model: Model of the robot.
        geometry_model: Its shapes.
        srdf: SRDF file with pairs of links that may touch (`<disable_collisions>`).
        links: Names of links or shapes, with `*` for anything, of which each pair has one; by default all.
        others: Those of which each pair has its other one; by default all.
        adjacent: Take bodies with one joint between them too.
        clear_at: Configuration, shape (nq,), at which the robot is known to be clear of itself: pairs that touch there
            touch by design, and are left out. Needs `coal`.

    Returns:
        The pairs, in the order of the shapes.

    Raises:
        UnknownGeometry: If a name is that of no link or shape.
        ModelFileError: If the SRDF file or, for `clear_at`, a mesh cannot be read.
        InvalidArgument: If `clear_at` has the wrong size or is not finite.
        MissingExtra: If `clear_at` is given and `coal` is not installed.
    """
    shapes = geometry_model.geometry_objects
    disabled = set() if srdf is None else {frozenset(pair) for pair in load_disabled_collision_pairs(srdf)}
    every = set(range(len(shapes)))
    ones = every if links is None else named_shapes(geometry_model, links, "links")
    rest = every if others is None else named_shapes(geometry_model, others, "others")
    pairs = [
        CollisionPair(first, second)
        for first, second in combinations(range(len(shapes)), 2)
        if ((first in ones and second in rest) or (second in ones and first in rest))
        and frozenset((shapes[first].link, shapes[second].link)) not in disabled
        and shapes[first].parent_joint != shapes[second].parent_joint
        and (adjacent or not neighbours(model, shapes[first].parent_joint, shapes[second].parent_joint))
    ]
    return pairs if clear_at is None else _clear(model, geometry_model, pairs, vector("clear_at", clear_at, model.nq))


def named_shapes(geometry_model: GeometryModel, names: Iterable[str] | str, argument: str) -> set[int]:
    """Ids of the shapes whose own name, or that of whose link, is among names with `*` for anything.

    Raises:
        UnknownGeometry: If a name fits none.
        InvalidArgument: If these are no names.
    """
    if not isinstance(names, Iterable):
        raise InvalidArgument(argument, f"expected names of links or shapes, got {names!r}")
    found: set[int] = set()
    for name in (names,) if isinstance(names, str) else names:
        if not isinstance(name, str):
            raise InvalidArgument(argument, f"expected names of links or shapes, got {name!r}")
        fits = {
            number
            for number, shape in enumerate(geometry_model.geometry_objects)
            if fnmatchcase(shape.name, name) or fnmatchcase(shape.link, name)
        }
        if not fits:
            known = [name for shape in geometry_model.geometry_objects for name in (shape.link, shape.name) if name]
            raise UnknownGeometry(name, dict.fromkeys(known))
        found |= fits
    return found


def _clear(model: Model, geometry_model: GeometryModel, pairs: list[CollisionPair], q: Array) -> list[CollisionPair]:
    """Those pairs that do not touch at a configuration."""
    shapes = GeometryModel()
    shapes.geometry_objects, shapes.collision_pairs = geometry_model.geometry_objects, pairs
    data, measured = model.create_data(), GeometryData(shapes)
    forward_kinematics(model, data, q)
    measured.place(data, q)
    distances = measured.measure_all()[0]
    return [pair for pair, distance in zip(pairs, distances.tolist(), strict=True) if distance > 0.0]


def neighbours(model: Model, first: int, second: int) -> bool:
    """Whether two joints follow each other in the tree; one that is free to go anywhere follows none."""
    low, high = sorted((first, second))
    return model.parents[high] == low and model.joints[high].jtype != JT_FREEFLYER
