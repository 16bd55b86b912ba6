"""The nearest of many pairs: none is wrongly skipped, few are measured, and their gradients are derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shape_scenes import placed, shaped_tree

from models import KINDS, mimic_tree, random_pose
from pantin import kinematics as kin
from pantin.collision import GeometryData
from pantin.collision.gradient import Gradient
from pantin.collision.witnesses import Witnesses
from pantin.kinematics import GeometryModel, GeometryObject

pytest.importorskip("coal", reason="the package coal measures distances")


def walk(model, seed, steps):
    """Configurations that follow each other closely, with a jump now and then."""
    random = np.random.default_rng(seed)
    q = kin.random_configuration(model, random_seed=seed)
    for step in range(steps):
        size = 1.0 if step % 10 == 9 else 0.01
        q = kin.integrate(model, q, size * random.normal(size=model.nv))
        yield q


@given(st.integers(0, 10**6))
def test_the_nearest_are_the_nearest_of_all(seed):
    model, geometry = shaped_tree(["free", "RX", "R", "PZ", "ball", "RY"], seed)
    data, every = GeometryData(geometry), GeometryData(geometry)
    for q in walk(model, seed, 12):
        tree = placed(model, q)
        data.place(tree, q)
        every.place(tree, q)
        distance, normal, point = every.measure_all()
        for count, reach in ((1, np.inf), (5, np.inf), (4, 0.2), (10**6, 0.1), (data.npairs, np.inf)):
            nearest = data.nearest(count, reach)
            expected = np.sort(distance[distance < reach])[:count]
            np.testing.assert_allclose(nearest.distance, expected, atol=1e-12)
            np.testing.assert_array_equal(nearest.distance, distance[nearest.pairs])
            np.testing.assert_array_equal(nearest.normal, normal[nearest.pairs])
            np.testing.assert_array_equal(nearest.point, point[nearest.pairs])


def test_a_long_way_is_forgotten():
    model, geometry = shaped_tree(["free", "RX", "RY", "RZ"], 0)
    data = GeometryData(geometry)
    start = kin.neutral(model)
    for far in (0.0, 1e3, 0.0, 1e15, 0.0, 0.0):
        q = start.copy()
        q[0] = far
        data.place(placed(model, q), q)
        nearest = data.nearest(2)
    fresh = GeometryData(geometry)
    fresh.place(placed(model, start), start)
    np.testing.assert_array_equal(nearest.distance, fresh.nearest(2).distance)


def test_few_pairs_are_measured_along_a_motion(monkeypatch):
    model, geometry = shaped_tree(["free", *["RX", "RY", "RZ"] * 5], 3)
    counts, measure = [0], Witnesses.measure

    def counting(self, pairs):
        counts[-1] += len(pairs)
        measure(self, pairs)

    monkeypatch.setattr(Witnesses, "measure", counting)
    data = GeometryData(geometry)
    for q in walk(model, 1, 9):
        data.place(placed(model, q), q)
        data.nearest(5)
        counts.append(0)
    assert data.npairs > 200
    assert np.mean(counts[1:-1]) < 20


def test_what_was_measured_stays_until_the_robot_moves(monkeypatch):
    model, geometry = shaped_tree(["RX", "RY", "RZ"], 0)
    data = GeometryData(geometry)
    q = kin.neutral(model)
    data.place(placed(model, q), q)
    nearest = data.nearest(2)
    monkeypatch.setattr(Witnesses, "measure", None)
    data.place(placed(model, q), q)
    assert data.nearest(2) is nearest


def gradients(model, geometry, q):
    """Gradients of all distances, the distances, and their differences on the manifold."""
    data = GeometryData(geometry)

    def distances(at):
        tree = placed(model, at)
        data.place(tree, at)
        return tree, data.measure_all()

    tree, (distance, normal, point) = distances(q)
    rows = Gradient(model, *data.joints).rows(model, tree, np.arange(data.npairs), normal, point)
    step = 1e-5
    pairs = [
        [distances(kin.integrate(model, q, sign * step * axis))[1][0] for sign in (1, -1)] for axis in np.eye(model.nv)
    ]
    differences = np.array([(ahead - behind) / (2.0 * step) for ahead, behind in pairs]).T
    return rows, distance, differences


@pytest.mark.parametrize("seed", range(4))
def test_gradients_are_differences_for_every_kind_of_joint(seed):
    random = np.random.default_rng(seed)
    model, _ = shaped_tree(["free", *random.choice(list(KINDS), 6)], seed)
    geometry = GeometryModel()
    for joint in range(1, model.njoints):
        kind, size = [("sphere", [0.2]), ("capsule", [0.1, 0.3])][joint % 2]
        pose = random_pose(random, 0.2)
        geometry.add_geometry_object(GeometryObject(f"s{joint}", joint, pose, kind, size))
    geometry.add_all_collision_pairs()
    rows, _, differences = gradients(model, geometry, kin.random_configuration(model, random_seed=seed))
    # distances are measured to 1e-9: differences of steps of 1e-5 are off by some 1e-4 at most
    assert np.abs(rows - differences).max() < 2e-4 * max(1.0, np.abs(rows).max())


def test_gradients_are_differences_where_joints_follow_others():
    model = mimic_tree()
    geometry = GeometryModel()
    random = np.random.default_rng(0)
    for joint in range(1, model.njoints):
        geometry.add_geometry_object(GeometryObject(f"s{joint}", joint, random_pose(random, 0.1), "sphere", [0.1]))
    geometry.add_all_collision_pairs()
    rows, _, differences = gradients(model, geometry, kin.random_configuration(model, random_seed=0))
    assert np.abs(rows - differences).max() < 2e-4 * max(1.0, np.abs(rows).max())
