"""Doors of shapes, obstacles and their barriers: whatever comes, it is taken or refused with a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_scenes import loose

from pantin.barriers import ObstacleBarrier, SelfCollisionBarrier
from pantin.collision import GeometryData, Obstacle, collision_pairs
from pantin.errors import PantinError

pytest.importorskip("coal", reason="the package coal measures distances")

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.floats(width=16), max_size=7),
    st.just(np.eye(4)),
    st.just(np.eye(3)),
    st.just("sphere"),
    st.just((0.1, 0.2)),
)


@given(st.lists(ANYTHING, min_size=1, max_size=3), st.dictionaries(st.sampled_from(["velocity", "frame"]), ANYTHING))
def test_obstacles_are_made_or_refused(arguments, options):
    try:
        obstacle = Obstacle(*arguments, **options)
    except PantinError:
        return
    assert np.isfinite(obstacle.velocity).all()
    assert np.isfinite(obstacle.placement.translation).all()


@given(
    st.lists(ANYTHING, min_size=2, max_size=4),
    st.dictionaries(st.sampled_from(["d_max", "n_witnesses"]), ANYTHING),
)
def test_barriers_are_made_or_refused(arguments, options):
    for make in (
        lambda: SelfCollisionBarrier(*arguments, **options),
        lambda: ObstacleBarrier(arguments[0], [Obstacle("sphere", 0.1)], *arguments[1:], **options),
        lambda: ObstacleBarrier(*arguments[:2], **options),
    ):
        try:
            barrier = make()
        except PantinError:
            continue
        assert barrier.dim >= 1
        assert np.isfinite(barrier.gain).all()


@given(st.dictionaries(st.sampled_from(["links", "others", "clear_at"]), ANYTHING))
def test_pairs_are_chosen_or_refused(options):
    model, shapes = loose(("sphere", [0.1]), ("box", [0.1, 0.2, 0.3]))
    try:
        pairs = collision_pairs(model, shapes, **options)
    except PantinError:
        return
    shapes.collision_pairs = pairs
    assert GeometryData(shapes).npairs == len(pairs)
